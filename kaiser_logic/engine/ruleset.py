"""The rules in force: a rulebook under one configuration, and its slices.

A :class:`Ruleset` has the static facts. For each kind of question it makes one program, a slice of the rules.
"""

from __future__ import annotations

import copyreg
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final, TypeVar, cast
from weakref import WeakValueDictionary

from .. import clingo
from ..cache import key_of
from ..errors import FaultyRulebook, Finding, NotDecided, WrongUsage
from ..function_caches import cache_until_change
from ..lang import terms as lang
from ..lang.terms import Place, Signature
from ..lang.unification import canonical, functor, most_general_term, unify
from ..notation.terms import Term
from ..rules import predicates
from ..rules.generated import all_rules, among_given, rules_for_fact
from ..rules.library import folder_of
from ..rules.loader import rulebook
from ..rules.predicates import ACTION, BOARD_FACT, FLUENT, NOT_OFFERED, NUMBER, SUBMITTED, is_enumeration
from ..rules.rule import PlacedRule, predicates_affected, top
from ..rules.rule_texts import RuleTexts
from ..rules.rulebook import ActionKind, Rulebook
from ..transform.cross_action_dependencies import collecting, violation_of_another
from ..transform.slicing import Seeds, Slicer, position_seeds, seeds
from . import symbols
from .compiled import LARGE, RuleTooLarge, exactly
from .compiled.sizes import is_large, may_be_many
from .configuration import Configuration
from .grounding import EngineProgram, Grounding, StaticFacts, Symbols, possible
from .program_cache import ProgramCache, program_cache
from .sets import in_order, knows_sets, order_mistake, rules_for_names

# -- kinds ---------------------------------------------------------------------------------------------------
#
# The kind to which an action belongs, and the facts for submitted actions.


_OPEN: Final = 100
"""The bound of numbers without a limit in actions of an open position (:mod:`.domains`)."""


class Kinds:
    """The kinds of action of a rulebook.

    Attributes:
        book: The rulebook.
    """

    def __init__(self, book: Rulebook) -> None:
        """Takes the rulebook; the kinds of actions are cached."""
        self.book = book
        self._kinds: dict[clingo.Symbol, ActionKind | None] = {}

    def kind(self, action: clingo.Symbol) -> ActionKind | None:
        """The first kind whose pattern matches the action; None if there is none."""
        if action not in self._kinds:
            if len(self._kinds) > 100_000:
                self._kinds.clear()
            pattern = symbols.term_of(action)
            kinds = self._by_functor.get(functor(pattern), self._open)
            self._kinds[action] = next((k for k in kinds if unify(k.action, pattern, {}) is not None), None)
        return self._kinds[action]

    def same_actions(self, kind: ActionKind | None) -> list[ActionKind]:
        """All kinds with the same actions: an action may belong to several decisions."""
        return self._same_actions[kind.index] if kind else []

    def submissions(self, submitted: Mapping[str, clingo.Symbol]) -> list[clingo.Symbol]:
        """The facts submitted/2, and number/1 for the numbers in the actions if the sorts of actions read it."""
        facts = [_submitted_fact(r, a) for r, a in submitted.items()]
        if self._numbered:
            facts += symbols.number_facts(symbols.numbers(submitted.values()))
        return facts

    @cached_property
    def numbers(self) -> tuple[clingo.Symbol, ...]:
        """The facts number/1 for actions of an open position, if the sorts of actions read it."""
        return tuple(symbols.number_facts(range(_OPEN * self._numbered)))

    @cached_property
    def _numbered(self) -> bool:
        """Whether the sorts of some action read number/1, directly or through the vocabulary."""
        sorts = [rule for rule in self.book.rules if any(h.signature == ACTION for h in rule.heads)]
        return any(not rule.uses.isdisjoint((NUMBER, FLUENT, BOARD_FACT)) for rule in sorts)

    @cached_property
    def _open(self) -> list[ActionKind]:
        """The kinds whose pattern is a variable."""
        return [k for k in self.book.kinds if functor(k.action) is None]

    @cached_property
    def _by_functor(self) -> dict[Signature | None, list[ActionKind]]:
        """Maps name and arity of an action to the kinds that can match it, in their order."""
        tops = {functor(k.action) for k in self.book.kinds} - {None}
        return {top: [k for k in self.book.kinds if functor(k.action) in (None, top)] for top in tops}

    @cached_property
    def _same_actions(self) -> dict[int, list[ActionKind]]:
        """Maps the index of each kind to the kinds with the same actions."""
        by_shape: dict[tuple[lang.Term, ...], list[ActionKind]] = defaultdict(list)
        for kind in self.book.kinds:
            by_shape[canonical((kind.action,))].append(kind)
        return {kind.index: kinds for kinds in by_shape.values() for kind in kinds}


