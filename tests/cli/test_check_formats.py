"""The command check: formats of reports."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.commands import Run, Write
from support.played import HEAD


def test_faults_and_unreadable_records_go_to_standard_output(run: Run, write: Write) -> None:
    write(HEAD + "red: pass")
    Path("bad.game").write_text("nonsense")
    outcome = run("check", ".")
    assert outcome.code == 2
    assert len(outcome.out.splitlines()) == 2
    assert outcome.out.startswith("./bad.game:1:")
    assert outcome.err.splitlines()[0] == "2 records: 0 without fault, 1 with faults, 1 unreadable"


@pytest.mark.parametrize("form", ["text", "json", "html", "sarif", "junit", "csv"])
def test_output_to_a_file_is_what_is_printed(run: Run, write: Write, form: str) -> None:
    write(HEAD + "red: pass")
    Path("bad.game").write_text("nonsense")
    printed = run("check", "my.game", "bad.game", "--format", form)
    outcome = run("check", "my.game", "bad.game", "--format", form, "--output", "report")
    assert (outcome.code, outcome.out) == (printed.code, "") == (2, "")
    text = Path("report").read_text(encoding="utf-8")
    assert text == printed.out
    assert "actions.turn" in text
    assert "bad.game" in text


def test_html_under_another_edition(run: Run, write: Write) -> None:
    write(HEAD + "red: empire_city(boehmen)")
    outcome = run("check", "my.game", "--format", "html", "--edition", "it")
    assert outcome.code == 0
    assert "Edition it" in outcome.out
    assert run("check", "my.game", "--format", "html", "--view", "red").code == 2
    assert run("check", "my.game", "--format", "html", "--edition", "xx").code == 2
