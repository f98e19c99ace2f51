"""A rule with its text: each is computed from the other when it is first needed.

Rules are cached on disk as texts. The values of most of them are never needed, so these texts are never parsed.

>>> from .reader import read_rule
>>> rule = Printed.from_rule(read_rule("p(X) :- q(X), X > 1."))
>>> rule.text
'p(X) :- q(X); X > 1.'
>>> Printed(rule.text).value == rule.value
True
"""

from __future__ import annotations

from .printer import show
from .reader import read_rule
from .terms import Rule


class Printed:
    """A rule and its text as clingo prints it. Two are equal if the texts are."""

    __slots__ = ("_text", "_value")

    def __init__(self, text: str | None, value: Rule | None = None) -> None:
        """``text`` is what `show` printed. One of the two must be given."""
        self._text, self._value = text, value

    @classmethod
    def from_rule(cls, value: Rule) -> Printed:
        """Makes a printed rule from a value."""
        return cls(None, value)

    @property
    def text(self) -> str:
        """The text of the rule."""
        if self._text is None:
            assert self._value is not None
            self._text = show(self._value)
        return self._text

    @property
    def value(self) -> Rule:
        """The rule as a value. If it was parsed from the text, it has no place."""
        if self._value is None:
            assert self._text is not None
            self._value = read_rule(self._text)
        return self._value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Printed) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"Printed({self.text!r})"

    def __reduce__(self) -> tuple[type[Printed], tuple[str]]:
        return Printed, (self.text,)
