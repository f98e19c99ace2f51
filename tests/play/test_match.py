"""Matches: moves, undo and redo, the record."""

from collections import Counter
from random import Random

import clingo
import pytest
from games.positions import position
from support.heap_game import after, heap
from support.played import VOTE

from kaiser_logic.drawing.text import render
from kaiser_logic.engine import symbols
from kaiser_logic.evaluation.explanation import allows
from kaiser_logic.game import load
from kaiser_logic.play.match import CONCEALED, Match, Observers, gains, random_actions, visible_violations, weights
from kaiser_logic.position import Position


def do(match: Match, *amounts: int) -> None:
    for amount in amounts:
        (role,) = match.deciding
        match.do(role, symbols.read_symbol(f"take({amount})"))


def test_moves_are_undone_and_repeated():
    match = Match(heap())
    do(match, 2, 3)
    assert (match.position, match.undone_move) == (after(2, 3), None)
    assert match.legal("red") == ("take(1)", "take(2)", "take(3)")
    with pytest.raises(IndexError):
        match.redo()
    undone = [match.undo() for _ in range(2)]
    assert [(move.role, str(move.action)) for move in undone] == [("green", "take(3)"), ("red", "take(2)")]
    with pytest.raises(IndexError):
        match.undo()
    assert match.undone_move == undone[1] == match.redo()
    assert match.position == after(2)
    match.redo()
    assert match.position == after(2, 3)
    match.undo()
    do(match, 1)  # another one: then there is no decision to redo
    assert (match.position, match.undone_move) == (after(2, 1), None)
    assert [str(move.action) for move in match.moves] == ["take(2)", "take(1)"]


def test_simultaneous_decisions():
    """The game continues after the last decision. Each decision can be undone alone."""
    match = Match(load("kaiser"))
    voting = match.game.position(line + "." for line in "".join(VOTE.split()).split(".") if line)
    match.position = voting
    assert match.deciding == ("green", "yellow")
    match.do("yellow", symbols.read_symbol("vote(rival)"))
    assert (match.deciding, match.position) == (("green",), voting)
    match.do("green", symbols.read_symbol("vote(emperor)"))
    assert match.position == voting.apply({"green": "vote(emperor)", "yellow": "vote(rival)"})
    match.undo()
    assert (match.deciding, match.position) == (("green",), voting)
    match.undo()
    assert match.deciding == ("green", "yellow")


# The immediate price and gain of an action.
def test_prices_and_gains_are_described():
    """Those that depend on concealed facts are left out."""
    at, pope = position("kaiser", "actions"), symbols.read_symbol("buy(pope,hold)")
    assert gains(at, "red", symbols.read_symbol("pass")) == ()
    assert gains(at, "red", pope) == gains(at, "red", pope, at.symbols) == ("pays 1 thaler", "takes the pope")
    assert gains(at, "red", pope, frozenset()) == ()


# What is shown to those who play by hand.
def test_cards_dealt_to_others_are_concealed():
    """Defect D7: whoever plays Red does not see what Green is dealt."""
    start = load("krone", players=2).initial()
    to_red = start.apply({"chance": "deal(red,city)"})
    action = {"chance": symbols.read_symbol("deal(red,city)")}
    assert Observers(("red",)).visible_actions(action, start, to_red) == ["chance: deal(red,city)"]
    assert Observers(("green",)).visible_actions(action, start, to_red) == ["chance: deal ..."]
    assert Observers(("green", "red")).visible_actions(action, start, to_red) == ["chance: deal(red,city)"]
    assert Observers().visible_actions(action, start, to_red) == ["chance: deal(red,city)"]


def test_only_the_own_hand_is_drawn():
    """The size of the pile is what the role knows of it, not what the rules derive from the cards that it sees."""
    after = load("krone", players=2).initial().apply({"chance": "deal(red,castle)"})

    def line(role: str, name: str) -> str:
        shown = render(Observers(("red", "green")).view(after, role)).splitlines()
        return next(line for line in shown if line.startswith(name))

    assert "castle" in line("red", "Red ")
    assert "castle" not in line("green", "Red ")
    assert line("green", "draw pile").split() == ["draw", "pile", *render(after).split("draw pile")[1].split()[:1]]
    assert Observers().view(after) is after


def test_only_visible_events_are_shown():
    start = load("krone", players=2).initial()
    others = [
        symbols.read_symbol(fact) for fact in ("points(green,0)", "points(green,2)", "points(red,0)", "points(red,1)")
    ]
    facts = start.symbols - {others[0], others[2]}
    before = Position(start.evaluator, facts | {others[0], others[2]})
    after = Position(start.evaluator, facts | {others[1], others[3]})
    assert Observers(("red",)).events(before, after) == ["Red gets 1 point"]
    assert Observers().events(before, after) == ["Green gets 2 points", "Red gets 1 point"]
    assert Observers().events(before, before) == []


# Random moves and games.
def test_chance_follows_the_weights():
    position = load("krone", players=2).initial()
    assert position.to_move == ("chance",)
    given = weights(position)
    assert given == {a: n for a, n in position.weights().items() if a in given}
    assert list(given) == sorted(given)
    random = Random(2)
    drawn = Counter(symbols.text(random_actions(position, random)["chance"]) for _ in range(600))
    legal = position.weights()
    total = sum(legal.values())
    for action, weight in legal.items():
        expected = 600 * weight / total
        assert abs(drawn[action] - expected) < 5 * (expected**0.5) + 1


# Reasons why an action is legal or not, for a viewer who does not see everything.
PILES = {"krone": "draw", "vive": "pile"}


def exchanged(position: Position, role: str, pile: str, random: Random) -> Position | None:
    """A position that looks the same to a role: a card of another hand and one of the pile are exchanged."""
    hands = sorted(f for f in position.symbols if f.name == "hand" and symbols.text(f.arguments[0]) != role)
    drawn = sorted(f for f in position.symbols if f.name == pile and symbols.text(f.arguments[0]) != "game_end")
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
def test_answers_do_not_depend_on_concealed_facts(game):
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
                    rules = [allows(at.ruleset, observers.visible(p, role).symbols, role, text) for p in (at, other)]
                    assert rules[0] == rules[1]
                    assert gains(at, role, one, seen) == gains(other, role, one, seen)
                    everything = [allows(at.ruleset, p.symbols, role, text) for p in (at, other)]
                    differing += everything[0] != everything[1]
                tried += 1
        at = at.successor(at.evaluator.judge(at.symbols, actions))
    assert tried > 10
    assert differing or game == "vive"  # with all facts, the answers differ somewhere


def test_reasons_from_concealed_facts_are_not_shown():
    """Only the rule with its statement and sources is shown."""
    start = load("krone", players=2).initial()
    deal = symbols.read_symbol("deal(red,city)")
    (whole,) = visible_violations(start, "red", deal)
    assert whole.message != CONCEALED
    none_seen = frozenset(f for f in start.symbols if f.name == "seat")
    (violations,) = visible_violations(start, "red", deal, none_seen)
    assert (violations.rule, violations.statement, violations.sources) == (whole.rule, whole.statement, whole.sources)
    assert (violations.message, violations.facts, violations.absent) == (CONCEALED, (), ())
