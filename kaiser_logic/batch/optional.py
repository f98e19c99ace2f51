"""What needs NumPy and llvmlite, and is imported when it is first called."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING

from ..errors import WrongUsage
from ..evaluation.evaluator import Evaluator

if TYPE_CHECKING:
    from .batch import Batch


def batch_of(evaluator: Evaluator, jobs: int | None = None, progress: Callable[[str], None] = lambda _: None) -> Batch:
    """The batch under the same rules: one object in a process.

    Args:
        evaluator: Evaluates single positions.
        jobs: The number of processes that build circuits; by default one for each core.
        progress: Is called with the number of circuits built so far.

    Raises:
        WrongUsage: NumPy or llvmlite is missing; the message says how to install them.
    """
    try:
        import llvmlite  # noqa: F401

        from .batch import Batch
    except ImportError as error:
        message = f"circuits for many positions need NumPy and llvmlite ({error}): pip install 'kaiser-logic[batch]'"
        raise WrongUsage(message) from None

    return evaluator.ruleset.remember("batch", lambda: Batch(evaluator, jobs, progress))


def is_installed() -> bool:
    """Whether NumPy and llvmlite are installed."""
    return all(find_spec(name) is not None for name in ("numpy", "llvmlite"))
