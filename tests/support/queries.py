"""Queries of ``find`` as data, and their meaning in plain Python over the facts of a position.

A query is a list of literals, each a tuple: ``("fact", name, terms)``, ``("lacking", name, terms)``,
``("compare", left, operator, right)``, ``("bind", name, expression)``, ``("shape", name, operator, term)``,
``("without", literals)``, ``("either", [literals, literals])``, and
``("count", names, literals, operator, right)``, or the same with ``sum``, ``min`` or ``max`` instead of ``count``.
A term is a number, a constant, ``("v", Name)``, ``("_",)`` or ``("f", name, terms)``; an expression is a term or
``("sum", sign, left, right)``.
"""

import operator
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import count
from typing import Any, TypeAlias

import clingo

from kaiser_logic.engine import symbols
from kaiser_logic.game import Game, load
from kaiser_logic.position import Position
from kaiser_logic.query.vocabulary import static_data
from support import TINY
from support.plain import Plain, facts_at

Value: TypeAlias = Any
Atoms: TypeAlias = Mapping[tuple[str, int], Sequence[tuple[Value, ...]]]
Literal: TypeAlias = tuple[Any, ...]

OPERATORS = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "=": operator.eq,
    "!=": operator.ne,
}
_SIGNS = {"+": operator.add, "-": operator.sub, "*": operator.mul}


# -- worlds: positions with all atoms that a query can ask for ---------------------------------------------------

_ASKED = """
moment(asked).
h(F,asked) :- h(F,0).
m_submitted(R,A,asked) :- role(R), action_of(_,A).
"""


class Worlds:
    """All valid positions of a game, with the legal actions, the violations, and the exports of the rulebook."""

    def __init__(self, game: Game, most: int, moves: bool = False) -> None:
        """``most``: the largest value of numbers without a limit; ``moves``: whether to add the effects of legal actions."""
        self.game = game
        self._moves = moves
        exports = [tuple(e.split("/")) for e in game.book.manifest.get("exports", ())]
        more = _ASKED + " ".join(f"role({r})." for r in game.roles)
        more += " #show m_legal/3. #show m_violates/4. "
        more += " ".join(f"#show m_{n}/{int(k) + 1}." for n, k in exports)
        self.plain = Plain(game, most, more=more)
        self._kept = {f"m_{n}": (n, int(k)) for n, k in exports if n in self.plain.dynamic}

    @cached_property
    def all(self) -> dict[frozenset[clingo.Symbol], Atoms]:
        """Each position with its atoms."""
        found: dict[frozenset[clingo.Symbol], Any] = {}
        for model in self.plain.models(False):
            facts = facts_at(model, 0)
            if not any(f.name == "due" for f in facts):
                found[facts] = self._atoms(facts, model)
        if self._moves:
            for facts, atoms in found.items():
                atoms["after", 3] = self.following(facts)
        return found

    def one(self, facts: frozenset[clingo.Symbol]) -> Atoms | None:
        """The atoms of one position; None if it is not valid."""
        return self.all.get(facts)

    @cached_property
    def static(self) -> dict[tuple[str, int], list[tuple[Value, ...]]]:
        """The static facts that a query can ask for."""
        asked = static_data(self.game.book) - {("seat", 2)}
        facts = {s: self.game.ruleset.facts(*s) for s in sorted(asked)}
        return {s: [tuple(map(value, f.arguments)) for f in found] for s, found in facts.items() if found}

    def following(self, facts: frozenset[clingo.Symbol]) -> list[tuple[Value, ...]]:
        """``after(R,A,F)``: the facts after each legal action, if one role decides."""
        position = Position(self.game.evaluator, facts)
        if len(position.decisions) != 1:
            return []
        found = []
        for role, actions in position.legal().items():
            for action in actions:
                after = position.apply({role: action}).symbols
                found += [(role, value(symbols.read_symbol(action)), value(f)) for f in after]
        return found

    def _atoms(self, facts: frozenset[clingo.Symbol], model: list[clingo.Symbol]) -> Atoms:
        atoms: dict[tuple[str, int], list[tuple[Value, ...]]] = {s: list(f) for s, f in self.static.items()}
        for f in facts:
            atoms.setdefault((f.name, len(f.arguments)), []).append(tuple(map(value, f.arguments)))
        for s in model:
            moment = str(s.arguments[-1]) if s.arguments else ""
            signature = self._kept.get(s.name)
            if s.name == "m_legal" and moment == "listed":
                signature = ("legal", 2)
            elif s.name == "m_violates" and moment == "asked":
                signature = ("violates", 3)
            elif signature is None or moment != "0" or signature[1] != len(s.arguments) - 1:
                continue
            atoms.setdefault(signature, []).append(tuple(map(value, s.arguments[:-1])))
        return atoms


