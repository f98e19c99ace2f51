"""Pairs of a position and what is done in it, made by the plain engine: an encoding is checked with them.

What an encoding wrongly excludes is in none of its models, and random games come to few positions. So at given positions,
and at neighbours of them (:class:`Nearby`), the plain engine lists joint actions (:func:`joint`). Each pair that meets a rule
which no pair before has met (:func:`fired`), or that shows how simultaneous actions stand to one another in a new way, is
compared; in a small game further ones, up to a number.

Nothing here knows how an encoding is made. The plain engine is the evaluate reading: the rules as they are written. All
bounds are counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations, islice, product, zip_longest
from math import prod
from random import Random
from typing import Final, TypeAlias

from .. import clingo
from ..engine import symbols
from ..engine.compiled import derived
from ..engine.grounding import Program
from ..engine.ruleset import Ruleset
from ..errors import NotDecided
from ..evaluation.evaluator import Evaluator
from ..evaluation.random_games import Actions, Facts, Pair, random_game
from ..rules.loader import parse_rules
from ..rules.pattern import Signature
from ..rules.predicates import DECISION, DUE, EFFECTS, VIOLATES
from ..rules.rule import Rule
from ..rules.rulebook import ActionKind
from ..symbolic.domains import Domains
from .deciding import kind_of
from .numbers import clipped

FEW: Final = 200
"""Where a position consists of fewer facts than so many a pair costs next to nothing."""
_LISTED: Final = 1_000
"""So many joint actions are looked through, one by one; of more, a sample as large."""
_MEETING: Final = 40
"""So many of a sample are made for each two who act: each of the two names the other."""
_LEAVES: Final = 8
"""So many constants of an action are compared at most: an action that names a large set has more."""

_CHANGES: Final = (1, 1, 1, 2)
"""So many changes are made at once: some facts are there together only."""
_COUNTED: Final = 3
"""So many facts of a kind are told from fewer."""

_FIRES: Final = ("fires__", 1)
SAID: Final = frozenset({VIOLATES, *EFFECTS})
"""What is to be met: what breaks a rule, and what changes something."""

_FIXED: Final = frozenset({DECISION, DUE, ("seat", 2)})
_Counter: TypeAlias = tuple[str, tuple[clingo.Symbol, ...]]


@dataclass(frozen=True)
class Bounds:
    """How much is looked at.

    Attributes:
        positions: So many positions, to begin with.
        nearby: So many neighbours of each of them.
        joint: So many joint actions in each position.
        sought: For so many rules the solver is asked for a pair.
        conflicts: So many conflicts are spent on each of these questions.
        further: So many further neighbours are made, of which those with a new feature are looked at.
        played: So many moves and steps are made in random games from the positions known then.
        compared: So many pairs are compared in all.
        tries: So many changes are tried for each neighbour.
        screened: Whether each feature, each action and each rule that fires counts in a pair; else what is new otherwise.
    """

    positions: int
    nearby: int
    joint: int
    sought: int
    conflicts: int
    further: int
    played: int
    compared: int
    tries: int
    screened: bool


SMALL: Final = Bounds(
    positions=12,
    nearby=3,
    joint=16,
    sought=40,
    conflicts=2_000,
    further=300,
    played=60,
    compared=100,
    tries=12,
    screened=True,
)
"""Where a position consists of few facts."""
LARGE: Final = Bounds(
    positions=2,
    nearby=1,
    joint=6,
    sought=4,
    conflicts=500,
    further=0,
    played=0,
    compared=6,
    tries=4,
    screened=False,
)
"""Where it consists of many: each pair costs the more."""


# -- joint actions -------------------------------------------------------------------------------------------------


def listed(evaluator: Evaluator, facts: Facts) -> dict[str, list[clingo.Symbol]]:
    """The legal actions of each role that decides; none where they are too many to be listed."""
    found: dict[str, list[clingo.Symbol]] = {}
    try:
        legal = evaluator.legal(facts)
    except NotDecided:
        return {}
    for role, action in sorted(legal, key=lambda x: (x[0], symbols.text(x[1]))):
        found.setdefault(role, []).append(action)
    return found


def joint(
    evaluator: Evaluator, facts: Facts, deciding: Collection[str], random: Random, most: int
) -> list[Actions]:
    """Joint actions of all who decide, each legal by itself: all of them, or some that are unlike one another.

    Args:
        evaluator: The plain engine.
        facts: The position.
        deciding: Who decides there.
        random: Chooses.
        most: So many at most.
    """
    by_role = listed(evaluator, facts)
    if not by_role or set(by_role) != set(deciding):
        return []
    number = prod(map(len, by_role.values()))
    roles = tuple(by_role)
    if number <= _LISTED:
        known = [tuple(zip(roles, chosen, strict=True)) for chosen in product(*by_role.values())]
    else:
        known = list(dict.fromkeys(_sample(by_role, random)))
    if len(known) <= most:
        return known
    random.shuffle(known)
    return list(islice(unlike(evaluator, known), most))


def unlike(evaluator: Evaluator, known: Sequence[Actions]) -> Iterator[Actions]:
    """Those of some joint actions that show something that none before them shows."""
    seen: set[object] = set()
    for actions in known:
        new = shown(evaluator, actions) - seen
        if new:
            seen |= new
            yield actions


def _sample(by_role: dict[str, list[clingo.Symbol]], random: Random) -> Iterator[Actions]:
    """Some of too many joint actions: first of each two roles what names the other one, then at random."""

    def whole(some: dict[str, clingo.Symbol]) -> Actions:
        return tuple((r, some[r] if r in some else random.choice(its)) for r, its in by_role.items())

    for one, other in combinations(by_role, 2):
        first, second = ([a for a in by_role[r] if q in _leaves(a)] for r, q in ((one, other), (other, one)))
        for _ in range(_MEETING if first and second else 0):
            yield whole({one: random.choice(first), other: random.choice(second)})
    for role, its in by_role.items():
        own = [a for a in its if role in _leaves(a)]
        if own:
            yield whole({role: random.choice(own)})
    for _ in range(_LISTED):
        yield whole({})


def shown(evaluator: Evaluator, actions: Actions) -> set[object]:
    """What joint actions show: of which kinds they are, and how their arguments stand to those who act."""
    found: set[object] = set()
    said = []
    for role, action in actions:
        kind = evaluator.ruleset.kind(action)
        index = -1 if kind is None else kind.index
        leaves = _leaves(action)
        found.add((index, tuple(leaf == role for leaf in leaves)))
        said.append((role, index, leaves))
    for (role, first, own), (other, second, theirs) in combinations(sorted(said, key=lambda x: x[1]), 2):
        one = tuple(_stand(leaf, role, other) for leaf in own)
        two = tuple(_stand(leaf, other, role) for leaf in theirs)
        equal = tuple(a == b for a, b in zip(own, theirs, strict=False))
        found.add((first, one, second, two, equal))
    if len(said) > 2:
        found.add((tuple(sorted(index for _, index, _ in said)), _most_alike(own for _, _, own in said)))
    return found


def _most_alike(rows: Iterable[Sequence[object]]) -> tuple[int, ...]:
    """For each place how many of some rows have the same value there at most."""
    columns = zip_longest(*rows)
    return tuple(max(Counter(v for v in column if v is not None).values()) for column in columns)


def _stand(leaf: str, role: str, other: str) -> int:
    """How an argument stands to the one who acts and to another one."""
    return 1 if leaf == role else 2 if leaf == other else 0


def _leaves(action: clingo.Symbol) -> list[str]:
    """The constants in an action, in order; so many at most."""

    def visit(term: clingo.Symbol) -> Iterator[str]:
        if term.type is clingo.SymbolType.Function and term.arguments:
            for argument in term.arguments:
                yield from visit(argument)
        else:
            yield symbols.text(term)

    if action.type is not clingo.SymbolType.Function:
        return []
    return list(islice((leaf for argument in action.arguments for leaf in visit(argument)), _LEAVES))


# -- positions -------------------------------------------------------------------------------------------------


class Nearby:
    """Makes neighbours of positions, by a change or two.

    A change is one of these: a fact comes or goes; a fact is exchanged for another one of its predicate; a counter gets
    another value, one of its borders now and then; two counters exchange a few, or all.
    """

    def __init__(
        self, sorts: Domains, counters: Mapping[Signature, bool], valid: Callable[[Facts], bool], tries: int
    ) -> None:
        """Makes neighbours.

        Args:
            sorts: All facts that there are.
            counters: The predicates that are counters.
            valid: Whether a position is valid, by the plain engine.
            tries: So many changes are tried for each neighbour that is wanted.
        """
        self._valid, self._tries = valid, tries
        self._values: dict[_Counter, list[clingo.Symbol]] = {}
        self._facts: dict[Signature, list[clingo.Symbol]] = {}
        for fact in sorts.fluents:
            signature = symbols.signature(fact)
            if signature in _FIXED:
                continue
            if signature in counters:
                self._values.setdefault(_counter(fact), []).append(fact)
            else:
                self._facts.setdefault(signature, []).append(fact)
        for values in self._values.values():
            values.sort()
        self._kinds = [*sorted({c[0] for c in self._values})]
        self._names = sorted(self._facts)

    def of(self, facts: Facts, random: Random, count: int) -> Iterator[Facts]:
        """So many neighbours of a position at most; a neighbour may be one of a neighbour."""
        now = facts
        for _ in range(count * self._tries):
            if count <= 0:
                return
            other = now
            for _ in range(random.choice(_CHANGES)):
                other = self._changed(other, random)
            if other not in {now, facts} and self._valid(other):
                yield other
                count -= 1
                now = random.choice((facts, other))

    def _changed(self, facts: Facts, random: Random) -> Facts:
        """A position with one small change."""
        changes: list[Callable[[Facts, Random], Facts]] = []
        changes += [self._counted, self._moved] if self._values else []
        changes += [self._toggled, self._exchanged] if self._facts else []
        return random.choice(changes)(facts, random) if changes else facts

    def _counted(self, facts: Facts, random: Random) -> Facts:
        """One counter, or all of its name, with another value."""
        name = random.choice(self._kinds)
        alike = [c for c in self._values if c[0] == name]
        end = random.choice((0, -1, None))
        changed = facts
        for counter in alike if random.random() < 0.5 else [random.choice(alike)]:
            values = self._values[counter]
            value = random.choice(values) if end is None else values[end]
            changed = self._with(changed, counter, value)
        return changed

    def _moved(self, facts: Facts, random: Random) -> Facts:
        """Two counters, of a name or of any two, one with a few more and one with as many less."""
        name = random.choice((*self._kinds, None))
        alike = [c for c in self._values if name is None or c[0] == name]
        held = {_counter(f): f for f in facts if _counter(f) in self._values}
        if len(alike) < 2 or not held:
            return facts
        one, other = random.sample(alike, 2)
        numbers = [_number(held.get(counter)) for counter in (one, other)]
        few = random.choice((1, 1, 2, 3, numbers[1]))
        changed = facts
        for counter, number in ((one, numbers[0] + few), (other, numbers[1] - few)):
            changed = self._with(
                changed, counter, symbols.ending(self._values[counter][0], clingo.Number(number))
            )
        return changed

    def _with(self, facts: Facts, counter: _Counter, value: clingo.Symbol) -> Facts:
        """A position in which a counter has this value; none where there is no such value."""
        rest = frozenset(f for f in facts if _counter(f) != counter)
        return rest | {value} if value in self._values[counter] else rest

    def _toggled(self, facts: Facts, random: Random) -> Facts:
        """A fact more, or less."""
        return facts ^ {random.choice(self._facts[random.choice(self._names)])}

    def _exchanged(self, facts: Facts, random: Random) -> Facts:
        """A fact in another one's place."""
        there = sorted(f for f in facts if symbols.signature(f) in self._facts)
        if not there:
            return facts
        fact = random.choice(there)
        return facts - {fact} | {random.choice(self._facts[symbols.signature(fact)])}


