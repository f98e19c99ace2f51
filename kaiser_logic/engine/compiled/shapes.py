r"""Rules that differ in nothing but names have one shape: it is compiled once, and its code object filled with their names.

>>> shape, names = shape_of('passed(R,late) :- does(R,take(K)); decision(R,late).')
>>> shape
'a0(V0,a1) :- does(V0,a2(V1)); decision(V0,a1).'
>>> names
{'a0': 'passed', 'a1': 'late', 'a2': 'take'}
"""

from __future__ import annotations

import re
from functools import lru_cache
from types import CodeType
from typing import Any, Final, TypeAlias

from ...rules.pattern import Signature
from .ordering import FIRST
from .source import source
from .values import unquoted

Names: TypeAlias = dict[str, str]
"""For each name and text of a shape the rule's own, as values have them."""

_TOKEN: Final = re.compile(r'("(?:[^"\\]|\\.)*"|#[a-z]+\+?|[A-Za-z_][A-Za-z0-9_\']*)')
_LEFT: Final = frozenset({"not", "_", *FIRST})
"""What stays as it is: it decides how a rule is written."""


@lru_cache(maxsize=20_000)
def shape_of(text: str) -> tuple[str, Names]:
    """A rule with names by order in place of its own, and what they stand for; variables need nothing of that kind."""
    names: Names = {}
    found: dict[str, str] = {}
    parts = _TOKEN.split(text)
    for k in range(1, len(parts), 2):  # the tokens, each between what stands around it
        token = parts[k]
        if token in found:
            parts[k] = found[token]
        elif token not in _LEFT and token[0] != "#":
            parts[k] = found[token] = _named(token, names, found)
    return "".join(parts), names


def _named(token: str, names: Names, found: Names) -> str:
    """What stands in a shape for a token that is new in it."""
    if token[0] == '"':
        own = f"s{len(names)}"
        names[f'"{own}'] = f'"{unquoted(token)}'
        return f'"{own}"'
    if token.lstrip("_")[:1].isupper():
        return f"V{len(found) - len(names)}"
    own = f"a{len(names)}"
    names[own] = token
    return own


def written(text: str, head: Signature) -> tuple[CodeType, tuple[Signature, ...]]:
    """The code of the function by which a rule derives a predicate of its head, and what its parameters stand for.

    Raises:
        Unsupported: It has what is not compiled.
    """
    shape, names = shape_of(text)
    name, arity = head
    code, read = _compiled(shape, (next((own for own, its in names.items() if its == name), name), arity))
    consts = tuple(_own(value, names) for value in code.co_consts)
    return code.replace(co_consts=consts, co_filename=text), tuple((names.get(n, n), k) for n, k in read)


@lru_cache(maxsize=20_000)
def _compiled(shape: str, head: Signature) -> tuple[CodeType, tuple[Signature, ...]]:
    """The same of a shape."""
    text, read = source(shape, head)
    (code, *_) = compile(text, shape, "exec").co_consts
    return code, read


def _own(value: Any, names: Names) -> Any:
    """A constant of a shape as it is in a rule."""
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, tuple):
        return tuple(_own(part, names) for part in value)
    return value
