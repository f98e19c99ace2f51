"""The encoding: which copies it has, why, and that it says of each position what the evaluate reading says."""

from __future__ import annotations

from pathlib import Path

import clingo
import pytest
from support.opened import before, changed, fixed, heap, reachable, transition

from kaiser_logic.engine import symbols
from kaiser_logic.game import load
from kaiser_logic.query.course import steps_named
from kaiser_logic.rules.predicates import ADD, DEL, GAIN, LOSE, broken
from kaiser_logic.rules.reader import rule_of
from kaiser_logic.symbolic import names
from kaiser_logic.symbolic.domains import Unbounded, domains
from kaiser_logic.symbolic.encoding import Encoding
from kaiser_logic.symbolic.solver import Solver

RULES = heap().ruleset


def lines(encoding: Encoding) -> set[str]:
    return set(encoding.text.splitlines())


def test_the_rules_in_the_documentation() -> None:
    encoding, _ = before(RULES, "take(K)")
    encoding.derive([broken("heap_stated")])
    assert {
        "shift__0(heap,taken(R),A_0,taken) :- does__0(R,0); arg__0(R,0,0,A_0).",
        "broken__m1(heap_stated,x) :- not heap__m1(_).",
    } <= lines(encoding)


def test_the_next_position_follows_from_what_is_added_and_deleted() -> None:
    encoding, _ = before(RULES, "take(K)")
    assert {
        "heap__m1(X1) :- heap(X1), not del__0(heap(X1)).",
        "heap__m1(X1) :- add__0(heap(X1)).",
        "decision__m1(X1,X2) :- decision(X1,X2), not del__0(decision(X1,X2)).",
    } <= lines(encoding)
    assert not any(line.startswith(("phase__m1", "decision__m1(X1,X2) :- add")) for line in lines(encoding))


def test_a_predicate_is_copied_only_where_it_may_have_changed() -> None:
    encoding, take = before(RULES, "take(K)")
    assert encoding.name(("heap", 1), 0) == "heap"
    assert encoding.name(("heap", 1)) == "heap__m1"
    assert encoding.name(("holds_at_least", 1)) == "holds_at_least__m1"
    assert encoding.name(("phase", 1)) == "phase"
    assert encoding.name(("player", 1)) == "player"
    assert take.changed == {("heap", 1), ("taken", 2), ("took", 1), ("due", 1), ("decision", 2)}


def test_it_says_why_a_predicate_is_called_so() -> None:
    encoding, take = before(RULES, "take(K)")
    step = encoding.step([transition(RULES, "step pass_on").step or ()])
    assert encoding.changed_by(("heap", 1)) is take
    assert encoding.changed_by(("heap", 1), 0) is None
    assert encoding.changed_by(("phase", 1), 1) is None
    assert encoding.changed_by(("phase", 1), 2) is step
    assert encoding.changed_by(("seat", 2)) is None


def test_it_knows_what_a_transition_derives() -> None:
    encoding, take = before(RULES, "take(K)")
    assert [e.text for e in encoding.deriving(ADD, take)][:2] == [
        "add__0(took(R)) :- does__0(R,0).",
        "add__0(due(pass_on)) :- made__0(_,take).",
    ]
    assert all(e.origin.heads[0].signature == ADD for e in encoding.deriving(ADD, take))
    assert encoding.derives(GAIN, take)
    assert not encoding.derives(("phase", 1), take)
    step = encoding.step([transition(RULES, "step pass_on").step or ()])
    assert encoding.derives(DEL, step)
    assert not encoding.derives(LOSE, step)


def test_everything_that_is_emitted_is_in_the_program() -> None:
    encoding, take = before(RULES, "take(K)")
    assert {e.text for e in take.emitted} <= lines(encoding)


def test_rules_can_be_about_an_earlier_moment() -> None:
    encoding, take = before(RULES, "take(K)")
    encoding.derive([broken("one_phase")], moment=take.moment)
    encoding.derive([broken("one_taker")], moment=0)
    assert not any(line.startswith("broken__m1") for line in lines(encoding))


