"""The architecture as data: which parts may import which, and what no module may do."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter

import pytest
from support import ROOT
from support.modules import MODULES, imports_of, part_of, tree_of

PAGE = (ROOT / "docs" / "develop" / "architecture.md").read_text(encoding="utf-8")
LAYERS = [
    set(re.findall(r"`(\w+)/?`", layer))
    for row in PAGE.partition("| folder | what it is |\n|---|---|\n")[2].partition("\n\n")[0].splitlines()
    for layer in row.split(" | ")[0].split(", then ")
]
"""The folders and modules of the package from the bottom up, as the page lists them: each imports only from those below."""
LAYER = {part: number for number, parts in enumerate(LAYERS) for part in parts}


@cache
def inside():
    """The imports between modules of the package, with their lines."""
    return [(name, other, line) for name in MODULES for other, line in imports_of(name).items() if other in MODULES]


def test_parts_import_only_from_lower_layers():
    assert set(map(part_of, MODULES)) <= set(LAYER) and sum(map(len, LAYERS)) == len(LAYER)
    found = {(name, other) for name, other, _ in inside()}
    assert {("kaiser_logic.game", "kaiser_logic.engine.symbols")} <= found, "within functions, too"
    assert not [
        f"{MODULES[name]}:{line} imports {other}"
        for name, other, line in inside()
        if part_of(name) != part_of(other) and LAYER[part_of(other)] >= LAYER[part_of(name)]
    ]


def test_no_imports_form_a_cycle():
    graph = {name: {other for one, other, _ in inside() if one == name} - {name} for name in MODULES}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" <- ".join(error.args[1]))


# -- the language of the rules -------------------------------------------------------------------------------

RULES_AS_TEXT = {"kaiser_logic.clingo", "kaiser_logic.lang.printer", "kaiser_logic.lang.reader"}
"""Only these may have an f-string or a regular expression with ``:-``; and the checker, which shares no code with the rest."""


def test_rules_are_built_as_values():
    found = {
        name
        for name in MODULES
        if part_of(name) != "checker" and ":-" in MODULES[name].read_text(encoding="utf-8")
        for node in ast.walk(tree_of(name))
        if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Call) and ast.unparse(node.func) == "re.compile")
        if any(":-" in str(one.value) for one in ast.walk(node) if isinstance(one, ast.Constant))
    }
    assert found == RULES_AS_TEXT, "read rules and build them by kaiser_logic.lang"


CONTROLS = {"clingo", "solving.program", "unrolling.circuit", "engine.grounding", "engine.open_grounding", "wraparound"}
"""The modules that see a control of clingo: its version 6 changes these (ADR 26); and the checker, which stands alone."""


def test_one_module_imports_clingo_and_few_see_a_control():
    clingo = {name for name in MODULES if any(one.partition(".")[0] == "clingo" for one in imports_of(name))}
    assert clingo == {"kaiser_logic.clingo"}, "import kaiser_logic.clingo instead"
    found = {
        name.partition(".")[2]
        for name in MODULES
        if part_of(name) != "checker"
        for node in ast.walk(tree_of(name))
        if isinstance(node, ast.Attribute) and node.attr in ("symbolic_atoms", "backend", "Control")
    }
    assert found == CONTROLS


# -- names of games ------------------------------------------------------------------------------------------


def words_of(name: str) -> Iterator[tuple[int, str]]:
    """The names and strings of a module with their lines, without docstrings, and without examples in strings."""
    nodes = list(ast.walk(tree_of(name)))
    documentation = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documentation:
            yield node.lineno, re.sub(r"(such as|e\.g\.) [^,;]*", "", node.value)
        elif isinstance(node, ast.expr | ast.stmt | ast.arg):
            yield from ((node.lineno, str(getattr(node, key, ""))) for key in ("id", "attr", "name", "arg"))


def test_code_names_no_game():
    """Only documentation and examples may name a game. Everything else about a game belongs to its rulebook."""
    games = [path.parent.name for path in (ROOT / "asp").glob("*/game.toml")]
    assert {"kaiser", "krone"} <= set(games)
    pattern = re.compile(rf"(?<![a-z])({'|'.join(games)})(?![a-z]|[-_]logic)", re.IGNORECASE)
    assert not [
        f"{path}:{line}: {text}"
        for name, path in MODULES.items()
        if pattern.search(path.read_text(encoding="utf-8"))
        for line, text in words_of(name)
        if pattern.search(text)
    ]
