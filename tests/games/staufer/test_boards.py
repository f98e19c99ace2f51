"""Die Staufer: the board files among the examples."""

from pathlib import Path

import pytest
from oracles.staufer import default_board

from kaiser_logic.engine.assumptions import docs_of_kind
from kaiser_logic.evaluation.verdict import InvalidPosition
from kaiser_logic.game import load
from kaiser_logic.lang.unification import label
from kaiser_logic.printing.sources import unsupported_rules
from kaiser_logic.rules.rulebook import RuleDoc

pytestmark = pytest.mark.by_hand

BOARDS = Path(__file__).parents[3] / "examples" / "staufer" / "boards"


def test_the_board_file_has_each_kind_of_fact() -> None:
    text = (BOARDS / "stand-ins.lp").read_text(encoding="utf-8")
    heads = {
        label(h.args[0])
        for r in load("staufer").book.rules
        for h in r.heads
        if h.signature == ("board_fact", 1)
    }
    assert heads == {
        line.partition("(")[0].lstrip("% ")
        for line in text.splitlines()
        if line.startswith("% ") and "):" in line
    }


def test_the_suggested_sets_of_privileges_are_chosen_by_name() -> None:
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


def test_rulings_replace_assumed_readings() -> None:
    texts = load("staufer").ruleset.texts
    items = [e for entries in unsupported_rules(texts).values() for e in entries]
    replaced = {e.item.id: e.replaced for e in items if isinstance(e.item, RuleDoc)}
    copy = "a copy of the rulebook (--game FOLDER)"
    assert replaced["pile.refill"] == "the ruling empty_pile"
    assert replaced["rank.ties"] == f"the ruling tie_shared_seat; the rest by {copy}"
    assert replaced["views"] == copy


def test_all_assumed_data_can_be_replaced() -> None:
    """All assumed rules are data of board, tiles and cards, except about seats of equal numbers, which only other boards have."""
    entries = unsupported_rules(load("staufer").ruleset.texts)["assumed"]
    made_up = {e.item.id: e.replaced for e in entries if isinstance(e.item, RuleDoc)}
    assert made_up.pop("rank.seats")
    assert made_up and all(how.startswith("a board file with ") for how in made_up.values())


def test_a_complete_board_file_leaves_nothing_assumed(tmp_path: Path) -> None:
    (tmp_path / "board.lp").write_text(default_board(), encoding="utf-8")
    at = load("staufer", players=2, board=tmp_path / "board.lp").initial()
    assert set(docs_of_kind(at.ruleset, "assumed")) == {"rank.seats"}
    assert at == load("staufer", players=2).initial()


@pytest.mark.parametrize(
    ("figure", "text"),
    [
        ("noble", "figures(envoy,15,4). figures(noble,3,0)."),
        ("envoy", "figures(envoy,15,0). figures(noble,3,1)."),
    ],
)
def test_the_start_is_valid_if_no_figure_begins_at_court(tmp_path: Path, figure: str, text: str) -> None:
    (tmp_path / "board.lp").write_text(text, encoding="utf-8")
    game = load("staufer", players=2, board=tmp_path / "board.lp")
    facts = game.initial().facts
    assert game.initial().broken_invariants() == []
    with pytest.raises(InvalidPosition) as error:
        game.position([*facts, f"court(red,{figure},1)"])
    assert "at_the_start" in {b.invariant for b in error.value.broken}
