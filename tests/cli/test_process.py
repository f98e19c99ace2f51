"""The command line as a process: exit codes, streams that are closed or full, too few files, work at the end of the process."""

import os
import shlex
import shutil
import subprocess
import sys

import pytest
from support import ROOT
from support.heap_game import HEAD, variant
from support.tables import rows

from kaiser_logic.cli import progress

GAME = "examples/games/two-players.game"
LEGAL, FAULTY = f"check {GAME}", "check examples/faults/many-rules.game"


def shell(
    command: str, before: str = "", python: str = "-m kaiser_logic", **variables: str
) -> subprocess.CompletedProcess[str]:
    """Runs Python in a shell, with redirections. ``before`` is put in front of it, such as a limit."""
    program = f"{before} {shlex.quote(sys.executable)} {python} {command}"
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, sys.path)]), **variables}
    return subprocess.run(["/bin/sh", "-c", program], check=False, capture_output=True, text=True, cwd=ROOT, env=env)


def script(text: str, streams: str = "", **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs a program of Python."""
    return shell(f"{shlex.quote(text)} {streams}", python="-c", **variables)


@pytest.mark.parametrize("command", rows("cli/commands", "input"))
def test_an_output_does_not_replace_the_file_behind_the_standard_input(tmp_path, command):
    file = tmp_path / "my.game"
    shutil.copyfile(ROOT / GAME, file)
    name = shlex.quote(str(file))
    words, separator, record = command.partition(" -- ")
    run = shell(f"{words} --output {name}{separator}{record} <{name}")
    assert (run.returncode, "the command reads this file" in run.stderr) == (2, True)
    assert file.read_bytes() == (ROOT / GAME).read_bytes()


@pytest.mark.sample(6)
@pytest.mark.parametrize(("command", "code"), rows("cli/commands", "streams"))
def test_exit_codes_with_open_closed_and_full_streams(command, code):
    found = shell(command.replace("LEGAL", LEGAL).replace("FAULTY", FAULTY))
    assert found.returncode == int(code), found
    assert found.stdout + found.stderr or ">" in command
    assert "Traceback" not in found.stderr and "internal error" not in found.stderr


def test_long_output_is_complete():
    found = shell("rules kaiser --print --links ../../asp")
    assert found.returncode == 0
    assert found.stdout.encode() == (ROOT / "docs" / "rulebooks" / "kaiser.md").read_bytes()


def test_tracebacks_are_not_hidden():
    found = script(
        "import kaiser_logic.cli as c; from kaiser_logic.__main__ import run; c.main = lambda **_: 1 / 0; run()"
    )
    assert found.returncode == 1 and "ZeroDivisionError" in found.stderr


def test_a_closed_pipe_ends_the_command_quietly():
    found = shell("rules kaiser --print; echo $? >&2) | head -c 1 >/dev/null", "(")
    assert found.stderr.strip() in {"0", "141"}


LOADED = f"import sys; from kaiser_logic.cli import main; main(['check', '{GAME}']); print(*sys.modules)"


@pytest.mark.slow
def test_check_imports_only_what_it_needs(tmp_path):
    """Imports cost time at the start: processes, the grammar, and the compiler if the rules are cached."""
    cold, first, second = (
        set(script(LOADED, KAISER_LOGIC_CACHE=folder).stdout.split())
        for folder in ("off", str(tmp_path / "kept"), str(tmp_path / "kept"))
    )
    assert "kaiser_logic.records.checking" in cold
    assert not cold & {"multiprocessing", "subprocess", "tempfile", "shutil", "lark", "json"}
    compiler = {"clingo.ast", "kaiser_logic.engine.compiled.source", "kaiser_logic.rules.contract.survey"}
    assert compiler <= first
    assert second & compiler <= {"kaiser_logic.engine.compiled.source"}  # for the line on assumptions


def test_a_closed_input_is_an_empty_one():
    closed, empty = shell("play kaiser <&-"), shell("play kaiser </dev/null")
    assert (closed.returncode, closed.stdout) == (empty.returncode, empty.stdout)
    assert "internal error" not in closed.stderr


def test_files_do_not_get_the_number_of_a_closed_stream(tmp_path):
    """Otherwise output could be written into another file, such as one of the cache."""
    program = (
        "import os, sys; from kaiser_logic.cli.progress import usable_streams\n"
        "with usable_streams():\n"
        f"    file = open({str(tmp_path / 'file')!r}, 'w'); assert file.fileno() > 2\n"
        "    print('lost', file=sys.stderr); assert sys.stdin.read() == ''\n"
        "    assert [os.get_inheritable(n) for n in range(3)] == [True] * 3\n"
    )
    assert script(program, "<&- >&- 2>&-").returncode == 0


def test_control_characters_do_not_reach_a_terminal(capsys, monkeypatch):
    """Such as those in the title of a game, whatever the command is that prints it. Streams are restored."""
    before = sys.stderr
    for terminal, shown in ((True, "He\\x1b[31map\tx\n"), (False, "He\x1b[31map\tx\n")):
        monkeypatch.setattr(sys.stdout, "isatty", lambda terminal=terminal: terminal)
        with progress.usable_streams():
            print("He\x1b[31map\tx")
            assert sys.stderr.isatty() is before.isatty()
        assert capsys.readouterr().out == shown
    assert sys.stderr is before


@pytest.mark.slow
@pytest.mark.parametrize("command", ["prove kaiser --players 2 --jobs 20", 'find kaiser --count 2 "emperor(red)"'])
def test_too_few_open_files_are_reported(command):
    """Python starts with ``-S``, as its own start would open files."""
    found = shell(command, "ulimit -n 4;", "-S -m kaiser_logic")
    assert found.returncode == 2
    assert "there are not enough open files: ulimit -n " in found.stderr
    assert "Traceback" not in found.stderr


@pytest.mark.slow
def test_counterexamples_do_not_depend_on_the_order_of_sets(tmp_path):
    """Which model the solver finds depends on the order of atoms and assumptions, and on nothing that Python draws anew."""
    claim = f"%! invariant never_six -- There are never six.\nbroken(never_six,x) :- heap(6).\n{HEAD}"
    folder = variant(tmp_path, {HEAD: claim})
    command = f"prove {folder} never_six --jobs 1 --all --fresh --origin 0"
    printed = {shell(command, PYTHONHASHSEED=seed).stdout.partition("\n0 proved")[0] for seed in ("2", "5")}
    assert len(printed) == 1
    assert "take(K)" in printed.pop()
