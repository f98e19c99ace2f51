"""What a transition must keep."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.opened import before, changed, heap

from kaiser_logic.game import Game
from kaiser_logic.proof.obligations import Obligations
from kaiser_logic.rules.predicates import broken
from kaiser_logic.symbolic.solver import Solver


def fallen(game: Game, label: str, goal: str, merged: bool = False) -> bool:
    """Whether a transition leads out of an invariant; ``merged``: what goes to one place is seen as one."""
    encoding, encoded = before(game.ruleset, label)
    encoding.derive([broken(goal)])
    Obligations(encoding, encoded, [goal], merged).forbid()
    return Solver(encoding.text, encoding.facts).decide() is True


@pytest.mark.parametrize("label", ["take(K)", "step pass_on"])
@pytest.mark.parametrize("goal", ["vocabulary", "count", "limit", "one_taker", "played_out", "heap_stated"])
def test_the_heap_game_keeps_them(label: str, goal: str) -> None:
    assert not fallen(heap(), label, goal)


SHIFT = "shift(heap,taken(R),K,taken) :- does(R,take(K))."
SPOILT = [
    # what is lost is not there
    (
        'violates(R,take(K),"take.enough") :- candidate(R,take(K)), heap(N), not holds_at_least(K).',
        "",
        "count",
    ),
    # more comes than goes
    (SHIFT, "lose(heap,K,taken) :- does(R,take(K)). gain(taken(R),K+1,taken) :- does(R,take(K)).", "limit"),
    # less comes than goes: a limit's least
    (SHIFT, "lose(heap,K,taken) :- does(R,take(K)).", "limit"),
    # nobody of that name
    (
        "add(took(R))                 :- does(R,take(_)).",
        "add(took(nobody)) :- does(R,take(_)).",
        "vocabulary",
    ),
    # a step that is none
    (
        "add(due(pass_on))           :- made(_,take).",
        "add(due(S)) :- made(_,take), idle(S). idle(rest).",
        "vocabulary",
    ),
    # another value beside the one there is
    (
        "add(took(R))                 :- does(R,take(_)).",
        "add(took(R)) :- does(R,take(_)). add(heap(3)) :- does(R,take(1)).",
        "count",
    ),
    # the game's own
    ("del(took(Q))                 :- does(R,take(_)), took(Q), Q != R.", "", "one_taker"),
]


@pytest.mark.parametrize(
    ("line", "instead", "goal"), SPOILT, ids=[f"{g} {i}" for i, (_, _, g) in enumerate(SPOILT)]
)
def test_spoilt_rules_fall(tmp_path: Path, line: str, instead: str, goal: str) -> None:
    text = (Path(__file__).parents[1] / "support" / "heap" / "play.lp").read_text(encoding="utf-8")
    found = next(x for x in text.splitlines() if "".join(x.split()) == "".join(line.split()))
    assert fallen(changed(tmp_path, {found: instead}), "take(K)", goal)


ENOUGH = 'violates(R,take(K),"take.enough") :- candidate(R,take(K)), heap(N), not holds_at_least(K).'
TWICE = ENOUGH.replace("holds_at_least(K)", "holds_at_least(2*K)")
MOVES = [
    # as it is, and where nobody says that there must be enough
    ({}, False, False),
    ({ENOUGH: ""}, True, True),
    # for one reason to two places: each part counts
    ({SHIFT: "shift(heap,taken(Q),K,taken) :- does(R,take(K)), player(Q)."}, True, True),
    # the same where there is enough for both: that is not seen
    ({SHIFT: "shift(heap,taken(Q),K,taken) :- does(R,take(K)), player(Q).", ENOUGH: TWICE}, False, True),
    # for one reason twice, by different amounts, or for another reason
    ({SHIFT: f"{SHIFT} shift(heap,taken(R),K+1,taken) :- does(R,take(K))."}, True, True),
    ({SHIFT: f"{SHIFT} shift(heap,taken(R),K,again) :- does(R,take(K))."}, True, True),
    ({SHIFT: f"{SHIFT} shift(heap,taken(R),K,again) :- does(R,take(K)).", ENOUGH: TWICE}, False, False),
    # what is lost besides; what looks like the loss by the shift is that loss
    ({SHIFT: f"{SHIFT} lose(heap,K,taken) :- does(R,take(K))."}, True, True),
    ({SHIFT: f"{SHIFT} lose(heap,K,out(taken(R),taken)) :- does(R,take(K))."}, False, False),
    ({SHIFT: f"{SHIFT} lose(heap,K,out(taken(R),other)) :- does(R,take(K))."}, True, True),
]


@pytest.mark.parametrize(("changes", "plain", "merged"), MOVES, ids=map(str, range(len(MOVES))))
def test_losses_without_their_places(
    tmp_path: Path, changes: dict[str, str], plain: bool, merged: bool
) -> None:
    game = changed(tmp_path, changes)
    assert fallen(game, "take(K)", "count") is plain
    assert fallen(game, "take(K)", "count", merged=True) is merged
    assert merged or not plain  # sound


def test_what_a_transition_does_not_touch_is_not_judged() -> None:
    """A step that moves no stones is not asked about totals and counters."""
    encoding, encoded = before(heap().ruleset, "step pass_on")
    obligations = Obligations(encoding, encoded, ["limit", "count"])
    assert not list(obligations.rules("limit"))
    assert not list(obligations.rules("count"))


def test_only_fluents_that_are_added_are_looked_up() -> None:
    encoding, encoded = before(heap().ruleset, "step pass_on")
    rules = [
        r for r in Obligations(encoding, encoded, ["vocabulary"]).rules("vocabulary") if r.startswith("bad")
    ]
    assert rules == [
        "bad(vocabulary,decision(X1,X2)) :- add__0(decision(X1,X2)), not wide(decision(X1,X2)).",
        "bad(vocabulary,phase(X1)) :- add__0(phase(X1)), not wide(phase(X1)).",
    ]
