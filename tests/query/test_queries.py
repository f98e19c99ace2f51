"""Queries of `queries.cases`, and what becomes of them. A section has a kind and a game; its rows are QUERY  =>  WHAT.

    verdict GAME      of find: found, none, open; one of several
    answered GAME     the same of questions that take long
    holds GAME        at a position of the heap game: yes or no; clingo agrees about facts
    distance GAME     of a position of the heap game from the query as a goal
    refused GAME      the message, with `...` for any text; nothing behind `=>`: any message
    unreadable GAME   it is no query
    read GAME         it is not refused
    corrected GAME    what the message tells to write instead, and can be read
    words GAME        in English
    sets GAME         whether it asks for sets, and whether no answer is a proof
    suggested GAME    the texts that are suggested first behind a text
    rules GAME        the rules that it becomes, with `&` between them, and `...`
    weaker GAME       its literals without those about moves
    wraps GAME        a calculation leaves 32 bits: nothing decides it
    game NAME points  OLD  =>  NEW: a line of the heap game, or of the heap game with points, that is another one

GAME is a game with a number of players, a small rulebook of `support`, the heap game with `points`, or a game of the table.
"""

import re
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import clingo
import pytest
from support import SUPPORT, tables
from support.find_verdicts import verdict
from support.heap_game import SCORED, variant

from kaiser_logic.engine import symbols
from kaiser_logic.errors import NotDecided, UnreadableInput, WrongUsage
from kaiser_logic.game import Game, load
from kaiser_logic.lang.printer import show, show_literal
from kaiser_logic.lang.terms import Atom
from kaiser_logic.position import Position
from kaiser_logic.query.after import without_after
from kaiser_logic.query.evaluation import Evaluation
from kaiser_logic.query.goal import QueryGoal
from kaiser_logic.query.in_words import in_english
from kaiser_logic.query.language import parse_query
from kaiser_logic.query.listing import suggestions
from kaiser_logic.query.mistakes import read_query
from kaiser_logic.query.program import MOST
from kaiser_logic.query.set_queries import SetQueries
from kaiser_logic.search.reach import find_reachable

THERE = "seat(red,1) seat(green,2) phase(play) heap(2) taken(red,7) taken(green,3) took(red) decision(green,take)"
NEAR = "seat(red,1) seat(green,2) phase(play) heap(2) took(green) decision(red,take)"


def rows(kind: str) -> list[Any]:
    """The rows of a kind: game, query, and what is expected."""
    return tables.rows("query/queries", kind)


CHANGES: dict[str, dict[str, str]] = {"points": {**SCORED}}
"""The changes that make the games of the table out of the heap game."""
for row in rows("game"):
    name, _, base = row.values[0].partition(" ")
    CHANGES.setdefault(name, {**SCORED} if base else {})[row.values[1]] = row.values[2]


@cache
def game_of(name: str) -> Game:
    word, _, players = name.partition(" ")
    if word in CHANGES:
        return load(variant(Path(mkdtemp()), CHANGES[word]))
    return load(SUPPORT / word if (SUPPORT / word).is_dir() else word, players=int(players or 0) or None)


def fits(expected: str, found: str) -> bool:
    """Whether a text begins as expected; `...` is any text."""
    return re.match(".*".join(map(re.escape, expected.split("..."))), found, re.S) is not None


def refusal(query: str, game: str) -> str:
    """The reason why a query is refused; empty if it is not."""
    try:
        read_query(query, game_of(game).ruleset)
    except (UnreadableInput, WrongUsage) as error:
        return str(error) or "refused"
    return ""


@pytest.mark.sample(16, 2)
@pytest.mark.parametrize(("game", "query", "expected"), rows("verdict"))
def test_find_is_never_wrong(game, query, expected):
    assert verdict(game_of(game), query) in expected.split()


@pytest.mark.long
@pytest.mark.parametrize(("game", "query", "expected"), rows("answered"))
def test_questions_about_the_real_games_are_answered(game, query, expected):
    assert verdict(game_of(game), query) == expected


@pytest.mark.parametrize(("game", "query", "expected"), rows("refused"))
def test_a_mistake_is_refused_with_a_reason(game, query, expected):
    found = refusal(query, game)
    assert found and fits(expected, found), found


@pytest.mark.parametrize(
    "ask",
    [
        Game.find_result,
        lambda game, query: find_reachable(game, query, 5),
        lambda game, query: game.prove(claims=[f"never {query}"]),
        lambda game, query: game.prove(claims=[f"some {query}"]),
    ],
)
def test_every_question_refuses_mistakes(ask):
    with pytest.raises(WrongUsage, match=r"write heap\(N\), N = 3$"):
        ask(game_of("heap"), "heap = 3")


@pytest.mark.parametrize(("game", "query", "expected"), rows("rules"))
def test_a_query_becomes_rules(game, query, expected):
    found = parse_query(query, game_of(game).book).values(Atom("query", ()))
    assert fits(expected, " & ".join(map(show, found)))


