"""Variables of the tool and variables of authors never have the same name."""

from __future__ import annotations

import ast
from itertools import product
from pathlib import Path

import pytest
from support.heap_game import variant
from support.spellings import LOOKALIKES, variables

import kaiser_logic
from kaiser_logic import clingo
from kaiser_logic.evaluation.verdict import IllegalMove
from kaiser_logic.game import load
from kaiser_logic.rules.fresh import (
    as_written,
    is_fresh,
    plain,
    rename_variables,
    renamed_doc,
)
from kaiser_logic.rules.library import asp_folder
from kaiser_logic.rules.loader import parse_rules, read_rulebook
from kaiser_logic.rules.reader import rule_of
from kaiser_logic.rules.rulebook import RuleDoc


def test_different_names_stay_different_and_none_is_a_name_of_the_tool() -> None:
    letters = ["".join(n) for k in range(1, 5) for n in product("Az1_0", repeat=k)]
    names = [n for n in (*letters, *LOOKALIKES) if n.lstrip("_")[:1].isupper()]
    found = {name: plain(name) for name in dict.fromkeys(names)}
    assert len(set(found.values())) == len(found)
    assert not any(map(is_fresh, found.values()))
    assert all(name[0].isupper() for name in found.values())
    assert all(as_written(f"p({new},x)") == f"p({name},x)" for name, new in found.items())


@pytest.mark.parametrize("name", ["R", "N", "Role", "Claimed", "X0", "Z", "Az", "Rz1a"])
def test_other_names_are_not_changed(name: str) -> None:
    assert plain(name) == name


def test_strings_and_predicates_are_not_renamed() -> None:
    rule = rule_of('violates(A_0,"A_0") :- p_A(A_0,_); q(B_); #count { _X : r(_X,B_) } > 1.')
    assert (
        rename_variables(rule).text
        == 'violates(A0z2,"A_0") :- p_A(A0z2,_); q(Bz2); 1 < #count { Xz1: r(Xz1,Bz2) }.'
    )
    same = rule_of('violates(R,"A_0") :- p(R,_).')
    assert rename_variables(same) is same


def test_a_rule_keeps_its_place() -> None:
    (rule,) = parse_rules("\n\n  p(X_) :- q(X_).", "here.lp", [(1, "block")])
    new = rename_variables(rule)
    assert (new.file, new.line, new.block, new.text) == ("here.lp", 3, "block", "p(Xz2) :- q(Xz2).")
    assert (new.column, str(clingo.tree(new.text))) == (3, new.text)


def test_variables_of_a_message_are_renamed_as_those_of_its_rule() -> None:
    doc = RuleDoc("far", "rule", "s", "{A_B:one} of A_B :- p(A_B,_) | {R}", {}, "f.lp", 1)
    assert renamed_doc(doc).why == "{ABz2:one} of A_B :- p(ABz2,_) | {R}"
    assert renamed_doc(doc._replace(why="{R} | {N}")).why == "{R} | {N}"


def test_a_message_is_filled_whatever_its_variables_are_called(tmp_path: Path) -> None:
    changes = {
        "the heap holds only {N}": "the heap holds only {N_}",
        "candidate(R,take(K)), heap(N), not holds_at_least(K)": "candidate(R,take(K)), heap(N_), not holds_at_least(K)",
    }
    game = load(variant(tmp_path, changes))
    facts = [f for f in game.initial().facts if not f.startswith("heap")]
    position = game.position([*facts, "heap(2)", "taken(green,10)", "took(green)"])
    with pytest.raises(IllegalMove, match="the heap holds only 2"):
        position.apply({"red": "take(3)"})


@pytest.mark.parametrize("path", sorted((asp_folder() / "engine").glob("*.lp")), ids=lambda p: p.stem)
def test_files_of_the_engine_have_no_variables_of_the_tool(path: Path) -> None:
    lines = (line.partition("%")[0] for line in path.read_text(encoding="utf-8").splitlines())
    assert not [v for line in lines for v in variables(line) if is_fresh(v)]


@pytest.mark.parametrize("game", ["kaiser", "krone", "staufer", "vive"])
def test_rulebooks_have_no_variables_of_the_tool(game: str) -> None:
    book = read_rulebook(asp_folder() / game, thorough=False)
    assert not [v for rule in book.rules for v in variables(rule.text) if is_fresh(v)]


@pytest.mark.slow
def test_code_pastes_terms_only_beside_variables_of_the_tool() -> None:
    """The test looks at f-strings that paste a printed term, such as ``f"decision({ROLE},{show(pattern)})"``."""
    wrong = []
    for path in sorted(Path(kaiser_logic.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.JoinedStr):
                continue
            pasted = [ast.unparse(v) for v in node.values if isinstance(v, ast.FormattedValue)]
            written = " ".join(v.value for v in node.values if isinstance(v, ast.Constant))
            names = [v for v in variables(written) if not is_fresh(v) and len(v) < 10]
            if names and any("show(" in p for p in pasted) and any(c in written for c in "(,"):
                wrong.append(f"{path}:{node.lineno}: {names}")
    assert not wrong, "\n".join(wrong)


def test_a_rulebook_is_read_with_renamed_variables(tmp_path: Path) -> None:
    line = "add(took(R))                 :- does(R,take(_))."
    game = load(variant(tmp_path, {line: "add(took(Role_)) :- does(Role_,take(_))."}))
    rules = [r.text for r in game.book.rules if r.text.startswith("add(took(")]
    assert rules == ["add(took(Rolez16)) :- does(Rolez16,take(_))."]
