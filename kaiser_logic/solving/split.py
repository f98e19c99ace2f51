"""Splits long rules: variables that occur in few literals are projected away first.

``listed(R) :- chooses(R,F,S), seats(F,E), pays(N), M = N+E, at_court(R,M), arg(0,F), arg(1,S).`` has an instance for each
combination of values of all its variables. After the split, the number of instances is about that of the largest part, as each
part has few variables; and each part is an atom that the solver can learn about (bucket elimination, Dechter 1999; Bichler, Morak
and Woltran 2016 split programs by tree decompositions).

Why it is right. Let the variable v occur only in the literals G of a body, and let K be the variables that G shares with
the rest and the head. "Some values of all variables satisfy G and the rest" means the same as "some values of K and of the rest's
variables satisfy the rest, and G has a solution for these values of K". The new atom over K says the latter. If a comparison or a
negated atom of G has a variable that no atom of G binds, the new rule also gets an atom of the rest; it stays in the rest too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from ..lang.algebra import variables
from ..lang.terms import Atom, Compare, Literal, Rule, Var
from .build import head_of

MANY: Final = 6
"""Rules with more variables than this are split."""


def in_parts(rules: Iterable[Rule], most: int = MANY, only: str | None = None) -> list[Rule]:
    r"""Rules, of which those with more than ``most`` variables are split; ``only``: only those that read this predicate.

    >>> from ..lang.printer import show
    >>> from ..lang.reader import read_rules
    >>> print(*map(show, in_parts(read_rules("p(R) :- q(R,X), r(X,Y), s(Y,Z), Z > R."), 2)), sep="\n")
    p_1__s1(R,Y) :- q(R,X); r(X,Y).
    p(R) :- s(Y,Z); Z > R; p_1__s1(R,Y).
    """
    rules_made: list[Rule] = []
    names: dict[str, int] = {}
    for one in rules:
        if len(variables(one.body)) > most and (only is None or any(a.name == only for a in _atoms(one))):
            rules_made += _split(one, names)
        else:
            rules_made.append(one)
    return rules_made


def _split(one: Rule, names: dict[str, int]) -> Iterator[Rule]:
    """The rules into which a rule is split, the one with its head last."""
    body = list(one.body)
    stays = set(variables(head_of(one), *(x for x in body if not isinstance(x, (Atom, Compare)))))
    while True:
        whole = variables(*body)
        options = [
            part_of_body for v in whole if v not in stays and (part_of_body := _part(body, v, stays)) is not None
        ]
        # A part that shares many variables with the rest has as many instances as the rule: it is not split off.
        options = [x for x in options if len(variables(tuple(x[0]))) < len(whole) and len(x[2]) < MANY]
        if not options:
            break
        part, rest, kept = min(options, key=lambda x: (len(x[2]), len(variables(tuple(x[0])))))
        name = f"{head_of(one).name}_{len(head_of(one).args)}"
        names[name] = names.get(name, 0) + 1
        new = Atom(f"{name}__s{names[name]}", tuple(map(Var, kept)))
        yield Rule(new, tuple(part), one.place, one.id)
        body = [*rest, new]
    yield Rule(one.head, tuple(body), one.place, one.id)


def _part(body: Sequence[Literal], v: str, stays: set[str]) -> tuple[list[Literal], list[Literal], list[str]] | None:
    """The literals with a variable, the other literals, and the variables they share; None if they cannot be split off."""
    part = [x for x in body if v in variables(x)]
    rest = [x for x in body if v not in variables(x)]
    if not rest or (len(part) < 2 and not isinstance(part[0], Atom)):
        return None
    others = set(variables(*rest)) | stays
    kept = [u for u in variables(*part) if u != v and u in others]
    while missing := _missing(part):
        more = [x for x in rest if _binds(x) and missing & set(variables(x)) and x not in part]
        if not more:
            return None
        part.append(min(more, key=lambda x: (len(_missing([*part, x])), len(variables(x)))))
    return part, rest, kept


def _atoms(one: Rule) -> list[Atom]:
    return [x for x in one.body if isinstance(x, Atom)]


def _missing(part: Sequence[Literal]) -> set[str]:
    """The variables of literals that none of them binds."""
    return set(variables(*part)) - bound(part)


def _binds(x: Literal) -> bool:
    return isinstance(x, Atom) and not x.sign


def bound(body: Iterable[Literal]) -> set[str]:
    """The variables that a body's positive atoms and equations bind."""
    body = list(body)
    names = set(variables(tuple(x for x in body if _binds(x))))
    while True:
        new = {
            side.name
            for x in body
            if isinstance(x, Compare) and x.op == "=" and not x.sign
            for side, other in ((x.left, x.right), (x.right, x.left))
            if isinstance(side, Var) and names.issuperset(variables(other))
        }
        if new <= names:
            return names
        names |= new
