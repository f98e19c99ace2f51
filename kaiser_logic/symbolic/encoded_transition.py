"""What an encoding keeps of a transition, so that nobody has to look into the program's text."""

from __future__ import annotations

from dataclasses import dataclass

from ..rules.pattern import Signature
from ..rules.reader import rule_of
from ..rules.rule import Occurrence, Rule


@dataclass(frozen=True)
class Emitted:
    """A rule as it stands in the program.

    Attributes:
        origin: The rulebook's rule.
        text: What has become of it.
    """

    origin: Rule
    text: str

    @property
    def heads(self) -> tuple[Occurrence, ...]:
        """What it derives, by the names of the program."""
        return rule_of(self.text).heads


@dataclass(frozen=True)
class EncodedTransition:
    """One transition of an encoding.

    Attributes:
        number: Which one it is, from 0.
        moment: The moment it starts from.
        rules: The rulebook's rules that were cut for it.
        emitted: What has become of those that can fire.
        added: The fluents of which it may add facts.
        deleted: Those of which it may delete facts.
    """

    number: int
    moment: int
    rules: frozenset[Rule]
    emitted: tuple[Emitted, ...]
    added: frozenset[Signature]
    deleted: frozenset[Signature]

    @property
    def changed(self) -> frozenset[Signature]:
        """The fluents it can change."""
        return self.added | self.deleted

    def rules_for(self, signature: Signature) -> list[Rule]:
        """The rulebook's rules for a predicate among its own."""
        return [r for r in self.rules if any(h.signature == signature for h in r.heads)]
