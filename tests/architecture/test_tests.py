"""Tests stand outside: few files use private names of the package, or replace parts of it."""

import ast
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parents[1]
ELSEWHERE = {"oracles", "mutants"}
"""Folders whose private names are their own."""
NOT_PRIVATE = {"_replace", "_exit", "_repr_html_"}
"""Names of Python and of notebooks."""
MOST_FILES, MOST_NAMES, MOST_PATCHES = 52, 22, 94
"""What is left. These numbers may only shrink."""


def private(tree: ast.AST) -> Iterator[str]:
    """The private names of modules and objects that are imported or read."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("kaiser_logic"):
            yield from (a.name for a in node.names if a.name[0] == "_" and a.name[1] != "_")
        elif isinstance(node, ast.Attribute) and ast.unparse(node.value) not in {"self", "cls"}:
            named = node.attr[0] == "_" and not node.attr.startswith("__") and node.attr not in NOT_PRIVATE
            yield from [node.attr] if named else []


def patches(tree: ast.AST) -> Iterator[str]:
    """What is replaced for the time of a test."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith((".setattr", ".setitem", ".delattr")):
            yield ast.unparse(node)


def test_few_files_use_the_inside():
    used = {
        path: (list(private(tree)), list(patches(tree)))
        for path in sorted(TESTS.rglob("*.py"))
        if path.relative_to(TESTS).parts[0] not in ELSEWHERE
        for tree in [ast.parse(path.read_text(encoding="utf-8"))]
    }
    inside = {path: its for path, its in used.items() if any(its)}
    assert len(inside) <= MOST_FILES, [str(path.relative_to(TESTS)) for path in inside]
    assert sum(len(names) for names, _ in inside.values()) <= MOST_NAMES
    assert sum(len(made) for _, made in inside.values()) <= MOST_PATCHES
