"""The scenarios in which two rule sets may diverge because of a ruling.

A scenario is an action with the steps right after it, or the end of the game. Two rule sets can diverge in it only if the
slices of their rules for it differ, and if their encoded rules differ too, after static literals are evaluated.
The slices also show which steps may follow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import count
from typing import Final, TypeAlias

from .. import clingo
from ..engine import symbols
from ..engine.ruleset import Ruleset
from ..engine.symbols import term_of
from ..errors import NotDecided
from ..lang.algebra import atoms, variables
from ..lang.graph import cone
from ..lang.printer import show_term
from ..lang.terms import ANY, Atom, Fun, Int, Literal, Name, Rule, Signature, Term, Text, Var
from ..lang.unification import match, unify_all
from ..query.actions import one_at_a_time
from ..query.after import due_by, steps_named
from ..rules.predicates import (
    ADD,
    BROKEN,
    CANDIDATE,
    CONCEALS,
    COUNTS,
    DEL,
    FLUENT,
    GOAL,
    INSTEAD,
    NUMBER,
    RULING,
    TERMINAL,
    TOO_MANY,
    VIOLATES,
    WEIGHT,
    WINNER,
)
from ..rules.reader import term_of as read_term
from ..rules.rule import HEAD, POSITIVE, top
from ..rules.rule import PlacedRule as Written
from ..solving.build import fun
from ..solving.encoder import Encoder
from ..solving.games import one_kind
from ..solving.program import Shared
from ..solving.prover import Prover
from ..solving.theory import Theory, Transition, shape_of
from ..transform.slicing import Seeds, seeds


def differing(first: Ruleset, second: Ruleset) -> frozenset[clingo.Symbol]:
    """The facts about rulings that hold under one of the rule sets only."""
    return frozenset(first.facts(*RULING)) ^ frozenset(second.facts(*RULING))


def asks_for(rule: Written, facts: Iterable[clingo.Symbol]) -> bool:
    """Whether a rule of both rule sets may have different instances, as these facts hold under one of them only.

    A rule with a plain literal for a value is in force under one value only, so the slices differ. One that reads the ruling
    under ``not``, in an aggregate or with a variable is in both slices, and may still have different instances.
    """
    asked = [a.args for a in rule.atoms if a.signature == RULING and (a.place != POSITIVE or variables(a.args))]
    if not asked:
        return False
    known: list[tuple[Term, ...]] = [tuple(map(symbols.term_of, f.arguments)) for f in facts]
    return any(unify_all(args, fact, {}) is not None for args in asked for fact in known)


_Pair: TypeAlias = tuple[list[Written], list[Written]]
OUTCOME: Final = (TERMINAL, GOAL, WINNER)
_EXISTING: Final = ((("step", 1), "steps"), (("thing", 3), "sets of things"))
"""Facts that no rule of an encoding reads; what exists by them."""
_VALIDITY: Final[tuple[Signature, ...]] = (("waived", 1), ("presumed", 1), ("limit", 3))
"""Facts on which it depends which invariants a position has to meet."""
_LONGEST: Final = 4
"""The most steps after an action that are followed."""
_MOST_SEQUENCES: Final = 1_000
"""The largest number of sequences of steps. There are many if rules name steps by variables, so that any may be due."""
LOOKED_AT: Final = (
    "compared: the start; in all positions valid under both, one action and up to four steps after it; "
    "results of finished games; with only this ruling changed; "
    "valid: meets the invariants, and prove decides whether every game does"
)
"""The parts that are compared."""
_ANY_ACTION: Final[Term] = Var("Any")
_DEPENDS: Final = "the vocabulary of actions depends on it in a way that is not compared"


@dataclass(frozen=True)
class Scenario:
    """A scenario: an action and the steps that follow it, or the end of the game.

    Attributes:
        transition: The transition of the action under the first rule set (under the second if only that has it); None for the
            result at the end of the game.
        steps: The steps right after it.
        known: The number of the only rule set that has such actions, 0 or 1; None if both have.
        declared: The number of the rule set that declares the actions that are looked at, if the other one may declare others;
            None if both declare the same.
    """

    transition: Transition | None
    steps: tuple[Term, ...] = ()
    known: int | None = None
    declared: int | None = None

    @property
    def is_exchanged(self) -> bool:
        """Whether the second rule set is the one that surely has the actions."""
        return 1 in (self.known, self.declared)


class Reading:
    """One of the rule sets, prepared for the comparison.

    Attributes:
        ruleset: The rules in force.
        prover: Their theory, vocabulary, totals and transitions.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        """The comparison's view of the rules in force."""
        self.ruleset = ruleset
        self.prover = Prover(ruleset)
        if not one_at_a_time(ruleset):
            names = {name for name, _ in self.prover.vocabulary.decisions}
            self.prover = Prover(ruleset, together=one_kind(self.theory, names))

    @property
    def theory(self) -> Theory:
        """The theory of the rules."""
        return self.prover.theory

    @cached_property
    def acts(self) -> dict[str, Transition]:
        """The transitions of actions; the keys are equal in two rule sets if the declarations of the actions are."""
        transitions: dict[str, Transition] = {}
        for t in self.prover.transitions:
            if t.step is None:
                described = "; ".join(f"{show_term(w.action)} at {show_term(w.decision)}" for w in t.schemas)
                key = t.label if t.joint else described
                transitions[next(k for n in count(1) if (k := f"{key} ({n})") not in transitions)] = t
        return transitions

    @cached_property
    def steps(self) -> dict[str, Term]:
        """The steps by name."""
        return dict(self.theory.steps)

    # -- slices of the rules as they are written -------------------------------------------------------------------

    def action_slice(self, transition: Transition) -> list[Written]:
        """The slice for the actions of a transition, made together, as a rule may need several of them."""
        kinds = self._kinds
        acting = [kinds.get((shape_of(w.decision), shape_of(w.action)), _ANY_ACTION) for w in transition.schemas]
        return self._slice(seeds(None, (), acting), VIOLATES, ADD, DEL)

    @cached_property
    def _kinds(self) -> dict[tuple[Term, Term], Term]:
        """The actions of all kinds, by how decision and action are written."""
        kinds = {}
        for kind in self.ruleset.book.kinds:
            decision, action = shape_of(read_term(kind.decision)), shape_of(read_term(kind.action))
            kinds[decision, action] = kind.action
        return kinds

    def step_slice(self, name: str) -> list[Written]:
        """The slice for a step."""
        return self._slice(seeds(None, steps_named(self.ruleset, [name])), ADD, DEL)

    def outcome_slice(self) -> list[Written]:
        """The slice for the end of the game."""
        return self._slice(seeds(decisions=None), *OUTCOME)

    def _slice(self, start: Seeds, *outputs: Signature) -> list[Written]:
        return self.ruleset.with_open_sets().judging.slice(start, [top(*s) for s in outputs])

    # -- rules as they are encoded ---------------------------------------------------------------------------------

    def action_rules(self, transition: Transition) -> frozenset[Rule]:
        """The rules for the effects of actions, specialised to these kinds."""
        key = "acted", transition
        return self.ruleset.remember(key, lambda: self._action_rules(transition))

    def _action_rules(self, transition: Transition) -> frozenset[Rule]:
        encoder = self._encoder(transition)
        encoder.act(transition, legal=False, chosen=True)
        return frozenset(x for x in (*encoder.program.lines, *encoder.later) if isinstance(x, Rule))

    def step_rules(self, step: Term) -> frozenset[Rule]:
        """The rules for the effects of a step."""
        encoder = self._encoder(Transition("", step=step))
        encoder.step()
        return frozenset(x for x in encoder.program.lines if isinstance(x, Rule))

    def _encoder(self, transition: Transition) -> Encoder:
        prover = self.prover
        program = Shared(self.theory.static, ())
        encoder = Encoder(self.theory, prover.vocabulary, prover.totals, (), program)
        encoder.expect([w.decision for w in transition.schemas], transition.step)
        return encoder

    def deriving_rules(self, *predicates: Signature) -> frozenset[Rule]:
        """The rules that derive something from a position."""
        return self.settle_rules(cone(self.theory.at_rest, predicates))

    def listing(self) -> frozenset[Rule]:
        """The rules of the move generator."""
        rules = [*self.theory.enumeration, *self.theory.at_rest]
        return self.settle_rules(cone(rules, [CANDIDATE, TOO_MANY]))

    def unlimited_facts(self) -> frozenset[Rule]:
        """The rules by which the vocabulary's facts have numbers without a limit, which it lists only up to a bound."""
        rules, unlimited = cone(self.theory.vocabulary, [FLUENT]), {NUMBER, *self.theory.numbered}
        return self.settle_rules(r for r in rules if any(a.signature in unlimited for a, _ in atoms(r.body)))

    def settle_rules(self, rules: Iterable[Rule]) -> frozenset[Rule]:
        """Rules without the ground static literals that hold, and without rules in which one does not hold."""
        return frozenset(r for r in map(self.theory.settle, rules) if r is not None)

    def guards(self, transition: Transition) -> list[frozenset[Literal]]:
        """The conditions under which a transition's actions exist, one for each alternative."""
        heads = (Rule(Atom("way__", (w.decision, w.action)), w.guard) for w in transition.schemas)
        return [frozenset(r.body) for r in map(self.theory.settle, heads) if r is not None]


