"""Which claims are inductive: no move leads from a position that meets invariants and claims to one that breaks a claim.

The claims of a run may lean on one another. Those that a move breaks are taken out, and the rest is asked again without
them, until nothing falls: the largest set that is inductive (Houdini). Where a claim falls out, *stronger* ones are
tried with it: the same with one of its conditions left out, if random games do not break that.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from ..evaluation.evaluator import Evaluator
from ..proof.counterexample import Counterexample
from ..proof.finding import Finding
from ..proof.induction import Induction
from ..proof.ready import make_ready
from ..query.branches import branches
from ..query.formula import Fact, Together, names
from ..query.language import Query, nested
from ..rules.loader import parse_rules
from ..rules.predicates import LEGAL, VIOLATES
from ..symbolic.domains import bound_of, domains
from ..symbolic.invariants import invariants
from ..symbolic.transitions import transitions
from ..workers import Answer, Job, asked

_ROOM: Final = 6
"""Numbers without a limit run so much higher than those that claims name."""


@dataclass
class InductionResult:
    """What was found.

    Attributes:
        proved: The claims that no move breaks.
        broken: For each other one how a move breaks it, from a valid position that need not be reachable.
        undecided: For each claim why it is not decided, where that is so.
    """

    proved: set[str] = field(default_factory=set)
    broken: dict[str, Counterexample] = field(default_factory=dict)
    undecided: dict[str, str] = field(default_factory=dict)


def refused(query: Query, evaluator: Evaluator) -> str | None:
    """What in a query is about moves rather than about a position, so that no induction is put to it; None if nothing."""
    ruleset = evaluator.ruleset
    known = {*ruleset.book.fluents, ("seat", 2), *(h.signature for r in ruleset.rules for h in r.heads)}
    for atom in query.atoms:
        if atom.signature in (LEGAL, VIOLATES) or atom.signature not in known | set(ruleset.static):
            return f"{atom.name}/{len(atom.args)}"
    return None


def stronger(query: Query) -> list[Query]:
    """The query with one of its conditions left out, where all variables are bound then as they were.

    None of a query with alternatives, or with conditions in braces or in ``not (...)``.
    """
    if len(query.branches) != 1 or any(map(nested, query.branches[0].parts)):
        return []
    parts = query.branches[0].parts
    found = []
    for left in parts if len(parts) > 1 else ():
        rest = tuple(part for part in parts if part is not left)
        facts = [part for part in rest if isinstance(part, Fact)]
        bound = {v for part in facts for v in names(part)}
        if facts and all(v in bound for part in rest for v in names(part)):
            formula = Together(rest)
            found.append(Query(query.source, formula, tuple(branches(formula))))
    return found


def program_of(id: str, query: Query, at_rest: bool = False) -> str:
    """Rules by which a claim is broken, as an invariant.

    Args:
        id: The claim's name.
        query: What never holds.
        at_rest: Whether it may hold where something is due by itself.
    """
    head = f"claimed_{id}"
    rest = "; not due(_)" if at_rest else ""
    lines = [*query.rules(head), f"broken({id},x) :- {head}{rest}."]
    return "\n".join([*lines, f"waived({id})."])


def with_claims(evaluator: Evaluator, programs: Mapping[str, str]) -> Evaluator:
    """The evaluator of the same rules and these claims."""
    ruleset = evaluator.ruleset
    claimed = (replace(r, file="claim", line=0) for r in parse_rules("\n".join(programs.values()), "claim"))
    return Evaluator(ruleset.with_rules((*ruleset.book.rules, *claimed)))


def inductive(
    evaluator: Evaluator,
    programs: Mapping[str, str],
    deadline: float,
    workers: int | None,
    progress: Callable[[str], None] = lambda _: None,
    scheduler: str | None = None,
) -> InductionResult:
    """The largest set of these claims that is inductive, with the invariants.

    Args:
        evaluator: Of the game's rules.
        programs: For each claim its rules: see `program_of`.
        deadline: By :func:`time.monotonic`.
        workers: The number of processes.
        progress: Told what has been answered.
        scheduler: The address of a Dask scheduler whose workers are asked instead.
    """
    extended = with_claims(evaluator, programs)
    ruleset = extended.ruleset
    numbers = [int(n) for text in programs.values() for n in re.findall(r"\b\d+\b", text)]
    bound = max(
        bound_of(ruleset.book),
        *([max(numbers) + _ROOM] if _has_unbounded_numbers(evaluator, programs) and numbers else [0]),
    )
    sorts = domains(ruleset, bound)
    lemmas = invariants(ruleset).assumed
    make_ready(extended, sorts)
    found = InductionResult(set(programs))
    todo = {t.label: Induction(extended, t, sorts) for t in transitions(ruleset, sorts)}
    while found.proved:
        goals = sorted(found.proved)
        jobs = [Job(label, partial(i.examine, lemmas, goals)) for label, i in todo.items()]
        broken: dict[str, Counterexample] = {}
        troubles: dict[str, str] = {}
        together: list[str] = []
        for count, answer in enumerate(asked(jobs, workers, deadline, scheduler), 1):
            progress(f"{count}/{len(jobs)} {answer.name} ({len(goals)} claims)")
            if why := _why_open(answer):
                troubles[answer.name] = f"{answer.name}: {why}"
                if answer.value is not None and not answer.value.differs:
                    together.append(answer.name)
            for goal, example in answer.value.broken if answer.value is not None else ():
                broken.setdefault(goal, example)
        if broken:  # what is open may be so for want of a limit in one of these
            found.broken |= broken
            found.proved -= set(broken)
            continue
        for label, why in troubles.items():
            blamed = set(goals)
            if label in together and len(goals) > 1:
                alone = [Job(goal, partial(todo[label].examine, lemmas, [goal])) for goal in goals]
                blamed = {
                    a.name
                    for a in asked(alone, workers, deadline, scheduler)
                    if not a.value or _why_open(a) or a.value.broken
                }
            for goal in blamed:
                found.undecided.setdefault(goal, why)
        if not found.proved & set(found.undecided):
            break
        found.proved -= set(found.undecided)
    return found


def _why_open(answer: Answer[Finding]) -> str | None:
    """Why it is not known what a transition breaks; None where it is."""
    value = answer.value
    if value is None:
        return answer.failure
    return value.beyond if value.beyond is not None else value.differs[0] if value.differs else None


def _has_unbounded_numbers(evaluator: Evaluator, programs: Mapping[str, str]) -> bool:
    """Whether a claim speaks of numbers without a limit."""
    sorts = domains(evaluator.ruleset)
    endless = {f.arguments[0].name for f in sorts.most if f.name == "endless"}
    return any(re.search(rf"\b{name}\(", text) for name in endless for text in programs.values())
