"""The largest inductive set: nothing in it can fall, nothing is supposed that has been dropped, little is said twice."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import pytest
from support.mined import SMALL, breaking, candidate, game, positions, vocabulary

from kaiser_logic.mining import miner
from kaiser_logic.mining.candidates import Candidate, Observations, Template, UnbrokenCandidates
from kaiser_logic.mining.miner import InductiveSet


def over(name: str, candidates: Mapping[str, Candidate]) -> InductiveSet:
    return InductiveSet(game(name).ruleset, candidates)


def numbered(*candidates: Candidate) -> dict[str, Candidate]:
    return {f"candidate_{k}": c for k, c in enumerate(candidates)}


@cache
def some(name: str) -> Mapping[str, Candidate]:
    """Candidates that only two of a game's positions have been asked about: mostly false ones."""
    stated = frozenset(s for s, zero in game(name).book.counters.items() if zero)
    chosen = sorted(positions(name), key=lambda facts: sorted(map(str, facts)))
    start = game(name).evaluator.initial()
    seen = Observations([start, *chosen[:: max(1, len(chosen) // 4)]])
    return numbered(*UnbrokenCandidates(vocabulary(name), seen, stated).all())


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", SMALL)
def test_nothing_that_is_left_is_ever_broken(name: str) -> None:
    """By brute force over all that play can reach, though most candidates were false."""
    candidates = some(name)
    assert breaking(candidates.values(), name), "nothing is false: the test would show nothing"
    work = over(name, candidates)
    left = work.largest(work.new())
    assert breaking([candidates[n] for n in left], name) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_what_is_no_longer_new_is_true_too(name: str) -> None:
    candidates = some(name)
    known = set(candidates) - over(name, candidates).new()
    assert breaking([candidates[n] for n in known], name) == []


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", SMALL)
def test_the_shortest_say_what_all_say(name: str) -> None:
    candidates = some(name)
    work = over(name, candidates)
    left = work.largest(work.new())
    kept = work.shortest(left)
    assert set(kept) <= left
    again = over(name, {n: candidates[n] for n in left})
    assert again.largest(kept) == set(kept)
    opening = again._position_query({n: candidates[n] for n in left})
    opening.assume(kept)
    assert [n for n in sorted(left) if opening.breaking(100_000, n, exact=True)] == []


def test_what_was_dropped_is_not_supposed() -> None:
    """A false candidate that would make another one inductive: it falls only at the last transition."""
    helper = candidate(Template.NEVER, "taken(_,2)")
    leaning = candidate(Template.NEVER, "taken(_,3)")
    for made in (numbered(helper, leaning), numbered(leaning, helper)):
        assert over("nim", made).largest(made) == set()


def test_two_that_need_one_another_stay() -> None:
    """Neither is inductive alone."""
    made = numbered(
        candidate(Template.IMPLIES_SAME, "took(X)", "taken(X,_)", sort="player"),
        candidate(Template.NEVER, "taken(_,4)"),
    )
    assert over("nim", made).largest(made) == set(made)
    assert over("nim", {"candidate_1": made["candidate_1"]}).largest(["candidate_1"]) == set()


def test_what_is_too_hard_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without any effort nothing is kept that a transition might break."""
    true = numbered(candidate(Template.IMPLIES_SAME, "took(X)", "taken(X,_)", sort="player"))
    assert over("nim", true).largest(true) == set(true)
    monkeypatch.setattr(miner.CandidateQuery, "breaking", lambda *_: None)
    work = over("nim", true)
    assert work.largest(true) == set()
    assert work.undecided == 1


def test_known_ones_are_not_new() -> None:
    made = numbered(
        candidate(Template.IMPLIES, "phase(over)", "heap(0)"),
        candidate(Template.IMPLIES_SAME, "took(X)", "taken(X,_)", sort="player"),
    )
    assert over("nim", made).new() == {"candidate_1"}
