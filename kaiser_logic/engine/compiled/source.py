"""A rule as a Python function that joins relations.

Literals are taken in an order in which each is as cheap as can be: tests first, then what is bound most.

>>> from ...lang.reader import read_rule
>>> text, read = source(read_rule("p(R,N+1) :- q(R,N), not r(R,_)."), ("p", 2))
>>> read
(('q', 2), ('r', 2))
>>> print(text.strip())
def rule(D,new,n1,n2):
 i2_1 = None
 for V_R,V_N in D[n1].rows:
  if i2_1 is None: i2_1 = D[n2].index(1)
  if V_R not in i2_1:
   if type(V_N) is int:
    V_V1 = (V_N+1)
    new((V_R,V_V1))
"""

from __future__ import annotations

from ...lang.normal import normal
from ...lang.terms import Refused, Rule, Signature
from .joins import Body
from .values import Unsupported
from .writer import Writer


def source(rule: Rule, derived: Signature) -> tuple[str, tuple[Signature, ...]]:
    """The Python of the function by which a rule derives a predicate of its head, and what its parameters stand for.

    It is given the database, and what it calls with each row that it derives. Predicates have other numbers in each process:
    those that it reads are the parameters behind these.

    Raises:
        Unsupported: It has what is not compiled.
    """
    try:
        rules = normal(rule)
    except Refused as refused:
        raise Unsupported(str(refused)) from None
    writer = Writer()
    for one in rules:
        if any(head.signature == derived for head in one.heads):
            with writer.apart():
                Body(writer, one).write()
    parameters = ",".join(["D", "new", *(f"n{k}" for k in writer.relations.values())])
    top = [f" {' = '.join(writer.indexes)} = None"] if writer.indexes else []
    lines = writer.lines or [" pass"]
    return "\n".join([f"def rule({parameters}):", *top, *lines, ""]), tuple(writer.relations)
