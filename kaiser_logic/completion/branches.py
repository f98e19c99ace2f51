"""The branches that a replay takes where a record does not say which, and those still to be taken by others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class _Fork:
    """Where a replay had several branches: which it took, of how many, and whether the others are a last resort."""

    taken: int
    count: int
    last_resort: bool


class Branches:
    """The branches of one replay: the first ones are prescribed, then always the first is taken."""

    def __init__(self, prescribed: tuple[int, ...]) -> None:
        """``prescribed``: which branch to take at each fork, as far as that is given."""
        self._prescribed = prescribed
        self._forks: list[_Fork] = []

    def take(self, count: int, last_resort: bool = False) -> int:
        """Which of several branches to take; ``last_resort``: the later ones count only if the first leads nowhere."""
        depth = len(self._forks)
        taken = self._prescribed[depth] if depth < len(self._prescribed) else 0
        self._forks.append(_Fork(taken, count, last_resort))
        return taken

    def others(self, found: bool) -> Iterator[tuple[int, ...]]:
        """What to prescribe to the replays still to be made after this one.

        Of forks whose branch was prescribed the others are with the replay that prescribed it.

        Args:
            found: Whether this one led to anything.
        """
        for depth in range(len(self._prescribed), len(self._forks)):
            fork = self._forks[depth]
            if not (found and fork.last_resort):
                head = tuple(before.taken for before in self._forks[:depth])
                yield from ((*head, other) for other in range(fork.taken + 1, fork.count))
