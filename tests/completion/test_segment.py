"""Segments of records: cut at the position blocks."""

from __future__ import annotations

from completion.gaps import block, segment

from kaiser_logic.completion.complete import _segments
from kaiser_logic.completion.symbolic_replay import NO_FILLING, DeadEnd
from kaiser_logic.engine.ruleset import tags_of
from kaiser_logic.game import load
from kaiser_logic.notation.reading import build_record, parse_record


def test_a_record_is_cut_at_its_position_blocks() -> None:
    start = load("kaiser").initial()
    role, action = start.to_move[0], start.legal()[start.to_move[0]][0]
    middle = start.apply({role: action})
    (known,) = parse_record(f'[Game "kaiser"] {role}: {action}').moves
    (gap,) = parse_record(f'[Game "kaiser"] {middle.to_move[0]}: ?').moves
    record = build_record(tags_of(start.ruleset), [block(start), known, block(middle), gap, gap])
    first, second = _segments(record)
    assert (first.start, first.before, first.items) == (start, 0, (known,))
    assert first.end is not None
    assert {str(term) for term in first.end.terms} == middle.facts
    assert (second.start, second.before, second.items) == (middle, 1, (gap, gap))
    assert (second.end, second.result) == (None, None)


def test_a_dead_end_has_its_place() -> None:
    part = segment("red: take(1)")
    end = DeadEnd(part.items[0], 3, "no way on")
    assert (str(end), end.place, end.step, end.rule) == ("no way on", part.items[0], 3, NO_FILLING)
