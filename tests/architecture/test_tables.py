"""The docstring of each folder lists the modules that the folder contains, and no others."""

import ast
import re
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "kaiser_logic"
FOLDERS = sorted(path.parent for path in PACKAGE.glob("*/__init__.py"))


def table(folder: Path) -> dict[str, str]:
    """The modules that the docstring of a folder lists, with the purpose of each."""
    doc = ast.get_docstring(ast.parse((folder / "__init__.py").read_text(encoding="utf-8"))) or ""
    return dict(re.findall(r"^    (\w+) {2,}(.+)$", doc, re.M))


def contents(folder: Path) -> set[str]:
    """The modules and folders that a folder contains."""
    modules = {path.stem for path in folder.glob("*.py")} - {"__init__", "__main__"}
    return modules | {path.name for path in folder.iterdir() if path.is_dir() and path.name != "__pycache__"}


def test_the_tables_list_all_modules():
    tables = {folder.name: set(table(folder)) for folder in FOLDERS}
    assert len(tables) > 20
    assert tables == {folder.name: contents(folder) for folder in FOLDERS}


def test_every_folder_has_a_row_in_the_layers():
    page = (PACKAGE.parent / "docs" / "develop" / "architecture.md").read_text(encoding="utf-8")
    layers = page.partition("## Layers")[2].partition("\n## ")[0]
    assert {path.name for path in FOLDERS} == set(re.findall(r"`(\w+)/`", layers))
