"""Replays: kinds of illegal moves, simultaneous decisions, positions and assertions, FILE@N."""

from pathlib import Path

import pytest
from support.played import HEAD, VOTE, opening, report

import kaiser_logic as kl
from kaiser_logic.errors import WrongUsage
from kaiser_logic.notation.reading import build_record, parse_record
from kaiser_logic.records import replay as replay_module
from kaiser_logic.records.checking import check, check_many
from kaiser_logic.records.replay import FaultyRecord, Replay


def test_the_number_of_faults_is_limited(monkeypatch):
    monkeypatch.setattr(replay_module, "MAX_FAULTS", 5)
    found = report(HEAD + "red: foo " * 9, "skip")
    assert (len(found.faults), found.judged) == (5, 5)
    assert "too many faults" in str(found.faults[-1])


def test_replay_at_a_number_of_moves():
    record = parse_record(HEAD + opening() + f"position {{{VOTE}}} green: foo")
    count = len(record.moves) - 1
    assert Replay.at(record, 0).here() == kl.load("kaiser").initial()
    assert Replay.at(record, 1).here().to_move == ("green",)
    assert Replay.at(record, count).here().to_move == ("green", "yellow")
    with pytest.raises(FaultyRecord, match=r"green: foo: action\.unknown"):
        Replay.at(record)
    with pytest.raises(WrongUsage):
        Replay.at(record, count + 2)


def test_too_many_false_assertions_end_a_record(monkeypatch):
    """The rest of the record is not checked, so a replay to its end is refused."""
    monkeypatch.setattr(replay_module, "MAX_FAULTS", 3)
    record = parse_record(HEAD + "assert { emperor(blue). }" * 5 + "red: pass")
    with pytest.raises(FaultyRecord, match="too many faults"):
        Replay.at(record)


def test_a_vote_that_is_illegal_beside_an_earlier_one_is_the_fault_not_the_last_vote():
    joint = Path(__file__).parents[1] / "support" / "joint"
    text = '[Game "joint"] [Edition "other"] [Seats "red green blue"] red: defy green: defy blue: stay'
    (fault,) = check(parse_record(text).with_rules(joint)).faults
    assert (fault.role, fault.rule) == ("green", "vote.both")


# Policies for illegal moves: stop, skip, force.


def test_unknown_policies_are_refused():
    with pytest.raises(WrongUsage):
        check(parse_record(HEAD), "explode")
    with pytest.raises(WrongUsage):
        check_many([], on_illegal="explode")


def test_a_fault_without_a_file_has_its_place():
    fault = check(build_record({"Game": "kaiser"}, parse_record(HEAD + "red: pass").items)).faults[0]
    assert str(fault).startswith("2:1: red: pass: actions.turn: ")
    assert hash(fault)
