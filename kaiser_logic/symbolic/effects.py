"""What the effects of a transition become where facts are known in part: which way each of them changes what is kept.

Each way is a predicate about the kept arguments of a fluent:

    add     such a fact comes
    del     such a fact goes; there may be others that look like it
    wipe    all facts that look so go, or lose all that they count
    up      a counter rises for certain, down  one falls for certain, alter  one may rise or fall
    within  what one counter loses another one gains that looks like it

Of counters of which nothing but the value is left out the amounts are kept too, as far as they are known (:mod:`.tallies`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from clingo import ast

from ..rules.pattern import Signature
from . import names
from .flattening import Unprojectable, parts_of
from .kept import Kept
from .trees import atom_text, is_variable, number_of, several, symbolic, term_of, variables_of

EFFECTS: Final = ("add", "del", "gain", "lose", "shift")
"""What rules say of what changes."""
WAYS: Final = ("add", "del", "wipe", "up", "down", "alter", "within")
"""The ways in which what is kept changes."""
PLUS: Final = "plus"
"""An amount that is gained: the kept arguments, the number, and what tells it from others."""
MINUS: Final = "minus"
"""The same of one that is lost."""
KEY: Final = -1
"""In place of an argument's number: what only tells amounts apart."""
LOOSE: Final = "loose"
"""An amount of which this is not known."""


@dataclass(frozen=True)
class Head:
    """What a rule derives: by a name of its own, of which predicate, its kept arguments."""

    name: str
    about: Signature
    args: tuple[tuple[int, Any], ...]

    @property
    def variables(self) -> set[str]:
        """The variables that are kept, without those that only tell amounts apart."""
        return {v for i, a in self.args if i != KEY for v in variables_of(a)}

    @property
    def key(self) -> set[str]:
        """The variables that tell amounts apart."""
        return {v for i, a in self.args if i == KEY for v in variables_of(a)}

    def loose(self) -> Head:
        """That the amounts cannot be told apart."""
        name = self.name.partition("__")[2]
        return Head(f"{LOOSE}__{name}", self.about, tuple(x for x in self.args if x[0] != KEY))

    def text(self, unbound: str = "") -> str:
        """As an atom; ``unbound``: in place of the second argument."""
        return atom_text(self.name, [unbound if unbound and i == 1 else str(a) for i, a in self.args])


