"""A ruleset has the rules in force, and cuts from them the programs that answer questions."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from support.heap_game import FOLDER, variant

from kaiser_logic.engine import symbols
from kaiser_logic.engine.configuration import configure
from kaiser_logic.engine.grounding import EngineProgram
from kaiser_logic.engine.ruleset import Ruleset, ruleset_of
from kaiser_logic.rules.loader import rulebook
from kaiser_logic.rules.predicates import is_enumeration
from kaiser_logic.transform.slicing import position_seeds


def ruleset(folder: Path = FOLDER, **settings: object) -> Ruleset:
    """The rules of a game with these settings."""
    return ruleset_of(configure(rulebook(folder), folder, **settings)[0])  # type: ignore[arg-type]


HEAP = ruleset()


def heads(program: EngineProgram) -> set[str]:
    """The names of the predicates that a program derives."""
    return {h.name for rule in program.rules for h in rule.heads}


def test_seats_and_roles() -> None:
    assert (HEAP.id, HEAP.seats, HEAP.roles) == ("heap", ("red", "green"), ("red", "green", "chance"))


def test_static_facts_are_found_by_signature() -> None:
    assert list(map(symbols.text, HEAP.facts("left", 2))) in (
        ["left(red,green)", "left(green,red)"], ["left(green,red)", "left(red,green)"],
    )  # fmt: skip
    assert {symbols.text(s) for s in HEAP.facts("amount", 1)} == {"amount(1)", "amount(2)", "amount(3)"}
    assert HEAP.facts("heap", 1) == HEAP.facts("nothing", 7) == ()
    assert set(map(symbols.text, HEAP.steps)) == {"due(pass_on)"}
    assert HEAP.waived == frozenset()


def test_a_ruling_waives_an_invariant(tmp_path: Path) -> None:
    folder = variant(
        tmp_path, {"amount(1..3).": "amount(1..3).\nwaived(one_taker) :- ruling(last_stone,loses)."}
    )
    assert ruleset(folder).waived == frozenset()
    assert ruleset(folder, options={"last_stone": "loses"}).waived == {"one_taker"}


def test_rules_that_a_ruling_excludes_are_left_out() -> None:
    other = ruleset(options={"last_stone": "loses"})
    goals = [
        {r.text for r in rules.outcome_program.rules if any(h.name == "goal" for h in r.heads)}
        for rules in (HEAP, other)
    ]
    assert all(goals)
    assert not goals[0] & goals[1]


def test_each_configuration_has_one_ruleset() -> None:
    heap = ruleset()
    assert ruleset() is heap is pickle.loads(pickle.dumps(heap))
    assert ruleset(players=3) is not heap


def test_programs_are_cut_once() -> None:
    action = symbols.read_symbol("take(2)")
    assert HEAP.judge_program([action]) is HEAP.judge_program([symbols.read_symbol("take(3)"), action])
    assert HEAP.judge_program([action]) is not HEAP.judge_program([action], offered=True)
    assert HEAP.legal_program([("take", 0)]) is HEAP.legal_program({("take", 0)})
    assert HEAP.outcome_program is HEAP.outcome_program


def test_a_program_contains_the_rules_that_its_question_needs() -> None:
    action = symbols.read_symbol("take(2)")
    assert {"violates", "add", "del"} <= heads(HEAP.judge_program([action]))
    assert "violates" not in heads(HEAP.effects_program([action]))
    assert heads(HEAP.outcome_program) >= {"terminal", "goal", "winner"}
    assert not {"violates", "broken"} & heads(HEAP.outcome_program)
    assert "legal" in heads(HEAP.legal_program([("take", 0)]))
    assert "add" in heads(HEAP.step_program([("pass_on", 0)]))
    assert "broken" in heads(HEAP.broken_program())
    assert HEAP.weight_program is None
    assert HEAP.view_program.rules == ()


def test_rules_that_enumerate_actions_are_not_used_for_judging() -> None:
    """When an action is judged, the only candidates are the submitted actions."""
    listing = [r for r in HEAP.enumerating.rules if is_enumeration(r)]
    assert [r.heads[0].signature for r in listing] == [("candidate", 2)]
    assert not any(map(is_enumeration, HEAP.judging.rules))


def test_an_action_has_the_kind_of_its_name() -> None:
    kind = HEAP.kind(symbols.read_symbol("take(2)"))
    assert kind is not None
    assert kind is HEAP.kind(symbols.read_symbol("take(99)"))
    assert HEAP.kind(symbols.read_symbol("swim")) is None


def test_a_value_is_computed_once_for_each_key() -> None:
    made: list[int] = []

    def make() -> int:
        made.append(1)
        return len(made)

    rules = Ruleset(HEAP.book, HEAP.configuration)
    assert [rules.remember("a", make), rules.remember("a", make), rules.remember("b", make)] == [1, 1, 2]


def test_other_rules_keep_the_configuration() -> None:
    fewer = HEAP.with_rules(r for r in HEAP.book.rules if not any(h.name == "violates" for h in r.heads))
    assert fewer.configuration == HEAP.configuration
    assert len(fewer.rules) == len(HEAP.rules) - 1


def test_dropped_invariants_count_as_waived() -> None:
    """Also with other rules and in another process. Nothing else changes."""
    heap = ruleset()
    without = heap.dropping(["one_taker"])
    assert (heap.waived, without.waived) == (frozenset(), {"one_taker"})
    assert without.dropping(["heap_stated"]).dropped == {"one_taker", "heap_stated"}
    assert without.with_rules(heap.book.rules).dropped == {"one_taker"}
    assert without.mark != heap.mark == heap.dropping([]).mark
    for each in (without, without.with_rules(heap.book.rules[1:])):
        sent = pickle.loads(pickle.dumps(each))
        assert (sent.dropped, sent.mark, sent.book.rules) == (each.dropped, each.mark, each.book.rules)


def test_rules_for_some_predicates_can_be_left_out() -> None:
    whole = HEAP.program("with", position_seeds, [("broken", 2)])
    less = HEAP.program("without", position_seeds, [("broken", 2)], frozenset({("total", 2)}))
    assert "total" in heads(whole)
    assert "total" not in heads(less)


@pytest.mark.parametrize("players", [2, 3])
def test_submitted_actions_are_facts(players: int) -> None:
    submitted = {"red": symbols.read_symbol("take(1)"), "blue": symbols.read_symbol("take(2)")}
    found = ruleset(players=players).submissions(submitted)
    assert list(map(symbols.text, found)) == ["submitted(red,take(1))", "submitted(blue,take(2))"]