@cache_until_change(100_000)
def _submitted_fact(role: str, action: clingo.Symbol) -> clingo.Symbol:
    """The fact that a role has submitted an action."""
    return clingo.Function(SUBMITTED[0], [symbols.symbol(Term(role)), action])


T = TypeVar("T")

_SEEDS: Final[tuple[Signature, ...]] = (predicates.SUBMITTED, predicates.DUE, predicates.DECISION)
"""The predicates that a question restricts: see :func:`kaiser_logic.transform.slicing.seeds`."""
_LAZY: Final[frozenset[Signature]] = frozenset(
    {predicates.FLUENT, ("action", 2), predicates.BOARD_FACT, predicates.BOARD_BROKEN}
)
"""Static predicates with too many atoms to be listed at once."""
_MOST_STATIC: Final = 50_000
"""The largest number of facts that are the same in all positions; lint reads them once for each edition and number of players."""
_JUDGED: Final = (predicates.VIOLATES, predicates.ADD, predicates.DEL)
"""The predicates about a judged action: its violations and its effects."""


class Ruleset(Kinds):
    """The rules of one game under one configuration. There is one for each configuration in a process.

    Attributes:
        book: The rulebook.
        configuration: Edition, rulings, seats, start tags and board.
        rules: All rules: the rulebook's, the engine's, and those generated from the declarations.
        given: The facts seat/2, ruling/2, start/2 and board/1.
        dropped: Invariants that count as waived, besides those that a ruling waives.
    """

    def __init__(
        self,
        book: Rulebook,
        configuration: Configuration,
        cached: bool = False,
        dropped: frozenset[str] = frozenset(),
    ) -> None:
        """Prepares the rules under a checked configuration: see :func:`.configuration.configure`.

        Args:
            book: The rulebook.
            configuration: The configuration.
            cached: Whether its programs are cached on disk.
            dropped: Invariants that count as waived: see `dropping`.
        """
        super().__init__(book)
        self._is_cached = cached
        self.dropped = dropped
        self.configuration = configuration
        self.rules = all_rules(book)
        self.given = tuple(map(symbols.symbol, configuration.given_facts(book)))
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

    def with_rules(self, rules: Iterable[PlacedRule]) -> Ruleset:
        """A ruleset with the same configuration and other rules."""
        return Ruleset(replace(self.book, rules=tuple(rules)), self.configuration, dropped=self.dropped)

    def with_open_sets(self, terms: bool = False) -> Ruleset:
        """The ruleset with :func:`.sets.rules_for_names`; the same ruleset if the game has no sets."""

        def make() -> Ruleset:
            return self.with_rules(rules_for_names(self.book.rules, terms))

        return self.remember(("open sets", terms), make) if knows_sets(self.book) else self

    def dropping(self, names: Iterable[str]) -> Ruleset:
        """A ruleset in which these invariants count as waived: for proofs that must not rest on them."""
        ruleset = Ruleset(self.book, self.configuration, self._is_cached, self.dropped.union(names))
        # none of these depends on the waived invariants
        shared = ("_cache", "static", "_static", "_possible_rules", "enumerating", "judging")
        ruleset.__dict__.update((n, v) for n in shared if (v := self.__dict__.get(n)) is not None)
        return ruleset

    def remember(self, key: Hashable, make: Callable[[], T]) -> T:
        """The value under a key, computed at the first call. It lives as long as the ruleset."""
        if key not in self._remembered:
            self._remembered[key] = make()
        return cast("T", self._remembered[key])

    @cached_property
    def texts(self) -> RuleTexts:
        """What the documented rules say under the configuration, and by which printed texts."""
        return RuleTexts(self.book, self.configuration.edition, self.configuration.options(self.book))

    @cached_property
    def mark(self) -> str:
        """A hash of all rules, the configuration's facts and the manifest."""
        texts = (rule.text for rule in self.rules)
        return key_of(*texts, *map(str, self.given), repr(self.book.manifest), *sorted(self.dropped))

    # -- static facts and slicers ----------------------------------------------------------------------------

    @cached_property
    def _cache(self) -> ProgramCache | None:
        """The cache of programs on disk, if there is one."""
        return program_cache(self.rules, self.given) if self._is_cached else None

    @cached_property
    def static(self) -> Mapping[Signature, tuple[clingo.Symbol, ...]]:
        """All static facts, by signature."""
        return self._cache.static(self._ground) if self._cache else self._ground()

    def _ground(self) -> Mapping[Signature, tuple[clingo.Symbol, ...]]:
        numbered = {("number", 1)} | _LAZY
        wanted = self.book.static - numbered
        rules = tuple(r for r in self.rules if r.heads and all(h.signature in wanted for h in r.heads))
        rules = tuple(r for r in rules if not r.uses & numbered)
        inputs = frozenset(symbols.signature(s) for s in self.given)
        program = EngineProgram(rules, inputs, ())
        if is_large(rules) or may_be_many(rules) or symbols.largest(self.given) > LARGE:
            try:
                exactly(program, frozenset(self.given))
            except RuleTooLarge as error:
                raise self._endless(error.place, error.what) from None
        grounding = Grounding(program, self.given)
        static = {(n, k): tuple(grounding.get(n, k)) for n, k in sorted(wanted)}
        if (every := sum(map(len, static.values()))) > _MOST_STATIC:
            (name, arity), facts = max(static.items(), key=lambda item: len(item[1]))
            rule = next(r for r in rules if any(h.signature == (name, arity) for h in r.heads))
            what = f"{every:,} facts are the same in all positions, more than {_MOST_STATIC:,}"
            raise self._endless(rule.place, f"{what}; {len(facts):,} are {name}/{arity}")
        return static

    def _endless(self, place: Place, what: str) -> FaultyRulebook:
        """What is too large, at its place in the rulebook."""
        where = str(self.book.folder / Path(place.file).name)
        return FaultyRulebook([Finding(where, place.line, place.column, "endless", what)])

    _static = cached_property(lambda self: StaticFacts(self.static))

    def facts(self, name: str, arity: int) -> tuple[clingo.Symbol, ...]:
        """The static facts of a predicate."""
        return self.static.get((name, arity), ())

    @cached_property
    def _possible_rules(self) -> list[PlacedRule]:
        """The rules that can fire in some position, given the static facts."""
        return possible(self.rules, self.static)

    @cached_property
    def enumerating(self) -> Slicer:
        """The slicer for programs that list candidates."""
        return Slicer(self._possible_rules, _SEEDS)

    @cached_property
    def judging(self) -> Slicer:
        """The slicer for programs that judge submitted actions, without the move generator."""
        rules = self._possible_rules
        return Slicer([r for r in rules if not is_enumeration(r)], _SEEDS)

    # -- programs --------------------------------------------------------------------------------------------

    def program(
        self,
        key: Hashable,
        seeds: Callable[[], Seeds],
        outputs: Sequence[Signature],
        without: frozenset[Signature] = frozenset(),
    ) -> EngineProgram:
        """The program for a kind of question, computed at its first use.

        Args:
            key: The key under which it is cached.
            seeds: The given facts besides a position: :func:`kaiser_logic.transform.slicing.seeds`.
            outputs: The predicates to derive.
            without: Predicates whose rules are left out.
        """

        def cut() -> EngineProgram:
            slicer = self.enumerating if predicates.LEGAL in outputs else self.judging
            return self.complete(tuple(slicer.slice(seeds(), [top(*o) for o in outputs], without)))

        known = self._remembered.get(("program", key))
        if known is not None:
            return cast("EngineProgram", known)
        cache = self._cache
        made = cache.program(key, cut) if cache else cut()
        known = self._remembered["program", key] = replace(made, outputs=frozenset(outputs), checked=True)
        return known

    def complete(self, rules: tuple[PlacedRule, ...]) -> EngineProgram:
        """The program of some rules with the static facts that they read."""
        return replace(self._static.complete(rules), checked=True)

    @cached_property
    def not_enumerable(self) -> str:
        """The reason why legal actions cannot be enumerated, such as a violation that depends on effects; empty if they can."""
        own = [rule for rule in self._possible_rules if not rule.is_of_engine]
        # The engine derives effects from predicates of the rulebook. Its rules for candidates and violations do not matter here.
        judged = {predicates.CANDIDATE, predicates.VIOLATES}
        made = [r for r in self._possible_rules if r.is_of_engine and r.heads and r.heads[0].signature not in judged]
        happening = {predicates.DOES, predicates.MADE, predicates.SUBMITTED}
        known = predicates_affected([*own, *made], happening)
        violating = (r for r in own if any(head.signature == predicates.VIOLATES for head in r.heads))
        place = next((f"{rule.file}:{rule.line}" for rule in violating if rule.uses & known), "")
        if place:
            return (
                f"legal actions are not listed: a violation reads what is known only after an action is done ({place})"
            )
        why = self.violation_of_another or self.collecting
        return why and f"legal actions are not listed: {why}"

    @cached_property
    def violation_of_another(self) -> str:
        """The reason why a violation may concern another role or action than the candidate; empty if none does.

        Such a violation is found only if all actions are judged together.
        """
        rule = violation_of_another(self._possible_rules)
        return f"a violation may concern an action that is not a candidate ({rule.file}:{rule.line})" if rule else ""

    @cached_property
    def collecting(self) -> str:
        """The reason why a list and the judge may disagree: a violation may depend on other candidates; empty if none does."""
        for rule, _ in collecting(self.rules):
            return f"a violation may read what else is in question ({rule.file}:{rule.line})"
        return ""

    # -- the programs for each kind of question --------------------------------------------------------------

    def legal_program(self, decisions: Iterable[Signature], counted: bool = True) -> EngineProgram:
        """The program that lists the legal actions at some decisions.

        Args:
            decisions: The names of the decisions.
            counted: Whether the program also derives too_many/2.

        Raises:
            NotDecided: Legal actions cannot be enumerated: :attr:`not_enumerable`.
        """
        if self.not_enumerable:
            raise NotDecided(self.not_enumerable)
        kinds = frozenset(decisions)
        outputs = [predicates.LEGAL, predicates.TOO_MANY] if counted else [predicates.LEGAL]
        return self.program(("legal", kinds, counted), lambda: seeds(map(most_general_term, kinds)), outputs)

    def judge_program(
        self, actions: Symbols, offered: bool = False, more: frozenset[Signature] = frozenset()
    ) -> EngineProgram:
        """The program that judges actions of the kinds of some actions and derives their effects.

        Args:
            actions: An action of each kind.
            offered: Whether the actions are known to be offered, so that fewer rules suffice.
            more: Further predicates to derive.
        """
        kinds = (k for action in actions for k in self.same_actions(self.kind(action)))
        return self.judge_program_of(kinds, offered, more)

    def judge_program_of(
        self, kinds: Iterable[ActionKind], offered: bool = False, more: frozenset[Signature] = frozenset()
    ) -> EngineProgram:
        """The program that judges actions of some kinds and derives their effects: see `judge_program`."""
        same = {k.index: k for k in kinds}.values()
        return self.program(
            ("judge", frozenset(k.index for k in same), offered, more),
            lambda: seeds(None, (), [k.action for k in same]),
            [*_JUDGED, *([predicates.OFFERED] if offered else []), *sorted(more)],
            NOT_OFFERED if offered else frozenset(),
        )

    def effects_program(self, actions: Symbols) -> EngineProgram:
        """The program for the effects of actions that are known to be legal, of the kinds of some actions."""
        kinds = {k.index: k for k in map(self.kind, actions) if k is not None}
        return self.program(
            ("effects", frozenset(kinds)),
            lambda: seeds(None, (), [k.action for k in kinds.values()]),
            [predicates.ADD, predicates.DEL],
        )

    def step_program(self, due: Iterable[Signature], pending: Iterable[Signature] | None = None) -> EngineProgram:
        """The program for the effects of some steps.

        Args:
            due: The names of the steps.
            pending: The names of the decisions in the position; by default any.
        """
        kinds, decisions = frozenset(due), None if pending is None else frozenset(pending)

        def start() -> Seeds:
            patterns = None if decisions is None else list(map(most_general_term, decisions))
            return seeds(patterns, list(map(most_general_term, kinds)))

        return self.program(("step", kinds, decisions), start, [predicates.ADD, predicates.DEL])

    @property
    def outcome_program(self) -> EngineProgram:
        """The program that derives whether the game is over, with points and winners."""
        return self.program("outcome", position_seeds, [predicates.TERMINAL, predicates.GOAL, predicates.WINNER])

    @property
    def vocabulary_program(self) -> EngineProgram:
        """The program that lists all facts of the vocabulary; needs number/1."""
        return self.program("vocabulary", position_seeds, [predicates.FLUENT])

    @property
    def known_program(self) -> EngineProgram:
        """The program that tests which facts, given as holds/1, the vocabulary has; needs number/1."""
        return self.remember("known", lambda: self.complete(among_given(self.vocabulary_program.rules)))

    def conceivable_program(self, fact: lang.Term) -> EngineProgram:
        """The program that lists the facts of the vocabulary that match a pattern; needs number/1."""
        return self.complete(rules_for_fact(self.vocabulary_program.rules, fact))

    def broken_program(self, due: bool = False) -> EngineProgram:
        """The program for broken invariants, except the vocabulary; ``due``: the position may have steps that are due."""
        start = (lambda: seeds(None, None)) if due else position_seeds
        without = frozenset({predicates.FLUENT, ("holds", 1)})
        return self.program(("broken", due), start, [predicates.BROKEN], without)

    @property
    def view_program(self) -> EngineProgram:
        """The program for concealed facts, and the facts that a role knows instead."""
        return self.program("view", position_seeds, [predicates.CONCEALS, predicates.INSTEAD])

    @cached_property
    def weight_program(self) -> EngineProgram | None:
        """The program for the weights of chance's actions; None if the rulebook has no weights."""
        if not any(head.signature == predicates.WEIGHT for rule in self.book.rules for head in rule.heads):
            return None
        return self.program("weight", position_seeds, [predicates.WEIGHT])

    @property
    def board_fact_program(self) -> EngineProgram:
        """The program that lists the facts allowed in a board file; needs number/1."""
        return self.program("board_fact", position_seeds, [predicates.BOARD_FACT])

    @property
    def board_program(self) -> EngineProgram:
        """The program that finds mistakes of a board; needs number/1."""
        return self.program("board", position_seeds, [predicates.BOARD_BROKEN])

    # -- actions and steps -----------------------------------------------------------------------------------

    @cached_property
    def steps(self) -> frozenset[clingo.Symbol]:
        """The facts due/1 of all steps."""
        return frozenset(clingo.Function(predicates.DUE[0], [s.arguments[0]]) for s in self.facts("step", 1))

    @cached_property
    def waived(self) -> frozenset[str]:
        """The invariants that a ruling waives, and the dropped ones."""
        return self.dropped.union(symbols.text(s.arguments[0]) for s in self.facts("waived", 1))