class Effects:
    """The heads that rules become."""

    def __init__(self, kept: Kept) -> None:
        """Where this is kept."""
        self._kept = kept

    def heads(self, rule: Any, name: str, args: Sequence[Any]) -> Iterator[Head]:
        """What a rule derives, by the names that it has here."""
        plain = names.plain(name)
        if plain in ("add", "del"):
            yield self._effect(plain, *self._flat(*term_of(args[0])), counter=False)
        elif plain in ("gain", "lose"):
            yield from self._change(rule, plain == "gain", args[0], args[1], args[2])
        elif plain == "shift":
            yield from self._shift(rule, args)
        else:
            dropped = self._kept.dropped((name, len(args)))
            left = tuple((i, a) for i, a in enumerate(args) if i not in dropped)
            yield Head(name, (name, len(args)), left)

    def _shift(self, rule: Any, args: Sequence[Any]) -> Iterator[Head]:
        source, target, amount, mark = args
        out, into = (
            ast.Function(rule.location, n, [x, mark], 0) for n, x in (("out", target), ("into", source))
        )
        lost = list(self._change(rule, False, source, amount, out))
        gained = list(self._change(rule, True, target, amount, into))
        one, other = lost[0], gained[0]
        alike = one.about == other.about and [str(a) for _, a in one.args] == [str(a) for _, a in other.args]
        if alike and not several(source, target) and (one.name[:6], other.name[:4]) == ("down__", "up__"):
            yield Head(f"within__{one.about[0]}", one.about, one.args)
            lost, gained = lost[1:], gained[1:]
        yield from (*lost, *gained)

    def _change(self, rule: Any, up: bool, counter: Any, amount: Any, mark: Any) -> Iterator[Head]:
        """What gaining or losing something becomes: of a counter it is kept whether it certainly rises, or falls."""
        term: tuple[str, Sequence[Any]] = term_of(counter)
        name, args = term
        if (name, len(args)) in self._kept.units:
            yield self._effect("add" if up else "del", *self._flat(name, args), counter=False)
            return
        name, args = self._flat(name, args)
        number = number_of(amount)
        certain = self._counted(rule, amount) if number is None else number > 0
        wiped = None if up else self._all(rule, name, args, amount)
        way = "alter" if not certain else "up" if up else "wipe" if wiped is not None else "down"
        head = self._effect(way, name, args, counter=True)
        yield head
        if wiped is not None and not wiped.issuperset(variables_of(mark)):
            yield Head(f"down__{name}", head.about, head.args)
        if head.about in self._kept.tallied:
            if number is None or number < 1 or several(mark, *args):
                yield Head(f"{LOOSE}__{name}", head.about, head.args)
            else:
                name = f"{PLUS if up else MINUS}__{name}"
                yield Head(name, head.about, (*head.args, (KEY, amount), (KEY, mark)))

    def _counted(self, rule: Any, amount: Any) -> bool:
        """Whether an amount is the value of a counter, which is never 0."""
        if not is_variable(amount):
            return False
        for name, args in self._positive(rule):
            plain = self._kept.fluent((name, len(args)))
            if plain not in self._kept.moved:
                continue
            if str(args[-1]) == str(amount):
                return True
        return False

    def _all(self, rule: Any, name: str, args: Sequence[Any], amount: Any) -> set[str] | None:
        """Whether all counters that look so lose all that they count: the variables that tell them apart, or None."""
        fluent = (name, len(args) + 1)
        if fluent not in self._kept.moved or not is_variable(amount) or several(*args):
            return None
        whole = [*map(str, args), str(amount)]
        if any(name == n and whole == list(map(str, a)) for n, a in self._positive(rule)):
            dropped = self._kept.fluents.get(fluent, set())
            used = Counter(v for x in rule.body for v in variables_of(x))
            left = [a for i, a in enumerate([*args, amount]) if i in dropped]
            if all(is_variable(a) and used[str(a)] == 1 for a in left):
                return {v for a in (*args, amount) for v in variables_of(a)}
        return None

    def _positive(self, rule: Any) -> Iterator[tuple[str, list[Any]]]:
        """The atoms that must hold."""
        for literal in rule.body:
            found = symbolic(literal)
            if found is not None and not literal.sign:
                yield found

    def _flat(self, name: str, args: Sequence[Any]) -> tuple[str, Sequence[Any]]:
        """The name and the arguments of a fact that may be about a structure."""
        for shape in self._kept.shapes.get(name, ()):
            parts = parts_of(shape.skeleton, args[0])
            if parts is not None:
                return shape.name, parts
        return name, args

    def _effect(self, way: str, name: str, args: Sequence[Any], counter: bool) -> Head:
        fluent = (name, len(args) + counter)
        if fluent not in self._kept.fluents:
            raise Unprojectable(f"what is changed is no fluent: {name}/{fluent[1]}")
        dropped = self._kept.fluents[fluent]
        return Head(f"{way}__{name}", fluent, tuple((i, a) for i, a in enumerate(args) if i not in dropped))

    def wiped(self, rule: Any, head: Head, conditions: str) -> Iterator[str]:
        """All facts of a fluent that look like the head are deleted: what is dropped is whatever there is."""
        atom = symbolic(rule.head)
        if atom is None or not self._kept.fluents[head.about]:
            return
        name, args = self._flat(*term_of(atom[1][0]))
        used = Counter(v for x in (*rule.body, rule.head) for v in variables_of(x))
        for element in rule.body:
            found = symbolic(element)
            if found is None or element.sign or (names.plain(found[0]), len(found[1])) != head.about:
                continue
            pairs = list(zip(args, found[1], strict=True))
            dropped = self._kept.fluents[head.about]
            free = all(
                is_variable(x) and str(x) == str(y) and used[str(x)] == 2
                for i, (x, y) in enumerate(pairs)
                if i in dropped
            )
            if free and all(str(x) == str(y) for x, y in pairs):
                yield f"{atom_text(f'wipe__{name}', [str(a) for _, a in head.args])} :- {conditions}."
