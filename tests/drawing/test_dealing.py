"""Pieces dealt to places."""

from __future__ import annotations

from dataclasses import replace

from support.pictures import at

from kaiser_logic.drawing.frame import deal
from kaiser_logic.drawing.scene import Look, Pieces, Scene, scene

RED, BLUE = Look("baron", "red", "15"), Look("baron", "blue", "25")
KNIGHT = Look("knight", "green", "none")


def with_pieces(*pieces: tuple[Look, int]) -> Scene:
    shown = scene(at("games/four-players.game", 37))
    assert shown is not None
    return replace(shown, pieces=tuple(Pieces("aristocrat", "boehmen", look, n) for look, n in pieces))


def places(scene: Scene) -> tuple[str, ...]:
    return scene.geometry.slots["aristocrat", "boehmen"]


def test_pieces_are_drawn_singly_if_there_is_room() -> None:
    shown = with_pieces((KNIGHT, 1), (BLUE, 1), (RED, 2))
    dealt = deal(shown)
    assert [dealt.placed[p] for p in places(shown)[:4]] == [(RED, 1), (RED, 1), (BLUE, 1), (KNIGHT, 1)]
    assert not dealt.beyond


def test_pieces_that_stay_keep_their_places() -> None:
    before = deal(with_pieces((RED, 1), (BLUE, 1), (KNIGHT, 1)))
    after = with_pieces((BLUE, 1), (KNIGHT, 1))
    _, second, third, *_ = places(after)
    assert deal(after, before).placed == {second: (BLUE, 1), third: (KNIGHT, 1)}


def test_a_piece_with_another_label_keeps_its_place() -> None:
    older = RED._replace(label="25")
    before, after = deal(with_pieces((BLUE, 1), (RED, 1))), with_pieces((older, 1), (BLUE, 1), (KNIGHT, 1))
    place = next(place for place, one in before.placed.items() if one == (RED, 1))
    assert deal(after, before).placed[place] == (older, 1)


def test_new_pieces_avoid_places_just_left() -> None:
    before = deal(with_pieces((RED, 1), (BLUE, 1)))
    after = with_pieces((BLUE, 1), (KNIGHT, 1))
    _, second, third, *_ = places(after)
    assert deal(after, before).placed == {second: (BLUE, 1), third: (KNIGHT, 1)}


def test_too_many_pieces_are_drawn_once_with_their_number() -> None:
    shown = with_pieces((RED, 4), (BLUE, 3))
    assert list(deal(shown).placed.values()) == [(RED, 4), (BLUE, 3)]


def test_pieces_without_a_place_are_not_lost() -> None:
    looks = [(Look("baron", "red", str(15 + n)), 1) for n in range(7)]
    shown = with_pieces(*looks)
    dealt = deal(shown)
    assert len(dealt.placed) == len(places(shown)) == 5
    assert [look.label for look, _ in dealt.beyond["boehmen"]] == ["20", "21"]
