"""Completion of records with gaps, compared with brute_force force."""

import os
import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from random import Random

import pytest
from completion.gaps import FOREVER, block
from completion.walks import first_wrong, fits
from games.positions import ATTACK, make
from support import SUPPORT
from support.heap_game import after, variant
from support.played import HEAD, VOTE, opening
from support.tables import rows

from kaiser_logic.completion.complete import Completion, Solutions, check_view, complete, first_fault
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


@pytest.fixture(autouse=True)
def _small_games_can_be_named(monkeypatch):
    """Lets records name the small games; there are two called `bids`."""
    monkeypatch.setenv("KAISER_LOGIC_GAMES", f"{SUPPORT / 'tiny'}{os.pathsep}{SUPPORT}")


def filled(completion: Completion) -> set[Moves]:
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
        [a for a in legal[move.role] if move.action is None or fits(move.action, parse_user_term(a))] for move in group
    ]
    for actions in product(*choices):
        taken = {move.role: action for move, action in zip(group, actions, strict=True)}
        for more in brute_force(position.apply(taken), items[len(roles) :]):
            yield (*((move.role, action) for move, action in zip(group, actions, strict=True)), *more)


def with_gaps(items: Sequence[Item], gaps: Sequence[int]) -> list[Item]:
    """The items with gaps in the place of some moves, which are numbered among the moves."""
    moves = [index for index, item in enumerate(items) if isinstance(item, Move)]
    unknown = {moves[gap] for gap in gaps}
    return [Move(item.role, None) if i in unknown else item for i, item in enumerate(items)]


def record_of(position: Position, items: Sequence[Item]) -> Record:
    return build_record(tags_of(position.ruleset), [block(position), *items])


# -- compared with brute force ----------------------------------------------------------------------------------


