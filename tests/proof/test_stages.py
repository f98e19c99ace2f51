"""Hard questions stage by stage: the same answers as undivided, nothing assumed that is not proved."""

from __future__ import annotations

from pathlib import Path

import pytest
from proof.test_listing import HANDS, LISTED, examined, hands
from support.opened import changed

from kaiser_logic.game import Game
from kaiser_logic.proof import induction, stages
from kaiser_logic.proof.demands import Stage
from kaiser_logic.proof.demands import stages as walked
from kaiser_logic.proof.stages import Asking, Staged, prove, prove_stages
from kaiser_logic.symbolic import domains as sorts_of
from kaiser_logic.symbolic.solver import Solver
from kaiser_logic.transform import action_splitting

pytestmark = pytest.mark.slow

CANDIDATE = "candidate(R,take(K))          :- decision(R,take), amount(K)."
ENOUGH = 'violates(R,take(K),"take.enough") :- candidate(R,take(K)), heap(N), not holds_at_least(K).'
PAID = {
    **HANDS,
    CANDIDATE: "candidate(R,take(Y)) :- decision(R,take), bill(R,V), covers(R,V,Y), sums(Y,N), holds_at_least(N).\n"
    "mover(R) :- decision(R,take).\n"
    "bill(R,due(H\\2)) :- mover(R), heap(H).\n"
    "item(R,due(X),1,1+X) :- bill(R,due(X)).\n"
    "item(R,due(X),2,1-X) :- bill(R,due(X)).\n"
    "covers_from(R,V,3,none) :- bill(R,V).\n"
    "covers_from(R,V,I-1,then(W,Z)) :- covers_from(R,V,I,Z), item(R,V,I-1,W), hand(W).\n"
    "covers(R,V,hands(I,J)) :- covers_from(R,V,1,then(I,then(J,none))).\n"
    "sums(none,0).\n"
    "sums(then(W,Z),N+W) :- covers_from(_,_,_,then(W,Z)), sums(Z,N).\n"
    "sums(hands(I,J),N) :- sums(then(I,then(J,none)),N).\n"
    "asked(Y) :- candidate(_,take(Y)).\n"
    "part(hands(I,J),1,I) :- asked(hands(I,J)).\n"
    "part(hands(I,J),2,J) :- asked(hands(I,J)).\n"
    "held(hands(I,J),I+J) :- asked(hands(I,J)).",
    ENOUGH: 'violates(R,take(Y),"take.enough") :- candidate(R,take(Y)), held(Y,K), not holds_at_least(K).\n'
    'violates(R,take(Y),"take.enough") :- candidate(R,take(Y)), bill(R,V), item(R,V,I,N), part(Y,I,K), K != N.',
}
"""Stones are taken as a bill says: so many with each hand. It is listed part by part, and judged by the same bill."""

MISSING = {
    "a bill": ("bill(R,V), covers", "bill(R,V), V != due(1), covers"),
    "one role": ("bill(R,V), covers", "bill(R,V), seat(R,1), covers"),
    "at the start": (
        "covers_from(R,V,3,none) :- bill(R,V).",
        "covers_from(R,V,3,none) :- bill(R,V), took(_).",
    ),
    "the last part": ("item(R,V,I-1,W), hand(W)", "item(R,V,I-1,W), hand(W), W + I != 3"),
    "a large part": ("item(R,V,I-1,W), hand(W)", "item(R,V,I-1,W), hand(W), W < 2"),
    "a sum": ("N+W) :- covers_from(_,_,_,then(W,Z))", "N+W) :- covers_from(_,_,_,then(W,Z)), N+W != 2"),
    "what is just enough": ("sums(Y,N), holds_at_least(N)", "sums(Y,N), holds_at_least(N+1)"),
    "under not": ("sums(Y,N), holds_at_least(N)", "sums(Y,N), holds_at_least(N), not heap(3)"),
    "what both read": ("mover(R), heap(H).", "mover(R), heap(H), H != 8."),
    "a part of it": ("item(R,due(X),2,1-X) :- bill(R,due(X)).", "item(R,due(0),2,1) :- bill(R,due(0))."),
}
"""Enumerations that miss a legal action, each at another stage."""


