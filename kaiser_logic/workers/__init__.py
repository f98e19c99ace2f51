"""Work in other processes.

Its modules:

    child_processes  jobs in child processes: long ones with a limit of memory and a deadline, each in its own; many small ones
    answers          the answers to jobs, in order, here or elsewhere
    scheduler        jobs on other machines, by a Dask scheduler
"""

from __future__ import annotations

from .answers import by_number, in_order, job_answers, workers_of
from .child_processes import (
    DIVISION,
    LOST,
    MEMORY,
    OUT_OF_MEMORY,
    TIMEOUT,
    TOO_SHORT,
    ChildAnswer,
    Job,
    JobRefused,
    ProcessPool,
    Workers,
    run_job,
)

__all__ = [
    "DIVISION",
    "LOST",
    "MEMORY",
    "OUT_OF_MEMORY",
    "TIMEOUT",
    "TOO_SHORT",
    "ChildAnswer",
    "Job",
    "JobRefused",
    "ProcessPool",
    "Workers",
    "by_number",
    "in_order",
    "job_answers",
    "run_job",
    "workers_of",
]
