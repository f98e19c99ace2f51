"""Induction for claims: no transition leads from a position that meets invariants and claims to one that breaks a claim.

Claims that follow from the invariants need no induction. The other claims of a run are assumed together. The claims that a
transition breaks are removed, and the induction is repeated with the rest, until no claim is broken. The result is the
largest inductive set (Houdini). If a claim is removed, it is tried again with *stronger* claims: the same claim without one
of its conditions, if random games do not break that.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from ..engine.ruleset import Ruleset
from ..lang.algebra import integers, walk
from ..lang.terms import ANY, Atom, Fun, Name, Place, Program
from ..lang.terms import Rule as Value
from ..query.formula import FactPattern, Together, names
from ..query.language import Query, is_nested, query_of
from ..rules.predicates import DUE, LEGAL, VIOLATES
from ..rules.reader import rule_from
from ..solving.questions import (
    ImplicationQuestion,
    PositionResult,
    Setting,
    TransitionQuestion,
    TransitionResult,
)
from ..solving.report import Counterexample
from ..solving.rounds import Resources
from ..workers import ChildAnswer, Job

_ROOM: Final = 6
"""Counters without a limit get a range that exceeds the numbers in claims by this amount."""


@dataclass
class InductionResult:
    """The result of an induction.

    Attributes:
        proved: The claims that no transition breaks.
        broken: For other claims a transition that breaks the claim, from a valid position that need not be reachable.
        undecided: For other claims the reason why they are not decided.
    """

    proved: set[str] = field(default_factory=set)
    broken: dict[str, Counterexample] = field(default_factory=dict)
    undecided: dict[str, str] = field(default_factory=dict)


def refusal_of(query: Query, ruleset: Ruleset) -> str | None:
    """The predicate in a query that excludes an induction, as it is not about positions only; None if there is none."""
    known = {*ruleset.book.fluents, ("seat", 2), *(h.signature for r in ruleset.rules for h in r.heads)}
    for atom in query.atoms:
        if atom.signature in (LEGAL, VIOLATES) or atom.signature not in known | set(ruleset.static):
            return f"{atom.name}/{len(atom.args)}"
    return None


def stronger(query: Query) -> list[Query]:
    """The variants of a query without one of its conditions, if facts still bind all variables.

    There are none for a query with alternatives, or with conditions in braces or in ``not (...)``.
    """
    if len(query.branches) != 1 or any(map(is_nested, query.branches[0].parts)):
        return []
    parts = query.branches[0].parts
    found = []
    for left in parts if len(parts) > 1 else ():
        rest = tuple(part for part in parts if part is not left)
        facts = [part for part in rest if isinstance(part, FactPattern)]
        bound = {v for part in facts for v in names(part)}
        if facts and all(v in bound for part in rest for v in names(part)):
            found.append(query_of(query.source, Together(rest)))
    return found


def program_of(id: str, query: Query, at_rest: bool = False) -> Program:
    """The rules of an invariant that is broken if a claim is.

    Args:
        id: The id of the claim.
        query: The query that never holds.
        at_rest: Whether it may hold in positions in which a step is due.
    """
    head = Atom(f"claimed_{id}", ())
    resting = (Atom(DUE[0], (ANY,), 1),) if at_rest else ()
    return (*query.values(head), Value(Atom("broken", (Name(id), Name("x"))), (head, *resting)))


def with_claims(ruleset: Ruleset, programs: Mapping[str, Program]) -> Ruleset:
    """The ruleset with these claims as additional invariants."""
    claimed = (rule_from(value, Place("claim")) for program in programs.values() for value in program)
    return ruleset.with_rules((*ruleset.book.rules, *claimed))


def inductive(
    ruleset: Ruleset,
    programs: Mapping[str, Program],
    resources: Resources,
    together: frozenset[str] = frozenset(),
) -> InductionResult:
    """The largest set of these claims that is inductive, given the invariants.

    Args:
        ruleset: The rules in force.
        programs: The rules of each claim: see `program_of`.
        resources: The processes and the time.
        together: Decisions that several roles may have at once, as the proof of the invariants assumes.
    """
    extended = with_claims(ruleset, programs)
    plain = Setting(extended, together=together).prover.vocabulary
    numbers = [abs(number) for number in integers(tuple(programs.values()))]
    endless = {counter.name for counter in plain.endless}
    if numbers and any(
        isinstance(part, (Atom, Fun)) and part.name in endless for part in walk(tuple(programs.values()))
    ):
        bound: int | None = max(plain.bound, max(numbers) + _ROOM)
    else:
        bound = None
    setting = Setting(extended, bound, together)
    blamed = setting.prover.claims_unlimited()
    found = InductionResult({c for c in programs if c not in blamed})
    found.undecided = {c: why for c, why in blamed.items() if c in programs}
    removed = set(blamed)
    implication = ImplicationQuestion(_without_invariants(setting, removed), tuple(sorted(found.proved)))
    implied = resources.ask_once(implication).value or set()
    while found.proved - implied:
        setting = _without_invariants(setting, removed)
        goals = tuple(sorted(found.proved - implied))
        transitions = setting.prover.transitions
        jobs: list[Job[TransitionResult | PositionResult]] = [
            Job(f"{n} {t.label}", TransitionQuestion(setting, n, t.label, goals))
            for n, t in enumerate(transitions)
        ]
        setting.prover.precompute()
        broken: dict[str, Counterexample] = {}
        undecided: dict[str, str] = {}
        for count, answer in enumerate(resources.answers(jobs), 1):
            label = answer.name.partition(" ")[2]
            resources.progress(f"{count}/{len(jobs)} {label} ({len(goals)} claims)")
            _note(label, answer, goals, broken, undecided)
        found.broken |= {c: e for c, e in broken.items() if c not in found.undecided}
        found.undecided |= {c: why for c, why in undecided.items() if c not in broken}
        if not broken and not undecided:
            break
        found.proved -= {*broken, *undecided}
        removed |= {*broken, *undecided}
    return found


def _without_invariants(setting: Setting, names: Collection[str]) -> Setting:
    """The setting without some invariants."""
    return replace(setting, ruleset=setting.ruleset.dropping(names)) if names else setting


def _note(
    label: str,
    answer: ChildAnswer[TransitionResult | PositionResult],
    goals: Sequence[str],
    broken: dict[str, Counterexample],
    undecided: dict[str, str],
) -> None:
    """Notes the claims that a transition breaks, and those for which it does not prove the induction step."""
    result = answer.value
    for goal in goals:
        if not isinstance(result, TransitionResult):
            undecided.setdefault(goal, f"{label}: {answer.reason}")
        elif goal in result.broken and result.broken[goal].replayed:
            broken.setdefault(goal, result.broken[goal])
        elif result.trouble:
            undecided.setdefault(goal, f"{label}: {(*result.differences, result.reason)[0]}")
        elif result.verdicts.get(goal) != "proved":
            undecided.setdefault(goal, f"{label}: {result.notes.get(goal, 'too many conflicts')}")
