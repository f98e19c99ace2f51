"""Counters outside the circuit, compared with values that never change."""

from __future__ import annotations

from pathlib import Path

import clingo
import pytest
from support.batches import same_games, same_positions
from support.damaged_records import same_reports
from support.small_rulebook import small_rulebook

import kaiser_logic as kl
from kaiser_logic.batch.layout import edges, layout_of
from kaiser_logic.engine.ruleset import ruleset_of
from kaiser_logic.records.batch_replay import build
from kaiser_logic.rules.loader import parse_rules

UNBOUNDED = frozenset({("points", 2)})
STATIC = {
    ("enough", 1): tuple(clingo.Function("enough", [clingo.Number(n)]) for n in (7, 9)),
    ("named", 1): (clingo.Function("named", [clingo.Function("a")]),),
}


def begins(text: str) -> set[int] | None:
    found = edges(parse_rules(text)[0], UNBOUNDED, STATIC)
    assert found is None or {kind for kind, _ in found} <= UNBOUNDED
    return None if found is None else {n for _, n in found}


@pytest.mark.parametrize(
    ("body", "begin"),
    [
        ("points(R,I), enough(N), I > N", {8, 10}),
        ("points(R,I), enough(N), N > I", {7, 9}),
        ("points(R,I), I >= 3", {3}),
        ("points(R,I), 3 >= I", {4}),
        ("points(R,I), I <= -3", {-2}),
        ("points(R,I), I = 3", {3, 4}),
        ("points(R,I), I != 3", {3, 4}),
        ("points(R,I), I > 1, I < 5", {2, 5}),
        ("points(R,_), turn(R)", set()),
        ("points(R,I), turn(R), I > 4, points(Q,J), J < 2", {5, 2}),
        ("turn(R)", set()),
    ],
)
def test_intervals_of_comparisons(body: str, begin: set[int]) -> None:
    assert begins(f"ready :- {body}.") == begin


@pytest.mark.parametrize(
    "text",
    [
        ":- points(R,I), I > 3.",
        "ready(I) :- points(R,I), I > 3.",
        "ready :- points(R,I), points(Q,J), I > J.",
        "ready :- points(R,I), points(Q,I), R != Q.",
        "ready :- points(R,I), I+1 > 3.",
        "ready :- points(R,3).",
        "ready :- points(R,I), have(I).",
        "ready :- points(R,I), turn(N), I > N.",
        "ready :- points(R,I), named(N), I > N.",
        "ready :- points(R,I), enough(N), I > N+1.",
        "ready :- points(R,I), I > 3, not points(R,9).",
        "ready :- points(R,I), I > 3, 5 < #sum { J : points(_,J) }.",
        "ready :- points(R,I), 1 < I < 9.",
        "ready :- turn(R), 4 < #sum { J : points(_,J) }.",
    ],
)
def test_other_uses_of_numbers_are_not_rewritten(text: str) -> None:
    assert begins(text) is None


@pytest.mark.slow
def test_krone_has_circuits_for_everything() -> None:
    """The rule revolt.end_phase compares points with the threshold. Without bits for that there are no circuits."""
    game = kl.load("krone", players=2)
    layout = layout_of(ruleset_of(game.configuration))
    threshold = game.ruleset.facts("threshold", 1)[0].arguments[0].number
    assert threshold + 1 in {least for _, least, _, _ in layout.tests}
    batch = game.batch()
    batch.store.need(whole=True)
    assert not batch.store.refused
    assert same_positions(game, 3) > 100
    assert same_games(game, 20) == 0
    sample = batch.sample(3000, 4)
    assert len({int(n) for row in sample.numbers for n in row}) > 5
    for place in range(0, len(sample), 71):
        encode = layout.encode(sample[place].symbols)
        assert encode is not None, "the bits that depend on numbers are up to date"
        assert encode[0] == sample.state[place].tobytes()


POOR = """\
fluent(seat(R,I))        :- seat(R,I).
fluent(phase(play;over)).
fluent(coins(R,N))       :- player(R), number(N).
fluent(decision(R,turn)) :- player(R).
stated(coins,2).
action(turn,earn).
action(turn,spend).
action(turn,stop).
init(phase(play)).
init(coins(R,0))         :- player(R).
init(decision(R,turn))   :- first(R).

%! rule turn -- In turn a player earns, spends or stops.
%!   why       it is not {R}'s turn
%!   standard  Turns
out_of_turn(turn,"turn").
candidate(R,(earn;spend;stop)) :- decision(R,turn).
gain(coins(R),2,earn)    :- does(R,earn).
lose(coins(R),3,spend)   :- does(R,spend).
add(decision(Q,turn))    :- does(R,earn), left(R,Q).
add(decision(Q,turn))    :- does(R,spend), left(R,Q).
enter(over)              :- does(_,stop).
goal(R,N)                :- terminal, coins(R,N).
may_decide(R,turn)       :- player(R), phase(play).

%! rule turn.poor -- Who has fewer than three coins spends nothing; who has none does not stop.
%!   why       {R} has too few
%!   standard  Turns
poor(R)                  :- coins(R,N), N < 3.
some(R)                  :- coins(R,N), N > 0.
violates(R,spend,"turn.poor") :- candidate(R,spend), poor(R).
violates(R,stop,"turn.poor")  :- candidate(R,stop), not some(R).
"""
"""Rules that depend only on counters outside the circuit are not static."""


@pytest.fixture
def coins(tmp_path: Path) -> Path:
    """A rulebook in which a predicate depends only on a counter."""
    return small_rulebook(tmp_path, "coins", POOR)


@pytest.mark.slow
def test_predicates_that_depend_only_on_a_counter(coins: Path) -> None:
    game = kl.load(coins)
    start = game.initial()
    richer = start.apply({"red": "earn"}).apply({"green": "earn"})
    batch = game.batch()
    assert batch.legal([start, richer]) == [{"red": ("earn",)}, {"red": ("earn", "stop")}]
    assert batch.legal([start, richer]) == [p.legal() for p in (start, richer)]
    assert not batch.refused
    assert same_positions(game, 5) > 10
    assert same_games(game, 20) == 0


def test_records_of_such_a_game_are_judged_as_without_circuits(
    coins: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KAISER_LOGIC_CACHE", str(tmp_path / "kept"))
    build(kl.load(coins).evaluator, 1)
    archive = tmp_path / "archive"
    archive.mkdir()
    for number, moves in enumerate(("red: earn green: earn red: stop", "red: spend", "red: stop")):
        (archive / f"{number}.game").write_text(f'[Game "coins"]\n{moves}\n', encoding="utf-8")
    assert same_reports(archive, game=coins) == 1
