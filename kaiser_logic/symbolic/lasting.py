"""What a sum says of two moments is the same where nothing changes that it counts.

Whether ``has_full_hand(R)`` holds may not be known, as it is a sum of what is known in part. It still holds after a
transition in which R's hand loses nothing, and does not hold where it did not and R's hand gains nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from clingo import ast

from ..rules.pattern import Signature
from . import names
from .kept import Kept
from .trees import atom_text, atoms_of, is_variable, parsed, symbolic, variables_of

_FALLING: Final = ("del", "wipe", "down", "alter")
_RISING: Final = ("add", "up", "alter", "within")
_NAME: Final = re.compile(r"[a-z]\w*")
_LESS: Final = (ast.ComparisonOperator.LessThan, ast.ComparisonOperator.LessEqual)


def lasting(lines: Sequence[str], kept: Kept, said: Sequence[str]) -> Iterator[str]:
    """Constraints on what sums say before a transition and after it.

    Args:
        lines: The rules before anything is dropped of them.
        kept: What is kept.
        said: The rules that say what changes.
    """
    by_head: dict[Signature, list[Any]] = {}
    summing = {m[0] for x in lines if "#sum" in x for m in [_NAME.match(x)] if m}
    for line in lines:
        start = _NAME.match(line)
        if start is None or start[0] not in summing:
            continue
        rule = parsed(line)
        if rule.ast_type == ast.ASTType.Rule and rule.head.ast_type == ast.ASTType.Literal:
            atom = symbolic(rule.head)
            if atom is not None:
                by_head.setdefault((atom[0], len(atom[1])), []).append(rule)
    for (name, arity), rules in by_head.items():
        before = by_head.get((names.plain(name), arity), ())
        if name == names.at_moment(names.plain(name), 1) and len(rules) == len(before) == 1:
            yield from _of(rules[0], before[0], kept, said)


def _of(then: Any, before: Any, kept: Kept, said: Sequence[str]) -> Iterator[str]:
    """The constraints on one predicate."""
    changed = {n for n, _ in atoms_of(then) if n != names.plain(n)}
    head, old = symbolic(then.head), symbolic(before.head)
    sums = [
        x
        for x in then.body
        if x.ast_type == ast.ASTType.Literal and x.atom.ast_type == ast.ASTType.BodyAggregate
    ]
    if head is None or old is None or len(changed) != 2 or len(sums) != 1 or sums[0].sign:
        return
    (fluent_name,) = changed - {head[0]}
    if str(then).replace(head[0], old[0]).replace(fluent_name, names.plain(fluent_name)) != str(before):
        return
    if (
        not all(map(is_variable, head[1]))
        or kept.dropped((head[0], len(head[1])))
        or kept.dropped((old[0], len(old[1])))
    ):
        return
    found = [
        (a, e)
        for e in sums[0].atom.elements
        for c in e.condition
        if (a := symbolic(c)) and a[0] == fluent_name
    ]
    if len(found) != 1 or len(sums[0].atom.elements) != 1:
        return
    (atom, element), outer = found[0], set(map(str, head[1]))
    fluent = kept.fluent((fluent_name, len(atom[1])))
    if fluent is None or any(v in outer for i in kept.fluents[fluent] for v in variables_of(atom[1][i])):
        return
    here = [
        str(a) if is_variable(a) and str(a) in outer else "_"
        for i, a in enumerate(atom[1])
        if i not in kept.fluents[fluent]
    ]
    counts = fluent in kept.moved and str(element.terms[0]) == str(atom[1][-1])
    grows = counts and sums[0].atom.right_guard is None and sums[0].atom.left_guard.comparison in _LESS
    grows = grows and all(c.ast_type == ast.ASTType.Literal and not c.sign for c in element.condition)
    args = list(map(str, head[1]))
    held, holds = atom_text(old[0], args), atom_text(head[0], args)
    plain = fluent[0]
    ways = {w for w in {*_FALLING, *_RISING} if any(f"{w}__{plain}" in x for x in said)}

    def unless(wanted: Sequence[str]) -> str:
        chosen = sorted(ways if not grows else ways & set(wanted))
        return "".join(f"; not {atom_text(f'{w}__{plain}', here)}" for w in chosen)

    yield f":- {held}; not {holds}{unless(_FALLING)}."
    yield f":- {holds}; not {held}{unless(_RISING)}."
