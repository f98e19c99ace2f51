"""The pictures of a whole record: parts that do not change are drawn once, with the same result."""

import pytest
from support import EXAMPLES
from support.places import GAMES

from kaiser_logic.drawing.svg.picture import draw
from kaiser_logic.notation.reading import parse_record
from kaiser_logic.notation.record import Record
from kaiser_logic.notation.sources import read
from kaiser_logic.reports.story import Story, story


def story_of(name: str, moves: int) -> Story:
    record = read(EXAMPLES / name)
    return story(Record(record.tags, record.items[:moves], record.path))


@pytest.mark.sample(4)
@pytest.mark.parametrize(("name", "moves"), GAMES)
def test_shared_parts_give_the_same_pictures(name, moves):
    steps = story_of(name, moves).steps
    layouts = [layout.name for layout in steps[0].frame.scene.geometry.layouts]
    for layout in layouts:
        drawn_parts: dict[object, object] = {}
        for step in steps[::3]:
            assert step.frame is not None
            given = {"layout": layout, "theme": "auto", "pinned": step.pinned, "tried": step.tried}
            assert draw(step.frame, **given, drawn_parts=drawn_parts) == draw(step.frame, **given)


def test_marks_of_illegal_moves_are_not_shared():
    """Pins and tried moves are only in the pictures to which they belong."""
    for name in ("faults/wrong-landing.game", "faults/many-rules.game"):
        steps = story(parse_record((EXAMPLES / name).read_text(encoding="utf-8")), "skip").steps
        drawn_parts: dict[object, object] = {}
        for step in (*steps, *reversed(steps)):
            if step.frame is not None:
                given = {"pinned": step.pinned, "tried": step.tried}
                assert draw(step.frame, **given, drawn_parts=drawn_parts) == draw(step.frame, **given)
