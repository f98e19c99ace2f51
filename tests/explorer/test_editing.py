"""Positions edited as facts."""

from __future__ import annotations

import pytest
from support.places import GAMES, place

from kaiser_logic.errors import KaiserLogicError, UnreadableInput
from kaiser_logic.explorer.editing import show_facts

HERE = place("games/four-players.game", 60)


def text(facts: list[str]) -> str:
    """Facts in the form in which they are typed."""
    return "\n".join(f"{fact}." for fact in facts)


@pytest.mark.sample(2)
@pytest.mark.parametrize(("name", "moves"), GAMES)
def test_a_position_of_a_game_is_valid(name: str, moves: int) -> None:
    here = place(name, moves)
    answer = show_facts({"tags": here["tags"], "text": text(here["facts"])})
    assert answer["broken"] == []
    assert set(answer["facts"]) == set(here["facts"])
    assert answer["board"]["pictures"]


def test_broken_invariants_have_a_line_and_a_pin() -> None:
    facts = [*HERE["facts"], "thalers(blue,99)"]
    answer = show_facts({"tags": HERE["tags"], "text": text(facts)})
    assert answer["broken"]
    one = next(b for b in answer["broken"] if "thalers(blue" in b["witness"])
    assert one["message"]
    assert "reason 1" in "".join(answer["board"]["texts"])


def test_facts_that_cannot_be_drawn_are_judged() -> None:
    answer = show_facts({"tags": HERE["tags"], "text": "seat(red,1). seat(green,2). nonsense(1)."})
    assert answer["broken"]
    assert "nonsense" in answer["undrawn"]


def test_syntax_errors_have_a_place() -> None:
    with pytest.raises(UnreadableInput) as caught:
        show_facts({"tags": HERE["tags"], "text": "round(1).\nround(X)."})
    assert (caught.value.line, caught.value.column) == (2, 7)


@pytest.mark.parametrize("typed", ["", "#include <x>.", "a(1..9).", "f(" * 200, "a(?)."])
def test_texts_that_are_not_facts_are_refused(typed: str) -> None:
    with pytest.raises(KaiserLogicError):
        show_facts({"tags": HERE["tags"], "text": typed})
