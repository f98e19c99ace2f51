"""Policies for illegal moves: stop, skip, force."""

from __future__ import annotations

import pytest
from support.checked import report, rules
from support.played import ELECTION, HEAD, VOTE, opening

from kaiser_logic.errors import WrongUsage
from kaiser_logic.evaluation.verdict import Judgement
from kaiser_logic.notation.reading import parse_record
from kaiser_logic.notation.syntax import parse_move
from kaiser_logic.records.checking import check, check_many
from kaiser_logic.records.replay import Force, OnIllegal, Replay, ReplayOutcome, Skip, Stop, policy_called


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