@pytest.fixture(autouse=True)
def all_in_stages(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """All is asked in stages, each divided as far as it can be; what has been proved."""
    monkeypatch.setattr(sorts_of, "_LISTED", 2)
    monkeypatch.setattr(action_splitting, "_APART", 2)
    monkeypatch.setattr(induction, "_FIRST", 0)
    monkeypatch.setattr(stages, "_BRIEF", 0)
    proved: list[str] = []
    adding = Solver.add

    def noted(solver: Solver, name: str, text: str) -> None:
        proved.extend([name] if name.startswith("proved_") else [])
        adding(solver, name, text)

    monkeypatch.setattr(Solver, "add", noted)
    return proved


def paid(folder: Path, old: str = "", new: str = "") -> Game:
    assert any(old in line for line in PAID.values())
    return changed(folder, {key: line.replace(old, new) if old else line for key, line in PAID.items()})


def test_the_same_is_proved(tmp_path: Path, all_in_stages: list[str]) -> None:
    assert examined(hands(tmp_path)) == (None, False, ())
    assert len(set(all_in_stages)) > 3


def test_a_bill_is_proved_part_by_part(
    tmp_path: Path, all_in_stages: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(induction, "_LISTING", 1)  # the stages leave nothing to search
    assert examined(paid(tmp_path)) == (None, False, ())
    assert len(set(all_in_stages)) > 10


@pytest.mark.parametrize(("old", "new"), MISSING.values(), ids=MISSING)
def test_what_is_missed_at_a_stage_is_found(tmp_path: Path, old: str, new: str) -> None:
    assert examined(paid(tmp_path, old, new))[:2] == (None, True)


@pytest.mark.parametrize(
    "fewer", ["fills(Y,K), amount(K), K < 3.", "fills(Y,K), amount(K), Y != hands(1,0)."]
)
def test_what_is_missed_in_one_case_is_found(tmp_path: Path, fewer: str) -> None:
    narrow = {k: v.replace(LISTED, fewer) for k, v in HANDS.items()}
    assert examined(changed(tmp_path, narrow))[:2] == (None, True)


def test_the_lesser_programs_come_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What both read is left open in the first, so that what is derived from the position is not read there."""
    seen: list[list[Asking]] = []

    def noted(question: Staged, whole: Solver, *assumed: str) -> None:
        found, _ = stages.programs(question, whole, assumed)
        seen.append(found)
        prove_stages(question, whole, *assumed)

    monkeypatch.setattr(induction, "prove_stages", noted)
    assert examined(paid(tmp_path)) == (None, False, ())
    ((first, second, whole),) = seen
    assert first.atoms < second.atoms <= whole.atoms
    assert "{ bill(X0,X1) : loose__(bill(X0,X1)) }." in first.solver.text
    assert "bill(R,due((H\\2))) :-" not in first.solver.text
    assert "bill(R,due((H\\2))) :-" in second.solver.text


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
    rules, stage = walked(
        ["listed(R) :- decide(R), fits(R,V), level(V).", "fits(R,V) :- decide(R), level(V)."], "listed"
    )
    rules[-1] = rules[-1].replace("does__0(R,_)", "decide(R)")
    solver = Solver("\n".join([text, *rules]), ())
    atoms = [s.atom for s in stage.every()]
    prove([Asking(solver, frozenset(atoms))], [stage], "asked")
    assert len(atoms) == 5
    assert solver.decide(None, "asked") is possible


class _Undecided(Solver):
    def __init__(self, answers: dict[str, bool | None], text: str = "{ x; y }.") -> None:
        super().__init__(text, ())
        self.answers, self.asked, self.added = answers, list[str](), list[str]()

    def decide(self, conflicts: int | None = None, *assumed: str) -> bool | None:
        self.asked.append(assumed[-1])
        return self.answers.get(assumed[-1])

    def add(self, name: str, text: str) -> None:
        self.added.append(text)


def put(solvers: list[_Undecided], *wanted: Stage) -> None:
    every = frozenset(s.atom for w in wanted for s in w.every())
    prove([Asking(s, every) for s in solvers], wanted, "x", "y")


def test_only_what_is_proved_is_added() -> None:
    solver = _Undecided({"a": False, "c": True})
    put([solver], Stage("a"), Stage("b"), Stage("c"))
    assert solver.added == [":- x, y, a."]


def test_what_is_hard_is_divided_and_what_is_not_is_not() -> None:
    solver = _Undecided({"easy": False, "hard": None, "part": False})
    put([solver], Stage("easy", "", [Stage("spared")]), Stage("hard", "", [Stage("part")]))
    assert solver.asked == ["easy", "hard", "part", "hard"]


def test_what_is_possible_is_asked_of_the_next_program() -> None:
    first, last = (
        _Undecided({"a": True, "b": False, "c": None}),
        _Undecided({"a": False, "b": True, "c": False}),
    )
    put([first, last], Stage("a"), Stage("b"), Stage("c"))
    assert (first.asked, last.asked) == (["a", "b", "c"], ["a"])
    assert first.added == last.added == [":- x, y, a.", ":- x, y, b."]


def test_a_program_without_an_assumption_is_not_asked() -> None:
    without, last = _Undecided({"a": False}, "{ x }."), _Undecided({"a": True})
    put([without, last], Stage("a"))
    assert (without.asked, last.asked, last.added) == ([], ["a"], [])


def test_a_program_without_a_stage_is_not_asked_for_it() -> None:
    without, last = _Undecided({"a": False}), _Undecided({"a": True})
    prove([Asking(without, frozenset()), Asking(last, frozenset({"a"}))], [Stage("a")], "x")
    assert (without.asked, last.asked, last.added) == ([], ["a"], [])


def test_stages_that_are_lost_end_the_asking() -> None:
    solver = _Undecided({})
    put([solver], *(Stage(f"s{k}") for k in range(20)))
    assert len(solver.asked) == 7
