"""Jobs in child processes: names, cancellation, limits."""

import os
import signal
import subprocess
import sys
import time
from functools import partial

import pytest

from kaiser_logic.workers import DIVISION, LOST, OUT_OF_MEMORY, TIMEOUT, ChildAnswer, Job, ProcessPool, run_job


def _fail(message):
    raise ValueError(message)


def _sleep():
    time.sleep(1000)


def _grow():
    return len("x" * 2**30)


def test_answers_have_the_names_of_their_jobs():
    jobs = [Job(str(n), partial(pow, n, 2)) for n in range(5)]
    assert {a.name: a.value for a in ProcessPool(jobs, workers=2)} == {str(n): n * n for n in range(5)}
    with pytest.raises(ValueError, match="two jobs are called '1'"):
        list(ProcessPool([Job("1", _sleep), Job("1", _sleep)], workers=2))


def _divide():
    """Ends as clingo does when it divides -2,147,483,648 by -1."""
    signal.raise_signal(signal.SIGFPE)


def test_failures_are_reported():
    jobs = [
        Job("error", partial(_fail, "so it is")),
        Job("grown", _grow),
        Job("gone", partial(os._exit, 3)),
        Job("divided", _divide),
    ]
    failures = {a.name: a.failure for a in ProcessPool(jobs, workers=1, memory=2**29)}
    assert failures == {"error": "so it is", "grown": OUT_OF_MEMORY, "gone": OUT_OF_MEMORY, "divided": DIVISION}
    (gone,) = ProcessPool([jobs[2]], memory=None)
    assert gone.failure == LOST


def test_a_running_job_is_cancelled():
    pool = ProcessPool([Job("long", _sleep), Job("short", bool)], workers=2)
    answers = []
    for answer in pool:
        answers.append(answer.name)
        pool.cancel("long")
    assert answers == ["short"]


def test_waiting_jobs_can_be_cancelled():
    pool = ProcessPool((Job(str(n), bool) for n in range(4)), workers=1)
    names = []
    for answer in pool:
        names.append(answer.name)
        pool.cancel("1")
        pool.cancel("2")
    assert names == ["0", "3"]


def test_no_job_starts_after_the_deadline():
    jobs = (Job(str(n), partial(os._exit, 1)) for n in range(3))
    answers = list(ProcessPool(jobs, deadline=time.monotonic()))
    assert [(a.name, a.failure) for a in answers] == [("0", TIMEOUT), ("1", TIMEOUT), ("2", TIMEOUT)]


def test_a_job_ends_at_its_timeout():
    answer = run_job(_sleep, timeout=0.2)
    assert isinstance(answer, ChildAnswer)
    assert answer.failure == TIMEOUT
    assert answer.value is None


def test_children_end_when_their_parent_is_killed(tmp_path):
    program = tmp_path / "parent.py"
    program.write_text(
        "import time\n"
        "from kaiser_logic.workers import Job, ProcessPool\n"
        "def work():\n"
        "    print('running', flush=True)\n"
        "    time.sleep(1000)\n"
        "list(ProcessPool([Job('long', work)]))\n"
    )
    parent = subprocess.Popen(
        [sys.executable, str(program)], stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": os.getcwd()}
    )
    assert parent.stdout is not None
    assert parent.stdout.readline() == b"running\n"
    parent.kill()
    parent.communicate(timeout=600)  # the pipe ends only when the child, which holds it too, has ended
