"""What names records: folders without any, hidden and special files, pipes, names that are not UTF-8, options for their games."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from support.commands import Run, Write

from kaiser_logic.notation import reading

HEAD = '[Game "kaiser"]\n'
FAULTY = f"{HEAD}red: pass\n"
FORMATS = ("text", "json", "html", "sarif", "junit", "csv")


@pytest.fixture
def here(write: Write) -> Path:
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


@pytest.mark.parametrize(
    "command",
    [
        *(f"check {folder} --format {form}" for form in FORMATS for folder in ("none", "d/sub")),
        "check none --format json --output out",
        "check none --format junit --output out",
        "check none d/sub --jobs 2",
        "check none --view red",
        "diff-rules it nl none",
        "diff-rules it nl none --format json --output out",
        "coverage kaiser none",
        "coverage krone my.game",
        "coverage kaiser missing.game",
    ],
)
def test_no_record_is_no_success(run: Run, here: Path, command: str) -> None:
    found = run(*command.split())
    assert (found.code, found.out) == (2, "")
    last = found.err.splitlines()[-1]
    assert last.startswith(
        ("kaiser-logic: no record was checked: there is no *.game file in ", "kaiser-logic: no record of k")
    )
    assert not Path("out").exists()
    if "none" in command:
        assert last.endswith(" or below, only files such as a.GAME")


def test_hidden_and_special_files_in_folders_are_passed_over(run: Run, here: Path) -> None:
    summary = run("check", "my.game").err
    assert run("check", "d") == (0, "", summary)
    assert run("check", "d", "none") == (
        0,
        "",
        f"none: there is no *.game file in this folder or below\n{summary}",
    )
    assert run("check", "d/._a.game").code == run("check", "d/.#a.game").code == 2, (
        "they are named themselves"
    )


def test_a_pipe_is_read_once_or_refused(run: Run, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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


@pytest.mark.parametrize("form", ["text", "html"])
def test_standard_input_is_a_record(form: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "kaiser_logic", "check", "/dev/stdin", "--format", form]
    env = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[2]), *filter(None, sys.path)]),
    }
    found = subprocess.run(
        command, input=FAULTY.encode(), capture_output=True, check=False, cwd=tmp_path, env=env
    )
    assert (found.returncode, b"actions.turn" in found.stdout) == (1, True)
    (tmp_path / "a").write_text(FAULTY)
    with open(tmp_path / "a", "rb") as file:
        assert (
            subprocess.run(
                command, stdin=file, capture_output=True, check=False, cwd=tmp_path, env=env
            ).returncode
            == 1
        )
    assert (
        b"the text is empty"
        in subprocess.run(command, input=b"", capture_output=True, check=False, cwd=tmp_path, env=env).stdout
    )


ODD = os.fsdecode(b"d/b\xff.game")


@pytest.mark.parametrize("form", FORMATS)
def test_names_that_are_not_utf_8(run: Run, here: Path, form: str) -> None:
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


@pytest.mark.parametrize(
    "option", ["--edition de", "--option x=y", "--option archbishop_marriage=maybe", "--edition en_US"]
)
@pytest.mark.parametrize(
    "command",
    [
        *(f"check d my.game --format {form}" for form in FORMATS),
        "check d my.game --jobs 2",
        "check d my.game --format json --output out",
        "check my.game --view red",
        "complete my.game",
        "moves my.game",
        "show my.game --output out",
        "perft my.game 1",
        "find kaiser emperor(red) --reachable --from my.game",
    ],
)
def test_a_wrong_option_is_a_fault_of_the_command(run: Run, here: Path, command: str, option: str) -> None:
    found = run(*command.split(), *option.split())
    assert (found.code, found.out) == (2, "")
    assert found.err.startswith(
        ("kaiser-logic: kaiser has no ", "kaiser-logic: archbishop_marriage cannot be ")
    )
    assert not Path("out").exists() and not Path("out.keys").exists()


@pytest.mark.parametrize(
    "option",
    [
        "edition it",
        "option a=b",
        "players 2",
        "seats red,green",
        "board x",
        "start emperor=red",
        "origin 3",
        "invariants x",
    ],
)
def test_options_that_would_be_ignored_are_refused(run: Run, here: Path, option: str) -> None:
    name, value = option.split()
    command = "play kaiser --resume my.game"
    if name in ("origin", "invariants"):
        command = "find kaiser emperor(red) --reachable"
    found = run(*command.split(), f"--{name}", value)
    assert (found.code, found.out) == (2, "")
    assert f"--{name} cannot be used with" in found.err


@pytest.mark.parametrize(
    "name", [b"b\xff.lp", b"b\n.lp", b"b\x1b.lp", b"b" * 200 + b"/../" + b"c" * 240 + b"/../x" * 20]
)
@pytest.mark.parametrize(
    "command", ["play kaiser --random --moves 1", "simulate kaiser --records out", "find kaiser emperor(red)"]
)
def test_boards_that_records_cannot_name(run: Run, here: Path, command: str, name: bytes) -> None:
    """They are refused before a game is played: its record could not be read."""
    if len(name) < 99:
        Path(os.fsdecode(name)).write_text("spaces(trier,castle,2).")
    found = run(*command.split(), "--board", os.fsdecode(name))
    assert (found.code, found.out) == (2, "")
    assert "a record cannot name the board file" in found.err
    assert not list(Path("out").glob("*"))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('[Board "boards\\\\x.lp"]', "a path is written with /, on all systems: boards/x.lp"),
        ('[Event "O\\\'Brien"]', 'after \\ stands only " or \\, so a backslash is written \\\\'),
        ('[Event "C:\\temp"]', "so a backslash is written"),
        (
            "".join(f'[Option "x{n}=a"]\n' for n in range(3000)),
            "too many faults: nothing after this is checked",
        ),
        ("\f\v\t\v % blanks \v are alike", ""),
    ],
)
def test_texts_that_are_nearly_right(run: Run, here: Path, text: str, says: str) -> None:
    Path("boards").mkdir()
    Path("boards/x.lp").write_text("spaces(trier,castle,2).")
    Path("my.game").write_text(f"{HEAD}{text}\n")
    found = run("check", "my.game")
    assert (says in found.out) if says else found.code == 0
    assert len(found.out.splitlines()) <= 1000


def test_tags_without_meaning_are_listed(run: Run, here: Path) -> None:
    tags = '[Event "a\u202eb"] [Event "c"] [Seed "1"]\n'
    Path("d/a.game").write_text(f"{HEAD}{tags}")
    Path("d/b.game").write_text(f'{HEAD}{tags}[edition "it"]\n')
    found = run("check", "--tags", "d")
    assert (found.code, found.out) == (
        1,
        'd/b.game:3:2: record.tag: [edition "it"]: there is no such tag; did you mean Edition?\n',
    )
    assert found.err.splitlines()[-2:] == [
        'the tag Event means nothing: 4 times, first d/a.game:2:2: [Event "a\\u202eb"]',
        'the tag Seed means nothing: 2 times, first d/a.game:2:28: [Seed "1"]',
    ]
    assert run("check", "--tags", "my.game").err.endswith("every tag has a meaning\n")
