"""Krone & Schwert, rule by rule: each rule has cases and fires, and its mutants are noticed.

The tables of cases (krone_*.txt), the recorded games of `examples/krone` and some games at random are made into probes,
questions with the right answers, most of them beside the independent implementation. KAISER_LOGIC_MUTANTS=all tries
every mutant (some minutes) and prints the survivors; otherwise a sample is tried.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from random import Random

import pytest
from games.krone.named import facts_at, game, position
from games.krone.positions import board_text, facts_of, play, random_game_of, random_position, ring
from oracles.krone import COPIES, ROLES, THRESHOLD, Krone, parse_board, random_game, value_of
from support.played import game_at
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
    outside_vocabulary,
    symbols_of,
    unsettled,
    view,
    violated,
    weights,
)

from kaiser_logic.cli import main
from kaiser_logic.engine import symbols
from kaiser_logic.engine.configuration import Configuration
from kaiser_logic.engine.grounding import Grounding
from kaiser_logic.errors import NotDecided
from kaiser_logic.evaluation.evaluator import Evaluator
from kaiser_logic.evaluation.verdict import IllegalMove
from kaiser_logic.game import Game, game_under, load
from kaiser_logic.lang.unification import most_general
from kaiser_logic.notation.sources import read
from kaiser_logic.notation.syntax import parse_user_term
from kaiser_logic.position import Position
from kaiser_logic.records.replay import Replay
from kaiser_logic.rules.loader import rulebook

TESTS = Path(__file__).parent
EXAMPLES = TESTS.parents[2] / "examples" / "krone"
BOOK = rulebook("krone")
CASES = read_cases(TESTS / "rules.cases")
BREAKING = [case for case in CASES if case.breaks]
LEGAL = [case for case in CASES if not case.breaks]
INVALID = read_invalid(TESTS / "invalid.cases")
COURSES = read_courses(TESTS / "courses.cases")
RULINGS = [course for course in COURSES if course.ruling]
LEAST = 0.85
"""The least share of mutants of the sample that must be noticed. The survivors are printed."""

NEVER: dict[str, str] = {}
"""Rules that cannot fire in a game, with reasons."""


def hills(plains: int) -> str:
    """A ring with so many plains. All other fields are mountains."""
    return re.sub(rf"f([0-{plains - 1}]),octagon,mountain", r"f\1,octagon,plain", ring(30, "mountain"))


_RING = ring(30)
_SQUARES = "piece(a,g,square,plain,9,9). piece(a,h,square,plain,9,11). border(g,f0). "
BOARDS: list[tuple[int, str, tuple[str, str] | None]] = [
    (2, _RING, None),
    (2, "piece(a,a1,hexagon,plain,0,0).", ("", "piece(a,a1,hexagon,plain,0,0)")),
    (2, "piece(a,a1,octagon,desert,0,0).", ("", "piece(a,a1,octagon,desert,0,0)")),
    (2, "piece(a,a1,octagon,plain,x,0).", ("", "piece(a,a1,octagon,plain,x,0)")),
    (2, "piece(a,a1,octagon,plain,0,y).", ("", "piece(a,a1,octagon,plain,0,y)")),
    (2, "join(1,a,0,0).", ("", "join(1,a,0,0)")),
    (2, "join(6,a,0,0).", ("", "join(6,a,0,0)")),
    (2, "join(2,a,x,0).", ("", "join(2,a,x,0)")),
    (2, "join(2,a,0,y).", ("", "join(2,a,0,y)")),
    (2, "shield(a1,red).", ("", "shield(a1,red)")),
    (2, "border(f,g(1)).", ("board.border", "f")),
    (2, f"{_RING} piece(b,f0,octagon,plain,0,0).", ("board.one_place", "f0")),
    (2, f"{_RING} piece(a,f0,octagon,plain,0,0).", None),
    (2, f"{_RING} piece(a,f0,octagon,forest,0,0).", ("board.one_place", "f0")),
    (2, f"{_RING} piece(a,f0,octagon,plain,0,1).", ("board.one_place", "f0")),
    (2, f"{_RING} piece(a,f0,octagon,plain,-2,0).", ("board.one_place", "f0")),
    (2, "join(2,c,0,0). join(2,d,0,6). join(3,a,0,0).", None),
    (2, "join(3,c,0,0). join(3,d,0,6).", ("board.joined", "2")),
    (2, f"{_RING} join(2,a,0,0).", ("board.joined", "2")),
    (2, f"{_RING} join(2,a,0,0). join(2,b,0,0). join(2,b,0,4).", ("board.joined", "2")),
    (2, f"{_RING} join(2,a,0,0). join(2,a,0,4).", ("board.joined", "a")),
    (2, f"{_RING} join(2,a,0,0). join(2,c,0,0).", ("board.joined", "c")),
    (3, ring(9), ("board.joined", "c")),
    (3, ring(30, "mountain"), ("board.joined", "c")),
    (2, "join(2,a,0,0). join(2,b,0,0).", ("board.overlap", "(a1,b1)")),
    (2, "join(2,a,0,0). join(2,b,8,6).", None),
    (2, _RING.replace(",4,0)", ",0,0)"), None),
    (2, f"{_RING} border(f1,f1).", ("board.border", "f1")),
    (2, f"{_RING} border(f1,g1).", ("board.border", "g1")),
    (2, f"{_RING} border(g1,f1).", ("board.border", "g1")),
    (2, f"{_RING} {_SQUARES} border(g,h).", ("board.squares", "(g,h)")),
    (2, f"{_RING} {_SQUARES} border(h,f7).", None),
    (2, "join(2,a,0,0). join(2,b,0,8).", ("board.connected", "b1")),
    (2, f"{_RING} {_SQUARES}", ("board.connected", "h")),
    (2, ring(9), ("board.room", "9")),
    (2, ring(10), None),
    (2, hills(4), ("board.lowland", "4")),
    (2, hills(5), None),
    (
        2,
        "black_shields(castle,1). battle_value(ambush,1). people_cards(sword,10). people_cards(crown,12).",
        None,
    ),
    (2, "black_shields(castle,3).", ("", "black_shields(castle,3)")),
    (2, "black_shields(unrest,1).", ("", "black_shields(unrest,1)")),
    (2, "battle_value(castle,3).", ("", "battle_value(castle,3)")),
    (2, "battle_value(truce,5).", ("", "battle_value(truce,5)")),
    (2, "people_cards(sword,0).", ("", "people_cards(sword,0)")),
    (2, "black_shields(city,1). black_shields(city,2).", ("board.one_number", "black_shields(city)")),
    (2, "battle_value(ambush,1). battle_value(ambush,2).", ("board.one_number", "battle_value(ambush)")),
    (2, "people_cards(sword,12).", ("board.people", "people_cards")),
]
"""Numbers of players, texts of board files, and the errors in them."""


# -- every rule that an action can break -------------------------------------------------------------------


def test_every_rule_that_can_be_broken_has_its_cases() -> None:
    assert_all_rules_have_cases(BOOK, CASES)


@pytest.mark.parametrize("case", BREAKING, ids=str)
def test_actions_break_their_rules(case: Case) -> None:
    assert_breaks(case, case.position(position))


@pytest.mark.parametrize("case", LEGAL, ids=str)
def test_actions_are_legal(case: Case) -> None:
    assert_legal(case, case.position(position))
    assert_allows(case, case.position(position))


# -- rulings and effects of actions -----------------------------------------------------------------------


def start(course: Course, options: Mapping[str, str]) -> Position:
    """The position at the start of the course, under these options."""
    return position(course.at, course.details.get("change", ""), options=tuple(sorted(options.items())))


def comes_true(course: Course, options: Mapping[str, str]) -> bool:
    """Whether the moves are legal under the options and lead to the end of the course."""
    try:
        end = play(start(course, options), *course.moves)
    except IllegalMove:
        return False
    known = end.facts | {f"legal({role},{action})" for role, found in end.legal().items() for action in found}
    then, without = (set(facts_of(course.details.get(name, ""))) for name in ("then", "without"))
    return known >= then and not known & without


@pytest.mark.parametrize("course", COURSES, ids=str)
def test_courses_come_true_under_their_ruling(course: Course) -> None:
    options = dict(course.options)
    assert comes_true(course, options)
    assert course.details.keys() & {"then", "without"}
    if course.ruling:
        name, value = course.ruling
        for other in BOOK.rulings[name].values.keys() - {value}:
            assert not comes_true(course, options | {name: other})


def test_every_ruling_has_a_course_for_each_of_its_values() -> None:
    expected = {(name, value) for name, ruling in BOOK.rulings.items() for value in ruling.values}
    assert {course.ruling for course in RULINGS} == expected


def full_hand() -> Position:
    """A position in which Red votes and holds all cards."""
    hands = [fact for fact in facts_at("duel") if fact.startswith("hand(")]
    full = [f"hand(red,{card},{number})" for card, number in COPIES.items()]
    return position("duel", f"- {' '.join(hands)} + {' '.join(full)}")


def test_default_seats_are_all_roles_in_order() -> None:
    assert load("krone").seats == ROLES


@pytest.mark.sample(2)
@pytest.mark.parametrize("seats", [("green", "red"), ("red", "green")])
def test_tied_winners_are_listed_by_seat(seats: tuple[str, str]) -> None:
    last = position("last game", "- points(red,12) + points(red,20)")
    facts = {fact for fact in last.facts if not fact.startswith("seat(")}
    facts |= {f"seat({role},{number})" for number, role in enumerate(seats, 1)}
    result = load("krone", seats=seats).position(facts).apply({"chance": "draw(game_end)"}).result()
    assert result is not None
    assert dict(result.points) == {"red": 25, "green": 25}
    assert result.winners == seats


def test_moves_reports_too_many_actions(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "full.game"
    facts = " ".join(f"{fact}." for fact in sorted(full_hand().facts))
    file.write_text(f'[Game "krone"]\nposition {{ {facts} }}\n', encoding="utf-8")
    assert main(["moves", str(file)]) == 3
    assert "red has more than 20000 actions" in capsys.readouterr().err


# -- invalid positions --------------------------------------------------------------------------------------


def invalid_position(case: Invalid) -> tuple[Game, Facts]:
    """The game, and facts that are an invalid position of it, or a valid one."""
    facts = facts_at(case.at, case.change)
    found = game(sum(fact.startswith("seat(") for fact in facts), options=case.options)
    return found, symbols_of(found, facts)


def breaks(case: Invalid) -> set[str]:
    found, facts = invalid_position(case)
    return broken(facts)(found.evaluator)


@pytest.mark.slow
def test_invalid_positions_break_their_invariants() -> None:
    wrong = [(str(case), found) for case in INVALID if (found := breaks(case)) != case.invariants]
    assert not wrong


def test_every_invariant_is_broken_by_a_case() -> None:
    invariants = {doc.id for doc in BOOK.docs.values() if doc.kind == "invariant"}
    assert invariants | {"vocabulary", "count", "limit"} == set().union(*(c.invariants for c in INVALID))


@pytest.mark.sample(2)
@pytest.mark.parametrize(("players", "text", "wrong"), BOARDS)
def test_boards_have_their_errors(players: int, text: str, wrong: tuple[str, str] | None) -> None:
    found, _, question, _ = of_board(players, text, wrong)
    assert question(found.evaluator) == wrong


def test_every_rule_about_boards_is_broken_by_a_case() -> None:
    demands = {doc.id for doc in BOOK.docs.values() if doc.kind == "board"}
    assert demands == {wrong[0] for _, _, wrong in BOARDS if wrong} - {""}


# -- probes ------------------------------------------------------------------------------------------------


def of_course(at: Position, moves: Iterable[Mapping[str, str]]) -> Iterator[Asked]:
    """Decisions with the answers of the independent implementation. Some questions are about invariants."""
    found = game_at(at)
    oracle = Krone.from_facts(board_text(), at.facts, found.edition, found.options)
    rng = Random(len(at.facts))
    for chosen in moves:
        yield found, "legal", legal(at.symbols), choices(found, oracle.legal())
        if "chance" in chosen:
            yield found, "weights", weights(at.symbols), oracle.weights()
        oracle.apply(chosen)
        actions = {role: symbols.read_symbol(action) for role, action in chosen.items()}
        following = Position(found.evaluator, symbols_of(found, oracle.facts()))
        yield found, "after", after(at.symbols, actions), following.symbols
        if oracle.votes or rng.random() < 0.1:
            yield found, "exports", counted(following.symbols), counts_of(oracle)
        between = unsettled(at, actions)
        while between != following.symbols and rng.random() < 0.3:
            yield found, "valid", broken(between), set()
            between = found.evaluator.step(between)
        if rng.random() < 0.1:
            yield found, "valid", broken(following.symbols), set()
        at = following
    result = oracle.result()
    yield found, "outcome", outcome(at.symbols), result and (result[0], set(result[1]))
    role = rng.choice([*found.seats, "public"])
    yield found, "view", view(at.symbols, role), symbols_of(found, seen(at.facts, role))


def counted(facts: Facts) -> Question:
    """The numbers that are exported for queries."""
    wanted = [("might", 2), ("voted", 2), ("strength", 2)]

    def question(evaluator: Evaluator) -> Answer:
        everything = {("decision", 2): [most_general(2)], ("due", 1): [], ("submitted", 2): []}
        grounding = Grounding(evaluator.ruleset.program("counted", lambda: everything, wanted), facts)
        return {str(s) for one in wanted for s in grounding.get(*one)}

    return question


def counts_of(oracle: Krone) -> Answer:
    """The same numbers in the independent implementation."""
    found = {f"might({role},{value_of(oracle.hand[role])})" for role in oracle.seats}
    if oracle.votes:
        for side in ("crown", "sword"):
            found |= {f"voted({side},{[*oracle.votes.values()].count(side)})"}
            found |= {f"strength({side},{oracle.strength(side)})"}
    return found


def seen(facts: frozenset[str], role: str) -> frozenset[str]:
    """The facts that a role sees: not the hands and points of others or the draw pile, but the sizes of hands and pile."""
    known, sizes = set(), {"draw_size(": 0}
    own = (f"hand({role},", f"points({role},")
    for fact in facts:
        name, *arguments = fact.replace("(", ",").rstrip(")").split(",")
        if name == "draw" or (name == "hand" and arguments[0] != role):
            pile = f"cards({arguments[0]}," if name == "hand" else "draw_size("
            sizes[pile] = sizes.get(pile, 0) + int(arguments[-1])
        secret = fact.startswith(("hand(", "points(", "draw(")) and fact != "draw(game_end,1)"
        if not secret or fact.startswith(own):
            known.add(fact)
    for other in {f.split("(")[1].split(",")[0] for f in facts if f.startswith("seat(")} - {role}:
        sizes.setdefault(f"cards({other},", 0)
    return frozenset(known | {f"{pile}{size})" for pile, size in sizes.items()})


def decided(at: Position, moves: Iterable[str]) -> list[dict[str, str]]:
    """Moves of a table of cases, each with its roles."""
    found = []
    for move in moves:
        parts = move.split("  ")
        one = {at.to_move[0]: move} if ": " not in move else dict(part.split(": ") for part in parts)
        found.append({role.strip(): action for role, action in one.items()})
        at = at.apply(found[-1])
    return found


def of_record(path: Path) -> Iterator[Asked]:
    """The decisions of a recorded game."""
    record = read(path)
    at = Replay.at(record, 0).here()
    moves: list[dict[str, str]] = []
    pending: dict[str, str] = {}
    here = at
    for move in record.moves:
        pending[move.role] = str(move.action)
        if len(pending) == len(here.to_move):
            moves.append(pending)
            here, pending = here.apply(pending), {}
    yield from of_course(at, moves)


def at_random(seed: int, decisions: int) -> Iterator[Asked]:
    """Some decisions of a random game from a random position."""
    rng = Random(seed)
    found = random_game_of(rng)
    at = found.position(random_position(rng, found))
    oracle = Krone.from_facts(board_text(), at.facts, found.edition, found.options)
    yield from of_course(at, [chosen for _, _, chosen in random_game(oracle, rng, decisions)])


def of_invalid(case: Invalid) -> Asked:
    found, facts = invalid_position(case)
    return found, "invalid", broken(facts), set(case.invariants)


def of_board(players: int, text: str, wrong: tuple[str, str] | None) -> Asked:
    terms = tuple(parse_user_term(fact.strip()) for fact in text.split(".") if fact.strip())
    found = game_under(Configuration("krone", "standard", ROLES[:players], (), (), terms))
    return found, "board", board_problem(tuple(map(symbols.symbol, terms))), wrong


UNKNOWN = (
    "force(with(6,leader3,with(1,castle,none)))",
    "force(with(6,leader3,none))",
    "force(with(0,leader3,with(1,castle,none)))",
    "force(with(0,leader3,none))",
    "force(with(1,castle,with(1,leader3,none)))",
    "force(with(1,leader3,with(2,leader3,none)))",
    "force(with(1,castle,with(1,unrest,none)))",
    "force(with(1,leader3,all))",
    "vote(shield,none)",
    "ambush(3)",
    "large_city(a6,a7)",
    "castle(c1)",
)
"""Actions outside the vocabulary."""

FOREIGN = """shield(x1,red) shield(a1,black) castle(x1) city(x1) large_city(a6,a9) large_city(a9,a10) cathedral(a9) king(black)
    points(black,0) hand(red,unrest,1) hand(black,city,1) hand(red,city,16) draw(game_end,2) draw(city,16) draw(crown,1)
    discard(game_end,1) discard(city,0) people(crown,12) people(shield,1) visit(red,4) turn(black) ap(4) attack(x1)
    revolted vote(red,shield) vote(black,sword) laid(red,unrest,1) laid(red,city,0) revealing(0) revealing(6) phase(end)
    decision(chance,deal(black)) decision(chance,place) decision(red,draw) decision(red,replace) decision(black,turn)"""
"""Facts outside the vocabulary of a game of two under the standard edition."""


def of_vocabulary() -> Iterator[Asked]:
    """All facts of some positions, and facts outside the vocabulary."""
    known: dict[int, set[str]] = {2: set(), 4: set()}
    plain = [(c.at, c.details.get("change", "")) for c in COURSES if not c.options]
    plain += [(c.at, c.details.get("change", "")) for c in LEGAL if not c.options]
    for at, change in plain:
        stated = facts_at(at, change)
        players = sum(fact.startswith("seat(") for fact in stated)
        if players in known:
            known[players] |= stated
    for players, facts in known.items():
        foreign = set(FOREIGN.split()) if players == 2 else {"revolted", "revealing(7)", "turn(white)"}
        found = game(players)
        yield found, "fluents", outside_vocabulary(symbols_of(found, frozenset(facts | foreign))), foreign


def land(evaluator: Evaluator) -> Answer:
    """The fields with their terrain and their neighbours."""
    found = {(str(f), str(g)) for f, g in (s.arguments for s in evaluator.ruleset.facts("next_to", 2))}
    sites = {(str(s), str(o)) for s, o in (s.arguments for s in evaluator.ruleset.facts("plots", 2))}
    return {str(s) for s in evaluator.ruleset.facts("terrain", 2)}, found, sites


def land_of(own: str, pieces: int) -> Answer:
    """The same in the independent implementation. Facts of a board file replace all printed facts of their predicates."""
    facts: list[str] = []
    for name in ("piece", "join", "border"):
        named = re.compile(rf"\b{name}\([^()]*\)")
        facts += named.findall(own) or named.findall(board_text())
    known = parse_board(" ".join(f"{fact}." for fact in facts), pieces)
    found = {(f, g) for f, others in known.neighbours.items() for g in others}
    sites = {(f, g) for f, g in found if known.shape[f] == "square" and known.shape[g] == "octagon"}
    return {f"terrain({f},{terrain})" for f, terrain in known.terrain.items()}, found, sites


def bounds_of_points(evaluator: Evaluator) -> Answer:
    """The numbers of points that a new king must exceed."""
    return {str(s.arguments[0]) for s in evaluator.ruleset.facts("threshold", 1)}


def too_many(facts: Facts) -> Question:
    """The error if there are too many actions to list."""

    def question(evaluator: Evaluator) -> Answer:
        try:
            return evaluator.legal(facts)
        except NotDecided as error:
            return str(error).partition(" to ")[0]

    return question


def all_questions() -> Iterator[Asked]:
    for course in COURSES:
        at = start(course, dict(course.options))
        yield from of_course(at, decided(at, course.moves))
    for path in sorted(EXAMPLES.glob("*.game")):
        if not path.stem.startswith("random"):
            yield from of_record(path)
    for seed in range(8):
        yield from at_random(seed, 12)
    for case in CASES:
        yield of_case(case, case.position(position))
    for invalid in INVALID:
        yield of_invalid(invalid)
    for players, text, wrong in BOARDS:
        asked = of_board(players, text, wrong)
        yield asked
        if not wrong:
            yield asked[0], "land", land, land_of(text, players)
    yield from of_vocabulary()
    for action in UNKNOWN:
        at = position("force")
        question = violated(at.symbols, "red", symbols.read_symbol(action))
        answer = question(at.evaluator)
        assert "action.unknown" in answer
        yield game_at(at), "case", question, answer
    for players in (4, 5):
        fewer = game(players, options=(("pieces", "one_fewer"),))
        yield fewer, "land", land, land_of("", players - 1)
    full = full_hand()
    yield game_at(full), "case", too_many(full.symbols), "red has more than 20000 actions"
    for players in (2, 3, 4, 5):
        found = game(players)
        yield found, "actions", all_actions, all_actions(found.evaluator)
        oracle = Krone(board_text(), found.seats)
        yield found, "initial", Evaluator.initial, symbols_of(found, oracle.facts())
        yield found, "land", bounds_of_points, {str(THRESHOLD[players])}
        yield found, "land", land, land_of("", players)


SUITE = Suite(
    BOOK,
    all_questions,
    invariants=frozenset({"invariants", "setup_invariants", "pending", "underway", "course"}),
    boards=frozenset({"board", "fields"}),
)


@pytest.mark.slow
def test_every_rule_fires() -> None:
    assert SUITE.never_fired() == NEVER.keys()


@pytest.mark.slow
def test_grounding_leaves_no_atom_open() -> None:
    SUITE.assert_no_atom_is_open()


@pytest.mark.long
def test_mutants_are_noticed() -> None:
    SUITE.assert_mutants_are_killed(LEAST)
