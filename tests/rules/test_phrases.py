"""Terms, facts and actions read in English: on a small table of phrases, in kaiser and in krone."""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path

import clingo
import pytest
from games.positions import position

from kaiser_logic.engine import symbols
from kaiser_logic.engine.grounding import Grounding
from kaiser_logic.evaluation.evaluator import Evaluator
from kaiser_logic.game import load
from kaiser_logic.lang.terms import Int, Signature, Var
from kaiser_logic.lang.unification import arguments
from kaiser_logic.rules.loader import games, rulebook
from kaiser_logic.rules.phrases import Phrases, fields, no_fields, pattern, phrases

KAISER = phrases(rulebook("kaiser").folder)
KRONE = phrases(rulebook("krone").folder)

TOY = Phrases(
    {
        "terms": {
            "oak": "the oak",
            "count(1)": "one",
            "count(N)": "{N}",
            "of(T,T)": "{T} and itself",
            "of(T,_)": "{T} and others",
            "tree(oak)": "a special tree",
            "row(N,T)": "{T,N:grown}, {T,M:grown}",
            "grown(T,1)": "a sapling of {T}",
            "grown(T,N)": "{T} of {N:count}",
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
        ("phrase", "row(1,oak)", "a sapling of the oak, {T,M:grown}"),
        ("phrase", "row(2,elm)", "elm of 2, {T,M:grown}"),
        ("phrase", "_", "_"),
        ("fact", "tall(oak,9)", "the oak is the tallest"),
        ("fact", "tall(oak,1)", "the oak is one high"),
        ("fact", "tall(oak,_)", "the oak has a height"),
        ("fact", "tall(_,_)", "tall(_,_)"),
        ("fact", "small(oak)", "small(oak)"),
        ("action", "oak", "plants an oak"),
        ("action", "fell(oak)", "fells the oak"),
        ("action", "pass", "pass"),
        ("short_phrase", "forest(oak,3)", "3 x O"),
        ("short_phrase", "elm", "elm"),
        ("short_phrase", "tall(oak,1)", "O is one high"),
    ],
)
def test_the_first_phrase_that_fits_is_used(kind: str, text: str, expected: str) -> None:
    assert getattr(TOY, kind)(text) == expected
    assert getattr(TOY, kind)(text) == expected  # the second answer comes from a cache


def test_a_template_is_filled() -> None:
    template = "{T} is {N:count} high, {X} and {{T}}"
    assert fields(template) == ["T", "N", "X", "T"]
    assert TOY.fill(template, {"T": "oak", "N": "1"}) == "the oak is one high, {X} and {the oak}"


def test_a_game_without_phrases_shows_terms(tmp_path: Path) -> None:
    words = phrases(tmp_path)
    assert words.fact("thalers(red,7)") == "thalers(red,7)"
    assert words.fill("{R} is {D:way}", {"R": "red", "D": "free"}) == "red is way(free)"


def _declared(
    evaluators: Iterable[Evaluator], name: str, argument: int, numbers: range = range(10)
) -> list[str]:
    """All actions or facts that the vocabulary declares for these games."""
    found: set[str] = set()
    for evaluator in evaluators:
        program = evaluator.ruleset.program(f"all {name}", dict[Signature, object], [(name, argument + 1)])
        given = [clingo.Function("number", [clingo.Number(n)]) for n in numbers]
        found |= {
            symbols.text(s.arguments[argument]) for s in Grounding(program, given).get(name, argument + 1)
        }
    return sorted(found)


def _kaiser() -> list[Evaluator]:
    """Evaluators for two and for four players."""
    return [position("kaiser", players).evaluator for players in ("actions", "pair")]


def _krone() -> list[Evaluator]:
    """An evaluator for five players, with the rulings that add to the vocabulary."""
    options = {"replacement": "optional", "revolts_per_turn": "one"}
    return [load("krone", players=5, options=options).evaluator]


def _is_english(sentence: str, text: str) -> bool:
    """Whether a sentence is no longer a term."""
    return sentence != text and not set("{}_()") & set(sentence)


@pytest.mark.slow
def test_every_action_of_kaiser_reads_in_english() -> None:
    actions = _declared(_kaiser(), "action", 1)
    assert len(actions) > 5000
    assert [a for a in actions if not _is_english(KAISER.action(a), a)] == []


def test_every_fact_of_kaiser_reads_in_english() -> None:
    facts = _declared(_kaiser(), "fluent", 0)
    assert len(facts) > 1500
    assert [f for f in facts if not _is_english(KAISER.fact(f), f)] == []


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
            "uses the privilege of Trier for the indulgence, for a point",
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
def test_actions_of_kaiser_have_the_expected_words(action: str, expected: str) -> None:
    assert KAISER.action(action) == expected


@pytest.mark.parametrize(
    ("fact", "expected"),
    [
        ("thalers(red,1)", "Red has 1 thaler"),
        ("aristocrat(trier,red,25,baron,1)", "Red has a baron of 25 on an aristocrat space of Trier"),
        ("aristocrat(mainz,yellow,35,couple,2)", "Yellow has 2 couples of 35 on aristocrat spaces of Mainz"),
        ("aristocrat(trier,red,25,baron,_)", "Red has a baron of 25 on an aristocrat space of Trier"),
        ("display(doctor,_)", "a doctor card is on display"),
        ("elector(koeln,green,_,_)", "Green has the elector of Köln"),
        (
            "decision(green,answer(red,throne,25))",
            "Green answers Red, whose daughter is offered to the baron of 25 on the throne",
        ),
        ("decision(green,answer(_,_,_))", "Green answers an offer of marriage"),
        ("phase(descendants)", "it is the phase of the descendants"),
    ],
)
def test_facts_of_kaiser_have_the_expected_words(fact: str, expected: str) -> None:
    assert KAISER.fact(fact) == expected


def test_every_action_of_krone_reads_in_english() -> None:
    actions = _declared(_krone(), "action", 1)
    assert len(actions) > 2500
    assert [a for a in actions if not _is_english(KRONE.action(a), a)] == []


def test_every_fact_of_krone_reads_in_english() -> None:
    facts = _declared(_krone(), "fluent", 0, range(40))
    assert len(facts) > 1500
    assert [f for f in facts if not _is_english(KRONE.fact(f), f)] == []


def test_every_role_s_view_of_krone_reads_in_english() -> None:
    position, rng = load("krone", players=3).initial(), random.Random(1)
    for _ in range(40):
        position = position.apply({role: rng.choice(legal) for role, legal in position.legal().items()})
    for role in ("public", "chance", *position.ruleset.seats):
        facts = position.view(role)
        assert [f for f in facts if not _is_english(KRONE.fact(f), f)] == []


@pytest.mark.parametrize(
    ("action", "expected"),
    [
        ("deal(red,leader3)", "deals a leader of 3 to Red"),
        ("large_city(a6,a11)", "builds a large city on a6 and a11"),
        ("expand(papal_visit,a14)", "uses a papal visit to win a14"),
        ("expand(a14)", "wins a14 as the second field"),
        ("force(with(1,leader4,with(2,castle,none)))", "lays 1 leader of 4, 2 castle cards for the attack"),
        ("vote(sword,none)", "votes sword and lays no cards"),
        ("vote(crown,with(3,city,with(1,ambush,none)))", "votes crown and lays 3 city cards, 1 ambush"),
        ("ambush(1)", "answers with 1 ambush"),
        ("ambush(2)", "answers with 2 ambushes"),
        ("none", "does not answer"),
        ("draw", "draws a card"),
        ("draw(game_end)", "gives the end of the game"),
        ("reveal(sword)", "reveals a sword"),
    ],
)
def test_actions_of_krone_have_the_expected_words(action: str, expected: str) -> None:
    assert KRONE.action(action) == expected


@pytest.mark.parametrize(
    ("fact", "expected"),
    [
        ("phase(first_round)", "it is the first round"),
        ("shield(a10,red)", "Red owns a10"),
        ("shield(a10,_)", "a10 bears a shield"),
        ("large_city(a6,a11)", "a large city stands on a6 and a11"),
        ("large_city(_,a11)", "a large city stands on a11"),
        ("king(_)", "somebody is king"),
        ("hand(red,leader4,1)", "Red holds 1 leader of 4"),
        ("draw(game_end,1)", "the end of the game lies in the draw pile"),
        ("people(sword,9)", "9 swords are in the people pile"),
        ("visit(white,1)", "a papal visit lies before White"),
        ("visit(white,2)", "2 papal visits lie before White"),
        ("ap(1)", "1 action point is left"),
        ("revealing(2)", "2 people cards are to be revealed"),
        ("decision(chance,deal(blue))", "chance deals a card to Blue"),
    ],
)
def test_facts_of_krone_have_the_expected_words(fact: str, expected: str) -> None:
    assert KRONE.fact(fact) == expected


@pytest.mark.parametrize("game_id", games())
def test_phrases_and_reasons_use_variables_that_exist(game_id: str) -> None:
    book = rulebook(game_id)
    assert phrases(book.folder)
    for doc in book.docs.values():
        for alternative in (doc.why or "").split(" | "):
            for variable in fields(alternative):
                assert variable[0].isupper()
            assert not no_fields(alternative.partition(" :- ")[0]), doc.id


def test_a_negative_number_in_a_pattern_is_a_number() -> None:
    """A phrase for -1 does not fit 5. Once five points read as "Red has -1 point"."""
    words = Phrases({"terms": {"points(-1)": "-1 point", "points(N)": "{N} points"}})
    assert [words.phrase(f"points({n})") for n in (5, -1, -2)] == ["5 points", "-1 point", "-2 points"]
    assert arguments(pattern("a(-1,N-1,-N)"))[0] == Int(-1)
    assert [type(arg) for arg in arguments(pattern("a(-1,N-1,-N)"))] == [Int, Var, Var]
