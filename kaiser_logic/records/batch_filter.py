"""Finds the legal records of an archive, many at once by circuits, if that is faster.

Circuits need NumPy and llvmlite. They are used if the circuits for a record's configuration are cached, or if there are so
many moves that building circuits is worthwhile. The decision depends on the number of moves, never on the clock.

This module and :mod:`.batch_replay` only make ``check`` of archives faster; ``docs/develop/performance.md`` has the figures.
"""

from __future__ import annotations

import os
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice, pairwise
from typing import Final, TypeVar

from .. import cache
from ..batch.circuit_files import KIND, are_complete
from ..batch.optional import is_installed
from ..errors import KaiserLogicError, UnreadableInput
from ..evaluation.evaluator import Evaluator
from ..notation.record import PositionBlock, Record
from ..notation.sources import Source
from ..position import Position
from .replay import Replay
from .tags import Under, game_of

T = TypeVar("T")

LEAST: Final = 16_000
"""The least number of moves of a configuration in a part of an archive for which its circuits are loaded."""
ENOUGH: Final = 500_000
"""The least number of moves of a configuration in an archive for which its circuits are built."""
MOST: Final = 1024
"""The largest number of records in a part."""
_SHORTEST: Final = 4
"""The least size of a move in bytes: ``a:b`` and a blank."""
_LARGE: Final = 2**18
"""The largest size in bytes of a file that is read together with others."""
_ROOM: Final = 2**24
"""The largest total size in bytes of files that are read together. The records in memory are many times as large."""
_SAMPLE: Final = 64
"""The number of records that are read to estimate the contents of an archive."""
_SPOT: Final = 100
"""One in this number of accepted records is replayed by the engine for single positions."""


def may_pay(size: int) -> bool:
    """Whether a batch may pay: the files are large in bytes, and circuits are stored or the files are very large."""
    if size < LEAST * _SHORTEST or not is_installed():
        return False
    folder = cache.folder()
    return folder is not None and (size >= ENOUGH * _SHORTEST or any(folder.glob(f"{KIND}-*")))


def read_records(sources: Sequence[Source | UnreadableInput], rules: Under) -> list[Record | None]:
    """The records in sources; None for unreadable or large ones, and for those beyond the total size."""
    records: list[Record | None] = []
    room = _ROOM
    for source in sources:
        size = length(source)
        fits = size <= min(_LARGE, room)
        records.append(rules.read_record(source) if fits else None)
        room -= size if fits else 0
    return records


def rounds(sources: Iterable[T], jobs: int, size: Callable[[T], int] = lambda _: 0) -> Iterator[list[list[T]]]:
    """Divides an archive into rounds, each with a part for each process. ``size``: how many characters are kept for a source."""
    some: list[T] = []
    room = _ROOM * jobs

    def divide() -> list[list[T]]:
        edges = [len(some) * k // jobs for k in range(jobs + 1)]
        return [some[a:b] for a, b in pairwise(edges)]

    for source in sources:
        needed = size(source)
        if some and (len(some) == jobs * MOST or needed > room):
            yield divide()
            some, room = [], _ROOM * jobs
        some.append(source)
        room -= needed
    if some:
        yield divide()


def length(source: Source | UnreadableInput) -> int:
    """The number of characters of a source."""
    return len(source.text) if isinstance(source, Source) else 0


def prepare(
    sources: Iterable[Source | UnreadableInput], size: int, rules: Under, jobs: int
) -> Iterable[Source | UnreadableInput]:
    """Builds the circuits of the configurations for which an archive has enough moves, as estimated from its first records.

    Returns the same sources; ``size`` is that of the archive in bytes.
    """
    if size < ENOUGH * _SHORTEST:
        return sources
    left = iter(sources)
    sample = list(islice(left, _SAMPLE))
    read_size = sum(map(length, sample))
    moves: Counter[Evaluator] = Counter()
    for record in read_records(sample, rules):
        evaluator = None if record is None else _evaluator(record)
        if record is not None and evaluator is not None:
            moves[evaluator] += len(record.moves)
    for evaluator, number in moves.items():
        many = number * size >= ENOUGH * read_size
        if many and not are_complete(evaluator.ruleset) and not evaluator.ruleset.not_enumerable:
            from .batch_replay import build

            try:
                build(evaluator, jobs)
            except Exception:  # the records are then replayed without circuits
                if os.environ.get("KAISER_LOGIC_DEBUG"):
                    raise
    return chain(sample, left)


def ends(records: Sequence[Record | None]) -> list[Position | None]:
    """For each record its last position if the whole record is legal and correct, else None.

    The tag ``Result`` is not checked. A record with None may still be correct.
    """
    positions: list[Position | None] = [None] * len(records)
    groups: dict[Evaluator, list[int]] = defaultdict(list)
    for number, record in enumerate(records):
        evaluator = None if record is None else _evaluator(record)
        if evaluator is not None:
            groups[evaluator].append(number)
    for evaluator, numbers in groups.items():
        group = [record for number in numbers if (record := records[number]) is not None]
        few = sum(len(record.moves) for record in group) < LEAST
        if few or not are_complete(evaluator.ruleset) or evaluator.ruleset.not_enumerable:
            continue
        from .batch_replay import BatchReplay, runner_of

        runner = runner_of(evaluator)
        if runner is not None:
            last = BatchReplay(runner, group).run()
            if _spot_check(group, last):
                for number, end in zip(numbers, last, strict=True):
                    positions[number] = end
    return positions


def _spot_check(records: Sequence[Record], ends: Sequence[Position | None]) -> bool:
    """Whether the engine for single positions confirms a sample of the results. If not, none of them is used."""
    accepted = [number for number, end in enumerate(ends) if end is not None]
    for number in accepted[::_SPOT]:
        replay = Replay(records[number])
        replay.run()
        if replay.faults or replay.stopped or replay.position != ends[number]:
            warnings.warn(
                f"cached circuits disagree with the rules: they are not used here; delete the cache ({cache.folder()})",
                RuntimeWarning,
                stacklevel=2,
            )
            return False
    return True


def _evaluator(record: Record) -> Evaluator | None:
    """The evaluator of a record; None if a tag is wrong, the record starts from a position of its own, or has variations."""
    if (record.items and isinstance(record.items[0], PositionBlock)) or record.variations:
        return None
    try:
        game, wrong_tags = game_of(record)
    except KaiserLogicError:
        return None
    return None if wrong_tags else game.evaluator
