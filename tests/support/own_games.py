"""Users' own games for tests: the heap game under another name, and one without a winner."""

from __future__ import annotations

from pathlib import Path

from support.heap_game import variant

DRAW = {
    '"decisions", "end"': '"decisions"',
    "init(phase(play)).": "init(phase(play)).\nterminal :- phase(over).",
}
"""Changes that make the heap game end with points and without a winner."""

RECORD = """\
[Game "heap"]
red: take(3) green: take(3) red: take(3) green: take(3)
"""
"""A complete game of two players."""


def own_game(folder: Path, name: str = "mound", **changes: str) -> Path:
    """The heap game under another name, in a folder below this one."""
    made = variant(
        folder, {'id = "heap"': f'id = "{name}"', 'title = "Heap (an': 'title = "The mound (an', **changes}
    )
    return made.rename(folder / name)
