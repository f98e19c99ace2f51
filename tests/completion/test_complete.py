"""Completion of records with gaps, compared with brute_force force."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from random import Random

import pytest
from completion.gaps import FOREVER, amounts, block, games, segment
from completion.walks import first_wrong, fits
from games.positions import ATTACK, make
from support.heap_positions import after
from support.played import ELECTION, HEAD, opening

from kaiser_logic.completion.complete import Completion, Solutions, complete, first_fault
from kaiser_logic.completion.symbolic_replay import DeadEnd, Segment
from kaiser_logic.engine import symbols
from kaiser_logic.engine.ruleset import tags_of
from kaiser_logic.errors import NotDecided, UnreadableInput
from kaiser_logic.game import load
from kaiser_logic.notation.reading import build_record, parse_record
from kaiser_logic.notation.record import Assertion, Item, Literal, Move, PositionBlock, Record
from kaiser_logic.notation.syntax import parse_user_term
from kaiser_logic.notation.terms import Term
from kaiser_logic.play.match import random_actions
from kaiser_logic.position import Position
from kaiser_logic.records.checking import check
from kaiser_logic.records.fault import Fault

Moves = tuple[tuple[str, str], ...]


def filled(completion: Completion) -> set[Moves]:
    """The moves of all completions."""
    return {tuple((move.role, str(move.action)) for move in record.moves) for record in completion.records}


def whole(position: Position) -> Assertion:
    return Assertion(tuple(Literal(True, symbols.term(s)) for s in position.symbols))


def play(position: Position, moves: int, random: Random) -> tuple[list[Move], Position]:
    """Moves of a random game from a position, and the position after them."""
    played: list[Move] = []
    while len(played) < moves and position.to_move:
        actions = random_actions(position, random)
        played += (Move(role, symbols.term(action)) for role, action in actions.items())
        position = position.apply({role: symbols.text(action) for role, action in actions.items()})
    return played, position


def brute_force(position: Position, items: Sequence[Item]) -> Iterator[Moves]:
    """All solutions, found by trying every legal action. No simultaneous decision may be missing."""
    if not items:
        yield ()
        return
    first, *rest = items
    if isinstance(first, Assertion):
        if all((str(one.fact) in position.facts) == one.positive for one in first.literals):
            yield from brute_force(position, rest)
        return
    if isinstance(first, PositionBlock):
        if {str(term) for term in first.terms} == position.facts:
            yield from brute_force(position, rest)
        return
    roles = position.to_move
    group = [item for item in items[: len(roles)] if isinstance(item, Move)]
    if {move.role for move in group} != set(roles):
        return
    legal = position.legal()
    choices = [
        [a for a in legal[move.role] if move.action is None or fits(move.action, parse_user_term(a))]
        for move in group
    ]
    for actions in product(*choices):
        taken = {move.role: action for move, action in zip(group, actions, strict=True)}
        for more in brute_force(position.apply(taken), items[len(roles) :]):
            yield (*((move.role, action) for move, action in zip(group, actions, strict=True)), *more)


def with_gaps(items: Sequence[Item], gaps: Sequence[int]) -> list[Item]:
    """The items with gaps in the place of some moves, which are numbered among the moves."""
    moves = [index for index, item in enumerate(items) if isinstance(item, Move)]
    unknown = {moves[gap] for gap in gaps}
    return [Move(item.role, None) if i in unknown else item for i, item in enumerate(items)]  # type: ignore[union-attr]


def record_of(position: Position, items: Sequence[Item]) -> Record:
    return build_record(tags_of(position.ruleset), [block(position), *items])


# -- compared with brute force ----------------------------------------------------------------------------------


@pytest.mark.sample(12)
@pytest.mark.parametrize(
    ("game", "players", "seed", "before", "length", "gaps", "end"),
    [
        ("kaiser", 4, 1, 0, 5, (1, 3), "position"),
        ("kaiser", 4, 2, 3, 4, (0, 2), "nothing"),
        ("kaiser", 4, 3, 14, 6, (1, 4), "facts"),
        ("kaiser", 2, 4, 0, 6, (0, 1, 5), "facts"),
        ("kaiser", 2, 5, 16, 4, (0,), "facts"),
        ("kaiser", 3, 6, 22, 5, (1,), "position"),
        ("kaiser", 4, 7, 30, 8, (2,), "facts"),
        ("kaiser", 4, 8, 34, 7, (0, 5), "facts"),
        ("kaiser", 4, 9, 38, 9, (1, 3, 6), "nothing"),
        ("kaiser", 2, 10, 28, 8, (4,), "position"),
        ("kaiser", 3, 11, 40, 8, (1,), "facts"),
        ("krone", 3, 1, 30, 8, (1,), "facts"),
        ("krone", 3, 2, 60, 9, (3, 7), "facts"),
        ("krone", 4, 3, 100, 6, (2,), "nothing"),
    ],
)
def test_completion_agrees_with_brute_force(
    game: str, players: int, seed: int, before: int, length: int, gaps: tuple[int, ...], end: str
) -> None:
    random = Random(seed)
    _, start = play(load(game, players=players).initial(), before, random)
    moves, last = play(start, length, random)
    items: list[Item] = with_gaps(moves, gaps)
    if end == "position":
        items.append(block(last))
    elif end == "facts":
        some = sorted(s for s in last.symbols if s.name not in ("decision", "phase"))
        items.append(
            Assertion(tuple(Literal(True, symbols.term(s)) for s in random.sample(some, len(some) // 2)))
        )
    expected = set(brute_force(start, items))
    completion = complete(record_of(start, items), limit=len(expected) + 5)
    assert filled(completion) == expected
    assert completion.unique == (len(expected) == 1)
    assert all(check(record).ok for record in completion.records[:3])


REVOLT = """shield(a5,red) shield(a6,red) castle(a5) city(a6) shield(a10,green) shield(a11,green) castle(a10) city(a11)
    king(red) hand(red,castle,1) hand(red,cathedral,1) hand(green,leader4,1) hand(green,truce,1) hand(blue,ambush,1)
    turn(green) ap(2) decision(green,turn)"""
REVEALED = "chance: reveal(sword) " * 4


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("players", "start", "number", "moves"),
    [
        (2, ATTACK, 15, "red: attack(a11) red: force(?) green: ?"),
        (2, ATTACK, 5, "red: attack(a11) red: force(with(1,leader3,?)) green: ? assert { shield(a11,red). }"),
        (
            2,
            ATTACK,
            1,
            "red: attack(a11) red: force(with(?,castle,none)) green: ambush(1) assert { shield(a11,green). }",
        ),
        (2, ATTACK, 6, "red: attack(a11) red: force(with(1,?,with(?,castle,none))) green: ?"),
        (2, ATTACK, 3, "red: attack(a11) red: ? green: ambush(?) assert { not hand(red,castle,1). }"),
        (2, ATTACK, 0, "red: attack(a11) red: force(with(?,castle,with(1,leader3,none))) green: none"),
        (
            2,
            ATTACK,
            53,
            """red: draw chance: draw(?) red: attack(a11) red: force(?) green: ambush(1)
            assert { shield(a11,red). }""",
        ),
        (2, ATTACK.replace("ap(3)", "ap(2)"), 9, "red: ? red: ? assert { hand(red,castle,1). turn(red). }"),
        (2, ATTACK, 2, "red: attack(a11) red: force(?) green: none red: expand(leader3,a14)"),
        (
            2,
            ATTACK,
            16,
            "red: draw chance: draw(?) red: attack(a11) red: force(with(3,?,?)) green: truce red: ?",
        ),
        (
            3,
            REVOLT,
            32,
            "green: revolt red: vote(crown,?) green: vote(sword,?) blue: ? chance: reveal(crown)",
        ),
        (
            3,
            REVOLT,
            1,
            f"""green: revolt red: vote(crown,?) green: vote(?,?) blue: vote(?,with(1,?,none)) {REVEALED}
            assert {{ king(red). }}""",
        ),
        (3, REVOLT, 0, "green: revolt red: vote(sword,?) green: vote(sword,none) blue: vote(sword,?)"),
        (
            3,
            REVOLT,
            7,
            f"""green: draw chance: draw(?) green: revolt red: vote(crown,none) green: vote(sword,with(1,?,none))
            blue: vote(sword,none) {REVEALED} assert {{ king(green). not discard(leader4,1). }}""",
        ),
    ],
)
def test_completion_of_sets_agrees_with_brute_force(
    players: int, start: str, number: int, moves: str
) -> None:
    """Sets of unknown cards from known and unknown hands."""
    position = make(load("krone", players=players), start)
    items = parse_record(f'[Game "krone"] {moves}').items
    expected = set(brute_force(position, items))
    assert len(expected) == number
    completion = complete(record_of(position, items), limit=number + 5)
    assert filled(completion) == expected
    assert completion.impossible == (number == 0)
    assert all(check(record).ok for record in completion.records[:3])


# -- kinds of gaps --------------------------------------------------------------------------------------------------


def test_a_record_without_gaps_is_its_completion() -> None:
    record = parse_record(HEAD + opening())
    completion = complete(record)
    assert completion.records == (record,)
    assert completion.unique
    assert not completion.differs


def test_unknown_arguments_are_completed() -> None:
    text = HEAD + opening().replace("red: empire_city(boehmen)", "red: empire_city(?)")
    completion = complete(parse_record(text), limit=10)
    assert all(check(record).ok for record in completion.records)
    assert {str(record.moves[0].action)[:12] for record in completion.records} == {"empire_city("}
    assert len(completion.records) > 2
    assert completion.differs[0].number == 1
    assert "move 1: red: empire_city(" in str(completion.differs[0])


def test_an_unknown_argument_without_a_legal_value() -> None:
    completion = complete(parse_record(f"{HEAD}red: elector(?)"))
    assert completion.impossible
    assert completion.fault is not None
    assert (completion.fault.line, completion.fault.column) == (2, 1)
    assert "red has no such legal action here" in str(completion.fault)


@pytest.mark.parametrize(
    ("rest", "expected"),
    [
        ("green: vote(rival)", {("rival",)}),  # a record may end before the others have voted
        ("green: ?", {("emperor",), ("rival",)}),
        ("green: vote(emperor) assert { points(yellow,10). }", {("emperor", "emperor")}),
        ("green: vote(emperor) assert { points(green,20). }", {("emperor",)}),
        ("green: vote(rival) assert { emperor(red). }", set()),
        (
            "assert { phase(election). } green: ? assert { phase(election). } yellow: vote(rival)",
            {("?", "rival")},
        ),
        ("green: vote(rival) yellow: ? assert { phase(over). }", {("rival", "?")}),
        # the vocabulary lists the votes one by one, so vote(?) itself is none of them
        ("green: vote(rival) yellow: vote(?)", {("rival", "?")}),
        ("green: vote(?) yellow: vote(?)", {("?", "?")}),
    ],
)
def test_unknown_votes_are_completed(rest: str, expected: set[tuple[str, ...]]) -> None:
    completion = complete(parse_record(ELECTION + rest), limit=100)
    for record in completion.records:
        assert check(record).ok, check(record)
    wanted: set[tuple[str, ...]] = set()
    for votes in expected:
        wanted |= set(product(*(["emperor", "rival"] if vote == "?" else [vote] for vote in votes)))
    assert {tuple(str(m.action)[5:-1] for m in record.moves) for record in completion.records} == wanted


def test_the_fault_names_the_wrong_simultaneous_decision() -> None:
    """The fault is not simply the last of the simultaneous decisions."""
    moves = "green: enthrone(elector(pfalz),15,couple)\nyellow: vote(rival)\nred: ?\n"
    fault = complete(parse_record(ELECTION + moves)).fault
    assert fault is not None
    assert (fault.role, fault.line, fault.rule) == ("green", ELECTION.count("\n") + 1, "election.enthrone")


def test_missing_votes_are_completed() -> None:
    """In the middle of a game. An assertion after the votes is about the position after all of them."""
    random = Random(1)
    voting = load("kaiser").initial()
    while len(voting.to_move) < 2:
        start = voting if voting.to_move else load("kaiser").initial()
        _, voting = play(start, 1, random)
    moves, position = play(voting, 2, random)
    more, _ = play(position, 3, random)
    for later in ([], [whole(position)]):
        unknown = [Move(moves[0].role, None), moves[1], *later, *more]
        completion = complete(record_of(voting, [moves[1], *later, *more]), limit=100)
        found = {tuple(sorted(moves[:2])) + moves[2:] for moves in filled(completion)}
        assert found == {tuple(sorted(moves[:2])) + moves[2:] for moves in brute_force(voting, unknown)}
        assert all(check(record).ok for record in completion.records)


def test_a_result_demands_the_missing_votes() -> None:
    """The record states a result, so the last vote is missing."""
    text = ELECTION.replace(HEAD, HEAD.rstrip() + ' [Result "green"]\n')
    completion = complete(parse_record(f"{text}green: vote(emperor)"), limit=10)
    assert len(completion.records) == 2
    assert all(len(record.moves) == 2 and check(record).ok for record in completion.records)
    assert complete(parse_record(f"{text.replace('green', 'red', 1)}green: ?")).impossible
    unfinished = complete(parse_record(f"{text.replace('green', '*', 1)}green: ? yellow: ?"))
    assert all(check(record).ok for record in unfinished.records)


# -- no completion, unreadable records, limits ----------------------------------------------------------------------


def test_an_illegal_move_is_the_fault() -> None:
    completion = complete(parse_record(f"{HEAD}red: ?\ngreen: elector(koeln)\nblue: elector(koeln)"))
    assert completion.impossible
    assert completion.fault is not None
    assert (completion.fault.line, completion.fault.rule) == (4, "setup.elector.vacant")


def test_faulty_records_are_impossible() -> None:
    for text in (
        f"{HEAD}assert {{ nonsense(1). }}",
        f"{HEAD}red: nonsense(1)",
        f"{HEAD}purple: ?",
        f'{HEAD}[Emperor "purple"]\nred: ?',
        f"{HEAD}position {{ seat(red,1). }}\nred: ?",
    ):
        completion = complete(parse_record(text))
        assert completion.impossible
        assert completion.fault is not None
    with pytest.raises(UnreadableInput, match="2:12"):
        complete(parse_record(f"{HEAD}position {{ round(?). }}\nred: ?"))


def test_timeout_is_not_decided() -> None:
    with pytest.raises(NotDecided, match="within 0 seconds"):
        complete(parse_record(f"{HEAD}red: ?"), timeout=0)


def test_progress_counts_moves() -> None:
    messages: list[str] = []
    complete(parse_record(HEAD + opening()), progress=messages.append)
    assert messages[-1].startswith("move ")


@pytest.mark.parametrize(
    ("moves", "place", "rule"),
    [
        ("chance: draw(?)\nred: papal_visit\n\n  green: city(a11)", (6, 3), "cards.hand"),
        ("chance: draw(?)\nred: castle(a11)", (4, 1), "build.own"),
        ("chance: draw(?)\nred: attack(a11)\nred: force(with(2,ambush,?))", (5, 1), "complete.none"),
        ("chance: draw(?)\nred: attack(a11)\nred: force(with(2,ambush,none))", (5, 1), "attack.force.battle"),
        (
            "chance: draw(?)\nred: attack(a11)\nred: force(with(1,cathedral,with(1,truce,none)))",
            (5, 1),
            "attack.force.battle",
        ),
        ("chance: draw(?)\nred: papal_visit\nred: incite", (5, 1), "cards.hand"),
        ("chance: draw(?)\nred: fly", (4, 1), "action.unknown"),
    ],
)
def test_the_fault_names_place_and_rule(moves: str, place: tuple[int, int], rule: str) -> None:
    """The move breaks this rule with every filling of the gap."""
    start = make(load("krone", players=2), ATTACK)
    items = parse_record(f'[Game "krone"]\nred: draw\n{moves}\n').items
    completion = complete(record_of(start, items))
    assert completion.impossible
    assert completion.fault is not None
    assert (completion.fault.line, completion.fault.column) == place
    assert completion.fault.rule == rule


# -- records of positions only ---------------------------------------------------------------------------------------


def test_all_moves_between_two_positions_are_found() -> None:
    random = Random(6)
    start = load("kaiser", players=2).initial()
    _, last = play(start, 4, random)
    completion = complete(record_of(start, [block(last)]), max_gap=4, limit=5)
    assert completion.unique
    assert len(completion.records[0].moves) == 4
    none = complete(record_of(start, [block(last)]), max_gap=3)
    assert none.impossible
    assert none.fault is not None
    assert "at most 3" in none.fault.message


# Solutions of segments of the heap game, compared with brute force.
def filled_of_solutions(*arguments: object, **named: object) -> set[tuple[int, ...]]:
    solutions = list(Solutions(segment(*arguments, **named), FOREVER))  # type: ignore[arg-type]
    assert len(set(map(amounts, solutions))) == len(solutions)
    return set(map(amounts, solutions))


def test_all_moves_unknown() -> None:
    assert filled_of_solutions("red: ? green: ? red: ?") == games(3)


def test_assertions_restrict_solutions() -> None:
    found = filled_of_solutions(
        "red: ? assert { not taken(red,2). } green: take(2) red: ? assert { heap(6). }"
    )
    assert found == {(1, 2, 3), (3, 2, 1)}
    assert filled_of_solutions("red: ? assert { heap(6). }") == set()


def test_the_end_restricts_solutions() -> None:
    found = filled_of_solutions("red: ? green: ? red: ?", end=after(1, 2, 3))
    assert found == {(a, 2, 4 - a) for a in (1, 2, 3)}


def test_the_result_restricts_solutions() -> None:
    """Whoever takes the last stone wins. Four moves end the game only if each takes three stones; green takes last."""
    moves = "red: ? green: ? red: ? green: ?"
    assert filled_of_solutions(moves, result=("green",)) == {(3, 3, 3, 3)}
    assert filled_of_solutions(moves, result=("red",)) == set()
    assert filled_of_solutions(moves, result=()) == games(4) - {(3, 3, 3, 3)}


def test_the_last_illegal_move_is_the_fault() -> None:
    solutions = Solutions(
        segment("red: ?\ngreen: take(3)\nred: take(3)\ngreen: take(3)\nred: take(3)\n"), FOREVER
    )
    assert list(solutions) == []
    assert solutions.fault is not None
    assert (solutions.fault.line, solutions.fault.rule) == (6, "take.enough")
    done = Solutions(segment("red: ?"), FOREVER)
    assert len(list(done)) == 3
    assert done.fault is None


def test_a_move_out_of_turn_is_the_fault() -> None:
    solutions = Solutions(segment("red: ?\nred: take(1)"), FOREVER)
    assert list(solutions) == []
    assert solutions.fault is not None
    assert solutions.fault.line == 3


def test_a_passed_deadline_is_not_decided() -> None:
    with pytest.raises(NotDecided):
        list(Solutions(segment("red: ?"), time.monotonic() - 1))


# The first fault of a record with gaps, compared with brute force.
SUPPORT = Path(__file__).parents[1] / "support"
START = load(SUPPORT / "relay").initial()


def relay(*lines: str) -> Segment:
    return Segment(START, parse_record("\n".join(['[Game "relay"]', *lines])).items)  # type: ignore[arg-type]


def fault_of(*lines: str) -> Fault | None:
    """The fault, or None if the gaps can be filled. Its line counts from the record's tag."""
    solutions = Solutions(relay(*lines), FOREVER)
    return solutions.fault if next(iter(solutions), None) is None else None


