"""Programs are told what their rules read, and nothing else: they say the same."""

from __future__ import annotations

from collections import Counter

import clingo
import pytest
from support.opened import before, heap

from kaiser_logic.game import load
from kaiser_logic.symbolic.domains import domains
from kaiser_logic.symbolic.encoding import Encoding
from kaiser_logic.symbolic.invariants import invariants
from kaiser_logic.symbolic.programs import read_facts, solver_of
from kaiser_logic.symbolic.solver import Solver
from kaiser_logic.symbolic.transitions import transitions


def rules_of(solver: Solver) -> Counter[str]:
    """What a program is ground to, but for the facts."""
    found: Counter[str] = Counter()
    control = clingo.Control(["--warn=none", "--keep-facts"])
    control.add("base", [], solver.text)
    with control.backend() as backend:
        for fact in solver.facts:
            backend.add_rule([backend.add_atom(fact)])
    control.ground([("base", [])])
    for atom in control.symbolic_atoms:
        if not atom.is_fact:
            found[str(atom.symbol)] += 1
    return found


@pytest.mark.slow
@pytest.mark.parametrize("game", ["kaiser", "krone", "staufer"])
def test_what_is_left_out_says_nothing(game: str) -> None:
    ruleset = load(game, players=2).ruleset
    sorts = domains(ruleset, 3)
    looked_at = 0
    for transition in transitions(ruleset, sorts):
        if len(transition.kinds) != 1:
            continue
        encoding = Encoding(ruleset, sorts, bounded=True)
        encoding.open([transition.kinds[0].decision], [])
        encoding.assume(invariants(ruleset).assumed, [transition.kinds[0].decision], [])
        encoding.act(transition.kinds)
        lean, whole = solver_of(encoding), Solver(encoding.text, encoding.facts)
        assert set(lean.facts) < set(whole.facts)
        assert rules_of(lean) == rules_of(whole)
        looked_at += 1
        if looked_at == 3:
            break
    assert looked_at


def test_facts_of_which_the_name_is_read_are_all_there() -> None:
    encoding, _ = before(heap().ruleset, "take(K)")
    facts = [str(fact) for fact in encoding.facts]

    def read(text: str) -> set[str]:
        return {str(fact) for fact in read_facts(encoding, text)}

    wide = {fact for fact in facts if fact.startswith("wide(")}
    of_heap = {fact for fact in wide if fact.startswith("wide(heap(")}
    assert of_heap < wide
    seats = {fact for fact in facts if fact.startswith("seat(")}
    assert read("") >= seats, "they are part of each position"
    assert not read("") & wide
    assert read("a :- wide(heap(X)).") & wide == of_heap
    assert read("a :- wide(heap(X)), wide(took(red)).") & wide > of_heap
    for anything in (
        "a :- wide(X).",
        "a :- wide((heap(X);took(Y))).",
        "a :- wide(heap(f(X))).",
        "a:-wide(heap(1);took(red)).",
    ):
        assert read(anything) & wide == wide, anything
    assert {fact for fact in facts if fact.startswith("amount(")} <= read("a :- amount(X).")


def test_what_comes_to_a_program_later_is_told() -> None:
    encoding, _ = before(heap().ruleset, "take(K)")
    told = clingo.Function("told", [clingo.Number(7)])
    encoding.facts.append(told)
    assert told in read_facts(encoding, "")
