"""The numbers of sequences of decisions at the start of each game: the table of docs/develop/perft.md."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple


class Counts(NamedTuple):
    """Counts of a game from its start.

    Attributes:
        game: Its id.
        players: The number of players.
        numbers: The number of sequences of each length from 1 on.
        depths: The largest length that each evaluator has counted: batch, compiled, clingo, plain Python.
    """

    game: str
    players: int
    numbers: tuple[int, ...]
    depths: tuple[int, int, int, int]


COUNTS: Final = (
    Counts(
        "kaiser", 2, (3, 12, 60, 300, 1500, 7500, 37500, 187100, 928225, 4559400, 41811000), (11, 8, 7, 9)
    ),
    Counts("kaiser", 3, (7, 49, 294, 2058, 14406, 100842, 705306, 4921854, 34205724), (9, 7, 5, 7)),
    Counts("kaiser", 4, (7, 49, 294, 1470, 10290, 72030, 504210, 3526530, 24609270), (9, 7, 6, 7)),
    Counts(
        "krone",
        2,
        (9, 81, 727, 6492, 57564, 505935, 4400847, 37832871, 1815977808, 76649396646),
        (10, 8, 6, 8),
    ),
    Counts(
        "krone", 4, (9, 81, 727, 6492, 57564, 505935, 4400847, 37832871, 321029511, 2685753585), (10, 8, 5, 8)
    ),
    Counts("staufer", 2, (6, 30, 120, 360, 720, 720, 4320, 21600, 86400, 259200, 518400), (11, 10, 7, 8)),
    Counts(
        "staufer",
        4,
        (6, 30, 120, 360, 720, 720, 4320, 21600, 86400, 259200, 518400, 518400, 3110400),
        (13, 10, 7, 8),
    ),
    Counts("vive", 3, (6, 30, 120, 840, 5040, 25200, 1486800), (7, 7, 5, 7)),
    Counts("vive", 5, (6, 30, 120, 360, 720, 5040, 30240, 151200), (0, 8, 6, 8)),
)


def table() -> Iterator[str]:
    """The table of the page."""
    yield "| game | players | sequences of 1, 2, 3 ... decisions | batch | compiled | clingo | plain |"
    yield "|---|---|---|---|---|---|---|"
    for its in COUNTS:
        numbers = ", ".join(f"{n:,}" for n in its.numbers)
        depths = " | ".join(map(str, its.depths))
        yield f"| {its.game} | {its.players} | {numbers} | {depths} |"
