"""Games of one's own for tests: the heap game under another name, and one that nobody wins."""

from __future__ import annotations

from pathlib import Path

from support.heap_game import variant

DRAW = {
    '"decisions", "end"': '"decisions"',
    "init(phase(play)).": "init(phase(play)).\nterminal :- phase(over).",
}
"""What makes the heap game one that ends with everybody's points and no winner."""

RECORD = """\
[Game "heap"]
red: take(3) green: take(3) red: take(3) green: take(3)
"""
"""A whole game of two."""


def own_game(folder: Path, name: str = "mound", **changes: str) -> Path:
    """The heap game in a folder of another name below this one."""
    made = variant(
        folder, {'id = "heap"': f'id = "{name}"', 'title = "Heap (an': 'title = "The mound (an', **changes}
    )
    return made.rename(folder / name)
