"""Totals over a transition, against what given positions count."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest
from support.opened import before, changed, fixed, heap, reachable

from kaiser_logic.engine import symbols
from kaiser_logic.rules.predicates import TOTAL
from kaiser_logic.rules.reader import rule_of
from kaiser_logic.symbolic import totals
from kaiser_logic.symbolic.domains import domains
from kaiser_logic.symbolic.encoding import Encoding
from kaiser_logic.symbolic.solver import Solver


def test_examples() -> None:
    assert doctest.testmod(totals).attempted > 0
    assert doctest.testmod(totals).failed == 0


def asked(exact: bool) -> tuple[Encoding, Solver]:
    """A take out of an open position, and the totals after it."""
    encoding, _ = before(heap().ruleset, "take(K)", exact)
    encoding.add(*encoding.totals.asked(encoding.now))
    return encoding, Solver(encoding.text, encoding.facts)


@pytest.mark.parametrize("exact", [True, False])
def test_what_is_shifted_stays(exact: bool) -> None:
    encoding, solver = asked(exact)
    for facts in reachable(heap())[:20]:
        model = solver.model(*fixed(encoding, facts))
        assert model is not None
        found = {s.name: symbols.text(s) for s in model if s.name in ("total", encoding.name(TOTAL))}
        assert found == {
            "total": "total(stones,12)",
            encoding.name(TOTAL): f"{encoding.name(TOTAL)}(stones,12)",
        }


def test_a_position_with_other_totals_is_none() -> None:
    """Where they are exact; else only what is more than there can be."""
    encoding, solver = asked(True)
    facts = next(f for f in reachable(heap()) if symbols.read("heap(9)") in f)
    fewer = [f for f in facts if f.name != "taken"]
    more = [*fewer, symbols.read("taken(red,12)")]
    assert solver.model(*fixed(encoding, facts)) is not None
    assert solver.model(*fixed(encoding, fewer)) is None
    assert solver.model(*fixed(encoding, more)) is None
    encoding, solver = asked(False)
    assert solver.model(*fixed(encoding, facts)) is not None
    assert solver.model(*fixed(encoding, fewer)) is not None
    assert solver.model(*fixed(encoding, more)) is None


def test_totals_are_asked_for_once() -> None:
    encoding, _ = before(heap().ruleset, "take(K)")
    assert encoding.totals.asked(encoding.now)
    assert not encoding.totals.asked(encoding.now)


@pytest.mark.parametrize(
    "text",
    [
        "income(R,N) :- player(R); N = #sum { W,X : pays(R,X,W) }.",  # no bound is stated
        "income(R) :- bound(income,M); N = #sum { W,X : pays(R,X,W) }; N > M.",  # the value is not in the head
        "income(R,M) :- player(R); bound(income,M).",  # nothing is summed
    ],
)
def test_only_stated_sums_have_one_value(text: str) -> None:
    rule = rule_of(text)
    assert totals.functional(rule, text, totals.single_heads([rule])) == []


PILES = "limit(stones,12,12). limit(piles,0,40). counts(piles,taken(R),2*N) :- taken(R,N). counts(piles,heap,3) :- heap(9)."


@pytest.mark.slow
@pytest.mark.parametrize("also", ["", "limit(piles,2,30)."], ids=["stated once", "stated twice"])
def test_an_exact_total_is_the_sum_of_its_parts_and_nothing_else(tmp_path: Path, also: str) -> None:
    """Stated twice a measure has a total in both ranges: the same one, and not two that make the sum together."""
    game = changed(tmp_path, {"limit(stones,12,12).": f"{PILES} {also}"})
    encoding, _ = before(game.ruleset, "take(K)", True)
    solver = Solver(encoding.text, encoding.facts)
    seen = 0
    for facts in reachable(game)[:40]:
        taken = sum(f.arguments[1].number for f in facts if f.name == "taken")
        total = 2 * taken + (3 if symbols.read("heap(9)") in facts else 0)
        given = list(fixed(encoding, facts))
        if also and not 2 <= total <= 30:
            assert not solver.possible(*given)
            continue
        assert solver.possible(*given, f"total(piles,{total})")
        assert not any(solver.possible(*given, f"total(piles,{n})") for n in range(41) if n != total)
        seen += 1
    assert seen > 10


def measured(folder: Path, fluents: str) -> Encoding:
    """The heap game with another counter, and what is counted of it."""
    kind = "" if "signed" in fluents else "counted(purse,1)."
    more = f"{fluents}. {kind} limit(coins,0,3). counts(coins,purse,N) :- purse(N)."
    game = changed(folder, {"stated(heap,1).": f"stated(heap,1).\n{more}"})
    return Encoding(game.ruleset, domains(game.ruleset))


@pytest.mark.parametrize(
    ("fluents", "tied"),
    [
        ("fluent(purse(0..5))", False),
        ("fluent(purse(-3..5)). signed(purse,1)", True),
        ("fluent(purse(-2..2))", True),
    ],
)
def test_totals_of_what_may_be_below_nothing_are_tied_to_their_sums(
    tmp_path: Path, fluents: str, tied: bool
) -> None:
    """A part may be more than the whole then, and the whole less than nothing."""
    assert (symbols.read("coins") in measured(tmp_path, fluents).totals.tied) == tied


@pytest.mark.parametrize("values", ["0..5", "0;2;4", "2;4"])
def test_a_counter_weighs_something_whatever_its_values_are(tmp_path: Path, values: str) -> None:
    facts = map(str, measured(tmp_path, f"fluent(purse({values}))").domains.measures)
    assert "measure(coins,purse,1)" in facts
