"""The command check."""

from __future__ import annotations

import gzip
import json
import re
import sys
import zipfile
from pathlib import Path

import pytest
from support.commands import Outcome, Run, Write
from support.played import HEAD, played

from kaiser_logic.records import checking
from kaiser_logic.records.archive import Archive
from kaiser_logic.records.checking import check_sources
from kaiser_logic.records.tags import Under, sources_of

ASSUMED = (
    "This relies on assumptions, not on a printed text: board.spaces, board.colours "
    "(see kaiser-logic rules kaiser --assumed)\n"
)
"""The last line that `check` prints for kaiser without a board file."""


def test_check_of_a_legal_game(run: Run, write: Write) -> None:
    assert run("check", write(played())) == Outcome(0, "", f"1 record: 1 without fault\n{ASSUMED}")


def test_check_reports_every_fault(run: Run, write: Write) -> None:
    outcome = run("check", write(HEAD + "red: pass\ngreen: foo\n"))
    assert outcome.code == 1
    assert outcome.out.startswith("my.game:2:1: red: pass: actions.turn: ")
    outcome = run("check", "--on-illegal", "skip", "my.game")
    assert outcome.out.splitlines()[1].startswith("my.game:3:1: green: foo: action.unknown: ")
    assert run("check", "--on-illegal", "force", "my.game").code == 1


def test_check_of_several_records(run: Run, write: Write) -> None:
    write(HEAD + "red: pass")
    Path("good.game").write_text(HEAD)
    for jobs in ("1", "2"):
        outcome = run("check", "--format", "json", "--jobs", jobs, ".", "missing.game")
        assert outcome.code == 2
        found = [json.loads(line) for line in outcome.out.splitlines()]
        assert [report["ok"] for report in found] == [True, False, False]
        assert found[1]["faults"][0]["rule"] == "actions.turn"
        assert "cannot be read" in found[2]["unreadable"]
        assert "1 with faults, 1 unreadable" in outcome.err


def test_options_may_follow_arguments(run: Run, write: Write) -> None:
    write(HEAD)
    Path("other.game").write_text(HEAD)
    assert len(run("check", "my.game", "--format", "json", "other.game").out.splitlines()) == 2
    asked = run("prove", "kaiser", "--players", "2", "no_such_invariant")
    assert asked.code == 2
    assert "has no invariant 'no_such_invariant'" in asked.err


def test_faults_have_several_lines_on_a_terminal(
    run: Run, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "80")
    lines = run("check", write(HEAD + "red: pass\n")).out.splitlines()
    assert lines[0] == "my.game:2:1: red: pass"
    assert lines[1].split()[0] == "actions.turn"
    assert lines[-1].split() == ["before", "it", "kaiser-logic", "show", "my.game@0"]
    assert max(map(len, lines)) <= 80


def test_check_names_a_missing_move(run: Run, write: Write) -> None:
    game = Path(__file__).parents[2] / "examples" / "games" / "four-players.game"
    text = game.read_text(encoding="utf-8").replace("yellow: settle(koeln,yellow)\n", "")
    outcome = run("check", write(text))
    assert outcome.code == 1
    assert "(a move of Yellow is missing here: yellow: settle(koeln,yellow)) (@40)" in outcome.out


def test_an_interrupted_check_continues(run: Run, write: Write) -> None:
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


UNSAFE_NAME = "a\nb\x1b[2K\u202e.game"


@pytest.mark.parametrize("form", ["text", "csv", "html"])
def test_control_characters_of_names_and_tags_are_escaped(run: Run, write: Write, form: str) -> None:
    """In the names of files and boards and in a start tag, on both streams."""
    write(HEAD)
    Path(UNSAFE_NAME).write_text(HEAD + "red: pass")
    Path("board.game").write_text(HEAD + '[Board "\u202efdp.exe"]')
    Path("tag.game").write_text(HEAD + '[Emperor "\u202eder"]')
    Path(f"not-utf8-{UNSAFE_NAME}").write_bytes(b"\xff")
    for jobs in ("1", "2"):
        outcome = run("check", "--format", form, "--jobs", jobs, ".")
        text = outcome.out + outcome.err
        assert outcome.code == 2
        for sign in "\x1b\u202e":
            assert sign not in (outcome.err if form == "html" else text)
        if form == "text":
            assert len(outcome.out.splitlines()) == 4
            assert "a\\nb\\x1b[2K\\u202e.game:2:1: red: pass" in outcome.out
            assert '[Board "\\u202efdp.exe"]' in outcome.out
            assert '[Emperor "\\u202eder"]' in outcome.out
    for command in ("validate", "why", "moves", "position"):
        more = ["red: pass"] if command == "why" else []
        asked = run(command, f"{UNSAFE_NAME}", *more)
        assert not {"\x1b", "\u202e"} & set(asked.out + asked.err)


