"""The judge itself: what it says of tiny games is what ``legal``, ``apply`` and the invariants say of given positions."""

from __future__ import annotations

from functools import cache
from random import Random

import clingo
import pytest
from support.exhaustive import after, is_due, reachable
from support.mutants import NAMES, TINY
from support.plain import Plain, actions
from support.queries import Worlds

from kaiser_logic.game import Game, load

MOST = 3


@cache
def tiny(name: str) -> Game:
    return load(TINY / name)


@cache
def plain(name: str) -> Plain:
    return Plain(tiny(name), MOST)


@cache
def valid(name: str) -> frozenset[frozenset[clingo.Symbol]]:
    return frozenset(plain(name).positions(due=True))


def is_valid(game: Game, facts: frozenset[clingo.Symbol]) -> bool:
    """Whether no invariant is broken, and each counter that is stated has a value."""
    counters = {(f.name, *f.arguments[:-1]) for f in facts}
    wanted = [(n, k) for (n, k), stated in game.book.counters.items() if stated]
    stated = {
        (n,) if k == 1 else (n, clingo.Function(r))
        for n, k in wanted
        for r in (game.seats if k == 2 else [""])
    }
    return stated <= counters and not game.evaluator.broken(facts, waive=False)


@pytest.mark.parametrize("name", NAMES)
def test_what_play_reaches_is_valid(name: str) -> None:
    found = {facts for facts in reachable(tiny(name)) if capped(facts)}
    assert len(found) > 10
    assert found <= valid(name)
    assert any(map(is_due, found)) or not tiny(name).ruleset.steps


def capped(facts: frozenset[clingo.Symbol]) -> bool:
    return all(f.arguments[-1].number <= MOST for f in facts if f.name == "points")


@pytest.mark.parametrize("name", NAMES)
def test_valid_positions_are_those_that_break_nothing(name: str) -> None:
    game, random = tiny(name), Random(name)
    known = sorted(valid(name), key=lambda facts: sorted(map(str, facts)))
    every = sorted({f for facts in known for f in facts if f.name != "seat"})
    seen = {True: 0, False: 0}
    for facts in random.sample(known, min(40, len(known))):
        assert is_valid(game, facts), facts
        changed = facts.symmetric_difference(random.sample(every, random.choice((1, 1, 2))))
        said = is_valid(game, changed)
        assert said == (changed in valid(name)), changed
        seen[said] += 1
    assert seen[False] > 5


@pytest.mark.parametrize("name", NAMES)
def test_successors_are_those_of_given_positions(name: str) -> None:
    game, random = tiny(name), Random(name)
    successors = plain(name).successors()
    possible = [a for _, a in actions(game)]
    for facts in random.sample(
        sorted(valid(name), key=lambda p: sorted(map(str, p))), min(30, len(valid(name)))
    ):
        told = {done: then for (before, done), then in successors.items() if before == facts}
        if is_due(facts):
            assert told == {frozenset(): game.evaluator.step(facts)}
            continue
        deciding = sorted(str(f.arguments[0]) for f in facts if f.name == "decision")
        assert bool(told) <= bool(deciding)
        for _ in range(4 if deciding else 0):
            chosen = {role: random.choice(possible) for role in deciding}
            done = frozenset(clingo.Function("submitted", [clingo.Function(r), a]) for r, a in chosen.items())
            assert told.get(done) == after(game.evaluator, facts, chosen)


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", NAMES)
def test_what_is_legal_and_what_breaks_which_rule(name: str) -> None:
    game, random = tiny(name), Random(name)
    worlds = Worlds(game, MOST).all
    possible = [str(a) for _, a in actions(game)]
    for facts in random.sample(sorted(worlds, key=lambda p: sorted(map(str, p))), min(15, len(worlds))):
        position = game.position(map(str, facts))
        atoms = worlds[facts]
        told = {(r, str(_text(a))) for r, a in atoms.get(("legal", 2), ())}
        assert told == {(r, a) for r, found in position.legal().items() for a in found}
        role, action = random.choice(game.roles), random.choice(possible)
        rules = {v for r, a, v in atoms.get(("violates", 3), ()) if (r, _text(a)) == (role, action)}
        why = {v.rule for v in position.why(role, action)}
        if role == "chance" or "action.unknown" in rules:  # then only the cause is told
            assert why <= rules
            assert bool(why) == bool(rules)
        else:
            assert why == rules


def _text(value: object) -> str:
    if isinstance(value, tuple):
        return f"{value[0]}({','.join(map(_text, value[1:]))})"
    return str(value)
