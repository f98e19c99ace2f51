"""Positions drawn as text."""

import re
from pathlib import Path
from random import Random

import pytest
from games.positions import make, position
from support.heap_game import FOLDER, variant
from support.tables import rows

from kaiser_logic.drawing.text import DrawnTable, drawing, render
from kaiser_logic.engine import symbols
from kaiser_logic.game import load
from kaiser_logic.play.match import random_actions
from kaiser_logic.position import Position


def test_a_text_ends_with_its_last_line():
    shown = render(position("kaiser", "actions"), layout="120")
    assert shown.endswith("White    gray eminence, rival\n")
    assert not any(line != line.rstrip() for line in shown.splitlines())


@pytest.mark.parametrize(("at", "change", "expected"), rows("drawing/drawing", "line"))
def test_phases_and_flags_are_drawn(at, change, expected):
    assert expected in render(position("kaiser", at, change * (change != "-")), layout="120")


KRONE = """shield(a5,red) castle(a5) shield(a6,red) city(a6) shield(a10,green) castle(a10) shield(a11,green)
    shield(a7,green) large_city(a7,a11) shield(a19,red) king(red) points(green,9) people(crown,11) people(sword,8)
    turn(green) ap(1) hand(green,leader4,1) hand(green,castle,2) visit(green,1) """


@pytest.mark.parametrize(("change", "expected"), rows("drawing/drawing", "pending"))
def test_pending_decisions_of_krone(change, expected):
    facts = KRONE if "attack" not in change else KRONE.replace("shield(a19,red)", "shield(a19,red) shield(a15,green)")
    assert expected in render(make(load("krone", players=2), facts + change))


def test_the_end_phase_and_the_end_of_krone():
    game_of_two = load("krone", players=2)
    facts = KRONE.replace("points(green,9)", "points(green,19)") + "draw(game_end,1) draw(city,1) discard(city,14) "
    rest = {"castle": 13, "cathedral": 10, "leader3": 5, "leader4": 2, "incite": 3, "ambush": 2, "truce": 2}
    facts += " ".join(f"discard({card},{n})" for card, n in {**rest, "papal_visit": 2, "unrest": 5}.items())
    at = make(game_of_two, f"{facts} discard(city_scoring,2) drawing decision(chance,draw)")
    assert "The end phase" in render(at)
    over = render(at.apply({"chance": "draw(game_end)"}))
    assert over.startswith("The game is over\n")
    assert "Green wins with" in over


@pytest.mark.parametrize("width", [40, 60, 80, 100, 160])
def test_the_drawing_has_the_given_width(width):
    """Columns without room are drawn below, with the same names of rows. Nothing is lost."""
    shown = render(position("kaiser", "actions"), layout=str(width))
    assert max(map(len, shown.splitlines())) <= width
    assert shown.count("Sachsen") == 1 + (width == 40)
    words = " ".join(shown.split())
    for thing in ("Blue", "empire", "church", "permit"):
        assert thing in words


@pytest.mark.sample(7)
@pytest.mark.parametrize(
    ("name", "players"),
    [("kaiser", 4), ("kaiser", 2), ("staufer", 5), ("vive", 6), ("krone", 5), ("krone", 2), ("vive", 3)],
)
def test_whole_games_are_drawn_in_words(name, players):
    """From start to end no line is wider than the terminal (defect D8)."""
    rng = Random(players)
    at, moves = load(name, players=players).initial(), 0
    while at.to_move and moves < 600:
        if moves % 12 == 0:
            _readable(at)
        at = at.apply({role: symbols.text(a) for role, a in random_actions(at, rng).items()})
        moves += 1
    _readable(at)


def _readable(at: Position) -> None:
    shown = render(at)
    assert max(map(len, shown.splitlines())) <= 80
    assert not re.search(r"[{}_]|\w\(", shown)  # no term, such as thalers(red,3)
    for role in at.ruleset.seats:
        assert role.capitalize() in shown


# The drawing of a position as data.
DRAWING = Path(__file__).with_name("seen.lp").read_text(encoding="utf-8")


def test_headlines_rows_columns_and_cells_are_ordered(tmp_path):
    """Empty columns can be kept, and a drawing may extend predicates of the rules."""
    assert drawing(load(FOLDER).initial()) is None
    folder = variant(tmp_path, {'title = "Heap (an example)"': 'title = "Heap"\ndrawing = "seen"'})
    more = "keep(players,C) :- column(players,_,C).\namount(9).\nheadline(3,ok) :- amount(2), amount(9).\n"
    cells = ((("take",), ("3",)), (("last",), ("2",)))
    for text, headlines, columns, empty in (
        (DRAWING, (), ("turn", "stones"), ()),
        (DRAWING + more, ("ok",), ("turn", "stones", "nothing"), ((),)),
    ):
        (folder / "seen.lp").write_text(text)
        shown = drawing(load(folder).initial().apply({"red": "take(3)"}).apply({"green": "take(2)"}))
        assert shown is not None
        assert shown.headlines == ("phase(play)", "heap(7)", *headlines)
        rows = tuple((*row, *empty) for row in cells)
        assert shown.tables == (DrawnTable("players", columns, ("red", "green"), rows),)
