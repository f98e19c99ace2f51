"""A rule is read with its literals and with the places of its atoms, as clingo reads it."""

import pickle
from collections.abc import Iterable

import pytest
from clingo import ast
from support.programs import program
from support.tables import rows
from support.tool import tool

from kaiser_logic import clingo
from kaiser_logic.cache import Store
from kaiser_logic.lang.printer import show_term
from kaiser_logic.rules.loader import engine_rules, games, parse_rules, rulebook
from kaiser_logic.rules.reader import cache_rules, rule_of, unpack_rules
from kaiser_logic.rules.rule import PlacedRule


def _atoms(text: str) -> str:
    """The atoms with the first letter of their places."""
    return " ".join(f"{a.place[0]}:{a.name}/{len(a.args)}" for a in rule_of(text).atoms)


@pytest.mark.parametrize(("text", "atoms"), rows("rules/rules", "atoms"))
def test_atoms_are_found_with_their_places(text, atoms):
    assert _atoms(text) == atoms


@pytest.mark.parametrize(("text", "args"), rows("rules/rules", "arguments"))
def test_arguments_become_simple_patterns(text, args):
    (head,) = rule_of(text).heads
    assert " ".join(map(show_term, head.args)) == args


def test_a_cached_rule_is_unchanged(tmp_path):
    """What was not computed before the rule was stored is read from its text later."""
    rules = parse_rules("a(X+1;2) :- b(X), not c(_), d : e.\n\n  f.", "f.lp", [(0, "one")])
    store = Store("rules", "here")
    cache_rules(store, rules)
    again = unpack_rules(store.get("f.lp"), "f.lp")
    assert again == rules
    assert [(r.atoms, r.place, r.block, r.value) for r in again] == [
        (r.atoms, r.place, r.block, r.value) for r in rules
    ]
    assert pickle.loads(pickle.dumps(again)) == rules


# -- compared with clingo --- --------------------------------------------------------------------------------


def _signatures(node: object) -> set[tuple[str, int]]:
    """The predicates of a piece of clingo's syntax tree."""
    if isinstance(node, ast.AST):
        if node.ast_type == ast.ASTType.SymbolicAtom:
            terms = node.symbol.arguments if node.symbol.ast_type == ast.ASTType.Pool else [node.symbol]
            return {(t.name, len(t.arguments)) for t in terms if t.ast_type == ast.ASTType.Function}
        return set().union(*(_signatures(getattr(node, key)) for key in node.child_keys))
    return set().union(*map(_signatures, node)) if isinstance(node, Iterable) else set()


def _agrees(rule: PlacedRule) -> bool:
    """Whether the reader finds the predicates that clingo's syntax tree has."""
    tree = clingo.tree(rule.text)
    return {h.signature for h in rule.heads} == _signatures(tree.head) and rule.uses == _signatures(tree.body)


@pytest.mark.parametrize("game_id", games())
def test_all_rules_of_the_games_agree_with_clingo(game_id):
    assert [rule.text for rule in rulebook(game_id).rules if not _agrees(rule)] == []


@pytest.mark.parametrize("file", ["legal", "judge", "change", "position", "sets", "open_sets"])
def test_all_rules_of_the_engine_agree_with_clingo(file):
    assert [rule.text for rule in engine_rules(file) if not _agrees(rule)] == []


@pytest.mark.parametrize("block", range(5))
def test_random_rules_agree_with_clingo(block):
    for seed in range(40 * block, 40 * block + 40):
        assert [rule.text for rule in parse_rules(program(seed)) if not _agrees(rule)] == []


def test_syntax_trees_that_outlive_clingo_are_freed_silently():
    """At the end of a process modules are emptied in any order. Once each tree then printed a traceback."""
    program = """
import atexit

@atexit.register
def emptied():
    import clingo.ast
    clingo.ast._lib = None
    trees.clear()

from kaiser_logic.clingo import trees as read
trees = [read("a(X) :- b(X), not c(X).") for _ in range(9)]
"""
    done = tool(program, python="-c")
    assert (done.returncode, done.stderr) == (0, "")
