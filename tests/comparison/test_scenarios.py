"""Effects that scenarios do not cover, such as several steps at once, are never reported as "no difference"."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from support.heap_game import DUE, INDIFFERENT, TOOK, TURN, variant
from support.limits import NO_END

from kaiser_logic.comparison import compare as compare_module
from kaiser_logic.comparison.compare import compare
from kaiser_logic.comparison.differences import Difference
from kaiser_logic.comparison.divergence import divergence
from kaiser_logic.comparison.scenarios import scenarios
from kaiser_logic.errors import NotDecided
from kaiser_logic.game import Game, load

STEP = "step(pass_on)."
MAY = "may_decide(R,take)     :- player(R), phase(play), holds_at_least(1)."


def under_both_rulings(game: Path) -> tuple[Game, Game]:
    """The game of two players under each of the two rulings."""
    return load(game, players=2), load(game, players=2, options={"last_stone": "loses"})


def difference(folder: Path, changes: Mapping[str, str]) -> Difference:
    """The difference that the ruling makes in a variant of the heap game for two players."""
    game = variant(folder, {**INDIFFERENT, **changes})
    (found,) = compare(*under_both_rulings(game), NO_END, 1)
    return found


def test_a_ruling_without_effect_makes_no_difference(tmp_path: Path) -> None:
    found = difference(tmp_path, {})
    assert (found.how, found.complete) == ("", True)


@pytest.mark.sample(5)
@pytest.mark.parametrize(
    "wanted",
    [
        "wanted(pass_on).\nadd(due(S)) :- made(_,take), wanted(S).",
        "wanted(due(pass_on)).\nadd(S) :- made(_,take), wanted(S).",
        "step(ring).\nadd(due((ring;pass_on))) :- made(_,take).",
        "step(ring).\nadd(due(ring);due(pass_on)) :- made(_,take).",
        "step(ring).\nadd((due(ring);due(pass_on))) :- made(_,take).",
    ],
)
def test_a_step_that_becomes_due_by_an_indirect_rule_is_compared(tmp_path: Path, wanted: str) -> None:
    """The head of the rule does not show which step becomes due, so each step may be."""
    again = "add(decision(R,take)) :- due(pass_on), took(R), holds_at_least(1), ruling(last_stone,loses)."
    found = difference(
        tmp_path,
        {DUE: wanted, TURN: f"{TURN.replace('holds', 'ruling(last_stone,wins), holds')}\n{again}"},
    )
    assert found.how == "outcome", found.words


@pytest.mark.parametrize("known", ["wins", "loses"])
def test_a_step_that_only_one_value_knows_is_compared(tmp_path: Path, known: str) -> None:
    """It makes no difference which of the two values it is."""
    rules = (
        f"add(due(ring)) :- does(_,take(3)).\nadd(star) :- due(ring), heap(5), ruling(last_stone,{known})."
    )
    step = f"{STEP}\nfluent(star).\nstep(ring) :- ruling(last_stone,{known})."
    assert difference(tmp_path, {STEP: step, TOOK: f"{TOOK}\n{rules}"}).how == "outcome"


def test_a_step_that_is_due_with_both_values_and_known_to_one_is_not_missed(
    tmp_path: Path,
) -> None:
    """With the other value the step stays due, and nothing happens."""
    step = f"{STEP}\nfluent(star).\nstep(ring) :- ruling(last_stone,loses)."
    rules = "add(due(ring)) :- due(pass_on), heap(6).\nadd(star) :- due(ring)."
    found = difference(tmp_path, {STEP: step, TOOK: f"{TOOK}\n{rules}"})
    assert found.how == "outcome" or not found.complete, found.words


def test_too_many_sequences_of_steps_are_not_decided(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each step may follow each other one. As not all sequences are compared, the answer is not "no difference"."""
    names = [f"ring{k}" for k in range(12)]
    rules = "add(due(S)) :- due(T), then(T,S).\nthen(ring0,ring1).\nadd(star) :- due(ring11), ruling(last_stone,loses)."
    changes = {STEP: f"{STEP}\nfluent(star).\nstep({';'.join(names)}).", TOOK: f"{TOOK}\n{rules}"}
    monkeypatch.setattr(compare_module, "_in_games", lambda *_: {})
    found = difference(tmp_path, changes)
    assert found.words == "not decided, because there are too many sequences of steps"


