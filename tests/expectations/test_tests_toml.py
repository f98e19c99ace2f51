"""`kaiser-logic test`: rows of tests.toml on the heap game, and the example rulebooks with their own rows."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from support import ROOT
from support.fences import fences
from support.heap_game import variant
from support.tables import rows

import kaiser_logic as kl
from kaiser_logic.cli import main

pytestmark = pytest.mark.by_hand

RULEBOOKS = ROOT / "examples" / "rulebooks"

FULL = "seat(red,1). seat(green,2). phase(play). heap(12). decision(red,take)."
LESS = FULL.replace("12", "11")


def heap(folder: Path, text: str) -> Path:
    """The heap game with this tests.toml."""
    target = variant(folder, {})
    (target / "tests.toml").write_text(text.replace("FULL", FULL).replace("LESS", LESS), encoding="utf-8")
    return target


@pytest.mark.sample(6)
@pytest.mark.parametrize(("text", "status", "message"), rows("expectations/rows", "row"))
def test_rows_say_what_came_out(text, status, message, tmp_path, capsys):
    code = main(["test", str(heap(tmp_path, text)), "--format", "json", "--timeout", "1000"])
    (outcome,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert (outcome["status"], code) == (status, 0 if status == "passed" else 1), outcome
    assert message in (outcome["message"] or "")


@pytest.mark.parametrize(("text", "message"), rows("expectations/rows", "refused"))
def test_nothing_in_tests_toml_is_ignored(text, message, tmp_path, capsys):
    assert main(["test", str(heap(tmp_path, text))]) == 2
    assert message in capsys.readouterr().err


def test_junit_has_a_case_for_each_row(tmp_path):
    folder = heap(tmp_path, "[[perft]]\ncounts = [3]\n[[perft]]\nname = 'wrong & so'\ncounts = [4]\n")
    output = tmp_path / "out.xml"
    assert main(["test", str(folder), "--format", "junit", "--output", str(output)]) == 1
    root = ElementTree.parse(output).getroot()
    assert (root.get("tests"), root.get("failures")) == ("2", "1")
    assert [case.get("name") for case in root.iter("testcase")] == ["perft 1", "wrong & so"]


MUTATED = """
[[perft]]
counts = [3, 9, 27, 81, 222]
[[legal]]
moves = "red: take(3) green: take(3) red: take(3) green: take(3)"
result = ["green"]
"""


@pytest.mark.slow
def test_mutants_that_nothing_notices_are_listed(tmp_path, capsys):
    """The same seed gives the same changes. A rule that makes no difference is found."""
    folder = variant(
        tmp_path, {"add(due(pass_on))           :- made(_,take).": "add(due(pass_on)) :- made(_,take), heap(_)."}
    )
    (folder / "tests.toml").write_text(MUTATED, encoding="utf-8")
    printed = []
    for _ in range(2):
        assert main(["test", str(folder), "--mutants", "80", "--jobs", "2", "--timeout", "1000"]) == 1
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]
    assert "play.lp:14: not noticed: a literal dropped\n  - add(due(pass_on)) :- made(_,take), heap(_)." in printed[0]


# -- the examples ----------------------------------------------------------------------------------------------


NEAREST_DISC = (
    "turned(R,D,T)            :- turned(R,D,S), next(S,D,T), flanked(R,T,D).\n",
    "shift(disc(S,Q),disc(S,R),1,turn) :- turned(R,S)",
)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["connect_four", "othello", "draughts", "love_letter"])
def test_example_rulebooks_pass_their_tests(name, capsys):
    folder = str(RULEBOOKS / name)
    assert main(["lint", folder]) == 0
    assert main(["test", folder, "--timeout", "1000"]) == 0, capsys.readouterr().out


@pytest.mark.slow
def test_othello_that_turns_the_nearest_disc_only_is_noticed_by_the_counts(tmp_path, capsys):
    """An error that lint and most claims do not see."""
    folder = tmp_path / "othello"
    folder.mkdir()
    for path in (RULEBOOKS / "othello").iterdir():
        text = path.read_text(encoding="utf-8")
        (folder / path.name).write_text(text.replace(NEAREST_DISC[0], ""), encoding="utf-8")
    assert main(["lint", str(folder)]) == 0
    assert main(["test", str(folder), "--timeout", "1000"]) == 1
    assert "published counts: failed: 1420 sequences of 5 decisions, not 1396" in capsys.readouterr().out


def test_a_changed_file_means_its_rulebook(tmp_path, capsys):
    """As hooks name files; a rulebook without tests is left out, unless it is named itself."""
    folder = variant(tmp_path, {})
    assert main(["test", "--", str(folder / "play.lp")]) == 0
    assert "left out: it has no tests.toml" in capsys.readouterr().err
    assert main(["test", "--", str(folder)]) == 2
    (folder / "tests.toml").write_text("[[perft]]\ncounts = [3]\n", encoding="utf-8")
    assert main(["test", "--", str(folder / "play.lp"), str(folder / "tests.toml")]) == 0
    assert "1 passed" in capsys.readouterr().err


@pytest.mark.parametrize("like", ["tokens", *(pytest.param(x, marks=pytest.mark.slow) for x in ("board", "cards"))])
def test_a_new_game_passes_its_tests(like, tmp_path, capsys):
    assert main(["new-game", "harbour", "--folder", str(tmp_path), "--like", like]) == 0
    folder = str(tmp_path / "harbour")
    assert main(["lint", folder]) == 0
    assert main(["test", folder, "--timeout", "1000"]) == 0, capsys.readouterr().out
    game = kl.load(tmp_path / "harbour")
    assert game.book.manifest["title"] == "Harbour"
    assert like != "tokens" or game.prove(jobs=1).proved


def test_the_tutorial_shows_the_files_of_the_example():
    shown = {
        fence.name.removeprefix("connect_four/"): fence.text
        for fence in fences(ROOT / "docs" / "write" / "first-game.md")
        if fence.name and fence.name.startswith("connect_four/")
    }
    files = {path.name: path.read_text(encoding="utf-8") for path in (RULEBOOKS / "connect_four").iterdir()}
    assert shown == files
