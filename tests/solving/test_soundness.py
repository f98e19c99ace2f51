"""No false claim is proved because of bounds, limits, dropped rules, other claims or simultaneous decisions."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.heap_game import ACTION, CANDIDATE, HEAD, SHIFT, TOOK
from support.opened import changed
from support.proofs import examined, of_positions, report_on, statuses

from kaiser_logic.engine.invariants import invariants, whole
from kaiser_logic.errors import FaultyRulebook, NotDecided
from kaiser_logic.game import Game, load
from kaiser_logic.solving.goals import ALWAYS
from kaiser_logic.solving.questions import TransitionResult
from kaiser_logic.solving.report import Proof
from kaiser_logic.solving.rounds import base

pytestmark = pytest.mark.by_hand

COUNTED = "counted(taken,2)."


def verdicts(game: Game, *wanted: str) -> dict[str, str]:
    """The verdicts on these claims, or on all."""
    return statuses(report_on(game, *wanted))


def taking(game: Game, *goals: str) -> TransitionResult:
    """The verdicts of the induction step for taking stones, without random games."""
    return examined(game, "take(K)", *(goals or (*invariants(game.ruleset).assumed, *ALWAYS)))


def fallen(result: TransitionResult) -> set[str]:
    """The claims that fall, or parts of which fall."""
    return set(map(whole, result.broken))


def of_one_file(folder: Path, text: str, engine: str = '"table"') -> Game:
    """A game for two players in one file."""
    target = folder / "small"
    target.mkdir()
    (target / "game.toml").write_text(
        'id = "small"\ntitle = "Small"\nroles = ["red", "green"]\nplayers = [2, 2]\ndefault_players = 2\n'
        'files = ["rules"]\n'
        f'engine = [{engine}]\n[editions]\nstandard = "as it is"\n'
    )
    head = """
