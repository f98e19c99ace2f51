"""Which rules derive no row twice: what they derive need not be compared with what is there."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import product

from ...engine.compiled.pools import unpooled
from ...engine.compiled.ranges import ranged
from ...engine.compiled.syntax import parse
from ...engine.compiled.trees import Comparison, Literal, Parsed, Predicate, Tree, variables
from ...rules.pattern import Signature


@lru_cache(maxsize=20_000)
def _heads(text: str, derived: Signature) -> tuple[Predicate, ...]:
    """The heads of a rule without pools, for a predicate."""
    parsed = parse(text)
    return tuple(h for atom in parsed.heads for h in unpooled(atom) if (h.name, len(h.args)) == derived)


def apart(text: str, derived: Signature, others: Sequence[str]) -> bool:
    """Whether a rule derives no row of a predicate twice, and none that one of the other rules derives.

    >>> apart("p(X,Y) :- q(X,Y), X < Y.", ("p", 2), [])
    True
    >>> apart("p(X) :- q(X,Y).", ("p", 1), []), apart("p(X+1) :- q(X).", ("p", 1), []), apart("p(X) :- q(X,_).", ("p", 1), [])
    (False, False, False)
    >>> apart("p(X,a) :- q(X).", ("p", 2), ["p(X,b) :- q(X)."]), apart("p(X,a) :- q(X).", ("p", 2), ["p(a,Y) :- q(Y)."])
    (True, False)
    """
    heads = _heads(text, derived)
    if len(heads) != 1 or not _once(text, heads[0]):
        return False
    return all(_differ(heads[0], head) for other in others for head in _heads(other, derived))


def _once(text: str, head: Predicate) -> bool:
    """Whether all that is bound in the body can be read off the head."""
    parsed: Parsed = parse(text)
    bodies = list(product(*map(unpooled, parsed.body)))
    if len(bodies) != 1 or not all(map(_plain, head.args)):
        return False
    known = set(variables(head.args))
    return all(_bound(literal, known) for literal in bodies[0])


def _plain(term: Tree) -> bool:
    """Whether a term's variables can be read off its value."""
    if term[0] == "fun":
        return all(map(_plain, term[2]))
    return term[0] in ("var", "num", "const", "str")


def _bound(literal: Literal, known: set[str]) -> bool:
    """Whether a literal can hold in one way only, when these variables are known."""
    if isinstance(literal, Predicate):
        if literal.sign:  # a range is a choice there, too
            return not any(map(ranged, literal.args))
        return all(map(_plain, literal.args)) and known.issuperset(variables(literal.args))
    if isinstance(literal, Comparison):
        own = literal.left, *(term for _, term in literal.guards)
        return known.issuperset(variables(own)) and not any(map(ranged, own))
    return False


def _differ(one: Predicate, other: Predicate) -> bool:
    """Whether two heads can never be the same."""
    return any(_unlike(a, b) for a, b in zip(one.args, other.args, strict=True))


def _unlike(a: Tree, b: Tree) -> bool:
    """Whether two terms never have the same value."""
    single = ("num", "const", "str")
    if a[0] in single and b[0] in single:
        return a != b
    if a[0] == "fun" and b[0] == "fun":
        return a[1] != b[1] or len(a[2]) != len(b[2]) or any(map(_unlike, a[2], b[2]))
    return {a[0], b[0]} <= {"fun", *single} and a[0] != b[0]
