"""Games: rulebooks with an edition, rulings, seats and a board."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from .engine import symbols
from .engine.configuration import ENGINES, Configuration, chosen_seats, configure
from .engine.ruleset import Ruleset, with_rulebook
from .errors import UnreadableInput, WrongUsage
from .evaluation.evaluator import Evaluator, evaluator_of
from .evaluation.origin import EFFORT, Origin
from .evaluation.start import refuse_false_invariants
from .evaluation.verdict import Broken, InvalidPosition
from .lang.printer import show_literal, show_term
from .lang.terms import Atom
from .notation.reading import read_facts
from .notation.record import RecordedFact
from .notation.syntax import parse_user_term
from .notation.terms import Term
from .position import Position, stated_seats
from .rules.loader import rulebook
from .rules.predicates import BOARD_FACT
from .rules.rulebook import DEFAULT_EDITION, Rulebook
from .upward import ShownInNotebooks, call_above

if TYPE_CHECKING:
    from .batch.batch import Batch
    from .mining.writing import InvariantReport
    from .solving.report import ProofReport


class FoundPositions(tuple[Position, ...], ShownInNotebooks):
    """Positions in which a query holds. Notebooks draw the first ones."""


@dataclass(frozen=True)
class Found(ShownInNotebooks):
    """Positions in which a query holds.

    Attributes:
        positions: Valid positions. Any two of them differ in something that the query mentions.
        exhausted: Whether it is proved that there are no others.
        note: A remark, for instance whether the smallest position was proved to be the smallest.
        reason: Why it is unknown whether there are more, if the search ended without a proof.
        because: For each position, what makes the query true: values of its variables, facts, sums.
        differs: For each position, how it differs from the first one in what the query mentions.
    """

    positions: tuple[Position, ...]
    exhausted: bool
    note: str = ""
    reason: str = ""
    because: tuple[str, ...] = ()
    differs: tuple[str, ...] = ()

    @cached_property
    def origins(self) -> tuple[Origin, ...]:
        """The reachability of each position: reachable, impossible or open."""
        return tuple(game_under(p.ruleset.configuration).origin(p) for p in self.positions)


class Game:
    """A game with its configuration; immutable. :func:`load` makes one.

    Attributes:
        evaluator: It answers questions about positions of this game.
        options: All rulings in force, name to value.

    >>> import kaiser_logic as kl
    >>> game = kl.load("kaiser", players=3)
    >>> game
    <Game kaiser, standard, red green blue>
    >>> game.initial().to_move
    ('red',)
    >>> position = game.find("emperor(green), thalers(green,0)")[0]  # a valid position in which the query holds
    >>> position.query("emperor(R)")
    [{'R': 'green'}]
    >>> game.find("emperor(green), emperor(red)", timeout=600)  # none: that is a proof
    ()
    """

    def __init__(self, evaluator: Evaluator) -> None:
        """The game with the configuration of the evaluator: see :func:`load`."""
        self.evaluator = evaluator
        self.options = self.configuration.options(self.book)

    @property
    def ruleset(self) -> Ruleset:
        """The rules in force."""
        return self.evaluator.ruleset

    @property
    def configuration(self) -> Configuration:
        """Edition, rulings, seats, start tags and board in one value."""
        return self.ruleset.configuration

    @property
    def book(self) -> Rulebook:
        """The rulebook, the same under all configurations."""
        return self.ruleset.book

    @property
    def id(self) -> str:
        """The game's id, e.g. ``kaiser``."""
        return self.book.id

    @property
    def edition(self) -> str:
        """The edition whose rulings are in force."""
        return self.configuration.edition

    @property
    def seats(self) -> tuple[str, ...]:
        """The players, clockwise."""
        return self.configuration.seats

    @property
    def roles(self) -> tuple[str, ...]:
        """The players and chance."""
        return self.ruleset.roles

    @property
    def start(self) -> Mapping[str, tuple[str, ...]]:
        """The values of the start tags, e.g. ``{"emperor": ("red",)}``."""
        return dict(self.configuration.start)

    @property
    def board(self) -> tuple[Term, ...]:
        """The facts of the board file; empty if there is none."""
        return self.configuration.board

    def initial(self) -> Position:
        """The position at the start."""
        return Position(self.evaluator, self.evaluator.initial())

    def position(self, facts: Iterable[str]) -> Position:
        """The position that consists of these facts, with the seats that the facts state.

        Raises:
            InvalidPosition: The facts break invariants, or state no possible seats.
            WrongUsage: A fact cannot be read.
        """
        terms = [parse_user_term(f.strip().removesuffix(".")) for f in facts]
        return self.position_of(terms)

    def position_of(self, terms: Iterable[Term], seated: bool = False) -> Position:
        """The position that consists of these facts, given as terms; see `position`.

        Args:
            terms: The facts.
            seated: Whether the players already sit, so that the facts cannot seat others.
        """
        terms = list(terms)
        game = self._with_seats(stated_seats(self.book, terms))
        if seated and game.seats != self.seats:
            message = f"The seats of a record stay as they are: {' '.join(self.seats)}."
            raise InvalidPosition((Broken("seats", " ".join(game.seats), message),))
        position = Position(game.evaluator, frozenset(map(symbols.symbol, terms)))
        broken = [game.board_problem] if game.board_problem is not None else position.broken_invariants()
        if broken:
            raise InvalidPosition(tuple(broken))
        return position

    def with_seats(self, seats: Sequence[str]) -> Game:
        """The game with other seats; WrongUsage if a seat does not exist, or the board does not fit their number."""
        game = self._with_seats(chosen_seats(self.book, seats))
        if game.board_problem is not None:
            raise WrongUsage(str(game.board_problem))
        return game

    @cached_property
    def board_problem(self) -> Broken | None:
        """A mistake in the board: a fact outside the vocabulary, or a wrong number of players."""
        problem = self.evaluator.board_problem(map(symbols.symbol, self.board)) if self.board else None
        if problem is None:
            return None
        rule, witness = problem
        if not rule:
            return Broken("board", witness, f"this is no fact of a board of this game{self._board_forms(witness)}")
        return Broken(rule, witness, self.ruleset.texts.statement(self.book.doc(rule)))

    def board_fault(self, facts: Sequence[RecordedFact], path: str) -> UnreadableInput | None:
        """A mistake in the board file; None if there is none.

        Its place is that of the last fact that begins like the witness, else of the last fact with the witness's name.

        Args:
            facts: The facts of the file.
            path: The name of the file.
        """
        problem = self.board_problem
        if problem is None:
            return None
        witness = problem.witness
        name, begins = f"{witness.partition('(')[0]}(", f"{witness.removesuffix(')')},"
        same_name = [f for f in facts if f"{f.term}".startswith(name)]
        exactly = [f for f in same_name if f"{f.term}" == witness or f"{f.term}".startswith(begins)]
        line, column = next(((f.line, f.column) for f in reversed(exactly or same_name)), (None, None))
        return UnreadableInput(f"{witness}: {problem.message}", path, line, column)

    def _board_forms(self, fact: str) -> str:
        """The possible forms of a wrong fact: those with its name and number of arguments, or else all facts of boards."""
        name, commas = fact.partition("(")[0], fact.count(",")
        forms: dict[str, str] = {}
        for rule in self.book.rules:
            for head in rule.heads:
                if head.signature == BOARD_FACT:
                    needs = (x for x in rule.value.body if not (isinstance(x, Atom) and x.name == "board"))
                    forms[show_term(rule.argument(head, 0))] = ", ".join(map(show_literal, needs))
        matching = [form for form in forms if form.partition("(")[0] == name and form.count(",") == commas]
        if not matching:
            return f"; facts of a board are {', '.join(sorted(forms))}" if forms else ""
        return f"; {' or '.join(f'{form} needs {forms[form]}' for form in matching)}"

    def _with_seats(self, seats: tuple[str, ...]) -> Game:
        return self if seats == self.seats else game_under(self.configuration.with_seats(self.book, seats))

    def find(
        self, query: str, count: int = 1, *, timeout: float = 60.0, smallest: bool = False
    ) -> tuple[Position, ...]:
        """Valid positions in which the query holds. An empty result is a proof that there are none.

        Args:
            query: The query, such as ``thalers(R,N), N > 30``.
            count: The number of positions that are wanted.
            timeout: The time limit in seconds.
            smallest: Whether to minimise the number of pieces.

        Raises:
            NotDecided: Nothing was found in this time, or finding nothing would not be a proof.
            UnreadableInput: The text is not a query.
            WrongUsage: The query mentions something that the rulebook does not know, or nothing was found and the start of
                the game breaks an invariant.
        """
        return FoundPositions(self.find_result(query, count, timeout=timeout, smallest=smallest).positions)

    def find_result(
        self,
        query: str,
        count: int = 1,
        *,
        timeout: float = 60.0,
        smallest: bool = False,
        progress: Callable[[str], None] = lambda _: None,
    ) -> Found:
        """The positions of `find` with notes, such as whether there are more; ``progress`` receives messages."""
        answer = call_above("Game.find_result", self.evaluator, query, count, timeout, smallest, progress)
        if answer.exhausted:
            refuse_false_invariants(self.evaluator)
        return Found(
            tuple(map(self.position, answer.positions)),
            answer.exhausted,
            answer.note,
            answer.reason,
            answer.because,
            answer.differs,
        )

    def origin(
        self, position: Position, *, effort: int = EFFORT, invariants: str = "", timeout: float = 600.0
    ) -> Origin:
        """Decides whether a position is reachable, impossible or open.

        Args:
            position: A position of this game.
            effort: The largest number of positions that are made from the start.
            invariants: Additional invariants, written as in a rulebook. If the position breaks one, it is proved first.
            timeout: The time limit in seconds.

        Raises:
            FaultyRulebook, WrongUsage: The invariants cannot be read, or define predicates of the rulebook.
        """
        answer: Origin = call_above("Game.origin", position.evaluator, position.symbols, effort, invariants, timeout)
        return answer

    def prove(
        self,
        invariants: Sequence[str] = (),
        *,
        claims: Sequence[str] = (),
        timeout: float = 600.0,
        jobs: int | None = None,
        fresh: bool = False,
    ) -> ProofReport:
        """Proves invariants and claims; without any, everything that the command ``prove`` proves.

        Args:
            invariants: The ids of invariants.
            claims: Claims such as ``never held(R,rival,1), emperor(R)``.
            timeout: The time limit in seconds.
            jobs: The number of processes; by default one for each core.
            fresh: Whether to ignore cached proofs.

        Raises:
            UnreadableInput, WrongUsage: A claim cannot be read, or mentions something that the rulebook does not know.
        """
        report: ProofReport = call_above("Game.prove", self.evaluator, invariants, claims, timeout, jobs, fresh)
        return report

    def invariants(
        self, *, games: int = 20, seed: int = 1, timeout: float = 600.0, jobs: int | None = None
    ) -> InvariantReport:
        """Proposes invariants that the rulebook does not state. All of them are proved.

        Args:
            games: The number of random games from which candidates are taken.
            seed: The seed of the random games.
            timeout: The time limit in seconds.
            jobs: The number of processes; by default one for each core.

        Raises:
            NotDecided: The time was too short, or the game's own invariants are not proved.
        """
        report: InvariantReport = call_above("Game.invariants", self.evaluator).run(games, seed, timeout, jobs)
        return report

    def batch(self, progress: Callable[[str], None] = lambda _: None) -> Batch:
        """The game with its rules as circuits, for many positions at once. Circuits are built when first needed, and stored.

        Args:
            progress: Is called with the number of circuits built so far, if that takes long. A process uses the first one given.

        Raises:
            WrongUsage: NumPy or llvmlite is missing; the message says how to install them.
        """
        new: Batch = call_above("Game.batch", self.evaluator, progress=progress)
        return new

    def __repr__(self) -> str:
        changed = "".join(f", {n}={v}" for n, v in self.configuration.changed)
        return f"<Game {self.id}, {self.edition}{changed}, {' '.join(self.seats)}>"

    def __reduce__(self) -> tuple[object, tuple[Configuration]]:
        return game_under, (self.configuration,)


