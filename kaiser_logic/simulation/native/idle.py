"""Rules that can fire in no position, as what they read holds only where something does that they deny.

What may be done is asked for (`candidate`) where all is given for it, and then every prohibition asks once more whether it is:
where only what is legal is wanted, such rules never fire. An atom that nobody is given holds by one of its rules only; so
a rule cannot fire if, whichever of these it was, its own body and that of the other contradict one another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count, product
from typing import Final, TypeAlias

from ...engine.compiled.pools import unpooled
from ...engine.compiled.ranges import ranged
from ...engine.compiled.syntax import parse
from ...engine.compiled.trees import Comparison, Literal, Predicate, Tree
from ...engine.compiled.values import Unsupported
from ...rules.pattern import Signature
from ...rules.rule import Rule

_DEPTH: Final = 2
"""So many atoms are traced back to their rules, one after the other."""
_STEPS: Final = 60
"""So many bodies are looked at for a rule."""
_SIMPLE: Final = ("num", "const", "str", "fun")
Bindings: TypeAlias = Mapping[str, Tree]


@dataclass(frozen=True)
class _Way:
    """How an atom is derived: the arguments of the head and, of a body without pools, what is understood here.

    Attributes:
        head: The arguments; () where they do not matter.
        holds: The atoms that hold.
        fails: The atoms that do not; ``_`` in them is for anything.
        compared: The comparisons that hold.
        whole: Whether that is all of the body.
        traced: More atoms that hold, each by what has been put in its place already.
    """

    head: tuple[Tree, ...]
    holds: tuple[Predicate, ...]
    fails: tuple[Predicate, ...] = ()
    compared: tuple[Comparison, ...] = ()
    whole: bool = True
    traced: tuple[Predicate, ...] = ()


@dataclass
class _Ways:
    """All rules of a program, by what they derive."""

    rules: Sequence[Rule]
    given: Callable[[Signature], bool]
    ways: dict[Signature, list[_Way]] = field(default_factory=dict)
    fresh: Iterator[int] = field(default_factory=count)
    steps: int = 0

    def __post_init__(self) -> None:
        for rule in self.rules:
            parsed = parse(rule.text)
            bodies = [self._way(body) for body in product(*map(unpooled, parsed.body))]
            for head in (h for atom in parsed.heads for h in unpooled(atom)):
                own = self.ways.setdefault((head.name, len(head.args)), [])
                own += [_Way(head.args, b.holds, b.fails, b.compared, b.whole) for b in bodies]

    def _way(self, body: Sequence[Literal]) -> _Way:
        """A body; what is called ``_`` in an atom that holds gets a name."""
        holds = [x for x in body if isinstance(x, Predicate) and x.sign == 0]
        fails = [x for x in body if isinstance(x, Predicate) and x.sign == 1]
        compared = [x for x in body if isinstance(x, Comparison) and not x.sign and len(x.guards) == 1]
        whole = len(holds) + len(fails) + len(compared) == len(body)
        named = (Predicate(x.name, tuple(map(self._named, x.args))) for x in holds)
        return _Way((), tuple(named), tuple(fails), tuple(compared), whole)

    def _named(self, term: Tree) -> Tree:
        if term[0] == "any":
            return ("var", f"_{next(self.fresh)}")
        return ("fun", term[1], tuple(map(self._named, term[2]))) if term[0] == "fun" else term

    def idle(self, rule: Rule) -> bool:
        """Whether a rule can never fire."""
        self.steps = _STEPS
        return all(
            self._refuted(self._way(body), _DEPTH) for body in product(*map(unpooled, parse(rule.text).body))
        )

    def _refuted(self, body: _Way, depth: int) -> bool:
        """Whether a body never holds."""
        self.steps -= 1
        if self._contradicts(body):
            return True
        if not depth or self.steps <= 0:
            return False
        for k, atom in enumerate(body.holds):
            signature = atom.name, len(atom.args)
            if not self.given(signature) and all(
                self._refuted(one, depth - 1) for one in self._traced(body, k, self.ways.get(signature, ()))
            ):
                return True
        return False

    def _traced(self, body: _Way, place: int, ways: Sequence[_Way]) -> Iterator[_Way]:
        """A body together with each of those by which one of its atoms can hold."""
        atom = body.holds[place]
        rest = (*body.holds[:place], *body.holds[place + 1 :])
        for way in ways:
            own = _renamed(way, f"'{next(self.fresh)}")
            bindings: dict[str, Tree] = {}
            if all(_unified(a, b, bindings) for a, b in zip(atom.args, own.head, strict=True)):
                fails, compared = (*own.fails, *body.fails), (*own.compared, *body.compared)
                found = _Way((), (*own.holds, *rest), fails, compared, False, (*body.traced, atom))
                yield _replaced(found, bindings)

    def _contradicts(self, body: _Way) -> bool:
        """Whether a body contradicts itself."""
        for one in body.compared:
            ((sign, right),) = one.guards
            if sign in ("!=", "<", ">") and one.left == right and one.left[0] != "any" and not ranged(right):
                return True
        return any(self._follows(atom, body) for atom in body.fails)

    def _follows(self, atom: Predicate, body: _Way) -> bool:
        """Whether there is such an atom wherever a body holds: in it, or by one rule; with a range any of it may be missing."""
        if any(map(ranged, atom.args)):
            return False
        if any(_is_such(atom, other) for other in (*body.holds, *body.traced)):
            return True
        for way in self.ways.get((atom.name, len(atom.args)), ()):
            if not way.whole or not all(map(_calculates_nothing, way.head)):
                continue
            own = _renamed(way, "''")
            bindings: dict[str, Tree] = {}
            if all(map(_matched, own.head, atom.args, [bindings] * len(own.head))) and self._covered(
                own, own.holds, bindings, body
            ):
                return True
        return False

    def _covered(self, way: _Way, left: Sequence[Predicate], bindings: Bindings, body: _Way) -> bool:
        """Whether the rest of a rule's body is part of another one, with some values for its variables."""
        if left:
            for other in (*body.holds, *body.traced):
                new = dict(bindings)
                if (
                    (other.name, len(other.args)) == (left[0].name, len(left[0].args))
                    and all(_matched(a, b, new) for a, b in zip(left[0].args, other.args, strict=True))
                    and self._covered(way, left[1:], new, body)
                ):
                    return True
            return False
        own = _replaced(way, bindings)
        return all(x in body.fails for x in own.fails) and all(x in body.compared for x in own.compared)


