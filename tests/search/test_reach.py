"""The search for games that lead to a position, compared with brute force."""

from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from games.positions import ATTACK, make
from support.heap_game import FOLDER, variant
from support.lamps import lamps, never, switch
from support.limits import NO_END

from kaiser_logic.batch.optional import is_installed
from kaiser_logic.engine import symbols
from kaiser_logic.errors import NotDecided, WrongUsage
from kaiser_logic.evaluation.verdict import InvalidPosition
from kaiser_logic.game import load
from kaiser_logic.notation.record import PositionBlock, Record
from kaiser_logic.position import Position
from kaiser_logic.records.checking import check
from kaiser_logic.search.reach import find_reachable, reach
from kaiser_logic.search.search import SearchLimits
from kaiser_logic.unrolling.circuit import Circuit, Literal
from kaiser_logic.unrolling.symbolic_state import SymbolicState


class Facts:
    """A goal: for each prefix in ``some`` a fact holds that begins so, and for none of those in ``none``."""

    def __init__(self, some: tuple[str, ...], none: tuple[str, ...] = (), words: tuple[str, ...] = ()) -> None:
        self.some = some
        self.none = none
        self.words = frozenset(words)

    def distance(self, position: Position) -> int:
        absent = sum(not any(f.startswith(start) for f in position.facts) for start in self.some)
        return absent + sum(any(f.startswith(start) for f in position.facts) for start in self.none)

    def holds(self, position: Position) -> bool:
        return self.distance(position) == 0


class SymbolicFacts(Facts):
    """The same goal, also for symbolic states."""

    def literal(self, state: SymbolicState, circuit: Circuit) -> Literal:
        def some(start: str) -> Literal:
            return circuit.disj(v for f, v in state.facts.items() if symbols.text(f).startswith(start))

        return circuit.conj([*map(some, self.some), *(-some(start) for start in self.none)])


ELECTED = (
    ("elector(koeln,green,", "phase(emperor_action)", "round(1)"),
    ("aristocrat(trier,red,", "elector(trier,red,"),
    ("green", "koeln"),
)
"""After the first election Green is elector of Köln, and Red has no tile in Trier."""


def shortest(start: Position, holds: Callable[[Position], bool], most: int) -> int | None:
    """The least number of steps to a position where the goal holds, by brute force."""
    layer, seen = {start}, {start}
    for steps in range(most + 1):
        if any(map(holds, layer)):
            return steps
        layer = {
            position.apply(dict(zip(legal, actions, strict=True)))
            for position in layer
            if (legal := position.legal())
            for actions in product(*legal.values())
        } - seen
        seen |= layer
    return None


def led_to(record: Record) -> Position:
    found = check(record)
    assert found.ok, found
    assert found.final is not None
    return found.final


@pytest.fixture
def without_a_first_look(monkeypatch):
    """The search that comes first looks at no position, so that the others have to answer."""
    monkeypatch.setattr("kaiser_logic.search.reach._LOOKED", 0)


@pytest.mark.slow
@pytest.mark.parametrize(("goal", "seed"), [(SymbolicFacts(*ELECTED), 0), (Facts(*ELECTED), 2)])
def test_a_goal_after_the_first_election(goal, seed):
    game = load("kaiser", seats=["red", "green", "blue", "yellow"], emperor="blue")
    (record,) = reach(game, goal, SearchLimits(moves=60, positions=8_000, seconds=NO_END), seed=seed).records
    assert goal.holds(led_to(record))
    assert len(record.moves) <= 60
    assert record.tag("Emperor") == "blue"
    assert record.seats == game.seats
    assert not isinstance(record.items[0], PositionBlock)


