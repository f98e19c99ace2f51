"""The brute force itself agrees with ``legal``, ``apply`` and the invariants on given positions of tiny games."""

from functools import cache
from random import Random

import clingo
import pytest
from support.exhaustive import after, is_due
from support.mutants import NAMES
from support.plain import Plain, actions
from support.tiny_games import tiny, worlds

MOST = 3
"""The largest number of points."""


@cache
def plain(name: str) -> Plain:
    """The rules of a tiny game over any position."""
    return Plain(tiny(name), MOST)


@cache
def valid(name: str) -> frozenset[frozenset[clingo.Symbol]]:
    """All valid positions of a tiny game, also those in which a step is due."""
    return frozenset(plain(name).positions(due=True))


@pytest.mark.parametrize("name", NAMES)
def test_successors_agree_with_the_evaluator(name):
    game, random = tiny(name), Random(name)
    successors = plain(name).successors()
    possible = [a for _, a in actions(game)]
    for facts in random.sample(
        sorted(valid(name), key=lambda p: sorted(map(str, p))), min(30, len(valid(name)))
    ):
        following = {done: then for (before, done), then in successors.items() if before == facts}
        if is_due(facts):
            assert following == {frozenset(): game.evaluator.step(facts)}
            continue
        deciding = sorted(str(f.arguments[0]) for f in facts if f.name == "decision")
        assert bool(following) <= bool(deciding)
        for _ in range(4 if deciding else 0):
            chosen = {role: random.choice(possible) for role in deciding}
            done = frozenset(clingo.Function("submitted", [clingo.Function(r), a]) for r, a in chosen.items())
            assert following.get(done) == after(game.evaluator, facts, chosen)


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", NAMES)
def test_legal_actions_and_broken_rules_agree_with_positions(name):
    game, random = tiny(name), Random(name)
    positions = worlds(name, MOST).all
    possible = [str(a) for _, a in actions(game)]
    for facts in random.sample(sorted(positions, key=lambda p: sorted(map(str, p))), min(15, len(positions))):
        position = game.position(map(str, facts))
        atoms = positions[facts]
        legal = {(r, str(_text(a))) for r, a in atoms.get(("legal", 2), ())}
        assert legal == {(r, a) for r, found in position.legal().items() for a in found}
        role, action = random.choice(game.roles), random.choice(possible)
        rules = {v for r, a, v in atoms.get(("violates", 3), ()) if (r, _text(a)) == (role, action)}
        why = {v.rule for v in position.why(role, action)}
        if role == "chance" or "action.unknown" in rules:  # then the reasons have only the cause
            assert why <= rules
            assert bool(why) == bool(rules)
        else:
            assert why == rules


def _text(value: object) -> str:
    if isinstance(value, tuple):
        return f"{value[0]}({','.join(map(_text, value[1:]))})"
    return str(value)