@pytest.mark.sample(12)
@pytest.mark.parametrize("row", rows("completion/completions", "random"))
def test_completion_agrees_with_brute_force(row):
    game, *numbers, gaps, end = row.split()
    players, seed, before, length = map(int, numbers)
    random = Random(seed)
    _, start = play(load(game, players=players).initial(), before, random)
    moves, last = play(start, length, random)
    items: list[Item] = with_gaps(moves, list(map(int, gaps.split(","))))
    if end == "position":
        items.append(block(last))
    elif end == "facts":
        some = sorted(s for s in last.symbols if s.name not in ("decision", "phase"))
        items.append(Assertion(tuple(Literal(True, symbols.term(s)) for s in random.sample(some, len(some) // 2))))
    expected = set(brute_force(start, items))
    completion = complete(record_of(start, items), limit=len(expected) + 5, began=FOREVER)
    assert filled(completion) == expected
    assert completion.unique == (len(expected) == 1)
    assert all(check(record).ok for record in completion.records[:3])


REVOLT = """shield(a5,red) shield(a6,red) castle(a5) city(a6) shield(a10,green) shield(a11,green) castle(a10) city(a11)
    king(red) hand(red,castle,1) hand(red,cathedral,1) hand(green,leader4,1) hand(green,truce,1) hand(blue,ambush,1)
    turn(green) ap(2) decision(green,turn)"""


@cache
def at(name: str) -> Position:
    if name in ("heap", "election"):
        facts = (f"{fact}." for fact in "".join(VOTE.split()).split(".") if fact)
        return after() if name == "heap" else load("kaiser").position(facts)
    texts = {"attack": ATTACK, "hurried": ATTACK.replace("ap(3)", "ap(2)"), "revolt": REVOLT}
    return make(load("krone", players=3 if name == "revolt" else 2), texts[name])


@pytest.mark.sample(4)
@pytest.mark.parametrize(("name", "text", "number"), rows("completion/completions", "same"))
def test_completion_of_sets_agrees_with_brute_force(name, text, number):
    items = parse_record(f'[Game "krone"] {text}').items
    expected = set(brute_force(at(name), items))
    assert len(expected) == int(number)
    completion = complete(record_of(at(name), items), limit=len(expected) + 5)
    assert filled(completion) == expected
    assert completion.impossible == (not expected)
    assert all(check(record).ok for record in completion.records[:3])


LOW = """seat(red,1). seat(green,2). phase(bidding). decision(red,bid). decision(green,bid). round(2).
    made_bid(1,red,low). made_bid(1,green,low)."""
"""The position of `bids` after a round in which both bid low."""


def record_in(game: str, text: str) -> Record:
    """A record of the table: positions take the place of their names."""
    facts = {
        "LOW": " ".join(LOW.split()),
        **{n.upper(): " ".join(f"{f}." for f in at(n).facts) for n in ("election", "attack") if n.upper() in text},
    }
    for name, its in facts.items():
        text = text.replace(name, f"position {{ {its} }}")
    seats = '[Seats "red green"] ' if game == "krone" else ""
    return parse_record(f'[Game "{game}"] {seats}\n{text}')


@pytest.mark.parametrize(("game", "text", "expected"), rows("completion/completions", "filled"))
def test_a_record_is_filled_or_has_a_fault(game, text, expected):
    """Expected are the actions of all completions, their number, or the place, the rule and a part of the fault."""
    if expected.startswith("unreadable"):
        with pytest.raises(UnreadableInput, match=expected.split()[1]):
            complete(record_in(game, text))
        return
    completion = complete(record_in(game, text), limit=100, began=FOREVER)
    assert all(check(record).ok for record in completion.records)
    found = sorted(" ".join(str(move.action) for move in r.moves) for r in completion.records)
    assert completion.impossible == (expected[0] in "nf" or ":" in expected.split(maxsplit=1)[0])
    if completion.impossible:
        fault = completion.fault
        where = re.match(r"(?:none|fault|(\d+:\d+) (\S+)) ?(.*)", expected)
        assert fault is not None and where is not None and where[3] in str(fault)
        assert where[1] is None or (f"{fault.line}:{fault.column}", fault.rule) == where.groups()[:2], fault
    elif "(" in expected:
        assert found == sorted(expected.split(" / "))
    else:
        assert len(found) > 1 if expected == "several" else len(found) == int(expected), found


@pytest.mark.parametrize(("game", "text", "place"), rows("completion/completions", "varied"))
def test_variations_of_a_record_with_gaps_are_kept_but_not_judged(game, text, place):
    record = record_in(game, text)
    completion = complete(record)
    assert completion.records
    assert all(one.variations.keys() == record.variations.keys() for one in completion.records)
    with pytest.raises(UnreadableInput, match=rf"{place}: a variation"):
        check_view(record, "public")


# -- kinds of gaps --------------------------------------------------------------------------------------------------


def test_missing_votes_are_completed():
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


# -- no completion, unreadable records, limits ----------------------------------------------------------------------


def test_timeout_is_not_decided():
    with pytest.raises(NotDecided, match="within 0 seconds"):
        complete(parse_record(f"{HEAD}red: ?"), timeout=0)


def test_progress_counts_moves():
    messages: list[str] = []
    complete(parse_record(HEAD + opening()), progress=messages.append)
    assert messages[-1].startswith("move ")


# -- records of positions only ---------------------------------------------------------------------------------------


# The first fault of a record with gaps, compared with brute force.
START = load(SUPPORT / "relay").initial()


def relay(*lines: str) -> Segment:
    return Segment(START, parse_record("\n".join(['[Game "relay"]', *lines])).items)


def fault_of(*lines: str) -> Fault | None:
    """The fault, or None if the gaps can be filled. Its line counts from the record's tag."""
    solutions = Solutions(relay(*lines), FOREVER)
    return solutions.fault if next(iter(solutions), None) is None else None


@pytest.mark.slow
def test_first_fault_agrees_with_brute_force():
    """All records of three items, and those of four items that begin with gaps."""
    pool = ("red: ?", "green: ?", "red: go", "green: go", "green: stay", "assert { together. }")
    records = [*product(pool, repeat=3), *product(["red: ?"], ["green: go", "green: ?"], pool, pool)]
    faults = 0
    for lines in records:
        fault = fault_of(*lines)
        assert first_wrong(START, relay(*lines).items) == (fault.line - 2 if fault else None), lines
        faults += fault is not None
    assert 0 < faults < len(records)


def test_a_timeout_makes_the_fault_vague():
    """The fault then claims neither that it is the first one nor that a move is illegal with every filling."""

    def late(_: Segment) -> None:
        raise NotDecided("too late")

    part = relay("red: ?", "green: go", "red: ?")
    assert isinstance(part.items[1], Move)
    fault = first_fault(part, [DeadEnd(part.items[1], 3, "this is illegal however the gaps are filled.")], late)
    assert fault.line == 4
    assert "not found in time" in fault.message
    assert "illegal" not in fault.message


def test_an_illegal_move_comes_before_an_invalid_position():
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


def test_an_assertion_between_positions_must_hold():
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
def test_a_game_in_which_somebody_decides_is_not_over(tmp_path, result, possible):
    """The rulebook says `terminal` while a decision is pending: a replay goes on, and so do the gaps of a record."""
    folder = variant(tmp_path, {"due(pass_on), not holds_at_least(1).": "due(pass_on)."}, SUPPORT / "tiny" / "nim")
    record = parse_record(f'[Game "nim"] [Result "{result}"] red: ?').with_rules(folder)
    assert bool(complete(record).records) == possible
    assert check(parse_record(f'[Game "nim"] [Result "{result}"] red: take(1)').with_rules(folder)).ok == possible
