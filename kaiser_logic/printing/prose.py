"""Paragraphs and lists in the texts of ``book.toml``: a blank line ends a block, ``- `` begins an item of a list."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Block:
    """A paragraph, which has one item, or a list."""

    is_list: bool
    items: tuple[str, ...]


def blocks(text: str) -> tuple[Block, ...]:
    r"""The blocks of a text.

    >>> [(b.is_list, b.items) for b in blocks('In order\nof play:\n\n- set-up\n- five\n  rounds')]
    [(False, ('In order of play:',)), (True, ('set-up', 'five rounds'))]
    """
    found = []
    for part in re.split(r"\n\s*\n", text.strip()):
        lines = part.strip().splitlines()
        if lines and lines[0].lstrip().startswith("- "):
            found.append(Block(True, tuple(_items(lines))))
        elif lines:
            found.append(Block(False, (" ".join(" ".join(lines).split()),)))
    return tuple(found)


def _items(lines: Sequence[str]) -> list[str]:
    """The items of a list; a line that does not begin one goes on with the last."""
    items: list[str] = []
    for line in lines:
        bare = line.strip()
        if bare.startswith("- "):
            items.append(bare[2:].strip())
        else:
            items[-1] += f" {bare}"
    return items
