"""The command serve."""

from __future__ import annotations

import http.client
import importlib.util
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from support.commands import Run

from kaiser_logic.cli import serve as command

ROOT = Path(__file__).parents[2]


def test_what_is_missing_is_said(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        command, "find_spec", lambda name: None if name == "uvicorn" else importlib.util.find_spec("json")
    )
    outcome = run("serve")
    assert outcome.code == 2
    assert "needs uvicorn" in outcome.err
    assert "kaiser-logic[web]" in outcome.err


def test_wrong_ports_are_refused(run: Run) -> None:
    pytest.importorskip("uvicorn")
    assert run("serve", "--port", "70000").code == 2
    assert run("serve", "--port", "x").code == 2


def test_an_address_in_use_is_refused(run: Run) -> None:
    pytest.importorskip("uvicorn")
    from kaiser_logic.explorer.server import listening

    with listening("127.0.0.1", 0) as bound:
        outcome = run("serve", "--port", str(bound.getsockname()[1]))
    assert outcome.code == 2
    assert "cannot listen at" in outcome.err


@pytest.mark.slow
def test_an_interrupt_ends_it_with_all_its_children() -> None:
    pytest.importorskip("uvicorn")
    process = subprocess.Popen(
        [sys.executable, "-m", "kaiser_logic", "serve", "--port", "0"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    address = re.search(r"http://([^/]+)/", process.stderr.readline())
    assert address
    asked = http.client.HTTPConnection(address[1])
    asked.request("POST", "/ask/games", "{}", {"Content-Type": "application/json"})
    assert asked.getresponse().status == 200
    asked.close()
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=600)  # the children hold its standard error open while they live
    assert (process.returncode, said) == (0, "")


def test_a_record_is_opened_at_the_start(tmp_path: Path) -> None:
    """Its text, the board file that it names, and the number of moves; what cannot be read is refused before."""
    pytest.importorskip("uvicorn")
    given = command._initial_record(str(ROOT / "examples/staufer/own-board.game@3"))
    assert (given.name, given.at) == ("own-board.game", 3)
    assert given.text.startswith("% A board file of one's own")
    assert given.board
    assert command._initial_record(str(ROOT / "examples/games/two-players.game")).at is None


def test_no_file_no_server(run: Run) -> None:
    pytest.importorskip("uvicorn")
    outcome = run("serve", "nowhere.game@3", "--port", "0")
    assert outcome.code == 2
    assert "nowhere.game" in outcome.err
