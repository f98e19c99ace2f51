"""compare is right or silent: what it does not look at is no "no difference"."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import heap_game
from support.heap_game import SCORED, variant
from support.limits import NO_END

from kaiser_logic.cli import main
from kaiser_logic.comparison import compare as compare_
from kaiser_logic.comparison.compare import compare
from kaiser_logic.comparison.differences import Difference
from kaiser_logic.errors import NotDecided
from kaiser_logic.game import Game, load

RULED = {
    "[editions]\n": '[editions]\nother = "another one"\n',
    "[rulings.last_stone]": '[rulings.how]\nabout = "How."\nvalues = { plain = "so", odd = "otherwise" }\n'
    'standard = "plain"\nother = "odd"\n\n[rulings.last_stone]',
    'standard = "wins"': 'standard = "wins"\nother = "wins"',
}
START = "init(decision(R,take)) :- seat(R,1)."
ENOUGH = 'violates(R,take(K),"take.enough") :- candidate(R,take(K)), heap(N), not holds_at_least(K).'
TOOK = "add(took(R))                 :- does(R,take(_))."
INVARIANT = "broken(heap_stated,x)  :- not heap(_)."


def compared(folder: Path, changes: dict[str, str]) -> Difference:
    """What compare says of the ruling ``how``."""
    game = variant(folder, {**RULED, **changes})
    (difference,) = compare(load(game), load(game, options={"how": "odd"}), NO_END, 1)
    assert difference.ruling.name == "how"
    return difference


def test_who_begins(tmp_path: Path) -> None:
    found = compared(
        tmp_path,
        {
            START: "init(decision(R,take)) :- seat(R,1), ruling(how,plain).\n"
            "init(decision(R,take)) :- seat(R,2), ruling(how,odd)."
        },
    )
    assert found.how == "start"
    assert "with plain decision(red,take); with odd decision(green,take)" in found.words


def test_who_begins_by_what_is_not_so(tmp_path: Path) -> None:
    found = compared(
        tmp_path,
        {
            START: "init(decision(R,take)) :- seat(R,1), not ruling(how,odd).\n"
            "init(decision(R,take)) :- seat(R,2), not ruling(how,plain)."
        },
    )
    assert found.how == "start"


def test_how_many_stones_there_are(tmp_path: Path) -> None:
    found = compared(
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


def test_what_there_can_be(tmp_path: Path) -> None:
    """The start is the same, but something can be with one value only."""
    found = compared(
        tmp_path, {"fluent(heap(0..12)).": "fluent(heap(0..12)).\nfluent(heap(13)) :- ruling(how,odd)."}
    )
    assert found.how == "vocabulary"
    assert "with odd heap(13)" in found.words
    assert found.record is None


@pytest.mark.parametrize(
    "asked",
    ["not ruling(how,plain)", "ruling(how,V), V != plain", "#count { V : ruling(how,V), V = odd } = 1"],
)
def test_rules_that_ask_for_a_ruling_in_other_ways(tmp_path: Path, asked: str) -> None:
    found = compared(
        tmp_path, {ENOUGH: f'{ENOUGH}\nviolates(R,take(3),"take") :- candidate(R,take(3)), heap(7), {asked}.'}
    )
    assert found.how == "legality"
    assert found.position is not None and "heap(7)" in found.position.facts


def test_an_action_that_there_is_in_one_only(tmp_path: Path) -> None:
    found = compared(
        tmp_path,
        {
            "amount(1..3).": "amount(1..3).\namount(4) :- ruling(how,odd).",
        },
    )
    assert found.how in ("start", "legality")
    assert "take(4)" in found.words


def test_steps_that_read_decisions(tmp_path: Path) -> None:
    found = compared(
        tmp_path,
        {
            '"decisions", "end"]': '"end"]',
            "fluent(decision(R,take))  :- player(R).": "fluent(decision(R,take;R,doze)) :- player(R).\n"
            "fluent(dozing(R)) :- player(R).",
            "action(take,take(K))      :- amount(K).": "action(take,take(K)) :- amount(K).\naction(doze,doze).",
            TOOK: f"{TOOK}\nadd(decision(Q,doze)) :- does(R,take(3)), left(R,Q).\n"
            "add(dozing(Q)) :- due(pass_on), decision(Q,doze), ruling(how,odd).\n"
            'candidate(R,doze) :- decision(R,doze).\nout_of_turn(doze,"take").',
        },
    )
    assert found.how == "outcome"
    assert "dozing" in found.words


@pytest.mark.slow
def test_each_way_to_a_step_is_looked_at(tmp_path: Path) -> None:
    """The step `tally` comes after `almost` or after `better`, and only then does it make a difference."""
    found = compared(
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
            INVARIANT: f"{INVARIANT}\nbroken(heap_stated,by) :- by(better).",
        },
    )
    assert found.how == "outcome"
    assert "by(tally)" in found.words


@pytest.mark.slow
def test_when_the_game_is_over(tmp_path: Path) -> None:
    """With one value the game is over in a position in which with the other it is not."""
    found = compared(
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
def test_what_the_vocabulary_does_not_have(tmp_path: Path, odd: str, plain: str) -> None:
    """No next moment of an open position has it, so that it was not seen."""
    rules = "\n".join(
        f"add({fact}) :- {body or 'does(_,take(K))'}, ruling(how,{value})."
        for value, (fact, _, body) in (("odd", odd.partition(" :- ")), ("plain", plain.partition(" :- ")))
    )
    levels = {"fluent(heap(0..12)).": "fluent(heap(0..12)). fluent(level(1..3))."}
    assert compared(tmp_path, {TOOK: f"{TOOK}\n{rules}", **levels}).how == "outcome"


def test_one_thing_alone_that_the_vocabulary_does_not_have(tmp_path: Path) -> None:
    rule = "add(level(4)) :- does(_,take(3)), ruling(how,odd)."
    levels = {"fluent(heap(0..12)).": "fluent(heap(0..12)). fluent(level(1..3))."}
    found = compared(tmp_path, {TOOK: f"{TOOK}\n{rule}", **levels})
    assert found.how == "outcome"
    assert "with odd level(4)" in found.words


FOREIGN = {
    "of a neighbour": "candidate(R,take(3)), left(R,Q)",
    "of what is no role": "candidate(_,take(Q)), Q = 3",
    "through others": "costly(Q,take(3)). costly(Q,A) :- candidate(R,A), left(R,Q)",
    "through others, of another action": "costly(Q,take(3)). costly(R,take(K+1)) :- candidate(R,take(K)), K < 3",
    "in one of two ways": "costly(Q,take(3)). costly(R,A) :- candidate(R,A). costly(R,take(3)) :- took(R)",
}
OWN = {
    "of an equal term": "candidate(Q,A), A = take(3)",
    "itself": "candidate(Q,take(3))",
    "of all": "player(Q)",
    "through others": "costly(Q,take(3)). costly(R,take(K)) :- taking(R,take(K),K). taking(R,A,K) :- candidate(R,A), amount(K)",
    "by parts": "third(Q,3). third(R,K) :- candidate(R,take(K)), amount(K)",
}


def foreign(folder: Path, body: str) -> tuple[Difference, Game]:
    """What compare says, and the game, where a violation of a player Q, in the odd way only, reads so."""
    body, _, more = body.partition(". ")
    said = f'violates(Q,take(3),"take.enough") :- {body}, heap(7), ruling(how,odd). {more}{"." * bool(more)}'
    return compared(folder, {ENOUGH: f"{ENOUGH}\n{said}"}), load(folder / "heap", options={"how": "odd"})


@pytest.mark.slow
@pytest.mark.parametrize("body", FOREIGN.values(), ids=FOREIGN)
def test_a_violation_of_what_is_not_in_question(tmp_path: Path, body: str) -> None:
    """It would be listed as legal, and judged to be illegal: nothing is listed, and nothing is said to be the same."""
    found, game = foreign(tmp_path, body)
    assert not found.complete or found.how
    with pytest.raises(
        NotDecided, match=r"a violation may concern an action that is not a candidate \(heap/play.lp:"
    ):
        game.initial().legal()


@pytest.mark.sample(4)
@pytest.mark.parametrize("body", OWN.values(), ids=OWN)
def test_a_violation_of_what_is_in_question(tmp_path: Path, body: str) -> None:
    found, game = foreign(tmp_path, body)
    assert found.how == "legality"
    assert "take(3)" in game.initial().legal()["red"]


def test_what_counts_more(tmp_path: Path) -> None:
    """The same shift changes the total in one of them only; both followed it by the weights of both."""
    found = compared(
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


def test_what_is_gained(tmp_path: Path) -> None:
    """A difference in an effect alone."""
    shift = "shift(heap,taken(R),K,taken) :- does(R,take(K))."
    found = compared(
        tmp_path,
        {
            shift: "lose(heap,K,out) :- does(R,take(K)).\n"
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
def test_numbers_without_a_limit_are_looked_at_or_said_not_to_be(tmp_path: Path, rule: str) -> None:
    """Each of these makes a difference, with more points than any manifest says."""
    found = compared(tmp_path, {**SCORED, TOOK: f"{TOOK}\n{rule}"})
    assert found.how in ("legality", "outcome") or not found.complete
    if not found.how:
        assert "not decided, because" in found.words and "numbers without a limit" in found.words


def test_what_is_lost_of_more_than_an_open_position_has(tmp_path: Path) -> None:
    """Once both readings had such a number cut off at its end, so that no position told them apart."""
    lost = ((20, "odd"), (21, "plain"))
    rules = "\n".join(f"lose(points(R),{n},x) :- does(R,take(3)), ruling(how,{v})." for n, v in lost)
    assert compared(tmp_path, {**SCORED, TOOK: f"{TOOK}\n{rules}"}).how in ("legality", "outcome")


def test_small_numbers_are_decided(tmp_path: Path) -> None:
    rule = 'violates(R,take(3),"take") :- candidate(R,take(3)), points(R,N), N > 30, ruling(how,odd).'
    found = compared(tmp_path, {**SCORED, TOOK: f"{TOOK}\n{rule}"})
    assert found.how == "legality"
    assert found.position is not None and "points" in " ".join(found.position.facts)


@pytest.mark.slow
def test_what_cannot_be_makes_no_difference(tmp_path: Path) -> None:
    rule = 'violates(R,take(3),"take") :- candidate(R,take(3)), points(R,N), N > 30, N < 20, ruling(how,odd).'
    found = compared(tmp_path, {**SCORED, TOOK: f"{TOOK}\n{rule}"})
    assert (found.how, found.complete) == ("", True)
    assert found.words.startswith("no position tells them apart (compared: the start;")


@pytest.mark.slow
def test_results_by_points(tmp_path: Path) -> None:
    rule = "goal(R,N+1) :- terminal, points(R,N), N > 90, ruling(how,odd)."
    found = compared(tmp_path, {**SCORED, TOOK: f"{TOOK}\n{rule}"})
    assert found.how == "result"


def test_positions_that_are_valid_in_one_only(tmp_path: Path) -> None:
    found = compared(
        tmp_path, {INVARIANT: f"{INVARIANT}\nbroken(heap_stated,many) :- heap(5), ruling(how,odd)."}
    )
    assert not found.complete
    assert (
        found.words
        == "not decided, because positions that are valid under one of them only were not compared"
    )


def test_limits_that_only_one_of_them_has(tmp_path: Path) -> None:
    """More positions are valid under it, and no rule says so: limits are facts."""
    limits = "limit(stones,12,12) :- ruling(how,plain).\nlimit(stones,0,12) :- ruling(how,odd)."
    found = compared(tmp_path, {"limit(stones,12,12).": limits})
    assert (
        found.words
        == "not decided, because positions that are valid under one of them only were not compared"
    )


ONCE = f'{ENOUGH}\nviolates(R,take(1),"take") :- candidate(R,take(1)), heap(1), ruling(how,odd).'


@pytest.mark.parametrize(
    ("changes", "code", "said"),
    [
        ({ENOUGH: ONCE.replace("heap(1)", "heap(0)")}, 0, "no position tells them apart"),
        ({ENOUGH: ONCE}, 1, "illegal with odd"),
        (
            {INVARIANT: f"{INVARIANT}\nbroken(heap_stated,many) :- heap(5), ruling(how,odd)."},
            3,
            "not decided",
        ),
    ],
)
def test_exit_codes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], changes: dict[str, str], code: int, said: str
) -> None:
    folder = str(variant(tmp_path, {**RULED, **changes}))
    assert main(["compare", folder, "--editions", "standard,other", "--jobs", "1"]) == code
    assert said in capsys.readouterr().out


TWO_STEPS = {
    "add(due(pass_on))           :- made(_,take).": "add(due(pass_on)) :- made(_,take).\n"
    "add(due(tally))             :- made(_,take).",
    "step(pass_on).": "step(pass_on;tally).\nfluent(rung).",
}
"""After each action two steps are due at once."""


def test_what_only_two_steps_at_once_do(tmp_path: Path) -> None:
    """A scenario covers one step at a time: what needs two of them is not "no difference"."""
    rung = "add(rung) :- due(pass_on), due(tally), heap(12), ruling(how,odd).\n"
    found = compared(tmp_path, {**TWO_STEPS, ENOUGH: rung + ENOUGH})
    assert not found.complete
    assert "several steps that are due at once" in found.words


def test_what_no_scenario_shows_a_game_shows(tmp_path: Path) -> None:
    """Where the solver finds nothing, random games are played by both, which know no scenarios."""
    rung = "add(rung) :- due(pass_on), due(tally), ruling(how,odd).\n"
    found = compared(tmp_path, {**TWO_STEPS, ENOUGH: rung + ENOUGH})
    assert found.how == "outcome"
    assert "rung" in found.words


CHAIN = "\n".join(f"add(due(s{k + 1})) :- due(s{k})." for k in range(7))


@pytest.mark.slow
@pytest.mark.parametrize("last", [2, 3, 7])
def test_what_a_late_step_does_is_not_decided(tmp_path: Path, last: int) -> None:
    """Four steps after an action are looked at; what more of them do in both alike is no matter."""
    chain = f"fluent(rung).\nstep(s0;s1;s2;s3;s4;s5;s6;s7).\nadd(due(s0)) :- due(pass_on).\n{CHAIN}"
    rung = f"add(rung) :- due(s{last}), heap(12), ruling(how,odd)."
    found = compared(tmp_path, {TOOK: f"{TOOK}\n{chain}\n{rung}"})
    assert not found.how
    assert found.complete == (last < 3), found.words
    if last >= 3:
        assert "only the first four were compared" in found.words


def test_what_two_steps_do_together(tmp_path: Path) -> None:
    """Each alone sounds too little: no open position decides it, a game shows it."""
    rung = "sound(pass_on) :- due(pass_on).\nsound(tally) :- due(tally).\n"
    rung += "loud :- #count{ S : sound(S) } > 1.\nadd(rung) :- loud, ruling(how,odd).\n"
    found = compared(tmp_path, {**TWO_STEPS, ENOUGH: rung + ENOUGH})
    assert found.how == "outcome"
    assert "rung" in found.words


def test_a_predicate_that_is_called_like_the_second_reading_of_another(tmp_path: Path) -> None:
    """Once ``lucky`` of the second reading was called ``lucky_b``, so that it held there too: no difference was found."""
    found = compared(
        tmp_path,
        {
            TOOK: "lucky(R) :- player(R), ruling(how,plain).\nlucky_b(R) :- player(R).\n"
            "add(took(R)) :- does(R,take(_)), lucky(R), lucky_b(R)."
        },
    )
    assert found.how == "outcome"


# -- what is pending at once -----------------------------------------------------------------------------------------------

PAIR = Path(heap_game.__file__).parent / "pair"
STEP = "step(bell).\nadd(due(bell)) :- made(_,run).\nadd(rung) :- due(bell), decision(_,nap), ruling(bell,rings)."
BELL = "add(rung)               :- made(_,run), decision(_,nap), ruling(bell,rings)."
RESTS = "init(decision(R,nap))   :- last(R)."


def paired(folder: Path, changes: dict[str, str]) -> Difference:
    """What compare says of a game in which two decide about different things."""
    text = (PAIR / "rules.lp").read_text()
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    (folder / "rules.lp").write_text(text)
    (folder / "game.toml").write_text((PAIR / "game.toml").read_text())
    (difference,) = compare(load(folder), load(folder, options={"bell": "mute"}), 100.0, 1)
    return difference


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
def test_different_decisions_at_once(tmp_path: Path, rule: str) -> None:
    """No scenario has both; an invariant of the engine's name that is the rulebook's own says nothing of it."""
    found = paired(tmp_path, {BELL: rule})
    assert found.how, found.words
    assert "rest" in found.words


@pytest.mark.slow
def test_different_decisions_that_may_be_at_once(tmp_path: Path) -> None:
    """No game comes there, and no invariant excludes it."""
    found = paired(tmp_path, {RESTS: ""})
    assert not found.complete
    assert "several decisions may be pending at once" in found.words


def test_one_decision_by_another_invariant(tmp_path: Path) -> None:
    more = (
        "\n%! invariant alone -- One thing is decided.\nbroken(alone,x) :- #count{ R,D : decision(R,D) } > 1."
    )
    found = paired(tmp_path, {RESTS: "", BELL: BELL + more})
    assert found.complete
    assert not found.how


@pytest.mark.parametrize("head", ["presumed", "waived"])
def test_positions_that_need_not_be_valid_in_one(tmp_path: Path, head: str) -> None:
    """A position that is given may break there what it may not break here."""
    found = compared(tmp_path, {INVARIANT: f"{INVARIANT}\n{head}(heap_stated) :- ruling(how,odd)."})
    assert (
        found.words
        == "not decided, because positions that are valid under one of them only were not compared"
    )


@pytest.mark.parametrize("rule", ["conceals(R,heap(N))", "instead(R,heap(N))"])
def test_what_is_concealed(tmp_path: Path, rule: str) -> None:
    rule = f"{rule} :- player(R), heap(N), N < 5, ruling(how,odd)."
    found = compared(tmp_path, {INVARIANT: f"{INVARIANT}\n{rule}"})
    assert found.words == "not decided, because concealed facts were not compared"


def test_a_sum_of_numbers_without_a_limit_is_not_decided(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though its rule can never fire: that is not looked at first."""
    monkeypatch.setattr(compare_, "_in_games", lambda *_: {})
    asked = "9 = #sum { P,Q: points(Q,P) }"
    rule = f'violates(R,take(3),"take") :- candidate(R,take(3)), heap(N), N < 9, {asked}, took(Q), Q != Q, ruling(how,odd).'
    found = compared(tmp_path, {**SCORED, TOOK: f"{TOOK}\n{rule}"})
    assert found.words.startswith("not decided, because numbers without a limit were examined only up to")


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    "rules",
    [
        "big(R) :- points(R,25..27).",
        "big(R) :- points(R,|-25|).",
        "big(R) :- player(R), #count{ 1 : points(R,25..26) } > 0.",
        "held(R,N) :- points(R,N).\nbig(R) :- held(R,24..25).",
        "held(R,N) :- points(R,N), took(R).\nheld(R,25) :- player(R), not took(R).\n"
        "big(R) :- points(R,N), held(R,N), not took(R).",
        "big(R) :- points(R,N), heap(N-20), not heap(N-19).",
    ],
)
def test_numbers_that_are_matched(tmp_path: Path, rules: str) -> None:
    """What stands where the number is need be no plain number."""
    rule = f'{rules}\nviolates(R,take(3),"take") :- candidate(R,take(3)), big(R), ruling(how,odd).'
    found = compared(tmp_path, {**SCORED, TOOK: f"{TOOK}\n{rule}"})
    assert found.how == "legality" or "numbers without a limit" in found.words, found.words


