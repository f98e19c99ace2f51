"""Random queries in the grammar of ``find``, as data: see :mod:`support.queries`."""

from dataclasses import dataclass, field
from typing import Any, Self

from hypothesis import strategies as st

from kaiser_logic.game import Game
from support.plain import actions, fluents
from support.queries import OPERATORS, Literal, RuleId, Value, Worlds, value

_SORTS = ("amount", "thing", "ruling", "side", "card")
"""The sorts of the static predicates of the tiny games."""


@dataclass
class _Bound:
    names: dict[str, set[str]]
    shapes: dict[str, Value] = field(default_factory=dict)
    """Variables that stand for terms with arguments, each with an example of such a term."""

    def copy(self) -> Self:
        return type(self)({sort: set(found) for sort, found in self.names.items()}, dict(self.shapes))

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
    bound = _Bound({})
    literals = [_fact(draw, vocabulary, bound, "XY", ("after", 3))]
    if draw(st.booleans()):  # of the same move
        one, other = literals[0], _fact(draw, vocabulary, bound, "XYZ", ("after", 3))
        role, action, fact = one[2][0], one[2][1], other[2][2]
        literals.append(("fact", "after", [role, action, fact]))
        bound = _Bound({})
        for literal in literals:
            _bind(vocabulary, bound, literal[2])
    literals += [_fact(draw, vocabulary, bound, "XYZ") for _ in range(draw(st.integers(0, 1)))]
    if draw(st.integers(0, 3)) == 0:
        inside = [_fact(draw, vocabulary, bound.copy(), "PQ", ("after", 3))]
        literals[-1:] = [("without", inside)]
        bound = _Bound({})
        for literal in literals:
            if literal[0] == "fact":
                _bind(vocabulary, bound, literal[2])
    if draw(st.booleans()):
        literals.append(draw(st.sampled_from([_lacking, _compare]))(draw, vocabulary, bound))
    return literals


def _bind(vocabulary: Vocabulary, bound: _Bound, terms: list[Any]) -> None:
    """Binds the variables of a fact; their names show their sorts."""
    sorts = {"R": "role", "N": "number", "I": "id", "O": "other", "T": "term"}
    for term in terms:
        if isinstance(term, tuple) and term[0] == "v":
            bound.names.setdefault(sorts[term[1][0]], set()).add(term[1])
        elif isinstance(term, tuple) and term[0] == "f":
            _bind(vocabulary, bound, term[2])


@st.composite
def queries(draw: st.DrawFn, vocabulary: Vocabulary) -> list[Literal]:
    bound = _Bound({})
    facts = [_fact(draw, vocabulary, bound, "XYZ") for _ in range(draw(st.integers(0, 3)))]
    if draw(st.integers(0, 3)) == 0:
        facts.append(_either(draw, vocabulary, bound))
    facts += _equations(draw, vocabulary, bound)
    rest: list[Literal] = []
    kinds = [_lacking, _compare, _without, _count, _count, _total]
    for _ in range(draw(st.integers(0 if facts else 1, 2))):
        rest.append(draw(st.sampled_from(kinds))(draw, vocabulary, bound))
    return [*facts, *rest]


def _equations(draw: st.DrawFn, vocabulary: Vocabulary, bound: _Bound) -> list[Literal]:
    """Equations about terms that a fact has bound, and about numbers that follow from others."""
    found: list[Literal] = []
    for name in sorted(bound.shapes):
        if draw(st.booleans()):
            shown = _opened(draw, vocabulary, bound, "DM", True, set(), bound.shapes[name])
            if shown[0] == "f":
                found.append(("shape", name, draw(st.sampled_from(["=", "=", "!="])), shown))
                if found[-1][2] == "!=":
                    found[-1] = ("shape", name, "!=", _blanks(shown))
    if bound.all("number") and draw(st.integers(0, 2)) == 0:
        found.append(("bind", "NumberB", _number(draw, vocabulary, bound)))
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


def _either(draw: st.DrawFn, vocabulary: Vocabulary, bound: _Bound) -> Literal:
    """Two or three alternatives, each a query of its own in which the outer variables are bound."""
    alternatives = []
    for _ in range(draw(st.integers(2, 3))):
        inner = bound.copy()
        literals = [_fact(draw, vocabulary, inner, "UVW") for _ in range(draw(st.integers(1, 2)))]
        if draw(st.booleans()):
            literals.append(draw(st.sampled_from([_lacking, _compare, _without]))(draw, vocabulary, inner))
        alternatives.append(literals)
    return ("either", alternatives)


