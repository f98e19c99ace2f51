"""How terms, facts and actions read."""

from __future__ import annotations

from pathlib import Path

import clingo
import pytest
from kaiser_positions import position

from kaiser_logic import symbols
from kaiser_logic.evaluate import Evaluator, Grounding
from kaiser_logic.ir import Signature
from kaiser_logic.phrases import Phrases, fields, phrases
from kaiser_logic.rulebook import games, rulebook

KAISER = phrases(rulebook("kaiser").folder)

TOY = Phrases(
    {
        "terms": {
            "oak": "the oak",
            "count(1)": "one",
            "count(N)": "{N}",
            "of(T,T)": "{T} and itself",
            "of(T,_)": "{T} and others",
            "tree(oak)": "a special tree",
        },
        "facts": {
            "tall(T,9)": "{T} is the tallest",
            "tall(T,N)": "{T} is {N:count} high",
            "tall(T,_)": "{T} has a height",
        },
        "actions": {"oak": "plants an oak", "fell(T)": "fells {T}"},
        "drawing": {"oak": "O", "forest(T,N)": "{N} x {T}"},
    }
)


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("phrase", "oak", "the oak"),
        ("phrase", "elm", "elm"),
        ("phrase", "7", "7"),
        ("phrase", "count(1)", "one"),
        ("phrase", "count(2)", "2"),
        ("phrase", "of(oak,oak)", "the oak and itself"),
        ("phrase", "of(oak,elm)", "the oak and others"),
        ("phrase", "of(oak,_)", "the oak and others"),
        ("phrase", "of(oak)", "of(oak)"),
        ("phrase", "f(oak,g(1))", "f(oak,g(1))"),
        ("phrase", "tree(oak)", "a special tree"),
        ("phrase", "tree(elm)", "tree(elm)"),
        ("phrase", "_", "_"),
        ("fact", "tall(oak,9)", "the oak is the tallest"),
        ("fact", "tall(oak,1)", "the oak is one high"),
        ("fact", "tall(oak,_)", "the oak has a height"),
        ("fact", "tall(_,_)", "tall(_,_)"),
        ("fact", "small(oak)", "small(oak)"),
        ("action", "oak", "plants an oak"),
        ("action", "fell(oak)", "fells the oak"),
        ("action", "pass", "pass"),
        ("drawn", "forest(oak,3)", "3 x O"),
        ("drawn", "elm", "elm"),
        ("drawn", "tall(oak,1)", "O is one high"),
    ],
)
def test_a_phrase(kind: str, text: str, expected: str) -> None:
    assert getattr(TOY, kind)(text) == expected
    assert getattr(TOY, kind)(text) == expected  # remembered


def test_a_template_is_filled() -> None:
    template = "{T} is {N:count} high, {X} and {{T}}"
    assert fields(template) == ["T", "N", "X", "T"]
    assert TOY.fill(template, {"T": "oak", "N": "1"}) == "the oak is one high, {X} and {the oak}"


def test_a_game_without_phrases_speaks_in_terms(tmp_path: Path) -> None:
    words = phrases(tmp_path)
    assert words.fact("thalers(red,7)") == "thalers(red,7)"
    assert words.fill("{R} is {D:way}", {"R": "red", "D": "free"}) == "red is way(free)"


def _all(name: str, at: int, numbers: range = range(10)) -> list[str]:
    """Everything that the vocabulary declares, for two and for four players."""
    found: set[str] = set()
    for players in ("actions", "pair"):
        evaluator: Evaluator = position(players).game.evaluator
        program = evaluator.program(f"all {name}", dict[Signature, object], [(name, at + 1)])
        given = [clingo.Function("number", [clingo.Number(n)]) for n in numbers]
        found |= {symbols.text(s.arguments[at]) for s in Grounding(program, given).get(name, at + 1)}
    return sorted(found)


def _reads(sentence: str, text: str) -> bool:
    return sentence != text and not set("{}_()") & set(sentence)


def test_every_action_of_kaiser_reads_in_english() -> None:
    actions = _all("action", 1)
    assert len(actions) > 5000
    assert [a for a in actions if not _reads(KAISER.action(a), a)] == []


def test_every_fact_of_kaiser_reads_in_english() -> None:
    facts = _all("fluent", 0)
    assert len(facts) > 1500
    assert [f for f in facts if not _reads(KAISER.fact(f), f)] == []


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        (
            "buy(doctor,rejuvenate(elector(koeln),25,baron))",
            "buys the doctor, making an own baron of 25 on the elector's seat of Köln ten years younger",
        ),
        (
            "buy(move,move(mainz,45,couple,trier,green))",
            "buys the move, moving a couple of 45 from Mainz to Trier, pushing a knight of Green off",
        ),
        ("buy(permit,baron(boehmen,free))", "buys the permit, bringing a baron to Böhmen"),
        ("buy(pope,hold)", "takes the pope"),
        ("buy(move,none)", "buys the move without using it"),
        (
            "privilege(trier,indulgence,point)",
            "repeats the indulgence by the privilege of Trier, for a point",
        ),
        (
            "privilege(koeln,age(blue,throne,35,couple))",
            "uses the privilege of Köln, making Blue's couple of 35 on the throne ten years older",
        ),
        (
            "knight(boehmen,castle,koeln,aristocrat)",
            "moves a knight from a castle space of Böhmen to an aristocrat space of Köln",
        ),
        (
            "offer(green,aristocrat(trier),15)",
            "offers a daughter to Green's baron of 15 on an aristocrat space of Trier",
        ),
        ("settle(trier,green)", "settles the deposed elector in Trier, pushing a knight of Green off"),
        ("vote(rival)", "votes for the rival"),
        (
            "enthrone(aristocrat(mainz),35,baron)",
            "puts a baron of 35 from an aristocrat space of Mainz on the throne",
        ),
        ("pass", "passes"),
    ],
)
def test_actions_of_kaiser(action: str, expected: str) -> None:
    assert KAISER.action(action) == expected


@pytest.mark.parametrize(
    ("fact", "expected"),
    [
        ("thalers(red,1)", "Red has 1 thaler"),
        ("aristocrat(trier,red,25,baron,1)", "Red has a baron of 25 on an aristocrat space of Trier"),
        ("aristocrat(mainz,yellow,35,couple,2)", "Yellow has 2 couples of 35 on aristocrat spaces of Mainz"),
        ("aristocrat(trier,red,25,baron,_)", "Red has a baron of 25 on an aristocrat space of Trier"),
        ("display(doctor,_)", "a card doctor is on display"),
        ("elector(koeln,green,_,_)", "Green has the elector of Köln"),
        (
            "decision(green,answer(red,throne,25))",
            "Green answers Red, whose daughter is offered to the baron of 25 on the throne",
        ),
        ("decision(green,answer(_,_,_))", "Green answers an offer of marriage"),
        ("phase(descendants)", "it is the phase of the descendants"),
    ],
)
def test_facts_of_kaiser(fact: str, expected: str) -> None:
    assert KAISER.fact(fact) == expected


@pytest.mark.parametrize("game_id", games())
def test_phrases_and_reasons_use_variables_that_exist(game_id: str) -> None:
    book = rulebook(game_id)
    assert phrases(book.folder)
    for doc in book.docs.values():
        for alternative in (doc.why or "").split(" | "):
            for variable in fields(alternative):
                assert variable.isupper()
            assert alternative.count("{") == len(fields(alternative)), doc.id
