"""Hard questions stage by stage: the same answers as undivided, nothing assumed that is not proved."""

from __future__ import annotations

from pathlib import Path

import pytest
from proof.test_listing import HANDS, LISTED, examined, hands
from support.opened import changed

from kaiser_logic.proof import induction
from kaiser_logic.proof.stages import prove, shared, stages
from kaiser_logic.symbolic import domains as sorts_of
from kaiser_logic.symbolic.solver import Solver
from kaiser_logic.transform import action_splitting


@pytest.fixture(autouse=True)
def all_in_stages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sorts_of, "_LISTED", 2)
    monkeypatch.setattr(action_splitting, "_APART", 2)
    monkeypatch.setattr(induction, "_FIRST", 0)
    monkeypatch.setattr(induction, "_STAGE", 50)


def test_the_same_is_proved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def counted(solver: Solver, atoms: list[str], effort: int, *assumed: str) -> None:
        asked.append(len(atoms))
        prove(solver, atoms, effort, *assumed)

    monkeypatch.setattr(induction, "prove", counted)
    assert examined(hands(tmp_path)) == (None, False, ())
    assert asked and asked[0] > 3


@pytest.mark.parametrize(
    "fewer", ["fills(Y,K), amount(K), K < 3.", "fills(Y,K), amount(K), Y != hands(1,0)."]
)
def test_what_is_missed_in_one_case_is_found(tmp_path: Path, fewer: str) -> None:
    narrow = {k: v.replace(LISTED, fewer) for k, v in HANDS.items()}
    assert examined(changed(tmp_path, narrow))[:2] == (None, True)


PROGRAM = """
{ decide(1..2) }. { level(1..3) }. :- #count { N : level(N) } != 1.
does__0(N) :- decide(N).
fits(R,V) :- decide(R), level(V), V < LIMIT.
listed(R) :- does__0(R), fits(R,V), level(V).
{ asked }. :- asked, not decide(_). :- asked, listed(_).
"""


@pytest.mark.parametrize(("limit", "possible"), [("4", False), ("3", True)])
def test_stages_exclude_nothing(limit: str, possible: bool) -> None:
    text = PROGRAM.replace("LIMIT", limit)
    walked = ["listed(R) :- decide(R), fits(R,V), level(V).", "fits(R,V) :- decide(R), level(V)."]
    rules, atoms = stages(walked, "listed")
    rules[-1] = rules[-1].replace("does__0(R,_)", "decide(R)")
    solver = Solver("\n".join([text, *rules]), ())
    prove(solver, atoms, 1000, "asked")
    assert len(atoms) == 5
    assert solver.decide(None, "asked") is possible


class _Undecided(Solver):
    added: list[str] = []  # noqa: RUF012

    def decide(self, conflicts: int | None = None, *assumed: str) -> bool | None:
        return None if assumed[-1] == "b" else assumed[-1] == "c"

    def add(self, name: str, text: str) -> None:
        self.added.append(text)


def test_only_what_is_proved_is_added() -> None:
    solver = _Undecided("", ())
    prove(solver, ["a", "b", "c"], 1, "x", "y")
    assert solver.added == [":- x, y, a."]


def test_predicates_with_the_same_rules_are_one() -> None:
    lines = [
        "p(X) :- q(X).",
        "p__0(X) :- q(X).",
        "r(X) :- p(X); s(X).",
        "r__0(X) :- p__0(X); s(X).",
        "end :- r__0(_).",
    ]
    assert list(shared(lines, 0, ())) == ["p(X) :- q(X).", "r(X) :- p(X); s(X).", "end :- r(_)."]


@pytest.mark.parametrize(
    "other",
    [
        ["p__0(X) :- q(X); t(X)."],
        ["p__0(X) :- q(X).", "p__0(X) :- t(X)."],
        ["p__0(X) :- q(X).", "{ p(X) : t(X) }."],
        ["p__0(X) :- q(X).", "p(1..2)."],
    ],
)
def test_others_are_not(other: list[str]) -> None:
    lines = ["p(X) :- q(X).", *other, "r(X) :- p(X).", "r__0(X) :- p__0(X)."]
    assert set(shared(lines, 0, ())) == set(lines)