%! rule go -- Who leads goes or waits.
%!   why       it is not {R}'s turn
%!   standard  everywhere
fluent(seat(R,I)) :- seat(R,I).
fluent(won(R)) :- player(R).
fluent(idle).
"""
    (target / "rules.lp").write_text(head + text)
    return load(target)


# -- totals --------------------------------------------------------------------------------------------------------------

FLAGS = "counted(taken,2). fluent(flag(1..3)). limit(flags,0,1). counts(flags,flag(I),1) :- flag(I)."
LEAKS = {
    "a mark of three arguments": {
        SHIFT: SHIFT + " gain(taken(R),1,gift(R,heap,K)) :- does(R,take(K)), K > 2."
    },
    "a mark of one argument": {
        SHIFT: SHIFT + " lose(taken(R),1,toll(R)) :- does(R,take(K)), taken(R,_), K > 2."
    },
    "a mark of the form that shifts have": {
        SHIFT: SHIFT + " gain(taken(R),1,into(R,K)) :- does(R,take(K)), K > 2."
    },
    "a string for a mark": {SHIFT: SHIFT + ' gain(taken(R),1,"take") :- does(R,take(2)).'},
    "a mark from another rule": {
        SHIFT: SHIFT + " gain(taken(R),1,V) :- present(R,V). present(R,into(a,K)) :- does(R,take(K)), K > 2."
    },
    "a counter that is added and deleted": {
        SHIFT: "shift(heap,taken(R),K,taken) :- does(R,take(K)), K < 3.\n"
        "del(heap(N)) :- does(R,take(3)), heap(N).\nadd(heap(N-3)) :- does(R,take(3)), heap(N), N >= 3."
    },
    "plain facts that are counted": {SHIFT: SHIFT + " add(flag(K)) :- does(R,take(K)).", COUNTED: FLAGS},
    "pieces": {
        SHIFT: SHIFT + " gain(flag(K),1,take) :- does(R,take(K)), not flag(K).",
        COUNTED: FLAGS + " unit(flag,1).",
    },
    "counted through another predicate": {
        SHIFT: "lose(heap,K,taken) :- does(R,take(K)).",
        "counts(stones,heap,N)     :- heap(N).": "counts(stones,heap,N) :- pile(N). pile(N) :- heap(N).",
    },
    "a total that is not proportional": {
        COUNTED: COUNTED + " limit(squares,0,150). counts(squares,taken(R),N*N) :- taken(R,N).",
        "fluent(taken(R,1..12))    :- player(R).": "fluent(taken(R,1..14)) :- player(R).",
        SHIFT: SHIFT + " gain(taken(R),1,bonus) :- does(R,take(3)), taken(R,12).",
        "limit(stones,12,12).": "limit(stones,0,14).",
    },
    "a debt": {
        COUNTED: COUNTED + " counted(debt,2). fluent(debt(R,1..9)) :- player(R). limit(rest,0,12). "
        "counts(rest,taken(R),N) :- taken(R,N). counts(rest,debt(R),-N) :- debt(R,N).",
        SHIFT: SHIFT + " gain(debt(R),5,take) :- does(R,take(3)).",
    },
    "two weights by two rules": {
        COUNTED: COUNTED + " limit(worth,0,24). counts(worth,heap,2*N) :- heap(N). "
        "counts(worth,taken(R),N) :- taken(R,N). counts(worth,taken(R),2*N) :- taken(R,N)."
    },
    "two weights by one rule": {
        COUNTED: COUNTED + " weight(1..2). limit(worth,0,24). counts(worth,heap,2*N) :- heap(N). "
        "counts(worth,taken(R),W*N) :- taken(R,N), weight(W)."
    },
}


@pytest.mark.sample(5)
@pytest.mark.parametrize("changes", LEAKS.values(), ids=LEAKS)
def test_every_change_of_a_total_is_noticed(tmp_path: Path, changes: dict[str, str]) -> None:
    game = changed(tmp_path, changes)
    if any("into(" in line for line in changes.values()):  # marks of this form are not decided
        with pytest.raises(NotDecided, match="the mark of a shift"):
            taking(game)
        return
    finding = taking(game)
    assert "limit" in fallen(finding)
    assert all(example.replayed for example in finding.broken.values())


@pytest.mark.slow
def test_a_weight_that_is_not_a_number_counts_nothing(tmp_path: Path) -> None:
    """The rule has R by mistake for N, and a sum ignores it. This was an internal error."""
    measure = "limit(worth,12,12). counts(worth,heap,N) :- heap(N). counts(worth,taken(R),R) :- taken(R,N)."
    game = changed(tmp_path, {COUNTED: f"{COUNTED} {measure}"})
    later = game.initial().apply({"red": "take(3)"})
    assert ("limit", "worth") in game.evaluator.broken_invariants(later.symbols)
    assert verdicts(game)["limit"] == "falls"


@pytest.mark.parametrize("thing", ["R", '"heap"', "p(R)", "(R,N)"])
@pytest.mark.parametrize("most", [11, 12])
def test_what_a_measure_counts_may_have_no_name(tmp_path: Path, thing: str, most: int) -> None:
    """Seats are numbers here. A number or a text as what is counted was an error without a word."""
    seats = {"R": "I", "p(R)": "p(I)"}.get(thing, thing)
    measure = f"limit(worth,0,{most}). counts(worth,{seats},N) :- taken(R,N), seat(R,I)."
    finding = taking(changed(tmp_path, {COUNTED: f"{COUNTED} {measure}"}))
    assert ("limit" in fallen(finding)) == (most < 12)


COUNTS = {
    "a stated counter loses its value": {
        SHIFT: SHIFT.replace("take(K)).", "take(K)), K < 3.") + " del(heap(N)) :- does(R,take(3)), heap(N)."
    },
    "a negative gain": {SHIFT: SHIFT + " gain(taken(R),-9,toll) :- does(R,take(3)), taken(R,_)."},
    "a loss by a rule without a seed": {SHIFT: SHIFT + " lose(heap,13,rust) :- taken(green,3)."},
}


@pytest.mark.sample(4)
@pytest.mark.parametrize("changes", COUNTS.values(), ids=COUNTS)
def test_a_counter_without_a_valid_value_is_noticed(tmp_path: Path, changes: dict[str, str]) -> None:
    assert "count" in fallen(taking(changed(tmp_path, changes), "count", "vocabulary"))


def test_a_limit_does_not_excuse_a_counter_if_its_total_is_counted_again(tmp_path: Path) -> None:
    """A limit excuses a counter beyond its range only if the total follows the changes.

    Here a player with nine stones gains nine more, and plain facts fill the heap again. So the total is the sum over the next
    position. Eighteen stones are not a fact there, and only twelve are counted.
    """
    full = "full(R) :- heap(3), taken(R,9). gain(taken(R),9,all) :- does(R,take(_)), full(R)."
    filled = "del(heap(3)) :- does(R,take(_)), full(R). add(heap(12)) :- does(R,take(_)), full(R)."
    finding = taking(changed(tmp_path, {SHIFT: f"{SHIFT[:-1]}, not full(R). {full} {filled}"}))
    assert "vocabulary" in fallen(finding)
    assert finding.broken["vocabulary"].replayed


def test_a_weight_that_is_not_a_number_exceeds_no_limit(tmp_path: Path) -> None:
    """In the order of terms a name is greater than every number, so positions with such a piece were once excluded."""
    worth = "counts(worth,piece(I),W) :- piece(I), worth(I,W). limit(worth,0,3). worth(joker,none)."
    find = "gain(piece(joker),1,find) :- does(R,take(_)), taken(R,6), heap(6), not piece(joker)."
    low = "%! invariant low -- With the joker the heap is not low.\nbroken(low,x) :- piece(joker), heap(N), N < 3.\n"
    changes = {
        COUNTED: f"{COUNTED} fluent(piece(I)) :- worth(I,_). unit(piece,1). {worth}",
        SHIFT: f"{SHIFT} {find}",
        HEAD: low + HEAD,
    }
    finding = taking(changed(tmp_path, changes), "low")
    assert fallen(finding) == {"low"}
    assert finding.broken["low"].replayed


SIZES = {
    "a measure without weight": "limit(air,0,0). counts(air,kept(R),0*N) :- kept(R,N).",
    "a measure of some counters": "limit(some,0,2). counts(some,kept(R),N) :- kept(R,N), not took(R).",
    "a measure with debts": "limit(rest,0,2). counts(rest,kept(R),N) :- kept(R,N). counts(rest,heap,-N) :- heap(N).",
}


@pytest.mark.sample(4)
@pytest.mark.parametrize("measure", SIZES.values(), ids=SIZES)
def test_a_limit_bounds_only_what_it_counts(tmp_path: Path, measure: str) -> None:
    """A counter with a maximum of two is gained again and again."""
    changes = {
        COUNTED: f"counted(taken,2). counted(kept,2). fluent(kept(R,1..2)) :- player(R). {measure}",
        SHIFT: SHIFT + " gain(kept(R),1,take) :- does(R,take(2)).",
    }
    assert "vocabulary" in fallen(taking(changed(tmp_path, changes), "vocabulary"))


@pytest.mark.slow
def test_a_counter_without_a_value_at_the_start_is_noticed(tmp_path: Path) -> None:
    game = changed(tmp_path, {COUNTED: COUNTED + " stated(far,2). fluent(far(R,0..2)) :- player(R)."})
    found = verdicts(game)
    assert found["count"] == "falls"
    assert "proved" not in found.values()


def test_a_piece_may_not_be_lost_twice(tmp_path: Path) -> None:
    """The position would lose one piece, and the total two."""
    game = changed(
        tmp_path,
        {
            COUNTED: FLAGS.replace("limit(flags,0,1)", "limit(flags,1,3)") + " unit(flag,1).",
            SHIFT: SHIFT + " lose(flag(K),1,one) :- does(R,take(K)), flag(K)."
            " lose(flag(K),1,other) :- does(R,take(K)), flag(K).",
            "init(heap(12)).": "init(heap(12)). init(flag(1..3)).",
        },
    )
    assert "count" in fallen(taking(game))


def test_a_loss_beyond_the_range_is_noticed(tmp_path: Path) -> None:
    game = changed(
        tmp_path,
        {
            SHIFT: SHIFT + " lose(heap,20,all) :- does(R,take(3)).",
            HEAD: "%! invariant light -- The total is small.\nbroken(light,x) :- total(stones,N), N > 12.\n"
            + HEAD,
        },
    )
    assert "count" in fallen(taking(game, "count"))


@pytest.mark.slow
@pytest.mark.parametrize(
    "change", ["gain(kept(R),9,take) :- does(R,take(2)).", "lose(kept(R),9,take) :- does(R,take(2))."]
)
def test_a_change_by_more_than_all_values_proves_nothing(tmp_path: Path, change: str) -> None:
    """In an open position changes are represented only within the range of a counter. One below 0 is 0, as in a game."""
    kept = "counted(taken,2). counted(kept,2). fluent(kept(R,1..2)) :- player(R)."
    kept += " init(kept(R,2)) :- player(R)."
    invariant = "%! invariant keeps -- Everybody keeps two.\nbroken(keeps,R) :- player(R), not kept(R,2).\n"
    found = verdicts(changed(tmp_path, {COUNTED: kept, SHIFT: f"{SHIFT} {change}", HEAD: invariant + HEAD}))
    assert found["keeps"] != "proved"
    assert "proved" not in found.values() or found["count of kept"] == "undecided"


def test_a_limit_that_falls_takes_only_what_rests_on_it(tmp_path: Path) -> None:
    """``light`` needs the limit. All others are proved without it, as ``full`` is, with what the vocabulary allows."""
    more = "%! invariant light -- Few flags.\nbroken(light,x) :- total(flags,N), N > 1.\n"
    more += "%! invariant full -- No more than all.\nbroken(full,x) :- total(flags,N), N > 3.\n"
    found = verdicts(changed(tmp_path, {**LEAKS["pieces"], HEAD: more + HEAD}))
    assert found.pop("limit of flags") == found.pop("light") == "falls"
    assert set(found.values()) == {"proved"}


# -- rules without a seed ------------------------------------------------------------------------------------------------

SEEDLESS = {
    "no shift": {SHIFT: "lose(heap,K,out) :- does(R,take(K)). gain(taken(R),K+1,took) :- does(R,take(K))."},
    "a gain that depends only on the position": {
        SHIFT: "lose(heap,K,out) :- does(R,take(K)). gain(taken(R),K+1,took) :- does(R,take(K))."
        " gain(heap,0,nothing) :- heap(12)."
    },
}


@pytest.mark.sample(4)
@pytest.mark.parametrize("changes", SEEDLESS.values(), ids=SEEDLESS)
def test_changes_by_rules_without_a_seed_are_noticed(tmp_path: Path, changes: dict[str, str]) -> None:
    assert "limit" in fallen(taking(changed(tmp_path, changes)))


# -- simultaneous decisions and steps ------------------------------------------------------------------------------------

LEAD = """
step(tick). step(tock).
out_of_turn(lead,"go"). out_of_turn(follow,"go").
action(lead,go). action(lead,wait). action(follow,come). action(follow,stay).
fluent(decision(R,lead;R,follow)) :- player(R).
candidate(R,go) :- decision(R,lead).
candidate(R,wait) :- decision(R,lead).
candidate(R,come) :- decision(R,follow).
candidate(R,stay) :- decision(R,follow).
%! invariant nobody -- Nobody wins.
broken(nobody,R) :- won(R).
"""
SEVERAL = {
    "two decisions": "init(decision(R,lead)) :- seat(R,1). init(decision(R,follow)) :- seat(R,2)."
    " add(won(R)) :- does(R,go), does(_,come).",
    "two kinds at one decision": "init(decision(R,lead)) :- seat(R,_). add(won(R)) :- does(R,go), does(_,wait).",
    "two steps": "init(decision(R,lead)) :- seat(R,1). add(due(tick)) :- does(_,go). add(due(tock)) :- does(_,go)."
    " add(won(R)) :- due(tick), due(tock), seat(R,1).",
    "a step that reads a decision": "init(decision(R,lead)) :- seat(R,1). add(due(tick)) :- does(_,go)."
    " add(decision(R,follow)) :- does(R,go). add(won(R)) :- due(tick), decision(R,follow).",
}


@pytest.mark.slow
@pytest.mark.sample(4)
@pytest.mark.parametrize("rules", SEVERAL.values(), ids=SEVERAL)
def test_simultaneous_decisions_and_steps_are_not_overlooked(tmp_path: Path, rules: str) -> None:
    found = verdicts(of_one_file(tmp_path, LEAD + rules))
    assert "proved" not in found.values()
    assert found["exclusive"] == "undecided"
    assert found["nobody"] == "falls"  # a random game shows it


@pytest.mark.slow
def test_simultaneous_decisions_after_a_long_game_are_not_overlooked(tmp_path: Path) -> None:
    """Only the induction finds that two may decide. No short game leads there."""
    rules = """init(decision(R,lead)) :- seat(R,1). init(far(0)). fluent(far(0..99)). stated(far,1).