def meeting(rules: str, steps: str) -> dict[str, str]:
    """Changes by which steps follow each action until the turn passes. No flag is set while somebody decides."""
    return {
        '"decisions", "end"]': '"end"]',
        MAY: "%! invariant no_flag -- No flag while somebody decides.\nbroken(no_flag,x) :- flag, decision(_,_).",
        DUE: f"add(due(left_hand))  :- made(_,take).\nadd(due(right_hand)) :- made(_,take).\n{rules}",
        STEP: f"{STEP}\nstep(left_hand;right_hand;{steps}).\nfluent(flag).\nfluent(star).",
    }


STAR = "add(due(pass_on)) :- due(late).\ndel(flag) :- due(late).\n"


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("rules", "steps"),
    [
        (
            "add(flag) :- due(left_hand).\nadd(due(late)) :- due(right_hand).\n"
            "add(star) :- due(late), flag, ruling(last_stone,loses).\n",
            "late",
        ),
        (
            "add(due(lefter)) :- due(left_hand).\nadd(due(righter)) :- due(right_hand).\n"
            "add(flag) :- due(lefter).\nadd(due(late)) :- due(righter).\n"
            "add(star) :- due(late), flag, ruling(last_stone,loses).\n",
            "lefter;righter;late",
        ),
        (
            "add(flag) :- due(left_hand).\nadd(due(later)) :- due(right_hand).\n"
            "add(due(late)) :- due(later), flag.\nadd(star) :- due(late), ruling(last_stone,loses).\n",
            "later;late",
        ),
    ],
    ids=["in the next step", "two steps later", "it makes the step due"],
)
def test_effects_of_two_steps_at_once_are_found_or_not_decided(
    tmp_path: Path, rules: str, steps: str
) -> None:
    """A scenario follows only one of two steps that are due at once. Their effects meet in a later step."""
    found = difference(tmp_path, meeting(rules + STAR, steps))
    assert found.how == "outcome" or "several steps may be due at once" in found.words, found.words


def test_two_steps_at_once_that_no_game_reaches_are_not_decided(tmp_path: Path) -> None:
    """The two steps are due together only in positions that no game reaches."""
    rules = (
        "add(flag) :- due(left_hand), heap(2).\nadd(due(late)) :- due(right_hand).\n"
        "add(star) :- due(late), flag, taken(red,9), took(green), ruling(last_stone,loses).\n"
    )
    game = variant(tmp_path, {**INDIFFERENT, **meeting(rules + STAR, "late")})
    first, second = (game.ruleset for game in under_both_rulings(game))
    with pytest.raises(NotDecided, match="several steps may be due at once"):
        for scenario in scenarios(first, second):
            divergence(first, second, scenario)


BIDDING = {
    TURN: "add(decision(Q,bid))   :- due(pass_on), player(Q), holds_at_least(1).\n"
    'out_of_turn(bid,"take").\ncandidate(R,bid(K))     :- decision(R,bid), price(K).\n'
    "candidate(R,none)       :- decision(R,bid).\nadd(due(go))          :- made(_,bid).\n"
    "add(decision(Q,take))  :- due(go), took(R), left(R,Q).",
    MAY: f"{MAY}\nmay_decide(R,bid) :- player(R), phase(play), holds_at_least(1).",
    STEP: f"{STEP}\nstep(go).\nfluent(decision(R,bid)) :- player(R).\nfluent(star).\nsimultaneous(bid).\n"
    "party(R,bid) :- player(R), decision(_,bid).\naction(bid,bid(K)) :- price(K).\naction(bid,none).\nprice(1..2).",
}
"""Changes by which all players bid at the same time between two moves, or pass."""


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    "rules",
    [
        "add(star) :- does(R,bid(K)), does(Q,none), R != Q, ruling(last_stone,loses).",
        "quiet :- does(_,none).\nadd(star) :- quiet, does(_,bid(2)), ruling(last_stone,loses).",
        "quiet(R) :- does(R,none).\nloud(R) :- does(R,bid(_)).\n"
        "add(star) :- quiet(R), loud(Q), heap(5), ruling(last_stone,loses).",
        "step(sing).\nadd(due(sing)) :- does(_,bid(K)), does(_,none), heap(4).\n"
        "add(star) :- due(sing), ruling(last_stone,loses).",
    ],
    ids=["one rule", "by a predicate", "by two", "what it makes due"],
)
def test_different_simultaneous_actions_are_compared_or_not_decided(tmp_path: Path, rules: str) -> None:
    """A rule that needs two kinds of action is in no slice of a single kind."""
    found = difference(tmp_path, {**BIDDING, TOOK: f"{TOOK}\n{rules}"})
    assert found.how == "outcome" or "not decided" in found.words, found.words
