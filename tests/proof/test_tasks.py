"""What is asked in children: each question is written when its child is about to begin."""

from __future__ import annotations

import time

from kaiser_logic.proof.tasks import Task, written


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
