"""Conditions as far as they are kept: what a clause says of a position known in part."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from .clauses import Atom, Clause, Literal, Other
from .known import Known
from .terms import Term, names_in, show, variables


def symbolic_variables(known: Known, body: Iterable[Literal]) -> set[str]:
    """The variables that nothing is known of but by what is left out."""
    left, seen = set[str](), set[str]()
    for x in body:
        if isinstance(x, Atom) and not x.negated:
            dropped = known.dropped(x)
            for i, a in enumerate(x.args):
                (left if i in dropped else seen).update(variables(a))
    return left - seen


def kept_variables(known: Known, body: Sequence[Literal]) -> list[str]:
    """All others, without those that only an aggregate has."""
    left = symbolic_variables(known, body)
    times = Counter(v for x in body for v in set(x.variables()))
    found: set[str] = set()
    for x in body:
        if isinstance(x, Atom):
            found.update(v for v in x.variables() if v not in left)
            continue
        found.update(v for t in x.terms for v in variables(t))
        inner = x.kind == "value" or "{" in x.rest or ":" in x.rest
        stated = {v for t in x.terms for v in variables(t)}
        found.update(v for v in x.variables() if v in stated or times[v] > 1 or not inner)
    return sorted(found - left)


def texts(known: Known, body: Sequence[Literal], shown: Iterable[str] = ()) -> list[str]:
    """The conditions, with ``_`` for what is left out wherever that says the same; ``shown``: what is asked for besides."""
    times = Counter(v for x in body for v in x.variables())
    alone = {v for v, n in times.items() if n == 1} - set(shown)
    found = []
    for x in body:
        if isinstance(x, Other) or x.negated:
            found.append(x.text())
            continue
        args = ["_" if a[0] == "v" and a[1] in alone else show(a) for a in x.args]
        for i in known.dropped(x):
            if _any(known, x, i, times):
                args[i] = "_"
        found.append(f"{x.name}({','.join(args)})" if args else x.name)
    return found


def general(known: Known, atom: Atom, place: int) -> bool:
    """Whether a dropped argument of an atom is said nothing about: a variable, or the form that it has anyway."""
    t = atom.args[place]
    form = known.form(atom, place)
    if t[0] == "v":
        return True
    if form is not None and t[0] == "f" and (t[1], len(t[2])) == form and all(a[0] == "v" for a in t[2]):
        return len({a[1] for a in t[2]}) == len(t[2])
    return known.before(atom) and known.closed(atom, place) == t


def _any(known: Known, atom: Atom, place: int, times: Counter[str]) -> bool:
    return general(known, atom, place) and all(times[v] == 1 for v in variables(atom.args[place]))


def determined(known: Known, body: Sequence[Literal], given: Collection[str]) -> set[str]:
    """The variables that are determined where these are given."""
    found = set(given)
    while True:
        before = len(found)
        for x in body:
            if isinstance(x, Other):
                stated = {v for t in x.terms for v in variables(t)}
                if x.kind == "value":
                    outer = {v for y in body if y is not x for v in y.variables()}
                    if all(v in found for v in x.variables() if v in outer - stated):
                        found |= stated
                elif x.kind == "equal":
                    for one, other in (x.terms, x.terms[::-1]):
                        if one[0] == "v" and found.issuperset(variables(other)):
                            found.add(one[1])
                continue
            key = None if x.negated else known.key(x)
            if key is not None and all(v in found for i in key for v in variables(x.args[i])):
                found.update(x.variables())
        if len(found) == before:
            return found


def natural(known: Known, body: Iterable[Literal]) -> set[str]:
    """The variables that are numbers from 0 on: the values of counters, and the parts of structures of numbers."""
    found: set[str] = set()
    for x in body:
        if not isinstance(x, Atom) or x.negated:
            continue
        for i in known.dropped(x):
            t = x.args[i]
            if t[0] == "v" and known.before(x) and x.signature in known.kept.moved and i == len(x.args) - 1:
                found.add(t[1])
            elif t[0] == "f" and known.form(x, i) == (t[1], len(t[2])):
                found.update(a[1] for a in t[2] if a[0] == "v")
    return found


def called(name: str, args: Sequence[Term]) -> str:
    """An atom of ours."""
    return f"{name}({','.join(map(show, args))})" if args else name


def rule(known: Known, head: str, clause: Clause | Sequence[Literal]) -> str:
    """A rule of ours over a position that is known in part."""
    body = clause.body if isinstance(clause, Clause) else clause
    conditions = "; ".join(texts(known, body, names_in(head)))
    return f"{head} :- {conditions}." if conditions else f"{head}."


def word(text: str) -> str:
    """A text as a string of the program."""
    return '"' + re.sub(r'["\\]', "'", text) + '"'