gain(far,1,go) :- does(_,go), far(N), N < 99.
add(decision(R,lead)) :- does(R,go), far(N), N < 98.
add(decision(R,lead)) :- does(_,go), far(98), player(R).
add(won(R)) :- does(R,go), does(_,wait)."""
    found = verdicts(of_one_file(tmp_path, LEAD + rules))
    assert found["exclusive"] == "undecided"
    assert found["nobody"] == "undecided"


# -- unlimited numbers ---------------------------------------------------------------------------------------------------

SCORE = {
    COUNTED: "counted(taken,2). stated(score,2). fluent(score(R,N)) :- player(R), number(N).",
    SHIFT: SHIFT + " gain(score(R),K,take) :- does(R,take(K)).",
    "init(heap(12)).": "init(heap(12)). init(score(R,0)) :- player(R).",
}
BEYOND = {
    "a threshold above the bound": "broken(more,R) :- score(R,N), N > 30.",
    "a threshold in another rule": "broken(more,R) :- rich(R). rich(R) :- score(R,N), much(M), N > M. much(40).",
    "a difference": "broken(more,R) :- score(R,N), score(Q,M), N > M+35.",
    "a sum": "broken(more,x) :- #sum{ N,R : score(R,N) } > 50.",
}


def test_a_threshold_in_a_rule_about_the_next_position_is_noticed(tmp_path: Path) -> None:
    """The rule of the invariant cannot fire before the move, since no step is due there. Its 30 was once ignored."""
    more = "%! invariant more -- Not so many.\nbroken(more,R) :- due(pass_on), score(R,N), N > 30.\n"
    finding = taking(changed(tmp_path, {**SCORE, HEAD: more + HEAD}), "more")
    assert fallen(finding) == {"more"}
    assert finding.broken["more"].replayed


@pytest.mark.slow
def test_a_number_with_a_limit_above_the_bound_is_not_proved(tmp_path: Path) -> None:
    """The sort ends at 7, which can be exceeded. Open positions have no numbers as large as that."""
    changes = {**SCORE, COUNTED: SCORE[COUNTED].replace("number(N).", "number(N), N < 8.")}
    found = verdicts(changed(tmp_path, changes))
    assert "proved" not in found.values()


@pytest.mark.slow
def test_actions_with_unlimited_numbers_are_not_proved(tmp_path: Path) -> None:
    """The bids cannot all be listed, so their effects are not decided."""
    bid = "%! rule bid -- Bids.\n%!   why       no\n%!   standard  none\ncandidate(R,bid(N)) :- decision(R,take), amount(N).\n"
    changes = {
        ACTION: "action(take,take(K)) :- amount(K). action(take,bid(N)) :- number(N).",
        "%! rule pass_on": bid
        + "add(due(pass_on)) :- does(R,bid(N)), N < 200.\nadd(took(R)) :- does(R,bid(N)), N < 200.\n"
        "del(took(Q)) :- does(R,bid(N)), took(Q), Q != R.\n%! rule pass_on",
    }
    found = verdicts(changed(tmp_path, changes))
    assert "proved" not in found.values()


def test_a_deadlock_is_not_decided_if_legal_actions_are_not_listed(tmp_path: Path) -> None:
    """A role without listed actions may still have a legal action that is not listed."""
    found = verdicts(changed(tmp_path, {CANDIDATE: CANDIDATE.replace("amount(K)", "amount(K), heap(12)")}))
    assert found["enumeration"] == "falls"
    assert found["legal action at take"] == "undecided"


def test_an_action_outside_its_sort_does_not_prevent_a_deadlock(tmp_path: Path) -> None:
    """The rules offer taking nine, which is not an action of the game. No other action is legal with nine stones."""
    nine = "candidate(R,take(9)) :- decision(R,take), heap(9)."
    less = 'violates(R,take(K),"take") :- candidate(R,take(K)), heap(9), K < 9.'
    game = changed(tmp_path, {CANDIDATE: f"{CANDIDATE}\n{nine}\n{less}"})
    assert of_positions(game, "legal action at take").verdict == "falls"


@pytest.mark.slow
def test_a_deadlock_beyond_the_bound_is_found(tmp_path: Path) -> None:
    rule = 'violates(R,take(K),"take.enough") :- candidate(R,take(K)), score(R,N), N > 20.'
    changes = {
        **SCORE,
        "holds_at_least(1..N)         :- heap(N), N > 0.": f"holds_at_least(1..N) :- heap(N), N > 0.\n{rule}",
    }
    found = verdicts(changed(tmp_path, changes))
    assert found["legal action at take"] == "falls"


@pytest.mark.slow
@pytest.mark.sample(4)
@pytest.mark.parametrize("rule", BEYOND.values(), ids=BEYOND)
def test_numbers_beyond_the_bound_are_not_ignored(tmp_path: Path, rule: str) -> None:
    more = f"%! invariant more -- Not so many.\n{rule}\n"
    found = verdicts(changed(tmp_path, {**SCORE, HEAD: more + HEAD}))
    assert found.pop("more") != "proved"
    assert "falls" not in found.values()


@pytest.mark.slow
def test_invariants_that_hold_for_all_larger_numbers_are_proved(tmp_path: Path) -> None:
    """Rules that ask whether a number is stated or positive treat all larger numbers alike."""
    more = "%! invariant score_stated -- All scores are stated.\nbroken(score_stated,R) :- player(R), not score(R,_).\n"
    few = "%! invariant waits -- Nobody has points before he took.\nbroken(waits,R) :- heap(12), score(R,N), N > 0.\n"
    found = verdicts(changed(tmp_path, {**SCORE, HEAD: more + few + HEAD}))
    assert set(found.values()) == {"proved"}


# -- stated sums ---------------------------------------------------------------------------------------------------------

SAME = "%! invariant same -- They are equal.\nbroken(same,R) :- others(R,N), others(R,M), N < M.\nbound(others,12).\n"
SUMS = {
    "a local variable": "others(R,N) :- player(R), player(Q), Q != R, bound(others,I), N <= I,"
    " N = #sum{ M : taken(Q,M) }.",
    "two rules": "others(x,N) :- bound(others,I), N <= I, N = #sum{ M : taken(red,M) }."
    " others(x,N) :- bound(others,I), N <= I, N = #sum{ M : taken(green,M) }.",
}


@pytest.mark.parametrize("rule", SUMS.values(), ids=SUMS)
def test_a_stated_sum_may_have_several_values(tmp_path: Path, rule: str) -> None:
    changes = {HEAD: f"{SAME}{rule}\n{HEAD}", "default_players = 2": "default_players = 3"}
    assert fallen(taking(changed(tmp_path, changes), "same")) == {"same"}


def test_a_sum_that_must_be_smaller_than_its_bound_may_not_reach_it(tmp_path: Path) -> None:
    """With ``N < I`` nothing is derived for a sum of I, although all stones may be taken."""
    rule = "bound(most,12).\nmost(N) :- bound(most,I), N < I, N = #sum{ M,R : taken(R,M) }.\n"
    assert of_positions(changed(tmp_path, {HEAD: rule + HEAD}), "bound of most").verdict == "falls"


# -- claims that rest on other claims ------------------------------------------------------------------------------------

FALSE = """%! invariant aaa -- The heap is never below six.
broken(aaa,x) :- heap(N), N < 6.
%! invariant bbb -- Nobody has taken anything.
broken(bbb,R) :- taken(R,N), N > 0.
"""


@pytest.mark.slow
@pytest.mark.sample(3)
@pytest.mark.parametrize("wanted", [(), ("aaa",), ("one_taker",)])
def test_no_proof_rests_on_a_false_invariant(tmp_path: Path, wanted: tuple[str, ...]) -> None:
    report = report_on(changed(tmp_path, {HEAD: FALSE + HEAD}), *wanted)
    assert not report.proved
    found = statuses(report)
    assert report.unproved == {"aaa": "falls", "bbb": "falls"}
    assert {found.pop(c) for c in ("aaa", "bbb")} == {"falls"}
    assert set(found.values()) <= {"proved"}  # as without the two false invariants
    assert report.never_legal == []  # a false invariant would make actions impossible


@pytest.mark.slow
def test_a_range_is_checked_as_a_claim(tmp_path: Path) -> None:
    game = changed(
        tmp_path,
        {
            "limit(stones,12,12).": "limit(stones,12,12). range(most_taken,0,3)."
            " counts(most_taken,taken(R),N) :- taken(R,N)."
        },
    )
    found = verdicts(game)
    assert {c for c, status in found.items() if status != "proved"} == {"range of most_taken"}


@pytest.mark.slow
@pytest.mark.sample(2)
@pytest.mark.parametrize(("most", "status"), [(12, "proved"), (11, "falls")])
def test_each_of_several_ranges_is_checked(tmp_path: Path, most: int, status: str) -> None:
    ranges = f"range(most_taken,0,12). counts(most_taken,taken(R),N) :- taken(R,N). range(left,0,{most})."
    game = changed(
        tmp_path,
        {"limit(stones,12,12).": f"limit(stones,12,12). {ranges} counts(left,heap,N) :- heap(N)."},
    )
    assert verdicts(game).get("range of left", "proved") == status


def test_a_predicate_of_the_encoding_is_refused(tmp_path: Path) -> None:
    light = "%! invariant light -- It is light.\nbroken(light,x) :- wide(12).\nwide(N) :- heap(N), N > 12."
    with pytest.raises(FaultyRulebook, match="proofs have wide/1 for what is their own"):
        changed(tmp_path, {HEAD: f"{light}\n{HEAD}"})


@pytest.mark.slow
def test_invariants_that_are_false_at_the_start_are_dropped(tmp_path: Path) -> None:
    """With them no game would have a valid position, and no game could refute anything."""
    more = "%! invariant aaa -- Nobody decides.\nbroken(aaa,R) :- decision(R,take).\n"
    more += "%! invariant bbb -- Nobody takes.\nbroken(bbb,R) :- took(R).\n"
    report = report_on(changed(tmp_path, {HEAD: more + HEAD}))
    found = statuses(report)
    assert {found.pop(c) for c in ("aaa", "bbb")} == {"falls"}
    assert set(found.values()) == {"proved"}


def test_the_position_before_the_first_step_is_checked(tmp_path: Path) -> None:
    """A step at the start removes the fact that breaks the invariant before anybody decides."""
    first = "init(due(deal)). init(fresh). fluent(fresh). step(deal). del(fresh) :- due(deal)."
    decides = "add(decision(R,take)) :- due(deal), seat(R,1)."
    dealt = "%! invariant dealt -- It is dealt.\nbroken(dealt,x) :- fresh.\n"
    changes = {"init(decision(R,take)) :- seat(R,1).": f"{first} {decides}", HEAD: dealt + HEAD}
    game = changed(tmp_path, changes)
    assert not game.initial().broken()
    proofs = {name: Proof(name, "", "invariant") for name in ("dealt", "heap_stated")}
    base(game.evaluator, lambda name, example: proofs[name].falls(example))
    assert {name: proof.status for name, proof in proofs.items()} == {
        "dealt": "falls",
        "heap_stated": "proved",
    }


# -- parts of questions that must not be left out ----------------------------------------------------------------------

VOTES = """
fluent(decision(R,(vote;rest))) :- player(R).
fluent(for;against).
simultaneous(vote).
out_of_turn(vote,"go").
out_of_turn(rest,"go").
init(decision(red,rest)).
candidate(R,(yes;no)) :- decision(R,vote).
candidate(R,nap) :- decision(R,rest).
add(for) :- does(_,yes).
add(against) :- does(_,no).
del(decision(R,D)) :- does(R,_), decision(R,D).
goal(R,1) :- player(R), won(R).
%! invariant fresh -- At a vote nobody has voted yet.
broken(fresh,R) :- decision(R,vote), for.
broken(fresh,R) :- decision(R,vote), against.
%! invariant agreed -- They never disagree.
broken(agreed,x) :- for, against.
"""


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    "declared",
    [
        "action(vote,yes).\naction(vote,no).\naction(rest,nap).",
        "action(vote,yes).\naction(rest,nap).\naction(vote,no).",
    ],
)
def test_simultaneous_actions_are_examined_wherever_they_are_declared(tmp_path: Path, declared: str) -> None:
    """No game leads to a vote, but there are valid positions with one."""
    assert verdicts(of_one_file(tmp_path, VOTES + declared), "agreed")["agreed"] == "falls"


SETS = """
fluent(decision(R,(lay;rest))) :- layer(R).
fluent(hand(R,sword,1..2)) :- layer(R).
fluent(laid).
layer(red;chance).
thing(sword,1,2).
counted(hand,3).
simultaneous(lay).
out_of_turn(lay,"go").
out_of_turn(rest,"go").
init(decision(red,rest)).
action(lay,lay(M)) :- set(M).
action(rest,nap).
picker(R) :- decision(R,lay).
pickable(R,C,1..N) :- decision(R,lay), hand(R,C,N).
candidate(R,lay(M)) :- decision(R,lay), pick(R,M).
candidate(R,nap) :- decision(R,rest).
listed(M) :- candidate(_,lay(M)).
violates(R,lay(M),"go") :- candidate(R,lay(M)), part(M,C,N), not pickable(R,C,N).
add(laid) :- does(red,lay(M)), part(M,sword,_).
del(decision(R,D)) :- does(R,_), decision(R,D).
%! invariant together -- Chance lays with red.
broken(together,R) :- decision(_,lay), layer(R), not decision(R,lay).
%! invariant unarmed -- Red lays no sword.
broken(unarmed,x) :- laid.
"""


def test_chance_may_lay_a_set_like_the_players(tmp_path: Path) -> None:
    """In a simultaneous decision chance once had no set to choose, so that nobody could lay anything."""
    game = of_one_file(tmp_path, SETS, '"table", "sets"')
    finding = examined(game, "lay", "unarmed")
    assert finding.possible
    assert fallen(finding) == {"unarmed"}
    assert game.find(
        "legal(chance,lay(with(1,sword,none)))"
    )  # once only the seated players had names for sets
    assert finding.broken["unarmed"].replayed


@pytest.mark.parametrize(
    "some",
    [
        "take(2..3)",
        "take((2;3))",
        "take(2;3)",
        "(take(2);take(3))",
        "take(K+1)), amount(K",
        "take(4-K)), K=(1;2",
    ],
)
def test_calculated_actions_in_effects_are_evaluated(some: str, tmp_path: Path) -> None:
    """The rule does not mark a player who takes one stone, so there may be no mark afterwards."""
    game = changed(tmp_path, {TOOK: f"add(took(R)) :- does(R,{some})."})
    assert "one_taker" in fallen(taking(game, "one_taker"))
