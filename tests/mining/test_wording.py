"""Statements from a game's phrases; without phrases, statements show the facts."""

from __future__ import annotations

from functools import cache

import pytest
from support.mined import candidate

from kaiser_logic.game import load
from kaiser_logic.mining.candidates import Candidate, Template, Vocabulary
from kaiser_logic.mining.writing import Wording
from kaiser_logic.rules.phrases import Phrases, phrases


@cache
def wording(spoken: bool = True) -> Wording:
    game = load("kaiser", players=3)
    vocabulary = Vocabulary(game.ruleset)
    return Wording(game.ruleset, phrases(game.book.folder) if spoken else Phrases({}), vocabulary)


OVER = candidate(Template.IMPLIES, "phase(over)", "round(5)")
FINISHED = [
    candidate(Template.EACH, context, "finished(X)", sort="player")
    for context in ("phase(over)", "phase(electors)", "due(round_end)")
]


@pytest.mark.parametrize(
    ("group", "statement", "why"),
    [
        ([OVER], "Whenever the game is over: it is round 5.", "it is not the case that it is round 5"),
        (
            FINISHED,
            "Whenever the game is over; it is the phase of the new electors; or the step round_end is due: "
            "every player has finished the actions of this round.",
            "it is not the case that {X} has finished the actions of this round",
        ),
        (
            [candidate(Template.IMPLIES, "influenced(_)", "held(_,rival,_)")],
            "Whenever church influence works in Köln, Mainz, or Trier: somebody holds the rival.",
            "it is not the case that somebody holds the rival",
        ),
        (
            [candidate(Template.EXCLUDES, "phase(aging)", "round(1)")],
            "Never while it is round 1: everybody has become older.",
            "everybody has become older, and it is round 1",
        ),
        (
            [candidate(Template.EXCLUDES_SAME, "decision(X,turn)", "finished(X)", sort="player")],
            "Never while a player has finished the actions of this round: it is the same player's turn.",
            "it is {X}'s turn, and {X} has finished the actions of this round",
        ),
        (
            [candidate(Template.IMPLIES_SAME, "held(X,ordinance,_)", "city(_,X,_)", sort="player")],
            "Whenever a player holds the ordinance: the same player has a city in some electorate.",
            "it is not the case that {X} has a city in some electorate",
        ),
        (
            [candidate(Template.AT_MOST, "round(1)", "thalers(_,N)", 7)],
            "Whenever it is round 1, at most: somebody has 7 thalers.",
            "the most there can be: somebody has 7 thalers; here the number is {N}",
        ),
        (
            [candidate(Template.AT_LEAST, "round(1)", "thalers(_,N)", 1)],
            "Whenever it is round 1, at least: somebody has 1 thaler.",
            "the least there can be: somebody has 1 thaler; here the number is {N}",
        ),
        (
            [candidate(Template.NEVER, "due(tally)")],
            "Never: the step tally is due.",
            "the step tally is due",
        ),
        (
            [candidate(Template.ALWAYS, "emperor(_)")],
            "Always: somebody is emperor.",
            "it is not the case that somebody is emperor",
        ),
    ],
)
def test_statements_use_phrases(group: list[Candidate], statement: str, why: str) -> None:
    assert (wording().statement(group), wording().why(group)) == (statement, why)


def test_a_phrase_that_leaves_out_a_constant_is_not_used() -> None:
    """The phrase about any tile on an aristocrat space would leave out its age."""
    text = wording().feature(candidate(Template.NEVER, "aristocrat(_,_,15,_,_)").first, "")
    assert "15" in text
    assert text == "somebody has a baron or couple of 15 on an aristocrat space of some electorate"


def test_statements_without_phrases_show_facts() -> None:
    assert wording(spoken=False).statement([OVER]) == "Whenever phase(over): round(5)."
    assert wording(spoken=False).statement(FINISHED[:1]) == "Whenever phase(over): finished(every player)."
