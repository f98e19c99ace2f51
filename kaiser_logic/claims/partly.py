"""Claims about positions of games whose positions have too much to be listed.

Random games come first, here too; what *some* position is like is proved where one of them comes to it. What is *never* so
is asked as an invariant along with the game's own (:mod:`..proof.partial`): it is proved if it is inductive together with
those that are kept. Nothing falls but in a game, and there is no position to show where a claim is not decided.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from ..evaluation.evaluator import Evaluator
from ..proof.prover import Prover
from ..proof.report import Proof, ProofReport
from ..rules.loader import parse_rules
from ..symbolic.projected import decision_sorts
from ..symbolic.transitions import transitions
from ..workers import ask
from .induction import program_of, refused
from .played import Played, played
from .said import Claim

Workers = tuple[int | None, str | None]


def proved_in_part(
    evaluator: Evaluator,
    invariants: Sequence[str],
    claims: Sequence[Claim],
    many: str,
    timeout: float,
    workers: Workers,
    progress: Callable[[str], None],
) -> ProofReport:
    """What is found of invariants, or of all there is where none is named, and of claims.

    Args:
        evaluator: Of the rules in force.
        invariants: The names of those that are asked for.
        claims: The claims.
        many: What there is too much of.
        timeout: After so many seconds what is not decided stays open.
        workers: The number of processes; the address of a scheduler whose workers are asked instead.
        progress: Told what has been answered.
    """
    start = time.monotonic()
    proofs = {c.id: Proof(c.id, c.statement, "claim") for c in claims}
    found = transitions(evaluator.ruleset, decision_sorts(evaluator.ruleset))
    games = ask(partial(played, evaluator, claims, found), timeout)
    seen = games.value
    programs: dict[str, str] = {}
    for claim in claims:
        proof = proofs[claim.id]
        what = refused(claim.query, evaluator)
        if not isinstance(seen, Played):
            proof.stays_open(f"random games: {games.failure}")
        elif claim.kind == "some":
            if claim.id not in seen.fallen:
                proof.stays_open(
                    f"{many}; no random game comes to such a position: find --reachable looks further"
                )
        elif claim.id in seen.fallen:
            proof.falls(seen.fallen[claim.id])
        elif what is not None:
            proof.stays_open(f"{many}; by induction nothing is proved of {what}")
        else:
            programs[claim.id] = program_of(claim.id, claim.query, claim.id in seen.due, waived=False)
    if not programs and claims and not invariants:
        return ProofReport(list(proofs.values()), [], time.monotonic() - start)
    ruleset = evaluator.ruleset
    text = "\n".join(programs.values())
    claimed = (replace(r, file="claim", line=0) for r in parse_rules(text, "claim"))
    wider = Evaluator(ruleset.with_rules((*ruleset.book.rules, *claimed)))
    left = max(0.1, start + timeout - time.monotonic())
    report = Prover(wider).run([*invariants, *programs], left, workers[0], progress, scheduler=workers[1])
    for inner in report.proofs:
        if inner.claim in programs:
            proof = proofs[inner.claim]
            proof.status, proof.notes = inner.status, inner.notes
            proof.counterexamples = inner.counterexamples
    shown = [
        p for p in report.proofs if p.claim not in programs and (p.claim in invariants or p.status == "falls")
    ]
    report.proofs = [*shown, *proofs.values()]
    return report
