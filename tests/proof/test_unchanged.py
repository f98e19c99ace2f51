"""What was found is found again without a question where nothing at all has changed, and never where something has."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest
from proof.test_kept import EDITS, ENOUGH, forget, there  # noqa: F401 (a fixture of every test)
from support.heap_game import FOLDER
from support.opened import changed, heap

from kaiser_logic.game import Game, load
from kaiser_logic.proof import prover
from kaiser_logic.proof.counterexample import Counterexample
from kaiser_logic.proof.finding import Finding, found_again
from kaiser_logic.proof.kept import Answers, of_all
from kaiser_logic.proof.prover import Prover
from kaiser_logic.proof.report import ProofReport
from kaiser_logic.proof.tasks import Found, Task
from kaiser_logic.proof.together import Together
from kaiser_logic.proof.unchanged import Unchanged
from kaiser_logic.workers import Answer, Job

TAKING = "action(take,take(K))      :- amount(K)."
RESTS = {
    TAKING: f"{TAKING}\naction(take,rest).",
    ENOUGH: f'{ENOUGH}\ncandidate(R,rest) :- decision(R,take).\nviolates(R,rest,"take.enough") :- candidate(R,rest).',
}
"""A kind of action that is never legal."""

HEAD = "%! invariant heap_stated -- The heap is stated."
ODD = "%! invariant odd -- The heap is odd.\nbroken(odd,N) :- heap(N), N \\ 2 = 0."


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is asked in children."""
    found: list[str] = []
    plain = prover.asked

    def told(jobs: Iterable[Job[Found]], *more: object) -> Iterator[Answer[Found]]:
        def each() -> Iterator[Job[Found]]:
            for job in jobs:
                found.append(job.name.partition(" ")[2])
                yield job

        return plain(each(), *more)  # type: ignore[arg-type]

    monkeypatch.setattr(prover, "asked", told)
    return found


def report(
    game: Game, fresh: bool = False, bound: int | None = None, wanted: tuple[str, ...] = ()
) -> ProofReport:
    return Prover(game.evaluator, bound, Answers(game.ruleset.id, fresh)).run(wanted, workers=1)


def verdicts(of: ProofReport) -> tuple[list[tuple[str, str, list[str]]], list[str]]:
    return [(p.claim, p.status, p.notes) for p in of.proofs], list(of.never_legal)


@pytest.mark.parametrize("wanted", [(), ("exclusive",)])
def test_whether_all_was_proved_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wanted: tuple[str, ...]
) -> None:
    def proved_before(game: Game) -> bool:
        forget(monkeypatch)
        return Prover(game.evaluator, answers=Answers(game.ruleset.id)).proved_before()

    assert not proved_before(heap())
    report(heap(), wanted=wanted)
    assert proved_before(heap())
    assert not proved_before(changed(tmp_path, RESTS))
    assert not Prover(heap().evaluator, answers=Answers("heap", fresh=True)).proved_before()


def test_what_fell_was_not_proved_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = changed(tmp_path, {HEAD: f"{ODD}\n{HEAD}"})
    assert report(game).unproved
    forget(monkeypatch)
    assert not Prover(game.evaluator, answers=Answers(game.ruleset.id)).proved_before()


@pytest.mark.slow
def test_nothing_is_asked_nor_written_again(monkeypatch: pytest.MonkeyPatch, asked: list[str]) -> None:
    first = verdicts(report(heap()))
    assert "induction take(K)" in asked
    forget(monkeypatch)
    del asked[:]
    with monkeypatch.context() as only_kept:
        only_kept.setattr(Together, "_written_to", lambda *_: pytest.fail("it is written again"))
        assert verdicts(report(heap())) == first
    assert not asked
    report(heap(), fresh=True)
    assert "induction take(K)" in asked, "all is proved again"


@pytest.mark.slow
def test_what_never_happens_is_not_asked_again_either(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, asked: list[str]
) -> None:
    game = changed(tmp_path, RESTS)
    first = verdicts(report(game))
    assert first[1] == ["rest"]
    assert "induction rest" in asked
    forget(monkeypatch)
    del asked[:]
    assert verdicts(report(game)) == first
    assert not asked


@pytest.mark.slow
@pytest.mark.parametrize(("old", "new"), [EDITS[4], EDITS[14]])
def test_a_rule_that_is_edited_is_judged_anew(tmp_path: Path, asked: list[str], old: str, new: str) -> None:
    report(heap())
    edited = changed(tmp_path, {old: new})
    expected = verdicts(Prover(edited.evaluator).run(workers=1))
    del asked[:]
    for _ in range(2):
        assert verdicts(report(edited)) == expected
    assert asked
    assert verdicts(report(heap())) == verdicts(Prover(heap().evaluator).run(workers=1))


