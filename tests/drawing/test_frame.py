"""Pieces dealt to places."""

from dataclasses import replace

from support.heap_game import FOLDER
from support.pictures import at, oxo

from kaiser_logic.drawing.frame import Frame, deal
from kaiser_logic.drawing.scene import Look, Pieces, Scene, scene
from kaiser_logic.drawing.text import changes_of, render
from kaiser_logic.game import load
from kaiser_logic.position import Position

RED, BLUE = Look("baron", "red", "15"), Look("baron", "blue", "25")
KNIGHT = Look("knight", "green", "none")


def with_pieces(*pieces: tuple[Look, int]) -> Scene:
    shown = scene(at("games/four-players.game", 37))
    assert shown is not None
    return replace(shown, pieces=tuple(Pieces("aristocrat", "boehmen", look, n) for look, n in pieces))


def places(scene: Scene) -> tuple[str, ...]:
    return scene.geometry.slots["aristocrat", "boehmen"]


def test_pieces_that_stay_keep_their_places():
    before = deal(with_pieces((RED, 1), (BLUE, 1), (KNIGHT, 1)))
    after = with_pieces((BLUE, 1), (KNIGHT, 1))
    _, second, third, *_ = places(after)
    assert deal(after, before).placed == {second: (BLUE, 1), third: (KNIGHT, 1)}


def test_a_piece_with_another_label_keeps_its_place():
    older = RED._replace(label="25")
    before, after = deal(with_pieces((BLUE, 1), (RED, 1))), with_pieces((older, 1), (BLUE, 1), (KNIGHT, 1))
    place = next(place for place, one in before.placed.items() if one == (RED, 1))
    assert deal(after, before).placed[place] == (older, 1)


def test_pieces_without_a_place_are_not_lost():
    looks = [(Look("baron", "red", str(15 + n)), 1) for n in range(7)]
    shown = with_pieces(*looks)
    dealt = deal(shown)
    assert len(dealt.placed) == len(places(shown)) == 5
    assert [look.label for look, _ in dealt.beyond["boehmen"]] == ["20", "21"]


# Changes between two positions.
def frame(position: Position, before: Position) -> Frame:
    old, new = scene(before), scene(position)
    assert old is not None
    assert new is not None
    return Frame.frame_of(new, Frame.frame_of(old))


def test_moved_and_taken_pieces_numbers_and_chips():
    found = frame(at("games/four-players.game", 37), at("games/four-players.game", 36))
    (moved,) = found.change.moved
    assert moved.look == Look("baron", "yellow", "25")
    assert found.change.brought == ()
    assert found.change_lines == [
        "> Yellow baron 25: Trier → Sachsen",
        "- Blue knight, Sachsen",
        "~ Blue knight 2 → 3",
        "~ Yellow thalers 3 → 2",
        "~ Cards to be bought: move 2 → 1",
        "+ Yellow move",
    ]


def test_equal_pieces_are_not_moved(tmp_path):
    """With a second candidate no piece counts as moved: they are taken and brought."""
    game = load(oxo(tmp_path))
    facts = ["seat(nought,1)", "seat(cross,2)", "phase(play)", "decision(nought,put)"]
    one = game.position([*facts, "marked(1,1,cross)"])
    other = game.position([*facts, "marked(2,2,cross)"])
    both = game.position([*facts, "marked(2,2,cross)", "marked(3,3,cross)"])
    assert [m.target for m in frame(other, one).change.moved] == ["at(2,2)"]
    found = frame(both, one).change
    assert (found.moved, len(found.taken), len(found.brought)) == ((), 1, 2)


def test_changes_without_pictures_are_facts():
    start = load(FOLDER).initial()
    after = start.apply({"red": "take(3)"})
    assert {"- heap(12)", "+ heap(9)", "+ taken(red,3)"} <= set(changes_of(start, after))
    assert "+ taken(red,3)" in render(after, start)
    assert "+ taken" not in render(after)
