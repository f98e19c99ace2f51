"""The command play."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from support.heap_game import FOLDER

from kaiser_logic.notation.reading import parse_record
from kaiser_logic.notation.record import Move
from kaiser_logic.notation.syntax import parse_user_term


@pytest.mark.parametrize(("number", "files"), [(signal.SIGTERM, 0), (signal.SIGHUP, 1)])
def test_a_game_that_is_ended_from_outside_is_kept(tmp_path, number, files):
    """The record is printed. If the terminal may be gone, it is also written to a file."""
    path = os.pathsep.join([str(Path(__file__).parents[2]), *filter(None, sys.path)])
    with subprocess.Popen(
        [sys.executable, "-m", "kaiser_logic", "play", str(FOLDER), "--plain"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": path},
    ) as process:
        assert process.stdin is not None and process.stderr is not None
        process.stdin.write("take(2)\n")
        process.stdin.flush()
        assert any("green decides" in line for line in iter(process.stderr.readline, ""))
        process.send_signal(number)
        printed, _ = process.communicate()
    assert process.returncode == 128 + number
    assert parse_record(printed).moves == (Move("red", parse_user_term("take(2)")),)
    kept = list(tmp_path.glob("heap-interrupted-1.game"))
    assert [file.read_text() for file in kept] == [printed] * files
