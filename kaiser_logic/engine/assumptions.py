"""Finds the documented rules that no printed text says. Data that a board file replaces does not count."""

from __future__ import annotations

from typing import Final

from ..lang.terms import Signature
from ..rules.rule import PlacedRule
from ..rules.rulebook import RuleDoc
from .ruleset import Ruleset

_PRINTED: Final[Signature] = ("printed", 1)
"""The predicate of the rulebook's data on boards and cards, which a board file can replace."""


def docs_of_kind(rules: Ruleset, kind: str) -> dict[str, RuleDoc]:
    """The documented rules of a kind, such as ``assumed``, in the edition in force that no board file replaces, by id."""
    return rules.remember(("docs", kind), lambda: _docs_of_kind(rules, kind))


def _docs_of_kind(rules: Ruleset, kind: str) -> dict[str, RuleDoc]:
    docs = {id: doc for id, doc in rules.book.docs.items() if rules.texts.kind(doc) == kind}
    if rules.configuration.board:
        docs = {id: doc for id, doc in docs.items() if doc.kind != "data" or not _is_replaced(rules, id)}
    return docs


def _is_replaced(rules: Ruleset, id: str) -> bool:
    """Whether the printed facts of a documented rule have no effect, because the board file replaces them."""
    if not any(h.signature == _PRINTED for r in rules.book.rules if r.block == id for h in r.heads):
        return False
    without = rules.with_rules(r for r in rules.book.rules if r.block != id or not _derives(r, _PRINTED))
    signatures = (without.static.keys() | rules.static.keys()) - {_PRINTED}
    return all(set(without.facts(*s)) == set(rules.facts(*s)) for s in signatures)


def _derives(rule: PlacedRule, signature: Signature) -> bool:
    return any(head.signature == signature for head in rule.heads)
