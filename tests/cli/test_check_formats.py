"""The command check: formats of reports."""

from __future__ import annotations

import re
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


def test_a_folder_has_a_page_for_each_record_and_an_index(run: Run, write: Write) -> None:
    text = HEAD + "red: pass\n"
    write(text + text + HEAD + "red: empire_city(boehmen)\n")
    Path("b<d.game").write_text("nonsense")
    one_page = run("check", "my.game", "b<d.game", "--format", "html")
    for folder, jobs in (("pages/", "1"), ("in two/more", "2")):
        Path(folder).mkdir(parents=True)
        outcome = run("check", "my.game", "b<d.game", "--format", "html", "--output", folder, "--jobs", jobs)
        assert (outcome.code, outcome.out, outcome.err) == (2, "", one_page.err)
        index = Path(folder, "index.html").read_text()
        rows = re.findall(
            r'<tr class="(\w+)"><td><a href="([^"]+)">([^<]+)</a>.*?<td>([^<]+)</td><td>([^<]*)</td></tr>',
            index,
        )
        assert [(row[0], row[2], row[3], row[4]) for row in rows] == [
            ("bad", "my.game#1", "⊘ 1 fault", ""),
            ("bad", "my.game#2", "⊘ 1 fault", ""),
            ("ok", "my.game#3", "✓ legal", "unfinished"),
            ("bad", "b&lt;d.game", "unreadable", ""),
        ]
        assert {path.name for path in Path(folder).iterdir()} == {"index.html", *(row[1] for row in rows)}
        pages = [Path(folder, row[1]).read_text() for row in rows]
        assert all('<a href="index.html">' in page for page in pages)
        assert ["is not green&#39;s turn" in page or "actions.turn" in page for page in pages] == [
            True,
            True,
            False,
            False,
        ]
        assert "1 without fault, 2 with faults, 1 unreadable" in index
    again = run("check", "my.game", "--format", "html", "--output", "pages")
    assert (again.code, again.err) == (2, "kaiser-logic: pages cannot be written: the folder is not empty\n")
    wrong = run("check", "my.game", "--format", "html", "--output", "new/", "--jobs", "2", "--edition", "xx")
    assert (wrong.code, "edition" in wrong.err, list(Path("new").iterdir())) == (2, True, [])


def test_one_page_has_a_limit(run: Run, write: Write) -> None:
    file = write(HEAD)
    outcome = run("check", *[file] * 201, "--format", "html")
    assert (outcome.code, outcome.out) == (2, "")
    assert "one page shows at most 200 records: with --output DIR/ each has a page" in outcome.err


def test_html_under_another_edition(run: Run, write: Write) -> None:
    write(HEAD + "red: empire_city(boehmen)")
    outcome = run("check", "my.game", "--format", "html", "--edition", "it")
    assert outcome.code == 0
    assert "Edition it" in outcome.out
    assert run("check", "my.game", "--format", "html", "--view", "red").code == 2
    assert run("check", "my.game", "--format", "html", "--edition", "xx").code == 2