def reading_of(ruleset: Ruleset) -> Reading:
    """The comparison's view of a ruleset, computed once."""
    return ruleset.remember("reading", lambda: Reading(ruleset))


def scenarios(first: Ruleset, second: Ruleset) -> list[Scenario]:
    """The scenarios in which two rule sets may diverge, the shorter ones first.

    Raises:
        NotDecided: There are too many, or the vocabulary of actions depends on the ruling in a way that is not compared.
    """
    one, two = readings = reading_of(first), reading_of(second)
    differ, slices = _Differences(*readings), _Slices(*readings)
    steps, concerned, after = _steps(one, two, differ, slices)
    all_scenarios = []
    for key, transition in one.acts.items():
        other = two.acts.get(key)
        if other is None:
            all_scenarios.append(Scenario(transition, (), 0))
            continue  # what one of them knows no such action does is no question
        declared = _declares_others(readings, (transition, other), differ)
        if declared:
            all_scenarios += [Scenario(transition, declared=0), Scenario(other, declared=1)]

        def action_rules(reading: Reading, key: str = key) -> frozenset[Rule]:
            return reading.action_rules(reading.acts[key])

        pair = one.action_slice(transition), two.action_slice(other)
        if not declared and slices.differ(pair) and differ(action_rules):
            all_scenarios.append(Scenario(transition))
        if concerned:
            sequences = (s for s in _step_sequences(slices.due(pair), after) if s[-1] in concerned)
            of = 0 if declared else None
            all_scenarios += [Scenario(transition, tuple(steps[n] for n in s), None, of) for s in sequences]
    all_scenarios += [Scenario(t, (), 1) for key, t in two.acts.items() if key not in one.acts]
    outcomes = slices.slice_both(Reading.outcome_slice)
    if slices.differ(outcomes) and differ(lambda r: r.deriving_rules(*OUTCOME)):
        all_scenarios.append(Scenario(None))
    return sorted(all_scenarios, key=lambda s: len(s.steps))


