"""Tables are written, read and compared correctly, also by the command ``python -m tests.golden``."""

from __future__ import annotations

from pathlib import Path

import pytest

from golden import __main__ as command
from golden import table
from golden.questions import ROOT
from golden.table import Row, differences, read_table, rows_of, text_of, write_table

ROWS = [
    Row("prove a", "one", "proved"),
    Row("prove a", "two", "undecided", "a\ttab, a\nline, a \\ and a \\n"),
]


def test_a_written_table_is_read_back_unchanged() -> None:
    assert rows_of(text_of(ROWS)) == ROWS


def test_the_rows_of_a_table_are_sorted() -> None:
    assert text_of(ROWS) == text_of(ROWS[::-1])


def test_two_rows_with_the_same_key_are_refused() -> None:
    with pytest.raises(ValueError, match="two rows"):
        text_of([ROWS[0], Row("prove a", "one", "falls")])


def test_other_text_is_refused() -> None:
    with pytest.raises(ValueError, match="not a table"):
        rows_of("a,b\n1,2\n")


def test_each_difference_has_its_kind() -> None:
    before = [Row("c", "gone", "proved"), Row("c", "other", "proved"), Row("c", "same", "proved")]
    before.append(Row("c", "words", "falls", "by a"))
    now = [Row("c", "new", "proved"), Row("c", "other", "falls"), Row("c", "same", "proved")]
    now.append(Row("c", "words", "falls", "by b"))
    found = {(d.before or d.now).subject: d.kind for d in differences(before, now)}  # type: ignore[union-attr]
    assert found == {"gone": "gone", "new": "new", "other": "answer", "words": "detail"}


@pytest.fixture
def one_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A table with one command, in a temporary folder."""
    monkeypatch.chdir(ROOT)  # the command changes to this folder; pytest restores the folder afterwards
    monkeypatch.setattr(table, "TABLES", tmp_path)
    monkeypatch.setattr(command, "TABLES", {"rules": lambda: iter(["rules vive --names"])})
    return "rules"


@pytest.mark.slow
@pytest.mark.by_hand
def test_the_command_writes_a_table_and_reports_a_wrong_row(
    one_table: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.main(["--write", one_table]) == 0
    first, *others = read_table(one_table)
    assert len(others) > 40
    assert command.main([one_table]) == 0
    assert "all the same" in capsys.readouterr().out
    write_table(one_table, [Row(first.command, first.subject, "unknown"), *others])
    assert command.main([one_table]) == 1
    assert f"[{first.subject}]\n        - unknown\n        + known" in capsys.readouterr().out


def test_an_unknown_table_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        command.main(["proofs"])
    assert "there is no table proofs" in capsys.readouterr().err
