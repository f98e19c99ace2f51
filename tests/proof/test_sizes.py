"""A counter keeps to its values, also where these have gaps, begin above nothing, or end far above the numbers in question."""

from __future__ import annotations

from pathlib import Path

import clingo
import pytest
from support.opened import changed, transition

from kaiser_logic.game import Game
from kaiser_logic.proof.induction import Induction
from kaiser_logic.proof.prover import Prover
from kaiser_logic.symbolic.domains import domains
from kaiser_logic.symbolic.invariants import invariants
from kaiser_logic.symbolic.sizes import GAP

TAKEN = "counted(taken,2)."


def owing(folder: Path, kind: str, fluent: str, change: str, body: str = "") -> Game:
    """The heap game with one counter more, which changes where three stones are taken."""
    rules = f"{kind}(debt,1). {fluent}\n{change} :- does(_,take(3)), debt(N){body}."
    return changed(folder, {TAKEN: f"{TAKEN} {rules}"})


def leaves(game: Game) -> bool:
    """Whether taking stones leads out of the vocabulary, from some valid position."""
    step = Induction(game.evaluator, transition(game.ruleset, "take(K)"), domains(game.ruleset))
    return bool(step.examine(invariants(game.ruleset).assumed, ["vocabulary"]).broken)


LEAVING = {
    "counted, from above nothing": ("counted", "2..4", "lose(debt,1,paid)", ""),
    "stated, and nothing is no value": ("stated", "1..3", "lose(debt,1,paid)", ""),
    "signed, all below nothing": ("signed", "-3..-1", "gain(debt,1,paid)", ""),
    "signed, all above nothing": ("signed", "1..3", "lose(debt,1,paid)", ""),
    "a gap below": ("stated", "0;2;4", "lose(debt,1,paid)", ", N > 0"),
    "a gap above": ("counted", "1;2;4", "gain(debt,1,paid)", ", N < 4"),
    "a gap that is jumped at": ("signed", "-4;0;4", "gain(debt,6,paid)", ", N < 0"),
    "a loss of less than nothing": ("stated", "0;2;4", "lose(debt,-1,paid)", ", N < 4"),
    "many values, and no more": ("stated", "0..70", "gain(debt,5,paid)", ""),
}
STAYING = {
    "counted, to nothing": ("counted", "2..4", "lose(debt,N,paid)", ""),
    "stated": ("stated", "1..3", "lose(debt,1,paid)", ", N > 1"),
    "signed, all below nothing": ("signed", "-3..-1", "gain(debt,1,paid)", ", N < -1"),
    "signed, all above nothing": ("signed", "1..3", "lose(debt,1,paid)", ", N > 1"),
    "over a gap": ("stated", "0;2;4", "lose(debt,2,paid)", ", N > 0"),
    "many values": ("stated", "0..70", "gain(debt,5,paid)", ", N < 66"),
}


@pytest.mark.sample(3)
@pytest.mark.parametrize(("kind", "values", "change", "body"), LEAVING.values(), ids=LEAVING)
def test_what_is_none_of_its_values_is_seen(
    tmp_path: Path, kind: str, values: str, change: str, body: str
) -> None:
    assert leaves(owing(tmp_path, kind, f"fluent(debt({values})).", change, body))


@pytest.mark.parametrize(("kind", "values", "change", "body"), STAYING.values(), ids=STAYING)
def test_what_is_one_of_them_is_not(tmp_path: Path, kind: str, values: str, change: str, body: str) -> None:
    assert not leaves(owing(tmp_path, kind, f"fluent(debt({values})).", change, body))


def test_no_limit_covers_what_lies_between(tmp_path: Path) -> None:
    limit = "limit(debts,0,4). counts(debts,debt,N) :- debt(N). "
    assert leaves(owing(tmp_path, "counted", f"{limit}fluent(debt(2..4)).", "lose(debt,1,paid)"))


@pytest.mark.slow
@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("values", "status"),
    [("number(N)", "proved"), ("number(N), N < 64", "undecided"), ("number(N), N < 100", "undecided")],
)
def test_numbers_that_end_above_all_that_are_looked_at(tmp_path: Path, values: str, status: str) -> None:
    """An open position has 0 to 3, and what is added to it ends far below 99: from there it would be left."""
    game = owing(tmp_path, "stated", f"init(debt(0)). fluent(debt(N)) :- {values}.", "gain(debt,1,late)")
    found = {p.claim: p.status for p in Prover(game.evaluator).run(workers=1).proofs}
    assert found["vocabulary"] == status


@pytest.mark.parametrize(
    ("fluent", "gaps"),
    [
        ("fluent(debt(N)) :- number(N).", []),
        ("fluent(debt(1..3)).", [(0, 0)]),
        ("fluent(debt(0;1;5)).", [(2, 4)]),
        ("fluent(debt(N)) :- number(N), N != 5.", [(5, 5)]),
    ],
)
def test_gaps(tmp_path: Path, fluent: str, gaps: list[tuple[int, int]]) -> None:
    """Of numbers without an end those that are not looked at are no gap."""
    sorts = domains(owing(tmp_path, "stated", fluent, "gain(debt,1,late)").ruleset)
    found = [s.arguments for s in sorts.most if s.name == GAP]
    assert [(a.number, b.number) for c, a, b in found if c == clingo.Function("debt")] == gaps


@pytest.mark.slow
@pytest.mark.parametrize("condition", ["N != 70", "N <= 200000000", "not hole(N)", "N \\ 2 < 2"])
def test_beyond_what_was_looked_at_nothing_is_said_of_a_sort_with_a_condition(
    tmp_path: Path, condition: str
) -> None:
    """There may be a gap, or an end: of ``number(N)`` alone there is none."""
    took = "fluent(took(R))           :- player(R)."
    sort = f"{took}\nhole(70).\nfluent(points(R,N)) :- player(R), number(N), {condition}.\nstated(points,2)."
    change = "init(heap(12)).\ninit(points(R,0)) :- player(R).\ngain(points(R),1,x) :- does(R,take(_))."
    for number, condition_there in enumerate((f", {condition}.", ".")):
        folder = tmp_path / str(number)
        folder.mkdir()
        declared = sort.replace(f", {condition}.", condition_there)
        game = changed(folder, {took: declared, "init(heap(12)).": change})
        proof = next(p for p in Prover(game.evaluator).run(workers=1).proofs if p.claim == "vocabulary")
        assert proof.status == ("undecided" if not number else "proved"), proof.notes
