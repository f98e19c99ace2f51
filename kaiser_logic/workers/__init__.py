"""Work for other processes.

Its modules:

    anywhere   long questions, in children here or on other machines
    children   long questions, each in a child process of its own, with a limit of memory and a deadline
    executor   many small jobs for lasting processes: an executor as ``concurrent.futures`` has them
    scheduler  the same on other machines, by a Dask scheduler
"""

from __future__ import annotations

from .anywhere import asked
from .children import LOST, MEMORY, OUT_OF_MEMORY, TIMEOUT, Answer, Job, Lost, Pool, Refused, ask
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
    "ask",
    "asked",
    "executor",
    "in_order",
]
