"""Rules with an action split into its kind and arguments derive what the rules derive from the whole action."""

from itertools import product

import pytest
from support.tables import rows

pytest.importorskip("numpy")

from kaiser_logic import clingo
from kaiser_logic.batch.building import SplitKind, join_kinds
from kaiser_logic.engine import symbols
from kaiser_logic.lang.printed import Printed
from kaiser_logic.lang.printer import show
from kaiser_logic.lang.terms import Name
from kaiser_logic.rules.loader import parse_rules
from kaiser_logic.rules.reader import read_term
from kaiser_logic.rules.rule import PlacedRule
from kaiser_logic.rules.rulebook import ActionKind

_DONE = "does(R,A) :- submitted(R,A). candidate(R,A) :- submitted(R,A). "
_FACTS = """
heap(1..3). price(2). price(5). q(1..2). q(red,green). q(green,green). q(x). left(red,green). left(green,red). rich(green).
player((red;green)).
"""
ROLES = tuple(map(symbols.constant, ("red", "green")))


def _kinds(program: str, *actions: str) -> tuple[list[SplitKind], str, set[str]]:
    """The kinds of these actions, the rules for all of them, and the predicates that hold no part of an action."""
    rules = parse_rules(_DONE + program)
    declaration = Printed("action(turn,take(K)).")
    kinds = [ActionKind(n, Name("turn"), read_term(action), declaration) for n, action in enumerate(actions)]
    split = [SplitKind(kind, rules) for kind in kinds]
    lines = (x.text if isinstance(x, PlacedRule) else show(x) for x in join_kinds(rules, split))
    heads = {h.signature for rule in parse_rules(program) for h in rule.heads}
    return split, " ".join(lines), {name for name, _ in heads.difference(*(one.split for one in split))}


def _derived(program: str, heads: set[str], facts: list[clingo.Symbol]) -> set[str]:
    """The atoms of these predicates that follow."""
    control = clingo.ground(_FACTS + program, facts)
    return {str(atom.symbol) for atom in control.symbolic_atoms if atom.symbol.name in heads}


def _from_whole(program: str, heads: set[str], role: clingo.Symbol, action: clingo.Symbol) -> set[str]:
    return _derived(_DONE + program, heads, [clingo.Function("submitted", [role, action])])


PROGRAMS = [
    (program, action, tuple(done.split()))
    for program, action, done in (row.values for row in rows("batch/split_actions", "split"))
]


@pytest.mark.parametrize(("program", "action", "done"), PROGRAMS)
def test_split_actions_have_the_consequences_of_whole_actions(program, action, done):
    (kind,), joined, heads = _kinds(program, action)
    assert heads
    for role, chosen in product(ROLES, map(symbols.read_symbol, done)):
        found = _derived(joined, heads, kind.facts(role, chosen))
        assert found == _from_whole(program, heads, role, chosen)


@pytest.mark.parametrize("program", rows("batch/split_actions", "kinds"))
def test_an_action_of_one_kind_has_no_consequences_by_the_rules_for_another(program):
    kinds, joined, heads = _kinds(program, "take(K)", "move(A,B)", "pass")
    for role, number in product(ROLES, range(3)):
        for text in (("take(1)", "take(3)"), ("move(1,2)", "move(2,1)"), ("pass",))[number]:
            action = symbols.read_symbol(text)
            found = _derived(joined, heads, kinds[number].facts(role, action))
            assert found == _from_whole(program, heads, role, action), text
