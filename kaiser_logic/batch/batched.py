"""What a game can do with many positions at once: loaded when it is used, as it wants NumPy and llvmlite."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING

from ..evaluation.evaluator import Evaluator

if TYPE_CHECKING:
    from .batch import Batch


class Batched:
    """A game, as far as many positions at once are concerned.

    Attributes:
        evaluator: What answers questions about single positions of this game.
    """

    evaluator: Evaluator

    def batch(self, progress: Callable[[str], None] = lambda _: None) -> Batch:
        """The game with its rules as circuits: many positions at once. Circuits are built on first need, and kept.

        Args:
            progress: Told how many of them are built, whenever that takes its time; the first one given in a process stays.

        Raises:
            WrongUsage: NumPy or llvmlite are missing; it says how to install them.
        """
        return batch_of(self.evaluator, progress=progress)


def batch_of(
    evaluator: Evaluator, jobs: int | None = None, progress: Callable[[str], None] = lambda _: None
) -> Batch:
    """The batch under the same rules: one object in a process.

    Args:
        evaluator: What evaluates single positions.
        jobs: How many processes build circuits; by default one for each core.
        progress: Told how many of them are built.

    Raises:
        WrongUsage: NumPy or llvmlite are missing; it says how to install them.
    """
    from .folder import required

    required()
    from .batch import Batch

    return evaluator.ruleset.remember("batch", lambda: Batch(evaluator, jobs, progress))


def is_installed() -> bool:
    """Whether NumPy and llvmlite are there."""
    return all(find_spec(name) is not None for name in ("numpy", "llvmlite"))
