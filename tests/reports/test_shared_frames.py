"""The pictures of a whole record: what most moves leave as it was is drawn once, and looks as if drawn alone."""

from __future__ import annotations

import pytest
from support.places import EXAMPLES, GAMES

from kaiser_logic.drawing.svg import board
from kaiser_logic.drawing.svg.picture import draw
from kaiser_logic.notation.reading import parse_record, read
from kaiser_logic.notation.record import Record
from kaiser_logic.reports.pages import SharedFrames
from kaiser_logic.reports.story import Story, story


def told(name: str, moves: int) -> Story:
    record = read(EXAMPLES / name)
    return story(Record(record.tags, record.items[:moves], record.path))


@pytest.mark.sample(4)
@pytest.mark.parametrize(("name", "moves"), GAMES)
def test_what_is_kept_looks_as_if_drawn_alone(name: str, moves: int) -> None:
    steps = told(name, moves).steps
    layouts = [layout.name for layout in steps[0].frame.scene.geometry.layouts]  # type: ignore[union-attr]
    for layout in layouts:
        kept: dict[object, object] = {}
        for step in steps[::3]:
            assert step.frame is not None
            given = {"layout": layout, "theme": "auto", "pinned": step.pinned, "tried": step.tried}
            assert draw(step.frame, **given, drawn_parts=kept) == draw(step.frame, **given)  # type: ignore[arg-type]


def test_what_speaks_against_a_move_is_kept_apart() -> None:
    """Pins and what was tried are part of a picture only where they belong."""
    for name in ("faults/wrong-landing.game", "faults/many-rules.game"):
        steps = story(parse_record((EXAMPLES / name).read_text(encoding="utf-8")), "skip").steps
        kept: dict[object, object] = {}
        for step in (*steps, *reversed(steps)):
            if step.frame is not None:
                given = {"pinned": step.pinned, "tried": step.tried}
                assert draw(step.frame, **given, drawn_parts=kept) == draw(step.frame, **given)  # type: ignore[arg-type]


def test_an_area_is_drawn_again_only_where_it_has_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = []
    whole = board.area

    def counted(canvas: object, name: str, shape: object) -> list[str]:
        drawn.append(name)
        return whole(canvas, name, shape)  # type: ignore[arg-type]

    steps = told("krone/random-30.game", 120).steps
    areas = len(steps[0].frame.scene.geometry.layouts[0].areas)  # type: ignore[union-attr]
    monkeypatch.setattr(board, "area", counted)
    pictures = SharedFrames(steps)
    assert len(drawn) < areas * len(pictures.layouts) * 6, "of 121 pictures, each with all its areas"
    size = sum(map(len, pictures.texts)) + sum(6 * len(group) for group in pictures.groups)
    assert size < 400_000
