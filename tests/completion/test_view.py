"""Records as a role sees the game: what it cannot see is written ``?``."""

import random

import pytest
from games.positions import ATTACK, make
from support.played import game_at
from support.tables import rows

from kaiser_logic.completion.complete import check_view, complete
from kaiser_logic.engine import symbols
from kaiser_logic.engine.ruleset import tags_of
from kaiser_logic.errors import WrongUsage
from kaiser_logic.evaluation.origin import LISTED
from kaiser_logic.game import Game, load
from kaiser_logic.notation.reading import build_record, parse_record
from kaiser_logic.notation.record import Move, PositionBlock, Record, RecordedFact
from kaiser_logic.notation.syntax import parse_user_term
from kaiser_logic.notation.terms import UNKNOWN, Term
from kaiser_logic.play.match import random_actions
from kaiser_logic.position import Position
from kaiser_logic.records.checking import Report, check

EVENTS = {"city_scoring", "unrest", "game_end"}
GAME = load("krone", players=2)


def played(position: Position, seed: int, count: int) -> list[tuple[Move, str]]:
    """The moves of a random game, each with the player whose turn it is."""
    rng, moves = random.Random(seed), []
    while position.decisions and len(moves) < count:
        actions = {role: symbols.text(action) for role, action in random_actions(position, rng).items()}
        turn = next((f[5:-1] for f in position.facts if f.startswith("turn(")), "")
        moves += [(Move(role, parse_user_term(action)), turn) for role, action in actions.items()]
        position = position.apply(actions)
    return moves


def hidden(move: Move, turn: str, viewer: str) -> Move:
    """The move as a role sees it: cards that others are dealt, draw or lay are covered; events are not."""
    action = move.action
    assert action is not None
    covered = {
        "deal": str(action.args[:1]) != str((Term(viewer),)),
        "draw": bool(action.args) and turn != viewer and str(action.args[0]) not in EVENTS,
        "force": move.role != viewer,
        "vote": move.role != viewer,
    }
    if not covered.get(action.name):
        return move
    return Move(move.role, Term(action.name, (*action.args[:-1], UNKNOWN)))


def seen(moves: list[tuple[Move, str]], viewer: str) -> list[Move]:
    """The moves as a role sees them."""
    return [hidden(move, turn, viewer) for move, turn in moves]


def record_of(game: Game, moves: list[Move], start: Position | None = None) -> Record:
    block = [PositionBlock(tuple(RecordedFact(parse_user_term(f)) for f in sorted(start.facts)))] if start else []
    return build_record(list(tags_of(game.ruleset)), [*block, *moves])


def matches(full: Move, covered: Move) -> bool:
    assert full.action is not None
    assert covered.action is not None
    if UNKNOWN in covered.action.args:
        return full.role == covered.role and full.action[:-1] == covered.action[:-1]
    return full == covered


# -- possible records ------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("players", "seed", "count", "viewer"), [(2, 3, 60, "red"), (3, 4, 40, "public")])
def test_views_of_random_games_are_accepted(players, seed, count, viewer):
    game = load("krone", players=players)
    covered = seen(played(game.initial(), seed, count), viewer)
    record = record_of(game, covered)
    assert not check(record).ok
    report = check_view(record, viewer)
    assert report.ok, str(report)
    assert report.judged == report.moves == len(covered)
    (full,) = complete(record, limit=1).records
    assert check(full).ok
    assert all(map(matches, full.moves, covered))


REVOLT = """shield(a5,red) shield(a6,red) castle(a5) city(a6) shield(a10,green) shield(a11,green) castle(a10) city(a11)
    shield(a15,blue) king(red) hand(red,castle,2) hand(red,cathedral,1) hand(red,truce,1) hand(green,leader4,1)
    hand(blue,ambush,1) turn(green) ap(3) decision(green,turn)"""


