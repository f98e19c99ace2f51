"""--output and the files that commands write: no input is replaced, and a file is whole or as it was before.

Arguments after ``--`` are never options.
"""

import os
from pathlib import Path

import pytest
from support.tables import rows

from kaiser_logic import files
from kaiser_logic.errors import WrongUsage

HEAD = '[Game "kaiser"] [Board "board.txt"]\n'
ODD = os.fsdecode(b"o\xff\n")


@pytest.fixture
def here(run, write):
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


@pytest.mark.parametrize("line", rows("cli/commands", "written"))
def test_outputs_are_written_in_one_step(run, here, line):
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
        ("no/../to", "No such file or directory"),
        ("my.game/.", "Not a directory"),
        (".", "the folder is not empty" if "check my.game --format html" in line else "Is a directory"),
        ("/dev/full", "No space left on device"),
    ):
        if wrong == "/dev/full" and not text:
            continue
        assert run(*command, "--output", wrong)[:2] == (2, "")
        assert f"kaiser-logic: {wrong} cannot be written: {why}\n" in run(*command, "--output", wrong).err
    assert {path for path in here.rglob("*")} == there | {Path(one) for one in (name, "to", ODD, "-out")}


@pytest.mark.parametrize("open_files", ["/proc/self/fd", "nowhere"])
def test_a_draft_is_given_up(tmp_path, monkeypatch, open_files):
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
