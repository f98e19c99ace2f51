"""`compare` never claims "no difference" wrongly: it finds the difference, or says what was not compared."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import heap_game
from support.heap_game import ACTION, ENOUGH, SCORED, SHIFT, STATED, TOOK, variant
from support.limits import NO_END

from kaiser_logic.cli import main
from kaiser_logic.comparison import compare as compare_module
from kaiser_logic.comparison.compare import compare
from kaiser_logic.comparison.differences import Difference
from kaiser_logic.errors import NotDecided
from kaiser_logic.game import Game, load

WITH_RULING = {
    "[editions]\n": '[editions]\nother = "another one"\n',
    "[rulings.last_stone]": '[rulings.how]\nabout = "How."\nvalues = { plain = "so", odd = "otherwise" }\n'
    'standard = "plain"\nother = "odd"\n\n[rulings.last_stone]',
    'standard = "wins"': 'standard = "wins"\nother = "wins"',
}
"""Changes that add a ruling ``how``."""
START = "init(decision(R,take)) :- seat(R,1)."
NOT_COMPARED = "not decided, because positions that are valid under one of them only were not compared"
LISTS = "not decided, because the lists of candidates were not compared"


def difference(folder: Path, changes: dict[str, str]) -> Difference:
    """The difference that the ruling ``how`` makes in a variant of the heap game."""
    game = variant(folder, {**WITH_RULING, **changes})
    (found,) = compare(load(game), load(game, options={"how": "odd"}), NO_END, 1)
    assert found.ruling.name == "how"
    return found


@pytest.mark.parametrize(
    ("plain", "odd"),
    [("ruling(how,plain)", "ruling(how,odd)"), ("not ruling(how,odd)", "not ruling(how,plain)")],
    ids=["positive", "negative"],
)
def test_another_first_player_is_a_difference_at_the_start(tmp_path: Path, plain: str, odd: str) -> None:
    start = f"init(decision(R,take)) :- seat(R,1), {plain}.\ninit(decision(R,take)) :- seat(R,2), {odd}."
    found = difference(tmp_path, {START: start})
    assert found.how == "start"
    assert "with plain decision(red,take); with odd decision(green,take)" in found.words


def test_another_number_of_stones_is_a_difference_at_the_start(tmp_path: Path) -> None:
    found = difference(
        tmp_path,
        {
            "init(heap(12)).": "init(heap(12)) :- ruling(how,plain).\ninit(heap(13)) :- ruling(how,odd).",
            "fluent(heap(0..12)).": "fluent(heap(0..12)).\nfluent(heap(13)) :- ruling(how,odd).",
            "limit(stones,12,12).": "limit(stones,12,12) :- ruling(how,plain).\n"
            "limit(stones,13,13) :- ruling(how,odd).",
        },
    )
    assert found.how == "start"
    assert "with plain heap(12); with odd heap(13)" in found.words


def test_another_vocabulary_is_a_difference_without_a_record(tmp_path: Path) -> None:
    """The start is the same, but a fact is possible with one value only."""
    found = difference(
        tmp_path, {"fluent(heap(0..12)).": "fluent(heap(0..12)).\nfluent(heap(13)) :- ruling(how,odd)."}
    )
    assert found.how == "vocabulary"
    assert "with odd heap(13)" in found.words
    assert found.record is None


@pytest.mark.parametrize(
    "condition",
    ["not ruling(how,plain)", "ruling(how,V), V != plain", "#count { V : ruling(how,V), V = odd } = 1"],
)
def test_a_ruling_in_any_form_of_literal_is_found(tmp_path: Path, condition: str) -> None:
    found = difference(
        tmp_path,
        {ENOUGH: f'{ENOUGH}\nviolates(R,take(3),"take") :- candidate(R,take(3)), heap(7), {condition}.'},
    )
    assert found.how == "legality"
    assert found.position is not None and "heap(7)" in found.position.facts


def test_an_action_that_only_one_value_has_is_found(tmp_path: Path) -> None:
    found = difference(
        tmp_path,
        {
            "amount(1..3).": "amount(1..3).\namount(4) :- ruling(how,odd).",
        },
    )
    assert found.how in ("start", "legality")
    assert "take(4)" in found.words


def test_a_step_that_reads_decisions_is_compared(tmp_path: Path) -> None:
    found = difference(
        tmp_path,
        {
            '"decisions", "end"]': '"end"]',
            "fluent(decision(R,take))  :- player(R).": "fluent(decision(R,take;R,doze)) :- player(R).\n"
            "fluent(dozing(R)) :- player(R).",
            ACTION: "action(take,take(K)) :- amount(K).\naction(doze,doze).",
            TOOK: f"{TOOK}\nadd(decision(Q,doze)) :- does(R,take(3)), left(R,Q).\n"
            "add(dozing(Q)) :- due(pass_on), decision(Q,doze), ruling(how,odd).\n"
            'candidate(R,doze) :- decision(R,doze).\nout_of_turn(doze,"take").',
        },
    )
    assert found.how == "outcome"
    assert "dozing" in found.words


@pytest.mark.slow
def test_each_sequence_that_leads_to_a_step_is_compared(tmp_path: Path) -> None:
    """The step `tally` follows `almost` or `better`, and it makes a difference only after `better`."""
    found = difference(
        tmp_path,
        {
            "step(pass_on).": "step(pass_on;almost;better;tally).",
            "fluent(took(R))           :- player(R).": "fluent(took(R)) :- player(R).\nfluent(by(better;tally)).",
            TOOK: f"{TOOK}\n"
            "add(due(almost)) :- due(pass_on), heap(6).\n"
            "add(due(better)) :- due(pass_on), heap(7).\n"
            "add(by(better)) :- due(better).\n"
            "add(due(tally)) :- due(almost).\n"
            "add(due(tally)) :- due(better).\n"
            "add(by(tally)) :- due(tally), by(better), ruling(how,odd).\n"
            "del(by(better)) :- due(tally), by(better).",
            STATED: f"{STATED}\nbroken(heap_stated,by) :- by(better).",
        },
    )
    assert found.how == "outcome"
    assert "by(tally)" in found.words


@pytest.mark.slow
def test_another_end_of_the_game_is_a_different_result(tmp_path: Path) -> None:
    """In some position the game is over with one value and goes on with the other."""
    found = difference(
        tmp_path,
        {
            '"phases", "decisions", "end"]': '"phases"]\nexports = []',
            TOOK: f"{TOOK}\nterminal :- phase(over).\nterminal :- heap(0), ruling(how,odd).\n"
            "winner(R) :- goal(R,1).",
        },
    )
    assert found.how == "result"


@pytest.mark.parametrize(
    ("odd", "plain"),
    [("level(K+1)", "level(K)"), ("level(4) :- does(_,take(3))", "level(1) :- does(_,take(1))")],
)
def test_facts_outside_the_vocabulary_are_a_different_outcome(tmp_path: Path, odd: str, plain: str) -> None:
    """No next position that follows an open position has such a fact. Once the difference was missed."""
    rules = "\n".join(
        f"add({fact}) :- {body or 'does(_,take(K))'}, ruling(how,{value})."
        for value, (fact, _, body) in (("odd", odd.partition(" :- ")), ("plain", plain.partition(" :- ")))
    )
    levels = {"fluent(heap(0..12)).": "fluent(heap(0..12)). fluent(level(1..3))."}
    assert difference(tmp_path, {TOOK: f"{TOOK}\n{rules}", **levels}).how == "outcome"


def test_a_fact_outside_the_vocabulary_with_one_value_only_is_a_different_outcome(tmp_path: Path) -> None:
    rule = "add(level(4)) :- does(_,take(3)), ruling(how,odd)."
    levels = {"fluent(heap(0..12)).": "fluent(heap(0..12)). fluent(level(1..3))."}
    found = difference(tmp_path, {TOOK: f"{TOOK}\n{rule}", **levels})
    assert found.how == "outcome"
    assert "with odd level(4)" in found.words


FOREIGN = {
    "an action of a neighbour": "candidate(R,take(3)), left(R,Q)",
    "an action of no role": "candidate(_,take(Q)), Q = 3",
    "through another predicate": "costly(Q,take(3)). costly(Q,A) :- candidate(R,A), left(R,Q)",
    "through another predicate, from another action": "costly(Q,take(3)). costly(R,take(K+1)) :- candidate(R,take(K)), K < 3",
    "by one of two rules": "costly(Q,take(3)). costly(R,A) :- candidate(R,A). costly(R,take(3)) :- took(R)",
}
OWN = {
    "an equal term": "candidate(Q,A), A = take(3)",
    "the candidate itself": "candidate(Q,take(3))",
    "any action of any player": "player(Q)",
    "through other predicates": "costly(Q,take(3)). costly(R,take(K)) :- taking(R,take(K),K). "
    "taking(R,A,K) :- candidate(R,A), amount(K)",
    "by its parts": "third(Q,3). third(R,K) :- candidate(R,take(K)), amount(K)",
}


def with_violation(folder: Path, body: str) -> tuple[Difference, Game]:
    """The difference, and the odd game, if a violation of a player Q has this body with the value odd only."""
    body, _, more = body.partition(". ")
    rules = f'violates(Q,take(3),"take.enough") :- {body}, heap(7), ruling(how,odd). {more}{"." * bool(more)}'
    return difference(folder, {ENOUGH: f"{ENOUGH}\n{rules}"}), load(folder / "heap", options={"how": "odd"})


@pytest.mark.slow
@pytest.mark.parametrize("body", FOREIGN.values(), ids=FOREIGN)
def test_a_violation_of_an_action_that_is_no_candidate_is_not_decided(tmp_path: Path, body: str) -> None:
    """Such an action would be listed as legal and judged illegal. So there is no list, and no claim of "no difference"."""
    found, game = with_violation(tmp_path, body)
    assert not found.complete or found.how
    with pytest.raises(
        NotDecided, match=r"a violation may concern an action that is not a candidate \(heap/play.lp:"
    ):
        game.initial().legal()


@pytest.mark.sample(4)
@pytest.mark.parametrize("body", OWN.values(), ids=OWN)
def test_a_violation_of_a_candidate_is_a_difference_in_legality(tmp_path: Path, body: str) -> None:
    found, game = with_violation(tmp_path, body)
    assert found.how == "legality"
    assert "take(3)" in game.initial().legal()["red"]


def test_other_weights_of_a_total_are_a_different_outcome(tmp_path: Path) -> None:
    """Once the totals of both games followed the weights of both rulings."""
    found = difference(
        tmp_path,
        {
            "limit(stones,12,12).": "limit(stones,12,12). limit(worth,0,24). fluent(rich).\n"
            "counts(worth,heap,N) :- heap(N). counts(worth,taken(R),N) :- taken(R,N), ruling(how,plain).\n"
            "counts(worth,taken(R),2*N) :- taken(R,N), ruling(how,odd).\n"
            "add(rich) :- due(pass_on), total(worth,N), N > 20.",
        },
    )
    assert found.how == "outcome"
    assert "rich" in found.words


def test_another_gain_is_a_different_outcome(tmp_path: Path) -> None:
    """Only an effect differs."""
    found = difference(
        tmp_path,
        {
            SHIFT: "lose(heap,K,out) :- does(R,take(K)).\n"
            "gain(taken(R),K,took) :- does(R,take(K)), ruling(how,plain).\n"
            "gain(taken(R),K+1,took) :- does(R,take(K)), ruling(how,odd)."
        },
    )
    assert found.how == "outcome"


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    "rule",
    [
        'violates(R,take(3),"take") :- candidate(R,take(3)), points(R,N), N > 30, ruling(how,odd).',
        'violates(R,take(3),"take") :- candidate(R,take(3)), points(R,N), points(Q,M), N > M+70, ruling(how,odd).',
        "score(R,100,x) :- does(R,take(3)), ruling(how,odd).\nscore(R,101,x) :- does(R,take(3)), ruling(how,plain).",
        "lose(points(R),20,x) :- does(R,take(3)), ruling(how,odd).\n"
        "lose(points(R),21,x) :- does(R,take(3)), ruling(how,plain).",
        'violates(R,take(3),"take") :- candidate(R,take(3)), points(R,500), ruling(how,odd).',
        "score(R,N,x) :- does(R,take(3)), points(R,N), N > 20, ruling(how,odd).",
        "rich(R) :- points(R,N), points(Q,M), R != Q, N+M > 40.\n"
        'violates(R,take(3),"take") :- candidate(R,take(3)), rich(R), ruling(how,odd).',
        "add(decision(Q,take)) :- due(pass_on), took(Q), points(Q,N), N > 20, holds_at_least(1), ruling(how,odd).",
    ],
)
def test_numbers_without_a_limit_are_compared_or_not_decided(tmp_path: Path, rule: str) -> None:
    """Each of these rules makes a difference, with more points than any manifest names."""
    found = difference(tmp_path, {**SCORED, TOOK: f"{TOOK}\n{rule}"})
    assert found.how in ("legality", "outcome") or not found.complete
    if not found.how:
        assert "not decided, because" in found.words and "numbers without a limit" in found.words


def test_a_loss_beyond_the_examined_numbers_is_found(tmp_path: Path) -> None:
    """Once such a number was cut off in both games, so that no position showed the difference."""
    losses = ((20, "odd"), (21, "plain"))
    rules = "\n".join(f"lose(points(R),{n},x) :- does(R,take(3)), ruling(how,{v})." for n, v in losses)
    assert difference(tmp_path, {**SCORED, TOOK: f"{TOOK}\n{rules}"}).how in ("legality", "outcome")


def test_a_threshold_of_a_number_without_a_limit_is_a_difference_in_legality(tmp_path: Path) -> None:
    rule = 'violates(R,take(3),"take") :- candidate(R,take(3)), points(R,N), N > 30, ruling(how,odd).'
    found = difference(tmp_path, {**SCORED, TOOK: f"{TOOK}\n{rule}"})
    assert found.how == "legality"
    assert found.position is not None and "points" in " ".join(found.position.facts)


@pytest.mark.slow
def test_a_condition_that_cannot_hold_makes_no_difference(tmp_path: Path) -> None:
    rule = 'violates(R,take(3),"take") :- candidate(R,take(3)), points(R,N), N > 30, N < 20, ruling(how,odd).'
    found = difference(tmp_path, {**SCORED, TOOK: f"{TOOK}\n{rule}"})
    assert (found.how, found.complete) == ("", True)
    assert found.words.startswith("no position tells them apart (compared: the start;")


@pytest.mark.slow
def test_another_result_by_points_is_found(tmp_path: Path) -> None:
    rule = "goal(R,N+1) :- terminal, points(R,N), N > 90, ruling(how,odd)."
    found = difference(tmp_path, {**SCORED, TOOK: f"{TOOK}\n{rule}"})
    assert found.how == "result"


def test_other_invariants_are_not_decided(tmp_path: Path) -> None:
    found = difference(tmp_path, {STATED: f"{STATED}\nbroken(heap_stated,many) :- heap(5), ruling(how,odd)."})
    assert not found.complete
    assert found.words == NOT_COMPARED


def test_other_limits_are_not_decided(tmp_path: Path) -> None:
    """More positions are valid with one of the limits. No rule shows this, as limits are facts."""
    limits = "limit(stones,12,12) :- ruling(how,plain).\nlimit(stones,0,12) :- ruling(how,odd)."
    found = difference(tmp_path, {"limit(stones,12,12).": limits})
    assert found.words == NOT_COMPARED


ONCE = f'{ENOUGH}\nviolates(R,take(1),"take") :- candidate(R,take(1)), heap(1), ruling(how,odd).'


@pytest.mark.parametrize(
    ("changes", "code", "message"),
    [
        ({ENOUGH: ONCE.replace("heap(1)", "heap(0)")}, 0, "no position tells them apart"),
        ({ENOUGH: ONCE}, 1, "illegal with odd"),
        (
            {STATED: f"{STATED}\nbroken(heap_stated,many) :- heap(5), ruling(how,odd)."},
            3,
            "not decided",
        ),
    ],
)
def test_the_exit_code_says_whether_there_is_a_difference(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], changes: dict[str, str], code: int, message: str
) -> None:
    folder = str(variant(tmp_path, {**WITH_RULING, **changes}))
    assert main(["compare", folder, "--editions", "standard,other", "--jobs", "1"]) == code
    assert message in capsys.readouterr().out


TWO_STEPS = {
    "add(due(pass_on))           :- made(_,take).": "add(due(pass_on)) :- made(_,take).\n"
    "add(due(tally))             :- made(_,take).",
    "step(pass_on).": "step(pass_on;tally).\nfluent(rung).",
}
"""Changes by which two steps are due at once after each action."""


def test_an_effect_of_two_steps_at_once_is_not_decided(tmp_path: Path) -> None:
    """A scenario covers one step at a time, so `compare` cannot exclude such an effect."""
    rung = "add(rung) :- due(pass_on), due(tally), heap(12), ruling(how,odd).\n"
    found = difference(tmp_path, {**TWO_STEPS, ENOUGH: rung + ENOUGH})
    assert not found.complete
    assert "several steps that are due at once" in found.words


def test_random_games_find_an_effect_that_no_scenario_has(tmp_path: Path) -> None:
    """If the solver finds nothing, random games are played under both values. They need no scenarios."""
    rung = "add(rung) :- due(pass_on), due(tally), ruling(how,odd).\n"
    found = difference(tmp_path, {**TWO_STEPS, ENOUGH: rung + ENOUGH})
    assert found.how == "outcome"
    assert "rung" in found.words


CHAIN = "\n".join(f"add(due(s{k + 1})) :- due(s{k})." for k in range(7))


@pytest.mark.slow
@pytest.mark.parametrize("last", [pytest.param(2, marks=pytest.mark.long), 3, 7])
def test_an_effect_of_a_late_step_is_not_decided(tmp_path: Path, last: int) -> None:
    """Four steps after an action are compared. Later steps make no difference if they are the same in both games."""
    chain = f"fluent(rung).\nstep(s0;s1;s2;s3;s4;s5;s6;s7).\nadd(due(s0)) :- due(pass_on).\n{CHAIN}"
    rung = f"add(rung) :- due(s{last}), heap(12), ruling(how,odd)."
    found = difference(tmp_path, {TOOK: f"{TOOK}\n{chain}\n{rung}"})
    assert not found.how
    assert found.complete == (last < 3), found.words
    if last >= 3:
        assert "only the first four were compared" in found.words


def test_random_games_find_an_effect_of_two_steps_together(tmp_path: Path) -> None:
    """One step alone has no effect. No open position decides this, but a game shows it."""
    rung = "sound(pass_on) :- due(pass_on).\nsound(tally) :- due(tally).\n"
    rung += "loud :- #count{ S : sound(S) } > 1.\nadd(rung) :- loud, ruling(how,odd).\n"
    found = difference(tmp_path, {**TWO_STEPS, ENOUGH: rung + ENOUGH})
    assert found.how == "outcome"
    assert "rung" in found.words


def test_a_predicate_with_the_suffix_of_the_second_game_is_kept_apart(tmp_path: Path) -> None:
    """Once ``lucky`` of the second game was renamed to ``lucky_b``. It then held there, and the difference was missed."""
    found = difference(
        tmp_path,
        {
            TOOK: "lucky(R) :- player(R), ruling(how,plain).\nlucky_b(R) :- player(R).\n"
            "add(took(R)) :- does(R,take(_)), lucky(R), lucky_b(R)."
        },
    )
    assert found.how == "outcome"


# -- several pending decisions -------------------------------------------------------------------------------

PAIR = Path(heap_game.__file__).parent / "pair"
STEP = "step(bell).\nadd(due(bell)) :- made(_,run).\nadd(rung) :- due(bell), decision(_,nap), ruling(bell,rings)."
BELL = "add(rung)               :- made(_,run), decision(_,nap), ruling(bell,rings)."
RESTS = "init(decision(R,nap))   :- last(R)."


def difference_of_pair(folder: Path, changes: dict[str, str]) -> Difference:
    """The difference that a ruling makes in a variant of a game with two decisions at once."""
    text = (PAIR / "rules.lp").read_text()
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    (folder / "rules.lp").write_text(text)
    (folder / "game.toml").write_text((PAIR / "game.toml").read_text())
    (found,) = compare(load(folder), load(folder, options={"bell": "mute"}), 100.0, 1)
    return found


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    "rule",
    [
        BELL,
        STEP,
        "add(rung) :- does(_,go), does(_,rest), ruling(bell,rings).",
        'violates(R,rest,"nap") :- candidate(R,rest), decision(_,run), rung, ruling(bell,rings).\n'
        "add(rung) :- made(_,run).",
    ],
    ids=["another decision", "a step reads decisions", "two actions", "legality"],
)
def test_effects_of_two_decisions_at_once_are_found(tmp_path: Path, rule: str) -> None:
    """No scenario has both decisions. An invariant of the rulebook with the name of the engine's proves nothing."""
    found = difference_of_pair(tmp_path, {BELL: rule})
    assert found.how, found.words
    assert "rest" in found.words


