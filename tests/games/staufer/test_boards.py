"""Die Staufer: the board files among the examples."""

from pathlib import Path

import pytest
from oracles.staufer import BOARD

from kaiser_logic.engine.assumptions import docs_of_kind
from kaiser_logic.game import load

pytestmark = pytest.mark.by_hand

BOARDS = Path(__file__).parents[3] / "examples" / "staufer" / "boards"


def test_the_suggested_sets_of_privileges_are_chosen_by_name():
    """The numbers are those of the appendix. The printed rulebook lists the same."""
    sets = load("staufer").book.manifest["tags"]["Privileges"]["sets"]
    assert len(sets) == 4
    text = " ".join(
        (BOARDS.parents[2] / "docs" / "rulebooks" / "staufer.md").read_text(encoding="utf-8").split()
    )
    for name, numbers in sets.items():
        at = load("staufer", players=2, privileges=name).initial()
        shown = sorted(int(f[8:].split(",")[0]) for f in at.facts if f.startswith("display("))
        assert shown == list(map(int, numbers.split()))
        assert f"{name}: {numbers.replace(' ', ', ')}." in text


def test_a_complete_board_file_leaves_nothing_assumed(tmp_path):
    (tmp_path / "board.lp").write_text(BOARD, encoding="utf-8")
    at = load("staufer", players=2, board=tmp_path / "board.lp").initial()
    assert set(docs_of_kind(at.ruleset, "assumed")) == {"rank.seats"}
    assert at == load("staufer", players=2).initial()
