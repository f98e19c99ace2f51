"""The command serve."""

from pathlib import Path

import pytest

from kaiser_logic.cli import serve as command

ROOT = Path(__file__).parents[2]


def test_an_address_in_use_is_refused(run):
    pytest.importorskip("uvicorn")
    from kaiser_logic.explorer.server import listening

    with listening("127.0.0.1", 0) as bound:
        outcome = run("serve", "--port", str(bound.getsockname()[1]))
    assert outcome.code == 2
    assert "cannot listen at" in outcome.err


def test_a_record_can_be_opened_at_the_start(tmp_path):
    """The explorer gets its text, its board file and the number of moves."""
    pytest.importorskip("uvicorn")
    given = command._initial_record(str(ROOT / "examples/staufer/own-board.game@1"))
    assert (given.name, given.at) == ("own-board.game", "1")
    assert given.text.startswith("% A board file of one's own")
    assert given.board
    assert command._initial_record(str(ROOT / "examples/games/two-players.game")).at is None
