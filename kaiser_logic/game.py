"""Games: a rulebook with an edition, rulings, seats and a board."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import clingo

from .engine import symbols
from .engine.configuration import check_option, chosen_seats, start_tags
from .engine.ruleset import Evaluator
from .errors import UnreadableInput, WrongUsage
from .evaluation.verdict import Broken, InvalidPosition, Judgement, Violation
from .notation.terms import Term
from .position import Position
from .rules.loader import rulebook
from .rules.rulebook import Rulebook

if TYPE_CHECKING:
    from .proof.report import Report

DEFAULT_EDITION = "standard"


@lru_cache(maxsize=50_000)
def parsed(text: str) -> Term:
    """A term of the user's, read by the records' grammar; WrongUsage where it is none."""
    from .notation.syntax import parse_term

    try:
        value = parse_term(text)
    except UnreadableInput as error:
        raise WrongUsage(f"{text[:80]!r} is not a term: {error.message}") from None
    if not isinstance(value, Term):
        raise WrongUsage(f"{text[:80]!r} is a number, not a term")
    return value


class Game:
    """One game to be played: immutable. Made by :func:`load`.

    Attributes:
        id: The game's id, e.g. ``kaiser``.
        edition: The edition whose rulings hold.
        options: All rulings in force, name to value.
        seats: The roles clockwise.
        start: The start tags' values, e.g. ``{"emperor": "red"}``.
        board: The facts of a board file, or empty.
    """

    def __init__(
        self,
        book: Rulebook,
        edition: str,
        changed: Mapping[str, str],
        seats: tuple[str, ...],
        start: Mapping[str, tuple[str, ...]],
        board: tuple[Term, ...] = (),
        source: str | Path | None = None,
    ) -> None:
        """All arguments are checked already: see :func:`load`."""
        self.source = source if source is not None else book.id
        self.book = book
        self.id = book.id
        self.edition = edition
        self.changed = dict(changed)
        self.seats = seats
        self.start = dict(start)
        self.board = board
        self.options = {n: changed.get(n, r.by_edition[edition]) for n, r in book.rulings.items()}

    @property
    def roles(self) -> tuple[str, ...]:
        """The players and chance."""
        return (*self.seats, "chance")

    @cached_property
    def evaluator(self) -> Evaluator:
        """What answers questions about positions of this game."""
        return Evaluator(self.book, map(symbols.symbol, self._given()))

    def _given(self) -> list[Term]:
        given = [Term.of("seat", r, i) for i, r in enumerate(self.seats, 1)]
        given += [Term.of("ruling", n, _atomic(v)) for n, v in self.options.items()]
        given += [Term.of("start", tag, _atomic(v)) for tag, values in self.start.items() for v in values]
        return [*given, *(Term("board", (fact,)) for fact in self.board)]

    # -- positions -----------------------------------------------------------------------------------------------------

    def initial(self) -> Position:
        """The position at the start."""
        return Position(self, self.evaluator.initial())

    def position(self, facts: Iterable[str]) -> Position:
        """The position that these facts are; InvalidPosition carries the invariants they break.

        The seats are taken from the facts, where they say so.
        """
        terms = [parsed(f.strip().removesuffix(".")) for f in facts]
        return self.position_of(terms)

    def position_of(self, terms: Iterable[Term]) -> Position:
        """The position that these facts are, as own values."""
        terms = list(terms)
        game = self._seated(stated_seats(self.book, terms))
        found = frozenset(map(symbols.symbol, terms))
        broken = [game.board_problem] if game.board_problem is not None else game.broken(found)
        if broken:
            raise InvalidPosition(tuple(broken))
        return Position(game, found)

    def broken(self, facts: frozenset[clingo.Symbol]) -> list[Broken]:
        """The invariants that the facts break."""
        return [Broken(i, w, self.book.doc(i).statement) for i, w in self.evaluator.broken(facts)]

    def seated(self, seats: Sequence[str]) -> Game:
        """The same game with other seats; WrongUsage where these are none, or so many cannot play on its board."""
        game = self._seated(chosen_seats(self.book, seats))
        if game.board_problem is not None:
            raise WrongUsage(str(game.board_problem))
        return game

    @cached_property
    def board_problem(self) -> Broken | None:
        """What is wrong with the board: a fact that the vocabulary does not allow, or that so many cannot play on it."""
        problem = self.evaluator.board_problem(map(symbols.symbol, self.board)) if self.board else None
        if problem is None:
            return None
        rule, witness = problem
        if not rule:
            return Broken("board", witness, "this is no fact of a board of this game")
        return Broken(rule, witness, self.book.doc(rule).statement)

    def _seated(self, seats: tuple[str, ...]) -> Game:
        if seats == self.seats:
            return self
        start = {t: v for t, v in self.start.items() if set(v) <= set(seats)}
        return _game(
            self.source, self.edition, tuple(self.changed.items()), seats, _frozen(start), self.board
        )

    # -- terms -----------------------------------------------------------------------------------------------------------

    def action(self, action: str) -> clingo.Symbol:
        """An action's symbol; WrongUsage where the text is no term."""
        return symbols.symbol(parsed(action))

    def fact(self, fact: str) -> clingo.Symbol:
        """A fact's symbol."""
        return symbols.symbol(parsed(fact))

    @cached_property
    def _fact_order(self) -> Mapping[str, int]:
        names: dict[str, int] = {}
        for rule in self.book.rules:
            for head in rule.heads:
                if head.signature == ("fluent", 1) and rule.text.startswith("fluent("):
                    names.setdefault(rule.text[7:].split("(")[0].split(")")[0], len(names))
        return names

    def ordered(self, facts: Iterable[str]) -> list[str]:
        """Facts in the order of the vocabulary."""
        order = self._fact_order
        return sorted(facts, key=lambda f: (order.get(f.split("(")[0], len(order)), f))

    # -- judging -----------------------------------------------------------------------------------------------------------

    def violations(
        self, position: Position, actions: Mapping[str, str]
    ) -> dict[str, tuple[tuple[str, Violation], ...]]:
        """The rules that the actions break, explained: role to pairs of action and violation."""
        judged = {role: self.action(action) for role, action in actions.items()}
        return self.explained(position, judged, self.evaluator.judge(position.symbols, judged).violations)

    def explained(
        self,
        position: Position,
        judged: Mapping[str, clingo.Symbol],
        violations: Sequence[tuple[str, clingo.Symbol, str]],
    ) -> dict[str, tuple[tuple[str, Violation], ...]]:
        """Found violations with their reasons; costs a grounding of its own."""
        if not violations:
            return {}
        from .evaluation.explanation import explain

        return explain(self, position, judged, violations)

    def judge(self, position: Position, actions: Mapping[str, Term]) -> Judgement:
        """The bare judgement of actions given as own values (for replaying many)."""
        judged = {role: symbols.symbol(action) for role, action in actions.items()}
        return self.evaluator.judge(position.symbols, judged)

    def successor(
        self, position: Position, added: Iterable[clingo.Symbol], deleted: Iterable[clingo.Symbol]
    ) -> Position:
        """The position after changes and all that then happens by itself."""
        facts = (position.symbols - frozenset(deleted)).union(added)
        return Position(self, self.evaluator.settle(facts))

    # -- asking the rulebook -----------------------------------------------------------------------------------------------

    def find(
        self, query: str, count: int = 1, *, timeout: float = 60.0, smallest: bool = False
    ) -> tuple[Position, ...]:
        """Valid positions in which the query holds; none is a proof that there is none.

        Raises NotDecided where the time was too short, and UnreadableInput or WrongUsage for a query that is none.
        """
        from .query.find import find

        return find(self, query, count, timeout, smallest).positions

    def prove(
        self, invariants: Sequence[str] = (), *, timeout: float = 600.0, jobs: int | None = None
    ) -> Report:
        """Proves the invariants (and, where none is named, all else that ``prove`` proves)."""
        from .proof.prover import Prover

        return Prover(self).run(invariants, timeout, jobs)

    # -- as a value ------------------------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        changed = "".join(f", {n}={v}" for n, v in self.changed.items())
        return f"<Game {self.id}, {self.edition}{changed}, {' '.join(self.seats)}>"

    def __reduce__(self) -> tuple[object, tuple[Any, ...]]:
        start = _frozen(self.start)
        return _game, (self.source, self.edition, tuple(self.changed.items()), self.seats, start, self.board)