def test_memory_errors_are_not_faults_of_records(
    run: Run, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(HEAD)
    Path("other.game").write_text(HEAD)

    def run_out_of_memory(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(checking, "check", run_out_of_memory)
    monkeypatch.setattr(checking, "_correct", lambda files, _: [None] * len(files))
    for jobs in ("1", "2"):
        outcome = run("check", "--jobs", jobs, ".")
        assert outcome == Outcome(2, "", "kaiser-logic: there is not enough memory\n")


# -- many records in one file ------------------------------------------------------------------------------

SEVERAL = f"{HEAD}red: pass\n\n% the second\n{HEAD}red: \xff\n\n{HEAD}( red: pass )\n{HEAD}"


def packed(folder: Path) -> list[str]:
    """The same records as a file, compressed, and in a ZIP archive."""
    (folder / "a.game").write_bytes(SEVERAL.encode("latin-1"))
    (folder / "b.game.gz").write_bytes(gzip.compress(SEVERAL.encode("latin-1")))
    with zipfile.ZipFile(folder / "c.zip", "w") as archive:
        archive.writestr("d/e.game", SEVERAL.encode("latin-1"))
    return [str(folder / name) for name in ("a.game", "b.game.gz", "c.zip/d/e.game")]


def test_records_of_one_file_are_checked_one_by_one(run: Run, tmp_path: Path) -> None:
    for jobs in ("1", "2"):
        outcome = run("check", *packed(tmp_path), "--jobs", jobs)
        lines = outcome.out.splitlines()
        assert len(lines) == 9
        for number, name in enumerate(packed(tmp_path)):
            one, two, three = lines[3 * number : 3 * number + 3]
            assert re.match(rf"{re.escape(name)}:2:1: red: pass: actions.turn: .* \(#1@0\) \[", one), one
            assert two == f"{name}:6:6: this is not a text in UTF-8 (byte 0xff) (#2)"
            assert three == f"{name}:9:1: a variation stands after the move that it replaces (#3)"
        assert outcome.err.startswith("12 records: 3 without fault, 3 with faults, 6 unreadable\n")
    again = run("check", str(tmp_path))
    assert sorted(again.out.splitlines()) == sorted(lines)
    assert run("check", str(tmp_path), "--glob", "*.gz").err.startswith("4 records")
    assert run("check", str(tmp_path), "--glob", "d/*").err.startswith("4 records")
    assert "there is no *.txt file" in run("check", str(tmp_path), "--glob", "*.txt").err


def test_other_formats_and_commands_name_the_record(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = packed(tmp_path)[2]
    (line, *_) = run("check", name, "--format", "json").out.splitlines()
    assert (json.loads(line)["path"], json.loads(line)["faults"][0]["place"]) == (f"{name}#1", "0")
    sarif = json.loads(run("check", name, "--format", "sarif").out)["runs"][0]["results"]
    assert {one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"][-14:] for one in sarif} == {
        "c.zip/d/e.game"
    }
    assert f"{name}#1" in run("check", name, "--format", "csv").out
    assert run("moves", f"{name}#4@0").code == 0
    assert run("why", f"{name}#1@0", "red: pass").code == 1
    assert "name one, such as" in run("moves", name).err
    assert "there is no record 5 in it, only 4" in run("moves", f"{name}#5").err
    (line,) = run("check", f"{name}#1", "--format", "csv").out.splitlines()[1:]
    assert line.startswith(f"{name}#1,2,1,0,red,pass")
    monkeypatch.chdir(tmp_path)
    for source, output in (
        (f"{name}#1", "c.zip"),
        ("a.game#1", "a.game"),
        (".", "b.game.gz"),
        ("a.game#4@0", "a.game"),
    ):
        command = ("show", source) if "@" in source else ("check", source)
        before = Path(output).read_bytes()
        assert "so it is not replaced" in run(*command, "--output", output).err
        assert Path(output).read_bytes() == before
    output = tmp_path / "out"
    for _ in "ab":
        assert run("check", name, "--format", "json", "--output", str(output)).code == 2
    assert len(output.read_text().splitlines()) == 4


def test_standard_input_is_checked(run: Run) -> None:
    outcome = run("check", "-", typed=SEVERAL.replace("\xff", "("))
    assert outcome.err.startswith("4 records: 1 without fault, 1 with faults, 2 unreadable")
    assert outcome.out.startswith("-:2:1: red: pass: actions.turn")
    assert run("moves", "--", "-@0", typed=HEAD).code == 0
    assert "cannot be read again" in run("check", "-", "--tags", typed=HEAD).err


def test_duplicates_are_faults(run: Run, write: Write) -> None:
    one = f"{HEAD}assert {{ round(1). }} red: empire_city(boehmen) % so"
    many = write(
        "\n\n".join([HEAD, HEAD, f"{HEAD}red: empire_city(boehmen)", one, f"{HEAD}red: empire_city(trier)"])
    )
    outcome = run("check", many, "--duplicates")
    assert outcome == Outcome(
        1,
        "my.game:10:2: record.duplicate: the same course of play as my.game#3 (#4)\n",
        f"5 records: 4 without fault, 1 with faults\n{ASSUMED.replace(', board.colours', '')}",
    )
    assert run("check", many, "--duplicates", "--format", "json").out.count('"record.duplicate"') == 1
    assert run("check", many).code == 0
    assert run("check", many, "--duplicates", "--view", "red").code == 2


@pytest.mark.slow
def test_the_same_course_of_play_is_found_under_other_tags(run: Run, write: Write) -> None:
    game = (Path(__file__).parents[2] / "examples/games/four-players.game").read_text(encoding="utf-8")
    game = "".join(line for line in game.splitlines(keepends=True)[:90] if "[Result" not in line)
    tags, _, moves = game.rpartition('"]\n')
    tags += '"]'
    swapped = moves.replace(
        "green: vote(emperor)  yellow: vote(rival)", "yellow: vote(rival) green: vote(emperor)"
    )
    assert swapped != moves
    other = f'% head\n{tags}\n[Event "b"]\n\n{swapped}'
    many = write(
        "\n\n".join(
            [game, f"{game}red: pass", other, HEAD, HEAD, f"{HEAD}red: pass", f"{HEAD}red: pass % so"]
        )
    )
    outcome = run("check", many, "--duplicates")
    assert outcome.code == 1
    found = re.findall(
        r"my.game:\d+:2: record.duplicate: the same course of play as (my.game#\d) \(#(\d)\)", outcome.out
    )
    assert found == [("my.game#1", "3"), ("my.game#6", "7")]
