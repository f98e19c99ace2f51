"""The house as data: which part may import which, and what no module may do."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "kaiser_logic"
MODULES = sorted(PACKAGE.rglob("*.py"))

FLOORS = (
    {"lang"},
    {"clingo", "errors", "presenters"},
    {"cache"},
    {"workers"},
    {"rules", "notation"},
    {"transform"},
    {"engine"},
    {"linting", "printing"},
    {"evaluation", "unrolling"},
    {"solving"},
    {"query"},
    {"position"},
    {"batch"},
    {"mining", "claims", "certificates"},
    {"game"},
    {"records", "drawing"},
    {"comparison", "search", "play"},
    {"completion", "reports"},
    {"__init__"},
    {"explorer"},
    {"services"},
    {"cli"},
    {"__main__"},
)
"""The folders and modules of the package from the ground up: each imports only from the floors below its own."""

FLOOR = {part: number for number, parts in enumerate(FLOORS) for part in parts}
GAMES = sorted(path.parent.name for path in (ROOT / "asp").glob("*/game.toml"))


def named(path: Path) -> str:
    """A module's name below the package, e.g. ``engine.ruleset``; that of a folder is the folder's."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts if len(parts) == 1 or parts[-1] != "__init__" else parts[:-1])


NAMES = {named(path): path for path in MODULES}


@cache
def tree(path: Path) -> ast.Module:
    """The syntax tree of a module."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imports(path: Path) -> dict[str, int]:
    """The package's modules that a module imports anywhere, also in functions and for type checkers only; with lines."""
    found: dict[str, int] = {}
    folder = path.relative_to(PACKAGE).parent.parts
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.partition(".")[0] == PACKAGE.name:
                    found[_known(alias.name.split(".")[1:])] = node.lineno
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                base = folder[: len(folder) - node.level + 1]
                assert len(folder) >= node.level - 1, f"{path}:{node.lineno}"
            elif (node.module or "").partition(".")[0] == PACKAGE.name:
                base = ()
            else:
                continue
            module = (node.module or "").split(".") if node.level else (node.module or "").split(".")[1:]
            for alias in node.names:
                found[_known([*base, *filter(None, module), alias.name])] = node.lineno
    return found


def _known(parts: list[str]) -> str:
    """The module that is meant by a dotted path which may end with a name inside of it."""
    for end in range(len(parts), 0, -1):
        if ".".join(parts[:end]) in NAMES:
            return ".".join(parts[:end])
    return "__init__"


def test_every_part_has_its_floor() -> None:
    assert {name.partition(".")[0] for name in NAMES} <= set(FLOOR)
    assert sum(map(len, FLOORS)) == len(FLOOR)


def test_the_imports_are_seen() -> None:
    """Those that stand in functions and for type checkers too: otherwise the tests below would find nothing."""
    seen = imports(PACKAGE / "game.py")
    assert {"position", "engine.symbols", "claims.prove"} <= set(seen)
    assert "records.fault" in imports(PACKAGE / "cli" / "rules.py")
    assert "game" in imports(PACKAGE / "cli" / "common.py")


def test_imports_go_down() -> None:
    assert not [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for path in MODULES
        for name, line in imports(path).items()
        if (part := name.partition(".")[0]) != (own := named(path).partition(".")[0])
        and FLOOR[part] >= FLOOR[own]
    ]


def test_there_is_no_circle() -> None:
    graph = {name: set(imports(path)) - {name} for name, path in NAMES.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" <- ".join(error.args[1]))


# -- one language of rules -----------------------------------------------------------------------------------


def test_the_language_knows_nothing_of_the_project() -> None:
    outside = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for path in MODULES
        if named(path).partition(".")[0] == "lang"
        for name, line in imports(path).items()
        if name.partition(".")[0] != "lang"
    ]
    assert not outside


READERS = {"clingo"}
"""Who reads rules by other means than `lang`: the one door to clingo has its syntax trees."""


