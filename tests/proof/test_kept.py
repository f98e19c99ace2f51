"""Proofs that are kept: found again while nothing that decides them has changed, and never otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import clingo
import pytest
from support.opened import changed, heap

from kaiser_logic import cache
from kaiser_logic.engine.ruleset import Ruleset
from kaiser_logic.errors import NotDecided
from kaiser_logic.game import Game
from kaiser_logic.proof import deadlock, kept
from kaiser_logic.proof.deadlock import decisions, stuck
from kaiser_logic.proof.finding import Finding
from kaiser_logic.proof.induction import Induction
from kaiser_logic.proof.kept import Answers
from kaiser_logic.proof.obligations import ALWAYS
from kaiser_logic.proof.prover import Prover
from kaiser_logic.proof.sample import Sample
from kaiser_logic.rules.rulebook import ActionKind
from kaiser_logic.symbolic.domains import Domains, domains
from kaiser_logic.symbolic.invariants import invariants
from kaiser_logic.symbolic.solver import Solver
from kaiser_logic.symbolic.transitions import transitions

PASS_ON = "add(decision(Q,take))        :- due(pass_on), took(R), left(R,Q), holds_at_least(1)."
TAKES = "shift(heap,taken(R),K,taken) :- does(R,take(K))."
ENOUGH = 'violates(R,take(K),"take.enough") :- candidate(R,take(K)), heap(N), not holds_at_least(K).'
HEAD = "%! invariant heap_stated -- The heap is stated."


@pytest.fixture(autouse=True)
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "kept"))
    monkeypatch.setattr(cache, "_stores", {})
    cache._checked.cache_clear()
    yield tmp_path / "kept"
    cache._checked.cache_clear()


@pytest.fixture
def solved(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The transitions that are put to the solver."""
    found: list[str] = []
    suspected = Induction._suspected

    def told(self: Induction, *args: object) -> object:
        found.append(self._transition.label)
        return suspected(self, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(Induction, "_suspected", told)
    return found


def examined(game: Game, answers: Answers | None = None) -> dict[str, Finding]:
    """What is found of each transition."""
    sorts = domains(game.ruleset)
    assumed = invariants(game.ruleset).assumed
    return {
        t.label: Induction(game.evaluator, t, sorts, answers).examine(assumed, [*assumed, *ALWAYS])
        for t in transitions(game.ruleset, sorts)
    }


def verdicts(findings: dict[str, Finding]) -> dict[str, tuple[object, ...]]:
    return {
        label: (f.proved, sorted({name for name, _ in f.broken}), f.possible, f.unlisted is None)
        for label, f in findings.items()
    }


def forget(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a new process."""
    cache.keep()
    monkeypatch.setattr(cache, "_stores", {})


def test_what_is_proved_is_found_again(monkeypatch: pytest.MonkeyPatch, solved: list[str]) -> None:
    first = examined(heap(), Answers())
    assert all(f.proved for f in first.values())
    assert solved == ["take(K)", "step pass_on"]
    forget(monkeypatch)
    assert verdicts(examined(heap(), Answers())) == verdicts(first)
    assert len(solved) == 2
    examined(heap(), Answers(fresh=True))
    assert len(solved) == 4, "all is proved again"
    examined(heap())
    assert len(solved) == 6


def test_only_what_is_concerned_is_proved_again(tmp_path: Path, solved: list[str]) -> None:
    examined(heap(), Answers())
    edited = changed(
        tmp_path, {PASS_ON: PASS_ON.replace("took(R), left(R,Q)", "left(R,Q), took(R), player(Q)")}
    )
    del solved[:]
    assert all(f.proved for f in examined(edited, Answers()).values())
    assert solved == ["step pass_on"]


EDITS = [
    (TAKES, TAKES.replace(",K,", ",1,")),
    (TAKES, "lose(heap,K,taken) :- does(R,take(K))."),
    (TAKES, ""),
    (ENOUGH, ""),
    (ENOUGH, ENOUGH.replace("holds_at_least(K)", "holds_at_least(1)")),
    (PASS_ON, PASS_ON.replace("holds_at_least(1)", "heap(_)")),
    (PASS_ON, PASS_ON + "\nadd(heap(13)) :- due(pass_on)."),
    ("add(took(R))                 :- does(R,take(_)).", "add(took(R)) :- does(R,take(3))."),
    ("del(took(Q))                 :- does(R,take(_)), took(Q), Q != R.", ""),
    ("amount(1..3).", "amount(1..4)."),
    ("limit(stones,12,12).", "limit(stones,11,12)."),
    ("counts(stones,taken(R),N) :- taken(R,N).", "counts(stones,taken(R),1) :- taken(R,N)."),
    ("init(heap(12)).", "init(heap(11))."),
    ("holds_at_least(1..N)         :- heap(N), N > 0.", "holds_at_least(1..N) :- heap(N), N > 1."),
    ("broken(heap_stated,x)  :- not heap(_).", "broken(heap_stated,x) :- heap(3)."),
    (HEAD, f"%! invariant luck -- It is so.\nbroken(luck,x) :- heap(7), took(red).\n{HEAD}"),
    (
        "enter(over)                  :- due(pass_on), not holds_at_least(1).",
        "enter(over) :- due(pass_on).",
    ),
    (
        "candidate(R,take(K))          :- decision(R,take), amount(K).",
        "candidate(R,take(1)) :- decision(R,take).",
    ),
]


def judged_alike(folder: Path, old: str, new: str) -> None:
    """An edited game is judged with what is kept of the other one as without, and the other way round."""
    examined(heap(), Answers())
    edited = changed(folder, {old: new})
    expected = verdicts(examined(edited))
    for _ in range(2):
        assert verdicts(examined(edited, Answers())) == expected
    assert verdicts(examined(heap(), Answers())) == verdicts(examined(heap()))


@pytest.mark.sample(4)
@pytest.mark.parametrize(("old", "new"), EDITS[:4])
def test_an_edit_is_judged_as_without_what_is_kept(tmp_path: Path, old: str, new: str) -> None:
    judged_alike(tmp_path, old, new)


@pytest.mark.long
@pytest.mark.parametrize(("old", "new"), EDITS[4:])
def test_further_edits(tmp_path: Path, old: str, new: str) -> None:
    judged_alike(tmp_path, old, new)


def test_nothing_is_kept_of_what_falls_or_is_open(tmp_path: Path, solved: list[str]) -> None:
    falling = changed(tmp_path, {ENOUGH: ENOUGH.replace("holds_at_least(K)", "holds_at_least(1)")})
    for count in (1, 2):
        found = examined(falling, Answers())
        assert not found["take(K)"].proved
        assert solved.count("take(K)") == count
    open_ = Finding((), True, None, None, (), None, 0.0, 0.0)
    assert open_.proved
    for other in (
        replace(open_, beyond="numbers have no end"),
        replace(open_, differs=("its encoding",)),
        replace(open_, possible=False),
    ):
        assert not other.proved


def test_an_interrupted_proof_is_not_kept(monkeypatch: pytest.MonkeyPatch, solved: list[str]) -> None:
    def interrupted(*_: object) -> None:
        raise MemoryError

    with monkeypatch.context() as broken:
        broken.setattr(Induction, "_differences", interrupted)
        with pytest.raises(MemoryError):
            examined(heap(), Answers())
    del solved[:]
    examined(heap(), Answers())
    assert len(solved) == 2


@pytest.mark.sample(3)
@pytest.mark.parametrize("how", ["cut", "altered", "renamed"])
def test_damaged_entries_are_passed_over(
    monkeypatch: pytest.MonkeyPatch, there: Path, solved: list[str], how: str
) -> None:
    examined(heap(), Answers())
    forget(monkeypatch)
    (file,) = there.glob("proofs-*")
    data = file.read_bytes()
    if how == "cut":
        file.write_bytes(data[:-3])
    elif how == "altered":
        file.write_bytes(data[:-3] + b"xyz")
    else:
        file.rename(there / f"proofs-{'0' * 64}")
    del solved[:]
    examined(heap(), Answers())
    assert len(solved) == 2


def key_of(game: Game, **changes: object) -> str:
    """The key of the first transition's proof, with some of what decides it changed."""
    sorts = domains(game.ruleset)
    transition = changes.pop("transition", transitions(game.ruleset, sorts)[0])
    assumed = list(invariants(game.ruleset).assumed)
    induction = Induction(game.evaluator, transition, changes.pop("sorts", sorts))  # type: ignore[arg-type]
    question = induction.questions.leaving(assumed, assumed, exact=False)
    solver = question.solver
    for name in ("text", "facts", "options"):
        if name in changes:
            setattr(solver, name, changes.pop(name))
    lemmas, goals = changes.pop("lemmas", assumed), changes.pop("goals", assumed)
    assert not changes
    return induction._key([question], lemmas, goals)  # type: ignore[arg-type]


def test_everything_that_decides_a_proof_is_in_its_key(monkeypatch: pytest.MonkeyPatch) -> None:
    game = heap()
    first = key_of(game)
    assert key_of(game) == first
    sorts = domains(game.ruleset)
    assumed = list(invariants(game.ruleset).assumed)
    take, step = transitions(game.ruleset, sorts)
    solver = Solver("", ())
    keys = [
        first,
        key_of(game, text=""),
        key_of(game, facts=solver.facts),
        key_of(game, options=("--sign-def=neg",)),
        key_of(game, lemmas=assumed[1:]),
        key_of(game, goals=assumed[1:]),
        key_of(game, lemmas=assumed[1:], goals=[assumed[0], *assumed]),
        key_of(game, transition=step),
        key_of(game, transition=replace(take, label="other")),
        key_of(game, sorts=replace_most(sorts)),
    ]
    monkeypatch.setattr("kaiser_logic.clingo.VERSION", "5.9.9")
    keys.append(key_of(game))
    monkeypatch.setattr(kept, "tool", lambda: "other sources")
    keys.append(key_of(game))
    assert len(set(keys)) == len(keys)


def replace_most(sorts: Domains) -> Domains:
    return replace(sorts, most=(*sorts.most, clingo.Function("endless", [clingo.Function("x")])))


def test_strings_are_not_constants() -> None:
    assert kept._texts([clingo.String("a")]) != kept._texts([clingo.Function("a")])
    assert kept._listed(["ab", ""]) != kept._listed(["a", "b"])


def test_who_is_never_stuck_is_found_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def asked(game: Game) -> object:
        sorts = domains(game.ruleset)
        ((name, kinds, _),) = decisions(transitions(game.ruleset, sorts), Sample(), sorts)
        return stuck(game.evaluator, name, kinds, sorts, answers=Answers())

    assert asked(heap()) is None
    with monkeypatch.context() as only_kept:
        only_kept.setattr(Solver, "decide", lambda *_: pytest.fail("it is proved again"))
        assert asked(heap()) is None
    edited = changed(tmp_path, {ENOUGH: ENOUGH.replace("holds_at_least(K)", "holds_at_least(2)")})
    assert asked(edited) is not None


@pytest.mark.slow
def test_a_whole_report_from_what_is_kept_is_the_same(monkeypatch: pytest.MonkeyPatch, there: Path) -> None:
    def statuses() -> list[tuple[str, str]]:
        report = Prover(heap().evaluator, answers=Answers()).run(workers=1)
        return [(proof.claim, proof.status) for proof in report.proofs]

    first = statuses()
    (file,) = there.glob("proofs-*")
    before = file.stat().st_mtime_ns
    forget(monkeypatch)
    assert statuses() == first
    assert file.stat().st_mtime_ns == before, "nothing new was proved"


ACTION = "action(take,take(K))      :- amount(K)."


@pytest.mark.slow
@pytest.mark.parametrize("also", ["", "action(take,skip)."])
def test_what_cannot_be_asked_is_not_looked_up(tmp_path: Path, also: str) -> None:
    """The vocabulary has no such action, but the rules list it: with what is kept as without, that is not decided."""
    skip = "candidate(R,skip) :- decision(R,take).\nadd(took(R)) :- does(R,skip).\n" if also else ""
    game = changed(tmp_path, {ACTION: f"action(take,take(K)) :- amount(K), K > 3.\n{also}\n{skip}"})
    alone = [str(p) for p in Prover(game.evaluator).run(workers=1).proofs]
    assert Prover(heap().evaluator, answers=Answers("heap")).run(workers=1).proved
    answers = Answers("heap")
    assert answers.some
    found = Prover(game.evaluator, answers=answers).run(workers=1)
    assert [str(p) for p in found.proofs] == alone
    assert any("without a finite domain" in note for p in found.proofs for note in p.notes)


@pytest.mark.slow
def test_a_question_that_cannot_be_written_is_not_looked_up_before_its_turn(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """That one can always pass is asked first: what forbids other actions need not be understood."""
    more = """
        action(take,skip).
        candidate(R,skip) :- decision(R,take).
        add(took(R)) :- does(R,skip).
    """
    game = changed(tmp_path, {ACTION: ACTION + more})
    assert Prover(heap().evaluator, answers=Answers("heap")).run(workers=1).proved
    answers, sorts = Answers("heap"), domains(game.ruleset)
    assert answers.some
    lost = deadlock._lost

    def written(
        ruleset: Ruleset, pending: object, chosen: Sequence[ActionKind], *rest: Any, **more: Any
    ) -> Any:
        if any(kind.action != ("c", "skip") for kind in chosen):
            raise NotDecided("a rule asks for what somebody does")
        return lost(ruleset, pending, chosen, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(deadlock, "_lost", written)
    kinds = game.ruleset.book.kinds
    assert stuck(game.evaluator, "take", kinds, sorts) is None
    assert stuck(game.evaluator, "take", kinds, sorts, answers=answers) is None
