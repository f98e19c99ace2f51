"""Nodes of a search: the path to a position."""

from __future__ import annotations

from support.heap_positions import after, heap

from kaiser_logic.engine import symbols
from kaiser_logic.search.search import Node


def test_path_and_moves_to_a_node() -> None:
    start = Node(heap().initial())
    first = Node(after(2), start, (("red", symbols.read_symbol("take(2)")),), 1)
    second = Node(after(2, 3), first, (("green", symbols.read_symbol("take(3)")),), 2)
    assert second.path() == [start, first, second]
    assert [(move.role, str(move.action)) for move in second.items()] == [
        ("red", "take(2)"),
        ("green", "take(3)"),
    ]
    assert (start.items(), start.choices(), second.choices()) == ((), 0, 3)