@pytest.mark.slow
@pytest.mark.parametrize(("players", "text", "first"), [(3, REVOLT, "revolt"), (2, ATTACK, "attack(a11)")])
@pytest.mark.parametrize("seed", [0, 2])
def test_views_of_revolts_and_attacks_are_accepted(players, text, first, seed):
    """A revolt or an attack after a draw, as the public sees it; then the game goes on."""
    start = make(load("krone", players=players), text)
    mover = start.to_move[0]
    before = [(Move(mover, Term("draw")), mover)]
    card = random_actions(start.apply({mover: "draw"}), random.Random(seed))["chance"]
    if card.arguments[0].name in EVENTS:
        card = symbols.symbol(parse_user_term("draw(incite)"))
    before.append((Move("chance", symbols.term(card)), mover))
    before.append((Move(mover, parse_user_term(first)), mover))
    position = start
    for move, _ in before:
        position = position.apply({move.role: str(move.action)})
    covered = seen([*before, *played(position, seed, 12)], "public")
    assert sum(move.action is not None and UNKNOWN in move.action.args for move in covered) >= 2
    record = record_of(game_at(start), covered, start)
    assert check_view(record, "public").ok
    (full,) = complete(record, limit=1).records
    assert check(full).ok
    assert all(map(matches, full.moves, covered))


# -- impossible records ----------------------------------------------------------------------------------------------

DEALT = "chance: deal(red,?)\n" * 4 + "chance: deal(green,?)\n" * 4
PLACED = "red: shield(a10)\ngreen: shield(b20)\nred: shield(a4)\ngreen: shield(a24)\n"
HEAD = '[Game "krone"]\n[Seats "red green"]\n'


def viewed(moves: str, viewer: str = "public") -> Report:
    """The report on a game of two players from its start."""
    return check_view(parse_record(HEAD + moves), viewer)


def expansions(role: str, card: str, *fields: str) -> str:
    """Moves in which a player plays the card once for each field, and stops after the first field."""
    return "".join(f"{role}: expand({card},{field})\n{role}: stop\n" for field in fields)


@pytest.mark.slow
def test_a_third_copy_is_illegal():
    """There are two ambushes, and nobody has seen the hands."""
    two = DEALT + PLACED + expansions("red", "ambush", "a14", "a18")
    assert viewed(two).ok
    report = viewed(two + "red: expand(ambush,a13)\n")
    (fault,) = report.faults
    assert (fault.rule, fault.line, fault.column) == ("cards.hand", 19, 1)
    assert "however the gaps are filled" in fault.message
    assert viewed(two + "red: expand(truce,a13)\n").ok


@pytest.mark.slow
def test_own_cards_are_known_to_their_owner():
    """Red knows its cards. Green's view allows a move that red's view does not."""
    own = "chance: deal(red,castle)\n" * 4 + "chance: deal(green,?)\n" * 4 + PLACED
    assert viewed(own + "red: expand(castle,a14)\n", "red").ok
    (fault,) = viewed(own + "red: expand(city,a14)\n", "red").faults
    assert (fault.rule, fault.line) == ("cards.hand", 15)
    assert viewed(DEALT + PLACED + "red: expand(city,a14)\n", "green").ok


@pytest.mark.sample(5)
@pytest.mark.parametrize(("drawn", "moves", "fits"), rows("completion/completions", "view"))
def test_cards_that_are_laid_must_be_held(drawn, moves, fits):
    """Red holds a leader of 3, two castles and the card that it draws."""
    start = make(load("krone", players=2), ATTACK)
    text = f'[Game "krone"] red: draw chance: draw({drawn}) red: attack(a11) {moves}'
    report = check_view(record_of(game_at(start), list(parse_record(text).moves), start), "public")
    assert report.ok == (fits == "yes"), str(report)
    assert [fault.note for fault in report.faults] == [LISTED] * (fits == "no")


@pytest.mark.slow
def test_a_view_that_matches_no_game_is_refused():
    moves = seen(played(GAME.initial(), 1, 20), "public")
    at = next(k for k, move in enumerate(moves) if str(move.action).startswith("shield("))
    moves[at + 1] = Move(moves[at + 1].role, moves[at].action)
    report = check_view(parse_record(str(record_of(GAME, moves))), "public")
    (fault,) = report.faults
    assert (fault.rule, fault.line, fault.column) == ("field.free", 5 + at + 1, 1)


def test_own_moves_must_be_known():
    moves = [move for move, _ in played(GAME.initial(), 2, 8)]
    record = build_record(list(tags_of(GAME.ruleset)), [*moves, Move("red", None)])
    assert check_view(record, "red").faults[0].rule == "record.view"


def test_only_roles_of_the_game_have_views():
    with pytest.raises(WrongUsage):
        check_view(build_record(list(tags_of(GAME.ruleset)), []), "white")
