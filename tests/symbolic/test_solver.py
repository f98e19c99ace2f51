"""Solving under assumptions and with limits of effort."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import clingo
import pytest

from kaiser_logic.errors import NotDecided
from kaiser_logic.symbolic import solver as solver_module
from kaiser_logic.symbolic.models import FEWEST
from kaiser_logic.symbolic.solver import SPARSE, Solver


def texts(model: list[clingo.Symbol] | None) -> set[str] | None:
    return None if model is None else {str(s) for s in model}


def pigeons(holes: int) -> Iterator[str]:
    """A question that takes many conflicts: one pigeon more than there are holes."""
    yield f"1 {{ at(P,1..{holes}) }} 1 :- P = 1..{holes + 1}."
    yield ":- at(P,H), at(Q,H), P < Q."


def test_facts_are_given_beside_the_program() -> None:
    solver = Solver("b(X) :- a(X).", [clingo.Function("a", [clingo.Number(n)]) for n in (1, 2)])
    assert texts(solver.model()) == {"a(1)", "a(2)", "b(1)", "b(2)"}


def test_assumptions_hold_for_one_question() -> None:
    solver = Solver("{ a }. { b }. :- a, b.", ())
    assert texts(solver.model("a")) == {"a"}
    assert texts(solver.model("not a", "b")) == {"b"}
    assert solver.model("a", "b") is None
    assert solver.model() is not None
    asked = [("a",), ("not a", "b"), ("a", "b"), ()]
    assert [solver.possible(*atoms) for atoms in asked] == [True, True, False, True]


def test_sparse_models_hold_what_must_be() -> None:
    solver = Solver("{ a(1..20) }. 1 { b(1..3) }.", (), SPARSE)
    found = solver.model()
    assert found is not None
    assert len(found) == 1


def test_rules_can_be_added() -> None:
    solver = Solver("{ a(1..2) } = 1.", ())
    assert solver.decide() is True
    solver.add("first", ":- a(1).")
    assert texts(solver.model()) == {"a(2)"}
    solver.add("second", ":- a(2).")
    assert solver.decide() is False


def test_effort_is_limited_by_conflicts() -> None:
    solver = Solver("\n".join(pigeons(8)), ())
    assert solver.decide(10) is None
    assert solver.decide(10) is None  # the limit is for each question
    assert solver.decide() is False


def test_whatever_has_no_limit_of_its_own_has_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where that is reached it is not decided, and neither yes nor no."""
    monkeypatch.setattr(solver_module, "MOST", 10)
    solver = Solver("\n".join(pigeons(8)), ())
    best = Solver("\n".join([*pigeons(8), ":~ at(P,H). [P,H]"]), (), FEWEST)
    asked: list[Callable[[], object]] = [
        solver.model,
        solver.possible,
        solver.decide,
        lambda: solver.search(None),
        lambda: best.best(5),
    ]
    for ask in asked:
        with pytest.raises(NotDecided, match="more than 10 conflicts"):
            ask()
    with pytest.raises(NotDecided, match="more than 5 conflicts"):
        solver.possible(conflicts=5)
    assert solver.possible(conflicts=1_000_000) is False
    monkeypatch.undo()
    assert solver.model() is None
    assert best.best(5) == (None, True)


def test_a_program_asked_by_others_has_a_limit_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver_module, "MOST", 10)
    control = Solver("\n".join(pigeons(8)), ()).control
    with control.solve(yield_=True) as handle:
        assert handle.model() is None
        assert not handle.get().exhausted


def test_the_same_effort_gives_the_same_answer() -> None:
    text = "\n".join(
        [*(f"1 {{ a({k},1..4) }}." for k in range(30)), ":- a(K,X), a(K+1,X).", ":~ a(K,X). [X,K]"]
    )
    answers = [Solver(text, (), FEWEST).best(50) for _ in range(2)]
    assert texts(answers[0][0]) == texts(answers[1][0])
    assert answers[0][1] == answers[1][1]


def test_the_best_is_proved_to_be() -> None:
    model, proved = Solver("2 { a(1..5) }. :~ a(X). [X,X]", (), FEWEST).best(10_000)
    assert texts(model) == {"a(1)", "a(2)"}
    assert proved


def test_no_model_is_no_best_one() -> None:
    assert Solver("a. :- a. :~ a. [1]", (), FEWEST).best(10_000) == (None, True)


def test_without_effort_there_is_a_model_all_the_same() -> None:
    """And it is not said to be the best."""
    text = "\n".join(["{ on }. a(1..3) :- on. b :- not on.", *pigeons(7)])
    text = (
        text.replace("1 { at(P,1..7) } 1 :- P = 1..8.", "1 { at(P,1..7) } 1 :- P = 1..8, not on.")
        + ":~ a(X). [1,X]"
    )
    model, proved = Solver(text, (), FEWEST).best(1)
    assert texts(model) == {"on", "a(1)", "a(2)", "a(3)"}
    assert not proved


@pytest.mark.parametrize("assumed", ["a", "not a"])
def test_an_unknown_proposition_does_not_hold(assumed: str) -> None:
    assert (Solver("b.", ()).model(assumed) is None) == (assumed == "a")
