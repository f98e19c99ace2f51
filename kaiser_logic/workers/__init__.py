"""Work in other processes.

Its modules:

    child_processes  long questions, each in a child process of its own, with a limit of memory and a deadline
    dispatch         long questions, in child processes here or on other machines
    executor         many small jobs for worker processes that stay: an executor as ``concurrent.futures`` has them
    scheduler        the same on other machines, by a Dask scheduler
"""

from __future__ import annotations

from .child_processes import LOST, MEMORY, OUT_OF_MEMORY, TIMEOUT, Answer, Job, Lost, Pool, Refused, run_job
from .dispatch import job_answers
from .executor import AHEAD, Workers, answers, executor, in_order

__all__ = [
    "AHEAD",
    "LOST",
    "MEMORY",
    "OUT_OF_MEMORY",
    "TIMEOUT",
    "Answer",
    "Job",
    "Lost",
    "Pool",
    "Refused",
    "Workers",
    "answers",
    "executor",
    "in_order",
    "job_answers",
    "run_job",
]
