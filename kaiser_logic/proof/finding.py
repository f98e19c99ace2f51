"""What the induction step found about a transition."""

from __future__ import annotations

from dataclasses import dataclass

from .counterexample import Counterexample


@dataclass(frozen=True)
class Finding:
    """What was found about a transition.

    Attributes:
        broken: Counterexamples, each with the invariant that falls.
        possible: Whether it can happen; None where that was not asked.
        unlisted: A legal action that the enumeration misses, if there is one.
        unread: Why it is not known whether it misses one; None where it is.
        differs: Where the encoding is not what the rules say, or could not be compared.
        beyond: Why numbers beyond the bound may behave otherwise; None where they do not.
        grounding: The seconds that grounding took.
        solving: The seconds that solving took.
    """

    broken: tuple[tuple[str, Counterexample], ...]
    possible: bool | None
    unlisted: Counterexample | None
    unread: str | None
    differs: tuple[str, ...]
    beyond: str | None
    grounding: float
    solving: float

    @property
    def proved(self) -> bool:
        """Whether nothing is open, and nothing has fallen; of what can never happen more is said than that."""
        whole = self.unlisted is None and self.unread is None and self.beyond is None
        return whole and not self.broken and not self.differs and self.possible is not False


def found_again(listed: bool) -> Finding:
    """The finding of a proof that is kept; ``listed``: it says too that the transition can happen."""
    return Finding((), True if listed else None, None, None, (), None, 0.0, 0.0)
