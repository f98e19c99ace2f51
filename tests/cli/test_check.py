"""The command check."""

import sys
from pathlib import Path
from typing import Any

import pytest
from support.played import HEAD

from kaiser_logic.notation.record import Record
from kaiser_logic.records import checking
from kaiser_logic.records.archive import Archive
from kaiser_logic.records.checking import Report, check_sources
from kaiser_logic.records.tags import Under, sources_of

"""The last line that `check` prints for kaiser without a board file."""


def test_faults_have_several_lines_on_a_terminal(run, write, monkeypatch):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "80")
    lines = run("check", write(HEAD + "red: pass\n")).out.splitlines()
    assert lines[0] == "my.game:2:1: red: pass"
    assert lines[1].split()[0] == "actions.turn"
    assert lines[-1].split() == ["before", "it", "kaiser-logic", "show", "my.game@0"]
    assert max(map(len, lines)) <= 80


def test_an_interrupted_check_continues(run, write):
    write(HEAD)
    Path("other.game").write_text(HEAD + "red: pass")
    command = ("check", "my.game", "other.game", "--format", "json", "--output", "reports")
    whole = run(*command)
    assert (whole.code, whole.err) == (1, "2 records: 1 without fault, 1 with faults\n")
    lines = Path("reports").read_text().splitlines(keepends=True)
    with (
        pytest.raises(KeyboardInterrupt),
        Archive("reports", sources_of(["my.game"]), ["stop", "True", "None", "[]"], None) as archive,
    ):
        for report in check_sources(archive.records_left(), 1, "stop", Under(None, None, ())):
            archive.add(report)
        raise KeyboardInterrupt
    continued = run(*command)
    assert (continued.code, continued.err) == (
        1,
        "2 records: 1 without fault, 1 with faults (1 of them before)\n",
    )
    assert Path("reports").read_text().splitlines(keepends=True) == lines
    assert not Path("reports.keys").exists()


def test_a_record_that_needs_too_much_memory_is_not_checked(run, write, monkeypatch):
    write(HEAD)
    Path("large.game").write_text(HEAD)
    check = checking.check

    def run_out_of_memory(record: Record, *rest: Any) -> Report:
        if str(record.path).endswith("large.game"):
            raise MemoryError
        return check(record, *rest)

    monkeypatch.setattr(checking, "check", run_out_of_memory)
    monkeypatch.setattr(checking, "_correct", lambda files, _: [None] * len(files))
    for jobs in ("1", "2"):
        outcome = run("check", "--jobs", jobs, ".")
        assert outcome.code == 2
        assert "large.game: not checked: the memory was too small\n" in outcome.out + outcome.err
        assert "2 records: 1 without fault, 1 unreadable\n" in outcome.err


# -- many records in one file ------------------------------------------------------------------------------
