"""Seats turned by one place: where a program says the same of all of them, it is enough to ask about one.

Each role becomes the next one, clockwise, wherever roles stand; all else stays. If the rules of a program name no role and
compare none by order, and its facts turn into one another, then what it allows turned is something that it allows, too; both
but for facts that no line reads. So where somebody acts, it may be supposed that it is the first seat that does: with everything
turned that is so.

Where roles stand is found out without grounding (:mod:`.shapes`): the first place of ``decision/2`` and all places that hold the
same as it, because some line has one variable, or a comparison, for both. A name that stands elsewhere is none of a role:
`blue` may be the colour of a card, too. What is not understood, or mixed up, is not said to turn.

>>> lines = ["{ decision(R,take) : seated(R) }.", "ends(R) :- decision(R,_), not follows(R,_)."]
>>> def facts(text): return [clingo.parse_term(word) for word in text.split()]
>>> seated = facts("seated(red) seated(blue)")
>>> Seats(["red", "blue"]).turn(lines, [*seated, *facts("follows(red,blue) follows(blue,red)")]) is None
False
>>> Seats(["red", "blue"]).turn(lines, [*seated, *facts("follows(red,blue)")]) is None
True
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import clingo

from ..rules.predicates import BROKEN, DECISION, WRONG
from . import names
from .shapes import Node, Place, Shape, shape_of
from .told import Facts
from .values import FIXED, NUMBER, NotUnderstood, Term, Value, kind_of

_ROLES: Final[Place] = (*DECISION, 0, ())
"""Here are roles."""
_KEYS: Final = {"arg": (1, 2), "dom": (0, 1), "bad": (0,), BROKEN[0]: (0,), WRONG[0]: (0,)}
"""By these arguments of some predicates, always known, others are told apart: one argument of an action from another one."""


class Turn:
    """What each role becomes, wherever it stands; it holds until the seats are asked about another program."""

    def __init__(self, roles: Sequence[str], places: Places) -> None:
        """Each of the roles becomes the next one, the last one the first."""
        self._next: dict[Term, str] = dict(zip(roles, [*roles[1:], *roles[:1]], strict=True))
        self._places = places
        self._turned: dict[tuple[Node, Term], Term] = {}

    def is_of_roles(self, place: Place) -> bool:
        """Whether roles stand at a place."""
        return self._places.group(place) in self._places.roles

    def fact(self, fact: Term) -> Term:
        """A fact, turned."""
        if not isinstance(fact, tuple):
            return fact
        return (fact[0], *(self.at(place, part) for place, part in arguments(fact)))

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


class Seats:
    """The seats of a game, and what is known of the places of its programs: of several programs, as they have lines in common.

    Where places are the same in one program, they are taken for the same in all: that is only ever more than there is.
    """

    def __init__(self, roles: Sequence[str]) -> None:
        """``roles``: clockwise."""
        self._roles = roles
        self._shapes: dict[str, Shape] = {}
        self._facts = Facts(roles)
        self._turned: dict[int, int] = {}
        self._places = Places(roles)
        self._lost = len(roles) < 2

    def turn(self, lines: Iterable[str], facts: Iterable[clingo.Symbol]) -> Turn | None:
        """How the seats of a program turn; None where it may not say the same then, or another one before it did not.

        Args:
            lines: The program, a rule each.
            facts: What it is told besides.
        """
        if self._lost:
            return None
        program = list(lines)
        try:
            there = self._add(program, facts)
        except NotUnderstood:
            self._lost = True
            return None
        turn = Turn(self._roles, self._places)
        self._lost = not (self._says_the_same() and self._closed(turn, program, there))
        return None if self._lost else turn

    def _add(self, lines: Iterable[str], facts: Iterable[clingo.Symbol]) -> set[int]:
        """Takes in what is new; the numbers of the facts."""
        new: dict[str, Shape] = {}
        for line in lines:
            if line not in self._shapes:
                shape = shape_of(line)
                if shape is None:
                    raise NotUnderstood
                new[line] = shape
        self._shapes |= new
        for shape in new.values():
            self._places.add(shape)
        known = len(self._facts.terms)
        there = set(map(self._facts.number, facts))
        for fact in self._facts.terms[known:]:
            for place, part in arguments(fact) if isinstance(fact, tuple) else ():
                self._places.tell(place, part)
        if self._places.seat():
            self._turned.clear()
        return there

    def _says_the_same(self) -> bool:
        """Whether no line names a role, compares roles by their order, or says the opposite of one."""
        places, shapes = self._places, self._shapes.values()
        return (
            places.group(_ROLES) in places.roles
            and all(places.plain(node) for shape in shapes for node in shape.numeric)
            and all(places.in_order(nodes) for shape in shapes for nodes in shape.ordered)
        )

    def _closed(self, turn: Turn, lines: Iterable[str], there: set[int]) -> bool:
        """Whether each fact that some line reads turns into a fact."""
        facts, known = self._facts, self._turned
        lost: dict[str, list[int]] = {}
        for number in there & facts.with_roles:
            if number not in known and (other := facts.known(turn.fact(facts.terms[number]))) is not None:
                known[number] = other
            if known.get(number) not in there:
                lost.setdefault(facts.symbols[number].name, []).append(number)
        reads = (read for line in lines for read in self._shapes[line].reads if read[0] in lost)
        return not any(facts.read(pattern, number) for name, pattern in reads for number in lost[name])


def arguments(fact: tuple[Term, ...]) -> Iterator[tuple[Place, Term]]:
    """The arguments of a fact, each with its place."""
    name, count = str(fact[0]), len(fact) - 1
    keys = _KEYS.get(names.plain(name), ())
    for k, part in enumerate(fact[1:]):
        yield (name, count, k, tuple((i, fact[i + 1]) for i in keys if i != k and i < count)), part


def _is_key(name: str, k: int) -> bool:
    """Whether arguments of a predicate are told apart by one of them."""
    return k in _KEYS.get(names.plain(name), ())


class Places:
    """The places of programs, and those in terms, in groups that hold the same; and what they may hold.

    Attributes:
        roles: The groups where roles stand: all where no other name stands, and that of decisions; no line names a role there.
    """

    def __init__(self, roles: Sequence[str]) -> None:
        """None yet."""
        self.roles: frozenset[Node] = frozenset()
        self._names = frozenset(roles)
        self._above: dict[Node, Node] = {}
        self._parts: dict[Node, dict[Value, list[Node]]] = {}
        self._held: dict[Node, set[Value]] = {}
        self._named: list[tuple[Node, Value]] = []
        self._told: set[tuple[Node, Term]] = set()
        self._told_at: set[Node] = set()
        self._known_at: set[Node] = set()
        self._seated: set[Node] = set()
        self._keys: list[Node] = []

    def add(self, shape: Shape) -> None:
        """Takes in what a line says.

        Raises:
            NotUnderstood: It does not say what arguments are told apart by.
        """
        if any(_is_key(name, k) for (name, _), k in shape.unknown):
            raise NotUnderstood
        for one, other in shape.links:
            self._join(one, other)
            if isinstance(one[0], str) and _is_key(one[0], one[2]):
                self._keys.append(one)
        for node, functor, k, part in shape.parts:
            self._join(self._inner(self.group(node), functor)[k], part)
        for node, held in shape.holds:
            self._held.setdefault(self.group(node), set()).add(held)
        self._named += ((node, held) for node, held in shape.holds if held[1] == 0)

    def tell(self, node: Node, term: Term) -> None:
        """A value stands somewhere."""
        group = self.group(node)
        if not isinstance(term, tuple):
            if term in self._names:
                self._told_at.add(node)
            self._held.setdefault(group, set()).add(kind_of(term))
        elif (group, term) not in self._told:
            self._told.add((group, term))
            self._held.setdefault(group, set()).add((str(term[0]), len(term) - 1))
            for part, inner in zip(self.parts(group, term), term[1:], strict=True):
                self.tell(part, inner)

    def seat(self) -> bool:
        """Finds the groups where roles stand; whether they stand elsewhere in the facts known before."""
        seats = {(role, 0) for role in self._names}
        named = {self.group(node) for node, held in self._named if held in seats}
        some = (group for group, held in self._held.items() if held & seats)
        only = {g for g in some if not any(value not in seats and value[1] == 0 for value in self._held[g])}
        self.roles = frozenset({*only, self.group(_ROLES)} - named - set(map(self.group, self._keys)))
        known, self._known_at = self._known_at, self._told_at.copy()
        before, self._seated = (
            self._seated,
            {node for node in self._told_at if self.group(node) in self.roles},
        )
        return before != self._seated & known

    def group(self, node: Node) -> Node:
        """What stands for the group of a node."""
        if isinstance(node[0], str):
            name, count, k, known = node
            keys = _KEYS.get(names.plain(name), ()) if known else ()
            node = name, count, k, tuple(pair for pair in known if pair[0] in keys and pair[0] != k)
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
            inner[functor] = [(-1, group, *functor, k) for k in range(functor[1])]
        return inner[functor]

    def _join(self, one: Node, other: Node) -> None:
        """Two nodes hold the same, and so do the arguments of the same functors there."""
        first, second = self.group(one), self.group(other)
        if first == second:
            return
        self._above[first] = second
        self._held.setdefault(second, set()).update(self._held.pop(first, ()))
        for functor, nodes in self._parts.pop(first, {}).items():
            theirs = self._parts.setdefault(self.group(second), {}).setdefault(functor, nodes)
            for mine, other_ in zip(nodes, theirs, strict=True):
                self._join(mine, other_)

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