def reads_rules(path: Path) -> bool:
    """Whether a module has clingo's syntax trees, or an expression for rules."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.ImportFrom):
            module, names = node.module or "", {alias.name for alias in node.names}
            if module == "clingo.ast" or (module == "clingo" and "ast" in names):
                return True
        elif (
            isinstance(node, ast.Call)
            and ast.unparse(node.func) == "re.compile"
            and isinstance(node.args[0], ast.Constant)
            and ":-" in str(node.args[0].value)
        ):
            return True
    return False


@pytest.mark.slow
def test_nobody_else_comes_to_read_rules() -> None:
    found = {named(path) for path in MODULES if named(path).partition(".")[0] != "lang" and reads_rules(path)}
    assert found <= READERS, f"rules are read by kaiser_logic.lang: {sorted(found - READERS)}"
    assert found >= READERS, f"no longer: {sorted(READERS - found)}"


PASTED = {"certificates.verify": 1, "lang.printer": 1, "lang.reader": 1}
"""How many rules are pasted from text, in f-strings with ``:-``: those of the reader and the printer, and that of the
checker of certificates, which shares no code with the prover.
"""


def pasted(path: Path) -> int:
    """How many f-strings of a module look like rules."""
    return sum(
        any(isinstance(part, ast.Constant) and ":-" in part.value for part in node.values)
        for node in ast.walk(tree(path))
        if isinstance(node, ast.JoinedStr)
    )


@pytest.mark.slow
def test_rules_are_built_as_values() -> None:
    found = {named(path): number for path in MODULES if (number := pasted(path))}
    more = {name: number for name, number in found.items() if number > PASTED.get(name, 0)}
    assert not more, f"rules are values of kaiser_logic.lang: {more}"


def test_one_module_imports_clingo() -> None:
    others = {named(path) for path in MODULES if imports_clingo(tree(path))} - {"clingo"}
    assert not others, f"kaiser_logic.clingo is the door to it: {sorted(others)}"


def imports_clingo(module: ast.Module) -> bool:
    """Whether a module imports clingo itself."""
    return any(
        (
            isinstance(node, ast.Import)
            and any(alias.name.partition(".")[0] == "clingo" for alias in node.names)
        )
        or (
            isinstance(node, ast.ImportFrom)
            and not node.level
            and (node.module or "").partition(".")[0] == "clingo"
        )
        for node in ast.walk(module)
    )


# -- no game's name ------------------------------------------------------------------------------------------


def documentation(path: Path) -> set[int]:
    """The lines on which texts begin that stand for themselves: docstrings, also those of attributes."""
    return {
        node.value.lineno
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }


def code(path: Path) -> Iterator[tuple[int, str]]:
    """The names and texts of a module by line, without comments, documentation, and examples in texts."""
    documented = documentation(path)
    for token in tokenize.generate_tokens(io.StringIO(path.read_text(encoding="utf-8")).readline):
        if token.type == tokenize.NAME:
            yield token.start[0], token.string
        elif token.type == tokenize.STRING and token.start[0] not in documented:
            yield token.start[0], re.sub(r"(such as|e\.g\.) [^,;]*", "", token.string)


def test_there_are_games() -> None:
    assert {"kaiser", "krone"} <= set(GAMES)
    assert any("kaiser" in text for _, text in code(PACKAGE / "cli" / "__init__.py")), (
        "the program's own name"
    )


def test_code_names_no_game() -> None:
    """Only documentation and examples may: whatever is said of a game stands in its rulebook."""
    pattern = re.compile(rf"(?<![a-z])({'|'.join(GAMES)})(?![a-z]|[-_]logic)", re.IGNORECASE)
    assert not [
        f"{path.relative_to(ROOT)}:{line}: {text}"
        for path in MODULES
        if pattern.search(path.read_text(encoding="utf-8"))
        for line, text in code(path)
        if pattern.search(text)
    ]


# -- documentation -------------------------------------------------------------------------------------------


def undocumented(path: Path) -> Iterator[str]:
    """What is public in a module and does not say what it is, in two words at least."""
    pending: list[tuple[str, ast.AST]] = [(named(path), tree(path))]
    while pending:
        name, node = pending.pop()
        assert isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef))
        if len((ast.get_docstring(node) or "").split()) < 2:
            yield name
        if isinstance(node, (ast.Module, ast.ClassDef)):
            pending += (
                (f"{name}.{inner.name}", inner)
                for inner in node.body
                if isinstance(inner, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef))
                and not inner.name.startswith("_")
            )


def test_what_is_public_is_documented() -> None:
    assert not [name for path in MODULES for name in undocumented(path)]
