"""Lasting workers: the executor loses no job and answers none twice, even if workers die."""

from __future__ import annotations

import doctest
import errno
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import CancelledError
from functools import partial
from pathlib import Path

import pytest

from kaiser_logic.workers import LOST, OUT_OF_MEMORY, Job, JobRefused, Lost, Workers, answers, executor
from kaiser_logic.workers import executor as module


def fail(message: str) -> None:
    raise ValueError(message)


def fail_with_a_local_error() -> object:
    class Local(Exception):
        pass

    raise Local("so it is")


def die_once(mark: str) -> str:
    """Kills its process at the first call."""
    if not os.path.exists(mark):
        Path(mark).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return "done"


def leave_a_file(folder: str, number: int) -> int:
    """Leaves a new file at each call."""
    Path(folder, f"{number}-{os.getpid()}-{time.monotonic_ns()}").touch()
    return number


def run_out_of_memory() -> None:
    raise MemoryError


def refuse() -> None:
    raise JobRefused("not here")


def test_doctests() -> None:
    assert doctest.testmod(sys.modules[Workers.__module__]).failed == 0


def test_workers_are_an_executor() -> None:
    with Workers(2) as workers:
        assert list(workers.map(pow, [1, 2, 3], [2, 2, 2])) == [1, 4, 9]
        failed = workers.submit(fail, "so it is")
        with pytest.raises(ValueError, match="so it is"):
            failed.result()
        with pytest.raises(RuntimeError, match="Local: so it is"):
            workers.submit(fail_with_a_local_error).result()
        assert len({workers.submit(os.getpid).result() for _ in range(20)}) <= 2
    with pytest.raises(RuntimeError):
        workers.submit(pow, 1, 2)
    assert not multiprocessing.active_children()


def test_a_dead_worker_is_replaced() -> None:
    with Workers(1) as workers:
        with pytest.raises(Lost):
            workers.submit(os._exit, 1).result()
        assert workers.submit(pow, 2, 3).result() == 8


def test_waiting_jobs_are_cancelled() -> None:
    workers = Workers(1)
    running = workers.submit(time.sleep, 1000)
    waiting = [workers.submit(pow, n, 2) for n in range(3)]
    while not running.running():
        time.sleep(0.01)
    workers.kill()
    with pytest.raises(Lost):
        running.result()
    for future in waiting:
        with pytest.raises(CancelledError):
            future.result()
    assert not multiprocessing.active_children()


def test_each_job_has_one_answer_when_workers_die(tmp_path: Path) -> None:
    jobs = [Job(str(n), partial(leave_a_file, str(tmp_path), n)) for n in range(20)]
    jobs[7] = Job("7", partial(die_once, str(tmp_path / "mark")))
    jobs[11] = Job("11", partial(os._exit, 1))
    with executor(2) as workers:
        found = list(answers(jobs, workers, 8))
    assert sorted(a.name for a in found) == sorted(str(n) for n in range(20))
    values = {a.name: a.value for a in found}
    assert values == {str(n): n for n in range(20)} | {"7": "done", "11": None}
    assert {a.name: a.failure for a in found if a.failure} == {"11": LOST}
    done = [file.name.partition("-")[0] for file in tmp_path.iterdir() if file.name != "mark"]
    assert sorted(done) == sorted(str(n) for n in range(20) if n not in {7, 11}), "no job is done twice"


def test_jobs_are_taken_one_by_one() -> None:
    taken = []

    def jobs():  # type: ignore[no-untyped-def]
        for n in range(100):
            taken.append(n)
            yield Job(str(n), bool)

    with executor(1) as workers:
        found = answers(jobs(), workers, 3)
        next(found)
        assert len(taken) <= 6
        found.close()  # type: ignore[attr-defined]
    assert not multiprocessing.active_children()


def test_a_refusal_ends_all_jobs() -> None:
    with pytest.raises(JobRefused), executor(1) as workers:
        list(answers([Job("a", refuse), Job("b", bool)], workers, 1))


def test_workers_end_with_their_parent(tmp_path: Path) -> None:
    program = (
        "import os, time\n"
        "from kaiser_logic.workers import Workers\n"
        "workers = Workers(1)\n"
        "print(workers.submit(os.getpid).result(), flush=True)\n"
        "workers.submit(time.sleep, 1000)\n"
        "time.sleep(1000)\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        parent.kill()
    for _ in range(200):
        if not Path(f"/proc/{child}").exists() or " Z " in Path(f"/proc/{child}/stat").read_text():
            return
        time.sleep(0.05)
    pytest.fail("the child is still there")


def test_workers_do_not_import_dask() -> None:
    assert "distributed" not in vars(module)


def test_jobs_fail_when_no_process_can_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker dies, and too many files are open to start another. The jobs fail, and so do later ones."""

    def none() -> None:
        raise OSError(errno.EMFILE, "Too many open files")

    with executor(1) as workers:
        monkeypatch.setattr(sys.modules[Workers.__module__], "_WorkerProcess", none)
        jobs = [Job("first", partial(os._exit, 1)), Job("second", partial(pow, 2, 2))]
        assert [answer.failure for answer in answers(jobs, workers, 2)] == [
            "[Errno 24] Too many open files"
        ] * 2
        (later,) = answers([Job("later", partial(pow, 2, 2))], workers, 1)
        assert later.failure == "[Errno 24] Too many open files"


def test_memory_errors_have_the_usual_failure() -> None:
    with executor(1) as workers:
        (found,) = answers([Job("job", run_out_of_memory)], workers, 1)
    assert found.failure == OUT_OF_MEMORY