@pytest.mark.parametrize(
    ("goal", "most"),
    [
        (SymbolicFacts(("knight(",)), 3),
        pytest.param(
            SymbolicFacts(("aristocrat(boehmen,green,35,couple,1)", "elector(koeln,")), 4, marks=pytest.mark.long
        ),
        pytest.param(
            SymbolicFacts(("elector(boehmen,", "decision(green,setup_aristocrat)")), 5, marks=pytest.mark.long
        ),
    ],
)
def test_shortest_games_are_found(goal, most):
    """The search finds a shortest game and proves that it is one, or proves that there is none."""
    start = load("kaiser", players=2).initial()
    expected = shortest(start, goal.holds, most)
    result = reach(start, goal, SearchLimits(most, seconds=NO_END), smallest=True)
    assert result.proved_none
    assert [len(record.moves) for record in result.records] == ([] if expected is None else [expected])
    assert all(goal.holds(led_to(record)) for record in result.records)


def test_several_games_lead_to_different_positions():
    plain = Facts(("empire_city(boehmen,", "elector(trier,green,"))
    result = reach(load("kaiser"), plain, SearchLimits(2, seconds=NO_END), count=5)
    assert result.proved_none
    assert len(result.records) == 1
    some = reach(load("kaiser"), plain, SearchLimits(3, seconds=NO_END), count=5)
    assert len({led_to(record) for record in some.records}) == 5
    assert not some.proved_none


def test_search_from_a_position():
    start = load("kaiser").initial().apply({"red": "empire_city(trier)"})
    goal = Facts(("elector(trier,blue,",))
    (record,) = reach(start, goal, SearchLimits(3, seconds=NO_END), smallest=True).records
    assert isinstance(record.items[0], PositionBlock)
    assert len(record.moves) == 2
    assert goal.holds(led_to(record))


def test_a_goal_that_holds_at_the_start():
    (record,) = reach(load("kaiser"), Facts(())).records
    assert not record.items


def test_no_game_within_the_limit():
    """The search has seen all positions within the limit, and the goal holds in none."""
    goal = SymbolicFacts(("elector(trier,green,", "elector(koeln,green,"))
    result = reach(load("kaiser"), goal, SearchLimits(2, seconds=NO_END))
    assert (result.records, result.proved_none) == ((), True)


def test_games_with_sets_of_cards():
    """Sets of cards are listed. A field is lost although its owner answers."""
    start = make(load("krone", players=2), ATTACK).apply({"red": "attack(a11)"})
    goal = SymbolicFacts(("shield(a11,red)", "discard(ambush,1)"))
    (record,) = reach(start, goal, SearchLimits(4, 4_000, NO_END)).records
    assert goal.holds(led_to(record))
    assert [str(move.action).partition("(")[0] for move in record.moves].count("force") == 1


# -- walks through all positions ---------------------------------------------------------------------------------------


@pytest.mark.usefixtures("without_a_first_look")
@pytest.mark.parametrize(
    ("query", "moves", "least"), [("heap(5)", 2, None), ("heap(5)", 9, 3), ("legal(R,take(1)), heap(9)", 9, 1)]
)
def test_a_walk_without_circuits_proves_which_games_are_shortest(monkeypatch, query, moves, least):
    monkeypatch.setattr("kaiser_logic.search.reach.is_installed", lambda: False)
    result = find_reachable(load(FOLDER), query, moves, NO_END)
    assert [len(record.moves) for record in result.records] == ([] if least is None else [least])
    assert (result.proved_none, result.seen > 0) == (least is None, True)


@pytest.mark.slow
@pytest.mark.usefixtures("without_a_first_look")
def test_walks_with_and_without_circuits_see_as_many_positions(monkeypatch):
    game = load(Path(__file__).parents[2] / "examples" / "rulebooks" / "connect_four")
    for installed in (lambda: False, is_installed):
        monkeypatch.setattr("kaiser_logic.search.reach.is_installed", installed)
        assert find_reachable(game, "four(R)", 3, NO_END).seen == 1 + 7 + 49 + 238


@pytest.mark.usefixtures("without_a_first_look")
@pytest.mark.slow
def test_a_search_for_positions_of_the_solver_finds_rare_properties(monkeypatch):
    """Seven lines by one disc: random games never have them."""
    monkeypatch.setattr("kaiser_logic.search.reach._WALKED", 0)
    monkeypatch.setattr("kaiser_logic.search.reach.is_installed", lambda: False)
    game = load(Path(__file__).parents[2] / "examples" / "rulebooks" / "connect_four")
    query = "count{ L : line_of(R,L) } >= 7"
    (record,) = find_reachable(game, query, 42, NO_END).records
    position = game.initial()
    for move in record.moves:
        position = position.apply({move.role: str(move.action)})
    assert position.query(query)


