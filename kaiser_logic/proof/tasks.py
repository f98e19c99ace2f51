"""What is asked in children, and what depends on the answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from .counterexample import Counterexample
from .induction import Finding

Question = Callable[[], Finding | Counterexample | None]


@dataclass(frozen=True)
class Task:
    """A question to be asked in a child, and the claims that stay open where it is not answered.

    Attributes:
        label: What it is about.
        question: What to do.
        claims: The claims that depend on it.
        transition: The transition that never happens where that is the answer; None where it is not to be told.
    """

    label: str
    question: Question
    claims: tuple[str, ...]
    transition: str | None = None

    @property
    def about(self) -> str:
        """The transition's or the claim's own name."""
        return self.label.removeprefix("induction ")
