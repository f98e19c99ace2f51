"""A position and a move as assumptions of a question's program, and what follows there."""

from __future__ import annotations

from collections import Counter

import clingo
import pytest
from proof.test_together import goals_of, joint, of
from support.opened import heap, reachable

from kaiser_logic.engine import symbols
from kaiser_logic.engine.grounding import Grounding
from kaiser_logic.proof.checked import CheckedProgram
from kaiser_logic.proof.fixed import Differs, counted
from kaiser_logic.proof.sample import Facts
from kaiser_logic.proof.together import Together
from kaiser_logic.rules.predicates import COUNTS


def program(more: str = "") -> tuple[Together, CheckedProgram]:
    """The program of all questions about a take, with more in it."""
    step = of(heap())["take(K)"]
    before, question = joint(heap(), step)
    question.solver.text += more
    return step, step._checking(question, goals_of(heap(), step), before)._program


def positions() -> list[Facts]:
    """Positions in which somebody takes."""
    return [facts for facts in reachable(heap()) if symbols.read("phase(play)") in facts][:30]


def test_a_position_is_fixed_fact_by_fact() -> None:
    step, found = program()
    for facts in positions():
        totals = counted(step._evaluator, found._encoding.totals, facts)
        expected = [(lit if s in facts else -lit) for s, (lit, certain) in found.free.items() if not certain]
        expected += [
            lit if totals[s.arguments[0]] == s.arguments[1].number else -lit
            for s, (lit, certain) in found._totals.items()
            if not certain
        ]
        assert Counter(found.position(facts)) == Counter(expected)
        assert found.position(frozenset(facts)) == found.position(facts)


def test_the_last_position_is_not_taken_for_another() -> None:
    _, found = program()
    one, other, *_ = positions()
    first = list(found.position(one))
    assert list(found.position(other)) != first
    assert list(found.position(one)) == first


def test_what_a_program_does_not_know_or_always_has_differs() -> None:
    facts = positions()[0]
    with pytest.raises(Differs, match=r"does not know heap\(13\)"):
        program()[1].position(facts | {symbols.read("heap(13)")})
    _, found = program("\ntook(blue).")
    assert found.position(facts | {symbols.read("took(blue)")})
    with pytest.raises(Differs, match=r"took\(blue\) always holds"):
        found.position(facts - {symbols.read("took(blue)")})


def test_totals_are_those_that_clingo_counts() -> None:
    step, found = program()
    totals = found._encoding.totals
    rules = step._evaluator.ruleset.complete(tuple(totals.slice))
    for facts in positions():
        expected: Counter[clingo.Symbol] = Counter()
        for s in Grounding(rules, facts).get(*COUNTS):
            expected[s.arguments[0]] += s.arguments[2].number
        assert counted(step._evaluator, totals, facts) == expected
        assert expected[clingo.Function("stones")] == 12


def test_what_follows_has_what_a_take_cannot_touch() -> None:
    """The phase has no name of its own afterwards: of it, what is assumed stays."""
    step, found = program()
    assert ("phase", 1) not in found.after.values()
    assert "phase" not in found.after.values()
    assert "heap" in found.after.values()
    facts = positions()[3]
    role = next(symbols.text(s.arguments[0]) for s in facts if s.name == "decision")
    action = symbols.read("take(1)")
    judged = step._evaluator.judge(facts, {role: action})
    after = (facts - frozenset(judged.deleted)).union(judged.added)
    holds = found.determined(facts, ((role, action),))
    assert found.follows(facts, holds) == after - found.seats
    assert symbols.read("phase(play)") in found.follows(facts, holds)
