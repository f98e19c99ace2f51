"""--output and the files that commands write: no input is replaced, and a file is whole or as it was before.

Arguments after ``--`` are never options.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from support.commands import Outcome, Run, Write

from kaiser_logic import files
from kaiser_logic.errors import WrongUsage

HEAD = '[Game "kaiser"] [Board "board.txt"]\n'
ODD = os.fsdecode(b"o\xff\n")


@pytest.fixture
def here(run: Run, write: Write) -> Path:
    """A folder with a folder of records ``d``, links to them, and the rulebook ``heap``."""
    write(HEAD)
    Path("d/sub").mkdir(parents=True)
    for name in ("d/a.game", "d/sub/b.game", "-a.game", "--output=d", "a@1"):
        Path(name).write_text(HEAD)
    for folder in (".", "d", "d/sub"):
        Path(folder, "board.txt").write_text("spaces(trier,castle,2).")
    Path("link").symlink_to("d/a.game")
    os.link("d/sub/b.game", "hard")
    Path("store").write_text(HEAD)
    Path("d/linked.game").symlink_to("../store")
    Path("claims").write_text("")
    run("new-game", "heap")
    return Path()


REFUSED = """
check my.game --output my.game
check my.game --format json --output ./my.game
check my.game --format html --output d/../my.game
check my.game --format sarif --output board.txt
check --output=--output=d -- --output=d
check d/a.game --output link
check link --output d/a.game
check d/sub/b.game --output hard
check d --output hard
check d --output store
check d --output d/new.game
check d --format json --output d/sub/new.game
check d --output d/sub/board.txt
show my.game --output my.game
show my.game@0 --format svg --output my.game
show a@1 --output a@1
coverage kaiser d --output d/a.game
diff-rules recorded it d --output link
diff-rules recorded ./heap/ my.game --output heap/play.lp
find kaiser emperor(red) --board board.txt --output board.txt
find kaiser emperor(red) --reachable --from my.game --output my.game
find heap/ pile(1) --output heap/play.lp
find kaiser emperor(red) --invariants claims --output claims
lint heap --format sarif --output heap/game.toml
rules heap/ --print --output heap/english.toml
"""


def test_no_input_is_replaced(run: Run, here: Path) -> None:
    before = {path: path.read_bytes() for path in here.rglob("*") if path.is_file()}
    for line in REFUSED.strip().splitlines():
        found = run(*line.split(" "))
        assert (found.code, found.out) == (2, ""), line
        assert "so it is not replaced" in found.err, line
    assert before == {path: path.read_bytes() for path in here.rglob("*") if path.is_file()}


WRITTEN = """
check my.game --output out
check my.game --format html --output out
check my.game --format json --output out
check my.game --view red --format json --output out
check my.game --format sarif --output out
check my.game --format junit --output out
check d --format csv --output d/report
show my.game --output out
show my.game --format svg --output out
coverage kaiser my.game --format json --output out
diff-rules recorded it my.game --format json --output out
find heap/ pile(1) --output out
find heap/ --help-query --output out
lint heap --format json --output out
rules heap/ --output out
rules heap/ --print --output out
"""


@pytest.mark.parametrize("line", WRITTEN.strip().splitlines())
def test_outputs_are_written_in_one_step(run: Run, here: Path, line: str) -> None:
    """By a link, with odd names and to streams too; the file has the mode that it had."""
    *command, _, name = line.split(" ")
    there = {path for path in here.rglob("*")}
    Path(name).write_text("old")
    Path(name).chmod(0o640)
    Path("to").symlink_to(name)
    found = run(*command, "--output", "to")
    assert found.code < 2
    assert Path("to").is_symlink()
    assert Path(name).stat().st_mode & 0o777 == 0o640
    text = Path(name).read_bytes()
    assert text != b"old"
    again = [run(*command, "--output=-out"), *(run(*command, "--output", odd) for odd in (ODD, "/dev/null"))]
    assert [one.code for one in again] == [found.code] * 3
    assert Path(ODD).read_bytes() == Path("-out").read_bytes() == text
    for wrong, why in (
        ("no/x", "No such file or directory"),
        (".", "the folder is not empty" if "check my.game --format html" in line else "Is a directory"),
        ("/dev/full", "No space left on device"),
    ):
        if wrong == "/dev/full" and not text:
            continue
        assert run(*command, "--output", wrong)[:2] == (2, "")
        assert f"kaiser-logic: {wrong} cannot be written: {why}\n" in run(*command, "--output", wrong).err
    assert {path for path in here.rglob("*")} == there | {Path(one) for one in (name, "to", ODD, "-out")}


@pytest.mark.parametrize("open_files", ["/proc/self/fd", "nowhere"])
def test_a_draft_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, open_files: str) -> None:
    """Also where a draft must have a name."""
    monkeypatch.setattr(files, "_OPEN_FILES", open_files)
    file = tmp_path / "x"
    for text in ("old", "newer"):
        files.write_file(file, text)
        with pytest.raises(ZeroDivisionError), files.written_file(file) as out:
            print("new" * 100_000, file=out, flush=True)
            raise ZeroDivisionError
        assert [path.name for path in tmp_path.iterdir()] == ["x"]
        assert file.read_text() == text
    files.write_new_file(file, "newer")
    with pytest.raises(WrongUsage, match="x cannot be written: File exists"):
        files.write_new_file(file, "other")
    files.write_new_file(tmp_path / "y", "other")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["x", "y"]


def test_two_dashes_end_the_options(run: Run, here: Path) -> None:
    Path("-d").mkdir()
    Path("-d/--help.game").write_text(HEAD)
    Path("-d/board.txt").write_text("spaces(trier,castle,2).")
    summary = run("check", "my.game").err.replace("1 record: 1", "3 records: 3")
    assert run("check", "--", "-a.game", "--output=d", "-d") == Outcome(0, "", summary)
    assert run("check", "my.game", "--jobs", "1", "--", "-a.game", "-d").err == summary
    for command in ("show", "moves", "position", "complete"):
        assert run(command, "--", "-a.game") == run(command, "my.game")
    assert run("why", "--", "-a.game", "red: pass") == run("why", "my.game", "red: pass")
    assert run("perft", "--", "-a.game", "1") == run("perft", "my.game", "1")
    assert "did not expect '-' here" in run("find", "heap/", "--", "-pile(3)").err
    assert "the following arguments are required: FILE" in run("check", "--").err
