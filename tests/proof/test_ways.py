"""A question asked case by case has the answer that it has at once."""

from __future__ import annotations

from pathlib import Path

import pytest
from proof.test_together import FAULTS, goals_of, of, statuses
from support.opened import changed, heap
from support.thinned import thinned

from kaiser_logic.game import load
from kaiser_logic.proof import together, ways
from kaiser_logic.symbolic.invariants import invariants
from kaiser_logic.symbolic.solver import Solver

pytestmark = pytest.mark.slow

HARD = """
{ in(X,H) : hole(H) } 1 :- pigeon(X).
pigeon(1..7). hole(1..6).
:- pigeon(X), not in(X,_).
:- in(X,H), in(Y,H), X < Y.
"""
"""Seven pigeons do not fit into six holes, which a solver does not see at once."""


def cases(*lines: str) -> Solver:
    return Solver("\n".join(lines), [])


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each question is asked case by case at once."""
    monkeypatch.setattr(ways, "_WHOLE", 0)


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("case", ["a", "b", "c"])
def test_the_case_that_is_possible_is_found_whichever_it_is(case: str) -> None:
    """Also the one that no rule speaks of."""
    solver = cases(
        "{ a; b; c }.", "by__0(x) :- a.", "by__1(y) :- b.", ":- not a, not b, not c.", f":- not {case}."
    )
    found = ways.some(solver)
    assert found is not None and case in map(str, found)


@pytest.mark.usefixtures("at_once")
def test_none_is_found_where_none_is_possible() -> None:
    assert (
        ways.some(
            cases("{ a; b; c }.", "by__0(x) :- a.", ":- a.", ":- b.", ":- c.", ":- not a, not b, not c.")
        )
        is None
    )
    assert ways.some(cases("{ a }.", ":- a.", ":- not a.")) is None


def test_what_is_hard_at_once_is_asked_case_by_case(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ways, "_WHOLE", 10)
    program = cases(HARD, "by__0(X) :- in(X,1).")
    asked: list[tuple[str, ...]] = []
    search = program.search

    def heard(conflicts: int | None, *assumed: str, **how: bool) -> object:
        asked.append(assumed)
        return search(conflicts, *assumed, **how)

    program.search = heard  # type: ignore[method-assign, assignment]
    assert ways.some(program) is None
    assert asked[0] == ()
    assert asked[1] == ("by__0(1)",)
    assert asked[-1] == tuple(f"not by__0({k})" for k in range(1, 8))


def test_more_cases_than_are_asked_are_asked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ways, "_CASES", 3)
    program = cases(HARD, "by__0(X) :- in(X,1).")
    monkeypatch.setattr(program, "search", lambda *_, **__: (None, False))
    assert ways.some(program) is None


def test_each_rule_by_which_a_goal_falls_is_a_case() -> None:
    step = next(iter(of(heap()).values()))
    lemmas = invariants(heap().ruleset).assumed
    exact = step.questions.leaving(lemmas, ["one_taker", "limit"], exact=True)
    lines = exact.encoding.text.split("\n")
    falling = [
        line
        for line in lines
        if line.startswith((exact.encoding.name(("broken", 2)) + "(one_taker", "bad(limit"))
    ]
    found = [line.partition(" :- ")[2] for line in lines if line.startswith("by__")]
    assert sorted(found) == sorted(line.partition(" :- ")[2] for line in falling)
    assert len(found) > 2


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("changes", thinned(FAULTS, 3), ids=range(len(FAULTS)))
def test_the_verdicts_are_the_same(
    tmp_path: Path, changes: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = changed(tmp_path, changes)
    found = statuses(game)
    monkeypatch.setattr(ways, "_WHOLE", 100_000)
    assert statuses(load(tmp_path / "heap", players=len(game.ruleset.configuration.seats))) == found


@pytest.mark.parametrize("changes", FAULTS, ids=range(len(FAULTS)))
def test_each_exact_question_has_the_answer_of_its_program(
    tmp_path: Path, changes: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ways, "_WHOLE", 0)
    game = changed(tmp_path, changes)
    lemmas = invariants(game.ruleset).assumed
    for step in of(game).values():
        for goal in goals_of(game, step):
            own = step.questions.leaving(lemmas, [goal], exact=True).solver
            assert (ways.some(own) is None) == (own.decide() is False), goal


@pytest.mark.parametrize("case", ["a", "b", "c", "d(2,1)"])
def test_way_by_way_what_is_possible_is_found_whichever_it_is(case: str) -> None:
    """Also the one that no rule speaks of, and where several hold at once."""
    program = cases("{ a; b; c; d(1..2,1) }.", f":- not {case}.", ":- not a, not b, not c, not d(_,_).")
    rules = ["wrong(x,y) :- a.", "wrong(x,y) :- b; not c.", "wrong(x,X) :- d(X,Y); X > Y; d(_,Y)."]
    model, decided = ways.way_by_way(program, rules).search(100)
    assert decided and model is not None and case in map(str, model)


def test_way_by_way_what_is_hard_at_once_is_seen() -> None:
    """In each way one more thing is to be found wrong; all at once they are mixed."""
    rules = ["wrong(x,X) :- in(X,H); H > 0."]
    model, decided = ways.way_by_way(cases(HARD), rules).search(None)
    assert model is None and decided


@pytest.mark.parametrize("changes", FAULTS, ids=range(len(FAULTS)))
def test_way_by_way_each_question_has_the_answer_of_its_program(
    tmp_path: Path, changes: dict[str, str]
) -> None:
    game = changed(tmp_path, changes)
    lemmas = invariants(game.ruleset).assumed
    for step in of(game).values():
        for goal in goals_of(game, step):
            own = step.questions.leaving(lemmas, [goal], exact=True)
            each = ways.way_by_way(own.solver, ways.falling_by(own.encoding, own.encoded, [goal]))
            assert each.decide() == own.solver.decide(), goal


@pytest.mark.parametrize("changes", thinned(FAULTS, 3), ids=range(len(FAULTS)))
def test_the_verdicts_are_the_same_where_all_is_asked_way_by_way(
    tmp_path: Path, changes: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = changed(tmp_path, changes)
    found = statuses(game)
    for effort in ("_BRIEF", "_EACH", "_ALONE"):
        monkeypatch.setattr(together, effort, 0)
    assert statuses(load(tmp_path / "heap", players=len(game.ruleset.configuration.seats))) == found
