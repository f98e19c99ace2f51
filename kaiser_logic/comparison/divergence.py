"""Where two readings of the rules diverge: which scenarios a ruling concerns, and the question put to the solver.

A scenario is an action and the steps that happen by themselves right after it. For each, one open position is read
under both values of the ruling: the rules that depend on it are copied, everything else is shared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from ..engine.ruleset import Ruleset
from ..rules.pattern import Pattern, Signature, variables
from ..rules.predicates import ADD, DEL, GOAL, NEXT, RULING, TERMINAL, VIOLATES, WINNER, broken
from ..rules.rule import Rule, top
from ..rules.rulebook import ActionKind
from ..symbolic.domains import Domains, domains
from ..symbolic.encoding import Encoding
from ..symbolic.invariants import invariants
from ..symbolic.models import FEWEST, decode_actions, decode_facts, fewest
from ..symbolic.open_sets import opened
from ..symbolic.solver import Solver
from ..symbolic.transitions import Transition, functor, transitions
from ..transform.action_splitting import decisions_of
from ..transform.rewrite import literal
from ..transform.slicing import seeds
from .product import ProductEncoding

OUTCOME: Final = (TERMINAL, GOAL, WINNER)
_LONGEST: Final = 4
"""The most steps after an action that are followed."""
_EFFORT: Final = 20_000
"""So many conflicts of the solver are spent on making a position small."""


@dataclass(frozen=True)
class Divergence:
    """Where two readings diverge.

    Attributes:
        facts: A position's facts.
        actions: Who does what there; nothing where the result differs.
    """

    facts: tuple[str, ...]
    actions: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Scenario:
    """What happens in both readings.

    Attributes:
        transition: Kinds of action that are decided together; None where the game is over, and its result is asked for.
        steps: The steps right after them.
    """

    transition: Transition | None
    steps: tuple[Pattern, ...] = ()

    @property
    def kinds(self) -> tuple[ActionKind, ...]:
        """The kinds of action."""
        return self.transition.kinds if self.transition is not None else ()


# -- what a ruling concerns ----------------------------------------------------------------------------------------------


def scenarios(first: Ruleset, second: Ruleset) -> list[Scenario]:
    """The scenarios in which two readings may diverge, the shorter ones first."""
    known = transitions(first, domains(first))
    steps = {functor(t.step): t.step for t in known if t.step is not None}
    concerned = {n for n, step in steps.items() if _differ_in(first, second, partial(step_rules, step=step))}
    after = {name: set(_due(step_rules(first, step))) for name, step in steps.items()}
    found = []
    for transition in known:
        if transition.step is not None:
            continue
        if any(_differ_in(first, second, partial(action_rules, kind=kind)) for kind in transition.kinds):
            found.append(Scenario(transition))
        begun = {name for kind in transition.kinds for name in _due(action_rules(first, kind))}
        paths = _paths(begun, after)
        reached = sorted(concerned & set(paths))
        found += [Scenario(transition, tuple(steps[n] for n in paths[name])) for name in reached]
    if _differ_in(first, second, outcome_rules):
        found.append(Scenario(None))
    return sorted(found, key=lambda s: len(s.steps))


def _paths(first: Iterable[str], after: Mapping[str, set[str]]) -> dict[str, tuple[str, ...]]:
    """The shortest way to each step that can follow."""
    paths: dict[str, tuple[str, ...]] = {name: (name,) for name in sorted(first)}
    pending = list(paths)
    while pending:
        path = paths[pending.pop(0)]
        for name in sorted(after[path[-1]] - set(paths)) if len(path) < _LONGEST else ():
            paths[name] = (*path, name)
            pending.append(name)
    return paths


def _due(rules: Iterable[Rule]) -> Iterator[str]:
    """The steps that become due by these rules."""
    for rule in rules:
        for head in rule.heads:
            if head.name == "add" and head.args and head.args[0][:2] == ("f", "next"):
                yield str(head.args[0][2][0][1])


def _differ_in(first: Ruleset, second: Ruleset, rules: Callable[[Ruleset], list[Rule]]) -> bool:
    """Whether two readings have different rules, or rules about static facts in which they differ."""
    one, two = rules(first), rules(second)
    if {r.text for r in one} != {r.text for r in two}:
        return True
    ours, theirs = first.static, second.static
    differing = {s for s in {*ours, *theirs} if set(ours.get(s, ())) != set(theirs.get(s, ()))} - {RULING}
    return any(r.uses & differing for r in one)


def action_rules(ruleset: Ruleset, kind: ActionKind) -> list[Rule]:
    """The slice for a kind of action."""
    start = seeds(None, (), [kind.action])
    return opened(ruleset).judging.slice(start, [top(*VIOLATES), top(*ADD), top(*DEL)])


def step_rules(ruleset: Ruleset, step: Pattern) -> list[Rule]:
    """The slice for a step."""
    return opened(ruleset).judging.slice(seeds((), [step]), [top(*ADD), top(*DEL)])


def outcome_rules(ruleset: Ruleset) -> list[Rule]:
    """The slice for the end of the game."""
    return opened(ruleset).judging.slice(seeds(decisions=None), [top(*s) for s in OUTCOME])


# -- the question; to be asked in a child ------------------------------------------------------------------------------


def divergence(first: Ruleset, second: Ruleset, scenario: Scenario) -> Divergence | None:
    """A small position valid in both readings, and actions on which they diverge; None where there is none."""
    if len(second.facts("limit", 3)) > len(first.facts("limit", 3)):
        first, second = second, first  # the position is opened by the first one's totals
    if _question(first, second, scenario, exact=False).model() is None:
        return None
    model, _ = _question(first, second, scenario, exact=True).best(_EFFORT)
    if model is None:
        return None
    return Divergence(decode_facts(first, model), decode_actions(first, scenario.kinds, model, 0))


def _question(first: Ruleset, second: Ruleset, scenario: Scenario, exact: bool) -> Solver:
    """The open position read under both, and what tells them apart."""
    decisions = decisions_of(scenario.kinds)
    encoding = Encoding(first, _shared(first, second), bounded=True)
    encoding.open(decisions, [], exact)
    other = ProductEncoding(encoding, second, "_b", _asked((first, second), scenario, decisions))
    for branch, ruleset in ((encoding, first), (other, second)):
        branch.assume(invariants(ruleset).assumed, decisions, [])
    if scenario.transition is None:
        _results_differ(encoding, other)
    else:
        _runs_differ(encoding, other, scenario)
    encoding.add("parts :- #false.", ":- not parts.")
    facts = [*encoding.facts, *other.facts]
    if not exact:
        return Solver(encoding.text, facts)
    encoding.add(*fewest(encoding))
    return Solver(encoding.text, facts, FEWEST)


def _shared(first: Ruleset, second: Ruleset) -> Domains:
    """The sorts of a position that belongs to both vocabularies; what comes to be may belong to one of them."""
    ours, theirs = domains(first), domains(second)
    both = set(ours.fluents) & set(theirs.fluents)
    wide, measures, most = (
        tuple(dict.fromkeys(a + b))
        for a, b in ((ours.wide, theirs.wide), (ours.measures, theirs.measures), (ours.most, theirs.most))
    )
    return Domains(tuple(f for f in ours.fluents if f in both), wide, measures, most)


def _asked(rulesets: Iterable[Ruleset], scenario: Scenario, decisions: Sequence[Pattern]) -> list[Rule]:
    """All rules that the question is about."""
    found: list[Rule] = []
    for ruleset in rulesets:
        for kind in scenario.kinds:
            found += action_rules(ruleset, kind)
        for step in scenario.steps:
            found += step_rules(ruleset, step)
        outputs = [broken(i) for i in invariants(ruleset).assumed]
        outputs += [] if scenario.transition is not None else [top(*s) for s in OUTCOME]
        found += opened(ruleset).judging.slice(seeds(decisions), outputs)
    return found


def _runs_differ(encoding: Encoding, other: Encoding, scenario: Scenario) -> None:
    """The action is legal in one reading only, or something holds in one only after the steps."""
    changed: set[Signature] = set()
    for branch in (encoding, other):
        changed |= branch.act(scenario.kinds, legal=False).changed
        for step in scenario.steps:
            due = literal(functor(step), *("_" for _ in variables((step,))))
            encoding.add(f":- not {branch.name(NEXT)}({due}).")
            changed |= branch.step([step]).changed
    here, there = encoding.illegal(0), other.illegal(0)
    encoding.add(f"{here} :- #false.", f"{there} :- #false.")
    if not scenario.steps:
        encoding.add(f"parts :- {here}, not {there}.", f"parts :- {there}, not {here}.")
    _differ(encoding, other, changed, f"not {here}; not {there}")


def _results_differ(encoding: Encoding, other: Encoding) -> None:
    """Something about the result of the finished game holds in one reading only."""
    for branch in (encoding, other):
        branch.derive([top(*s) for s in OUTCOME], [], [])
        branch.add(f":- not {branch.name(OUTCOME[0])}.")
    _differ(encoding, other, OUTCOME[1:], "#true")


def _differ(encoding: Encoding, other: Encoding, predicates: Iterable[Signature], when: str) -> None:
    for name, arity in sorted(predicates):
        args = f"({','.join(f'X{k}' for k in range(arity))})" if arity else ""
        here, there = encoding.name((name, arity)) + args, other.name((name, arity)) + args
        if here != there:
            encoding.add(f"parts :- {here}; not {there}; {when}.", f"parts :- {there}; not {here}; {when}.")
