"""All claims of known games, and of some transitions of the shipped ones; and what the checker may import."""

import ast
from pathlib import Path

import pytest
from support.checking import settings_of
from support.tables import values

import kaiser_logic.checker
from kaiser_logic.checker.declared import Declared
from kaiser_logic.checker.numbers import with_enough_numbers
from kaiser_logic.checker.program import Builder
from kaiser_logic.checker.text import Book
from kaiser_logic.checker.verify import answer_to, verify
from kaiser_logic.rules.library import asp_folder

FOLDER = Path(kaiser_logic.checker.__file__).parent
BOOKS = Path(__file__).parents[2] / "examples" / "rulebooks"
EFFORT = 20_000


def test_the_checker_shares_no_code_with_the_rest():
    for path in FOLDER.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [a.name for a in node.names] if isinstance(node, (ast.Import, ast.ImportFrom)) else []
            if isinstance(node, ast.ImportFrom) and node.level == 2:
                assert node.module in (None, "errors", "wraparound"), f"{path.name} imports {node.module}"
                assert node.module or names == ["clingo"], f"{path.name} imports {names}"
            elif isinstance(node, (ast.Import, ast.ImportFrom)):
                assert not any("kaiser_logic" in name for name in [*names, getattr(node, "module", "") or ""])


@pytest.mark.slow
@pytest.mark.parametrize(("game", "players", "label"), values("checker/verify", "transition"))
def test_all_claims_of_a_transition_are_checked(game, players, label):
    pytest.importorskip("pysat")
    folder = asp_folder() / game
    declared = with_enough_numbers(Declared(Book(folder, asp_folder() / "engine", settings_of(folder, players))))
    builder = Builder(declared)
    assert not builder.refused
    answer = answer_to(builder, label, None, EFFORT)
    assert answer.left == {}
    assert answer_to(builder, label, answer.proofs).proved == answer.proved


@pytest.mark.slow
@pytest.mark.parametrize("name", ["connect_four", "draughts", "love_letter", "othello"])
def test_all_claims_of_a_known_game_are_checked(name):
    pytest.importorskip("pysat")
    folder = BOOKS / name
    report = verify(folder, asp_folder() / "engine", settings_of(folder), effort=EFFORT)
    assert [(v.claim, v.why) for v in report.verdicts if not v.checked] == []
    assert report.complete
