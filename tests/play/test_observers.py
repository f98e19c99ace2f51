"""What is shown to those who play by hand."""

from __future__ import annotations

from kaiser_logic.drawing.text import render
from kaiser_logic.engine import symbols
from kaiser_logic.game import load
from kaiser_logic.play.match import Observers
from kaiser_logic.position import Position


def test_cards_dealt_to_others_are_concealed() -> None:
    """Defect D7: whoever plays Red does not see what Green is dealt."""
    start = load("krone", players=2).initial()
    to_red = start.apply({"chance": "deal(red,city)"})
    action = {"chance": symbols.read_symbol("deal(red,city)")}
    assert Observers(("red",)).visible_actions(action, start, to_red) == ["chance: deal(red,city)"]
    assert Observers(("green",)).visible_actions(action, start, to_red) == ["chance: deal ..."]
    assert Observers(("green", "red")).visible_actions(action, start, to_red) == ["chance: deal(red,city)"]
    assert Observers().visible_actions(action, start, to_red) == ["chance: deal(red,city)"]


def test_only_the_own_hand_is_drawn() -> None:
    after = load("krone", players=2).initial().apply({"chance": "deal(red,castle)"})

    def hand(role: str) -> str:
        shown = render(Observers(("red", "green")).view(after, role)).splitlines()
        return next(line for line in shown if line.startswith("Red "))

    assert "castle" in hand("red")
    assert "castle" not in hand("green")
    assert Observers().view(after) is after


def test_only_visible_events_are_shown() -> None:
    start = load("krone", players=2).initial()
    others = [
        symbols.read_symbol(fact)
        for fact in ("points(green,0)", "points(green,2)", "points(red,0)", "points(red,1)")
    ]
    facts = start.symbols - {others[0], others[2]}
    before = Position(start.evaluator, facts | {others[0], others[2]})
    after = Position(start.evaluator, facts | {others[1], others[3]})
    assert Observers(("red",)).events(before, after) == ["Red gets 1 point"]
    assert Observers().events(before, after) == ["Green gets 2 points", "Red gets 1 point"]
    assert Observers().events(before, before) == []
