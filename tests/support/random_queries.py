"""Random queries in the grammar of ``find``, as data: see :mod:`support.queries`."""

from dataclasses import dataclass, field, replace
from typing import Any, Self

from hypothesis import strategies as st

from kaiser_logic.game import Game
from support.plain import actions, fluents
from support.queries import OPERATORS, Literal, RuleId, Value, Worlds, value

_SORTS = ("amount", "thing", "ruling", "side", "card")
"""The sorts of the static predicates of the tiny games."""


@dataclass
class _Bound:
    draw: st.DrawFn
    vocabulary: "Vocabulary"
    names: dict[str, set[str]]
    shapes: dict[str, Value] = field(default_factory=dict)
    """Variables that stand for terms with arguments, each with an example of such a term."""

    def copy(self) -> Self:
        names = {sort: set(found) for sort, found in self.names.items()}
        return replace(self, names=names, shapes=dict(self.shapes))

    def all(self, sort: str) -> list[str]:
        return sorted(self.names.get(sort, ()))


class Vocabulary:
    """The predicates that a query about a game can use, with the values of their arguments."""

    def __init__(self, game: Game, worlds: Worlds, legality: bool = True) -> None:
        """``legality``: whether it has ``legal`` and ``violates``."""
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
        for signature in worlds.static.keys() - {("player", 1), ("left", 2)}:
            if signature[0] not in _SORTS:
                examples.pop(signature, None)
        self.examples = {
            s: sorted(found, key=repr)
            for s, found in sorted(examples.items())
            if legality or s[0] not in ("legal", "violates")
        }
        moves = [a for atoms in list(worlds.all.values())[::5] for a in atoms.get(("after", 3), ())]
        facts = [a for a in moves if isinstance(a[2], tuple) and a[2][0] != "seat"]
        if facts:
            self.examples["after", 3] = sorted(set(facts), key=repr)[:: max(1, len(facts) // 400)]
        self.terms = not any("'with'" in repr(value(a)) for _, a in actions(game))
        """Whether variables stand for terms. They do not if actions name sets, because not all sets are listed."""
        if legality:
            possible = [value(a) for _, a in actions(game)]
            self.examples["legal", 2] = [(r, a) for r in sorted(self.roles) for a in possible]

    def sort(self, item: Value) -> str:
        """``role``, ``number``, ``id`` of a rule, or ``other``."""
        if isinstance(item, RuleId):
            return "id"
        return "number" if isinstance(item, int) else "role" if item in self.roles else "other"


@st.composite
def about_moves(draw: st.DrawFn, vocabulary: Vocabulary) -> list[Literal]:
    bound = _Bound(draw, vocabulary, {})
    literals = [_fact(bound, "XY", ("after", 3))]
    if bound.draw(st.booleans()):  # of the same move
        one, other = literals[0], _fact(bound, "XYZ", ("after", 3))
        role, action, fact = one[2][0], one[2][1], other[2][2]
        literals.append(("fact", "after", [role, action, fact]))
        bound = _Bound(draw, vocabulary, {})
        for literal in literals:
            _bind(bound, literal[2])
    literals += [_fact(bound, "XYZ") for _ in range(bound.draw(st.integers(0, 1)))]
    if bound.draw(st.integers(0, 3)) == 0:
        inside = [_fact(bound.copy(), "PQ", ("after", 3))]
        literals[-1:] = [("without", inside)]
        bound = _Bound(draw, vocabulary, {})
        for literal in literals:
            if literal[0] == "fact":
                _bind(bound, literal[2])
    if bound.draw(st.booleans()):
        literals.append(bound.draw(st.sampled_from([_lacking, _compare]))(bound))
    return literals


def _bind(bound: _Bound, terms: list[Any]) -> None:
    """Binds the variables of a fact; their names show their sorts."""
    sorts = {"R": "role", "N": "number", "I": "id", "O": "other", "T": "term"}
    for term in terms:
        if isinstance(term, tuple) and term[0] == "v":
            bound.names.setdefault(sorts[term[1][0]], set()).add(term[1])
        elif isinstance(term, tuple) and term[0] == "f":
            _bind(bound, term[2])


@st.composite
def queries(draw: st.DrawFn, vocabulary: Vocabulary) -> list[Literal]:
    bound = _Bound(draw, vocabulary, {})
    facts = [_fact(bound, "XYZ") for _ in range(bound.draw(st.integers(0, 3)))]
    if bound.draw(st.integers(0, 3)) == 0:
        facts.append(_either(bound))
    facts += _equations(bound)
    rest: list[Literal] = []
    kinds = [_lacking, _compare, _without, _count, _count, _total]
    for _ in range(bound.draw(st.integers(0 if facts else 1, 2))):
        rest.append(bound.draw(st.sampled_from(kinds))(bound))
    return [*facts, *rest]


def _equations(bound: _Bound) -> list[Literal]:
    """Equations about terms that a fact has bound, and about numbers that follow from others."""
    found: list[Literal] = []
    for name in sorted(bound.shapes):
        if bound.draw(st.booleans()):
            shown = _opened(bound, "DM", True, set(), bound.shapes[name])
            if shown[0] == "f":
                found.append(("shape", name, bound.draw(st.sampled_from(["=", "=", "!="])), shown))
                if found[-1][2] == "!=":
                    found[-1] = ("shape", name, "!=", _blanks(shown))
    if bound.all("number") and bound.draw(st.integers(0, 2)) == 0:
        found.append(("bind", "NumberB", _number(bound)))
        bound.names["number"].add("NumberB")
    return found


def _blanks(term: Any) -> Any:
    """The term with ``_`` for one variable or more."""
    if not isinstance(term, tuple):
        return term
    if term[0] == "f":
        inside = [_blanks(t) for t in term[2]]
        return ("f", term[1], [("_",), *inside[1:]])
    return ("_",)


def _either(bound: _Bound) -> Literal:
    """Two or three alternatives, each a query of its own in which the outer variables are bound."""
    alternatives = []
    for _ in range(bound.draw(st.integers(2, 3))):
        inner = bound.copy()
        literals = [_fact(inner, "UVW") for _ in range(bound.draw(st.integers(1, 2)))]
        if bound.draw(st.booleans()):
            literals.append(bound.draw(st.sampled_from([_lacking, _compare, _without]))(inner))
        alternatives.append(literals)
    return ("either", alternatives)


def _fact(bound: _Bound, names: str, signature: tuple[str, int] | None = None) -> Literal:
    """A fact that binds its variables."""
    name, terms = _atom(bound, names, True, signature)
    return ("fact", name, terms)


def _atom(bound: _Bound, names: str, bind: bool, signature: tuple[str, int] | None = None) -> tuple[str, list[Any]]:
    if signature is None:
        signature = bound.draw(st.sampled_from(sorted(bound.vocabulary.examples.keys() - {("after", 3)})))
    example = bound.draw(st.sampled_from(bound.vocabulary.examples[signature]))
    used: set[str] = set()
    terms = [_opened(bound, names, bind, used, item) for item in example]
    if signature == ("after", 3) and terms[2][0] == "v":  # the last argument is a fact
        terms[2] = _whole(example[2])
    return signature[0], terms


def _opened(bound: _Bound, names: str, bind: bool, used: set[str], item: Value) -> Any:
    """A value, or a more general term."""
    if isinstance(item, tuple):
        if bind and bound.vocabulary.terms and bound.draw(st.integers(0, 3)) == 0:
            name = f"T{bound.draw(st.sampled_from(names))}"
            bound.shapes[name] = item
            return ("v", name)
        if item[0] == "with" or bound.draw(st.booleans()):
            return _whole(item)
        return ("f", item[0], [_opened(bound, names, bind, used, a) for a in item[1:]])
    sort = bound.vocabulary.sort(item)
    kind = bound.draw(st.sampled_from(["value", "variable", "variable", "any"]))
    if kind == "any":
        return ("_",)
    if kind == "variable":
        known = bound.all(sort)
        fresh = [f"{sort[0].upper()}{n}" for n in names]
        name = bound.draw(st.sampled_from([*known, *fresh]))
        if bind:
            bound.names.setdefault(sort, set()).add(name)
            return ("v", name)
        if name in known or name not in used:
            used.add(name)
            return ("v", name)
    return item


def _whole(item: Value) -> Any:
    return ("f", item[0], [_whole(a) for a in item[1:]]) if isinstance(item, tuple) else item


def _lacking(bound: _Bound) -> Literal:
    return ("lacking", *_atom(bound, "ABC", False))


def _number(bound: _Bound, depth: int = 0) -> Any:
    if depth < 2 and bound.draw(st.integers(0, 3)) == 0:
        sign = bound.draw(st.sampled_from("+-*" if depth else "+-"))
        left = _number(bound, 2)
        return ("sum", sign, left, _number(bound, 2))
    names = [("v", n) for n in bound.all("number")]
    return bound.draw(st.sampled_from([*bound.vocabulary.numbers, *names, *names, *names]))


def _compare(bound: _Bound) -> Literal:
    roles = [("v", n) for n in bound.all("role")]
    if roles and bound.draw(st.booleans()):
        other = bound.draw(st.sampled_from([*roles, *sorted(bound.vocabulary.roles)]))
        return ("compare", bound.draw(st.sampled_from(roles)), bound.draw(st.sampled_from(["=", "!="])), other)
    left, right = (_number(bound) for _ in range(2))
    return ("compare", left, bound.draw(st.sampled_from(sorted(OPERATORS))), right)


def _inside(bound: _Bound, names: str, depth: int = 0) -> tuple[list[Literal], _Bound]:
    inner = bound.copy()
    literals = [_fact(inner, names) for _ in range(bound.draw(st.integers(1, 2)))]
    literals += _equations(inner)
    kinds = [_lacking, _compare] if depth else [_lacking, _compare, _within, _within]
    for _ in range(bound.draw(st.integers(0, 1))):
        literals.append(bound.draw(st.sampled_from(kinds))(inner))
    own = {s: found - bound.names.get(s, set()) for s, found in inner.names.items()}
    return literals, _Bound(bound.draw, bound.vocabulary, own)


def _within(bound: _Bound) -> Literal:
    literals, own = _inside(bound, "EF", 1)
    names = own.all("number")
    if names and bound.draw(st.booleans()):
        right = _number(bound)
        kind = bound.draw(st.sampled_from(["sum", "min", "max"]))
        return (kind, names[:1], literals, bound.draw(st.sampled_from(sorted(OPERATORS))), right)
    return ("without", literals)


def _without(bound: _Bound) -> Literal:
    return ("without", _inside(bound, "PQ")[0])


def _total(bound: _Bound) -> Literal:
    literals, own = _inside(bound, "GH")
    names = own.all("number")
    if not names:
        return ("without", literals)
    kind = bound.draw(st.sampled_from(["sum", "sum", "min", "max"]))
    others = sorted(n for found in own.names.values() for n in found if n != names[0])
    tuple_ = [names[0], *others[: bound.draw(st.integers(0, len(others)))]] if kind == "sum" else names[:1]
    right = _number(bound)
    return (kind, tuple_, literals, bound.draw(st.sampled_from(sorted(OPERATORS))), right)


def _count(bound: _Bound) -> Literal:
    literals, own = _inside(bound, "KL")
    names = sorted(n for found in own.names.values() for n in found)
    if not names:
        return ("without", literals)
    chosen = names[: bound.draw(st.integers(1, len(names)))]
    right = _number(bound)
    return ("count", chosen, literals, bound.draw(st.sampled_from(sorted(OPERATORS))), right)
