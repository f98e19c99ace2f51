"""Workers that answer, are late, die, or whose answer is no longer wanted."""

import asyncio
import json
import sys
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any

import pytest
from support.places import place

from kaiser_logic.answers import worker_pool as pool_module
from kaiser_logic.answers.kinds import QuestionKind
from kaiser_logic.answers.worker_pool import WorkerPool
from kaiser_logic.explorer import questions

TABLE = questions.__name__
QUESTIONS = {"legal": QuestionKind("actions", "legal", 0.05)}
"""This module as a table of questions, with little time."""


def message(name: str, data: Any) -> bytes:
    """A question in the form that the server sends."""
    return json.dumps({"ask": name, "data": data}).encode()


def children_of(pool: WorkerPool) -> Any:
    return pool._all


def in_loop(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """A test that runs in an event loop of its own."""

    @wraps(test)
    def run(*given: Any, **named: Any) -> None:
        asyncio.run(test(*given, **named))

    return run


def replace_workers(monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    """Lets the pool start another program in place of the worker."""
    original = asyncio.create_subprocess_exec

    async def start(*_: Any, **given: Any) -> Any:
        return await original(sys.executable, "-c", program, stdin=given["stdin"], stdout=given["stdout"])

    monkeypatch.setattr(asyncio, "create_subprocess_exec", start)


@in_loop
async def test_workers_are_reused():
    pool = WorkerPool(TABLE, quick=1)
    here = place("games/four-players.game", 60)
    for _ in range(2):
        status, answer = await pool.ask("legal", message("legal", here))
        assert status == 200
        assert json.loads(answer)["roles"][0]["role"] == "blue"
    (child,) = children_of(pool)
    assert child.requests == 2
    await pool.end()
    assert child.process.returncode is not None
    assert not children_of(pool)


@in_loop
async def test_late_workers_are_killed(monkeypatch):
    """The worker never answers."""
    replace_workers(monkeypatch, "import time; time.sleep(100000)")
    pool = WorkerPool(__name__, quick=1)
    status, answer = await pool.ask("legal", message("legal", {}))
    assert status == 504
    assert "not decided" in json.loads(answer)["error"]
    assert not children_of(pool)
    await pool.end()


@in_loop
async def test_the_death_of_a_worker_is_not_decided(monkeypatch):
    replace_workers(monkeypatch, "import sys; sys.stdin.buffer.read(4)")
    pool = WorkerPool(TABLE, quick=1)
    for _ in range(2):
        status, answer = await pool.ask("legal", message("legal", {}))
        assert status == 503
        assert "not decided" in json.loads(answer)["error"]
    assert not children_of(pool)


ANSWERS = """
import sys, time
answer = (200).to_bytes(2, "big") + b"{}"
for turn in range(2):
    length = int.from_bytes(sys.stdin.buffer.read(4), "big")
    sys.stdin.buffer.read(length)
    time.sleep(turn)
    sys.stdout.buffer.write(len(answer).to_bytes(4, "big") + answer)
    sys.stdout.flush()
"""
"""A worker that answers twice, the second time with a delay."""


@in_loop
async def test_a_worker_gets_no_new_question_before_the_last_is_over(monkeypatch):
    """Once the worker got the next question while the last one was still cleaning up, which then killed it."""
    replace_workers(monkeypatch, ANSWERS)
    answered, next_asked = asyncio.Event(), asyncio.Event()

    async def gone() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            answered.set()
            await next_asked.wait()

    pool = WorkerPool(TABLE, quick=2)
    first = asyncio.ensure_future(pool.ask("legal", message("legal", {}), gone))
    await answered.wait()
    second = asyncio.ensure_future(pool.ask("legal", message("legal", {})))
    while sum(child.requests for child in children_of(pool)) < 2:
        await asyncio.sleep(0)
    next_asked.set()
    assert [status for status, _ in await asyncio.gather(first, second)] == [200, 200]
    await pool.end()


@in_loop
async def test_cancelled_questions_kill_their_worker(monkeypatch):
    replace_workers(monkeypatch, "import time; time.sleep(100000)")
    monkeypatch.setattr(pool_module, "_GRACE", 0.05)

    async def gone() -> None:
        return

    pool = WorkerPool(TABLE, quick=1)
    status, _ = await pool.ask("legal", message("legal", {}), gone)
    assert status == 499
    assert not children_of(pool)


@in_loop
async def test_cancelled_quick_questions_are_finished():
    """The worker, which has read the rules, stays for the next question."""

    async def gone() -> None:
        return

    pool = WorkerPool(TABLE, quick=1)
    data = message("legal", place("games/four-players.game", 60))
    await pool.ask("legal", data)
    (child,) = children_of(pool)
    await pool.ask("legal", data, gone)
    assert pool._idle[False] == [child]
    await pool.end()


@pytest.mark.slow
@pytest.mark.parametrize("noticed", [False, True])
@in_loop
async def test_idle_workers_that_died_are_replaced(noticed):
    """With and without the event loop having noticed the death."""
    pool = WorkerPool(TABLE, quick=1)
    data = message("legal", place("games/four-players.game", 60))
    assert (await pool.ask("legal", data))[0] == 200
    (child,) = children_of(pool)
    assert child.alive
    child.process.kill()
    if noticed:
        await child.process.wait()
    while child.alive:
        pass  # the event loop does not run meanwhile
    status, answer = await pool.ask("legal", data)
    assert status == 200, answer
    (other,) = children_of(pool)
    assert other is not child
    await pool.end()


@in_loop
async def test_questions_during_shutdown_get_an_error_message(monkeypatch):
    """One question is running, one is waiting, and one comes later."""
    replace_workers(monkeypatch, "import time; time.sleep(100000)")
    pool = WorkerPool(TABLE, quick=1)
    asked = [asyncio.ensure_future(pool.ask("legal", message("legal", {}))) for _ in range(2)]
    while not any(child.requests for child in children_of(pool)):
        await asyncio.sleep(0)
    await pool.end()
    for status, answer in [*await asyncio.gather(*asked), await pool.ask("legal", message("legal", {}))]:
        assert (status, json.loads(answer)["error"]) == (503, "not decided: the server is shutting down")
    assert not children_of(pool)
