"""What `why` says of actions of the games: unknown ones, several broken rules, several roles, and none at random is unsound."""

import random

import pytest
from games.positions import GAMES, game_of, names, position
from oracles.krone import COPIES
from support.tables import rows

from kaiser_logic.engine import symbols
from kaiser_logic.engine.grounding import Grounding
from kaiser_logic.errors import NotDecided
from kaiser_logic.evaluation.explanation import allows, explain_all, reasons
from kaiser_logic.evaluation.verdict import IllegalMove
from kaiser_logic.position import Position


@pytest.mark.sample(4)
@pytest.mark.parametrize(("where", "action", "wrong"), rows("games/unknown", "unknown"))
def test_unknown_actions_are_explained(where, action, wrong):
    here = position(*where.split())
    (only,) = (violation for violation in here.why("red", action) if violation.rule == "action.unknown")
    assert (only.facts, only.absent) == ((), ())
    assert only.message.startswith(f"the game knows no such action: {wrong.strip('-')}")
    assert not here.is_legal("red", action)


@pytest.mark.parametrize(("at", "change", "role", "action", "rules"), rows("games/unknown", "ordered"))
def test_all_broken_rules_are_explained_in_order(at, change, role, action, rules):
    assert [v.rule for v in position("kaiser", at, change).why(role, action)] == rules.split()


def test_consequences_of_a_missing_turn_are_not_reasons():
    """Rules about neighbours and the hand apply only in the own turn."""
    broken = {v.rule for v in position("krone", "turn").why("green", "attack(a5)")}
    assert "turn" in broken
    assert not broken & {"attack.beside", "attack.strength"}


def test_the_order_in_which_cards_are_named_does_not_matter():
    here = position("krone", "force")
    one, other = "force(with(1,leader3,with(1,castle,none)))", "force(with(1,castle,with(1,leader3,none)))"
    assert here.why("red", one) == here.why("red", other)
    assert here.is_legal("red", one) == here.is_legal("red", other)


def test_simultaneous_actions_are_explained_separately():
    here = position("kaiser", "vote")
    with pytest.raises(IllegalMove) as caught:
        here.apply({"blue": "pass", "yellow": "son(koeln,free)"})
    assert {role: [v.rule for _, v in pairs] for role, pairs in caught.value.by_role.items()} == {
        "blue": ["actions.turn"],
        "yellow": ["descendants.son"],
    }
    judged = {"red": "vote(rival)", "blue": "vote(rival)", "green": "pass"}
    explained = explain_all(here.evaluator, here.symbols, {r: symbols.read_symbol(a) for r, a in judged.items()})
    assert {role: [v.message for _, v in pairs] for role, pairs in explained.items()} == {
        "red": ["Red is a candidate, and a candidate's votes are his own"],
        "green": ["it is not Green's turn"],
    }


def test_a_full_hand_is_judged_but_not_listed():
    hands = {fact for fact in position("krone", "duel").facts if fact.startswith("hand(")}
    full = " ".join(f"hand(red,{card},{number})" for card, number in COPIES.items())
    here = position("krone", "duel", f"- {' '.join(hands)} + {full}")
    with pytest.raises(NotDecided, match="red has more than 20000 actions"):
        here.legal()
    everything = "none"
    for card, number in reversed(COPIES.items()):
        everything = f"with({number},{card},{everything})"
    legal = {side: here.is_legal("red", f"vote({side},{everything})") for side in ("crown", "sword")}
    assert legal == {"crown": False, "sword": True}


def assert_sound(at: Position, role: str, action: str) -> None:
    """Each explanation of an action is a sentence, and its facts hold."""
    judged = {role: symbols.read_symbol(action)}
    broken = at.evaluator.judge(at.symbols, judged).violations
    reasons(at.ruleset, at.symbols, judged, broken)
    for violation in at.why(role, action):
        assert violation.message and not set("{}") & set(violation.message)
        assert at.facts.issuperset(violation.facts)
        assert list(violation.facts) == at.ruleset.book.sort_facts(violation.facts)
        assert not at.facts & set(violation.absent)
        assert len(violation.facts) <= 40
    if not broken:
        for _, _, facts in allows(at.ruleset, at.symbols, role, action):
            assert at.facts.issuperset(facts)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES[:2])
def test_actions_at_random_are_explained(game):
    rng = random.Random(game)
    program = game_of(game, 4).ruleset.program("vocabulary of actions", dict, [("action", 2)])
    actions = sorted({symbols.text(s.arguments[1]) for s in Grounding(program, ()).get("action", 2)})
    for name in names(game):
        at = position(game, name)
        for role in (*at.ruleset.seats, "chance"):
            for action in rng.sample(actions, 2):
                assert_sound(at, role, action)
    at = game_of(game, 3).initial()
    for _ in range(150):
        if rng.random() < 0.1 and at.to_move:
            assert_sound(at, rng.choice((*at.ruleset.seats, "chance")), rng.choice(actions))
        at = at.apply({role: rng.choice(legal) for role, legal in at.legal().items()}) if at.to_move else at
