"""Effects that are said of a predicate of their own, said of what defines it.

Where ``drops(R,K,P,G,N)`` says which persons go, and ``shift(person(R,K,P,G),discard(K),N,dropped) :- drops(R,K,P,G,N).``
that they do, the effect is said by each rule for ``drops`` itself: so it is seen that *all* that look so go. Of other effects
nothing more would be seen that way, and less where it is not known whether ``drops`` holds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from clingo import ast

from . import names
from .trees import is_variable, several, symbolic

_AMOUNT: Final = {"lose": 1, "shift": 2}
"""Where effects that take something away say how much."""


def unfolded(rules: Sequence[tuple[str, Any]]) -> list[tuple[str, Any]]:
    """The rules, each with the line that it comes from, with one for each definition where an effect asks for one thing."""
    defined: dict[tuple[str, int], list[Any]] = {}
    other = set()
    for _, rule in rules:
        atom = symbolic(rule.head) if rule.ast_type == ast.ASTType.Rule and _plain(rule.head) else None
        if atom is not None:
            defined.setdefault((atom[0], len(atom[1])), []).append(rule)
        elif rule.ast_type == ast.ASTType.Rule:
            other |= _chosen(rule.head)
    return [
        (line, new)
        for line, rule in rules
        for new in (_of(rule, {k: v for k, v in defined.items() if k not in other}) or [rule])
    ]


def _plain(head: Any) -> bool:
    return bool(head.ast_type == ast.ASTType.Literal and head.atom.ast_type == ast.ASTType.SymbolicAtom)


def _chosen(head: Any) -> set[tuple[str, int]]:
    """The predicates in a choice."""
    found = set()
    for element in getattr(head, "elements", ()):
        atom = symbolic(element.literal)
        if atom is not None:
            found.add((atom[0], len(atom[1])))
    return found


def _of(rule: Any, defined: Mapping[tuple[str, int], Sequence[Any]]) -> list[Any] | None:
    """An effect by what defines all that it asks for, or None."""
    if rule.ast_type != ast.ASTType.Rule or not _plain(rule.head) or len(rule.body) != 1:
        return None
    effect, asked = symbolic(rule.head), symbolic(rule.body[0])
    if effect is None or asked is None or rule.body[0].sign:
        return None
    amount = _AMOUNT.get(names.plain(effect[0]))
    if amount is None or not is_variable(effect[1][amount]):
        return None
    name, args = asked
    definitions = defined.get((name, len(args)), ())
    if not definitions or not all(map(is_variable, args)) or len(set(map(str, args))) < len(args):
        return None
    if "_" in map(str, args):
        return None
    found = []
    for definition in definitions:
        given = symbolic(definition.head)
        if given is None or several(*given[1]) or "_" in map(str, given[1]):
            return None
        terms = dict(zip(map(str, args), given[1], strict=True))
        found.append(definition.update(head=_Replaced(terms).visit(rule.head)))
    return found


class _Replaced(ast.Transformer):
    """Terms in the places of variables."""

    def __init__(self, terms: Mapping[str, Any]) -> None:
        self._terms = terms

    def visit_Variable(self, node: Any) -> Any:  # noqa: N802 (clingo's name)
        """The term for the variable."""
        return self._terms.get(str(node.name), node)
