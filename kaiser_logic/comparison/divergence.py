"""Where two readings of the rules diverge: which scenarios a ruling concerns, and the question put to the solver.

A scenario is an action and the steps that happen by themselves right after it. For each, one open position is read
under both values of the ruling: the rules that depend on it are copied, everything else is shared.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from .. import clingo
from ..engine.ruleset import Ruleset
from ..errors import NotDecided
from ..proof.runs import FALSE
from ..rules.loader import parse_rules
from ..rules.pattern import Pattern, Signature, outermost, variables
from ..rules.predicates import (
    ADD,
    COUNTS,
    DUE,
    broken,
)
from ..rules.rule import Rule, top
from ..symbolic.domains import MARGIN, Domains, bound_of, domains
from ..symbolic.encoded_transition import EncodedTransition
from ..symbolic.encoding import Encoding
from ..symbolic.invariants import invariants
from ..symbolic.models import decode_actions, decode_facts, fewest
from ..symbolic.numbers import FALLS, MOVES, SUMMED, Need, changed_beyond, endless_kinds, need, unlimited
from ..symbolic.open_sets import opened
from ..symbolic.solver import SPARSE, Solver
from ..symbolic.transitions import functor, is_possible
from ..transform.action_splitting import decisions_of
from ..transform.rewrite import literal
from ..transform.slicing import seeds
from .agreement import ComparedQuestion, differences
from .product import ProductEncoding
from .scenarios import OUTCOME, Scenario, action_rules, step_rules

LIMIT: Final = ("limit", 3)
_TOGETHER: Final = "together__"
"""Holds where it is asked whether several steps may be due at once."""
_MET: Final = "met__"
"""Of moments after the action: several steps are due at once then, or were before. Only where it is asked."""
_FREE: Final = "unasked__"
"""Holds where nothing is asked, and the program is checked."""
_SMALL: Final = (*SPARSE, "--opt-strategy=usc,oll,stratify", "--configuration=tweety")
"""The solver's options for that. With this configuration it learns what cannot be had together from far fewer conflicts
than with the one that larger questions have (:data:`..symbolic.models.FEWEST`): the same size in a quarter of the time."""
_EFFORT: Final = 20_000
"""So many conflicts of the solver are spent on making a position small."""
_AT_MOST: Final = 200_000
"""So many are spent on whether the readings diverge in a scenario, or several steps may be due: then it is not decided."""


@dataclass(frozen=True)
class Divergence:
    """Where two readings diverge.

    Attributes:
        facts: A position's facts.
        actions: Who does what there; nothing where the result differs.
    """

    facts: tuple[str, ...]
    actions: tuple[tuple[str, str], ...]


# -- the question; to be asked in a child ------------------------------------------------------------------------------


def divergence(first: Ruleset, second: Ruleset, scenario: Scenario) -> Divergence | None:
    """A small position valid in both readings, and actions on which they diverge; None where there is none.

    Raises:
        NotDecided: None was found, and there may be one with numbers that were not looked at; or it takes too many conflicts.
    """
    first, second = _in_order(first, second, scenario)
    reason: str | None = None
    needed = Need((0,), None, frozenset())
    for needed in _numbers(first, second, scenario):
        question = _question(first, second, scenario, needed, exact=False)
        loose = question.solver
        if loose.possible(f"not {_TOGETHER}", f"not {_FREE}", conflicts=_AT_MOST):
            model, _ = _question(first, second, scenario, needed, exact=True).solver.best(_EFFORT)
            if model is not None:
                return Divergence(decode_facts(first, model), decode_actions(first, scenario.kinds, model, 0))
        reason = needed.reason or changed_beyond(first, loose, MARGIN, needed.values)
        if reason is None and any(k.index in endless_kinds(first) for k in scenario.kinds):
            raise NotDecided("actions that name a number without a limit were not all looked at")
        if reason is None:
            several = scenario.transition is not None and loose.possible(
                _TOGETHER, f"not {_FREE}", conflicts=_AT_MOST
            )
            if several:
                raise NotDecided("several steps may be due at once, which is not compared")
            differs = next(differences(question, (first, second), scenario, free_literals(loose)), None)
            if differs is not None:
                raise NotDecided(f"{FALSE}: {differs}")
            return None
        if reason not in (FALLS, MOVES):
            break
    raise NotDecided(
        f"numbers without a limit were not all looked at (none beyond {max(needed.values)}), for {reason}"
    )


def _in_order(first: Ruleset, second: Ruleset, scenario: Scenario) -> tuple[Ruleset, Ruleset]:
    """The two readings, first that by whose totals the position is opened, and which has the actions.

    Raises:
        NotDecided: One of them has only some of the actions, or no such total.
    """
    missing = [sum(not is_possible(r, kind) for kind in scenario.kinds) for r in (first, second)]
    limits = [len(r.facts(*LIMIT)) for r in (first, second)]
    if any(missing) and (len(set(limits)) > 1 or {*missing} != {0, len(scenario.kinds)}):
        raise NotDecided(
            "which actions there are depends on it, and so do others or what there is of something"
        )
    return (second, first) if missing[0] or limits[1] > limits[0] else (first, second)


def free_literals(loose: Solver) -> list[int]:
    """The assumptions by which nothing is asked of a program."""
    atoms = loose.control.symbolic_atoms
    free, together = (atoms[clingo.Function(name)] for name in (_FREE, _TOGETHER))
    if free is None or together is None:
        raise ValueError("the program has nothing that is asked")
    return [free.literal, -together.literal]


def _question(
    first: Ruleset, second: Ruleset, scenario: Scenario, needed: Need, exact: bool
) -> ComparedQuestion:
    """The open position read under both, and what tells them apart."""
    decisions = decisions_of(scenario.kinds)
    encoding = Encoding(first, _shared(first, second, needed.values), bounded=True)
    encoding.open(decisions, [], exact)
    other = ProductEncoding(encoding, second, "__b", _asked((first, second), scenario, decisions))
    for branch, ruleset in ((encoding, first), (other, second)):
        branch.assume(invariants(ruleset).assumed, decisions, [])
    if other.name(LIMIT) != LIMIT[0]:
        total = f"{other.name(LIMIT)}(L,N,M), #sum{{ W,X : counts(L,X,W) }}"
        encoding.add(f":- {total} > M.", *([f":- {total} < N."] if exact else []))
    if scenario.transition is None:
        _results_differ(encoding, other)
    else:
        _runs_differ(encoding, other, scenario)
    encoding.add("parts :- #false.")
    encoding.add(":- not parts." if exact else f":- not parts, not {_TOGETHER}, not {_FREE}.")
    facts = [*encoding.facts, *other.facts]
    if not exact:
        encoding.add(f"{{ {_TOGETHER}; {_FREE} }}.", *_several_due(scenario, encoding, other))
        return ComparedQuestion(encoding, other, Solver(encoding.text, facts))
    encoding.add(*fewest(encoding))
    return ComparedQuestion(encoding, other, Solver(encoding.text, facts, _SMALL))


def _numbers(first: Ruleset, second: Ruleset, scenario: Scenario) -> Iterator[Need]:
    """Which values of numbers without a limit tell the readings apart, if any do: few at first, more where needed."""
    if not unlimited(first) and not unlimited(second):
        yield Need((0,), None, frozenset())
        return
    decisions = decisions_of(scenario.kinds)
    later = _happening((first, second), scenario, decisions)
    rules = [*later, *_valid((first, second), decisions)]
    if any(r.heads and r.heads[0].signature == COUNTS for r in first.rules):
        rules += [
            *(r for r in first.rules if r.heads and r.heads[0].signature == COUNTS),
            *parse_rules(SUMMED),
        ]
    bound = bound_of(first.book)

    def wanted(rules: Sequence[Rule], bound: int, reach: int = 0) -> Need:
        groups = [OUTCOME] if scenario.transition is None else []
        fluents = [*domains(first, bound).fluents, *domains(second, bound).fluents]
        return need(opened(first), rules, fluents, bound, groups, reach)

    once = wanted(rules, bound)
    if scenario.transition is None:
        yield once
        return
    moved = wanted(later, bound, MARGIN)
    if len(moved.values) == bound + 1 and moved.reason is None:
        yield once
    else:  # what is compared may have moved by then; perhaps it need not
        yield replace(once, reason=MOVES)
    for least in (bound, max(bound, MARGIN + 1)):
        both = wanted(rules, least, MARGIN)
        reason = once.reason or moved.reason or both.reason
        yield Need(tuple(sorted({*once.values, *both.values})), reason, both.places)


def _shared(first: Ruleset, second: Ruleset, values: Iterable[int]) -> Domains:
    """The sorts of a position that belongs to both vocabularies; what comes to be may belong to one of them."""
    ours, theirs = domains(first, values=values), domains(second, values=values)
    both = set(ours.fluents) & set(theirs.fluents)
    wide, measures, most = (
        tuple(dict.fromkeys(a + b))
        for a, b in ((ours.wide, theirs.wide), (ours.measures, theirs.measures), (ours.most, theirs.most))
    )
    # what counts in one of them only weighs nothing in the other: so it has two weights, and is followed in neither
    torn = (m.arguments for m in set(ours.measures) ^ set(theirs.measures))
    nothing = (clingo.Function("measure", [*which, clingo.Number(0)]) for *which, _ in torn)
    return Domains(
        tuple(f for f in ours.fluents if f in both), wide, tuple(dict.fromkeys((*measures, *nothing))), most
    )


def _asked(rulesets: Iterable[Ruleset], scenario: Scenario, decisions: Sequence[Pattern]) -> list[Rule]:
    """All rules that the question is about."""
    return [*_happening(rulesets, scenario, decisions), *_valid(rulesets, decisions)]


def _happening(rulesets: Iterable[Ruleset], scenario: Scenario, decisions: Sequence[Pattern]) -> list[Rule]:
    """The rules of what happens in a scenario."""
    found: list[Rule] = []
    for ruleset in rulesets:
        if scenario.kinds:
            found += action_rules(ruleset, scenario.kinds)
        for step in scenario.steps:
            found += step_rules(ruleset, step)
        if scenario.transition is None:
            found += opened(ruleset).judging.slice(seeds(decisions), [top(*s) for s in OUTCOME])
    return found


def _valid(rulesets: Iterable[Ruleset], decisions: Sequence[Pattern]) -> list[Rule]:
    """The rules of what makes the first position valid."""
    return [
        rule
        for ruleset in rulesets
        for rule in opened(ruleset).judging.slice(seeds(decisions), map(broken, invariants(ruleset).assumed))
    ]


def _runs_differ(encoding: Encoding, other: Encoding, scenario: Scenario) -> None:
    """The action is legal in one reading only, as the other may not know it, or something holds in one only after the steps."""
    if not all(is_possible(other.ruleset, kind) for kind in scenario.kinds):
        encoding.act(scenario.kinds)
        encoding.add("parts.")
        return
    runs: list[list[EncodedTransition]] = []
    encoding.add(f"{_MET}(0) :- #false.")
    for branch in (encoding, other):
        run = [branch.act(scenario.kinds, legal=False)]
        for moment, step in enumerate(scenario.steps):
            due = literal(functor(step), *("_" for _ in variables((step,))))
            encoding.add(f":- not {branch.name(DUE)}({due}), not {_MET}({moment}).")
            run.append(branch.step([step]))
        runs.append(run)
    changed = {signature for run in runs for transition in run for signature in transition.changed}
    here, there = encoding.illegal(0), other.illegal(0)
    encoding.add(f"{here} :- #false.", f"{there} :- #false.")
    if not scenario.steps:
        encoding.add(f"parts :- {here}, not {there}.", f"parts :- {there}, not {here}.")
    _differ(encoding, other, changed, f"not {here}; not {there}")
    for ours, theirs in zip(*runs, strict=True):
        _strays_differ((encoding, ours), (other, theirs), f"not {here}; not {there}")


def _strays_differ(
    one: tuple[Encoding, EncodedTransition], two: tuple[Encoding, EncodedTransition], when: str
) -> None:
    """Something is added in one reading only that the vocabulary does not have, so that no next moment has it."""
    (encoding, _), added = one, [branch.effect(ADD, transition) for branch, transition in (one, two)]
    if added[0] == added[1]:
        return
    terms = [h.args[0] for branch, t in (one, two) for e in branch.deriving(ADD, t) for h in e.heads]
    encoding.add(*(f"{name}(none) :- #false." for name in added))
    for name, arity in sorted({*one[0].ruleset.book.fluents, *two[0].ruleset.book.fluents} - {DUE}):
        if any(outermost(term) in (None, (name, arity)) for term in terms):
            fluent = literal(name, *(f"X{k}" for k in range(arity)))
            for here, there in (added, reversed(added)):
                encoding.add(f"parts :- {here}({fluent}); not wide({fluent}); not {there}({fluent}); {when}.")


def _several_due(scenario: Scenario, *branches: Encoding) -> Iterator[str]:
    """Where it is asked for, several steps are due at some moment after the action, of which a scenario covers one.

    Up to the first such moment the scenario is what happens. After it no further step need be due, for what several steps
    do together may make it due, though this one alone does not.
    """
    last = len(scenario.steps) + 1
    yield f":- {_TOGETHER}, not {_MET}({last})."
    yield f"{_MET}({last}) :- #false."
    for branch in branches:
        yield f":- {_TOGETHER}, {branch.illegal(0)}."
        for moment in range(1, branch.now + 1):
            due = branch.name(DUE, moment)
            yield f"{_MET}({moment}..{last}) :- {_TOGETHER}, {due}(X), {due}(Y), X < Y."


def _results_differ(encoding: Encoding, other: Encoding) -> None:
    """The game is over in one reading only, or something about its result holds in one only."""
    for branch in (encoding, other):
        branch.derive([top(*s) for s in OUTCOME], [], [])
    over = sorted({branch.name(OUTCOME[0]) for branch in (encoding, other)})
    encoding.add(f":- {', '.join(f'not {name}' for name in over)}.")
    _differ(encoding, other, OUTCOME, "#true")


def _differ(encoding: Encoding, other: Encoding, predicates: Iterable[Signature], when: str) -> None:
    for name, arity in sorted(predicates):
        args = f"({','.join(f'X{k}' for k in range(arity))})" if arity else ""
        here, there = encoding.name((name, arity)) + args, other.name((name, arity)) + args
        if here != there:
            encoding.add(f"parts :- {here}; not {there}; {when}.", f"parts :- {there}; not {here}; {when}.")
