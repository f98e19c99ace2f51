"""Queries of ``find`` as data, and what they mean, in plain Python over the facts of a position.

A query is a list of literals, each a tuple: ``("fact", name, terms)``, ``("lacking", name, terms)``,
``("compare", left, operator, right)``, ``("without", literals)`` and ``("count", names, literals, operator, right)``.
A term is a number, a constant, ``("v", Name)``, ``("_",)`` or ``("f", name, terms)``; an expression a term or
``("sum", sign, left, right)``.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, TypeAlias

import clingo

from kaiser_logic.game import Game
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


# -- worlds: positions with all that a query can ask of them -----------------------------------------------------

_ASKED = """
moment(asked).
h(F,asked) :- h(F,0).
m_submitted(R,A,asked) :- role(R), action_of(_,A).
"""


class Worlds:
    """All valid positions of a game, with what is legal there, what breaks which rule, and what the rulebook exports."""

    def __init__(self, game: Game, most: int) -> None:
        """``most``: up to where numbers without a limit run."""
        self.game = game
        exports = [tuple(e.split("/")) for e in game.book.manifest.get("exports", ())]
        more = _ASKED + " ".join(f"role({r})." for r in game.roles)
        more += " #show m_legal/3. #show m_violates/4. "
        more += " ".join(f"#show m_{n}/{int(k) + 1}." for n, k in exports)
        self.plain = Plain(game, most, more=more)
        self._kept = {f"m_{n}": (n, int(k)) for n, k in exports if n in self.plain.dynamic}

    @cached_property
    def all(self) -> dict[frozenset[clingo.Symbol], Atoms]:
        """Each position with its atoms."""
        found = {}
        for model in self.plain.models(False):
            facts = facts_at(model, 0)
            if not any(f.name == "next" for f in facts):
                found[facts] = self._atoms(facts, model)
        return found

    def one(self, facts: frozenset[clingo.Symbol]) -> Atoms | None:
        """The atoms of one position; None where it is not valid."""
        return self.all.get(facts)

    def _atoms(self, facts: frozenset[clingo.Symbol], model: list[clingo.Symbol]) -> Atoms:
        atoms: dict[tuple[str, int], list[tuple[Value, ...]]] = {}
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


class RuleId(str):
    """The id of a rule: no constant, though it may look like one."""


def value(symbol: clingo.Symbol) -> Value:
    """A symbol as a number, a word or a tuple."""
    if symbol.type is clingo.SymbolType.Number:
        return symbol.number
    if symbol.type is clingo.SymbolType.String:
        return RuleId(symbol.string)
    return (symbol.name, *map(value, symbol.arguments)) if symbol.arguments else symbol.name


# -- what a query means ------------------------------------------------------------------------------------------


def holds(query: Sequence[Literal], atoms: Atoms) -> bool:
    """Whether a query holds of such atoms."""
    return any(True for _ in _solutions(query, atoms, {}))


def _solutions(
    literals: Sequence[Literal], atoms: Atoms, known: dict[str, Value]
) -> Iterator[dict[str, Value]]:
    """The values of the variables with which all literals hold."""
    ways = [known]
    for kind, *rest in literals:
        if kind == "fact":
            name, terms = rest
            facts = atoms.get((name, len(terms)), ())
            ways = [new for way in ways for args in facts if (new := _match(terms, args, way)) is not None]
    for way in ways:
        if all(_test(literal, atoms, way) for literal in literals if literal[0] != "fact"):
            yield way


def _match(terms: Sequence[Any], args: Sequence[Value], known: dict[str, Value]) -> dict[str, Value] | None:
    """The values of the variables with which the terms are these."""
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
    different = {tuple(way[n] for n in names) for way in _solutions(literals, atoms, known)}
    return bool(OPERATORS[sign](len(different), _expression(right, known)))


def _expression(expression: Any, known: dict[str, Value]) -> Value:
    if isinstance(expression, tuple):
        if expression[0] == "v":
            return known[expression[1]]
        _, sign, left, right = expression
        return _SIGNS[sign](_expression(left, known), _expression(right, known))
    return expression


def mattering(query: Sequence[Literal], atoms: Atoms) -> frozenset[tuple[Any, ...]]:
    """The facts of a position that the query speaks of: those that its facts are about, whatever its variables."""
    return frozenset(
        (name, *args)
        for kind, name, *rest in query
        if kind == "fact" and name not in ("legal", "violates")
        for args in atoms.get((name, len(rest[0])), ())
        if _match([_blank(t) for t in rest[0]], args, {}) is not None
    )


def _blank(term: Any) -> Any:
    if isinstance(term, tuple):
        return ("f", term[1], [_blank(t) for t in term[2]]) if term[0] == "f" else ("_",)
    return term


# -- as text -----------------------------------------------------------------------------------------------------


def text(query: Sequence[Literal]) -> str:
    """The query as people write it."""
    return ", ".join(map(_literal, query))


def _literal(literal: Literal) -> str:
    kind, *rest = literal
    if kind in ("fact", "lacking"):
        name, terms = rest
        return f"{'not ' if kind == 'lacking' else ''}{_call(name, terms)}"
    if kind == "compare":
        left, sign, right = rest
        return f"{_term(left)} {sign} {_term(right)}"
    if kind == "without":
        return f"not ({text(rest[0])})"
    names, literals, sign, right = rest
    return f"count{{{', '.join(names)} : {text(literals)}}} {sign} {_term(right)}"


def _call(name: str, terms: Sequence[Any]) -> str:
    return f"{name}({','.join(map(_term, terms))})" if terms else name


def _term(term: Any) -> str:
    if isinstance(term, tuple):
        if term[0] == "sum":
            return f"{_term(term[2])}{term[1]}{_term(term[3])}"
        return {"_": lambda: "_", "v": lambda: term[1], "f": lambda: _call(term[1], term[2])}[term[0]]()
    return str(term)
