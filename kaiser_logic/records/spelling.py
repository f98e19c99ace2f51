"""Hints on names that a record writes differently: in capitals, with accents."""

from __future__ import annotations

import re
from typing import Final

from ..errors import KaiserLogicError, UnreadableInput
from ..notation.reading import read_text
from ..rules.library import folder_of
from ..rules.names import how_written

_GAME: Final = re.compile(r'\[\s*Game\s+"([^"\n]{1,200})"\s*\]')
_WORD: Final = re.compile(r"\w{1,80}")


def with_hint(error: UnreadableInput) -> UnreadableInput:
    """The same fault of a record, with how the word is written at which it was noticed, if it is a name of the game's.

    The names are those of the game that the record names.
    """
    unwritten = "found '" not in error.message or error.message.startswith("[")
    if error.path is None or error.line is None or error.column is None or unwritten:
        return error
    try:
        text = read_text(error.path)
        line = text.splitlines()[error.line - 1]
        game = _GAME.search(text)
        words = [m[0] for m in _WORD.finditer(line) if m.start() < error.column <= m.end()]
        hint = how_written(folder_of(game[1]), words[0]) if game and words else ""
    except (KaiserLogicError, IndexError):
        return error
    return UnreadableInput(f"{error.message}{hint}", error.path, error.line, error.column)