def _counter(fact: clingo.Symbol) -> _Counter:
    """A fact's name and its arguments but for the last one."""
    return fact.name, tuple(fact.arguments[:-1])


def _number(fact: clingo.Symbol | None) -> int:
    """A counter's number; nothing where it is not stated."""
    last = None if fact is None else fact.arguments[-1]
    return last.number if last is not None and last.type is clingo.SymbolType.Number else 0


def deciding(facts: Facts) -> list[str]:
    """Who decides in a position."""
    return sorted({symbols.text(f.arguments[0]) for f in facts if symbols.signature(f) == DECISION})


def features(facts: Facts) -> set[object]:
    """What a position has: its facts, how many there are of a predicate, and how many have the same argument at a place."""
    found: set[object] = {*facts}
    by_predicate: dict[Signature, list[clingo.Symbol]] = {}
    for fact in facts:
        by_predicate.setdefault(symbols.signature(fact), []).append(fact)
    for signature, its in by_predicate.items():
        alike = _most_alike(fact.arguments for fact in its)
        found.add((signature, min(len(its), _COUNTED)))
        found.update((signature, place, min(n, _COUNTED)) for place, n in enumerate(alike))
    return found


# -- rules -------------------------------------------------------------------------------------------------


def telling(rules: Iterable[Rule]) -> list[Rule]:
    """The rulebook's own rules among these by which an action breaks a rule, or by which something changes."""
    return [r for r in rules if r.cuts and r.heads and any(h.signature in SAID for h in r.heads)]