def _declares_others(
    readings: tuple[Reading, Reading], both: tuple[Transition, Transition], differ: _Differences
) -> bool:
    """Whether two rule sets may declare different actions for a transition that both have.

    Raises:
        NotDecided: They do so in a way that is not compared.
    """
    if len(both[0].schemas) != len(both[1].schemas):
        raise NotDecided(_DEPENDS)
    guards = [reading.guards(t) for reading, t in zip(readings, both, strict=True)]
    read = [a for ways in guards for way in ways for a, _ in atoms(tuple(way))]
    if guards[0] == guards[1] and not any(map(differ.asks, read)):
        return False
    if any(a.signature not in reading.theory.static for reading in readings for a in read):
        raise NotDecided(_DEPENDS)  # sets of cards, or what the position says
    return True


def _steps(
    one: Reading, two: Reading, differ: _Differences, slices: _Slices
) -> tuple[dict[str, Term], set[str], dict[str, set[str]]]:
    """The steps by name; the names of those in which the rule sets may diverge; for each step those that it may make due."""
    steps = {**two.steps, **one.steps}
    stepped = {n: partial(Reading.step_rules, step=step) for n, step in steps.items()}
    sliced = {n: slices.slice_both(partial(Reading.step_slice, name=n)) for n in steps}
    concerned = {n for n, pair in sliced.items() if slices.differ(pair) and differ(stepped[n])}
    return steps, concerned, {n: slices.due(pair) & set(steps) for n, pair in sliced.items()}


def _is_long(first: Ruleset, second: Ruleset) -> bool:
    """Whether a step in which the rule sets may diverge can follow after more steps than are compared."""
    one, two = readings = reading_of(first), reading_of(second)
    slices = _Slices(*readings)
    _, concerned, after = _steps(one, two, _Differences(*readings), slices)
    if not concerned:
        return False
    due: set[str] = set()
    for key, transition in one.acts.items():
        if key in two.acts:
            due |= slices.due((one.action_slice(transition), two.action_slice(two.acts[key])))
    due &= set(after)
    for _ in range(_LONGEST):
        due = {n for name in due for n in after[name]}
    while not concerned & due:
        more = {n for name in due for n in after[name]} - due
        if not more:
            return False
        due |= more
    return True


