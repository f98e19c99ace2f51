"""An enumeration taken apart: which structures its actions may hold, and which actions there may be around them.

An action such as ``deploy(S,Y,U)`` whose structure ``Y`` has thousands of values is looked at as a pair: what structures
come into question at all, and what else. Each is said by rules with fewer conditions, so both may list too much, and never
too little: whatever action the enumeration lists, its structure is listed by the one and its other arguments by the other.

What has nothing to do with the structure is asked for in a rule of its own, with no more variables than the others read:
otherwise each structure would be listed once for each action that holds it.

>>> from kaiser_logic.rules.reader import rule_of
>>> rule = rule_of('candidate(R,deploy(S,Y,U)) :- seat(R,S,V), pays(R,V,Y), sum(Y,N), has(R,M), N < M, use(U).')
>>> weak = relaxed(rule, 1, "0")
>>> for line in weak.structures:
...     print(line)
structure__(R,Y) :- pays(R,V,Y); sum(Y,N); N < M; beside__0_0(R,V); beside__0_1(R,M).
beside__0_0(R,V) :- seat(R,S,V).
beside__0_1(R,M) :- has(R,M).
>>> weak.shapes
'shape__(R,S,U) :- seat(R,S,V); has(R,M); use(U).'
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..rules.pattern import Pattern, show, variables
from ..rules.rule import TOKEN, Rule

STRUCTURE = "structure__"
SHAPE = "shape__"


@dataclass(frozen=True)
class Relaxed:
    """Rules that follow from one of an enumeration.

    Attributes:
        structures: ``structure__(Role,Structure)``, which may be held, with the rules that this one needs.
        shapes: ``shape__(Role,Argument,...)``: which other arguments there may be.
    """

    structures: tuple[str, ...]
    shapes: str


@dataclass(frozen=True)
class _Literal:
    """A literal: its text, its variables, and those that it binds."""

    text: str
    variables: frozenset[str]
    binds: frozenset[str]


def relaxed(rule: Rule, place: int, name: str) -> Relaxed | None:
    """A rule of an enumeration taken apart; None where what is left of it does not say what its heads need.

    Args:
        rule: The rule, with one head ``candidate(Role,Action)``.
        place: The place of the structure among the arguments of the action.
        name: By which its other predicates differ from those of other rules.
    """
    role, action = rule.heads[0].args
    held, others = action[2][place], [a for i, a in enumerate(action[2]) if i != place]
    inside, outside = set(variables((held,))), set(variables((role, *others)))
    if inside & outside:
        return None
    literals = list(_literals(rule))
    kept = _safe([x for x in literals if not x.variables & inside])
    if not outside <= _bound(kept):
        return None
    structures = _structures(literals, (role, held), inside, name)
    shapes = _line(SHAPE, map(show, (role, *others)), kept)
    return None if structures is None else Relaxed(structures, shapes)


def _structures(
    literals: Sequence[_Literal], head: tuple[Pattern, Pattern], inside: set[str], name: str
) -> tuple[str, ...] | None:
    """The rules for which structures may be held."""
    about = [x for x in literals if x.variables & inside and x.binds]
    own = {v for x in about for v in x.variables}
    role = set(variables(head[:1]))
    calculated = [
        x for x in literals if x not in about and x.variables & (own - role) and not x.variables <= x.binds
    ]
    read = own | {v for x in calculated for v in x.variables}
    groups: list[tuple[set[str], list[_Literal]]] = []
    for one in (x for x in literals if x not in (*about, *calculated)):
        used = set(one.variables) - (own | role)
        linked = [g for g in groups if g[0] & used]
        groups = [g for g in groups if not g[0] & used]
        groups.append((used.union(*(g[0] for g in linked)), [*(x for g in linked for x in g[1]), one]))
    beside: list[_Literal] = []
    lines: list[str] = []
    for _, its in groups:
        wanted = [v for v in dict.fromkeys([*variables(head[:1]), *sorted(read)]) if v in _bound(its)]
        if wanted and all(x.variables <= _bound(its) for x in its):
            lines.append(_line(f"beside__{name}_{len(lines)}", wanted, its))
            text = lines[-1].partition(" :- ")[0]
            beside.append(_Literal(text, frozenset(wanted), frozenset(wanted)))
    body = _safe([*about, *calculated, *beside])
    if not inside | role <= _bound(body):
        return None
    return _line(STRUCTURE, map(show, head), body), *lines


def _literals(rule: Rule) -> Iterable[_Literal]:
    single = {a.start: a for a in rule.positive}
    for start, end in rule.cuts:
        text, atom = rule.part(start, end), single.get(start)
        binds = (
            {v for v in variables(atom.args) if not v.startswith("_")} if atom and atom.end == end else set()
        )
        yield _Literal(text, frozenset(_variables(text)), frozenset(binds))


def _safe(literals: list[_Literal]) -> list[_Literal]:
    """Those all of whose variables are bound by some of them."""
    while unsafe := [x for x in literals if not x.variables <= _bound(literals)]:
        literals = [x for x in literals if x not in unsafe]
    return literals


def _bound(literals: Iterable[_Literal]) -> set[str]:
    return {v for x in literals for v in x.binds}


def _line(name: str, args: Iterable[str], body: Iterable[_Literal]) -> str:
    text = "; ".join(x.text for x in body)
    return f"{name}({','.join(args)}){' :- ' if text else ''}{text}."


def _variables(text: str) -> set[str]:
    return {t for t in TOKEN.findall(text) if t.lstrip("_")[:1].isupper()}