def firing(rules: Sequence[Rule], given: Callable[[Signature], bool]) -> tuple[Rule, ...]:
    """Those of some rules that can fire; ``given``: whether an atom may hold without a rule.

    >>> from kaiser_logic.rules.loader import parse_rules
    >>> text = "may(R,X) :- turn(R), has(R,X,_). bad(R,X) :- may(R,X), not has(R,X,_). bad(R,b) :- may(R,b), turn(R)."
    >>> [rule.text for rule in firing(tuple(parse_rules(text)), lambda s: s[0] in ("turn", "has"))]
    ['may(R,X) :- turn(R); has(R,X,_).', 'bad(R,b) :- may(R,b); turn(R).']
    """
    try:
        before = len(rules) + 1
        while len(rules) < before:
            before = len(rules)
            ways = _Ways(rules, given)
            rules = [rule for rule in rules if not ways.idle(rule)]
    except Unsupported:  # so it will not be compiled
        pass
    return tuple(rules)


def read(rules: Sequence[Rule], outputs: frozenset[Signature]) -> tuple[Rule, ...]:
    """Those of some rules that matter to what is asked for."""
    wanted: set[Signature] = set()
    new = set(outputs)
    while new:
        wanted |= new
        new = {u for rule in rules if any(h.signature in new for h in rule.heads) for u in rule.uses} - wanted
    return tuple(rule for rule in rules if not rule.heads or any(h.signature in wanted for h in rule.heads))


# -- terms -----------------------------------------------------------------------------------------------------------------


