"""What a model says, and the smallest one."""

from __future__ import annotations

from pathlib import Path

from support import heap_game
from support.opened import before, fixed, heap, reachable

from kaiser_logic.engine import symbols
from kaiser_logic.game import load
from kaiser_logic.symbolic import names
from kaiser_logic.symbolic.domains import domains
from kaiser_logic.symbolic.encoding import Encoding
from kaiser_logic.symbolic.models import FEWEST, decode_actions, decode_facts, fewest
from kaiser_logic.symbolic.solver import Solver

RULES = heap().ruleset


def test_facts_and_actions_are_read() -> None:
    encoding, take = before(RULES, "take(K)")
    solver = Solver(encoding.text, encoding.facts)
    for facts in reachable(heap())[:20]:
        (role,) = (symbols.text(s.arguments[0]) for s in facts if s.name == "decision")
        model = solver.model(*fixed(encoding, facts), f"{names.argument(0)}({role},0,0,1)")
        assert model is not None
        assert set(decode_facts(RULES, model)) == set(map(symbols.text, facts))
        assert decode_actions(RULES, RULES.book.kinds, model, take.number) == ((role, "take(1)"),)


def test_each_role_has_its_own_action() -> None:
    model = [
        symbols.read(text)
        for role, number in (("red", 3), ("green", 1))
        for text in (f"does__0({role},0)", f"arg__0({role},0,0,{number})", f"does__1({role},0)")
    ]
    found = decode_actions(RULES, RULES.book.kinds, model, 0)
    assert found == (("green", "take(1)"), ("red", "take(3)"))


def test_the_smallest_position() -> None:
    """A counted fact weighs its count, any other one: the fewest stones lie where hardly any facts do."""
    encoding = Encoding(RULES, domains(RULES))
    encoding.add(*encoding.domains.choices(RULES.book), "weighty :- taken(red,_).", ":- not weighty.")
    encoding.add(*fewest(encoding))
    model, proved = Solver(encoding.text, encoding.facts, FEWEST).best(10_000)
    assert model is not None
    assert proved
    assert set(decode_facts(RULES, model)) == {"heap(0)", "seat(red,1)", "seat(green,2)", "taken(red,1)"}


def test_what_is_owed_is_not_less_than_nothing() -> None:
    """A count may be below nothing: the deepest debt makes no small position."""
    rules = load(Path(heap_game.__file__).parent / "debts", players=2).ruleset
    encoding = Encoding(rules, domains(rules))
    encoding.add(
        *encoding.domains.choices(rules.book), ":- not debt(red,1), not debt(red,-1), not debt(red,-2)."
    )
    encoding.add(*fewest(encoding))
    model, proved = Solver(encoding.text, encoding.facts, FEWEST).best(10_000)
    assert model is not None
    assert proved
    owed = {f for f in decode_facts(rules, model) if f.startswith("debt(")}
    assert "debt(red,-2)" not in owed
    assert owed <= {"debt(red,1)", "debt(red,-1)", "debt(green,0)"}
