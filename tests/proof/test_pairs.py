"""Pairs of a position and what is done in it, made by the plain engine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

from support.opened import heap

from kaiser_logic.engine import symbols
from kaiser_logic.evaluation.random_games import Facts, Pair
from kaiser_logic.game import load
from kaiser_logic.proof.pairs import SMALL, Nearby, PairMaker, deciding, fired, joint, telling
from kaiser_logic.symbolic.domains import domains
from kaiser_logic.symbolic.transitions import transitions

DUEL = Path(__file__).parents[1] / "support" / "duel"


def test_joint_actions_are_legal_and_unlike_one_another() -> None:
    game = load(DUEL)
    facts = game.evaluator.initial()
    found = joint(game.evaluator, facts, deciding(facts), Random(0), 16)
    assert 4 < len(found) <= 16
    assert all(not game.evaluator.judge(facts, dict(actions)).violations for actions in found)
    said = [{role: str(action) for role, action in actions} for actions in found]
    assert any(f"aim({role})" == action for actions in said for role, action in actions.items())
    pairs = [(role, other) for role in game.ruleset.seats for other in game.ruleset.seats if role < other]
    assert any(a[r] == f"aim({q})" and a[q] == f"aim({r})" for a in said for r, q in pairs)
    assert joint(game.evaluator, facts, ["red"], Random(0), 16) == []


def test_neighbours_are_valid() -> None:
    evaluator = heap().evaluator
    start = evaluator.initial()

    def valid(facts: Facts) -> bool:
        return not evaluator.broken(facts, waive=False)

    nearby = Nearby(domains(evaluator.ruleset), evaluator.ruleset.book.counters, valid, 20)
    found = list(nearby.of(start, Random(1), 10))
    assert found
    assert start not in found
    assert all(map(valid, found))
    assert len({next(f for f in facts if f.name == "heap") for facts in found}) > 1


def test_which_rules_fire() -> None:
    evaluator = heap().evaluator
    start = evaluator.initial()
    take = fired(evaluator.ruleset, Pair(start, (("red", symbols.read("take(3)")),)))
    assert any(text.startswith("shift(heap,taken(R),K,taken)") for text in take)
    assert not any("take.enough" in text or "due(pass_on)" in text.partition(" :- ")[2] for text in take)
    late = frozenset(
        map(symbols.read, ["heap(1)", "phase(play)", "took(red)", "taken(red,11)", "due(pass_on)"])
    )
    assert any(text.startswith("add(decision(Q,take))") for text in fired(evaluator.ruleset, Pair(late)))
    assert all(text in {r.text for r in telling(evaluator.ruleset.rules)} for text in take)


def test_pairs_show_something_new_and_end() -> None:
    evaluator = heap().evaluator
    kinds = next(t for t in transitions(evaluator.ruleset, domains(evaluator.ruleset)) if t.kinds).kinds

    def valid(facts: Facts) -> bool:
        return not evaluator.broken(facts, waive=False)

    def none(_: object) -> Iterator[Pair]:
        return iter(())

    maker = PairMaker([evaluator], kinds, domains(evaluator.ruleset), valid, SMALL)
    found = list(maker.pairs([], telling(evaluator.ruleset.rules), none, Random(0)))
    assert 10 < len(found) <= SMALL.compared
    assert len(set(found)) == len(found)
    assert {f for pair in found for f in pair.facts if f.name == "heap"} >= {
        symbols.read(f"heap({n})") for n in (1, 12)
    }
    assert all(valid(pair.facts) for pair in found)