@pytest.mark.parametrize("last", ["red: ?", "red: go", "red: open(both)"])
def test_a_move_that_is_legal_in_another_branch_is_not_the_fault(last: str) -> None:
    """Green may go alone, and then runs again. If both go together, red's move is legal only in that branch."""
    assert fault_of("red: ?", "green: go") is None
    fault = fault_of("red: ?", "green: go", last)
    assert fault is not None
    assert (fault.line, fault.role) == (4, "red")


def test_a_move_that_no_branch_allows_is_the_fault() -> None:
    fault = fault_of("red: open(both)", "green: go", "red: ?")
    assert fault is not None
    assert (fault.line, fault.rule) == (3, "run.together")
    assert "illegal however the gaps are filled" in fault.message


@pytest.mark.slow
def test_first_fault_agrees_with_brute_force() -> None:
    """All records of three items, and those of four items that begin with gaps."""
    pool = ("red: ?", "green: ?", "red: go", "green: go", "green: stay", "assert { together. }")
    records = [*product(pool, repeat=3), *product(["red: ?"], ["green: go", "green: ?"], pool, pool)]
    faults = 0
    for lines in records:
        fault = fault_of(*lines)
        assert first_wrong(START, relay(*lines).items) == (fault.line - 2 if fault else None), lines
        faults += fault is not None
    assert 0 < faults < len(records)


