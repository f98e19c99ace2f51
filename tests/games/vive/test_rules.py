"""Vive le Roi, rule by rule: actions that break it or are legal, effects, and invalid positions."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.rule_cases import (
    Case,
    Course,
    Invalid,
    assert_all_rules_have_cases,
    assert_allows,
    assert_breaks,
    assert_legal,
    read_cases,
    read_courses,
    read_invalid,
)

from kaiser_logic.engine import symbols
from kaiser_logic.errors import UnreadableInput
from kaiser_logic.game import load
from kaiser_logic.rules.loader import rulebook

from .positions import changed, filled, game, named, play, position

pytestmark = pytest.mark.by_hand

HERE = Path(__file__).parent
CASES = read_cases(HERE / "rules.cases")
COURSES = read_courses(HERE / "courses.txt")
INVALID = read_invalid(HERE / "invalid.txt")
BOOK = rulebook("vive")


@pytest.mark.parametrize("case", [c for c in CASES if c.breaks], ids=str)
def test_actions_break_their_rules(case: Case) -> None:
    assert_breaks(case, case.position(position))


@pytest.mark.parametrize("case", [c for c in CASES if not c.breaks], ids=str)
def test_actions_are_legal(case: Case) -> None:
    assert_legal(case, case.position(position))


@pytest.mark.parametrize("course", COURSES, ids=str)
def test_courses_have_their_effects(course: Course) -> None:
    at = position(course.at, course.details.get("change", ""), options=tuple(course.options))
    after = play(at, *course.moves)
    assert after.facts >= set(course.details.get("then", "").split())
    assert not after.facts & set(course.details.get("without", "").split())


def broken(facts: frozenset[str], options: tuple[tuple[str, str], ...] = ()) -> set[str]:
    """The invariants that the facts break."""
    due = any(fact.startswith("due(") for fact in facts)
    evaluator = game("standard", options).evaluator
    return {
        found
        for found, _ in evaluator.broken_invariants(frozenset(map(symbols.read_symbol, facts)), waive=not due)
    }


@pytest.mark.parametrize("case", INVALID, ids=str)
def test_invalid_positions_break_their_invariants(case: Invalid) -> None:
    assert broken(filled(changed(named()[case.at], case.change)), case.options) == case.invariants


def test_points_must_be_stated() -> None:
    assert broken(filled(named()["turn"]) - {"points(red,0)"}) == {"count", "stated_points"}


def test_every_invariant_is_broken_by_a_case() -> None:
    invariants = {doc.id for doc in BOOK.docs.values() if doc.kind == "invariant"}
    found = set().union(*(case.invariants for case in INVALID)) | {"stated_points"}
    assert not invariants - found


def test_every_rule_has_cases() -> None:
    assert_all_rules_have_cases(BOOK, CASES)


@pytest.mark.sample(3)
@pytest.mark.parametrize("case", [c for c in CASES if not c.breaks], ids=str)
def test_rules_are_evaluated_for_legal_actions(case: Case) -> None:
    assert_allows(case, case.position(position))


@pytest.mark.parametrize(
    ("board", "wrong"),
    [
        ("copies(wizard,1).", "no fact of a board"),
        ("copies(gold(4),1).", "no fact of a board"),
        ("copies(gold(1),1). copies(gold(1),2).", "one number"),
        ("worth(queen,1). worth(queen,2).", "one number"),
        ("seeks(queen,gold). seeks(queen,province).", "one number"),
        ("queens(boar). queens(lion).", "one number"),
        ("worth(gold(1),2).", "no fact of a board"),
        ("rank(lily,2).", "no fact of a board"),
        ("prize(ear,20).", "no fact of a board"),
        ("final(noble(boar),2).", "no fact of a board"),
        ("seeks(bishop,gold).", "no fact of a board"),
        ("seeks(queen,noble).", "no fact of a board"),
        ("rank(boar,6).", "the same rank"),
        ("copies(noble(boar),2).", "one at most"),
        ("copies(queen,2).", "one at most"),
        ("copies(noble(boar),0). copies(noble(lion),0). copies(noble(stag),0).", "a noble for each player"),
        ("".join(f"copies(province({b}),0)." for b in ("boar", "bear", "stag", "wolf")), "of different arms"),
    ],
)
def test_faulty_boards_are_refused(tmp_path: Path, board: str, wrong: str) -> None:
    file = tmp_path / "cards.lp"
    file.write_text(board, encoding="utf-8")
    with pytest.raises(UnreadableInput) as caught:
        load("vive", players=4, board=file)
    assert wrong in str(caught.value)


def test_a_board_file_replaces_what_it_names(tmp_path: Path) -> None:
    file = tmp_path / "cards.lp"
    file.write_text("copies(gold(1),9). copies(bishop,3). copies(unrest,0).", encoding="utf-8")
    facts = load("vive", players=4, board=file).initial().facts
    assert {"pile(gold(1),9)", "pile(bishop,3)", "pile(gossip,2)"} <= facts
    assert not any("unrest" in fact for fact in facts)


def test_a_board_file_replaces_the_values_of_cards(tmp_path: Path) -> None:
    file = tmp_path / "cards.lp"
    file.write_text(
        "worth(province(boar),5). rank(boar,7). prize(gossip,8). final(queen,6). seeks(queen,nothing). queens(boar).",
        encoding="utf-8",
    )
    ruleset = load("vive", players=4, board=file).ruleset
    given = {
        str(fact) for name in ("worth", "rank", "prize", "final", "seeks") for fact in ruleset.facts(name, 2)
    }
    assert {"worth(province(boar),5)", "worth(province(bear),3)", "rank(boar,7)", "rank(bear,2)"} <= given
    assert {
        "prize(gossip,8)",
        "prize(bandits,3)",
        "prize(ear,10)",
        "final(queen,6)",
        "final(general,3)",
    } <= given
    assert {"seeks(queen,nothing)", "seeks(general,musketeer)"} <= given
    assert not given & {"worth(province(boar),3)", "rank(boar,1)", "seeks(queen,courtier)"}
    assert [str(fact) for fact in ruleset.facts("queens", 1)] == ["queens(boar)"]