def _frozen(start: Mapping[str, tuple[str, ...]]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple(sorted(start.items()))


@lru_cache(maxsize=64)
def _game(
    game_id: str | Path,
    edition: str,
    changed: tuple[tuple[str, str], ...],
    seats: tuple[str, ...],
    start: tuple[tuple[str, tuple[str, ...]], ...],
    board: tuple[Term, ...],
) -> Game:
    """One Game for each configuration in a process: programs are cut once."""
    return Game(rulebook(game_id), edition, dict(changed), seats, dict(start), board, game_id)


def load(
    game_id: str | Path,
    *,
    edition: str = DEFAULT_EDITION,
    options: Mapping[str, str] | None = None,
    seats: Sequence[str] | None = None,
    players: int | None = None,
    board: str | Path | None = None,
    **start: str | Sequence[str],
) -> Game:
    """Loads a game.

    Args:
        game_id: ``kaiser``, ``krone``, ..., or a folder of one's own with a rulebook (trusted like a program).
        edition: One of the rulebook's editions.
        options: Single rulings changed, name to value.
        seats: The roles clockwise; by default the rulebook's first ones.
        players: How many, where no seats are given.
        board: A board file of one's own.
        start: The game's start tags in lower case, e.g. ``emperor="red"``.

    Raises:
        WrongUsage: An unknown game, edition, ruling, value, seat or start tag.
        UnreadableInput: The board file cannot be read, or is no board for this game.
    """
    book = rulebook(game_id)
    if edition not in book.editions:
        raise WrongUsage(
            f"{book.id} has no edition {edition!r}; the editions are: {', '.join(book.editions)}"
        )
    for name, value in (options or {}).items():
        check_option(book, name, value)
    chosen = chosen_seats(book, seats, players)
    facts: tuple[Term, ...] = ()
    if board is not None:
        from .notation.syntax import read_facts

        facts = tuple(f.term for f in read_facts(board))
    ruled = {n: v for n, v in (options or {}).items() if v != book.rulings[n].by_edition[edition]}
    tags = start_tags(book, chosen, start)
    game = _game(game_id, edition, tuple(sorted(ruled.items())), chosen, _frozen(tags), facts)
    problem = game.board_problem
    if problem is not None:
        raise UnreadableInput(f"{problem.witness}: {problem.message}", str(board))
    return game


def _atomic(value: str) -> int | str:
    return int(value) if value.isdigit() else value


def stated_seats(book: Rulebook, terms: Iterable[Term]) -> tuple[str, ...]:
    """The seats that a position's facts state; InvalidPosition where they state none that can be."""
    facts = [t.args for t in terms if t.name == "seat" and len(t.args) == 2]
    if not facts:
        raise InvalidPosition((Broken("seats", "seat", "the facts name no seats: seat(red,1) and so on"),))
    stated = {place: role for role, place in facts}
    seats = tuple(str(stated.get(i, "")) for i in range(1, len(stated) + 1))
    once = len(facts) == len(stated) == len(set(seats))
    if not once or len(seats) not in book.manifest["players"] or not set(seats) <= set(book.roles):
        raise InvalidPosition((Broken("seats", " ".join(seats), book.doc("seats").statement),))
    return seats
