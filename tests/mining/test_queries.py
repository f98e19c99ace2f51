"""Queries about candidates over open positions and transitions."""

from __future__ import annotations

from support.mined import candidate, game

from kaiser_logic.lang.printer import show
from kaiser_logic.mining.candidates import Candidate, Template
from kaiser_logic.mining.queries import CandidateQuery, with_candidates
from kaiser_logic.solving.questions import Setting

TOOK = candidate(Template.EXCLUDES, "decision(_,take)", "heap(2)")
FULL = candidate(Template.NEVER, "heap(2)")
OVER = candidate(Template.IMPLIES, "phase(over)", "heap(0)")
NAMED = {"took": TOOK, "full": FULL, "over": OVER}


def opening(
    label: str | None, candidates: dict[str, Candidate], left: list[str] | None = None
) -> CandidateQuery:
    ruleset = game("nim").ruleset
    prover = Setting(ruleset).prover
    transition = next((t for t in prover.transitions if t.label == label), None)
    return CandidateQuery(with_candidates(ruleset, candidates), prover, left or list(candidates), transition)


def test_valid_positions_can_break_candidates() -> None:
    made = opening(None, NAMED)
    assert made.breaking(1000, "full")
    assert made.breaking(1000, "took")
    assert made.breaking(1000, "over") == frozenset()


def test_assumed_candidates_are_not_broken() -> None:
    made = opening(None, NAMED)
    made.assume(["full"])
    assert made.breaking(1000, "took") == frozenset()
    made.assume([])
    assert made.breaking(1000, "took")


def test_transitions_can_break_candidates() -> None:
    made = opening("take(K)", NAMED)
    made.assume(["full"])
    assert made.breaking(1000) == {"full"}
    made.assume(["over"])
    assert made.breaking(1000) == frozenset()


def test_other_candidates_are_not_assumed() -> None:
    """The ruleset contains all candidates. A query about some of them must not assume the others."""
    both = {"full": FULL, "three": candidate(Template.NEVER, "heap(3)")}
    made = opening("take(K)", both, ["three"])
    made.assume(["three"])
    assert made.breaking(1000) == {"three"}


def test_rules_are_about_the_last_moment() -> None:
    after, now = (dict(opening(action, NAMED).rules(["full"])) for action in ("take(K)", None))
    assert show(after["full"]) == "broken__n(full,x) :- heap__n(2)."
    assert show(now["full"]) == "broken(full,x) :- heap(2)."