def test_an_assertion_between_two_votes_is_about_the_position_before_them() -> None:
    start = load(SUPPORT / "tiny" / "sealed").initial()
    text = '[Game "sealed"]\ngreen: show(up)\nassert { decision(green,claim). }\nred: ?'
    items = parse_record(text).items
    solutions = Solutions(Segment(start, items), FOREVER)  # type: ignore[arg-type]
    assert list(solutions) == []
    assert solutions.fault is not None
    assert solutions.fault.line == 3
    assert first_wrong(start, items) == 1


def test_a_timeout_makes_the_fault_vague() -> None:
    """The fault then claims neither that it is the first one nor that a move is illegal with every filling."""

    def late(_: Segment) -> None:
        raise NotDecided("too late")

    part = relay("red: ?", "green: go", "red: ?")
    assert isinstance(part.items[1], Move)
    fault = first_fault(
        part, [DeadEnd(part.items[1], 3, "this is illegal however the gaps are filled.")], late
    )
    assert fault.line == 4
    assert "not found in time" in fault.message
    assert "illegal" not in fault.message


def test_an_illegal_move_comes_before_an_invalid_position() -> None:
    """The position after the move breaks an invariant."""
    game = load("kaiser")
    start = game.initial()
    position = block(start)
    invalid = PositionBlock(position.facts[:-3])
    (role,) = start.to_move
    tags = list(tags_of(start.ruleset))
    wrong = complete(build_record(tags, [position, Move(role, Term("nonsense")), invalid]), limit=1)
    assert wrong.fault is not None
    assert wrong.fault.rule == "action.unknown"
    right = complete(build_record(tags, [position, Move(role, None), invalid]), limit=1)
    assert right.fault is not None
    assert right.fault.rule == "record.position"


