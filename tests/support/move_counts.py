"""The numbers of sequences of decisions at the start of each game: the first table of docs/develop/perft.md."""

from pathlib import Path
from typing import Final, NamedTuple

PAGE: Final = Path(__file__).parents[2] / "docs" / "develop" / "perft.md"


class Counts(NamedTuple):
    """The numbers of a game's sequences by length, from 1 on, and the lengths to which batch, compiled, clingo, Python count."""

    game: str
    players: int
    numbers: tuple[int, ...]
    depths: tuple[int, ...]


def _counts(line: str) -> Counts:
    game, players, numbers, *depths = line.strip("| ").split(" | ")
    counted = tuple(int(n.replace(",", "")) for n in numbers.split(", "))
    return Counts(game, int(players), counted, tuple(map(int, depths)))


_TABLE: Final = PAGE.read_text(encoding="utf-8").partition("|---")[2].partition("<!--")[0]
COUNTS: Final = tuple(_counts(line) for line in _TABLE.splitlines()[1:] if line)
