"""The modules of the package as syntax trees, and what they import."""

import ast
from functools import cache
from importlib.util import resolve_name
from pathlib import Path

from support import ROOT


def _name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {_name(path): path for path in sorted((ROOT / "kaiser_logic").rglob("*.py"))}


def part_of(name: str) -> str:
    """The folder of a module, or its own name if it lies at the top."""
    return [*name.split("."), "__init__"][1]


@cache
def tree_of(name: str) -> ast.Module:
    return ast.parse(MODULES[name].read_text(encoding="utf-8"))


@cache
def imports_of(name: str) -> dict[str, int]:
    """What a module imports, with the lines: also within functions and for type checkers only."""
    package = name if MODULES[name].name == "__init__.py" else name.rpartition(".")[0]
    found: dict[str, int] = {}
    for node in ast.walk(tree_of(name)):
        if isinstance(node, ast.Import):
            wanted = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = resolve_name("." * node.level + (node.module or ""), package)
            wanted = [f"{base}.{alias.name}" for alias in node.names]
        else:
            continue
        found |= {(one if one in MODULES else one.rpartition(".")[0] or one): node.lineno for one in wanted}
    return found