# -- rulesets ------------------------------------------------------------------------------------------------
#
# There is one ruleset for each configuration in a process. It is pickled as its configuration.


_THING: Final[Signature] = ("thing", 3)
_living: Final[WeakValueDictionary[Configuration, Ruleset]] = WeakValueDictionary()
"""The rulesets that are still in use, even if the cache of `ruleset_of` has dropped them."""
_books: Final[WeakValueDictionary[tuple[str, str], Rulebook]] = WeakValueDictionary()
"""The rulebooks that are still in use, by folder and contents: an edited rulebook is another one."""


@cache_until_change(64)
def ruleset_of(configuration: Configuration) -> Ruleset:
    """The rules under a configuration: one object in a process, so that its programs are computed once.

    The configuration may name a rulebook that has been read, by its folder and contents. Then the rules are those, although the
    files may have changed, or the id may lead to another folder now.

    Raises:
        FaultyRulebook: The rulebook is faulty, or the elements of sets have no order.
        WrongUsage: The rulebook that the configuration names has changed, and is no longer in memory.
    """
    book = _book_of(configuration)
    configuration = replace(configuration, book=(str(book.folder), book.contents))
    ruleset = _living.get(configuration)
    if ruleset is None:
        ruleset = Ruleset(book, configuration, cached=True)
        faulty = list(check_set_order(ruleset))
        if faulty:
            raise FaultyRulebook(faulty)
        _living[configuration] = ruleset
    return ruleset


