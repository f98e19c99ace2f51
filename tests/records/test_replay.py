"""Replays: kinds of illegal moves, simultaneous decisions, positions and assertions, FILE@N."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.checked import report, rules
from support.played import ELECTION, HEAD, VOTE, opening

import kaiser_logic as kl
from kaiser_logic.errors import WrongUsage
from kaiser_logic.evaluation.verdict import Judgement
from kaiser_logic.notation.reading import parse_record
from kaiser_logic.notation.record import Record
from kaiser_logic.notation.syntax import parse_move, parse_user_term
from kaiser_logic.records import replay as replay_module
from kaiser_logic.records.checking import check, check_many
from kaiser_logic.records.replay import (
    FaultyRecord,
    Force,
    OnIllegal,
    Replay,
    ReplayOutcome,
    Skip,
    Stop,
    policy_called,
)


@pytest.mark.parametrize(
    ("moves", "rule"),
    [
        ("red: nonsense(1,f(x))", "action.unknown"),
        ("red: empire_city(nowhere)", "action.unknown"),
        ("red: ?", "record.unknown"),
        ("red: empire_city(?)", "record.unknown"),
        ("white: empire_city(trier)", "record.role"),
        ("green: empire_city(trier)", "setup.empire_city"),
    ],
)
def test_kinds_of_illegal_moves(moves: str, rule: str) -> None:
    assert rule in rules(report(HEAD + moves))


def test_decisions_that_are_not_pending_are_illegal() -> None:
    assert rules(report('[Game "krone"] chance: reveal(crown)')) == ["people.reveal"]


def test_moves_after_the_end_are_illegal() -> None:
    found = report(
        ELECTION + "green: vote(rival) yellow: vote(rival) green: vote(rival) red: nonsense", "skip"
    )
    assert rules(found) == ["record.over", "record.over"]


def test_the_number_of_faults_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay_module, "MAX_FAULTS", 5)
    found = report(HEAD + "red: foo " * 9, "skip")
    assert (len(found.faults), found.judged) == (5, 5)
    assert "too many faults" in str(found.faults[-1])


@pytest.mark.parametrize(
    "votes", ["green: vote(rival) yellow: vote(emperor)", "yellow: vote(emperor) green: vote(rival)"]
)
def test_votes_may_come_in_any_order(votes: str) -> None:
    found = report(
        f"{ELECTION.replace(HEAD, HEAD + chr(91) + 'Result ' + chr(34) + 'green' + chr(34) + chr(93))}{votes}"
    )
    assert found.ok
    assert found.final is not None
    assert {"points(yellow,10)", "points(green,20)"} <= found.final.facts


def test_votes_given_are_not_in_the_position() -> None:
    text = f"{ELECTION} green: vote(rival) assert {{ decision(green,vote). round(5). }} yellow: vote(rival)"
    assert report(text).ok
    waiting = Replay.at(parse_record(text), 1)
    assert waiting.here().to_move == ("green", "yellow")
    assert waiting.legal() == {"yellow": ("vote(emperor)", "vote(rival)")}


def test_each_vote_is_judged_when_it_is_read() -> None:
    found = report(
        ELECTION + "green: vote(rival)\ngreen: vote(emperor)\nred: vote(rival)\nyellow: vote(rival)", "skip"
    )
    assert [(fault.rule, fault.role) for fault in found.faults] == [
        ("record.decided", "green"),
        ("election.vote", "red"),
    ]
    assert found.result is not None
    assert "already decided: vote(rival)" in found.faults[0].message


def test_a_later_position_replaces_the_current_one() -> None:
    found = report(f'{HEAD}[Seats "green blue"] chance: close(trier) position {{{VOTE}}} yellow: vote(rival)')
    assert found.ok
    assert found.final is not None
    assert found.final.ruleset.seats == ("red", "green", "blue", "yellow")


def test_a_position_discards_votes_already_given() -> None:
    found = report(
        f"{ELECTION} green: vote(rival) position {{{VOTE}}} green: vote(emperor) yellow: vote(rival)"
    )
    assert found.ok
    assert found.result is not None


def test_a_record_from_a_position_takes_seats_and_start_from_it() -> None:
    start = kl.load("kaiser", seats=["blue", "red"]).initial()
    for tags in ("", '[Seats "red green"] [Emperor "green"]'):
        found = report(f"{HEAD}{tags} position {{ {start} }} chance: close(trier)")
        assert found.ok
        assert found.final is not None
        assert found.final.ruleset.seats == ("blue", "red")


def test_an_invalid_position_at_the_start_is_a_fault() -> None:
    text = VOTE.replace("emperor(blue).", "emperor(blue). emperor(red). nonsense(1).")
    found = report(f"{HEAD}position {{{text}}}")
    assert [(fault.rule, fault.facts) for fault in found.faults] == [("record.position", ("nonsense(1)",))]
    assert found.faults[0].line > 1
    assert found.final is None
    found = report(f"{HEAD}position {{{text.replace('nonsense(1).', '')}}} red: pass", "skip")
    assert len(found.faults) > 1
    assert set(rules(found)) == {"record.position"}
    assert any("one_emperor" in fault.message for fault in found.faults)
    assert found.judged == 0


def test_an_invalid_later_position_is_a_fault() -> None:
    text = f"{HEAD}red: empire_city(boehmen) position {{ seat(red,1). }} green: elector(trier)"
    assert rules(report(text)) == ["record.position"]
    found = report(text, "skip")
    assert (rules(found), found.judged) == (["record.position"], 2)
    assert rules(report(f"{HEAD}position {{ seat(red,?). }}")) == ["record.position"]


def test_assertions_are_checked() -> None:
    text = (
        "assert { thalers(red,0). not thalers(red,7). thalers(red,7). not thalers(red,0). city(trier,red,1).}"
        " assert { foo(1). not foo(1). thalers(red,?). }\n"
        "red: empire_city(trier) assert { empire_city(trier,1). not empire_city(trier,2). }"
    )
    found = report(HEAD + text)
    assert rules(found) == ["record.assert"] * 6
    assert [fault.column for fault in found.faults[:3]] == [46, 62, 82]
    assert found.faults[0].facts == ("thalers(red,0)",)
    assert found.faults[0].absent == ("thalers(red,7)",)
    assert found.judged == 1
    assert "role" in found.faults[0].as_json()
    assert report(HEAD + "assert { }").ok


def test_replay_at_a_number_of_moves() -> None:
    record = parse_record(HEAD + opening() + f"position {{{VOTE}}} green: foo")
    count = len(record.moves) - 1
    assert Replay.at(record, 0).here() == kl.load("kaiser").initial()
    assert Replay.at(record, 1).here().to_move == ("green",)
    assert Replay.at(record, count).here().to_move == ("green", "yellow")
    with pytest.raises(FaultyRecord, match=r"green: foo: action\.unknown"):
        Replay.at(record)
    with pytest.raises(WrongUsage):
        Replay.at(record, count + 2)


def test_too_many_false_assertions_end_a_record(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rest of the record is not checked, so a replay to its end is refused."""
    monkeypatch.setattr(replay_module, "MAX_FAULTS", 3)
    record = parse_record(HEAD + "assert { emperor(blue). }" * 5 + "red: pass")
    with pytest.raises(FaultyRecord, match="too many faults"):
        Replay.at(record)


