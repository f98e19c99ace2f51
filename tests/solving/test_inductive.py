"""The largest inductive set: its candidates are true, none is assumed after it was dropped, few are redundant."""

from collections.abc import Mapping
from functools import cache

import pytest
from support.mined import SMALL, breaking, candidate, game, positions, vocabulary

from kaiser_logic.mining.candidates import (
    Candidate,
    Observations,
    Template,
    UnbrokenCandidates,
    with_candidates,
)
from kaiser_logic.solving.inductive import InductiveSet
from kaiser_logic.solving.prover import GoalSolver
from kaiser_logic.solving.questions import Setting


def over(name: str, candidates: Mapping[str, Candidate]) -> InductiveSet:
    return InductiveSet(with_candidates(game(name).ruleset, candidates), list(candidates))


def numbered(*candidates: Candidate) -> dict[str, Candidate]:
    return {f"candidate_{k}": c for k, c in enumerate(candidates)}


@cache
def some(name: str) -> Mapping[str, Candidate]:
    """Candidates that hold in a few positions of a game. Most of them are false."""
    stated = frozenset(s for s, zero in game(name).book.counters.items() if zero)
    chosen = sorted(positions(name), key=lambda facts: sorted(map(str, facts)))
    start = game(name).evaluator.initial()
    seen = Observations([start, *chosen[:: max(1, len(chosen) // 4)]])
    return numbered(*UnbrokenCandidates(vocabulary(name), seen, stated).all())


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", SMALL)
def test_the_largest_set_is_true(name):
    """By brute force over all reachable positions. Most candidates were false."""
    candidates = some(name)
    assert breaking(candidates.values(), name), (
        "some candidates are false, or else the test would show nothing"
    )
    work = over(name, candidates)
    left = work.largest(work.new())
    assert breaking([candidates[n] for n in left], name) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_known_candidates_are_true(name):
    candidates = some(name)
    known = set(candidates) - over(name, candidates).new()
    assert breaking([candidates[n] for n in known], name) == []


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", SMALL)
def test_the_shortest_set_implies_all(name):
    candidates = some(name)
    work = over(name, candidates)
    left = work.largest(work.new())
    shortest = work.shortest(sorted(left, key=lambda n: candidates[n].weight))
    assert set(shortest) <= left
    assert over(name, {n: candidates[n] for n in shortest}).largest(shortest) == set(shortest)
    rest = with_candidates(game(name).ruleset, {n: candidates[n] for n in left}).dropping(left - {*shortest})
    implication = Setting(rest).prover.positions.implication(sorted(left - {*shortest}))
    assert [n for n in sorted(left - {*shortest}) if implication.breaking(n, exact=True)] == []


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
