"""Variables of the tool and variables of authors never have the same name."""

from itertools import product

import pytest
from support.heap_game import variant
from support.spellings import LOOKALIKES, variables

from kaiser_logic import clingo
from kaiser_logic.evaluation.verdict import IllegalMove
from kaiser_logic.game import load
from kaiser_logic.rules.fresh import as_written, is_fresh, plain, rename_variables, renamed_doc
from kaiser_logic.rules.library import asp_folder
from kaiser_logic.rules.loader import parse_rules
from kaiser_logic.rules.reader import rule_of
from kaiser_logic.rules.rulebook import RuleDoc


def test_different_names_stay_different_and_none_is_a_name_of_the_tool():
    letters = ["".join(n) for k in range(1, 5) for n in product("Az1_0", repeat=k)]
    names = [n for n in (*letters, *LOOKALIKES) if n.lstrip("_")[:1].isupper()]
    found = {name: plain(name) for name in dict.fromkeys(names)}
    assert len(set(found.values())) == len(found)
    assert not any(map(is_fresh, found.values()))
    assert all(name[0].isupper() for name in found.values())
    assert all(as_written(f"p({new},x)") == f"p({name},x)" for name, new in found.items())


@pytest.mark.parametrize("name", ["R", "N", "Role", "Claimed", "X0", "Z", "Az", "Rz1a"])
def test_other_names_are_not_changed(name):
    assert plain(name) == name


def test_strings_and_predicates_are_not_renamed():
    rule = rule_of('violates(A_0,"A_0") :- p_A(A_0,_); q(B_); #count { _X : r(_X,B_) } > 1.')
    assert rename_variables(rule).text == 'violates(A0z2,"A_0") :- p_A(A0z2,_); q(Bz2); 1 < #count { Xz1: r(Xz1,Bz2) }.'
    same = rule_of('violates(R,"A_0") :- p(R,_).')
    assert rename_variables(same) is same


def test_a_rule_keeps_its_place():
    (rule,) = parse_rules("\n\n  p(X_) :- q(X_).", "here.lp", [(1, "block")])
    new = rename_variables(rule)
    assert (new.file, new.line, new.block, new.text) == ("here.lp", 3, "block", "p(Xz2) :- q(Xz2).")
    assert (new.column, str(clingo.tree(new.text))) == (3, new.text)


def test_variables_of_a_message_are_renamed_as_those_of_its_rule():
    doc = RuleDoc("far", "rule", "s", "{A_B:one} of A_B :- p(A_B,_) | {R}", {}, "f.lp", 1)
    assert renamed_doc(doc).why == "{ABz2:one} of A_B :- p(ABz2,_) | {R}"
    assert renamed_doc(doc._replace(why="{R} | {N}")).why == "{R} | {N}"


def test_a_message_is_filled_whatever_its_variables_are_called(tmp_path):
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
def test_files_of_the_engine_have_no_variables_of_the_tool(path):
    lines = (line.partition("%")[0] for line in path.read_text(encoding="utf-8").splitlines())
    assert not [v for line in lines for v in variables(line) if is_fresh(v)]