JOINT_GAME = Path(__file__).parents[1] / "support/joint"
JOINT = '[Game "joint"] [Edition "{}"] [Seats "red green"] red: defy {}'


@pytest.mark.parametrize(("edition", "wanted"), [("standard", []), ("other", ["vote.both"])])
def test_the_last_joint_decision_is_judged_with_the_others(edition: str, wanted: list[str]) -> None:
    def record(more: str) -> Record:
        return parse_record(JOINT.format(edition, more)).under(JOINT_GAME)

    replay = Replay.at(record(""))
    for action in ("defy", "stay"):
        violations, _ = replay.judge("green", parse_user_term(action))
        assert [v.rule for v in violations] == (wanted if action == "defy" else [])
    found = kl.check(record("green: defy"))
    assert (found.ok, rules(found)) == (not wanted, wanted)
    assert kl.check(record("green: stay")).ok


def test_actions_that_are_illegal_only_together_are_forced_together() -> None:
    record = parse_record(JOINT.format("other", "green: defy")).under(JOINT_GAME)
    forced, skipped = kl.check(record, "force"), kl.check(record, "skip")
    assert rules(forced) == rules(skipped) == ["vote.both"]
    assert [fault.note for fault in forced.faults] == [""]
    assert forced.final is not None and {"mark(red)", "mark(green)"} <= set(forced.final.facts)
    assert skipped.final is not None and skipped.final.decisions == {"red": "vote", "green": "vote"}


