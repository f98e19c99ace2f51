"""Im Schatten des Kaisers: every rule fires in the tests, and the tests notice mutants of the rules.

The games and positions of `examples`, replayed with the independent implementation, and the tables of cases for rules and
invariants become probes, which are questions with the right answers. KAISER_LOGIC_MUTANTS=all tries every mutant, which
takes some minutes, and prints the survivors. Otherwise the tests try a sample.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import clingo
import pytest
from games.kaiser.positions import changed, game, position
from games.kaiser.samples import setting
from oracles.kaiser import CITIES, ELECTORATES, ROLES, Kaiser
from support.played import game_at
from support.rule_cases import Invalid, read_cases, read_invalid
from support.rulebook_probes import (
    Answer,
    Asked,
    Facts,
    Question,
    Suite,
    after,
    all_actions,
    board_problem,
    broken,
    choices,
    legal,
    of_case,
    outcome,
    symbols_of,
    unsettled,
)

from kaiser_logic.engine import symbols
from kaiser_logic.engine.configuration import Configuration
from kaiser_logic.engine.grounding import Grounding
from kaiser_logic.evaluation.evaluator import Evaluator
from kaiser_logic.game import game_under
from kaiser_logic.lang.unification import most_general
from kaiser_logic.notation.record import PositionBlock, Record
from kaiser_logic.notation.sources import read
from kaiser_logic.notation.syntax import parse_user_term
from kaiser_logic.position import Position
from kaiser_logic.records.replay import Replay
from kaiser_logic.rules.loader import rulebook

TESTS = Path(__file__).parent
EXAMPLES = TESTS.parents[2] / "examples"
BOOK = rulebook("kaiser")
INVALID = read_invalid(TESTS / "invalid.cases")
LEAST = 0.9
"""The least share of mutants of the sample that must be noticed. The survivors are printed."""

NEVER = {
    "vacant_by_age :- due(aging); not throne(_,_,_).": "the throne is never empty before aging; said for proofs",
    **dict.fromkeys(
        (
            "broken(marks,papal) :- papal(_); not used(trier).",
            "broken(marks,two) :- papal(R); papal(Q); R < Q.",
            "del(papal(R)) :- another_round; papal(R).",
        ),
        "only the edition it lets Trier's privilege take the pope; the games of that ruling are played in test_oracle",
    ),
}
"""Rules that cannot fire in a game, with reasons."""

TIGHT = " ".join(f"spaces({e},aristocrat,{2 if e != 'mainz' else 1})" for e in ELECTORATES)
BOARDS = [
    (4, "spaces(trier,city,3) colour(pope,pink)", None),
    (4, "spaces(trier,city,20)", None),
    (4, "spaces(wien,city,3)", ("", "spaces(wien,city,3)")),
    (4, "spaces(trier,city,21)", ("", "spaces(trier,city,21)")),
    (4, "colour(pope,green)", ("", "colour(pope,green)")),
    (4, "spaces(trier,city,1) spaces(trier,city,2)", ("board.one_value", "spaces(trier,city)")),
    (4, "colour(pope,blue) colour(pope,pink)", ("board.one_value", "colour(pope)")),
    (4, TIGHT.replace("boehmen,aristocrat,2", "boehmen,aristocrat,0"), ("board.aristocrats", "(none,none)")),
    (4, f"{TIGHT} spaces(boehmen,castle,0)", None),
    (4, " ".join(f"spaces({e},castle,0)" for e in ELECTORATES), None),
    (
        4,
        f"{TIGHT} {' '.join(f'spaces({e},castle,0)' for e in ELECTORATES)}",
        ("board.knights", "(none,none)"),
    ),
    (4, " ".join(f"spaces({e},city,0)" for e in ELECTORATES), ("board.city", "(none,none)")),
    (3, TIGHT.replace("boehmen,aristocrat,2", "boehmen,aristocrat,0"), None),
    (
        2,
        " ".join(f"spaces({e},city,{int(e == 'trier')})" for e in ELECTORATES),
        ("board.city", "(trier,boehmen)"),
    ),
]
"""Numbers of players, texts of board files, and the errors in them."""


# -- questions ---------------------------------------------------------------------------------------------


def exported(facts: Facts) -> Question:
    """The exported predicates."""
    wanted = [(name, int(arity)) for name, _, arity in (e.partition("/") for e in BOOK.manifest["exports"])]

    def question(evaluator: Evaluator) -> Answer:
        everything = {("decision", 2): [most_general(2)], ("due", 1): [], ("submitted", 2): []}
        grounding = Grounding(evaluator.ruleset.program("exports", lambda: everything, wanted), facts)
        return {symbols.text(s) for signature in wanted for s in grounding.get(*signature)}

    return question


def measures(oracle: Kaiser) -> set[str]:
    """Some of the exported predicates in the independent implementation."""
    found = {
        f"power({e},{r},{n})"
        for e in ELECTORATES
        if e not in oracle.closed
        for r, n in oracle._power(e).items()
    }
    for role in oracle.seats:
        found |= {f"votes({role},{oracle._votes(role)})", f"supply({role},aristocrat,{oracle._supply(role)})"}
        found |= {f"supply({role},knight,{oracle._knight_supply(role)})"}
        found |= {f"supply({role},city,{CITIES - oracle._city_number(role)})"}
    rival = oracle._rival()
    if rival is not None and rival != oracle.emperor:
        lead = oracle._votes(rival) - oracle._votes(oracle.emperor)
        others = sum(oracle._votes(r) for r in oracle.seats if r not in (rival, oracle.emperor))
        found |= {"rival_can_win"} if lead + others > 0 else set()
        found |= {"rival_must_win"} if lead - others > 0 else set()
    return found


# -- probes ------------------------------------------------------------------------------------------------


def of_record(record: Record) -> Iterator[Asked]:
    """The decisions of the record, with the answers of the independent implementation."""
    here = Replay.at(record, 0).here()
    found = game_at(here)
    spaces = {
        (str(f.arguments[0]), str(f.arguments[1])): f.arguments[2].number
        for f in found.evaluator.ruleset.facts("spaces", 3)
    }
    colours = {str(f.arguments[0]): str(f.arguments[1]) for f in found.evaluator.ruleset.facts("colour", 2)}
    oracle = Kaiser.from_facts(here.facts, found.edition, found.options, spaces, colours)
    facts = here.symbols
    assert found.evaluator.initial() == facts or isinstance(record.items[0], PositionBlock)
    if not isinstance(record.items[0], PositionBlock):
        yield found, "initial", Evaluator.initial, facts
    pending: dict[str, clingo.Symbol] = {}
    for number, move in enumerate(record.moves):
        if not pending and (number < 4 or number % 2 == 0):
            yield found, "legal", legal(facts), choices(found, oracle.legal())
        pending[move.role] = symbols.symbol(move.action) if move.action else symbols.read_symbol("pass")
        if len(pending) == len(oracle.legal()):
            oracle.apply({role: symbols.text(action) for role, action in pending.items()})
            following = symbols_of(found, oracle.facts())
            yield found, "after", after(facts, pending), following
            if number % 4 == 1:
                yield found, "valid", broken(following), set()
                yield found, "valid", broken(unsettled(Position(found.evaluator, facts), pending)), set()
            if number % 8 == 4:
                everything = exported(following)(found.evaluator)
                names = {"power", "votes", "supply"}
                names |= {"rival_can_win", "rival_must_win"} if oracle._rival() != oracle.emperor else set()
                assert {a for a in everything if a.partition("(")[0] in names} == measures(oracle)
                yield found, "exports", exported(following), everything
            facts, pending = following, {}
    result = oracle.result()
    if result:
        yield found, "outcome", outcome(facts), (result[0], set(result[1]))


SITUATIONS = [
    (
        "actions",  # the holder of the gray eminence has no tile in supply
        "- display(gray_eminence,1) + held(yellow,gray_eminence,1) finished(green) finished(blue) finished(yellow)"
        " aristocrat(pfalz,yellow,15,baron,2) aristocrat(sachsen,yellow,15,baron,2)",
        {"red": "pass"},
    ),
    (
        "enthrone",  # no tile in supply, but some on aristocrat spaces
        "+ aristocrat(koeln,green,15,baron,2) aristocrat(sachsen,green,15,baron,2)",
        {"green": "enthrone(aristocrat(koeln),15,baron)"},
    ),
    (
        "vote",  # the victorious rival has no tile but in supply
        "- aristocrat(boehmen,green,15,baron,1) aristocrat(boehmen,green,15,couple,1)",
        {"blue": "vote(rival)", "yellow": "vote(rival)"},
    ),
    (
        "vote",  # all empire cities are on the board
        "+ empire_city(koeln,1)",
        {"blue": "vote(emperor)", "yellow": "vote(emperor)"},
    ),
]
"""Rare positions: the name of a position, changes to it, and an action in it."""


def of_situation(at: str, change: str, chosen: Mapping[str, str]) -> Iterator[Asked]:
    here = position(at, change)
    oracle = Kaiser.from_facts(here.facts)
    yield game_at(here), "legal", legal(here.symbols), choices(game_at(here), oracle.legal())
    oracle.apply(chosen)
    actions = {role: symbols.read_symbol(action) for role, action in chosen.items()}
    yield game_at(here), "after", after(here.symbols, actions), symbols_of(game_at(here), oracle.facts())


def of_invalid(case: Invalid) -> Asked:
    at, facts = invalid_position(case)
    return game_at(at), "invalid", broken(facts), set(case.invariants)


def invalid_position(case: Invalid) -> tuple[Position, Facts]:
    """The position, and the facts of the invalid one."""
    at = position(case.at, options=case.options)
    return at, symbols_of(game_at(at), changed(at.facts, case.change))


def all_questions() -> Iterator[Asked]:
    for folder in ("games", "worked", "positions"):
        for path in sorted((EXAMPLES / folder).glob("*.game")):
            yield from of_record(read(path))
    for seed in range(9):
        given = setting(seed)._replace(spaces={}, colours={})
        oracle = given.oracle()
        found = given.game(Path())
        yield found, "initial", Evaluator.initial, symbols_of(found, oracle.facts())
    for at, change, chosen in SITUATIONS:
        yield from of_situation(at, change, chosen)
    for case in read_cases(TESTS / "rules.cases"):
        yield of_case(case, case.position(position))
    for invalid in INVALID:
        yield of_invalid(invalid)
    for players, text, expected in BOARDS:
        terms = tuple(map(parse_user_term, text.split()))
        start = (("emperor", ROLES[:1]),)
        found = game_under(Configuration("kaiser", "standard", ROLES[:players], (), start, terms))
        yield found, "board", board_problem(tuple(map(symbols.symbol, terms))), expected
    for players in (2, 3, 4):
        found = game(players)
        yield found, "actions", all_actions, all_actions(found.evaluator)


INVARIANTS = frozenset({"invariants", "marks", "course", "pending", "setup_invariants"})
"""The files with invariants."""

SUITE = Suite(BOOK, all_questions, invariants=INVARIANTS, boards=frozenset({"board"}))


# -- tests -------------------------------------------------------------------------------------------------


def breaks(case: Invalid) -> set[str]:
    at, facts = invalid_position(case)
    return broken(facts)(at.evaluator)


@pytest.mark.slow
def test_invalid_positions_break_their_invariants() -> None:
    wrong = [(str(case), found) for case in INVALID if (found := breaks(case)) != case.invariants]
    assert not wrong


def test_every_invariant_is_broken_by_a_case() -> None:
    invariants = {doc.id for doc in BOOK.docs.values() if doc.kind == "invariant"}
    assert invariants | {"vocabulary", "count", "limit"} == set().union(*(c.invariants for c in INVALID))


@pytest.mark.slow
def test_every_rule_fires() -> None:
    assert SUITE.never_fired() == NEVER.keys()


@pytest.mark.slow
def test_grounding_leaves_no_atom_open() -> None:
    SUITE.assert_no_atom_is_open()


@pytest.mark.long
def test_mutants_are_noticed() -> None:
    SUITE.assert_mutants_are_killed(LEAST)
