"""The largest inductive set: no candidate is assumed after it was dropped. That all are true: `mining/test_miner.py`."""

from collections.abc import Mapping

from support.mined import candidate, game

from kaiser_logic.mining.candidates import Candidate, Template, with_candidates
from kaiser_logic.solving.inductive import InductiveSet
from kaiser_logic.solving.prover import GoalSolver


def over(name: str, candidates: Mapping[str, Candidate]) -> InductiveSet:
    return InductiveSet(with_candidates(game(name).ruleset, candidates), list(candidates))


def numbered(*candidates: Candidate) -> dict[str, Candidate]:
    return {f"candidate_{k}": c for k, c in enumerate(candidates)}


def test_dropped_candidates_are_not_assumed():
    """A false candidate falls only at the last transition. With it, another one would be inductive."""
    helper = candidate(Template.NEVER, "taken(_,2)")
    dependent = candidate(Template.NEVER, "taken(_,3)")
    for made in (numbered(helper, dependent), numbered(dependent, helper)):
        assert over("nim", made).largest(made) == set()


def test_candidates_that_depend_on_each_other_stay():
    """Neither is inductive without the other."""
    made = numbered(
        candidate(Template.IMPLIES_SAME, "took(X)", "taken(X,_)", sort="player"),
        candidate(Template.NEVER, "taken(_,4)"),
    )
    assert over("nim", made).largest(made) == set(made)
    assert over("nim", {"candidate_1": made["candidate_1"]}).largest(["candidate_1"]) == set()


def test_undecided_candidates_are_dropped(monkeypatch):
    """Without effort, each candidate that a transition might break is dropped."""
    true = numbered(candidate(Template.IMPLIES_SAME, "took(X)", "taken(X,_)", sort="player"))
    assert over("nim", true).largest(true) == set(true)
    monkeypatch.setattr(GoalSolver, "solve", lambda *_, **__: (None, []))
    work = over("nim", true)
    assert work.largest(true) == set()
    assert work.undecided == 1


def test_known_candidates_are_not_new():
    made = numbered(
        candidate(Template.IMPLIES, "phase(over)", "heap(0)"),
        candidate(Template.IMPLIES_SAME, "took(X)", "taken(X,_)", sort="player"),
    )
    assert over("nim", made).new() == {"candidate_1"}
