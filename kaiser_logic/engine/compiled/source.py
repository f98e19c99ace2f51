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
 for V_R,V_N, in q_2_.rows:
  if r_2_i1 is None: r_2_i1 = r_2_.index(1)
  if V_R not in r_2_i1:
   if type(V_N) is int:
    new.add((V_R,(V_N+1),))
 if new: put(D,n0,new)
"""

from __future__ import annotations

from itertools import product

from ...rules.pattern import Signature
from .joins import Body
from .pools import unpooled
from .syntax import Parsed, parse
from .writer import Writer


def source(text: str, derived: Signature) -> tuple[str, tuple[Signature, ...]]:
    """The Python of the function by which a rule derives a predicate of its head, and what its parameters stand for.

    Predicates have other numbers in each process: they are the parameters behind the database.

    Raises:
        Unsupported: It has what is not compiled.
    """
    parsed = parse(text)
    writer = Writer()
    bodies, heads = [parsed.body], list(parsed.heads)
    if parsed.pooled:
        bodies = list(product(*map(unpooled, parsed.body)))
        heads = [head for atom in heads for head in unpooled(atom)]
    heads = [head for head in heads if (head.name, len(head.args)) == derived]
    for body in bodies:
        for head in heads:
            with writer.apart():
                Body(writer, Parsed((head,), body)).write(head)
    names = writer.relations.values()
    top = [f" {name} = D[n{k}]" for k, name in enumerate(names, 1)]
    top += [f" {' = '.join(writer.indexes)} = None"] if writer.indexes else []
    parameters = ",".join(["D", *(f"n{k}" for k in range(len(names) + 1))])
    lines = [f"def rule({parameters}):", *top, " new = set()", *writer.lines, " if new: put(D,n0,new)"]
    return "\n".join(lines) + "\n", (derived, *writer.relations)
