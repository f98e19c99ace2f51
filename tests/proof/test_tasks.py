"""What is asked in children: each question is written when its child is about to begin."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from kaiser_logic.solving.report import Counterexample
from kaiser_logic.proof.finding import found_again
from kaiser_logic.solving.report import Proof
from kaiser_logic.proof.tasks import Task, collect, written
from kaiser_logic.workers import Answer


def test_a_question_is_written_when_it_is_its_turn_and_then_let_go() -> None:
    done: list[str] = []

    def task(name: str) -> Task:
        return Task(
            name,
            lambda: None,
            (),
            write=lambda: done.append(f"+{name}"),
            forget=lambda: done.append(f"-{name}"),
        )

    for job in written({"a": task("a"), "b": task("b")}):
        done.append(job.name)
    assert done == ["+a", "a", "-a", "+b", "b", "-b"]


def test_what_cannot_be_written_is_asked_all_the_same() -> None:
    def fails() -> None:
        raise ValueError("it cannot be written")

    assert [job.name for job in written({"a": Task("a", lambda: None, (), write=fails)})] == ["a"]


def test_nothing_is_written_when_time_is_up() -> None:
    done: list[str] = []
    task = Task("a", lambda: None, (), write=lambda: done.append("a"))
    assert [job.name for job in written({"a": task}, time.monotonic() - 1)] == ["a"]
    assert not done


@pytest.mark.parametrize(
    ("differs", "replayed", "status"),
    [
        ((), True, "falls"),
        ((), False, "falls"),
        (("it does not know p(5)",), True, "falls"),
        (("it does not know p(5)",), False, "undecided"),
    ],
)
def test_what_only_a_program_says_that_is_not_what_the_rules_say_does_not_fall(
    differs: tuple[str, ...], replayed: bool, status: str
) -> None:
    example = Counterexample("take(K)", ("heap(1)",), (("red", "take(1)"),), "p", replayed)
    found = replace(found_again(True), broken=(("count", example),), differs=differs)
    proofs = {"count": Proof("count", "Nothing is lost that is not there.")}
    task = Task("induction take(K)", lambda: None, ("count",))
    collect(task, Answer(task.label, found, None, 0.0), proofs, set())
    assert proofs["count"].status == status
    assert bool(proofs["count"].counterexamples) == (status == "falls")
    assert any("it does not know p(5)" in note for note in proofs["count"].notes) == bool(differs)