# Policies for illegal moves: stop, skip, force.
def test_skip_leaves_illegal_moves_out() -> None:
    found = report(HEAD + "green: pass\nred: foo\nred: empire_city(boehmen)\nred: pass\n", "skip")
    assert rules(found) == ["actions.turn", "action.unknown", "actions.turn"]
    assert (found.judged, found.faults[-1].line) == (4, 5)
    assert found.final is not None
    assert "empire_city(boehmen,1)" in found.final.facts


def test_force_carries_illegal_moves_out() -> None:
    text = HEAD + opening() + "green: pass\nassert { finished(green). decision(red,turn). }\nred: pass\n"
    found = report(text, "force")
    assert rules(found) == ["actions.turn"]
    assert not found.faults[0].note
    assert found.final is not None
    assert "decision(blue,turn)" in found.final.facts
    assert rules(report(text, "skip")) == ["actions.turn", "record.assert"]


@pytest.mark.parametrize(
    "move", ["red: foo", "red: ?", "red: empire_city(nowhere)", "green: empire_city(trier)"]
)
def test_force_leaves_out_moves_without_a_valid_position(move: str) -> None:
    found = report(f"{HEAD}{move} red: empire_city(trier) green: elector(trier)", "force")
    assert {fault.line for fault in found.faults} == {2}
    assert all(fault.column == 1 and "left out" in fault.note for fault in found.faults)
    assert "(left out: " in str(found)


def test_force_leaves_out_votes_without_a_valid_position() -> None:
    found = report(ELECTION + "green: buy(pope,hold) yellow: vote(rival) green: vote(rival)", "force")
    assert {fault.role for fault in found.faults} == {"green"}
    assert all("left out" in fault.note for fault in found.faults)
    assert found.result is not None
    found = report(ELECTION + "red: pass green: vote(rival) yellow: vote(rival)", "force")
    assert all("at the same time" in fault.note for fault in found.faults)
    assert found.result is not None


def test_unknown_policies_are_refused() -> None:
    with pytest.raises(WrongUsage):
        check(parse_record(HEAD), "explode")  # type: ignore[arg-type]
    with pytest.raises(WrongUsage):
        check_many([], on_illegal="explode")  # type: ignore[arg-type]


def test_faults_of_simultaneous_decisions_are_in_order() -> None:
    """Green's fault is known last, when Yellow has voted, but the faults have the order of the record."""
    text = f"{ELECTION} green: pass\nassert {{ round(3). }}\nyellow: vote(rival)\n"
    found = report(text, "force")
    assert [fault.rule for fault in found.faults] == ["actions.turn", "record.assert"]
    assert found.faults[0].line < found.faults[1].line


def test_pending_illegal_votes_at_the_end_are_faults() -> None:
    found = report(f"{ELECTION} green: pass\n", "force")
    assert [(fault.rule, fault.note) for fault in found.faults] == [("actions.turn", "")]
    assert found.final is not None
    assert found.final.to_move == ("green", "yellow")


def test_a_position_discards_pending_votes() -> None:
    found = report(
        f"{ELECTION} green: pass\nposition {{{VOTE}}} green: vote(rival) yellow: vote(rival)", "force"
    )
    assert [(fault.rule, fault.note) for fault in found.faults] == [("actions.turn", "")]
    assert found.result is not None


@pytest.mark.parametrize("name", ["stop", "skip", "force"])
def test_policies_have_names(name: OnIllegal) -> None:
    assert type(policy_called(name)).__name__.lower() == name
    assert policy_called(name).stops is (name == "stop")


def test_only_force_has_a_following_position() -> None:
    at = Replay.at(parse_record(HEAD + opening())).here()
    move = parse_move("green: pass")
    assert move.action is not None
    judgement = at.judge({"green": move.action})
    assert judgement.violations
    assert Stop().outcome(at, move, judgement) == Skip().outcome(at, move, judgement) == ReplayOutcome()
    following = Force().outcome(at, move, judgement).leads_to
    assert following is not None
    assert "finished(green)" in following.facts
    nothing = Judgement((), (), ())
    assert Force().outcome(at, move, nothing) == ReplayOutcome(note="left out: it would change nothing")
