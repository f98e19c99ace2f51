"""The command check."""

import sys
from pathlib import Path
from typing import Any

from support.played import HEAD

from kaiser_logic.notation.record import Record
from kaiser_logic.records import checking
from kaiser_logic.records.checking import Report


def test_faults_have_several_lines_on_a_terminal(run, write, monkeypatch):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "80")
    lines = run("check", write(HEAD + "red: pass\n")).out.splitlines()
    assert lines[0] == "my.game:2:1: red: pass"
    assert lines[1].split()[0] == "actions.turn"
    assert lines[-1].split() == ["before", "it", "kaiser-logic", "show", "my.game@0"]
    assert max(map(len, lines)) <= 80


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
