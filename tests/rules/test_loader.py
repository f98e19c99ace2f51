"""A rulebook is read from its folder, and one that breaks the contract is refused."""

import re
from pathlib import Path

import pytest
from support import TINY
from support.heap_game import FOLDER, variant
from support.tables import values

from kaiser_logic.errors import FaultyRulebook, WrongUsage
from kaiser_logic.game import load
from kaiser_logic.rules.library import SEARCH_PATH, fingerprint
from kaiser_logic.rules.loader import asp_folder, games, parse_rules, read_rulebook, rulebook
from kaiser_logic.rules.rulebook import read_docs


def test_games_of_the_package_are_read_once():
    assert {"kaiser", "krone"} <= set(games())
    for game_id in games():
        book = rulebook(game_id)
        assert (book.id, book.folder) == (game_id, asp_folder() / game_id)
        assert rulebook(game_id) is book


def test_the_small_game_is_the_example_of_the_documentation():
    (page,) = (Path(__file__).parents[2] / "docs").rglob("rulebooks.md")
    text = page.read_text(encoding="utf-8")
    blocks = re.findall(r"`heap/([\w.]+)`:\n\n```\w+\n(.*?)```", text, re.DOTALL)
    assert dict(blocks) == {f.name: f.read_text(encoding="utf-8") for f in FOLDER.iterdir()}


def test_rules_have_their_file_line_and_block():
    rules = parse_rules("a.\n\nb :-\n  a.\nc :- b.", "game/f.lp", [(2, "one"), (4, None)])
    assert [(r.text, r.file, r.line, r.block) for r in rules] == [
        ("a.", "game/f.lp", 1, None),
        ("b :- a.", "game/f.lp", 3, "one"),
        ("c :- b.", "game/f.lp", 5, None),
    ]


def test_rules_belong_to_the_documentation_above_them():
    book = read_rulebook(FOLDER)
    blocks = {r.heads[0].name: r.block for r in book.rules if r.file == "heap/play.lp"}
    assert (blocks["init"], blocks["candidate"], blocks["violates"]) == (None, "take", "take.enough")
    assert blocks["goal"] == "ending"


@pytest.mark.parametrize(("rule", "column"), values("rules/rules", "unsafe"))
def test_an_unsafe_rule_is_refused_wherever_the_rulebook_lies(rule, column, tmp_path, capfd):
    """Once a folder beside the package's rulebooks was not checked, and clingo's warnings reached the terminal."""
    folder = variant(tmp_path, {})
    file = folder / "play.lp"
    lines = file.read_text(encoding="utf-8").splitlines()
    file.write_text("\n".join([*lines, rule, ""]), encoding="utf-8")
    message = re.escape(
        f"heap/play.lp:{len(lines) + 1}:{column}: unsafe: the variable R is not bound by a positive atom"
    )
    for thorough in (True, False):  # False: as a rulebook of the package is read
        with pytest.raises(FaultyRulebook, match=message):
            read_rulebook(folder, thorough=thorough)
    assert capfd.readouterr() == ("", "")


def test_the_manifest_names_the_programs_of_the_engine(tmp_path):
    assert "engine/sets.lp" not in {r.file for r in read_rulebook(FOLDER).rules}
    book = read_rulebook(variant(tmp_path, {'engine = ["table"': 'engine = ["sets", "table"'}))
    assert {r.file for r in book.rules} >= {"engine/sets.lp", "engine/table.lp", "heap/play.lp"}


def test_an_unknown_game_is_refused_with_the_list_of_games(tmp_path):
    with pytest.raises(WrongUsage, match=r"there is no game 'chess'; the games are: .*kaiser"):
        rulebook("chess")
    with pytest.raises(WrongUsage, match=r"it has no game\.toml"):
        rulebook(tmp_path)


@pytest.mark.parametrize("by_id", [False, True])
def test_a_changed_rulebook_is_read_again(by_id, tmp_path, monkeypatch):
    """An author in a notebook needs this. Once the old rules answered until the process ended."""
    folder = variant(tmp_path, {})
    monkeypatch.setenv(SEARCH_PATH, str(folder.parent))
    named = folder.name if by_id else folder
    before, hashed = load(named), fingerprint(folder)
    assert before.initial().legal()["red"] == ("take(1)", "take(2)", "take(3)")
    file = folder / "vocabulary.lp"
    file.write_text(file.read_text(encoding="utf-8").replace("amount(1..3).", "amount(1..2)."), encoding="utf-8")
    after = load(named)
    assert after.initial().legal()["red"] == ("take(1)", "take(2)")
    assert load(named).initial() == after.initial()
    assert fingerprint(folder) != hashed


@pytest.mark.parametrize("value", ["-1", "007", "Two", "²", "9999999999"])
def test_values_that_no_rule_can_name_are_refused(value, tmp_path):
    folder = variant(tmp_path, {"values = { allowed": f'values = {{ "{value}" = "", allowed'}, TINY / "cards")
    with pytest.raises(FaultyRulebook, match="cannot be a value"):
        load(folder)


# A program is read as clingo reads it: its rules stand at the same places, and its faults are found there.


def test_all_faults_of_a_program_are_reported_at_once():
    with pytest.raises(FaultyRulebook) as caught:
        parse_rules("a :- b c.\nd.\n{ e }.\n-f :- a.\n#show d/0.\ng :- @h() = 1.")
    assert [(f.line, f.column, f.what) for f in caught.value.findings] == [
        (1, 8, "syntax"), (3, 1, "choice"), (4, 1, "negation"), (5, 1, "directive"), (6, 6, "script"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "line", "column"), [("% ä\na. ö.", 2, 4), ('a("ä"). % "\n#include "x".', 2, 1), ("a.\x00", 1, 3)]
)
def test_characters_and_includes_that_clingo_must_not_see_are_refused(text, line, column):
    with pytest.raises(FaultyRulebook) as caught:
        parse_rules(text, "f.lp")
    (finding,) = caught.value.findings
    assert (finding.line, finding.column) == (line, column)


def test_headings_in_comments_are_none_and_the_others_keep_their_lines():
    text = "% a \x0c%! rule x -- X.\n%*\n%! rule y -- Y.\n*%\r\n%! rule z -- Z.\r\nz(1).\n"
    docs, blocks, wrong = read_docs(text, "f.lp")
    assert ([doc.id for doc in docs], blocks, wrong) == (["z"], [(5, "z")], [])