def fired(ruleset: Ruleset, pair: Pair) -> frozenset[str]:
    """The rules that fire at a position and a move, legal or not, or a step: their texts.

    For each rule there is one more with the same body:

        fires__(3) :- does(R,take(K)).              % beside  shift(heap,taken(R),K,taken) :- does(R,take(K)).
    """
    if pair.actions:
        actions = dict(pair.actions)
        plain = ruleset.judge_program(actions.values())
        given = ruleset.submissions(actions)
    else:
        due = (symbols.signature(s.arguments[0]) for s in pair.facts if symbols.signature(s) == DUE)
        plain, given = ruleset.step_program(due), []

    def marked() -> tuple[list[Rule], Program]:
        rules = telling(plain.rules)
        lines = (f"{_FIRES[0]}({k}) :- {rule.body}." for k, rule in enumerate(rules))
        return rules, ruleset.complete((*plain.rules, *parse_rules("\n".join(lines))))

    rules, program = ruleset.remember(("fired", plain.rules), marked)
    found = derived(program, pair.facts, given, ruleset.configuration.engine).arguments(*_FIRES)
    return frozenset(rules[number.number].text for (number,) in found)


# -- pairs -------------------------------------------------------------------------------------------------


class PairMaker:
    """Makes pairs of one transition by which an encoding of it is checked.

    Attributes:
        met: The rules that have fired in some pair, by their texts.
    """

    def __init__(
        self,
        evaluators: Sequence[Evaluator],
        kinds: Sequence[ActionKind],
        sorts: Domains,
        valid: Callable[[Facts], bool],
        bounds: Bounds,
        step: str = "",
    ) -> None:
        """Of a transition.

        Args:
            evaluators: The plain engine, under one reading of the rules or several.
            kinds: The kinds of action; none where a step is due.
            sorts: All facts that an open position may have.
            valid: Whether a position is one that the encoding has to know, by the plain engine.
            bounds: How much is looked at.
            step: The name of the step that is due, where nobody does anything.
        """
        self._evaluators, self._kinds, self._sorts = evaluators, kinds, sorts
        self._step = step
        self._valid, self._bounds = valid, bounds
        counters = evaluators[0].ruleset.book.counters
        self._nearby = Nearby(sorts, counters, valid, bounds.tries)
        self._seen: set[object] = set()
        self._left = bounds.compared
        self._compared: dict[Pair, bool] = {}
        self.met: set[str] = set()

    def pairs(
        self,
        known: Sequence[Pair],
        rules: Sequence[Rule],
        sought: Callable[[Collection[str]], Iterator[Pair]],
        random: Random,
    ) -> Iterator[Pair]:
        """Pairs to be compared, besides those that are known.

        Args:
            known: Pairs that are compared anyway, of games and of the solver.
            rules: The rules that are to fire in some pair.
            sought: Pairs of the solver's in which rules fire of which it is given the texts.
            random: Chooses.
        """
        for pair in known:
            self._compared[pair] = True
            self._is_new(pair)
        given = dict.fromkeys(clipped(pair.facts, self._sorts) for pair in known)
        positions = [facts for facts in given if self._valid(facts)]
        some = random.sample(positions, min(self._bounds.positions, len(positions)))
        start = clipped(self._evaluators[0].initial(), self._sorts)
        if self._bounds.played and self._valid(start):
            some.append(start)
        for facts in some:
            yield from self.at(facts, random)
        for facts in some:
            for other in self.near(facts, random):
                yield from self.at(other, random)
        texts = {rule.text for rule in rules}
        for pair in sought(texts - self.met) if self._left > 0 else ():
            if self._valid(pair.facts) and self._is_meant(pair.facts, pair.actions):
                some.append(pair.facts)
                if self._is_new(pair) and self._has_room():
                    self._compared[pair] = True
                    yield pair
                yield from self.at(pair.facts, random)
        for facts in list(self._played(some, random)):
            some.append(facts)
            yield from self.at(facts, random)
        for facts in self.further(some, random):
            yield from self.at(facts, random)
        if self._bounds.screened and self._left > 0:
            spare = [pair for pair, compared in self._compared.items() if not compared]
            yield from random.sample(spare, min(self._left, len(spare)))

    def further(self, some: Sequence[Facts], random: Random) -> Iterator[Facts]:
        """Neighbours of positions, and of these neighbours, each of which has a feature that none before has."""
        known = [*some]
        seen = set().union(*map(features, known))
        for _ in range(self._bounds.further if known else 0):
            for other in self._nearby.of(random.choice(known), random, 1):
                new = features(other) - seen
                if new:
                    seen |= new
                    known.append(other)
                    yield other

    def _played(self, some: Sequence[Facts], random: Random) -> Iterator[Facts]:
        """Valid positions of random games that begin in some positions: those in which what is looked at may happen."""
        left = self._bounds.played
        while left > 0 and some:
            left -= 1
            game = random_game(self._evaluators[0], random, random.choice(some))
            with suppress(NotDecided):  # that they list what is illegal is found elsewhere
                for pair, _ in islice(game, 2 * self._bounds.positions):
                    left -= 1
                    facts = clipped(pair.facts, self._sorts)
                    if bool(pair.actions) == bool(self._kinds) and self._valid(facts):
                        yield facts

    def near(self, facts: Facts, random: Random) -> Iterator[Facts]:
        """Some neighbours of a position."""
        return self._nearby.of(facts, random, self._bounds.nearby)

    def at(self, facts: Facts, random: Random) -> Iterator[Pair]:
        """The pairs at a position that show something new."""
        if self._left <= 0:
            return
        for actions in self._done(facts, random):
            pair = Pair(facts, actions)
            if pair in self._compared:
                continue
            self._compared[pair] = self._is_new(pair)
            if self._compared[pair] and self._has_room():
                yield pair

    def _has_room(self) -> bool:
        """Whether one more pair may be compared; it is counted."""
        self._left -= 1
        return self._left >= 0

    def _done(self, facts: Facts, random: Random) -> Iterable[Actions]:
        """What can be done in a position: joint actions that are legal by themselves, under some reading, or the step."""
        if not self._kinds:
            due = {s.arguments[0].name for s in facts if symbols.signature(s) == DUE}
            return [()] if due == {self._step} else []
        found: dict[Actions, None] = {}
        for evaluator in self._evaluators:
            for actions in joint(evaluator, facts, deciding(facts), random, self._bounds.joint):
                if self._is_meant(facts, actions):
                    found.setdefault(actions)
        return found

    def _is_meant(self, facts: Facts, actions: Actions) -> bool:
        """Whether each of these actions is of one of the kinds, and its role has a decision for it."""
        return all(kind_of(self._kinds, facts, role, action) is not None for role, action in actions)

    def _is_new(self, pair: Pair) -> bool:
        """Whether a pair shows what none before has shown; notes it."""
        stand = shown(self._evaluators[0], pair.actions)
        for number, evaluator in enumerate(self._evaluators):
            stand |= {(number, said) for said in _said(evaluator, pair, self._bounds.screened)}
        new = not stand <= self._seen
        self._seen |= stand
        for evaluator in self._evaluators if new or self._bounds.screened else ():
            fires = fired(evaluator.ruleset, pair)
            new = new or not fires <= self.met
            self.met |= fires
        return new


def _said(evaluator: Evaluator, pair: Pair, exactly: bool) -> set[object]:
    """What the plain engine says of a pair, in short: which rules are broken, what comes and what goes.

    Args:
        evaluator: The plain engine.
        pair: The pair.
        exactly: Whether of facts and actions not only the predicates count, but each of them.
    """
    found: set[object] = {*features(pair.facts), *(a for _, a in pair.actions)} if exactly else set()
    if not pair.actions:
        return found
    judged = evaluator.judge(pair.facts, dict(pair.actions))
    found |= {rule for _, _, rule in judged.violations}
    for said, facts in (("add", judged.added), ("del", judged.deleted)):
        found |= {(said, f if exactly else symbols.signature(f)) for f in facts}
    return found
