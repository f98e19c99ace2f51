"""A rule as a Python function that joins relations.

Literals are taken in an order in which each is as cheap as can be: tests first, then what is bound most.

>>> print(source("p(R,(N+1)) :- q(R,N); not r(R,_).", ("p", 2)).strip())  # doctest: +ELLIPSIS
def rule(D):
 p_2_ = put(D,...)
 q_2_ = D[...]
 r_2_ = D[...]
 for x1 in q_2_.rows:
  V_R = x1[0]
  V_N = x1[1]
  if V_R not in r_2_.index(1):
   if type(V_N) is int:
    p_2_.rows.add((V_R,(V_N+1),))
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from typing import Any, Final

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
        again: Whether it reads what it derives, so that rows are added in the end only.
    """

    text: str
    needs: tuple[int, ...]
    head: Signature
    again: bool

    @cached_property
    def run(self) -> Callable[[Database], None]:
        """The function."""
        names = dict(_HELPERS)
        exec(compile(source(self.text, self.head, self.again), self.text, "exec"), names)
        return names["rule"]  # type: ignore[no-any-return]


@lru_cache(maxsize=20_000)
def code_of(rule: Rule, head: Signature, again: bool = False) -> Code:
    """The function by which a rule derives a predicate of its head."""
    numbers = {a: number(a.signature) for a in rule.atoms}
    return Code(rule.text, tuple(dict.fromkeys(numbers[a] for a in rule.positive)), head, again)


def source(text: str, derived: Signature, again: bool = False) -> str:
    """The Python of the function by which a rule derives a predicate of its head.

    Raises:
        Unsupported: It has what is not compiled.
    """
    parsed = parse(text)
    writer = Writer()
    bodies = list(product(*map(unpooled, parsed.body)))
    heads = [h for atom in parsed.heads for h in unpooled(atom) if (h.name, len(h.args)) == derived]
    targets = {number((h.name, len(h.args))): writer.relation(h.name, len(h.args)) for h in heads}
    for body in bodies:
        for head in heads:
            with writer.apart():
                Body(writer, Parsed((head,), body)).write(head, again)
    top = [
        f" {name} = {'put(D,' + str(k) + ')' if k in targets else f'D[{k}]'}"
        for k, name in writer.relations.items()
    ]
    start = [f" a{k} = []" for k in targets] if again else []
    end = [f" {name}.rows.update(a{k})" for k, name in targets.items()] if again else []
    return "\n".join(["def rule(D):", *top, *start, *writer.lines, *end]) + "\n"
