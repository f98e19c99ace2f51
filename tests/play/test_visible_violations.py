"""Reasons why an action is legal or not, for a viewer who does not see everything."""

from __future__ import annotations

from random import Random

import clingo
import pytest

from kaiser_logic.engine import symbols
from kaiser_logic.evaluation.explanation import allows
from kaiser_logic.game import load
from kaiser_logic.play.match import CONCEALED, Observers, gains, random_actions, visible_violations
from kaiser_logic.position import Position

PILES = {"krone": "draw", "vive": "pile"}


def exchanged(position: Position, role: str, pile: str, random: Random) -> Position | None:
    """A position that looks the same to a role: a card of another hand and one of the pile are exchanged."""
    hands = sorted(f for f in position.symbols if f.name == "hand" and symbols.text(f.arguments[0]) != role)
    drawn = sorted(
        f for f in position.symbols if f.name == pile and symbols.text(f.arguments[0]) != "game_end"
    )
    if not hands or not drawn:
        return None
    one, other = random.choice(hands), random.choice(drawn)
    (owner, card, _), (new, _) = one.arguments, other.arguments
    if card == new:
        return None
    facts = position.symbols
    for name, args, by in (
        ("hand", (owner, card), -1),
        ("hand", (owner, new), 1),
        (pile, (new,), -1),
        (pile, (card,), 1),
    ):
        old = {f for f in facts if f.name == name and tuple(f.arguments[:-1]) == args}
        number = sum(f.arguments[-1].number for f in old) + by
        facts = (facts - old) | ({clingo.Function(name, [*args, clingo.Number(number)])} if number else set())
    return Position(position.evaluator, facts)


@pytest.mark.slow
@pytest.mark.parametrize("game", PILES)
def test_answers_do_not_depend_on_concealed_facts(game: str) -> None:
    """Two positions that look the same to a player give the same reasons, prices and rules."""
    random = Random(5)
    at = load(game, players=3).initial()
    tried = differing = 0
    done: set[clingo.Symbol] = set()
    for _ in range(45):
        actions = random_actions(at, random)
        for role, action in actions.items():
            if role == "chance":
                continue
            done.add(action)
            other = exchanged(at, role, PILES[game], random)
            if other is None:
                continue
            observers = Observers((role,))
            seen = observers.facts(at, role)
            assert seen == observers.facts(other, role)
            for one in [action, *random.sample(sorted(done), min(2, len(done)))]:
                violations = visible_violations(at, role, one, seen)
                assert violations == visible_violations(other, role, one, seen), (role, one)
                if not violations:
                    text = symbols.text(one)
                    rules = [
                        allows(at.ruleset, observers.visible(p, role).symbols, role, text)
                        for p in (at, other)
                    ]
                    assert rules[0] == rules[1]
                    assert gains(at, role, one, seen) == gains(other, role, one, seen)
                    everything = [allows(at.ruleset, p.symbols, role, text) for p in (at, other)]
                    differing += everything[0] != everything[1]
                tried += 1
        at = at.successor(at.evaluator.judge(at.symbols, actions))
    assert tried > 10
    assert differing or game == "vive"  # with all facts, the answers differ somewhere


def test_reasons_from_concealed_facts_are_not_shown() -> None:
    """Only the rule with its statement and sources is shown."""
    start = load("krone", players=2).initial()
    deal = symbols.read_symbol("deal(red,city)")
    (whole,) = visible_violations(start, "red", deal)
    assert whole.message != CONCEALED
    none_seen = frozenset(f for f in start.symbols if f.name == "seat")
    (violations,) = visible_violations(start, "red", deal, none_seen)
    assert (violations.rule, violations.statement, violations.sources) == (
        whole.rule,
        whole.statement,
        whole.sources,
    )
    assert (violations.message, violations.facts, violations.absent) == (CONCEALED, (), ())


def test_reasons_from_visible_facts_are_shown() -> None:
    game = load("krone", players=2)
    at = game.initial()
    while "chance" in at.to_move:
        at = at.apply({"chance": sorted(at.legal()["chance"])[0]})
    hidden = Observers(("red",)).facts(at, "red")
    assert hidden is not None
    violations = visible_violations(at, "red", symbols.read_symbol("occupy(a1)"), hidden)
    assert violations == visible_violations(
        at, "red", symbols.read_symbol("occupy(a1)")
    )  # none of these facts is concealed
    assert violations


def test_viewers_of_everything_get_all_reasons() -> None:
    at = load("kaiser", players=3).initial()
    action = symbols.read_symbol("pass")
    assert (
        visible_violations(at, "red", action)
        == visible_violations(at, "red", action, at.symbols)
        == at.why("red", "pass")
    )