def test_too_many_alternatives_are_refused():
    every, book = ", ".join(["(round(1) ; round(2))"] * 7), game_of("kaiser").book
    assert len(parse_query(every, book).branches) == 2**7 <= MOST
    with pytest.raises(WrongUsage, match="more than 200 alternatives"):
        parse_query(f"{every}, (round(3) ; round(4))", book)


def test_stated_atoms_are_told_apart():
    book = game_of("kaiser").book
    query = parse_query("emperor(R), not acting(R), (round(1) ; not (round(2), acting(Q)))", book)
    assert [a.name for a in query.stated] == ["emperor", "round"]
    assert {a.name for a in query.atoms} == {"emperor", "acting", "round"}
    query = parse_query("spaces(E,aristocrat,N), archbishopric(E), ruling(convent_by_choice,no)", book)
    assert [a.name for a in query.stated] == ["spaces", "archbishopric", "ruling"]


@pytest.mark.parametrize(("game", "query"), rows("unreadable"))
def test_what_is_no_query_is_not_read(game, query):
    with pytest.raises(UnreadableInput):
        parse_query(query, game_of(game).book)


@pytest.mark.parametrize("query", ["", "\x00", "(" * 5000, "emperor(R), " * 2000])
def test_hostile_texts_are_not_read(query):
    with pytest.raises(UnreadableInput):
        parse_query(query, game_of("kaiser").book)


@pytest.mark.parametrize(("game", "query"), rows("read"))
def test_a_sensible_query_is_not_refused(game, query):
    assert refusal(query, game) == ""


@pytest.mark.parametrize(("game", "query", "expected"), rows("corrected"))
def test_the_corrected_query_is_suggested_and_can_be_read(game, query, expected):
    assert refusal(query, game).endswith(f": write {expected}")
    assert refusal(expected, game) == ""


@pytest.mark.parametrize(("game", "query", "expected"), rows("holds"))
def test_a_query_has_its_truth_value(game, query, expected):
    heap = game_of(game)
    position, parsed = heap.position(THERE.split()), parse_query(query, heap.book)
    assert Evaluation(heap.evaluator, parsed).holds(position.symbols) == (expected == "yes")
    if "after" not in query and "legal" not in query:
        given = [heap.ruleset.facts(*one) for one in (("player", 1), ("amount", 1), ("ruling", 2))]
        control = clingo.Control(["--warn=none"])
        control.add("base", [], "\n".join(map(show, parsed.values(Atom("query", ())))))
        with control.backend() as backend:
            for fact in [*position.symbols, *(fact for facts in given for fact in facts)]:
                backend.add_rule([backend.add_atom(clingo.Function(fact.name, fact.arguments))])
        control.ground([("base", [])])
        atoms = control.symbolic_atoms.by_signature("query", 0)
        assert any(atom.is_fact for atom in atoms) == (expected == "yes")


@pytest.mark.parametrize(("game", "query", "expected"), rows("distance"))
def test_the_distance_counts_unmet_literals(game, query, expected):
    goal = QueryGoal(game_of(game).ruleset, parse_query(query, game_of(game).book))
    position = Position(game_of(game).evaluator, frozenset(map(symbols.read_symbol, NEAR.split())))
    assert goal.unmet(position.symbols) == goal.distance(position) == int(expected)
    assert goal.holds(position) == (expected == "0")


@pytest.mark.parametrize(("game", "query", "expected"), rows("words"))
def test_a_query_is_read_back_in_english(game, query, expected):
    assert in_english(query, game_of(game).book) == expected


@pytest.mark.parametrize(("game", "query", "expected"), rows("sets"))
def test_a_query_knows_whether_it_asks_for_sets(game, query, expected):
    found = SetQueries(game_of(game).evaluator, parse_query(query, game_of(game).book))
    assert " ".join("yes" if one else "no" for one in (found.asks, found.decides)) == expected


@pytest.mark.parametrize(("game", "query", "expected"), rows("suggested"))
def test_the_expected_texts_are_suggested(game, query, expected):
    found = [one.text for one in suggestions(game_of(game).ruleset, query)]
    assert found[: len(expected.split()) or 1] == expected.split()


@pytest.mark.parametrize(("game", "query", "expected"), rows("weaker"))
def test_a_query_without_its_moves_is_weaker(game, query, expected):
    (rule,) = without_after(parse_query(query, game_of(game).book)).values(Atom("query", ()))
    assert " & ".join(map(show_literal, rule.body)) == expected


@pytest.mark.parametrize(("game", "query"), rows("wraps"))
def test_calculations_beyond_32_bits_are_not_decided(game, query):
    here, goal = game_of(game), QueryGoal(game_of(game).ruleset, parse_query(query, game_of(game).book))
    assert verdict(here, query) == "open"
    for ask in (lambda: here.initial().query(query), lambda: goal.unmet(here.initial().symbols)):
        with pytest.raises(NotDecided, match=r"beyond|wraps around"):
            ask()


def test_a_claim_with_a_calculation_beyond_32_bits_is_not_decided():
    claim = f"never {rows('wraps')[0].values[1]}"
    (proof,) = (p for p in game_of("large").prove(claims=[claim], jobs=1).proofs if p.kind == "claim")
    assert proof.status == "undecided"
    assert any("wraps around" in note for note in proof.notes)