@cache
def tiny(name: str) -> Game:
    return load(TINY / name)


@cache
def worlds(name: str, most: int, moves: bool = False) -> Worlds:
    """The valid positions of a tiny game with at most ``most`` points; with ``moves``, also the effects of actions."""
    return Worlds(tiny(name), most, moves=moves)


def within(facts: frozenset[clingo.Symbol], most: int) -> bool:
    """Whether nobody has more than ``most`` points."""
    return all(f.arguments[-1].number <= most for f in facts if f.name == "points")


class RuleId(str):
    """The id of a rule. It is no constant, though it may look like one."""


def value(symbol: clingo.Symbol) -> Value:
    """A symbol as a number, a word or a tuple."""
    if symbol.type is clingo.SymbolType.Number:
        return symbol.number
    if symbol.type is clingo.SymbolType.String:
        return RuleId(symbol.string)
    return (symbol.name, *map(value, symbol.arguments)) if symbol.arguments else symbol.name


# -- the meaning of a query --------------------------------------------------------------------------------------


def holds(query: Sequence[Literal], atoms: Atoms) -> bool:
    return any(True for _ in _solutions(query, atoms, {}))


def _solutions(literals: Sequence[Literal], atoms: Atoms, known: dict[str, Value]) -> Iterator[dict[str, Value]]:
    """The values of the variables for which all literals hold."""
    for k, (kind, *rest) in enumerate(literals):
        if kind == "either":
            for alternative in rest[0]:
                yield from _solutions([*literals[:k], *alternative, *literals[k + 1 :]], atoms, known)
            return
    ways = [known]
    for kind, *rest in literals:
        if kind == "fact":
            name, terms = rest
            facts = atoms.get((name, len(terms)), ())
            ways = [new for way in ways for args in facts if (new := _match(terms, args, way)) is not None]
    for way in ways:
        bound = _bound(literals, way)
        if bound is not None and all(_test(x, atoms, bound) for x in literals if x[0] not in _BINDING):
            yield bound


_BINDING = ("fact", "bind", "shape")


def _bound(literals: Sequence[Literal], known: dict[str, Value]) -> dict[str, Value] | None:
    """The values, extended by those that equations give; None if an equation does not hold."""
    found: dict[str, Value] | None = known
    pending = [x for x in literals if x[0] in ("bind", "shape")]
    while pending and found is not None:
        literal = next(x for x in pending if x[0] == "bind" or x[1] in found)
        pending.remove(literal)
        if literal[0] == "bind":
            found = _match([("v", literal[1])], [_expression(literal[2], found)], found)
        elif literal[2] == "=":
            found = _matched(literal[3], found[literal[1]], found)
        elif _matched(literal[3], found[literal[1]], found) is not None:
            found = None
    return found


def _match(terms: Sequence[Any], args: Sequence[Value], known: dict[str, Value]) -> dict[str, Value] | None:
    for term, arg in zip(terms, args, strict=True):
        found = _matched(term, arg, known)
        if found is None:
            return None
        known = found
    return known


def _matched(term: Any, arg: Value, known: dict[str, Value]) -> dict[str, Value] | None:
    if isinstance(term, tuple):
        if term[0] == "_":
            return known
        if term[0] == "v":
            if term[1] in known:
                return known if known[term[1]] == arg else None
            return {**known, term[1]: arg}
        if not isinstance(arg, tuple) or arg[0] != term[1] or len(arg) != len(term[2]) + 1:
            return None
        return _match(term[2], arg[1:], known)
    return known if term == arg else None


def _test(literal: Literal, atoms: Atoms, known: dict[str, Value]) -> bool:
    kind, *rest = literal
    if kind == "lacking":
        name, terms = rest
        return not any(_match(terms, args, known) is not None for args in atoms.get((name, len(terms)), ()))
    if kind == "compare":
        left, sign, right = rest
        return bool(OPERATORS[sign](_expression(left, known), _expression(right, known)))
    if kind == "without":
        return not any(True for _ in _solutions(rest[0], atoms, known))
    names, literals, sign, right = rest
    there = _expression(right, known)
    if kind == "count":
        different = {tuple(way[n] for n in names) for way in _solutions(literals, atoms, known)}
        return bool(OPERATORS[sign](len(different), there))
    if kind == "sum":
        every = _solutions(_all_named(literals) if len(names) == 1 else literals, atoms, known)
        tuples = {(*(way[n] for n in names), *(sorted(way.items()) if len(names) == 1 else ())) for way in every}
        return bool(OPERATORS[sign](sum(t[0] for t in tuples), there))
    values = [way[names[0]] for way in _solutions(literals, atoms, known)]
    if not values:  # the maximum of no values is below everything, the minimum above
        return sign in (("<", "<=", "!=") if kind == "max" else (">", ">=", "!="))
    return bool(OPERATORS[sign](max(values) if kind == "max" else min(values), there))


