"""Texts that are refused, each at its place: the rows of `faults.cases`."""

from collections.abc import Callable

import pytest
from support.tables import rows

from kaiser_logic.errors import UnreadableInput
from kaiser_logic.notation.quick import quick_record
from kaiser_logic.notation.reading import parse_position, parse_record
from kaiser_logic.notation.syntax import parse_facts, parse_term

READERS: dict[str, Callable[[str], object]] = {
    "record": lambda text: parse_record(f'[Game "kaiser"]\n{text}', "some.game"),
    "facts": parse_facts,
    "position": parse_position,
    "term": parse_term,
}
FAULTS = [
    pytest.param(kind, *row.values, id=f"{kind}, {row.id}") for kind in READERS for row in rows("notation/faults", kind)
]


@pytest.mark.parametrize(("kind", "text", "expected"), FAULTS)
def test_faults_are_located(kind, text, expected):
    with pytest.raises(UnreadableInput) as caught:
        READERS[kind](text)
    place, _, part = expected.partition(": ")
    assert part in caught.value.message
    assert place in {"*", f"{caught.value.line}:{caught.value.column}"}
    assert kind != "record" or str(caught.value).startswith(f"some.game:{place}: ")


@pytest.mark.parametrize("text", rows("notation/faults", "quick"))
def test_unusual_and_wrong_texts_are_left_to_the_grammar(text):
    assert quick_record(text) is None
