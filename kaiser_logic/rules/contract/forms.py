"""What a rulebook may not contain although it can be read: rules without a head, and names with a prime."""

from __future__ import annotations

from collections.abc import Iterator

from ...errors import Finding
from ...lang.algebra import names
from .survey import Survey


def forms(survey: Survey) -> Iterator[Finding]:
    """The kind ``constraint``, and names that no record can say; the reader has refused all other forms.

    >>> # :- heap(N), N > 12.
    """
    for rule in survey.rules:
        if "'" in rule.text and (primed := next((n for n in names(rule.value) if "'" in n), None)):
            message = f"the name {primed} has a prime, which no record can say"
            yield survey.at(rule, "syntax", message, primed)
        if rule.value.head is None:
            message = "a rule without a head forbids positions: say broken(Invariant,Witness) instead"
            yield survey.at(rule, "constraint", message)
