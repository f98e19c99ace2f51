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
from ..proof.induction import Finding, Induction
from ..query.language import Query
from ..rules.loader import parse_rules
from ..rules.predicates import LEGAL, VIOLATES
from ..rules.rule import Rule
from ..symbolic.domains import bound_of, domains
from ..symbolic.invariants import invariants
from ..symbolic.transitions import transitions
from ..workers import Job, Pool

_VARIABLE: Final = re.compile(r"\b[A-Z]\w*")
_ROOM: Final = 6
"""Numbers without a limit run so much higher than those that claims name."""


@dataclass
class Inductive:
    """What was found.

    Attributes:
        kept: The claims that no move breaks.
        broken: For each other one how a move breaks it, from a valid position that need not be reachable.
        opened: For each claim why it is not decided, where that is so.
    """

    kept: set[str] = field(default_factory=set)
    broken: dict[str, Counterexample] = field(default_factory=dict)
    opened: dict[str, str] = field(default_factory=dict)


def refused(query: Query, evaluator: Evaluator) -> str | None:
    """What in a query is about moves rather than about a position, so that no induction is put to it; None if nothing."""
    ruleset = evaluator.ruleset
    known = {*ruleset.book.fluents, ("seat", 2), *(h.signature for r in ruleset.rules for h in r.heads)}
    for atom in query.atoms:
        if atom.signature in (LEGAL, VIOLATES) or atom.signature not in known | set(ruleset.static):
            return f"{atom.name}/{len(atom.args)}"
    return None


def stronger(query: Query) -> list[Query]:
    """The query with one of its conditions left out, where all variables are bound then as they were."""
    found = []
    for left in query.literals if len(query.literals) > 1 else ():
        literals = tuple(x for x in query.literals if x is not left)
        facts = tuple(x for x in literals if x in query.facts)
        bound = set(_VARIABLE.findall(" ".join(facts)))
        others = [x for x in literals if x not in facts]
        if facts and not any("{" in x for x in others) and set(_VARIABLE.findall(" ".join(others))) <= bound:
            found.append(replace(query, body="; ".join(literals), literals=literals, facts=facts))
    return found


def claiming_rules(bodies: Mapping[str, str]) -> list[Rule]:
    """Rules by which claims are broken, as invariants that nobody presupposes."""
    lines = [f"broken({id},x) :- {body}. waived({id})." for id, body in bodies.items()]
    return [replace(r, file="claim", line=0) for r in parse_rules("\n".join(lines), "claim")]


def with_claims(evaluator: Evaluator, bodies: Mapping[str, str]) -> Evaluator:
    """The evaluator of the same rules and these claims."""
    ruleset = evaluator.ruleset
    return Evaluator(ruleset.with_rules((*ruleset.book.rules, *claiming_rules(bodies))))


def inductive(
    evaluator: Evaluator,
    bodies: Mapping[str, str],
    deadline: float,
    workers: int | None,
    progress: Callable[[str], None] = lambda _: None,
) -> Inductive:
    """The largest set of these claims that is inductive, with the invariants.

    Args:
        evaluator: Of the game's rules.
        bodies: For each claim what it says never holds, as the body of a rule.
        deadline: By :func:`time.monotonic`.
        workers: The number of processes.
        progress: Told what has been answered.
    """
    extended = with_claims(evaluator, bodies)
    ruleset = extended.ruleset
    numbers = [int(n) for body in bodies.values() for n in re.findall(r"\b\d+\b", body)]
    bound = max(
        bound_of(ruleset.book), *([max(numbers) + _ROOM] if _endless(evaluator, bodies) and numbers else [0])
    )
    sorts = domains(ruleset, bound)
    lemmas = invariants(ruleset).assumed
    found = Inductive(set(bodies))
    todo = {t.label: Induction(extended, t, sorts) for t in transitions(ruleset, sorts)}
    while found.kept:
        goals = sorted(found.kept)
        jobs = [Job(label, partial(i.examine, lemmas, goals)) for label, i in todo.items()]
        fallen: set[str] = set()
        for count, answer in enumerate(Pool(jobs, workers, deadline), 1):
            progress(f"{count}/{len(jobs)} {answer.name} ({len(goals)} claims)")
            value: Finding | None = answer.value
            if value is None or value.differs or value.beyond is not None:
                why = answer.failure if value is None else value.beyond or value.differs[0]
                for goal in goals:
                    found.opened.setdefault(goal, f"{answer.name}: {why}")
                    fallen.add(goal)
            for goal, example in value.broken if value is not None else ():
                found.broken.setdefault(goal, example)
                fallen.add(goal)
        if not fallen:
            break
        found.kept -= fallen
    return found


def _endless(evaluator: Evaluator, bodies: Mapping[str, str]) -> bool:
    """Whether a claim speaks of numbers without a limit."""
    sorts = domains(evaluator.ruleset)
    endless = {f.arguments[0].name for f in sorts.most if f.name == "endless"}
    return any(re.search(rf"\b{name}\(", body) for name in endless for body in bodies.values())
