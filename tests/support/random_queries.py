"""Random queries after the grammar of ``find``, as data: see :mod:`support.queries`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from kaiser_logic.game import Game
from support.plain import actions, fluents
from support.queries import OPERATORS, Literal, RuleId, Value, Worlds, value


@dataclass
class _Bound:
    """The variables that facts bind, by sort."""

    names: dict[str, set[str]]

    def all(self, sort: str) -> list[str]:
        return sorted(self.names.get(sort, ()))


class Vocabulary:
    """What a query about a game can speak of: for each predicate the values of its arguments."""

    def __init__(self, game: Game, worlds: Worlds, legality: bool = True) -> None:
        """``legality``: whether ``legal`` and ``violates`` are among it."""
        self.roles = set(game.roles)
        self.numbers = list(range(7))
        examples: dict[tuple[str, int], set[tuple[Value, ...]]] = {}
        for f in fluents(game, 3):
            if f.name != "seat":
                examples.setdefault((f.name, len(f.arguments)), set()).add(tuple(map(value, f.arguments)))
        for atoms in list(worlds.all.values())[::7]:
            for signature, instances in atoms.items():
                if signature not in examples or signature[0] in ("legal", "violates"):
                    examples.setdefault(signature, set()).update(instances)
        examples.pop(("seat", 2), None)
        self.examples = {
            s: sorted(found, key=repr)
            for s, found in sorted(examples.items())
            if legality or s[0] not in ("legal", "violates")
        }
        if legality:
            possible = [value(a) for _, a in actions(game)]
            self.examples["legal", 2] = [(r, a) for r in sorted(self.roles) for a in possible]

    def sort(self, item: Value) -> str:
        """``role``, ``number``, ``id`` of a rule, or ``other``."""
        if isinstance(item, RuleId):
            return "id"
        return "number" if isinstance(item, int) else "role" if item in self.roles else "other"


@st.composite
def queries(draw: st.DrawFn, vocabulary: Vocabulary) -> list[Literal]:
    """A query about a game."""
    bound = _Bound({})
    facts = [_fact(draw, vocabulary, bound, "XYZ") for _ in range(draw(st.integers(0, 3)))]
    rest: list[Literal] = []
    for _ in range(draw(st.integers(0 if facts else 1, 2))):
        rest.append(draw(st.sampled_from([_lacking, _compare, _without, _count]))(draw, vocabulary, bound))
    return [*facts, *rest]


def _fact(draw: st.DrawFn, vocabulary: Vocabulary, bound: _Bound, names: str) -> Literal:
    """A fact; its variables are bound by it."""
    name, terms = _atom(draw, vocabulary, bound, names, bind=True)
    return ("fact", name, terms)


def _atom(
    draw: st.DrawFn, vocabulary: Vocabulary, bound: _Bound, names: str, bind: bool
) -> tuple[str, list[Any]]:
    signature = draw(st.sampled_from(sorted(vocabulary.examples)))
    example = draw(st.sampled_from(vocabulary.examples[signature]))
    used: set[str] = set()
    return signature[0], [_opened(draw, vocabulary, bound, names, bind, used, item) for item in example]


def _opened(
    draw: st.DrawFn,
    vocabulary: Vocabulary,
    bound: _Bound,
    names: str,
    bind: bool,
    used: set[str],
    item: Value,
) -> Any:
    """A value, or something more general."""
    if isinstance(item, tuple):
        if item[0] == "with" or draw(st.booleans()):
            return _whole(item)
        return ("f", item[0], [_opened(draw, vocabulary, bound, names, bind, used, a) for a in item[1:]])
    sort = vocabulary.sort(item)
    kind = draw(st.sampled_from(["value", "variable", "variable", "any"]))
    if kind == "any":
        return ("_",)
    if kind == "variable":
        known = bound.all(sort)
        fresh = [f"{sort[0].upper()}{n}" for n in names]
        name = draw(st.sampled_from([*known, *fresh]))
        if bind:
            bound.names.setdefault(sort, set()).add(name)
            return ("v", name)
        if name in known or name not in used:
            used.add(name)
            return ("v", name)
    return item


def _whole(item: Value) -> Any:
    return ("f", item[0], [_whole(a) for a in item[1:]]) if isinstance(item, tuple) else item


def _lacking(draw: st.DrawFn, vocabulary: Vocabulary, bound: _Bound) -> Literal:
    return ("lacking", *_atom(draw, vocabulary, bound, "ABC", bind=False))


def _number(draw: st.DrawFn, vocabulary: Vocabulary, bound: _Bound, depth: int = 0) -> Any:
    """An expression with numbers and bound variables."""
    if depth < 2 and draw(st.integers(0, 3)) == 0:
        sign = draw(st.sampled_from("+-*" if depth else "+-"))
        left = _number(draw, vocabulary, bound, 2)
        return ("sum", sign, left, _number(draw, vocabulary, bound, 2))
    names = [("v", n) for n in bound.all("number")]
    return draw(st.sampled_from([*vocabulary.numbers, *names, *names, *names]))


def _compare(draw: st.DrawFn, vocabulary: Vocabulary, bound: _Bound) -> Literal:
    roles = [("v", n) for n in bound.all("role")]
    if roles and draw(st.booleans()):
        other = draw(st.sampled_from([*roles, *sorted(vocabulary.roles)]))
        return ("compare", draw(st.sampled_from(roles)), draw(st.sampled_from(["=", "!="])), other)
    left, right = (_number(draw, vocabulary, bound) for _ in range(2))
    return ("compare", left, draw(st.sampled_from(sorted(OPERATORS))), right)


def _inside(
    draw: st.DrawFn, vocabulary: Vocabulary, bound: _Bound, names: str
) -> tuple[list[Literal], _Bound]:
    """Literals in braces or parentheses, with variables of their own."""
    inner = _Bound({sort: set(found) for sort, found in bound.names.items()})
    literals = [_fact(draw, vocabulary, inner, names) for _ in range(draw(st.integers(1, 2)))]
    for _ in range(draw(st.integers(0, 1))):
        literals.append(draw(st.sampled_from([_lacking, _compare]))(draw, vocabulary, inner))
    own = {s: found - bound.names.get(s, set()) for s, found in inner.names.items()}
    return literals, _Bound(own)


def _without(draw: st.DrawFn, vocabulary: Vocabulary, bound: _Bound) -> Literal:
    return ("without", _inside(draw, vocabulary, bound, "PQ")[0])


def _count(draw: st.DrawFn, vocabulary: Vocabulary, bound: _Bound) -> Literal:
    literals, own = _inside(draw, vocabulary, bound, "KL")
    names = sorted(n for found in own.names.values() for n in found)
    if not names:
        return ("without", literals)
    chosen = names[: draw(st.integers(1, len(names)))]
    right = _number(draw, vocabulary, bound)
    return ("count", chosen, literals, draw(st.sampled_from(sorted(OPERATORS))), right)
