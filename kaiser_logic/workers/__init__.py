"""Work in other processes.

Its modules:

    child_processes  long jobs, each in a child process of its own, with a limit of memory and a deadline
    executor         an executor as in ``concurrent.futures`` for many small jobs; answers to jobs, here or elsewhere
    scheduler        an executor on other machines, by a Dask scheduler
"""

from __future__ import annotations

from .child_processes import (
    LOST,
    MEMORY,
    OUT_OF_MEMORY,
    TIMEOUT,
    TOO_SHORT,
    ChildAnswer,
    Job,
    JobRefused,
    Lost,
    ProcessPool,
    run_job,
)
from .executor import AHEAD, Workers, answers, by_number, executor, in_order, job_answers

__all__ = [
    "AHEAD",
    "LOST",
    "MEMORY",
    "OUT_OF_MEMORY",
    "TIMEOUT",
    "TOO_SHORT",
    "ChildAnswer",
    "Job",
    "JobRefused",
    "Lost",
    "ProcessPool",
    "Workers",
    "answers",
    "by_number",
    "executor",
    "in_order",
    "job_answers",
    "run_job",
]