def with_rulebook(configuration: Configuration) -> Configuration:
    """The configuration with the folder and the contents of its rulebook: what its id means now."""
    if configuration.book[0]:
        return configuration
    book = _book_of(configuration)
    return replace(configuration, book=(str(book.folder), book.contents))


def _book_of(configuration: Configuration) -> Rulebook:
    """The rulebook that a configuration names."""
    book = _books.get(configuration.book)
    if book is not None:
        return book
    folder, contents = configuration.book
    source = configuration.source
    if folder and isinstance(source, str) and Path(folder).is_dir() and not _leads_to(source, folder):
        source = Path(folder)
    book = rulebook(source)
    if contents and contents != book.contents:
        message = f"the rulebook of {book.id} has changed since this was made: {book.folder} is different now"
        raise WrongUsage(message)
    return _books.setdefault((str(book.folder), book.contents), book)


def _leads_to(game_id: str, folder: str) -> bool:
    """Whether an id leads to a folder in this process, under the present environment."""
    try:
        return str(folder_of(game_id)) == folder
    except WrongUsage:
        return False


def check_set_order(ruleset: Ruleset) -> Iterator[Finding]:
    """The kind ``things``: the elements of sets have the places 1, 2 ... each once, under one configuration.

    >>> # thing(sword,1,2). thing(shield,3,1).     thing(sword,1,2). thing(shield,1,1).
    """
    wrong = order_mistake(ruleset.facts(*_THING)) if knows_sets(ruleset.book) else ""
    if wrong:
        book = ruleset.book
        rule = next(r for r in book.rules if any(head.signature == _THING for head in r.heads))
        yield Finding(str(book.folder / Path(rule.file).name), rule.line, 1, "things", wrong)


