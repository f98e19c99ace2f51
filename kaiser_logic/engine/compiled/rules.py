"""A rule as a Python function that joins relations.

Literals are taken in an order in which each is as cheap as can be: tests first, then what is bound most.

>>> text, read = source("p(R,(N+1)) :- q(R,N); not r(R,_).", ("p", 2))
>>> read
(('p', 2), ('q', 2), ('r', 2))
>>> print(text.strip())
def rule(D,n0,n1,n2):
 q_2_ = D[n1]
 r_2_ = D[n2]
 r_2_i1 = None
 new = set()
 for x1 in q_2_.rows:
  V_R = x1[0]
  V_N = x1[1]
  if r_2_i1 is None: r_2_i1 = r_2_.index(1)
  if V_R not in r_2_i1:
   if type(V_N) is int:
    new.add((V_R,(V_N+1),))
 if new: put(D,n0,new)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import product
from types import FunctionType
from typing import Any, Final

from ...cache import Store
from ...rules.pattern import Signature
from ...rules.rule import Rule
from . import values
from .joins import Body
from .pools import unpooled
from .relations import Database, number, put
from .syntax import Parsed, parse
from .writer import Writer

_HELPERS: Final[dict[str, Any]] = {
    "put": put,
    **{
        name: getattr(values, name)
        for name in ("checked", "divided", "least", "less", "most", "rest", "total")
    },
}


@dataclass(frozen=True)
class Code:
    """A rule's function, written when it is first called for.

    Attributes:
        text: The rule.
        needs: The numbers of the predicates without which it cannot fire.
        head: The predicate that is derived; a rule with several heads has several functions.
        kept: Where functions are kept between processes, or None.
    """

    text: str
    needs: tuple[int, ...]
    head: Signature
    kept: Store | None = field(default=None, compare=False, repr=False)

    @cached_property
    def run(self) -> Callable[[Database], None]:
        """The function."""
        entry = ("code", self.text, self.head)
        found = self.kept.get(entry) if self.kept is not None else None
        if found is None:
            text, read = source(self.text, self.head)
            (code, *_) = compile(text, self.text, "exec").co_consts
            found = (code, read)
            if self.kept is not None:
                self.kept.put(entry, found)
        code, read = found
        return FunctionType(code, _HELPERS, "rule", tuple(map(number, read)))


@lru_cache(maxsize=20_000)
def code_of(rule: Rule, head: Signature, kept: Store | None = None) -> Code:
    """The function by which a rule derives a predicate of its head."""
    numbers = {a: number(a.signature) for a in rule.atoms}
    return Code(rule.text, tuple(dict.fromkeys(numbers[a] for a in rule.positive)), head, kept)


def source(text: str, derived: Signature) -> tuple[str, tuple[Signature, ...]]:
    """The Python of the function by which a rule derives a predicate of its head, and what its parameters stand for.

    Predicates have other numbers in each process: they are the parameters behind the database.

    Raises:
        Unsupported: It has what is not compiled.
    """
    parsed = parse(text)
    writer = Writer()
    bodies = list(product(*map(unpooled, parsed.body)))
    heads = [h for atom in parsed.heads for h in unpooled(atom) if (h.name, len(h.args)) == derived]
    for body in bodies:
        for head in heads:
            with writer.apart():
                Body(writer, Parsed((head,), body)).write(head)
    names = writer.relations.values()
    top = [f" {name} = D[n{k}]" for k, name in enumerate(names, 1)]
    top += [f" {' = '.join(sorted(writer.indexes))} = None"] if writer.indexes else []
    parameters = ",".join(["D", *(f"n{k}" for k in range(len(names) + 1))])
    lines = [f"def rule({parameters}):", *top, " new = set()", *writer.lines, " if new: put(D,n0,new)"]
    return "\n".join(lines) + "\n", (derived, *writer.relations)
