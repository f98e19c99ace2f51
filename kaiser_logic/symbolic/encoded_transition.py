"""What an encoding keeps of a transition, so that nobody has to look into the program's text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ..rules.pattern import Signature
from ..rules.predicates import ADD, CHANGE, DEL, DUE
from ..rules.reader import rule_of
from ..rules.rule import Occurrence, Rule
from ..transform.rewrite import edit, literal
from .names import plain


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


def bounded_change(line: str) -> str:
    """A rule of a transition; that which sums up what changes a counter only as far as the counter's values reach.

    A sum in a head's place is grounded once for each value it can have, so where a counter holds 15 at most, as many
    changes say all: a larger one leads beyond the vocabulary, or below nothing. The claims ``vocabulary``, ``count``
    and ``limit`` say that there is none such; they sum up for themselves (``proof/obligations``).

    >>> bounded_change("change__0(X,N) :- touched__0(X); N = #sum { M,V: gain__0(X,M,V) }.")
    'change__0(X,N) :- touched__0(X); N = #sum { M,V: gain__0(X,M,V) }; reach__(X,Reach_); -Reach_ <= N; N <= Reach_.'
    """
    rule = rule_of(line)
    if not rule.heads or plain(rule.heads[0].name) != CHANGE[0] or len(rule.heads[0].args) != CHANGE[1]:
        return line
    if rule.assigned_sum is None:
        return line
    counter, number = (rule.argument(rule.heads[0], k) for k in (0, 1))
    return edit(rule, more=[f"reach__({counter},Reach_)", f"-Reach_ <= {number}", f"{number} <= Reach_"])


def frame(
    signature: Signature,
    transition: EncodedTransition,
    name: Callable[[Signature, int], str],
    effect: Callable[[Signature, EncodedTransition], str],
    bounded: bool,
) -> Iterator[str]:
    """How a fluent follows from what it was, and what the transition adds and deletes.

    Args:
        signature: The fluent.
        transition: The transition.
        name: What a predicate is called at a moment.
        effect: What that is called which a transition derives.
        bounded: Whether only what the vocabulary knows can come to be.
    """
    variables = [f"X{k}" for k in range(1, signature[1] + 1)]
    fluent = literal(signature[0], *variables)
    old, new = (literal(name(signature, transition.moment + k), *variables) for k in (0, 1))
    keep = f", not {effect(DEL, transition)}({fluent})" if signature in transition.deleted else ""
    yield f"{new} :- {old}{keep}."
    if signature in transition.added:
        known = f", wide({fluent})" if bounded and signature != DUE else ""
        yield f"{new} :- {effect(ADD, transition)}({fluent}){known}."