@pytest.mark.slow
def test_two_decisions_at_once_that_no_game_reaches_are_not_decided(tmp_path: Path) -> None:
    """No game reaches such a position, and no invariant excludes it."""
    found = difference_of_pair(tmp_path, {RESTS: ""})
    assert not found.complete
    assert "several decisions may be pending at once" in found.words


def test_an_invariant_of_the_rulebook_can_exclude_two_decisions_at_once(tmp_path: Path) -> None:
    more = (
        "\n%! invariant alone -- One thing is decided.\nbroken(alone,x) :- #count{ R,D : decision(R,D) } > 1."
    )
    found = difference_of_pair(tmp_path, {RESTS: "", BELL: BELL + more})
    assert found.complete
    assert not found.how


@pytest.mark.parametrize("head", ["presumed", "waived"])
def test_invariants_that_only_one_value_waives_are_not_decided(tmp_path: Path, head: str) -> None:
    """A given position may break the invariant with one value, and not with the other."""
    found = difference(tmp_path, {STATED: f"{STATED}\n{head}(heap_stated) :- ruling(how,odd)."})
    assert found.words == NOT_COMPARED


@pytest.mark.parametrize("rule", ["conceals(R,heap(N))", "instead(R,heap(N))"])
def test_other_concealed_facts_are_not_decided(tmp_path: Path, rule: str) -> None:
    rule = f"{rule} :- player(R), heap(N), N < 5, ruling(how,odd)."
    found = difference(tmp_path, {STATED: f"{STATED}\n{rule}"})
    assert found.words == "not decided, because concealed facts were not compared"