def test_what_is_listed_as_legal(tmp_path: Path) -> None:
    """With one value nobody is offered what breaks no rule with either."""
    rule = "candidate(R,take(K))          :- decision(R,take), amount(K)."
    fewer = "candidate(R,take(K)) :- decision(R,take), amount(K), K < 3.\n"
    more = "candidate(R,take(3)) :- decision(R,take), not heap(5).\ncandidate(R,take(3)) :- decision(R,take), ruling(how,odd)."
    found = compared(tmp_path, {rule: fewer + more})
    assert found.words == "not decided, because the lists of candidates were not compared"


def test_what_is_too_much_to_be_listed(tmp_path: Path) -> None:
    """With one value nothing is listed where much is left."""
    rule = "too_many(R,2) :- decision(R,take), heap(7), ruling(how,odd)."
    found = compared(tmp_path, {TOOK: f"{TOOK}\n{rule}"})
    assert found.words == "not decided, because the lists of candidates were not compared"


SEALED = Path(heap_game.__file__).parent / "tiny" / "sealed"
TOGETHER = """\
%! rule show.equal -- Not both show up.
%!   why       not both
%!   standard  Showing
violates(R,show(up),"show.equal") :- submitted(R,show(up)), submitted(Q,show(up)), R != Q, ruling(gift,forbidden).
"""


def test_what_is_illegal_together_only(tmp_path: Path) -> None:
    """Each action is legal by itself: judged one by one they were carried out, and that was an error."""
    for file in SEALED.iterdir():
        (tmp_path / file.name).write_text(file.read_text())
    rules = (SEALED / "rules.lp").read_text()
    (tmp_path / "rules.lp").write_text(rules.replace(", ruling(gift,forbidden)", ", prize(R)") + TOGETHER)
    (found,) = compare(load(tmp_path), load(tmp_path, options={"gift": "forbidden"}), NO_END, 1)
    assert found.how == "legality"
    assert "legal with allowed, illegal with forbidden" in found.words
