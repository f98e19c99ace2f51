"""Seats turned by one place: where a program says the same of all of them, it is enough to ask about one.

Each role becomes the next one, clockwise, wherever roles stand; all else stays. If the rules of a program name no role and
compare none by order, and its facts turn into one another, then what it allows turned is something that it allows, too. So where
somebody acts, it may be supposed that it is the first seat that does: with everything turned that is so.

Where roles stand is found out without grounding (:mod:`.shapes`): the first place of ``decision/2`` and all places that hold the
same as it, because some line has one variable, or a comparison, for both. A name that stands elsewhere is none of a role:
`blue` may be the colour of a card, too. What is not understood, or mixed up, is not said to turn.

>>> lines = ["{ decision(R,take) : seated(R) }.", "ends(R) :- decision(R,_), not follows(R,_)."]
>>> def facts(text): return [clingo.parse_term(word) for word in text.split()]
>>> seated = facts("seated(red) seated(blue)")
>>> turn_of(lines, [*seated, *facts("follows(red,blue) follows(blue,red)")], ["red", "blue"]) is None
False
>>> turn_of(lines, [*seated, *facts("follows(red,blue)")], ["red", "blue"]) is None
True
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import clingo

from ..rules.predicates import DECISION
from .shapes import (
    FIXED,
    NUMBER,
    Name,
    Node,
    NotUnderstood,
    Place,
    Shape,
    Term,
    Value,
    kind_of,
    read_by,
    shape_of,
    term_of,
)

_ROLES: Final[Place] = (*DECISION, 0, ())
"""Here are roles."""
_Facts = Sequence[clingo.Symbol]


class Turn:
    """What each role becomes, wherever it stands."""

    def __init__(self, roles: Sequence[str], places: Places) -> None:
        """Each of the roles becomes the next one, the last one the first."""
        self._next: dict[Term, str] = dict(zip(roles, [*roles[1:], *roles[:1]], strict=True))
        self._places = places
        self._turned: dict[tuple[Node, Term], Term] = {}

    def fact(self, fact: Term) -> Term:
        """A fact, turned."""
        if not isinstance(fact, tuple):
            return fact
        return (fact[0], *(self.at(place, part) for place, part in self._places.keys.arguments(fact)))

    def at(self, node: Node, term: Term) -> Term:
        """A value turned that stands at a place."""
        group = self._places.group(node)
        if not isinstance(term, tuple):
            return self._next.get(term, term) if group in self._places.roles else term
        found = self._turned.get((group, term))
        if found is None:
            parts = zip(self._places.parts(group, term), term[1:], strict=True)
            found = self._turned[group, term] = (term[0], *(self.at(part, inner) for part, inner in parts))
        return found


class Keys:
    """By which arguments others are told apart: something known stands there wherever a line reads or says the others.

    So ``arg(R,3,0,V)`` and ``arg(R,7,0,V)`` have nothing to do with one another.
    """

    def __init__(self, others: Iterable[tuple[Name, int]]) -> None:
        """``others``: the arguments by which nothing is told apart."""
        self._others: dict[Name, set[int]] = {}
        for name, k in others:
            self._others.setdefault(name, set()).add(k)

    def is_key(self, name: Name, k: int) -> bool:
        """Whether others are told apart by an argument."""
        return name[1] > 1 and k not in self._others.get(name, ())

    def place(self, node: Node) -> Node:
        """A place by what tells it apart; other nodes as they are."""
        if not isinstance(node[0], str):
            return node
        name, count, k, known = node
        others = self._others.get((name, count), ())
        return name, count, k, tuple(pair for pair in known if pair[0] != k and pair[0] not in others)

    def arguments(self, fact: tuple[Term, ...]) -> Iterator[tuple[Place, Term]]:
        """The arguments of a fact, each with its place."""
        name = str(fact[0]), len(fact) - 1
        others = self._others.get(name, ())
        keys = [i for i in range(name[1]) if i not in others]
        for k, part in enumerate(fact[1:]):
            yield (*name, k, tuple((i, fact[i + 1]) for i in keys if i != k)), part


def turn_of(lines: Iterable[str], facts: _Facts, roles: Sequence[str]) -> Turn | None:
    """How the seats of a program turn; None where it may not say the same then.

    Args:
        lines: The program, a rule each.
        facts: What it is told besides.
        roles: Clockwise.
    """
    shapes = [shape_of(line) for line in lines]
    understood = [shape for shape in shapes if shape is not None]
    if len(understood) < len(shapes):
        return None
    try:
        terms = {term_of(fact): fact for fact in facts}
    except NotUnderstood:
        return None
    found = _told_apart(understood, list(terms), roles)
    if found.group(_ROLES) not in found.roles:
        return None
    if not all(found.in_order(nodes) for shape in understood for nodes in shape.ordered):
        return None
    if not all(found.plain(node) for shape in understood for node in shape.numeric):
        return None
    turn = Turn(roles, found)
    return turn if _closed(turn, understood, terms) else None


def _told_apart(shapes: Sequence[Shape], facts: Sequence[Term], roles: Sequence[str]) -> Places:
    """The places of a program; none is told apart by where a role stands."""
    others = {pair for shape in shapes for pair in shape.unknown}
    while True:
        found = Places(shapes, facts, Keys(others), roles)
        at_roles = {((name, count), k) for name, count, k, _ in found.with_roles()}
        wrong = {pair for pair in at_roles if found.keys.is_key(*pair)}
        if not wrong:
            return found
        others |= wrong


def _closed(turn: Turn, shapes: Iterable[Shape], facts: Mapping[Term, clingo.Symbol]) -> bool:
    """Whether each fact that some line reads turns into a fact."""
    lost: dict[str, list[clingo.Symbol]] = {}
    for fact, symbol in facts.items():
        if turn.fact(fact) not in facts:
            lost.setdefault(symbol.name, []).append(symbol)
    reads = (read for shape in shapes for read in shape.reads if read[0] in lost)
    return not any(read_by(pattern, fact) for name, pattern in reads for fact in lost[name])


class Places:
    """The places of a program, and those in terms, in groups that hold the same; and what they may hold.

    Attributes:
        keys: What they are told apart by.
        roles: The groups where roles stand: with that of decisions all where no other name stands. No line names a role there.
    """

    def __init__(
        self, shapes: Sequence[Shape], facts: Sequence[Term], keys: Keys, roles: Sequence[str]
    ) -> None:
        """Of all lines of a program, and its facts; ``roles``: their names."""
        self.keys = keys
        self._above: dict[Node, Node] = {}
        self._parts: dict[Node, dict[Value, list[Node]]] = {}
        self._held: dict[Node, set[Value]] = {}
        self._known: set[Place] = set()
        self._known_terms: set[tuple[Node, Term]] = set()
        for shape in shapes:
            for one, other in shape.links:
                self._join(one, other)
            for node, functor, k, part in shape.parts:
                self._join(self._inner(self.group(node), functor)[k], part)
        names, named = {(role, 0) for role in roles}, set()
        for shape in shapes:
            for node, held in shape.holds:
                self._hold(node, held)
                if held in names:
                    named.add(self.group(node))
        for fact in facts:
            for place, argument in keys.arguments(fact) if isinstance(fact, tuple) else ():
                self._told(place, argument)
        mixed = (g for g, held in self._held.items() if any(v not in names and v[1] == 0 for v in held))
        some = (g for g, held in self._held.items() if held & names)
        self.roles = frozenset({*some, self.group(_ROLES)} - {*mixed, *named} | {self.group(_ROLES)} - named)

    def with_roles(self) -> list[Place]:
        """The arguments of predicates where roles stand."""
        return [place for place in self._known if self.group(place) in self.roles]

    def group(self, node: Node) -> Node:
        """What stands for the group of a node."""
        node = self.keys.place(node)
        if isinstance(node[0], str):
            self._known.add((node[0], node[1], node[2], node[3]))
        above = self._above
        while (higher := above.get(node)) is not None:
            if (top := above.get(higher)) is not None:
                above[node] = top
            node = higher
        return node

    def parts(self, group: Node, term: tuple[Term, ...]) -> list[Node]:
        """Where the arguments of a term stand that stands in a group."""
        return self._inner(group, (str(term[0]), len(term) - 1))

    def _inner(self, group: Node, functor: Value) -> list[Node]:
        """Where the arguments of a functor in a group stand."""
        inner = self._parts.setdefault(group, {})
        if functor not in inner:
            inner[functor] = [(group, *functor, k) for k in range(functor[1])]
        return inner[functor]

    def _join(self, one: Node, other: Node) -> None:
        """Two nodes hold the same, and so do the arguments of the same functors there."""
        first, second = self.group(one), self.group(other)
        if first == second:
            return
        self._above[first] = second
        for functor, nodes in self._parts.pop(first, {}).items():
            theirs = self._parts.setdefault(self.group(second), {}).setdefault(functor, nodes)
            for mine, other_ in zip(nodes, theirs, strict=True):
                self._join(mine, other_)

    def _hold(self, node: Node, value: Value) -> None:
        self._held.setdefault(self.group(node), set()).add(value)

    def _told(self, node: Node, term: Term) -> None:
        """A value stands somewhere."""
        group = self.group(node)
        if not isinstance(term, tuple):
            self._hold(group, kind_of(term))
        elif (group, term) not in self._known_terms:
            self._known_terms.add((group, term))
            self._hold(group, (str(term[0]), len(term) - 1))
            for part, argument in zip(self.parts(group, term), term[1:], strict=True):
                self._told(part, argument)

    def plain(self, node: Node) -> bool:
        """Whether a node holds numbers only, or what is no name either."""
        return self._held.get(self.group(node), set()) <= {NUMBER, FIXED}

    def in_order(self, nodes: Sequence[Node]) -> bool:
        """Whether values at these nodes stand in the order in which they stand when all is turned.

        What is no name stands before or behind names whichever they are.
        """
        return any(map(self.plain, nodes)) or all(self._still(node, set()) for node in nodes)

    def _still(self, node: Node, seen: set[Node]) -> bool:
        """Whether no role is among a node's values, nor in them."""
        group = self.group(node)
        if group in seen:
            return True
        seen.add(group)
        inner = (part for parts in self._parts.get(group, {}).values() for part in parts)
        return group not in self.roles and all(self._still(part, seen) for part in inner)
