"""The drawing of a position as data."""

from __future__ import annotations

from pathlib import Path

from support.heap_game import FOLDER, variant

from kaiser_logic.drawing.text import DrawnTable, drawing
from kaiser_logic.game import load

DRAWING = """\
headline(2,heap(N)) :- heap(N).
headline(1,phase(P)) :- phase(P).
table(1,players).
column(players,2,stones).
column(players,1,turn).
column(players,3,nothing).
row(players,I,R) :- seat(R,I).
cell(players,R,stones,1,K) :- taken(R,K).
cell(players,R,turn,2,D) :- decision(R,D).
cell(players,R,turn,1,last) :- took(R).
"""


def test_headlines_rows_columns_and_cells_are_ordered(tmp_path: Path) -> None:
    folder = variant(tmp_path, {'title = "Heap (an example)"': 'title = "Heap"\ndrawing = "seen"'})
    (folder / "seen.lp").write_text(DRAWING)
    at = load(folder).initial().apply({"red": "take(3)"}).apply({"green": "take(2)"})
    shown = drawing(at)
    assert shown is not None
    assert shown.headlines == ("phase(play)", "heap(7)")
    assert shown.tables == (
        DrawnTable(
            "players", ("turn", "stones"), ("red", "green"), ((("take",), ("3",)), (("last",), ("2",)))
        ),
    )


def test_empty_columns_can_be_kept(tmp_path: Path) -> None:
    """A board of three columns, the last of them empty, keeps all three."""
    folder = variant(tmp_path, {'title = "Heap (an example)"': 'title = "Heap"\ndrawing = "seen"'})
    (folder / "seen.lp").write_text(f"{DRAWING}keep(players,C) :- column(players,_,C).\n")
    shown = drawing(load(folder).initial())
    assert shown is not None
    (table,) = shown.tables
    assert table.columns == ("turn", "stones", "nothing")
    assert table.cells == ((("take",), (), ()), ((), (), ()))


def test_a_game_without_drawing_rules() -> None:
    assert drawing(load(FOLDER).initial()) is None


def test_drawings_may_extend_predicates_of_the_rules(tmp_path: Path) -> None:
    """The drawing adds a fact to a predicate, and the facts from the rules still hold."""
    folder = variant(tmp_path, {'title = "Heap (an example)"': 'title = "Heap"\ndrawing = "seen"'})
    (folder / "seen.lp").write_text("amount(9).\nheadline(1,ok) :- amount(2).\n", encoding="utf-8")
    game = load(folder)
    assert "ok" in str(drawing(game.initial()))
