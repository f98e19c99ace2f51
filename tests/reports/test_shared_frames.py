"""The pictures of a whole record: parts that do not change are drawn once, with the same result."""

from __future__ import annotations

import pytest
from support.places import EXAMPLES, GAMES

from kaiser_logic.drawing.svg import board
from kaiser_logic.drawing.svg.picture import draw
from kaiser_logic.notation.reading import parse_record
from kaiser_logic.notation.record import Record
from kaiser_logic.notation.sources import read
from kaiser_logic.reports.pages import SharedFrames
from kaiser_logic.reports.story import Story, story


def story_of(name: str, moves: int) -> Story:
    record = read(EXAMPLES / name)
    return story(Record(record.tags, record.items[:moves], record.path))


@pytest.mark.sample(4)
@pytest.mark.parametrize(("name", "moves"), GAMES)
def test_shared_parts_give_the_same_pictures(name: str, moves: int) -> None:
    steps = story_of(name, moves).steps
    layouts = [layout.name for layout in steps[0].frame.scene.geometry.layouts]  # type: ignore[union-attr]
    for layout in layouts:
        drawn_parts: dict[object, object] = {}
        for step in steps[::3]:
            assert step.frame is not None
            given = {"layout": layout, "theme": "auto", "pinned": step.pinned, "tried": step.tried}
            assert draw(step.frame, **given, drawn_parts=drawn_parts) == draw(step.frame, **given)  # type: ignore[arg-type]


def test_marks_of_illegal_moves_are_not_shared() -> None:
    """Pins and tried moves are only in the pictures to which they belong."""
    for name in ("faults/wrong-landing.game", "faults/many-rules.game"):
        steps = story(parse_record((EXAMPLES / name).read_text(encoding="utf-8")), "skip").steps
        drawn_parts: dict[object, object] = {}
        for step in (*steps, *reversed(steps)):
            if step.frame is not None:
                given = {"pinned": step.pinned, "tried": step.tried}
                assert draw(step.frame, **given, drawn_parts=drawn_parts) == draw(step.frame, **given)  # type: ignore[arg-type]


def test_areas_are_drawn_again_only_after_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = []
    whole = board.area

    def counted(canvas: object, name: str, shape: object) -> list[str]:
        drawn.append(name)
        return whole(canvas, name, shape)  # type: ignore[arg-type]

    steps = story_of("krone/random-30.game", 120).steps
    areas = len(steps[0].frame.scene.geometry.layouts[0].areas)  # type: ignore[union-attr]
    monkeypatch.setattr(board, "area", counted)
    pictures = SharedFrames(steps)
    assert len(drawn) < areas * len(pictures.layouts) * 6, "far fewer than all areas of 121 pictures"
    size = sum(map(len, pictures.texts)) + sum(6 * len(group) for group in pictures.groups)
    assert size < 400_000
