"""Rewrites rules as text: atoms are replaced, variables bound, literals added.

A rule is edited at the places that :mod:`..rules.rule` has found. Function terms with the name of a predicate
(``aristocrat(E)`` the place, ``aristocrat/5`` the fluent) and everything else stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from ..lang.printer import show_term
from ..lang.terms import Term
from ..rules.rule import TOKEN, Occurrence, Rule


def edit(
    rule: Rule,
    atom: Callable[[Occurrence], str | None] = lambda _: None,
    binding: Mapping[str, str] | None = None,
    more: Iterable[str] = (),
) -> str:
    """The rule with changes.

    >>> from kaiser_logic.rules.reader import rule_of
    >>> rule = rule_of("gain(score(R),N,take) :- does(R,take(N)); N > 1.")
    >>> acts = lambda a: "does(R,3)" if a.name == "does" else None
    >>> edit(rule, acts, {"N": "A_0"}, ["arg(R,3,0,A_0)"])
    'gain(score(R),A_0,take) :- does(R,3); A_0 > 1; arg(R,3,0,A_0).'

    Args:
        rule: The rule.
        atom: For each atom its new text; None leaves it alone.
        binding: Variables replaced by text, also in the atoms' new texts.
        more: Literals added to the body.
    """
    changed = ((a.start, a.end, atom(a)) for a in rule.atoms)
    line = _spliced(rule, [(start, end, new) for start, end, new in changed if new is not None])
    if binding:
        line = substituted(line, binding)
    added = "; ".join(more)
    return f"{line[:-1]}{'; ' if rule.cuts else ' :- '}{added}." if added else line


def substituted(text: str, binding: Mapping[str, str]) -> str:
    """The text of a rule, or a part of it, with variables replaced by text."""
    return TOKEN.sub(lambda token: binding.get(token[0], token[0]), text)


def _spliced(rule: Rule, edits: Iterable[tuple[int, int, str]]) -> str:
    """The rule's text with what stands from ``start`` to ``end`` replaced by new text.

    Raises:
        ValueError: Alternatives of a pool of atoms, which have the same place, would have to become different.
    """
    pieces: list[str] = []
    position, last = 0, (-1, "")
    for start, end, new in edits:
        if start == last[0]:
            if new != last[1]:
                raise ValueError(f"each atom of this pool needs a rule of its own: {rule.text}")
            continue
        last = (start, new)
        pieces += (rule.text[position:start], new)
        position = end
    found = "".join(pieces) + rule.text[position:]
    return found if rule.heads else found.removeprefix("#false ")


def literal(name: str, *args: Term | str) -> str:
    """An atom as text."""
    parts = [a if isinstance(a, str) else show_term(a) for a in args]
    return f"{name}({','.join(parts)})" if parts else name
