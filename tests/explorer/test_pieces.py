"""The text of a record, split into pieces."""

from __future__ import annotations

from support.places import EXAMPLES

from kaiser_logic.errors import UnreadableInput
from kaiser_logic.explorer.record_handlers import pieces
from kaiser_logic.notation.reading import parse_record

TEXT = """% A game
% of two
[Game "kaiser"] % the game
% who
[Seats "red green"]

% the first
red: empire_city(boehmen) % why not
% this holds
assert { round(1). } % does it?

% at once
green: ? red: ?

% the end
"""


def whole(text: str) -> str:
    found = pieces(text, parse_record(text))
    return "".join([*(piece for _, _, piece in found.head), found.begin, *found.moves])


def test_comments_belong_to_the_item_below_or_before_them() -> None:
    found = pieces(TEXT, parse_record(TEXT))
    assert [piece for _, _, piece in found.head] == [
        '% A game\n% of two\n[Game "kaiser"] % the game\n',
        '% who\n[Seats "red green"]\n\n',
    ]
    assert found.begin == ""
    assert found.moves == [
        "% the first\nred: empire_city(boehmen) % why not\n% this holds\nassert { round(1). } % does it?\n\n",
        "% at once\ngreen: ? ",
        "red: ?\n\n% the end\n",
    ]


def test_an_initial_position_is_the_beginning() -> None:
    text = '[Game "kaiser"]\n% here\nposition { round(1). }\nred: ?\n'
    found = pieces(text, parse_record(text))
    assert (found.begin, found.moves) == ("% here\nposition { round(1). }\n", ["red: ?\n"])


def test_line_ends_of_other_systems_become_line_feeds() -> None:
    assert whole(TEXT.replace("\n", "\r\n")) == TEXT
    assert whole("\ufeff" + TEXT.replace("\n", "\r")) == TEXT


def test_pieces_joined_give_the_text() -> None:
    for path in sorted(EXAMPLES.rglob("*.game")):
        text = path.read_bytes().decode("utf-8", "replace")
        try:
            parse_record(text)
        except UnreadableInput:
            continue
        assert whole(text) == text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff"), path