def unpickle_ruleset(
    configuration: Configuration,
    rules: tuple[PlacedRule, ...] | None,
    mark: str,
    dropped: frozenset[str] = frozenset(),
) -> Ruleset:
    """Unpickles a ruleset that another process has sent.

    Args:
        configuration: The configuration.
        rules: The rules of its rulebook; None if they are those of the configuration's rulebook.
        mark: The hash of the ruleset in the other process.
        dropped: The dropped invariants.

    Raises:
        Refused: The rules differ from those in the other process.
    """
    try:
        ruleset = ruleset_of(configuration) if rules is None else _of_rules(configuration, rules)
    except WrongUsage as error:
        raise _refusal() from error
    ruleset = ruleset if ruleset.dropped == dropped else _dropping(ruleset, dropped)
    if ruleset.mark != mark:
        raise _refusal()
    _ = ruleset.judging, ruleset.enumerating  # computed before children are forked
    return ruleset


def _refusal() -> Exception:
    from ..workers import JobRefused

    return JobRefused("a worker has other rulebooks than this process, so it is not used")


@cache_until_change(16)
def _of_rules(configuration: Configuration, rules: tuple[PlacedRule, ...]) -> Ruleset:
    return ruleset_of(configuration).with_rules(rules)


@cache_until_change(16)
def _dropping(ruleset: Ruleset, dropped: frozenset[str]) -> Ruleset:
    return ruleset.dropping(dropped)


