"""The rules in force: a rulebook under one configuration, and the programs that are cut from it.

All three readings start here. A :class:`Ruleset` knows the facts that never change, and cuts a program for each kind of
question once; what is asked of a position with such a program is the business of the reading.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Any, Final, TypeVar, cast

from .. import clingo
from ..cache import key_of
from ..errors import NotDecided
from ..rules import predicates
from ..rules.generated import all_rules, among_given, narrowed
from ..rules.pattern import Pattern, Signature, shape
from ..rules.predicates import is_enumeration, not_offered
from ..rules.rule import Rule, top
from ..rules.rulebook import Rulebook
from ..transform.collecting import foreign
from ..transform.dependency import Dependence
from ..transform.slicing import Seeds, Slicer, anywhere, seeds
from . import symbols
from .configuration import Configuration
from .grounding import Grounding, Program, Symbols
from .kinds import Kinds
from .program_cache import ProgramCache, program_cache
from .static import StaticFacts, possible

T = TypeVar("T")

_SEEDS: Final[tuple[Signature, ...]] = (predicates.SUBMITTED, predicates.DUE, predicates.DECISION)
"""What a question is about, besides the position: see :func:`kaiser_logic.transform.slicing.seeds`."""
_LAZY: Final[frozenset[Signature]] = frozenset(
    {predicates.FLUENT, ("action", 2), predicates.BOARD_FACT, predicates.BOARD_BROKEN}
)
"""What no position changes either, but would be too much to list at once."""
_JUDGED: Final = (predicates.VIOLATES, predicates.ADD, predicates.DEL)
"""What is said of a judged action: what it breaks, and what it changes."""


class Ruleset(Kinds):
    """The rules of one game under one configuration. There is one for each configuration in a process.

    Attributes:
        book: The rulebook.
        configuration: Edition, rulings, seats, start tags and board.
        rules: All rules: the rulebook's, the engine's, and those that follow from the declarations.
        given: The facts seat/2, ruling/2, start/2 and board/1.
        dropped: Invariants that no position is supposed to meet, besides those that a ruling waives.
    """

    def __init__(
        self,
        book: Rulebook,
        configuration: Configuration,
        lasting: bool = False,
        dropped: frozenset[str] = frozenset(),
    ) -> None:
        """Of a configuration that is checked already: see :func:`.configuration.configure`.

        Args:
            book: The rulebook.
            configuration: The configuration.
            lasting: Whether its programs are kept between processes.
            dropped: Invariants that no position is supposed to meet: see `dropping`.
        """
        super().__init__(book)
        self._lasting = lasting
        self.dropped = dropped
        self.configuration = configuration
        self.rules = all_rules(book)
        self.given = tuple(map(symbols.symbol, configuration.given(book)))
        self._remembered: dict[Hashable, Any] = {}

    @property
    def id(self) -> str:
        """The game's id."""
        return self.book.id

    @property
    def seats(self) -> tuple[str, ...]:
        """The roles clockwise."""
        return self.configuration.seats

    @property
    def roles(self) -> tuple[str, ...]:
        """The players and chance."""
        return (*self.seats, predicates.CHANCE)

    def with_rules(self, rules: Iterable[Rule]) -> Ruleset:
        """The same configuration of a rulebook with other rules."""
        return Ruleset(replace(self.book, rules=tuple(rules)), self.configuration, dropped=self.dropped)

    def dropping(self, names: Iterable[str]) -> Ruleset:
        """The same rules, where these invariants are treated as waived: for proofs that must not rest on them."""
        found = Ruleset(self.book, self.configuration, self._lasting, self.dropped.union(names))
        # none of these depends on what is waived
        shared = ("_cache", "static", "_static", "_possible_rules", "enumerating", "judging")
        found.__dict__.update((name, its) for name in shared if (its := self.__dict__.get(name)) is not None)
        return found

    def remember(self, key: Hashable, make: Callable[[], T]) -> T:
        """What has been made under this key; made now where nothing has. Lives as long as the rules do."""
        if key not in self._remembered:
            self._remembered[key] = make()
        return cast("T", self._remembered[key])

    @cached_property
    def mark(self) -> str:
        """A hash of all rules, what they are told, and the manifest."""
        texts = (rule.text for rule in self.rules)
        return key_of(*texts, *map(str, self.given), repr(self.book.manifest), *sorted(self.dropped))

    # -- what never changes ----------------------------------------------------------------------------------

    @cached_property
    def _cache(self) -> ProgramCache | None:
        """Where programs are kept."""
        return program_cache(self.rules, self.given) if self._lasting else None

    @cached_property
    def static(self) -> Mapping[Signature, tuple[clingo.Symbol, ...]]:
        """All facts that no position changes, by signature."""
        return self._cache.static(self._ground) if self._cache else self._ground()

    def _ground(self) -> Mapping[Signature, tuple[clingo.Symbol, ...]]:
        numbered = {("number", 1)} | _LAZY
        wanted = self.book.static - numbered
        rules = tuple(r for r in self.rules if r.heads and all(h.signature in wanted for h in r.heads))
        rules = tuple(r for r in rules if not r.uses & numbered)
        inputs = frozenset(symbols.signature(s) for s in self.given)
        grounding = Grounding(Program(rules, inputs, ()), self.given)
        return {(n, k): tuple(grounding.get(n, k)) for n, k in sorted(wanted)}

    _static = cached_property(lambda self: StaticFacts(self.static))

    def facts(self, name: str, arity: int) -> tuple[clingo.Symbol, ...]:
        """The static facts of a predicate."""
        return self.static.get((name, arity), ())

    @cached_property
    def _possible_rules(self) -> list[Rule]:
        """The rules that can ever fire: nothing static speaks against them, and what they need has such rules too."""
        return possible(self.rules, self.static)

    @cached_property
    def enumerating(self) -> Slicer:
        """Cuts programs that list what comes into question."""
        return Slicer(self._possible_rules, _SEEDS)

    @cached_property
    def judging(self) -> Slicer:
        """Without the rulebook's enumeration of what comes into question: that has been submitted."""
        rules = self._possible_rules
        return Slicer([r for r in rules if not is_enumeration(r)], _SEEDS)

    # -- programs --------------------------------------------------------------------------------------------

    def program(
        self,
        key: Hashable,
        seeds: Callable[[], Seeds],
        outputs: Sequence[Signature],
        without: frozenset[Signature] = frozenset(),
    ) -> Program:
        """The program for a kind of question, cut at its first use and remembered.

        Args:
            key: What it is remembered under.
            seeds: What is given besides a position: :func:`kaiser_logic.transform.slicing.seeds`.
            outputs: The predicates that are asked for.
            without: Predicates whose rules are left out.
        """

        def cut() -> Program:
            slicer = self.enumerating if predicates.LEGAL in outputs else self.judging
            return self.complete(tuple(slicer.slice(seeds(), [top(*o) for o in outputs], without)))

        cache, asked = self._cache, frozenset(outputs)
        made = partial(cache.program, key, cut) if cache else cut
        return self.remember(("program", key), lambda: replace(made(), outputs=asked))

    def complete(self, rules: tuple[Rule, ...]) -> Program:
        """The program of these rules with the static facts they read."""
        return self._static.complete(rules)

    @cached_property
    def unlisted(self) -> str:
        """Why legal actions are not listed: one is illegal for what is done, and where they are listed nothing is; or empty."""
        own = [rule for rule in self._possible_rules if not predicates.of_engine(rule)]
        # the engine makes changes of what own rules gain and enter; that what is submitted is in question says nothing here
        asking = {predicates.CANDIDATE, predicates.VIOLATES}
        made = [
            r
            for r in self._possible_rules
            if predicates.of_engine(r) and r.heads and r.heads[0].signature not in asking
        ]
        known = Dependence([*own, *made]).affected({predicates.DOES, predicates.MADE, predicates.SUBMITTED})
        saying = (r for r in own if any(head.signature == predicates.VIOLATES for head in r.heads))
        found = next((f"{rule.file}:{rule.line}" for rule in saying if rule.uses & known), "")
        if found:
            return f"legal actions are not listed: a violation reads what is known only when they are done ({found})"
        return self.foreign and f"legal actions are not listed: {self.foreign}"

    @cached_property
    def foreign(self) -> str:
        """Which violation may be of another role or action than is in question: judged alone it never is; or empty."""
        rule = foreign(self._possible_rules)
        return f"a violation is of what may not be in question ({rule.file}:{rule.line})" if rule else ""

    # -- the programs of all readings ------------------------------------------------------------------------

    def legal_program(self, decisions: Iterable[Signature], counted: bool = True) -> Program:
        """Lists what is legal at decisions of these names; ``counted``: also says where that is too much to list.

        Raises:
            NotDecided: They are not listed: :attr:`unlisted`.
        """
        if self.unlisted:
            raise NotDecided(self.unlisted)
        kinds = frozenset(decisions)
        outputs = [predicates.LEGAL, predicates.TOO_MANY] if counted else [predicates.LEGAL]
        return self.program(("legal", kinds, counted), lambda: seeds(map(shape, kinds)), outputs)

    def judge_program(
        self, actions: Symbols, offered: bool = False, more: frozenset[Signature] = frozenset()
    ) -> Program:
        """Judges actions of these kinds and says what they change; a smaller one suffices for what is offered.

        ``more``: what else is asked for.
        """
        same = {k.index: k for action in actions for k in self.alike(self.kind(action))}.values()
        return self.program(
            ("judge", frozenset(k.index for k in same), offered, more),
            lambda: seeds(None, (), [k.action for k in same]),
            [*_JUDGED, *([predicates.OFFERED] if offered else []), *sorted(more)],
            self.remember("not offered", lambda: not_offered(self.book.rules)) if offered else frozenset(),
        )

    def effects_program(self, actions: Symbols) -> Program:
        """What actions of these kinds change, when they are known to be legal."""
        kinds = {k.index: k for k in map(self.kind, actions) if k is not None}
        return self.program(
            ("effects", frozenset(kinds)),
            lambda: seeds(None, (), [k.action for k in kinds.values()]),
            [predicates.ADD, predicates.DEL],
        )

    def step_program(self, due: Iterable[Signature], pending: Iterable[Signature] | None = None) -> Program:
        """What steps of these names change when they happen by themselves.

        Args:
            due: The names of the steps.
            pending: The names of the decisions that are pending meanwhile; by default any.
        """
        kinds, decisions = frozenset(due), None if pending is None else frozenset(pending)
        patterns = None if decisions is None else list(map(shape, decisions))
        start = partial(seeds, patterns, list(map(shape, kinds)))
        return self.program(("step", kinds, decisions), start, [predicates.ADD, predicates.DEL])

    @property
    def outcome_program(self) -> Program:
        """Whether the game is over, with points and winners."""
        return self.program("outcome", anywhere, [predicates.TERMINAL, predicates.GOAL, predicates.WINNER])

    @property
    def vocabulary_program(self) -> Program:
        """Which facts there can be; needs number/1."""
        return self.program("vocabulary", anywhere, [predicates.FLUENT])

    @property
    def known_program(self) -> Program:
        """Which of the facts given as holds/1 there can be; needs number/1. Lists nothing else, unlike the vocabulary."""
        return self.remember("known", lambda: self.complete(among_given(self.vocabulary_program.rules)))

    def conceivable_program(self, fact: Pattern) -> Program:
        """Which facts like this one there can be; needs number/1."""
        return self.complete(narrowed(self.vocabulary_program.rules, fact))

    def broken_program(self, due: bool = False) -> Program:
        """Which invariants a position breaks, but for the vocabulary; ``due``: also where something is due by itself."""
        start = (lambda: seeds(None, None)) if due else anywhere
        without = frozenset({predicates.FLUENT, ("holds", 1)})
        return self.program(("broken", due), start, [predicates.BROKEN], without)

    @property
    def view_program(self) -> Program:
        """What is concealed from whom, and what he knows instead."""
        return self.program("view", anywhere, [predicates.CONCEALS, predicates.INSTEAD])

    @property
    def weight_program(self) -> Program | None:
        """How probable chance's actions are; None where the rulebook says nothing about it."""
        if not any(head.signature == predicates.WEIGHT for rule in self.book.rules for head in rule.heads):
            return None
        return self.program("weight", anywhere, [predicates.WEIGHT])

    @property
    def board_fact_program(self) -> Program:
        """What a board file may say; needs number/1."""
        return self.program("board_fact", anywhere, [predicates.BOARD_FACT])

    @property
    def board_program(self) -> Program:
        """What makes a board useless; needs number/1."""
        return self.program("board", anywhere, [predicates.BOARD_BROKEN])

    # -- actions and steps -----------------------------------------------------------------------------------

    @cached_property
    def steps(self) -> frozenset[clingo.Symbol]:
        """The facts that say that something is due by itself."""
        return frozenset(clingo.Function(predicates.DUE[0], [s.arguments[0]]) for s in self.facts("step", 1))

    @cached_property
    def waived(self) -> frozenset[str]:
        """The invariants that a ruling waives, and those that are dropped."""
        return self.dropped.union(symbols.text(s.arguments[0]) for s in self.facts("waived", 1))
