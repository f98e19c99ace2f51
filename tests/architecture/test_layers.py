"""The architecture as data: which parts may import which, and what no module may do."""

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

LAYERS = (
    {"lang"},
    {"clingo", "errors", "upward", "version"},
    {"wraparound"},
    {"checker"},
    {"cache", "files"},
    {"workers"},
    {"rules", "notation"},
    {"transform"},
    {"engine"},
    {"linting", "printing"},
    {"evaluation", "unrolling"},
    {"solving", "position"},
    {"query", "batch", "mining", "drawing"},
    {"claims", "game"},
    {"records"},
    {"comparison", "search", "play"},
    {"completion", "reports"},
    {"expectations", "answers"},
    {"__init__", "explorer", "services"},
    {"cli"},
    {"__main__"},
)
"""The folders and modules of the package from the bottom up: each imports only from the layers below its own."""

LAYER = {part: number for number, parts in enumerate(LAYERS) for part in parts}
GAMES = sorted(path.parent.name for path in (ROOT / "asp").glob("*/game.toml"))


def module_name(path: Path) -> str:
    """The name of a module within the package, such as ``engine.ruleset``. An ``__init__`` has the name of its folder."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts if len(parts) == 1 or parts[-1] != "__init__" else parts[:-1])


NAMES = {module_name(path): path for path in MODULES}


@cache
def tree(path: Path) -> ast.Module:
    """The syntax tree of a module."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imports(path: Path) -> dict[str, int]:
    """The package's modules that a module imports, with the lines: also within functions and for type checkers only."""
    found: dict[str, int] = {}
    folder = path.relative_to(PACKAGE).parent.parts
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.partition(".")[0] == PACKAGE.name:
                    found[_module_of(alias.name.split(".")[1:])] = node.lineno
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
                found[_module_of([*base, *filter(None, module), alias.name])] = node.lineno
    return found


def _module_of(parts: list[str]) -> str:
    """The module of a dotted path, which may end with a name within the module."""
    for end in range(len(parts), 0, -1):
        if ".".join(parts[:end]) in NAMES:
            return ".".join(parts[:end])
    return "__init__"


def test_every_part_belongs_to_one_layer() -> None:
    assert {name.partition(".")[0] for name in NAMES} <= set(LAYER)
    assert sum(map(len, LAYERS)) == len(LAYER)


def test_imports_are_found_everywhere() -> None:
    """Also within functions and for type checkers only. Otherwise the tests below would miss them."""
    found = imports(PACKAGE / "game.py")
    assert {"position", "engine.symbols", "mining.writing"} <= set(found)
    assert "records.fault" in imports(PACKAGE / "cli" / "rules.py")
    assert "game" in imports(PACKAGE / "cli" / "common.py")


def test_parts_import_only_from_lower_layers() -> None:
    assert not [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for path in MODULES
        for name, line in imports(path).items()
        if (part := name.partition(".")[0]) != (own := module_name(path).partition(".")[0])
        and LAYER[part] >= LAYER[own]
    ]


def test_no_imports_form_a_cycle() -> None:
    graph = {name: set(imports(path)) - {name} for name, path in NAMES.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" <- ".join(error.args[1]))


# -- the language of the rules -------------------------------------------------------------------------------


def test_the_language_imports_nothing_else_of_the_package() -> None:
    outside = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for path in MODULES
        if module_name(path).partition(".")[0] == "lang"
        for name, line in imports(path).items()
        if name.partition(".")[0] != "lang"
    ]
    assert not outside


READERS = {"clingo"}
"""The modules that read rules by other means than `lang`: the only module that imports clingo has its syntax trees."""


def reads_rules(path: Path) -> bool:
    """Whether a module uses clingo's syntax trees, or a regular expression for rules."""
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
def test_only_the_language_reads_rules() -> None:
    found = {
        module_name(path)
        for path in MODULES
        if module_name(path).partition(".")[0] != "lang" and reads_rules(path)
    }
    assert found <= READERS, f"use kaiser_logic.lang to read rules: {sorted(found - READERS)}"
    assert found >= READERS, f"these modules read no rules any more: {sorted(READERS - found)}"


RULES_AS_TEXT = {"lang.printer": 1, "lang.reader": 1}
"""The number of f-strings with ``:-`` that each module may have: the reader and the printer need one each. The checker is not
counted: it shares no code with the rest, and its programs are text, as a reader has to judge them.
"""


def rules_as_text(path: Path) -> int:
    """The number of f-strings of a module that look like rules."""
    return sum(
        any(isinstance(part, ast.Constant) and ":-" in part.value for part in node.values)
        for node in ast.walk(tree(path))
        if isinstance(node, ast.JoinedStr)
    )


@pytest.mark.slow
def test_rules_are_built_as_values() -> None:
    found = {
        module_name(path): number
        for path in MODULES
        if (number := rules_as_text(path)) and path.parent.name != "checker"
    }
    more = {name: number for name, number in found.items() if number > RULES_AS_TEXT.get(name, 0)}
    assert not more, f"build rules from the values of kaiser_logic.lang: {more}"


def test_one_module_imports_clingo() -> None:
    others = {module_name(path) for path in MODULES if imports_clingo(tree(path))} - {"clingo"}
    assert not others, f"import kaiser_logic.clingo instead: {sorted(others)}"


CONTROLS = {
    "clingo",
    "solving.program",
    "unrolling.circuit",
    "engine.grounding",
    "engine.open_grounding",
    "wraparound",
}
"""The modules that see a control of clingo: its version 6 changes these (ADR 26); and the checker, which stands alone."""


def test_few_modules_see_a_control() -> None:
    found = {
        module_name(path)
        for path in MODULES
        if path.parent.name != "checker"
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Attribute) and node.attr in ("symbolic_atoms", "backend", "Control")
    }
    assert found == CONTROLS


def imports_clingo(module: ast.Module) -> bool:
    """Whether a module imports the package clingo."""
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


# -- names of games ------------------------------------------------------------------------------------------


def documentation(path: Path) -> set[int]:
    """The lines on which docstrings begin, also those of attributes."""
    return {
        node.value.lineno
        for node in ast.walk(tree(path))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }


def code(path: Path) -> Iterator[tuple[int, str]]:
    """The names and strings of a module with their lines, without comments, docstrings, and examples in strings."""
    documented = documentation(path)
    for token in tokenize.generate_tokens(io.StringIO(path.read_text(encoding="utf-8")).readline):
        if token.type == tokenize.NAME:
            yield token.start[0], token.string
        elif token.type == tokenize.STRING and token.start[0] not in documented:
            yield token.start[0], re.sub(r"(such as|e\.g\.) [^,;]*", "", token.string)


def test_the_names_of_games_are_found() -> None:
    assert {"kaiser", "krone"} <= set(GAMES)
    assert any("kaiser" in text for _, text in code(PACKAGE / "cli" / "__init__.py")), (
        "the program's own name"
    )


def test_code_names_no_game() -> None:
    """Only documentation and examples may name a game. Everything else about a game belongs to its rulebook."""
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
    """The public names of a module that have no docstring of at least two words."""
    pending: list[tuple[str, ast.AST]] = [(module_name(path), tree(path))]
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


def test_all_public_names_are_documented() -> None:
    assert not [name for path in MODULES for name in undocumented(path)]