# -- properties that no valid position has -----------------------------------------------------------------------------

NO_LAMP = "lit(b)"
"""A property that no valid position has if the invariant "dark" is true."""


@pytest.mark.usefixtures("without_a_first_look")
def test_invariants_prove_that_a_property_is_impossible(tmp_path):
    game = lamps(tmp_path, 1, switch(1, "b", "a"), never("dark", "b"), never("other", "a"))
    result = find_reachable(game, NO_LAMP, 3)
    assert (result.records, result.proved_none, result.by_invariants) == ((), True, True)


def test_a_game_shows_that_an_invariant_is_false(tmp_path):
    """Only the invariant excludes the property, and the first game found breaks it."""
    result = find_reachable(lamps(tmp_path, 1, switch(1, "b"), never("dark", "b")), NO_LAMP, 3)
    assert (len(result.records), result.false) == (1, ("dark",))


@pytest.mark.usefixtures("without_a_first_look")
@pytest.mark.sample(2)
@pytest.mark.parametrize("query", [NO_LAMP, "lit(b), lit(c)"])
def test_a_false_invariant_starts_a_large_search(tmp_path, query):
    """The small search finds nothing. The proof shows that the invariant falls, so a large search follows."""
    game = lamps(tmp_path, 2, switch(1, "b"), switch(2, "c"), never("dark", "b"))
    result = find_reachable(game, query, 5)
    assert (len(result.records), result.false) == (1, ("dark",))


@pytest.mark.usefixtures("without_a_first_look")
@pytest.mark.slow
def test_other_invariants_can_prove_that_a_property_is_impossible(tmp_path):
    game = lamps(tmp_path, 1, switch(1, "b"), never("dark", "b"), never("other", "a"))
    assert find_reachable(game, "lit(a), lit(b)", 5).by_invariants


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("when", "message"),
    [
        ("", "the invariant dark is false: in a game red: flick(1) breaks it, at the position: "),
        ("a", "the invariant dark is not proved: "),
    ],
)
def test_a_property_excluded_by_a_false_invariant_is_not_decided(tmp_path, monkeypatch, when, message):
    for name in ("_LOOKED", "FOREVER"):
        monkeypatch.setattr(f"kaiser_logic.search.reach.{name}", 0)
    game = lamps(tmp_path, 1, switch(1, "b", when), never("dark", "b"))
    with pytest.raises(NotDecided) as error:
        find_reachable(game, NO_LAMP, 5)
    assert str(error.value).startswith(f"no valid position has this property, but {message}")
    assert "; no such game of at most 5 moves was found" in str(error.value)
    assert ",flick). " in str(error.value)


@pytest.mark.slow
def test_search_from_a_position_that_breaks_a_presumed_invariant(tmp_path):
    """No valid position has the property, but that proves nothing about games from this one."""
    game = load(variant(tmp_path, {"broken(one_taker,x)    :-": "presumed(one_taker).\nbroken(one_taker,x)    :-"}))
    facts = "seat(red,1) seat(green,2) phase(play) heap(9) taken(red,3) decision(green,take)"
    with pytest.raises(InvalidPosition):
        load(FOLDER).position(facts.split())
    origin = game.position(facts.split())
    assert not game.find("heap(9), not took(_)")
    assert find_reachable(game, "heap(9), not took(_)", 3).proved_none
    assert len(find_reachable(game, "heap(9), not took(_)", 3, origin=origin).records) == 1


def test_a_position_of_another_game_is_refused():
    game, other = load(FOLDER, players=2), load(FOLDER, players=3)
    with pytest.raises(WrongUsage, match="belongs to another game"):
        find_reachable(game, "heap(0)", 9, origin=other.initial())