@pytest.mark.slow
def test_an_edit_that_makes_something_possible_is_seen(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    one.mkdir(), other.mkdir()
    assert verdicts(report(changed(one, RESTS)))[1] == ["rest"]
    sometimes = RESTS | {ENOUGH: f"{RESTS[ENOUGH][:-1]}, heap(7)."}
    assert verdicts(report(changed(other, sometimes)))[1] == []


def test_all_rules_and_all_that_is_asked_are_in_the_key(tmp_path: Path) -> None:
    keys = [of_all(heap().ruleset)]
    for n, (old, new) in enumerate(EDITS):
        folder = tmp_path / str(n)
        folder.mkdir()
        keys.append(of_all(changed(folder, {old: new}).ruleset))
    keys.append(of_all(load(FOLDER, players=3).ruleset))
    keys.append(of_all(heap(last_stone="loses").ruleset))
    keys += [of_all(heap().ruleset, *more) for more in (["ab"], ["a", "b"], ["a", "b", ""])]
    assert len(set(keys)) == len(keys)


@pytest.mark.slow
def test_other_numbers_are_asked_about(asked: list[str]) -> None:
    report(heap(), bound=3)
    for bound, some in ((3, False), (4, True), (4, False)):
        del asked[:]
        report(heap(), bound=bound)
        assert bool(asked) == some


def a_task(*put: str, label: str = "induction a", apart: tuple[Task, ...] = ()) -> Task:
    return Task(label, lambda: None, (), put=put, apart=apart)


def seen(task: Task, answer: Answer[Found], then: Task | None = None) -> tuple[int, list[str]]:
    """How many tasks there are, and what is asked, where a task was answered so before."""
    unchanged = Unchanged(heap().ruleset, Answers())
    unchanged.enter(task, answer, {}, set())
    number, new = unchanged.look_up([then or task], {}, set())
    return number, [each.label for each in new.values()]


PROVED = found_again(True)
FAILED: list[Callable[[], Answer[Found]]] = [
    lambda: Answer("", None, "timeout", 0.0),
    lambda: Answer("", Finding((("i", EXAMPLE),), True, None, None, (), None, 0.0, 0.0), None, 0.0),
    lambda: Answer("", Finding((), True, EXAMPLE, None, (), None, 0.0, 0.0), None, 0.0),
    lambda: Answer("", Finding((), False, None, None, ("it differs",), None, 0.0, 0.0), None, 0.0),
    lambda: Answer("", Finding((), True, None, None, (), "numbers", 0.0, 0.0), None, 0.0),
    lambda: Answer("", Finding((), True, None, "hard", (), None, 0.0, 0.0), None, 0.0),
]
EXAMPLE = Counterexample("a", (), ())


@pytest.mark.parametrize("answer", FAILED)
def test_nothing_else_than_a_proof_is_found_again(answer: Callable[[], Answer[Found]]) -> None:
    given = answer()
    task = Task("induction a", lambda: None, ())
    assert Unchanged(heap().ruleset, Answers())._known(task) is None
    unchanged = Unchanged(heap().ruleset, Answers())
    unchanged._note(task, given.value) if given.failure is None else unchanged.enter(task, given, {}, set())
    assert unchanged.look_up([task], {}, set())[1]


def test_a_proof_is_that_of_its_own_task() -> None:
    proved = Answer("", PROVED, None, 0.0)
    assert seen(a_task("x"), proved) == (1, [])
    assert seen(a_task("x"), proved, a_task("y")) == (1, ["induction a"])
    assert seen(a_task("x"), proved, a_task("x", label="induction b")) == (1, ["induction b"])
    parts = a_task("1"), a_task("2")
    assert seen(a_task("x"), proved, a_task("x", apart=parts)) == (1, ["induction a"]), "asked together"


def test_of_tasks_that_nothing_tells_apart_nothing_is_found_again() -> None:
    proved, falls = Answer("", PROVED, None, 0.0), Answer("", None, "timeout", 0.0)
    for first, second in ((proved, falls), (falls, proved)):
        unchanged = Unchanged(heap().ruleset, Answers())
        twins = a_task("x"), a_task("x")
        unchanged.look_up(twins, {}, set())
        for task, answer in zip(twins, (first, second), strict=True):
            unchanged.enter(task, answer, {}, set())
        assert len(unchanged.look_up(twins, {}, set())[1]) == 2
        assert len(Unchanged(heap().ruleset, Answers()).look_up(twins, {}, set())[1]) == 2


BOUNDS = """
bound(inc,100). bound(low,1).
inc(R,N) :- player(R), bound(inc,M), N <= M, N = #sum{ K : taken(R,K) }.
inc(R,N) :- player(R), bound(low,M), N <= M, N = #sum{ K : taken(R,K) }.
"""
READ = "%! invariant heap_stated -- The heap is stated.\nbroken(heap_stated,x)  :- not heap(_)."


@pytest.mark.slow
def test_each_of_two_rules_for_one_sum_has_a_bound_of_its_own(tmp_path: Path) -> None:
    """One is proved, the other falls: neither answers for the other, in either order."""
    rules = BOUNDS.strip().split("\n")
    for number, text in enumerate(("\n".join(rules), "\n".join([rules[0], *rules[:0:-1]]))):
        folder = tmp_path / str(number)
        folder.mkdir()
        # something reads it, or it is no rule in force
        game = changed(folder, {READ: f"{READ}\nbroken(heap_stated,x) :- inc(_,N), N < 0.\n{text}"})
        for _ in range(3):
            claims = {claim: status for claim, status, _ in verdicts(report(game))[0]}
            assert claims["bound of inc"] == "falls"
            assert claims["heap_stated"] != "falls"


def test_what_led_to_nothing_together_is_asked_in_parts() -> None:
    whole = a_task("x", apart=(a_task("1", label="induction c"), a_task("2", label="induction d")))
    assert seen(whole, Answer("", None, None, 0.0)) == (2, ["induction c", "induction d"])


def test_what_failed_together_is_asked_together_again() -> None:
    whole = a_task("x", apart=(a_task("1", label="induction c"), a_task("2", label="induction d")))
    assert seen(whole, Answer("", None, "timeout", 0.0)) == (1, ["induction a"])