def game_under(configuration: Configuration) -> Game:
    """The game with a checked configuration: one object for each configuration in a process."""
    evaluator = evaluator_of(with_rulebook(configuration))
    return evaluator.ruleset.remember("game", lambda: Game(evaluator))


def load(
    game_id: str | Path,
    *,
    edition: str = DEFAULT_EDITION,
    options: Mapping[str, str] | None = None,
    seats: Sequence[str] | None = None,
    players: int | None = None,
    board: str | Path | None = None,
    engine: str = ENGINES[0],
    **start: str | Sequence[str],
) -> Game:
    """Loads a game.

    Args:
        game_id: ``kaiser``, ``krone``, ..., or a folder with a rulebook. Such a rulebook is trusted like a program.
        edition: One of the rulebook's editions.
        options: Rulings that differ from the edition, name to value.
        seats: The players, clockwise; by default the rulebook's first ones.
        players: The number of players, if no seats are given.
        board: A board file.
        engine: ``compiled``, or ``clingo``, which is slower and gives the same answers.
        start: The start tags of the game in lower case, e.g. ``emperor="red"``.

    Raises:
        WrongUsage: An unknown game, edition, ruling, value, seat or start tag.
        UnreadableInput: The board file cannot be read, or does not fit this game.
    """
    book = rulebook(game_id)
    facts = tuple(read_facts(board)) if board is not None else ()
    terms = tuple(f.term for f in facts)
    configuration, problems = configure(
        book, game_id, edition=edition, options=options, seats=seats, players=players, start=start, board=terms
    )  # fmt: skip
    if problems:
        raise WrongUsage(problems[0].message)
    if engine not in ENGINES:
        raise WrongUsage(f"there is no engine {engine!r}; the engines are: {', '.join(ENGINES)}")
    board_file = None if board is None else Path(board).as_posix()
    game = game_under(replace(configuration, engine=engine, board_file=board_file))
    if (fault := game.board_fault(facts, str(board))) is not None:
        raise fault
    return game
