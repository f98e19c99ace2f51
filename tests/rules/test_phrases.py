"""Terms, facts and actions read in English: on a small table of phrases, in kaiser and in krone."""

import random
import tomllib
from collections.abc import Iterable
from pathlib import Path

import clingo
import pytest
from games.positions import HERE
from games.tables import lines_of
from support.tables import rows

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

TOY = Phrases(tomllib.loads(Path(__file__).with_name("toy.toml").read_text(encoding="utf-8")))


@pytest.mark.parametrize(("kind", "text", "expected"), rows("rules/rules", "phrase"))
def test_the_first_phrase_that_fits_is_used(kind, text, expected):
    assert getattr(TOY, kind)(text) == expected
    assert getattr(TOY, kind)(text) == expected  # the second answer comes from a cache


def test_a_template_is_filled():
    template = "{T} is {N:count} high, {X} and {{T}}"
    assert fields(template) == ["T", "N", "X", "T"]
    assert TOY.fill(template, {"T": "oak", "N": "1"}) == "the oak is one high, {X} and {the oak}"


def test_a_game_without_phrases_shows_terms(tmp_path):
    words = phrases(tmp_path)
    assert words.fact("thalers(red,7)") == "thalers(red,7)"
    assert words.fill("{R} is {D:way}", {"R": "red", "D": "free"}) == "red is way(free)"


def _declared(evaluators: Iterable[Evaluator], name: str, argument: int, numbers: range = range(10)) -> list[str]:
    """All actions or facts that the vocabulary declares for these games."""
    found: set[str] = set()
    for evaluator in evaluators:
        program = evaluator.ruleset.program(f"all {name}", dict[Signature, object], [(name, argument + 1)])
        given = [clingo.Function("number", [clingo.Number(n)]) for n in numbers]
        found |= {symbols.text(s.arguments[argument]) for s in Grounding(program, given).get(name, argument + 1)}
    return sorted(found)


def _is_english(sentence: str, text: str) -> bool:
    """Whether a sentence is no longer a term."""
    return sentence != text and not set("{}_()") & set(sentence)


REPLACED = {"replacement": "optional", "revolts_per_turn": "one"}
"""Rulings that add to the vocabulary of krone."""


@pytest.mark.parametrize(
    ("game", "kind", "least"),
    [
        pytest.param("kaiser", "action", 5000, marks=pytest.mark.slow),
        ("kaiser", "fluent", 1500), ("krone", "action", 2500), ("krone", "fluent", 1500),
    ],
)  # fmt: skip
def test_every_action_and_fact_reads_in_english(game, kind, least):
    games = (
        [load("krone", players=5, options=REPLACED)] if game == "krone" else [load("kaiser", players=n) for n in (4, 2)]
    )
    words = phrases(rulebook(game).folder)
    said = words.action if kind == "action" else words.fact
    found = _declared([g.evaluator for g in games], kind, int(kind == "action"), range(40 if game == "krone" else 10))
    assert len(found) > least
    assert [text for text in found if not _is_english(said(text), text)] == []


def test_every_role_s_view_of_krone_reads_in_english():
    position, rng = load("krone", players=3).initial(), random.Random(1)
    for _ in range(40):
        position = position.apply({role: rng.choice(legal) for role, legal in position.legal().items()})
    for role in ("public", "chance", *position.ruleset.seats):
        facts = position.view(role)
        assert [f for f in facts if not _is_english(KRONE.fact(f), f)] == []


WORDS = [
    (game, kind, *rest.split(" | "))
    for game in ("kaiser", "krone")
    for row in lines_of(HERE / game / "words.cases")
    for kind, _, rest in [row.partition(" ")]
]


@pytest.mark.parametrize(("game", "kind", "text", "expected"), WORDS)
def test_actions_and_facts_have_the_expected_words(game, kind, text, expected):
    phrases = {"kaiser": KAISER, "krone": KRONE}[game]
    assert (phrases.action if kind == "action" else phrases.fact)(text) == expected


@pytest.mark.parametrize("game_id", games())
def test_phrases_and_reasons_use_variables_that_exist(game_id):
    book = rulebook(game_id)
    assert phrases(book.folder)
    for doc in book.docs.values():
        for alternative in (doc.why or "").split(" | "):
            for variable in fields(alternative):
                assert variable[0].isupper()
            assert not no_fields(alternative.partition(" :- ")[0]), doc.id


def test_a_negative_number_in_a_pattern_is_a_number():
    """A phrase for -1 does not fit 5. Once five points read as "Red has -1 point"."""
    words = Phrases({"terms": {"points(-1)": "-1 point", "points(N)": "{N} points"}})
    assert [words.phrase(f"points({n})") for n in (5, -1, -2)] == ["5 points", "-1 point", "-2 points"]
    assert arguments(pattern("a(-1,N-1,-N)"))[0] == Int(-1)
    assert [type(arg) for arg in arguments(pattern("a(-1,N-1,-N)"))] == [Int, Var, Var]
