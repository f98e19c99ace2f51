"""The command rules."""

from __future__ import annotations

from support.commands import Run


def test_rules(run: Run) -> None:
    outcome = run("rules", "kaiser")
    assert outcome.code == 0
    for text in (
        "actions.buy.thalers",
        "kaiser/actions.lp",
        "archbishop_marriage",
        "record.assert",
        "action.unknown",
    ):
        assert text in outcome.out


def test_one_rule(run: Run) -> None:
    out = run("rules", "kaiser", "actions.buy.thalers").out
    assert "The price is paid in full" in out
    assert "kaiser/actions.lp:" in out
    assert "  nl  " in out
    assert "  it  " in out


def test_rules_by_prefix(run: Run) -> None:
    out = run("rules", "kaiser", "actions.buy").out
    assert {"actions.buy.thalers", "actions.buy.display"} <= set(out.split())
    out = run("rules", "kaiser", "archbishop_marr").out
    assert "allowed" in out
    assert "(ruling)" in out
