"""The command why."""

from __future__ import annotations

import pytest
from support.commands import Run, Write
from support.played import ELECTION, HEAD, opening


def test_illegal_actions_are_explained(run: Run, write: Write) -> None:
    outcome = run("why", write(HEAD + opening()), "green: buy(gray_eminence,hold)")
    assert outcome.code == 1
    assert "green: buy(gray_eminence,hold) is illegal: it breaks" in outcome.out
    for text in ("actions.turn", "The rule", "Here", "Because", "decision(red,turn)", "Source", "nl ", "it "):
        assert text in outcome.out


def test_legal_actions_are_explained(run: Run, write: Write) -> None:
    outcome = run("why", write(HEAD + opening()), "red: pass")
    assert outcome.code == 0
    assert "red: pass is legal" in outcome.out
    assert "One rule applies, and the action keeps it:" in outcome.out
    assert "actions.turn" in outcome.out


def test_several_rules_that_a_legal_action_keeps(run: Run, write: Write) -> None:
    outcome = run("why", write(HEAD + opening()), "red: buy(indulgence,point)")
    assert outcome.code == 0
    assert "3 rules apply, and the action keeps all of them:" in outcome.out


@pytest.mark.parametrize(
    ("move", "code"),
    [
        ("green: vote(rival)", 0),
        ("yellow: vote(rival)", 1),
        ("purple: vote(rival)", 1),
        ("green: nonsense(5)", 1),
        ("green", 2),
        ("green: ?", 2),
        ("green: f(?)", 2),
        ("", 2),
        ("green: " + "f(" * 99, 2),
    ],
)
def test_exit_codes_in_an_election(run: Run, write: Write, move: str, code: int) -> None:
    assert run("why", write(ELECTION + "yellow: vote(rival)"), move).code == code


def test_actions_after_the_end_are_illegal(run: Run, write: Write) -> None:
    outcome = run("why", write(ELECTION + "yellow: vote(rival) green: vote(rival)"), "red: pass")
    assert outcome.code == 1
    assert "record.over" in outcome.out


def test_rules_with_sources_mention_no_assumptions(run: Run, write: Write) -> None:
    line = "This relies on assumptions, not on a printed text: board.spaces"
    assert line not in run("why", write(HEAD + opening()), "green: pass").out