def _fact(
    draw: st.DrawFn,
    vocabulary: Vocabulary,
    bound: _Bound,
    names: str,
    signature: tuple[str, int] | None = None,
) -> Literal:
    """A fact that binds its variables."""
    name, terms = _atom(draw, vocabulary, bound, names, True, signature)
    return ("fact", name, terms)


def _atom(
    draw: st.DrawFn,
    vocabulary: Vocabulary,
    bound: _Bound,
    names: str,
    bind: bool,
    signature: tuple[str, int] | None = None,
) -> tuple[str, list[Any]]:
    if signature is None:
        signature = draw(st.sampled_from(sorted(vocabulary.examples.keys() - {("after", 3)})))
    example = draw(st.sampled_from(vocabulary.examples[signature]))
    used: set[str] = set()
    terms = [_opened(draw, vocabulary, bound, names, bind, used, item) for item in example]
    if signature == ("after", 3) and terms[2][0] == "v":  # the last argument is a fact
        terms[2] = _whole(example[2])
    return signature[0], terms


def _opened(
    draw: st.DrawFn,
    vocabulary: Vocabulary,
    bound: _Bound,
    names: str,
    bind: bool,
    used: set[str],
    item: Value,
) -> Any:
    """A value, or a more general term."""
    if isinstance(item, tuple):
        if bind and vocabulary.terms and draw(st.integers(0, 3)) == 0:
            name = f"T{draw(st.sampled_from(names))}"
            bound.shapes[name] = item
            return ("v", name)
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
    return ("lacking", *_atom(draw, vocabulary, bound, "ABC", False))


def _number(draw: st.DrawFn, vocabulary: Vocabulary, bound: _Bound, depth: int = 0) -> Any:
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
    draw: st.DrawFn, vocabulary: Vocabulary, bound: _Bound, names: str, depth: int = 0
) -> tuple[list[Literal], _Bound]:
    inner = bound.copy()
    literals = [_fact(draw, vocabulary, inner, names) for _ in range(draw(st.integers(1, 2)))]
    literals += _equations(draw, vocabulary, inner)
    kinds = [_lacking, _compare] if depth else [_lacking, _compare, _within, _within]
    for _ in range(draw(st.integers(0, 1))):
        literals.append(draw(st.sampled_from(kinds))(draw, vocabulary, inner))
    own = {s: found - bound.names.get(s, set()) for s, found in inner.names.items()}
    return literals, _Bound(own)


def _within(draw: st.DrawFn, vocabulary: Vocabulary, bound: _Bound) -> Literal:
    literals, own = _inside(draw, vocabulary, bound, "EF", 1)
    names = own.all("number")
    if names and draw(st.booleans()):
        right = _number(draw, vocabulary, bound)
        kind = draw(st.sampled_from(["sum", "min", "max"]))
        return (kind, names[:1], literals, draw(st.sampled_from(sorted(OPERATORS))), right)
    return ("without", literals)


def _without(draw: st.DrawFn, vocabulary: Vocabulary, bound: _Bound) -> Literal:
    return ("without", _inside(draw, vocabulary, bound, "PQ")[0])


def _total(draw: st.DrawFn, vocabulary: Vocabulary, bound: _Bound) -> Literal:
    literals, own = _inside(draw, vocabulary, bound, "GH")
    names = own.all("number")
    if not names:
        return ("without", literals)
    kind = draw(st.sampled_from(["sum", "sum", "min", "max"]))
    others = sorted(n for found in own.names.values() for n in found if n != names[0])
    tuple_ = [names[0], *others[: draw(st.integers(0, len(others)))]] if kind == "sum" else names[:1]
    right = _number(draw, vocabulary, bound)
    return (kind, tuple_, literals, draw(st.sampled_from(sorted(OPERATORS))), right)


def _count(draw: st.DrawFn, vocabulary: Vocabulary, bound: _Bound) -> Literal:
    literals, own = _inside(draw, vocabulary, bound, "KL")
    names = sorted(n for found in own.names.values() for n in found)
    if not names:
        return ("without", literals)
    chosen = names[: draw(st.integers(1, len(names)))]
    right = _number(draw, vocabulary, bound)
    return ("count", chosen, literals, draw(st.sampled_from(sorted(OPERATORS))), right)