def _all_named(literals: Sequence[Literal]) -> list[Literal]:
    """The literals with a name for each ``_`` of a fact, so that each solution counts."""
    numbers = count()

    def named(term: Any) -> Any:
        if isinstance(term, tuple) and term[0] == "_":
            return ("v", f"Any{next(numbers)}")
        if isinstance(term, tuple) and term[0] == "f":
            return ("f", term[1], [named(t) for t in term[2]])
        return term

    def visit(literal: Literal) -> Literal:
        if literal[0] == "fact":
            return ("fact", literal[1], [named(t) for t in literal[2]])
        if literal[0] == "either":
            return ("either", [list(map(visit, alternative)) for alternative in literal[1]])
        return literal

    return list(map(visit, literals))


def _expression(expression: Any, known: dict[str, Value]) -> Value:
    if isinstance(expression, tuple):
        if expression[0] == "v":
            return known[expression[1]]
        _, sign, left, right = expression
        return _SIGNS[sign](_expression(left, known), _expression(right, known))
    return expression


# -- how answers differ --------------------------------------------------------------------------------------------

_ACTING = ("legal", "violates", "after")


def stated(query: Sequence[Literal]) -> list[tuple[str, Sequence[Any]]]:
    found = []
    for kind, *rest in query:
        if kind == "fact":
            found.append((rest[0], rest[1]))
        elif kind == "either":
            found += [fact for alternative in rest[0] for fact in stated(alternative)]
    return found


def predicates_in(query: Sequence[Literal]) -> set[tuple[str, int]]:
    found = set()
    for kind, *rest in query:
        if kind in ("fact", "lacking"):
            found.add((rest[0], len(rest[1])))
        elif kind == "either":
            found |= {s for alternative in rest[0] for s in predicates_in(alternative)}
        elif kind not in ("compare", "bind", "shape"):
            found |= predicates_in(rest[0] if kind == "without" else rest[1])
    return found


def distinguishing(query: Sequence[Literal], atoms: Atoms, static: Collection[str] = ()) -> frozenset[Any] | None:
    """The atoms by which answers differ: those that match the facts of a query.

    If the facts have no variables: the decisions, and all facts of the predicates in the query; None if there are none.
    """
    facts = [(n, terms) for n, terms in stated(query) if n not in (*_ACTING, *static)]
    if any(_is_open(t) for _, terms in facts for t in terms):
        return frozenset(
            (name, *args)
            for name, terms in facts
            for args in atoms.get((name, len(terms)), ())
            if _match([_blank(t) for t in terms], args, {}) is not None
        )
    about = {s for s in predicates_in(query) if s[0] not in (*_ACTING, *static)}
    if not about:
        return None
    return frozenset((s[0], *args) for s in {*about, ("decision", 2)} for args in atoms.get(s, ()))


def _is_open(term: Any) -> bool:
    if isinstance(term, tuple):
        return term[0] in ("v", "_") or any(map(_is_open, term[2]))
    return False


def _blank(term: Any) -> Any:
    if isinstance(term, tuple):
        return ("f", term[1], [_blank(t) for t in term[2]]) if term[0] == "f" else ("_",)
    return term


# -- as text -----------------------------------------------------------------------------------------------------


def text(query: Sequence[Literal]) -> str:
    return ", ".join(map(_literal, query))


def _literal(literal: Literal) -> str:
    kind, *rest = literal
    if kind in ("fact", "lacking"):
        name, terms = rest
        return f"{'not ' if kind == 'lacking' else ''}{_call(name, terms)}"
    if kind == "compare":
        left, sign, right = rest
        return f"{_term(left)} {sign} {_term(right)}"
    if kind == "bind":
        return f"{rest[0]} = {_term(rest[1])}"
    if kind == "shape":
        return f"{rest[0]} {rest[1]} {_term(rest[2])}"
    if kind == "without":
        return f"not ({text(rest[0])})"
    if kind == "either":
        return f"({' ; '.join(map(text, rest[0]))})"
    names, literals, sign, right = rest
    return f"{kind}{{{', '.join(names)} : {text(literals)}}} {sign} {_term(right)}"


def _call(name: str, terms: Sequence[Any]) -> str:
    return f"{name}({','.join(map(_term, terms))})" if terms else name


def _term(term: Any) -> str:
    if isinstance(term, tuple):
        if term[0] == "sum":
            return f"{_term(term[2])}{term[1]}{_term(term[3])}"
        return {"_": lambda: "_", "v": lambda: term[1], "f": lambda: _call(term[1], term[2])}[term[0]]()
    return str(term)
