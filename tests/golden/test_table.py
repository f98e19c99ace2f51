"""Tables on disk and compared, and the command that does both."""

from __future__ import annotations

from pathlib import Path

import pytest

from golden import __main__ as command
from golden import table
from golden.questions import ROOT
from golden.table import Row, differences, keep, kept, rows_of, text_of

ROWS = [
    Row("prove a", "one", "proved"),
    Row("prove a", "two", "undecided", "a\ttab, a\nline, a \\ and a \\n"),
]


def test_a_table_is_read_as_it_was_written() -> None:
    assert rows_of(text_of(ROWS)) == ROWS


def test_a_table_is_sorted() -> None:
    assert text_of(ROWS) == text_of(ROWS[::-1])


def test_two_rows_do_not_answer_the_same() -> None:
    with pytest.raises(ValueError, match="two rows"):
        text_of([ROWS[0], Row("prove a", "one", "falls")])


def test_what_is_no_table_is_not_read() -> None:
    with pytest.raises(ValueError, match="no table"):
        rows_of("a,b\n1,2\n")


def test_differences_are_told_by_kind() -> None:
    before = [Row("c", "gone", "proved"), Row("c", "other", "proved"), Row("c", "same", "proved")]
    before.append(Row("c", "words", "falls", "by a"))
    now = [Row("c", "new", "proved"), Row("c", "other", "falls"), Row("c", "same", "proved")]
    now.append(Row("c", "words", "falls", "by b"))
    found = {(d.before or d.now).subject: d.kind for d in differences(before, now)}  # type: ignore[union-attr]
    assert found == {"gone": "gone", "new": "new", "other": "answer", "words": "detail"}


@pytest.fixture
def one_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A table of one command, in a folder of its own."""
    monkeypatch.chdir(ROOT)  # the command goes there: back again afterwards
    monkeypatch.setattr(table, "TABLES", tmp_path)
    monkeypatch.setattr(command, "TABLES", {"rules": lambda: iter(["rules vive --names"])})
    return "rules"


@pytest.mark.slow
def test_what_was_written_is_found_again_and_a_wrong_row_is_told(
    one_table: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command.main(["--write", one_table]) == 0
    first, *others = kept(one_table)
    assert len(others) > 40
    assert command.main([one_table]) == 0
    assert "all the same" in capsys.readouterr().out
    keep(one_table, [Row(first.command, first.subject, "unknown"), *others])
    assert command.main([one_table]) == 1
    assert f"[{first.subject}]\n        - unknown\n        + known" in capsys.readouterr().out


def test_a_part_that_there_is_not_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        command.main(["proofs"])
    assert "there is no table proofs" in capsys.readouterr().err
