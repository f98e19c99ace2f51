"""Induction for claims: no transition leads from a position that meets invariants and claims to one that breaks a claim.

Claims that follow from the invariants need no induction. The other claims of a run are assumed together. The claims that a
transition breaks are removed, and the induction is repeated with the rest, until no claim is broken. The result is the
largest inductive set (Houdini). If a claim is removed, it is tried again with *stronger* claims: the same claim without one
of its conditions, if random games do not break that.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ..engine.ruleset import Ruleset
from ..lang.algebra import integers, walk
from ..lang.terms import ANY, Atom, Fun, Name, Place, Program
from ..lang.terms import Rule as Value
from ..query.formula import FactPattern, Together, names
from ..query.language import Query, is_nested, query_of
from ..rules.predicates import DUE, LEGAL, VIOLATES
from ..rules.reader import rule_from
from ..solving.games import Sample
from ..solving.proof_cache import ProofCache
from ..solving.questions import ImplicationQuestion, Setting
from ..solving.report import Proof
from ..solving.rounds import Resources, Round

_ROOM: Final = 6
"""Counters without a limit get a range that exceeds the numbers in claims by this amount."""


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
    variants = []
    for left in parts if len(parts) > 1 else ():
        rest = tuple(part for part in parts if part is not left)
        facts = [part for part in rest if isinstance(part, FactPattern)]
        bound = {v for part in facts for v in names(part)}
        if facts and all(v in bound for part in rest for v in names(part)):
            variants.append(query_of(query.source, Together(rest)))
    return variants


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
    fresh: bool = True,
) -> dict[str, Proof]:
    """The proofs of these claims by induction, given the invariants; those that are proved are the largest inductive set.

    A claim falls if a transition breaks it, from a valid position that need not be reachable.

    Args:
        ruleset: The rules in force.
        programs: The rules of each claim: see `program_of`.
        resources: The processes and the time.
        together: Decisions that several roles may have at once, as the proof of the invariants assumes.
        fresh: Whether answers of earlier runs are not used.
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
    blamed = Setting(extended, bound, together).prover.claims_unlimited(resources.ask_once)
    proofs = {c: Proof(c, "") for c in programs}
    for claim in programs.keys() & blamed.keys():
        proofs[claim].stays_open(blamed[claim])
    removed, left = set(blamed), sorted(programs.keys() - blamed.keys())
    setting = Setting(extended.dropping(removed), bound, together)
    implied = resources.ask_once(ImplicationQuestion(setting, tuple(left))).value or set()
    while asked := [c for c in left if c not in implied and c not in removed]:
        setting = Setting(extended.dropping(removed), bound, together)
        one = Round(setting, asked, (), lambda claim: Proof(claim, ""), ProofCache(setting.claiming, fresh))
        one.run(Sample(), (), resources)
        proofs |= one.proofs
        lost = {c for c in asked if proofs[c].status != "proved"}
        if not lost:
            break
        removed |= lost
    return proofs
