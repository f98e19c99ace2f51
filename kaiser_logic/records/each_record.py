"""Does one piece of work on each of many records, in several processes if wanted, whatever the records contain."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import tee
from typing import TypeVar

from ..cache import keep
from ..errors import KaiserLogicError, UnreadableInput, is_exhausted, visible, visible_name
from ..notation.sources import Source
from ..workers import in_order
from .checking import why_unread
from .tags import WrongRules

T = TypeVar("T")


def each_record(
    work: Callable[[Source], T],
    sources: Iterable[Source | UnreadableInput],
    jobs: int,
    undone: str,
    progress: Callable[[str], None] = lambda _: None,
) -> Iterator[tuple[str, T | str]]:
    """What a picklable function finds in each record, in order.

    Args:
        work: The function. Whatever the record contains, an error of the function ends the work on this record only.
        sources: The records. Each is taken when its turn comes.
        jobs: The number of processes.
        undone: What a record is if its process was lost, such as ``not replayed``.
        progress: Called with a text that contains the number of records done so far.

    Raises:
        WrongRules: The rules that a command names do not fit a record.

    Yields:
        The name of the record, and what the function found; a text says why there is nothing.
    """
    sources, again = tee(sources)
    answers = in_order(partial(_in_record, work=work), sources, jobs)
    for number, (answer, one) in enumerate(zip(answers, again, strict=True), 1):
        progress(f"records: {number}")
        name = str(one.path) if isinstance(one, UnreadableInput) else one.name
        if isinstance(answer.value, WrongRules):
            raise answer.value
        lost = f"{visible_name(name)}: {undone}: {visible(answer.reason)}"
        yield name, answer.value or lost


def _in_record(source: Source | UnreadableInput, work: Callable[[Source], T]) -> T | str | WrongRules:
    """What a function finds in a record, or why there is nothing."""
    if isinstance(source, UnreadableInput):
        return str(source)
    try:
        return work(source)
    except WrongRules as error:
        return error
    except KaiserLogicError as error:
        return why_unread(source, str(error))
    except Exception as error:  # a fault of this program must not end the work on all other files
        if is_exhausted(error) or os.environ.get("KAISER_LOGIC_DEBUG"):
            raise
        return why_unread(source, f"internal error: {type(error).__name__}: {error}")
    finally:
        keep()