def _sending(ruleset: Ruleset) -> tuple[object, tuple[object, ...]]:
    """Pickles a ruleset as its configuration; its rules are sent only if they are not those of the configuration's rulebook."""
    own = ruleset.book is ruleset_of(ruleset.configuration).book
    rules = None if own else ruleset.book.rules
    return unpickle_ruleset, (ruleset.configuration, rules, ruleset.mark, ruleset.dropped)


copyreg.pickle(Ruleset, _sending)  # type: ignore[arg-type]
# -- typed ---------------------------------------------------------------------------------------------------
#
# Users type actions and roles.


def action_of(rules: Ruleset, typed: str | Term) -> clingo.Symbol:
    """The symbol of an action, with its sets in canonical form; WrongUsage if a text is no term."""
    try:
        action = symbols.read_symbol(typed) if isinstance(typed, str) else symbols.symbol(typed)
    except WrongUsage as error:
        from ..rules.names import how_written

        raise WrongUsage(f"{error}{how_written(rules.book.folder, str(typed))}") from None
    return in_order(action, rules.facts("thing", 3)) if knows_sets(rules.book) else action


def no_such_role(rules: Ruleset, role: str) -> str:
    """The message for a role that takes no part in the game, with the roles that do and the nearest one."""
    from ..rules.names import did_you_mean

    hint = did_you_mean(rules.book.folder, role, rules.roles)
    return f"{role[:40]} takes no part in this game: {', '.join(rules.seats)}{hint}"


# -- tags ----------------------------------------------------------------------------------------------------
#
# The tags of a record state the rules under which it was played.


NAMELESS_BOARD: Final = "board.lp"
"""The name of a board file in a record if the path of the file is not known."""


def tags_of(rules: Ruleset, board: str | None = None) -> Iterator[tuple[str, str]]:
    """Yields the tags of a record under some rules.

    ``board`` is the path of its board file relative to the record; by default the path by which the board was loaded.
    """
    configuration = rules.configuration
    yield "Game", rules.id
    yield "Edition", configuration.edition
    for name, value in configuration.changed:
        yield "Option", f"{name}={value}"
    yield "Seats", " ".join(configuration.seats)
    start = dict(configuration.start)
    for name in rules.book.manifest.get("tags", {}):
        if name.lower() in start:
            yield name, " ".join(start[name.lower()])
    if configuration.board:
        yield "Board", board or configuration.board_file or NAMELESS_BOARD
