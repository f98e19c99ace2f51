"""Lasting workers: no job is lost and none is answered twice, even if workers die."""

import errno
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from kaiser_logic.workers import LOST, OUT_OF_MEMORY, TIMEOUT, Job, JobRefused, Workers, child_processes, in_order


def fail(message: str) -> None:
    raise ValueError(message)


def fail_with_a_local_error() -> object:
    class Local(Exception):
        pass

    raise Local("so it is")


def give_what_cannot_be_sent() -> object:
    return lambda: 1


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


def interrupt() -> str:
    """Ctrl-C reaches all processes."""
    os.kill(os.getpid(), signal.SIGINT)
    return "still here"


def refuse() -> None:
    raise JobRefused("not here")


def test_workers_last_and_end():
    with Workers(2) as workers:
        found = {a.value for _ in range(2) for a in workers.answers(Job(str(n), os.getpid) for n in range(10))}
        assert len(found) <= 2
        assert os.getpid() not in found
    assert not multiprocessing.active_children()


def test_failures_are_texts():
    jobs = [
        Job("a", partial(fail, "so it is")),
        Job("b", fail_with_a_local_error),
        Job("c", run_out_of_memory),
        Job("d", partial(pow, 2, 3)),
        Job("e", interrupt),
    ]
    with Workers(1) as workers:
        assert [(a.value, a.failure) for a in workers.answers(jobs)] == [
            (None, "so it is"),
            (None, "so it is"),
            (None, OUT_OF_MEMORY),
            (8, None),
            ("still here", None),
        ]
        (found,) = workers.answers([Job("lambda", give_what_cannot_be_sent)])
        assert "pickle" in str(found.failure)


def test_each_job_has_one_answer_when_workers_die(tmp_path):
    jobs = [Job(str(n), partial(leave_a_file, str(tmp_path), n)) for n in range(20)]
    jobs[7] = Job("7", partial(die_once, str(tmp_path / "mark")))
    jobs[11] = Job("11", partial(os._exit, 1))
    with Workers(2) as workers:
        found = list(workers.answers(jobs))
    assert sorted(a.name for a in found) == sorted(str(n) for n in range(20))
    values = {a.name: a.value for a in found}
    assert values == {str(n): n for n in range(20)} | {"7": "done", "11": None}
    assert {a.name: a.failure for a in found if a.failure} == {"11": LOST}
    done = [file.name.partition("-")[0] for file in tmp_path.iterdir() if file.name != "mark"]
    assert sorted(done) == sorted(str(n) for n in range(20) if n not in {7, 11}), "no job is done twice"


def test_jobs_are_taken_one_by_one():
    taken = []

    def jobs():
        for n in range(100):
            taken.append(n)
            yield Job(str(n), bool)

    with Workers(1) as workers:
        found = workers.answers(jobs())
        next(found)
        assert len(taken) == 2, "the process has the next job already"
        found.close()
    assert not multiprocessing.active_children()


def test_a_refusal_ends_all_jobs():
    with pytest.raises(JobRefused, match="not here"), Workers(1) as workers:
        list(workers.answers([Job("a", refuse), Job("b", bool)]))
    assert not multiprocessing.active_children()


def test_late_jobs_end():
    jobs = [Job("long", partial(time.sleep, 1000)), Job("waiting", bool)]
    with Workers(1) as workers:
        found = [(a.name, a.failure) for a in workers.answers(jobs, time.monotonic() + 0.2)]
    assert found == [("long", TIMEOUT), ("waiting", TIMEOUT)]
    assert not multiprocessing.active_children()


def test_workers_end_with_their_parent():
    program = (
        "import os, time\n"
        "from functools import partial\n"
        "from kaiser_logic.workers import Job, Workers\n"
        "jobs = [Job('pid', os.getpid), Job('long', partial(time.sleep, 1000))]\n"
        "for answer in Workers(1).answers(jobs):\n"
        "    print(answer.value, flush=True)\n"
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


def test_an_interrupt_ends_the_workers():
    """Ctrl-C reaches the whole group: the workers ignore it, and end with their parent."""
    program = (
        "import os, signal, time\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background ignores it\n"
        "from functools import partial\n"
        "from kaiser_logic.workers import Job, Workers\n"
        "jobs = [Job('pid', os.getpid), Job('long', partial(time.sleep, 1000))]\n"
        "with Workers(1) as workers:\n"
        "    for answer in workers.answers(jobs):\n"
        "        print(answer.value, flush=True)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        os.killpg(parent.pid, signal.SIGINT)
        _, errors = parent.communicate(timeout=60)
    assert errors.count("Traceback") == 1, "that of the parent"
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)


def test_no_process_can_start(monkeypatch):
    """A worker dies, and too many files are open to start another."""

    def none(_: object) -> None:
        raise OSError(errno.EMFILE, "Too many open files")

    with Workers(1) as workers:
        list(workers.answers([Job("first", bool)]))
        monkeypatch.setattr(child_processes, "_Child", none)
        with pytest.raises(OSError, match="Too many open files"):
            list(workers.answers([Job("second", partial(os._exit, 1))]))
    assert not multiprocessing.active_children()


def square(item: int) -> int:
    if item == 3:
        raise ValueError("three")
    return item * item


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_answers_have_the_order_of_the_items(workers):
    found = list(in_order(square, range(3 if workers == 1 else 9), workers))
    assert [answer.value for answer in found] == [None if n == 3 else n * n for n in range(len(found))]
    assert [answer.failure for answer in found if answer.failure] == ["three"] * (workers > 1)
