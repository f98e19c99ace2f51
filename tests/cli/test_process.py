"""The command line as a process: exit codes, and work at the end of the process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BEFORE = "import atexit, sys; from kaiser_logic.__main__ import run; "


def process(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs Python in the project's folder."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **variables}
    return subprocess.run(
        [sys.executable, *arguments],
        check=False,
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=environment,
        timeout=600,
    )


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("check", "examples/games/two-players.game"), 0),
        (("check", "examples/faults/many-rules.game"), 1),
        (("check", "nowhere.game"), 2),
        (("nothing",), 2),
    ],
)
def test_exit_codes_of_commands(arguments: tuple[str, ...], code: int) -> None:
    found = process("-m", "kaiser_logic", *arguments)
    assert found.returncode == code
    assert found.stdout + found.stderr


@pytest.mark.slow
def test_compare_works_in_a_new_process() -> None:
    """In a process that has done something before, predicates would have been named already."""
    found = process(
        "-m",
        "kaiser_logic",
        "compare",
        "kaiser",
        "--players",
        "2",
        "--editions",
        "nl,it",
        "--timeout",
        "100000",
    )
    assert found.stderr == ""
    assert found.returncode == 1
    assert "convent_by_choice" in found.stdout


def test_long_output_is_complete() -> None:
    found = process("-m", "kaiser_logic", "rules", "kaiser", "--print", "--links", "../../asp")
    assert found.returncode == 0
    assert found.stdout.encode() == (ROOT / "docs" / "rulebooks" / "kaiser.md").read_bytes()


@pytest.mark.slow
def test_the_cache_is_written_at_the_end(tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    found = process(
        "-m", "kaiser_logic", "check", "examples/games/two-players.game", KAISER_LOGIC_CACHE=str(folder)
    )
    assert found.returncode == 0
    assert {path.name.split("-")[0] for path in folder.iterdir()} >= {"codes", "programs", "rules"}


def test_tracebacks_are_not_hidden() -> None:
    script = BEFORE + "import kaiser_logic.cli as c; c.main = lambda: 1 / 0; run()"
    found = process("-c", script)
    assert found.returncode == 1
    assert "ZeroDivisionError" in found.stderr


def test_a_closed_pipe_ends_the_command_quietly() -> None:
    command = f"{sys.executable} -m kaiser_logic rules kaiser --print | head -c 1 >/dev/null; echo ${{PIPESTATUS[0]}}"
    found = subprocess.run(
        ["bash", "-c", command], check=False, capture_output=True, text=True, cwd=ROOT, timeout=600,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert found.stdout.strip() in {"0", "141"}
    assert not found.stderr


LOADED = "import sys; from kaiser_logic.cli import main; main(['check', 'examples/games/two-players.game']); print(*sys.modules)"


@pytest.mark.slow
def test_check_imports_only_what_it_needs(tmp_path: Path) -> None:
    """Imports cost time at the start: processes, the grammar, and the compiler if the rules are cached."""
    cold = set(process("-c", LOADED, KAISER_LOGIC_CACHE="off").stdout.split())
    assert "kaiser_logic.records.checking" in cold
    assert not cold & {"multiprocessing", "subprocess", "tempfile", "shutil", "lark", "json"}
    cached = [
        set(process("-c", LOADED, KAISER_LOGIC_CACHE=str(tmp_path / "kept")).stdout.split()) for _ in "12"
    ]
    compiler = {"clingo.ast", "kaiser_logic.engine.compiled.source", "kaiser_logic.rules.contract.survey"}
    assert compiler <= cached[0]
    assert cached[1] & compiler <= {"kaiser_logic.engine.compiled.source"}  # for the line on assumptions
