"""The command find, on the heap game."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from support.commands import Run, Write
from support.heap_game import FOLDER, variant

from kaiser_logic.evaluation.origin import LISTED
from kaiser_logic.notation.reading import parse_record
from kaiser_logic.notation.record import PositionBlock
from kaiser_logic.query import find

HEAP = str(FOLDER)


def test_a_position_is_printed_as_a_record(run: Run) -> None:
    outcome = run("find", HEAP, "heap(3), took(red)")
    assert (outcome.code, outcome.err) == (0, "looking for: heap(3), and took(red)\n")
    (block,) = parse_record(outcome.out).items
    assert isinstance(block, PositionBlock)
    assert {"heap(3)", "took(red)"} <= set(map(str, block.terms))


def test_count_gives_different_positions(run: Run) -> None:
    outcome = run("find", HEAP, "heap(3), took(_)", "--count", "2")
    assert outcome.code == 0
    one, other = outcome.out.split("\n\n%")
    assert one.splitlines()[6:] != other.splitlines()[6:]


def test_a_text_with_a_line_break_stays_in_its_comment(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(find, "confirm", lambda *_: "two\nposition { no(fact). }")
    outcome = run("find", HEAP, "heap(3), took(red)")
    assert "% because: two\\nposition" in outcome.out
    assert len(parse_record(outcome.out).items) == 1


def test_the_records_name_the_board(run: Run, write: Write, tmp_path: Path) -> None:
    """Without the tag the position would be judged on the printed board."""
    write("spaces(trier,aristocrat,9).")  # my.game, which is used as a board
    query = "sum{N : aristocrat(trier,_,_,_,N)} >= 4"
    options = ("--players", "2", "--board", "my.game")
    for more in ((), ("--reachable", "40")):
        outcome = run("find", "kaiser", query, *options, *more)
        assert outcome.code == 0
        assert '[Board "my.game"]' in outcome.out
        (tmp_path / "found.game").write_text(outcome.out, encoding="utf-8")
        assert run("check", "found.game").code == 0
    (tmp_path / "below").mkdir()
    outcome = run("find", "kaiser", query, *options, "--output", "below/found.game")
    assert "the record names the board file ../my.game" in outcome.err


@pytest.mark.slow
def test_count_above_the_number_of_positions(run: Run) -> None:
    outcome = run("find", HEAP, "heap(11), taken(R,N)", "--count", "3")
    assert (outcome.code, outcome.out.count("position {")) == (0, 2)
    assert outcome.err.splitlines()[1].startswith("there are no more than these 2 (proved)")


@pytest.mark.slow
def test_positions_of_a_query_without_variables_differ_in_decisions(run: Run) -> None:
    outcome = run("find", HEAP, "heap(7)", "--count", "3")
    assert (outcome.code, outcome.out.count("position {")) == (0, 2)
    (differs,) = (line for line in outcome.out.splitlines() if line.startswith("% unlike the first: "))
    assert differs.endswith(
        (
            "decision(green,take) instead of decision(red,take)",
            "decision(red,take) instead of decision(green,take)",
        )
    )


@pytest.mark.slow
def test_an_impossible_property_is_proved(run: Run) -> None:
    outcome = run("find", HEAP, "heap(11), heap(10)")
    assert (outcome.code, outcome.out) == (1, "")
    # three of every game; heap_stated, one_taker, played_out; from the engine one_phase, one_decision, decision_fits
    assert outcome.err == (
        "looking for: heap(11), and heap(10)\n"
        "no valid position has this property (proved, for 2 players, edition standard; valid: meets the 9 invariants;"
        " prove decides whether every game does)\n"
    )


@pytest.mark.slow
def test_none_says_that_it_rests_on_the_stated_limits(run: Run, tmp_path: Path) -> None:
    """A game breaks the stated limit: prove refutes it, and a search for a game does not believe it."""
    false = "limit(grip(R),0,2) :- player(R). counts(grip(R),taken(R),N) :- taken(R,N).\nlimit(stones,12,12)."
    folder = str(variant(tmp_path, {"limit(stones,12,12).": false}))
    outcome = run("find", folder, "taken(red,3)")
    assert (outcome.code, "; prove decides whether every game does)" in outcome.err) == (1, True)
    assert run("prove", folder, "limit").code == 1
    outcome = run("find", folder, "taken(red,3)", "--reachable", "3")
    assert (outcome.code, "the invariant limit is false" in outcome.err) == (0, True)


def test_reachable_gives_a_legal_game(run: Run) -> None:
    outcome = run("find", HEAP, "heap(5), took(green)", "--reachable", "4")
    assert outcome.code == 0
    moves = parse_record(outcome.out).moves
    assert len(moves) <= 4
    assert moves[-1].role == "green"
    outcome = run("find", HEAP, "heap(5)", "--reachable", "2", "--timeout", "100")
    assert (outcome.code, outcome.out) == (1, "")
    assert (
        f"no such position can be reached in 2 moves (proved, {LISTED}); a game of 3 moves gets there"
        in outcome.err
    )
    assert "try --reachable 3" in outcome.err


def test_origin_is_a_comment_above_the_record(run: Run) -> None:
    """The comment lists the moves if a legal game leads there."""
    outcome = run("find", HEAP, "heap(10), took(red), taken(red,2), decision(green,_)")
    assert "\n% reachable: a legal game leads there after 1 move\n%   red: take(2)\n\n[Game" in outcome.out
    outcome = run("find", HEAP, "heap(10), took(red)", "--origin", "0")
    assert outcome.out.startswith("% because: heap(10), took(red)\n% open: not looked for\n\n[Game")
    outcome = run("find", HEAP, "heap(8), took(red), taken(red,4)", "--origin", "5000")
    assert "% impossible: all games were searched, and none leads there, as far as " in outcome.out


@pytest.mark.slow
def test_more_invariants_exclude_positions(run: Run, write: Write) -> None:
    path = write("has(R) :- taken(R,_).\nbroken(took_something,R) :- took(R), not has(R).\n")
    query = "heap(3), took(R), not taken(R,_)"
    outcome = run("find", HEAP, query, "--invariants", path)
    assert outcome.code == 0
    assert "% impossible: it breaks took_something, proved to hold in every game\n" in outcome.out
    assert run("find", HEAP, query, "--invariants", write("broken(one_taker,x) :- heap(3).")).code == 2
    assert run("find", HEAP, query, "--invariants", "no.lp").code == 2


def test_json_format(run: Run) -> None:
    outcome = run(
        "find",
        HEAP,
        "heap(10), taken(R,2), took(R), decision(Q,take), Q != R",
        "--count",
        "2",
        "--format",
        "json",
    )
    found = list(map(json.loads, outcome.out.splitlines()))
    assert len(found) == 2
    assert {"reachable", "open", "impossible"} >= {f["origin"]["verdict"] for f in found}
    assert all("heap(10)" in f["facts"] and parse_record(f["record"]).items for f in found)
    (red,) = (f["origin"] for f in found if "took(red)" in f["facts"])
    assert (red["verdict"], red["moves"]) == ("reachable", ["red: take(2)"])
    (green,) = (f["origin"] for f in found if "took(green)" in f["facts"])
    assert green["verdict"] != "reachable"


@pytest.mark.parametrize(
    "arguments",
    [
        ["heap(3", "--count", "1"],
        ["stones(3)"],
        ["heap(3)", "--from", "my.game"],
        ["heap(3)", "--timeout", "0"],
        ["heap(3)", "--timeout", "soon"],
        ["heap(3)", "--reachable", "-1"],
    ],
)
def test_wrong_usage(run: Run, arguments: list[str]) -> None:
    outcome = run("find", HEAP, *arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err


def test_a_search_from_a_record_is_about_the_game_of_the_record(run: Run) -> None:
    """The record has three players, another edition and other seats than the defaults."""
    record = "examples/games/three-players.game@5"
    outcome = run("find", "kaiser", "count{R : player(R)} = 3", "--reachable", "1", "--from", record)
    assert outcome.code == 0
    (found,) = [parse_record(outcome.out)]
    assert found.seats == ("blue", "yellow", "red")
    assert run("find", "kaiser", "count{R : player(R)} = 4", "--reachable", "1", "--from", record).code != 0
    for wrong in (["krone"], ["kaiser", "--players", "3"], ["kaiser", "--start", "emperor=red"]):
        game, *options = wrong
        outcome = run("find", game, "terminal", "--reachable", "1", "--from", record, *options)
        assert (outcome.code, outcome.out) == (2, "")


@pytest.mark.parametrize("option", ["--start", "--option"])
def test_an_option_that_is_given_twice_is_refused(run: Run, option: str) -> None:
    values = {"--start": ("emperor=red", "Emperor=blue"), "--option": ("idle_cards=allowed",) * 2}[option]
    outcome = run("find", "kaiser", "round(1)", option, values[0], option, values[1])
    assert (outcome.code, outcome.out) == (2, "")
    assert "is given twice" in outcome.err


def test_an_answer_names_start_tags_that_are_not_the_default(run: Run) -> None:
    query = "round(1), phase(over)"
    assert (
        "edition standard, emperor=green; valid"
        in run("find", "kaiser", query, "--start", "emperor=green").err
    )
    assert "edition standard; valid" in run("find", "kaiser", query).err


def test_reasons_are_comments(run: Run) -> None:
    outcome = run("find", HEAP, "heap(N), N < 3, count{R : taken(R,_)} = 2", "--count", "2", "--smallest")
    assert (outcome.code, outcome.err.splitlines()[1:]) == (0, ["the smallest there is (proved)"])
    one, other = outcome.out.split("\n\n%")
    assert one.splitlines()[0] == "% because: N = 0: heap(0); count{R : taken(R,_)} is 2"
    assert other.splitlines()[1] == "% unlike the first: heap(1) instead of heap(0)"
    (block,) = parse_record(one).items  # comments do not change the record
    assert isinstance(block, PositionBlock)


@pytest.mark.slow
def test_answers_of_a_game_with_a_drawing_are_drawn(run: Run) -> None:
    outcome = run("find", "kaiser", "--players", "2", "emperor(red), round(5), decision(green,turn)")
    comments = [line for line in outcome.out.splitlines() if line.startswith("%")]
    assert comments[0].startswith("% because: emperor(red), round(5)")
    assert len(comments) > 20
    assert outcome.out.index("[Game") > outcome.out.index(comments[-1]), (
        "the reasons and the drawing come before the record"
    )
    assert outcome.err == "looking for: Red is emperor, and it is round 5, and it is Green's turn\n"


@pytest.mark.parametrize(
    ("game", "query", "message"),
    [
        (HEAP, "phase(ovr)", "column 7: ovr is never argument 1 of phase(P); did you mean over? It is over or play"),
        ("kaiser", "emperor(red), thalers(red) = 0", "column 15: thalers(red) stands for no value, as it lacks an argument "
         "of thalers(R,M): write emperor(red), thalers(red,N), N = 0"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("more", [(), ("--reachable", "5")])
def test_wrong_queries_are_refused(
    run: Run, game: str, query: str, message: str, more: tuple[str, ...]
) -> None:
    outcome = run("find", game, query, *more)
    assert (outcome.code, outcome.out, outcome.err) == (2, "", f"kaiser-logic: {message}\n")


@pytest.mark.slow
def test_queries_about_the_position_after_a_move(run: Run) -> None:
    outcome = run("find", HEAP, "heap(N), after(red,A,heap(M)), M = N-3")
    assert outcome.code == 0
    assert outcome.err == "looking for: heap(N), and after red does A: heap(M), and M is N minus 3\n"
    assert "A = take(3)" in outcome.out
    outcome = run("find", HEAP, "heap(N), after(red,A,heap(M)), M = N-4")
    assert (outcome.code, outcome.out) == (1, "")


@pytest.mark.slow
def test_svg_and_html_formats(run: Run, tmp_path: Path) -> None:
    query = "emperor(R), round(5), decision(green,turn)"
    one, page = tmp_path / "one.svg", tmp_path / "all.html"
    assert run("find", "kaiser", "--players", "2", query, "--format", "svg", "--output", str(one)).out == ""
    assert ET.parse(one).getroot().tag.endswith("svg")
    outcome = run(
        "find", "kaiser", "--players", "2", query, "--count", "2", "--format", "html", "--output", str(page)
    )
    assert (outcome.code, outcome.out) == (0, "")
    text = unescape(page.read_text(encoding="utf-8"))
    assert text.count("<svg") == 2
    assert "R is emperor, and it is round 5, and it is Green's turn" in text
    assert "<script" not in text
    assert run("find", HEAP, "heap(3)", "--count", "2", "--format", "svg").code == 2
    game = run("find", HEAP, "heap(5)", "--reachable", "4", "--format", "html").out
    assert game.startswith("<!doctype html>")
    assert "<svg" in run("find", HEAP, "heap(5)", "--reachable", "4", "--format", "svg").out


def test_help_query(run: Run) -> None:
    outcome = run("find", "kaiser", "--help-query")
    assert (outcome.code, outcome.err) == (0, "")
    assert "elector(E,R,G,K)" in outcome.out
    assert "E: boehmen, brandenburg, koeln" in outcome.out
    assert "Examples in kaiser, and what they mean" in outcome.out
    assert run("find", HEAP, "--help-query").code == 0
    outcome = run("find", HEAP)
    assert (outcome.code, "--help-query" in outcome.err) == (2, True)


@pytest.mark.slow
def test_message_names_a_sufficient_limit_of_moves(run: Run) -> None:
    """The verdict within the given limit may be "proved" or "not decided"."""
    outcome = run("find", "kaiser", "--players", "2", "round(2)", "--reachable", "3", "--timeout", "600")
    assert outcome.code in (1, 3)
    assert re.search(r"; a game of (\d+) moves gets there, .*: try --reachable \1\b", outcome.err.strip())
