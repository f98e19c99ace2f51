"""The quick reader agrees with the grammar, places included, and leaves other texts to it."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kaiser_logic.errors import UnreadableInput
from kaiser_logic.notation.quick import quick_record, quick_value
from kaiser_logic.notation.syntax import by_grammar

HERE = Path(__file__).parents[2] / "examples"
EXAMPLES = sorted([*HERE.glob("games/*.game"), *HERE.glob("worked/*.game"), *HERE.glob("positions/*.game")])
USUAL = Path(__file__).with_name("usual.game").read_text(encoding="utf-8")


def with_places(parts: list[object]) -> list[object]:
    """The parts with their places and comments, which comparisons of parts ignore."""
    return [repr(part) for part in parts]


def read_by_grammar(text: str) -> list[object] | None:
    try:
        return with_places(by_grammar("record", text))
    except UnreadableInput:
        return None


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.stem)
def test_examples_are_read_quickly(path):
    text = path.read_text(encoding="utf-8")
    parts = quick_record(text)
    assert parts is not None
    assert with_places(list(parts)) == read_by_grammar(text)


def test_usual_text_is_read_quickly():
    parts = quick_record(USUAL)
    assert parts is not None
    assert with_places(list(parts)) == read_by_grammar(USUAL)


def test_values_are_read_quickly():
    assert quick_value(" f( a,?) ") == by_grammar("value", " f( a,?) ")
    for text in ("12", "?", "f(", "a b", ""):
        assert quick_value(text) is None


PIECES = st.sampled_from([
    *'()[]{}.,:%"?-#\n\t \\aB0\f\x0b', "(red: a", "\n% c\n", "not ", "not", "assert {", "position {", '[A "b"]', "red: ",
    "9999999999", "ä",
])  # fmt: skip


@pytest.mark.slow
@settings(max_examples=400, deadline=None)
@given(st.lists(st.tuples(st.integers(0, len(USUAL)), st.integers(0, 3), PIECES), min_size=1, max_size=4))
def test_altered_texts_are_read_as_by_the_grammar_or_left_to_it(changes):
    text = USUAL
    for at, length, piece in changes:
        text = text[:at] + piece + text[at + length :]
    parts = quick_record(text)
    if parts is not None:
        assert with_places(list(parts)) == read_by_grammar(text)
