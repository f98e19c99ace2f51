"""What a move changed."""

from __future__ import annotations

from pathlib import Path

from support.heap_game import FOLDER
from support.pictures import PICTURE, at, oxo

from kaiser_logic.drawing.frame import Frame
from kaiser_logic.drawing.scene import Look, scene
from kaiser_logic.drawing.text import changed, render
from kaiser_logic.game import load
from kaiser_logic.position import Position


def frame(position: Position, before: Position) -> Frame:
    old, new = scene(before), scene(position)
    assert old is not None
    assert new is not None
    return Frame.after(new, Frame.after(old))


def test_moved_taken_numbers_and_chips() -> None:
    told = frame(at("games/four-players.game", 37), at("games/four-players.game", 36))
    (moved,) = told.change.moved
    assert moved.look == Look("baron", "yellow", "25")
    assert told.change.brought == ()
    assert told.change_lines == [
        "> Yellow baron 25: Trier → Sachsen",
        "- Blue knight, Sachsen",
        "~ Blue knight 2 → 3",
        "~ Yellow thalers 3 → 2",
        "~ Cards to be bought: move 2 → 1",
        "+ Yellow move",
    ]


def test_two_equal_ones_have_no_way(tmp_path: Path) -> None:
    """Where there is a second candidate nothing has moved: both were taken, both brought."""
    game = load(oxo(tmp_path))
    facts = ["seat(nought,1)", "seat(cross,2)", "phase(play)", "decision(nought,put)"]
    one = game.position([*facts, "marked(1,1,cross)"])
    other = game.position([*facts, "marked(2,2,cross)"])
    both = game.position([*facts, "marked(2,2,cross)", "marked(3,3,cross)"])
    assert [m.target for m in frame(other, one).change.moved] == ["at(2,2)"]
    told = frame(both, one).change
    assert (told.moved, len(told.taken), len(told.brought)) == ((), 1, 2)


def test_nothing_changed(tmp_path: Path) -> None:
    start = load(oxo(tmp_path)).initial()
    assert not frame(start, start).change


def test_what_is_stated_of_an_area(tmp_path: Path) -> None:
    game = load(
        oxo(tmp_path, PICTURE + "tag(f(X,Y),1,full) :- marked(X,Y,_).\ntitle(f(X,Y),field) :- cell(X,Y).\n")
    )
    start = game.initial()
    assert "+ field: full" in frame(start.apply({"nought": "put(1,1)"}), start).change_lines


def test_without_pictures_the_facts_are_told() -> None:
    start = load(FOLDER).initial()
    after = start.apply({"red": "take(3)"})
    assert {"- heap(12)", "+ heap(9)", "+ taken(red,3)"} <= set(changed(start, after))
    assert "+ taken(red,3)" in render(after, start)
    assert "+ taken" not in render(after)


def test_when_everything_becomes_older_nothing_has_moved() -> None:
    """A tile that dies and another that reaches its age elsewhere are two."""
    told = frame(at("games/four-players.game", 158), at("games/four-players.game", 157))
    assert len(told.change.taken) + len(told.change.brought) > 20
    assert told.change.moved == ()
    assert {"- Blue couple 45, Köln", "+ Blue couple 45, Sachsen"} <= set(told.change_lines)