def _step_sequences(first: Iterable[str], after: Mapping[str, set[str]]) -> Iterator[tuple[str, ...]]:
    """All sequences of steps that can follow, the shorter ones first."""
    sequences: list[tuple[str, ...]] = [(name,) for name in sorted(set(first) & set(after))]
    for _ in range(_LONGEST):
        yield from sequences
        sequences = [(*s, name) for s in sequences for name in sorted(after[s[-1]])]
        if len(sequences) > _MOST_SEQUENCES:
            raise NotDecided("there are too many sequences of steps")


class _Differences:
    """Compares the rules of two rule sets."""

    def __init__(self, first: Reading, second: Reading) -> None:
        self._both = first, second
        ours, theirs = first.theory.static, second.theory.static
        self._facts: dict[Signature, list[Term]] = {}
        for s in {*ours, *theirs}:
            only = set(ours.get(s, ())) ^ set(theirs.get(s, ()))
            if only:
                self._facts[s] = list(map(term_of, sorted(only)))

    def __call__(self, rules: Callable[[Reading], frozenset[Rule]]) -> bool:
        """Whether they have different rules, or read a static predicate that has different facts."""
        ours, theirs = map(rules, self._both)
        return ours != theirs or any(self.asks(a) for r in ours for a, _ in atoms(r.body))

    def asks(self, a: Atom) -> bool:
        """Whether an atom may ask for a static fact that only one of them has."""
        facts = self._facts.get(a.signature, ())
        return any(match(fun(a.name, map(_open, a.args)), fact) is not None for fact in facts)


class _Slices:
    """Compares the slices of two rule sets."""

    def __init__(self, first: Reading, second: Reading) -> None:
        self._both = first, second
        ours, theirs = first.ruleset.static, second.ruleset.static
        unequal = {s for s in {*ours, *theirs} if set(ours.get(s, ())) != set(theirs.get(s, ()))}
        self._facts = frozenset(unequal - {RULING})
        self._ruled = differing(first.ruleset, second.ruleset)

    def slice_both(self, rules: Callable[[Reading], list[Written]]) -> _Pair:
        """The slices of both."""
        return rules(self._both[0]), rules(self._both[1])

    def differ(self, slices: _Pair) -> bool:
        """Whether the slices have different rules, or read a static predicate that has different facts."""
        one, two = slices
        # mostly they are the very same rules, which need not be read to see it
        if set(map(id, one)) != set(map(id, two)) and {r.text for r in one} != {r.text for r in two}:
            return True
        return any(a.signature in self._facts for r in one for a in r.atoms if a.place != HEAD) or any(
            asks_for(r, self._ruled) for r in one
        )

    def due(self, slices: _Pair) -> set[str]:
        """The names of the steps that the rules of either slice may make due."""
        both = zip(self._both, slices, strict=True)
        return {n for reading, rules in both for n in due_by(reading.ruleset, (h for r in rules for h in r.heads))}


def _open(term: Term) -> Term:
    """A pattern that every value of a term matches: calculations and intervals become ``_``."""
    if isinstance(term, Fun):
        return fun(term.name, map(_open, term.args))
    return term if isinstance(term, (Var, Int, Name, Text)) else ANY


def _measures(rules: Ruleset) -> set[clingo.Symbol]:
    """The measures that have a total."""
    return {fact.arguments[0] for name in ("limit", "range") for fact in rules.facts(name, 3)}


def unseen(first: Ruleset, second: Ruleset) -> str | None:
    """An effect of a ruling that no scenario covers, in words: validity, weights of chance, concealed facts, the move generator.

    Scenarios compare what actions violate, not which candidates the move generator lists. For each edition alone, `prove` shows
    that the generator misses no legal action. None if scenarios cover all effects.
    """
    foreign = first.violation_of_another or second.violation_of_another
    if foreign:
        return foreign
    differ = _Differences(reading_of(first), reading_of(second))
    stated = any(set(first.facts(*s)) != set(second.facts(*s)) for s in _VALIDITY)
    if stated or differ(lambda r: r.deriving_rules(BROKEN, COUNTS)) or differ(Reading.unlimited_facts):
        return "positions that are valid under one of them only were not compared"
    if differ(lambda r: r.deriving_rules(WEIGHT)):
        return "the weights of chance were not compared"
    if differ(lambda r: r.deriving_rules(CONCEALS, INSTEAD)):
        return "concealed facts were not compared"
    if differ(Reading.listing):
        return "the lists of candidates were not compared"
    for signature, what in _EXISTING:
        if set(first.facts(*signature)) != set(second.facts(*signature)):
            return f"{what} that only one of them has were not compared"
    if _measures(first) != _measures(second):
        return "totals that only one of them has were not compared"
    if _is_long(first, second):
        return "more than four steps may follow an action, and only the first four were compared"
    return None