@pytest.mark.parametrize("exact", [True, False])
def test_successors_are_those_of_given_positions(exact: bool) -> None:
    """Each position of play and each legal action: the next position is the one that is evaluated."""
    game = heap()
    encoding, take = before(RULES, "take(K)", exact)
    solver = Solver(encoding.text, encoding.facts)
    after = {encoding.name(s): s[0] for s in RULES.book.fluents if encoding.name(s) != s[0]}
    positions = reachable(game)
    assert len(positions) > 50
    for facts in positions:
        for role, action in game.evaluator.legal(facts):
            judged = game.evaluator.judge(facts, {role: action})
            expected = (facts - frozenset(judged.deleted)).union(judged.added)
            chosen = f"{names.argument(take.number)}({role},0,0,{action.arguments[0]})"
            model = solver.model(*fixed(encoding, facts), chosen)
            assert model is not None, (facts, action)
            found = {clingo.Function(after[s.name], s.arguments) for s in model if s.name in after}
            assert found == {f for f in expected if f.name in after.values()}


def test_illegal_actions_are_those_of_given_positions() -> None:
    game = heap()
    encoding, take = before(RULES, "take(K)", legal=False)
    solver = Solver(f"{encoding.text}\n{encoding.illegal(0)} :- #false.", encoding.facts)
    seen = set()
    for facts in reachable(game):
        (role,) = (symbols.text(s.arguments[0]) for s in facts if s.name == "decision")
        for number in (1, 2, 3):
            action = clingo.Function("take", [clingo.Number(number)])
            illegal = bool(game.evaluator.judge(facts, {role: action}).violations)
            chosen = f"{names.argument(take.number)}({role},0,0,{number})"
            opposite = f"{'not ' if illegal else ''}{encoding.illegal(0)}"
            assert solver.model(*fixed(encoding, facts), chosen) is not None
            assert solver.model(*fixed(encoding, facts), chosen, opposite) is None
            seen.add(illegal)
    assert seen == {True, False}


def test_steps_lead_where_given_positions_are_led() -> None:
    game = heap()
    encoding, _ = before(RULES, "step pass_on")
    solver = Solver(encoding.text, encoding.facts)
    after = {encoding.name(s): s[0] for s in RULES.book.fluents if encoding.name(s) != s[0]}
    assert "phase__m1" in after
    due = 0
    for facts in reachable(game):
        for role, action in game.evaluator.legal(facts):
            judged = game.evaluator.judge(facts, {role: action})
            between = (facts - frozenset(judged.deleted)).union(judged.added)
            expected = game.evaluator.step(between)
            model = solver.model(*fixed(encoding, between))
            assert model is not None
            found = {clingo.Function(after[s.name], s.arguments) for s in model if s.name in after}
            assert found == {f for f in expected if f.name in after.values()}
            due += 1
    assert due


def test_an_argument_without_values_cannot_be_opened(tmp_path: Path) -> None:
    game = changed(tmp_path, {"amount(1..3).": "amount(1..3) :- seat(blue,9)."})
    with pytest.raises(Unbounded, match="without a finite domain"):
        Encoding(game.ruleset, domains(game.ruleset)).act(game.book.kinds)


@pytest.mark.slow
def test_totals_follow_wherever_a_transition_reads_them() -> None:
    """Also where nothing else asks for them: a step that reads totals nobody derives would see nothing."""
    ruleset = load("kaiser", players=3).ruleset
    encoding = Encoding(ruleset, domains(ruleset, values=range(5)))
    encoding.open([("c", "turn")])
    encoding.act([k for k in ruleset.book.kinds if k.decision == ("c", "turn")])
    for name in ("place_gray", "contest"):
        encoding.step(steps_named(ruleset, [name]))
    rules = [rule_of(line) for line in encoding.lines]
    totals = {a.name for r in rules for a in r.positive if a.name.startswith("total__m")}
    assert totals
    assert totals <= {h.name for r in rules for h in r.heads}
