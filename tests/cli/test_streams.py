"""Commands whose standard streams are closed or full, or that run out of files: exit codes are as usual."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kaiser_logic.cli import progress

ROOT = Path(__file__).parents[2]
LEGAL, FAULTY = "check examples/games/two-players.game", "check examples/faults/many-rules.game"


def shell(command: str, before: str = "", python: str = "") -> subprocess.CompletedProcess[str]:
    """Runs a command in a shell, with redirections. ``before`` is put in front of it, such as a limit."""
    program = f"{before} {shlex.quote(sys.executable)} {python} -m kaiser_logic {command}"
    path = os.pathsep.join([str(ROOT), *filter(None, sys.path)])
    return subprocess.run(
        ["/bin/sh", "-c", program],
        check=False,
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": path},
        timeout=300,
    )


@pytest.mark.sample(12)
@pytest.mark.parametrize(
    ("command", "code"),
    [
        (f"{LEGAL} <&- >&- 2>&-", 0),
        (f"{LEGAL} 2>/dev/full", 0),
        (f"{LEGAL} 2>&-", 0),
        (f"{LEGAL} >&-", 0),
        (f"{FAULTY} 2>/dev/full", 1),
        (f"{FAULTY} 2>&-", 1),
        ("rules kaiser >/dev/full", 2),  # the output is lost
        ("check nowhere.game 2>&-", 2),
        ("rules kaiser >&-", 2),
        ("nothing 2>&-", 2),
    ],
)
def test_exit_codes_with_closed_or_full_streams(command: str, code: int) -> None:
    found = shell(command)
    assert found.returncode == code, found
    assert "Traceback" not in found.stderr
    assert "internal error" not in found.stderr


def test_a_closed_input_is_an_empty_one() -> None:
    closed, empty = shell("play kaiser <&-"), shell("play kaiser </dev/null")
    assert (closed.returncode, closed.stdout) == (empty.returncode, empty.stdout)
    assert "internal error" not in closed.stderr


def test_files_do_not_get_the_number_of_a_closed_stream(tmp_path: Path) -> None:
    """Otherwise output could be written into another file, such as one of the cache."""
    script = (
        "import os, sys; from kaiser_logic.cli.progress import usable_streams\n"
        "with usable_streams():\n"
        f"    file = open({str(tmp_path / 'file')!r}, 'w'); assert file.fileno() > 2\n"
        "    print('lost', file=sys.stderr); assert sys.stdin.read() == ''\n"
        "    assert [os.get_inheritable(n) for n in range(3)] == [True] * 3\n"
    )
    found = subprocess.run(
        ["/bin/sh", "-c", f"{shlex.quote(sys.executable)} -c {shlex.quote(script)} <&- >&- 2>&-"],
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert found.returncode == 0


def test_control_characters_do_not_reach_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such as those in the title of a game, whatever the command is that prints it."""
    for terminal, shown in ((True, "He\\x1b[31map\tx\n"), (False, "He\x1b[31map\tx\n")):
        monkeypatch.setattr(sys.stdout, "isatty", lambda terminal=terminal: terminal)
        with progress.usable_streams():
            print("He\x1b[31map\tx")
        assert capsys.readouterr().out == shown


def test_the_streams_are_restored(capsys: pytest.CaptureFixture[str]) -> None:
    before = sys.stderr
    with progress.usable_streams():
        print("said", file=sys.stderr)
        assert sys.stderr.isatty() is before.isatty()
    assert sys.stderr is before
    assert capsys.readouterr().err == "said\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    ["prove kaiser --players 2 --jobs 20", 'find kaiser --count 2 "emperor(red)"'],
)
def test_too_few_open_files_are_reported(command: str) -> None:
    """Python starts with ``-S``, as its own start would open files."""
    found = shell(command, "ulimit -n 4;", "-S")
    assert found.returncode == 2
    assert "there are not enough open files: ulimit -n " in found.stderr
    assert "Traceback" not in found.stderr


def test_counterexamples_do_not_depend_on_the_order_of_sets(tmp_path: Path) -> None:
    """Which model the solver finds depends on the order of atoms and assumptions, and on nothing that Python draws anew."""
    folder = tmp_path / "heap"
    shutil.copytree(ROOT / "tests" / "support" / "heap", folder)
    rules = folder / "invariants.lp"
    claim = "%! invariant never_six -- There are never six.\nbroken(never_six,x) :- heap(6).\n"
    rules.write_text(claim + rules.read_text(encoding="utf-8"), encoding="utf-8")
    command = f"prove {folder} never_six --jobs 1 --all --fresh --origin 0"
    printed = {
        shell(command, f"PYTHONHASHSEED={seed}").stdout.partition("\n0 proved")[0] for seed in (2, 3, 5)
    }
    assert len(printed) == 1
    assert "take(K)" in printed.pop()
