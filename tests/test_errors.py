"""Messages for the user are safe for a terminal, whatever text they contain."""

import errno
import sys
import unicodedata

import pytest

from kaiser_logic.errors import UnreadableInput, is_exhausted, visible, visible_name


def test_control_and_hidden_characters_are_escaped():
    """Control characters, line separators, surrogates and direction marks are escaped; visible characters are not."""
    for code in (*range(0x3000), *range(0x3000, sys.maxunicode + 1, 61)):
        letter = chr(code)
        kind = unicodedata.category(letter)
        if kind in ("Cc", "Cs", "Zl", "Zp") or unicodedata.bidirectional(letter) in (
            "LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI",
        ):  # fmt: skip
            assert visible_name(letter).isascii()
            assert visible_name(letter).isprintable()
            assert visible(letter) == (letter if letter in "\t\n" else visible_name(letter))
        elif kind not in ("Cf", "Cn"):
            assert visible(letter) == visible_name(letter) == letter


def test_a_path_is_shown_on_one_line():
    error = UnreadableInput("what\nis \x1b[2Kwrong", "a\nb\x1b.game", 1, 2)
    assert str(error) == "a\\nb\\x1b.game:1:2: what\nis \\x1b[2Kwrong"
    assert error.path == "a\nb\x1b.game"


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (MemoryError(), True),
        (OSError(errno.EMFILE, "x"), True),
        (OSError(errno.ENOENT, "x"), False),
        (ValueError("x"), False),
    ],
)
def test_exhausted_resources_are_not_blamed_on_the_input(error, expected):
    assert is_exhausted(error) is expected