def test_a_sum_of_numbers_without_a_limit_is_not_decided(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rule can never fire, but `compare` does not examine that first."""
    monkeypatch.setattr(compare_module, "_in_games", lambda *_: {})
    condition = "9 = #sum { P,Q: points(Q,P) }"
    rule = f'violates(R,take(3),"take") :- candidate(R,take(3)), heap(N), N < 9, {condition}, took(Q), Q != Q, ruling(how,odd).'
    found = difference(tmp_path, {**SCORED, TOOK: f"{TOOK}\n{rule}"})
    assert found.words.startswith("not decided, because numbers without a limit were examined only up to")


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    "rules",
    [
        "big(R) :- points(R,25..27).",
        pytest.param("big(R) :- points(R,|-25|).", marks=pytest.mark.long),
        "big(R) :- player(R), #count{ 1 : points(R,25..26) } > 0.",
        "held(R,N) :- points(R,N).\nbig(R) :- held(R,24..25).",
        "held(R,N) :- points(R,N), took(R).\nheld(R,25) :- player(R), not took(R).\n"
        "big(R) :- points(R,N), held(R,N), not took(R).",
        "big(R) :- points(R,N), heap(N-20), not heap(N-19).",
    ],
)
def test_numbers_in_any_form_of_term_are_compared_or_not_decided(tmp_path: Path, rules: str) -> None:
    """A rule may match the number with an interval, a calculation or a variable."""
    rule = f'{rules}\nviolates(R,take(3),"take") :- candidate(R,take(3)), big(R), ruling(how,odd).'
    found = difference(tmp_path, {**SCORED, TOOK: f"{TOOK}\n{rule}"})
    assert found.how == "legality" or "numbers without a limit" in found.words, found.words


def test_other_lists_of_candidates_are_not_decided(tmp_path: Path) -> None:
    """With one value an action that breaks no rule with either value is not listed."""
    rule = "candidate(R,take(K))          :- decision(R,take), amount(K)."
    fewer = "candidate(R,take(K)) :- decision(R,take), amount(K), K < 3.\n"
    more = "candidate(R,take(3)) :- decision(R,take), not heap(5).\ncandidate(R,take(3)) :- decision(R,take), ruling(how,odd)."
    found = difference(tmp_path, {rule: fewer + more})
    assert found.words == LISTS


def test_other_limits_of_the_list_of_candidates_are_not_decided(tmp_path: Path) -> None:
    """With one value nothing is listed in some positions."""
    rule = "too_many(R,2) :- decision(R,take), heap(7), ruling(how,odd)."
    found = difference(tmp_path, {TOOK: f"{TOOK}\n{rule}"})
    assert found.words == LISTS


SEALED = Path(heap_game.__file__).parent / "tiny" / "sealed"
TOGETHER = """\
%! rule show.equal -- Not both show up.
%!   why       not both
%!   standard  Showing
violates(R,show(up),"show.equal") :- submitted(R,show(up)), submitted(Q,show(up)), R != Q, ruling(gift,forbidden).
"""


def test_actions_that_are_illegal_only_together_are_found(tmp_path: Path) -> None:
    """Each action is legal by itself. Once they were judged one by one and carried out, which raised an error."""
    for file in SEALED.iterdir():
        (tmp_path / file.name).write_text(file.read_text())
    rules = (SEALED / "rules.lp").read_text()
    (tmp_path / "rules.lp").write_text(rules.replace(", ruling(gift,forbidden)", ", prize(R)") + TOGETHER)
    (found,) = compare(load(tmp_path), load(tmp_path, options={"gift": "forbidden"}), NO_END, 1)
    assert found.how == "legality"
    assert "legal with allowed, illegal with forbidden" in found.words
