"""Die Staufer, rule by rule: actions that break it or are legal; unusable boards; the exports for queries."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from games.staufer.staufer_positions import Options, filled, game, play
from oracles.staufer_board import default_board
from support.rule_cases import (
    Case,
    Invalid,
    assert_all_rules_have_cases,
    assert_allows,
    assert_breaks,
    assert_legal,
    read_cases,
    read_invalid,
)

from kaiser_logic.engine import symbols
from kaiser_logic.engine.assumptions import docs_of_kind
from kaiser_logic.errors import UnreadableInput
from kaiser_logic.evaluation.verdict import InvalidPosition
from kaiser_logic.game import load
from kaiser_logic.position import Position
from kaiser_logic.printing.sources import unsupported_rules
from kaiser_logic.rules.rulebook import RuleDoc

pytestmark = pytest.mark.by_hand

CASES = read_cases(Path(__file__).parent / "rules.cases")
INVALID = read_invalid(Path(__file__).parent / "invalid.cases")
ORDER = """order(2,green) order(3,blue) order(4,blue) order(5,green) order(6,red) order(7,blue) order(8,green)
    order(9,red)"""
ACTING = f"supplied(1,red) {ORDER}"
AUGSBURG = "phase(scoring) marker(augsburg) marker(aachen) scored(aachen) sits(augsburg,4,1,red,envoy)"
PALERMO = """sits(palermo,1,1,red,envoy) sits(palermo,1,2,red,envoy) sits(palermo,2,1,green,noble) has(red,2)
    sits(palermo,3,1,red,envoy) sits(palermo,3,2,red,noble) sits(milano,1,1,red,envoy)
    phase(cleanup) marker(palermo) marker(nijmegen) decision(red,keep)"""
POSITIONS = {
    "turn": "court(red,envoy,12) court(red,noble,2) sits(aachen,1,1,blue,envoy)",
    "poor": "court(red,envoy,2) court(red,noble,1)",
    "three": "court(red,envoy,12) has(red,3) has(red,2) sits(aachen,1,1,blue,envoy)",
    "right": "court(red,envoy,12) has(red,2) sits(aachen,1,1,blue,envoy) sits(aachen,1,2,red,envoy)",
    "chests": """court(red,envoy,12) owns(red,first,1) owns(red,swap,1) owns(red,cheap,1) owns(red,nomove,1)
        chest(supply,4,vp2,1)""",
    "taken": "chest(supply,2,first,1)",
    "exchange": f"""has(red,1) owns(red,violet,2) acting(red,supply) has(green,11) has(blue,11) decision(red,exchange)
        {ACTING}""",
    "drawing": f"has(red,8) acting(red,supply) owns(red,brown,1) chest(supply,1,vp2,2) decision(chance,draw) {ACTING}",
    "reveal": f"{AUGSBURG} decision(chance,reveal) owns(red,first,3) owns(green,first,2)",
    "bonus": f"{AUGSBURG} sits(augsburg,1,1,green,envoy) open(vp3,1) open(envoy2,1) decision(red,bonus)",
    "keep": f"{PALERMO} owns(red,stay,2)",
    "kept": f"{PALERMO} owns(red,stay,1) kept(palermo,1,1)",
    "last chests": "phase(cleanup) decision(chance,lay) to_lay(supply,3) to_lay(supply,4) pile(swap,1)",
}
"""The facts that matter in positions after the set-up; `filled` adds the others."""


@cache
def named(name: str, change: str = "", edition: str = "standard", options: Options = ()) -> Position:
    """The named position."""
    assert not change
    if name in POSITIONS:
        left = 0 if "phase(" in POSITIONS[name] else None
        king = "nijmegen" if "marker(nijmegen)" in POSITIONS[name] else "augsburg"
        return game(3, edition, options).position(filled(POSITIONS[name], king=king, left=left))
    return _in_setup(name)


@cache
def _in_setup(name: str) -> Position:
    """A position in the set-up of two players: after two decisions of this kind, or with three jobs of Red (`jobs`)."""
    kind, more = ("job", 4) if name == "jobs" else (name, 1 if name == "job" else 2)
    at = game(2).initial()
    while at.decisions != {"chance": kind}:
        at = play(at, at.legal()["chance"][0])
    for _ in range(more):
        at = play(at, at.legal()["chance"][0])
    assert at.decisions == {"chance": kind}
    return game(2).position(at.facts)


def test_all_rules_have_cases() -> None:
    assert_all_rules_have_cases(game().book, CASES)


@pytest.mark.parametrize("case", [c for c in CASES if c.breaks], ids=str)
def test_actions_break_their_rules(case: Case) -> None:
    assert_breaks(case, case.position(named))


@pytest.mark.parametrize("case", [c for c in CASES if not c.breaks], ids=str)
def test_actions_are_legal(case: Case) -> None:
    assert_legal(case, case.position(named))
    assert_allows(case, case.position(named))


# -- invalid positions ---------------------------------------------------------------------------------------


def breaks(case: Invalid) -> set[str]:
    at = named(case.at, options=case.options)
    facts, adds = set(at.facts), True
    for word in case.change.split():
        if word in "+-":
            adds = word == "+"
        elif adds:
            assert word not in facts
            facts.add(word)
        else:
            facts.remove(word)
    found = at.evaluator.broken_invariants(frozenset(map(symbols.read_symbol, facts)))
    return {invariant for invariant, _ in found}


def test_invalid_positions_break_their_invariants() -> None:
    wrong = [(str(case), found) for case in INVALID if (found := breaks(case)) != case.invariants]
    assert not wrong


def test_every_invariant_is_broken_by_a_case() -> None:
    """step_fits is about positions between automatic steps, which the tests of whole games see."""
    known = {doc.id for doc in game().book.docs.values() if doc.kind == "invariant"} | {"limit", "vocabulary"}
    assert known - {i for case in INVALID for i in case.invariants} == {"step_fits"}


def test_each_part_of_the_ring_has_its_witness() -> None:
    """With six places filled, the parts of this invariant fall only together, so the test looks at the witnesses."""
    at = named("turn")
    invalid = at.facts - {"place(6,milano)"} | {"place(6,aachen)"}
    found = at.evaluator.broken_invariants(frozenset(map(symbols.read_symbol, invalid)))
    assert {w for i, w in found if i == "ring"} == {"aachen", "milano"}
    invalid = at.facts | {"place(6,aachen)"}
    found = at.evaluator.broken_invariants(frozenset(map(symbols.read_symbol, invalid)))
    assert {"6", "aachen", "strasbourg"} <= {w for i, w in found if i == "ring"}


# -- boards ----------------------------------------------------------------------------------------------------

BOARD = "chests(violet,9). chests(vp2,60)."


def test_a_board_file_replaces_what_it_names(tmp_path: Path) -> None:
    at = load("staufer", players=2, board=_file(tmp_path, BOARD)).initial()
    assert {f for f in at.facts if f.startswith("pile(")} == {"pile(violet,9)", "pile(vp2,60)"}
    assert len(at.evaluator.ruleset.facts("office", 4)) == 17


@pytest.mark.parametrize(
    ("figure", "text"),
    [
        ("noble", "figures(envoy,15,4). figures(noble,3,0)."),
        ("envoy", "figures(envoy,15,0). figures(noble,3,1)."),
    ],
)
def test_the_start_is_valid_if_no_figure_begins_at_court(tmp_path: Path, figure: str, text: str) -> None:
    game = load("staufer", players=2, board=_file(tmp_path, text))
    facts = game.initial().facts
    assert game.initial().broken() == []
    with pytest.raises(InvalidPosition) as error:
        game.position([*facts, f"court(red,{figure},1)"])
    assert "at_the_start" in {b.invariant for b in error.value.broken}


@pytest.mark.sample(6)
@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("office(2,5,rome,1,3,any).", "no fact of a board"),
        ("office(2,5,milano,1,8,any).", "no fact of a board"),
        ("space(2,5,1,knight,1).", "no fact of a board"),
        ("pattern(opposite,6).", "no fact of a board"),
        ("figures(envoy,9,10).", "no fact of a board"),
        ("brown(0,1).", "no fact of a board"),
        ("cards(2,5,0).", "no fact of a board"),
        ("office(2,5,milano,1,3,any).", "numbered from 1 on"),
        ("worth(2,5,t1,1,3).", "Every point tile"),
        ("space(2,5,2,envoy,1).", "supply spaces"),
        ("space(2,5,1,envoy,1). space(2,5,1,envoy,2).", "supply spaces"),
        ("chests(violet,9). chests(violet,8).", "stated once"),
        ("condition(king,4).", "five rounds"),
        ("steps(1,3).", "five rounds"),
        ("card(1,9).", "there are as many"),
        ("cards(3,5,1).", "how many cards"),
        ("cards(2,5,6).", "there are as many"),
        ("cards(2,5,2). cards(2,2,3).", "stated once"),
        ("brown(2,5).", "without a gap"),
        ("brown(1,5). brown(3,5).", "without a gap"),
        ("figures(envoy,9,4).", "envoys and nobles"),
        ("figures(envoy,9,4). figures(noble,9,4). figures(envoy,9,3).", "envoys and nobles"),
        ("pattern(opposite,0).", "Every pattern has regions"),
        ("value(all,1,3).", "Every pattern has regions"),
    ],
)
def test_faulty_boards_are_refused(tmp_path: Path, text: str, rule: str) -> None:
    with pytest.raises(UnreadableInput, match=re.escape(rule)) as refused:
        load("staufer", players=2, board=_file(tmp_path, f"chests(swap,1).\n  {text}"))
    assert refused.value.line == 2


def test_all_assumed_data_can_be_replaced() -> None:
    """All assumed rules are data of board, tiles and cards, except about seats of equal numbers, which only other boards have."""
    entries = unsupported_rules(game().ruleset.texts)["assumed"]
    made_up = {e.item.id: e.replaced for e in entries if isinstance(e.item, RuleDoc)}
    assert made_up.pop("rank.seats")
    assert made_up and all(how.startswith("a board file with ") for how in made_up.values())


def test_a_complete_board_file_leaves_nothing_assumed(tmp_path: Path) -> None:
    at = load("staufer", players=2, board=_file(tmp_path, default_board()))
    assert set(docs_of_kind(at.ruleset, "assumed")) == {"rank.seats"}
    assert at.initial() == load("staufer", players=2).initial()


def test_figures_cards_and_brown_chests_of_a_board_file(tmp_path: Path) -> None:
    text = "figures(envoy,9,2). figures(noble,2,0). card(1,30). card(2,7). card(3,1). cards(2,5,2). brown(1,4). brown(2,11)."
    board = load("staufer", players=2, board=_file(tmp_path, text))
    at = board.initial()
    assert {f for f in at.facts if f.startswith(("court(red", "display(1,"))} == {
        "court(red,envoy,2)",
        "display(1,2)",
    }
    assert sorted(map(str, board.ruleset.facts("figures", 2))) == ["figures(envoy,9)", "figures(noble,2)"]


def _file(folder: Path, text: str) -> Path:
    file = folder / "board.lp"
    file.write_text(text, encoding="utf-8")
    return file


# -- unknown actions ---------------------------------------------------------------------------------------------


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    "action",
    [
        "deploy(augsburg,1,envoy,pay(e,e,x,x,x,xx),walk,full,usual)",
        "deploy(augsburg,1,envoy,pay(e,e,x,x,x),walk,full,usual)",
        "deploy(augsburg,1,envoy,none,walk,full,usual)",
        "deploy(augsburg,9,envoy,pay(e,e,x,x,x,x),walk,full,usual)",
        "deploy(augsburg,1,nobles,pay(e,e,x,x,x,x),walk,full,usual)",
        "deploy(augsburg,1,envoy,pay(e,e,x,x,x,x),full,walk,usual)",
        "supply(0,1,usual)",
        "supply(1,1)",
        "privilege(17)",
    ],
)
def test_unknown_actions_are_illegal(action: str) -> None:
    at = named("turn")
    assert "action.unknown" in {violation.rule for violation in at.why("red", action)}
    assert not at.is_legal("red", action)
