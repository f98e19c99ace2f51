"""Long questions: each in a child process of its own, with a limit of memory and a deadline.

Grounding cannot be interrupted and clingo does not give memory back, so whatever may grow large is asked in a process
that can be stopped. Children are forked: they inherit the rules as they are. Nothing of them stays behind when the
caller is interrupted.
"""

from __future__ import annotations

import multiprocessing
import os
import resource
import signal
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, TypeAlias, TypeVar, cast

import clingo

T = TypeVar("T")
Model: TypeAlias = list[clingo.Symbol]
MEMORY = 6 * 2**30
"""The most memory that a child may use, in bytes."""
SPARSE = ("--sign-def=neg",)
"""For positions that are to be found: what need not be there is left out."""


@dataclass(frozen=True)
class Answer(Generic[T]):
    """What became of a job: its value, or why there is none (``timeout``, ``memory``, or an error's text)."""

    index: int
    value: T | None
    failure: str | None
    seconds: float


def _child(job: Callable[[], T], pipe: Connection, memory: int) -> None:
    """Runs the job in the child."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    try:
        pipe.send((job(), None))
    except MemoryError:
        pipe.send((None, "memory"))
    except Exception as error:
        message = str(error)
        pipe.send((None, "memory" if "bad_alloc" in message else message or type(error).__name__))
    finally:
        pipe.close()


def run(
    jobs: Sequence[Callable[[], T]],
    workers: int | None = None,
    deadline: float = float("inf"),
    memory: int = MEMORY,
) -> Iterator[Answer[T]]:
    """Runs the jobs, ``workers`` at a time, and yields their answers as they come.

    Args:
        jobs: What to do; their values must be picklable.
        workers: How many at once; by default one for each core.
        deadline: By :func:`time.monotonic`; what is not done by then is stopped.
        memory: The limit for each child, in bytes.
    """
    context = multiprocessing.get_context("fork")
    running: dict[Any, tuple[int, Any, float]] = {}
    pending = list(enumerate(jobs))[::-1]
    limit = workers or os.cpu_count() or 1
    try:
        while pending or running:
            while pending and len(running) < limit and time.monotonic() < deadline:
                index, job = pending.pop()
                here, there = context.Pipe(duplex=False)
                process = context.Process(target=_child, args=(job, there, memory), daemon=True)
                process.start()
                there.close()
                running[here] = (index, process, time.monotonic())
            if not running:
                break
            left = deadline - time.monotonic()
            ready = wait(list(running), timeout=None if left == float("inf") else max(0.0, left))
            if not ready:
                break
            for pipe in ready:
                index, process, start = running.pop(pipe)
                try:
                    value, failure = cast("Connection", pipe).recv()
                except EOFError:
                    value, failure = None, "memory"
                process.join()
                yield Answer(index, value, failure, time.monotonic() - start)
        for index, _, start in running.values():
            yield Answer(index, None, "timeout", time.monotonic() - start)
        for index, _ in pending:
            yield Answer(index, None, "timeout", 0.0)
    finally:
        for _, process, _ in running.values():
            process.kill()
            process.join()


def ask(job: Callable[[], T], timeout: float, memory: int = MEMORY) -> Answer[T]:
    """Runs one job."""
    return next(iter(run([job], 1, time.monotonic() + timeout, memory)))


class Ground:
    """A program grounded once and solved under assumptions; for use in a child."""

    def __init__(self, text: str, facts: Iterable[clingo.Symbol], options: Sequence[str] = ()) -> None:
        """Grounds the program of ours over the facts."""
        start = time.perf_counter()
        self.control = clingo.Control(["--warn=none", *options])
        self.control.add("base", [], text)
        with self.control.backend() as backend:
            for fact in facts:
                backend.add_rule([backend.add_atom(fact)])
        self.control.ground([("base", [])])
        self.grounding = time.perf_counter() - start
        self.solving = 0.0

    def model(self, *assumed: str) -> Model | None:
        """The atoms of a model in which these propositions hold, or None where there is none."""
        start = time.perf_counter()
        literals = [(clingo.Function(a.removeprefix("not ")), not a.startswith("not ")) for a in assumed]
        found: Model | None = None
        with self.control.solve(assumptions=literals, yield_=True) as handle:
            for model in handle:
                found = list(model.symbols(atoms=True))
                break
        self.solving += time.perf_counter() - start
        return found

    def decide(self, conflicts: int | None = None) -> bool | None:
        """Whether there is a model; None where more conflicts than this would have to be gone through."""
        start = time.perf_counter()
        limit: Any = self.control.configuration.solve
        limit.solve_limit = "umax" if conflicts is None else str(conflicts)
        answer = self.control.solve().satisfiable
        limit.solve_limit = "umax"
        self.solving += time.perf_counter() - start
        return answer

    def best(self, seconds: float = 10.0) -> tuple[Model | None, bool]:
        """The best model found within a time, and whether it was proved to be the best (or that there is none)."""
        end = time.monotonic() + seconds
        found: Model | None = None
        with self.control.solve(yield_=True, async_=True) as handle:
            while True:
                handle.resume()
                if not handle.wait(max(0.0, end - time.monotonic()) if found is not None else None):
                    handle.cancel()
                    return found, False
                model = handle.model()
                if model is None:
                    return found, True
                found = list(model.symbols(atoms=True))

    def add(self, name: str, text: str) -> None:
        """Adds rules after the first solving."""
        self.control.add(name, [], text)
        self.control.ground([(name, [])])
