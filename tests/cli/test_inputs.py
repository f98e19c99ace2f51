"""What names records: folders without any, hidden and special files, pipes, names that are not UTF-8, options for their games."""

import json
import os
import threading
from pathlib import Path

import pytest
from support import ROOT
from support.tool import tool

from kaiser_logic.cli import serve
from kaiser_logic.notation import reading

HEAD = '[Game "kaiser"]\n'
FAULTY = f"{HEAD}red: pass\n"
FORMATS = ("text", "json", "html", "sarif", "junit", "csv")


@pytest.fixture
def here(write):
    """A folder with a record, ``d`` with a record and hidden and special files, and ``none`` without records."""
    write(HEAD)
    for folder in ("d/.git", "d/sub", "none/.old", "none/x.game"):
        Path(folder).mkdir(parents=True)
    Path("d/a.game").write_text(HEAD)
    Path("d/.#a.game").symlink_to("user@host:3")
    for hidden in ("d/._a.game", "d/.git/b.game", "d/a.game~", "d/sub/.a.game.swp", "none/.old/c.game"):
        Path(hidden).write_bytes(b"\0\5")
    Path("none/a.GAME").write_text(HEAD)
    Path("none/b.txt").write_text(HEAD)
    os.mkfifo("d/pipe.game")
    os.mkfifo("pipe")
    return Path()


def test_a_pipe_is_read_once_or_refused(run, here, monkeypatch):
    monkeypatch.setattr(reading, "_PATIENCE", 0.0)
    found = run("check", "pipe", "my.game", "--jobs", "2")
    assert (found.code, found.out) == (2, "pipe: cannot be read: nobody writes to this pipe\n")
    monkeypatch.setattr(reading, "_PATIENCE", 60.0)
    for form in FORMATS:
        monkeypatch.setattr(reading, "_streams", {})
        writer = threading.Thread(target=Path("pipe").write_text, args=(FAULTY,))
        writer.start()
        found = run("check", "pipe", "my.game", "--format", form, "--jobs", "2")
        writer.join()
        assert found.code == 1
        assert "actions.turn" in found.out


def test_standard_input_is_a_record(tmp_path):
    command = ("check", "/dev/stdin")
    found = tool(*command, given=FAULTY, cwd=tmp_path)
    assert (found.returncode, "actions.turn" in found.stdout) == (1, True)
    (tmp_path / "a").write_text(FAULTY)
    with open(tmp_path / "a", "rb") as file:
        assert tool(*command, given=file, cwd=tmp_path).returncode == 1
    assert "the text is empty" in tool(*command, given="", cwd=tmp_path).stdout


ODD = os.fsdecode(b"d/b\xff.game")


@pytest.mark.parametrize("form", FORMATS)
def test_names_that_are_not_utf_8(run, here, form):
    Path(ODD).write_text(FAULTY)
    whole = run("check", "d", "--format", form, "--jobs", "2")
    assert whole.code == 1
    assert "1 without fault, 1 with faults" in whole.err
    assert form == "html" or "\\udcff" in whole.out or "%FF" in whole.out
    for output in ("out", os.fsdecode(b"o\xff")):
        assert run("check", "d", "--format", form, "--output", output) == (1, "", whole.err)
        text = Path(output).read_text(encoding="utf-8")
        assert text.encode() == whole.out.encode("utf-8", "backslashreplace")
    if form == "json":
        assert [json.loads(line)["path"] for line in text.splitlines()] == ["d/a.game", ODD]


def test_a_record_can_be_opened_by_the_explorer():
    """The explorer gets its text, its board file and the number of moves."""
    pytest.importorskip("uvicorn")
    given = serve._initial_record(str(ROOT / "examples/staufer/own-board.game@1"))
    assert (given.name, given.at) == ("own-board.game", "1")
    assert given.text.startswith("% A board file of one's own")
    assert given.board
    assert serve._initial_record(str(ROOT / "examples/games/two-players.game")).at is None