def test_an_assertion_between_positions_must_hold() -> None:
    start = load("kaiser").initial()
    (role,) = start.to_move
    after = start.apply({role: start.legal()[role][0]})
    tags = list(tags_of(start.ruleset))
    false = Assertion((Literal(True, Term("round", (4,))),))
    made = complete(build_record(tags, [block(start), false, block(after)]), limit=1)
    assert made.fault is not None
    assert "round(4) cannot hold here" in made.fault.message
    true = Assertion((Literal(False, Term("round", (4,))),))
    assert complete(build_record(tags, [block(start), true, block(after)]), limit=1).records


@pytest.mark.parametrize(("result", "possible"), [("*", True), ("red", False)])
def test_a_game_in_which_somebody_decides_is_not_over(tmp_path: Path, result: str, possible: bool) -> None:
    """The rulebook says `terminal` while a decision is pending: a replay goes on, and so do the gaps of a record."""
    folder = tmp_path / "nim"
    shutil.copytree(SUPPORT / "tiny" / "nim", folder)
    rules = folder / "rules.lp"
    text = rules.read_text(encoding="utf-8")
    assert "due(pass_on), not holds_at_least(1)." in text
    rules.write_text(text.replace("due(pass_on), not holds_at_least(1).", "due(pass_on)."), encoding="utf-8")
    record = parse_record(f'[Game "nim"] [Result "{result}"] red: ?').with_rules(folder)
    assert bool(complete(record).records) == possible
    assert (
        check(parse_record(f'[Game "nim"] [Result "{result}"] red: take(1)').with_rules(folder)).ok
        == possible
    )
