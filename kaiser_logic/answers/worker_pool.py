"""A pool of child processes. They are started on demand, answer one question at a time, and are ended when late."""

from __future__ import annotations

import asyncio
import importlib
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any, Final

from .kinds import QuestionKind, encode
from .worker import LENGTH

_MOST: Final = 400
"""The number of questions after which a new child process replaces the old one."""
_GRACE: Final = 2.0
"""The seconds for which a quick question goes on when nobody waits for it any more."""
_DIED: Final = "not decided: the process that worked on this ended; it may need more memory or time than it is given"
_ENDED: Final = "not decided: the server is shutting down"
_LATE: Final = "not decided: it took longer than {seconds:g} seconds"


class _QuestionChild:
    """A child process."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.requests = 0

    @classmethod
    async def start(cls, table: str) -> _QuestionChild:
        path = os.pathsep.join(part for part in sys.path if part)
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            f"{__package__}.worker",
            table,
            stdin=PIPE,
            stdout=PIPE,
            env={**os.environ, "PYTHONPATH": path},
            start_new_session=True,  # Ctrl-C reaches only the server, which ends its children
        )
        return cls(process)

    async def ask(self, message: bytes) -> tuple[int, bytes]:
        """Sends a question and waits for its answer; EOFError if the child has ended."""
        source, target = self.process.stdout, self.process.stdin
        assert source is not None
        assert target is not None
        self.requests += 1
        try:
            target.write(LENGTH.pack(len(message)) + message)
            await target.drain()
            (length,) = LENGTH.unpack(await source.readexactly(LENGTH.size))
            answer = await source.readexactly(length)
        except (asyncio.IncompleteReadError, ConnectionError) as error:
            raise EOFError from error
        return int.from_bytes(answer[:2], "big"), answer[2:]

    @property
    def alive(self) -> bool:
        """Whether the child is alive; it may have ended before the event loop notices."""
        if self.process.returncode is not None:
            return False
        try:
            return os.waitid(os.P_PID, self.process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None
        except ChildProcessError:
            return False

    async def end(self) -> None:
        """Kills the child. The processes that it has started for a query end, too."""
        if self.alive:
            with suppress(ProcessLookupError):
                # process.kill() would wait for the child, so the event loop would miss its end
                os.kill(self.process.pid, signal.SIGKILL)
        await self.process.wait()


_LONG: Final = 2
"""The number of long questions that are answered at once."""


class WorkerPool:
    """Child processes in two groups, so that long questions do not delay quick ones."""

    def __init__(self, table: str, quick: int | None = None) -> None:
        """A pool without processes; the first question starts one.

        Args:
            table: The module with the questions as ``QUESTIONS``, which the children load.
            quick: The number of quick questions that are answered at once; by default that of the cores, at least two.
        """
        self._table = table
        self._questions: Mapping[str, QuestionKind] = importlib.import_module(table).QUESTIONS
        self._idle: dict[bool, list[_QuestionChild]] = {False: [], True: []}
        quick = quick or max(2, os.cpu_count() or 1)
        self._free = {False: asyncio.Semaphore(quick), True: asyncio.Semaphore(_LONG)}
        self._all: set[_QuestionChild] = set()
        self._ended = False

    async def ask(
        self,
        name: str,
        message: bytes,
        gone: Callable[[], Awaitable[Any]] | None = None,
    ) -> tuple[int, bytes]:
        """The HTTP status and the answer to a question.

        Args:
            name: The name of the question.
            message: ``{"ask": NAME, "data": ...}`` as JSON.
            gone: Returns when nobody waits for the answer any more; then the child is ended.
        """
        question = self._questions[name]
        async with self._free[question.long]:
            return await self._answer(question, message, gone)

    async def _answer(
        self, question: QuestionKind, message: bytes, gone: Callable[[], Awaitable[Any]] | None
    ) -> tuple[int, bytes]:
        if self._ended:
            return 503, encode({"error": _ENDED, "open": True})
        idle = self._idle[question.long]
        child = await self._living(idle)
        work = asyncio.ensure_future(child.ask(message))
        watched = [work] if gone is None else [work, asyncio.ensure_future(gone())]
        reusable = False
        try:
            await asyncio.wait(watched, timeout=question.seconds, return_when=asyncio.FIRST_COMPLETED)
            if not work.done() and not question.long and watched[-1].done():
                await asyncio.wait([work], timeout=_GRACE)  # the child has loaded rules, so a short wait is worth while
            if not work.done():
                late = watched[-1] is work or not watched[-1].done()
                text = _LATE.format(seconds=question.seconds) if late else "nobody waits for this"
                return (504 if late else 499), encode({"error": text, "open": True})
            try:
                status, answer = work.result()
            except EOFError:
                return 503, encode({"error": _ENDED if self._ended else _DIED, "open": True})
            reusable = status < 500 and child.requests < _MOST
            return status, answer
        finally:
            for task in watched:
                task.cancel()
            try:
                await asyncio.gather(*watched, return_exceptions=True)
            finally:
                if reusable and child in self._all:
                    idle.append(child)  # must be last: from now on another question may use it
                else:
                    self._all.discard(child)
                    await child.end()

    async def _living(self, idle: list[_QuestionChild]) -> _QuestionChild:
        """An idle child, or a new one; idle children that have died are removed."""
        while idle:
            child = idle.pop()
            if child.alive:
                return child
            self._all.discard(child)
            await child.end()
        child = await _QuestionChild.start(self._table)
        self._all.add(child)
        if self._ended:
            await child.end()
        return child

    async def end(self) -> None:
        """Ends all children; present questions get the answer that the server is shutting down."""
        self._ended = True
        children, self._all = list(self._all), set()
        for group in self._idle.values():
            group.clear()
        await asyncio.gather(*(child.end() for child in children))