def _through(term: Tree, change: Callable[[Tree], Tree]) -> Tree:
    """A term with other variables."""
    if term[0] == "var":
        return change(term)
    if term[0] == "fun":
        return ("fun", term[1], tuple(_through(x, change) for x in term[2]))
    if term[0] in ("op", "range"):
        return (*term[:-2], _through(term[-2], change), _through(term[-1], change))
    return term


def _changed(way: _Way, change: Callable[[Tree], Tree]) -> _Way:
    """A body with other variables."""

    def atoms(them: tuple[Predicate, ...]) -> tuple[Predicate, ...]:
        return tuple(Predicate(x.name, tuple(_through(t, change) for t in x.args), x.sign) for x in them)

    compared = tuple(
        Comparison(_through(x.left, change), tuple((sign, _through(t, change)) for sign, t in x.guards))
        for x in way.compared
    )
    head = tuple(_through(t, change) for t in way.head)
    return _Way(head, atoms(way.holds), atoms(way.fails), compared, way.whole, atoms(way.traced))


def _renamed(way: _Way, mark: str) -> _Way:
    return _changed(way, lambda term: ("var", term[1] + mark))


def _replaced(way: _Way, bindings: Bindings) -> _Way:
    return _changed(way, lambda term: _value(term, bindings))


def _value(term: Tree, bindings: Bindings) -> Tree:
    """A term with the values of its variables, and theirs."""
    return _through(term, lambda x: _value(bindings[x[1]], bindings) if x[1] in bindings else x)


def _unified(a: Tree, b: Tree, bindings: dict[str, Tree]) -> bool:
    """False where two terms cannot be the same; what their variables then are is added, as far as it is understood."""
    a, b = _value(a, bindings), _value(b, bindings)
    if a == b:
        return True
    if b[0] == "var" and a[0] != "var":
        a, b = b, a
    if a[0] == "var":
        if b[0] in (*_SIMPLE, "var") and _calculates_nothing(b) and a[1] not in _names(b):
            bindings[a[1]] = b
        return True
    if a[0] == "fun" and b[0] == "fun":
        return (a[1], len(a[2])) == (b[1], len(b[2])) and all(
            _unified(x, y, bindings) for x, y in zip(a[2], b[2], strict=True)
        )
    return not (a[0] in _SIMPLE and b[0] in _SIMPLE)


def _names(term: Tree) -> set[str]:
    """The variables of a term."""
    found: set[str] = set()

    def seen(x: Tree) -> Tree:
        found.add(x[1])
        return x

    _through(term, seen)
    return found


def _calculates_nothing(term: Tree) -> bool:
    """Whether a term is put together of names, numbers and variables only."""
    return term[0] in ("var", "num", "const", "str") or (
        term[0] == "fun" and all(map(_calculates_nothing, term[2]))
    )


def _is_such(pattern: Predicate, atom: Predicate) -> bool:
    """Whether an atom is as one says in which ``_`` is for anything."""
    return (
        pattern.name == atom.name
        and len(pattern.args) == len(atom.args)
        and all(map(_such, pattern.args, atom.args))
    )


def _such(pattern: Tree, term: Tree) -> bool:
    if pattern[0] == "fun" and term[0] == "fun":
        return (pattern[1], len(pattern[2])) == (term[1], len(term[2])) and all(
            map(_such, pattern[2], term[2])
        )
    return pattern[0] == "any" or pattern == term


def _matched(pattern: Tree, term: Tree, bindings: dict[str, Tree]) -> bool:
    """Whether a term is a rule's with some values for its variables, which are added; ``_`` is like everything."""
    if term[0] == "any":
        return True
    if pattern[0] == "var":
        return not ranged(term) and bindings.setdefault(pattern[1], term) == term
    if pattern[0] == "fun" and term[0] == "fun":
        return (pattern[1], len(pattern[2])) == (term[1], len(term[2])) and all(
            _matched(x, y, bindings) for x, y in zip(pattern[2], term[2], strict=True)
        )
    return pattern == term
