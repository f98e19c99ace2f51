"""Positions are encoded as rows of bits and decoded."""

from itertools import product
from pathlib import Path

import clingo
import numpy as np
import pytest
from support.batches import same_games, same_positions
from support.heap_game import small_rulebook
from support.tables import rows

import kaiser_logic as kl
from kaiser_logic.batch.lanes import Outcomes, by_order_only
from kaiser_logic.batch.layout import edges, layout_of
from kaiser_logic.batch.playout import playout
from kaiser_logic.engine import symbols
from kaiser_logic.engine.ruleset import ruleset_of
from kaiser_logic.game import load
from kaiser_logic.rules.loader import parse_rules


@pytest.fixture(scope="module")
def layout():
    return layout_of(load("kaiser", players=2).ruleset)


def test_decoding_inverts_encoding(layout):
    game = load("kaiser", players=2)
    for position, _ in playout(game.evaluator, 1, 0):
        encode = layout.encode(position.symbols)
        assert encode is not None
        assert layout.decode(*encode) == position.symbols


@pytest.mark.parametrize(("without", "more"), rows("batch/layout", "unfit"))
def test_positions_that_do_not_fit_are_not_encoded(layout, without, more):
    facts = {symbols.text(f) for f in load("kaiser", players=2).initial().symbols}
    assert without in facts | {"-"}
    changed = facts - {without} | {more} - {"-"}
    assert layout.encode(map(symbols.read_symbol, facts)) is not None
    assert layout.encode(map(symbols.read_symbol, changed)) is None


# Outcomes: the engine evaluates one game for all games that end in the same way.
POINTS = frozenset({("points", 2)})


@pytest.mark.parametrize(("used", "text"), rows("batch/layout", "order"))
def test_rules_that_use_only_the_order_of_numbers(used, text):
    assert by_order_only(parse_rules(text), POINTS) is (used == "only")


@pytest.mark.parametrize("name", ["kaiser", "krone", "staufer", "vive"])
def test_outcomes_of_the_games_use_only_the_order(name):
    rules = load(name, players=3).ruleset
    assert by_order_only(rules.outcome_program.rules, POINTS)


def test_outcomes_of_every_order_of_points():
    game = load("kaiser", players=3)
    layout = layout_of(game.ruleset)
    outcomes = Outcomes(game.evaluator, layout)
    nothing = np.zeros(layout.words, np.uint64)
    over, bit = nothing.copy(), layout.bits[symbols.read_symbol("phase(over)")]
    over[bit >> 6] = 1 << (bit & 63)
    for numbers in product((0, 3, 17), repeat=3):
        ending = outcomes.ending_of(over, numbers)
        assert ending is not None
        by_seat = dict(zip((str(c.arguments[0]) for c in layout.numbers), numbers, strict=True))
        assert ending[0] == tuple(by_seat[seat] for seat in game.seats)
        assert ending[1] == tuple(by_seat[seat] == max(numbers) for seat in game.seats)
    assert outcomes.ending_of(nothing, (1, 2, 3)) is None


TALLY = (Path(__file__).parents[1] / "support" / "tally.lp").read_text(encoding="utf-8")


@pytest.mark.parametrize("points", rows("batch/layout", "points"))
def test_outcomes_of_points_that_a_position_need_not_state(tmp_path, points):
    same_games(kl.load(small_rulebook(tmp_path, "tally", TALLY + points)), 16)


# Counters outside the circuit, compared with values that never change.
UNBOUNDED = frozenset({("points", 2)})
STATIC = {
    ("enough", 1): tuple(clingo.Function("enough", [clingo.Number(n)]) for n in (7, 9)),
    ("named", 1): (clingo.Function("named", [clingo.Function("a")]),),
}


def begins(text: str) -> set[int] | None:
    found = edges(parse_rules(text)[0], UNBOUNDED, STATIC)
    assert found is None or {kind for kind, _ in found} <= UNBOUNDED
    return None if found is None else {n for _, n in found}


@pytest.mark.parametrize(("body", "begin"), rows("batch/layout", "begins"))
def test_intervals_of_comparisons(body, begin):
    assert begins(f"ready :- {body}.") == {int(n) for n in begin.split() if n != "-"}


@pytest.mark.parametrize("text", rows("batch/layout", "kept"))
def test_other_uses_of_numbers_are_not_rewritten(text):
    assert begins(text) is None


@pytest.mark.slow
def test_krone_has_circuits_for_everything():
    """The rule revolt.end_phase compares points with the threshold. Without bits for that there are no circuits."""
    game = kl.load("krone", players=2)
    layout = layout_of(ruleset_of(game.configuration))
    threshold = game.ruleset.facts("threshold", 1)[0].arguments[0].number
    assert threshold + 1 in {least for _, least, _, _ in layout.tests}
    batch = game.batch()
    batch.store.ensure(whole=True)
    assert not batch.store.refused
    assert same_positions(game, 3) > 100
    assert same_games(game, 20) == 0
    sample = batch.sample(3000, 4)
    assert len({int(n) for row in sample.numbers for n in row}) > 5
    for place in range(0, len(sample), 71):
        encode = layout.encode(sample[place].symbols)
        assert encode is not None, "the bits that depend on numbers are up to date"
        assert encode[0] == sample.state[place].tobytes()


@pytest.mark.slow
def test_predicates_that_depend_only_on_a_counter(tmp_path):
    """Rules that depend only on counters outside the circuit are not static."""
    rules = Path(__file__).parents[1] / "support" / "coins.lp"
    game = kl.load(small_rulebook(tmp_path, "coins", rules.read_text(encoding="utf-8")))
    start = game.initial()
    richer = start.apply({"red": "earn"}).apply({"green": "earn"})
    batch = game.batch()
    assert batch.legal([start, richer]) == [{"red": ("earn",)}, {"red": ("earn", "stop")}]
    assert batch.legal([start, richer]) == [p.legal() for p in (start, richer)]
    assert not batch.refused
    assert same_positions(game, 5) > 10
    assert same_games(game, 20) == 0
