"""Patterns: terms with variables, and how two of them are made equal (unification).

A pattern is a nested tuple:

* ``("v", name)``: a variable, or any term that is not looked into (arithmetic, intervals, pools, tuples),
* ``("c", text)``: a constant, a number or a string,
* ``("f", name, args)``: a function term.

>>> here, there = ("f", "place", (("v", "X"), ("c", "2"))), ("f", "place", (("c", "a"), ("v", "Y")))
>>> show(substitute(here, unify(here, there, {})))
'place(a,2)'
>>> unify(here, ("f", "place", (("c", "a"), ("c", "3"))), {})  # None: they cannot be equal
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import count
from typing import Any, Final, TypeAlias

Pattern: TypeAlias = tuple[Any, ...]
Signature: TypeAlias = tuple[str, int]
Substitution: TypeAlias = dict[Pattern, Pattern]

ANY: Pattern = ("v", "_")

_DEEPEST: Final = 6
"""What stands deeper in a term is not looked into."""
_deeper = count()


def outermost(term: Pattern) -> Signature | None:
    """The outermost name of a term and its number of arguments; None for a variable."""
    return None if term[0] == "v" else (term[1], len(term[2]) if term[0] == "f" else 0)


def anonymous(term: Pattern) -> bool:
    """Whether the rule has ``_`` here, which matches anything."""
    return term[0] == "v" and term[1][:1] == "_" and str(term[1][1:]).isdigit()


def walk(term: Pattern, binding: Substitution) -> Pattern:
    """Follows the bindings of a variable."""
    while term[0] == "v" and term in binding:
        term = binding[term]
    return term


def unify(a: Pattern, b: Pattern, binding: Substitution) -> Substitution | None:
    """The binding extended so that both terms are equal, or None."""
    while a[0] == "v" and a in binding:
        a = binding[a]
    while b[0] == "v" and b in binding:
        b = binding[b]
    if a == b:
        return binding
    if a[0] == "v":
        return None if b[0] == "f" and _within(a, b, binding) else {**binding, a: b}
    if b[0] == "v":
        return None if a[0] == "f" and _within(b, a, binding) else {**binding, b: a}
    if a[0] == "f" and b[0] == "f" and a[1] == b[1] and len(a[2]) == len(b[2]):
        return unify_all(a[2], b[2], binding)
    return None


def _within(variable: Pattern, term: Pattern, binding: Substitution) -> bool:
    """Whether a variable stands in a term: no term is part of itself."""
    for arg in term[2]:
        while arg[0] == "v" and arg in binding:
            arg = binding[arg]
        if arg == variable or (arg[0] == "f" and _within(variable, arg, binding)):
            return True
    return False


def unify_all(a: tuple[Pattern, ...], b: tuple[Pattern, ...], binding: Substitution) -> Substitution | None:
    """Unifies argument by argument."""
    for x, y in zip(a, b, strict=True):
        found = unify(x, y, binding)
        if found is None:
            return None
        binding = found
    return binding


def substitute(term: Pattern, binding: Substitution, depth: int = 0) -> Pattern:
    """The term under the binding; each term that stands too deep becomes a variable of its own: two of them need not be equal."""
    while term[0] == "v" and term in binding:
        term = binding[term]
    if term[0] != "f":
        return term
    if depth >= _DEEPEST:
        return ("v", f"deeper~{next(_deeper)}")
    return ("f", term[1], tuple([substitute(a, binding, depth + 1) for a in term[2]]))


def rename(args: tuple[Pattern, ...], tag: str) -> tuple[Pattern, ...]:
    """The arguments with fresh variables."""
    return tuple(_rename(a, tag) for a in args)


def _rename(term: Pattern, tag: str) -> Pattern:
    if term[0] == "v":
        return ("v", f"{term[1]}~{tag}")
    return ("f", term[1], tuple(_rename(a, tag) for a in term[2])) if term[0] == "f" else term


@lru_cache(maxsize=50_000)
def canonical(args: tuple[Pattern, ...]) -> tuple[Pattern, ...]:
    """The arguments with variables named by their order: equal for terms that differ in names only."""
    names: dict[Pattern, Pattern] = {}

    def visit(term: Pattern) -> Pattern:
        if term[0] == "v":
            return names.setdefault(term, ("v", f"#{len(names)}"))
        return ("f", term[1], tuple(visit(a) for a in term[2])) if term[0] == "f" else term

    return tuple(visit(a) for a in args)


def variables(args: tuple[Pattern, ...]) -> list[str]:
    """The names of the variables in order of their first occurrence."""
    found: dict[str, None] = {}

    def visit(term: Pattern) -> None:
        if term[0] == "v":
            found.setdefault(term[1])
        elif term[0] == "f":
            for a in term[2]:
                visit(a)

    for a in args:
        visit(a)
    return list(found)


def show(term: Pattern) -> str:
    """The pattern as text of a logic program."""
    if term[0] == "f":
        return f"{term[1]}({','.join(show(a) for a in term[2])})"
    return str(term[1])


@cache
def anything(arity: int) -> tuple[Pattern, ...]:
    """The pattern that matches all arguments."""
    return tuple(("v", f"#{k}") for k in range(arity))


def shape(signature: Signature) -> Pattern:
    """The pattern of all terms with this name and number of arguments."""
    name, arity = signature
    return ("f", name, tuple(("v", f"A{k}") for k in range(arity))) if arity else ("c", name)
