"""Builds a query from lark's tree; unknown names are reported with their place and the nearest known name."""

from __future__ import annotations

from dataclasses import replace
from difflib import get_close_matches
from itertools import count
from typing import Any, Final, NoReturn

from ..errors import WrongUsage
from ..lang.terms import ANY, Fun, Int, Name, Signature, Term, Text, Var
from ..lang.unification import label
from ..rules.names import meant
from ..rules.places import nearest
from ..rules.predicates import CANDIDATE, DUE, FLUENT, GOAL, LEGAL, OUTPUTS, TERMINAL, VIOLATES, WINNER
from ..rules.rule import Atom
from ..rules.rulebook import Rulebook
from .formula import (
    AFTER,
    Aggregate,
    Calculated,
    Compared,
    Either,
    Expression,
    Fact,
    Formula,
    Node,
    Span,
    Together,
    Value,
    Without,
    children,
)
from .vocabulary import askable, line

_USUAL: Final = 1_000
"""So large are the numbers of a game at most, but for those without a limit: these are calculated with by nobody."""
_MANY: Final = 1_000
"""So many things a sum is made of at most."""
_LARGE: Final = 400_000_000
"""All numbers that a query names may add up to this."""
_LARGEST: Final = 2_000_000_000
"""The solver's numbers end soon beyond this."""
_INNER: Final = {
    name for name, _ in {*OUTPUTS, CANDIDATE, FLUENT, ("action", 2), DUE} - {GOAL, TERMINAL, WINNER}
}
"""What the rules say to the engine: nothing to be asked for."""


def _size(node: Node) -> int:
    """The largest number that a calculation in the query can come to, by a generous guess of what variables are."""
    inside = [_size(child) for child in children(node)]
    match node:
        case Value(pattern):
            if isinstance(pattern, Int):
                return abs(pattern.value)
            return _USUAL if isinstance(pattern, Var) else 0
        case Calculated(_, "*", _):
            return inside[0] * inside[1]
        case Calculated():
            return sum(inside)
        case Aggregate("sum", _, _):
            return max(inside) * _MANY
    return max(inside, default=0)


class Builder:
    """Rebuilds a parsed query."""

    def __init__(self, book: Rulebook, source: str) -> None:
        """A builder for this text, about this game."""
        self._book = book
        self._source = source
        self._known = askable(book)
        self._numbers = count()
        self._naming = False

    def formula(self, tree: Any) -> Formula:
        """The query as data.

        Raises:
            WrongUsage: It asks for what the game does not know, or calculates with numbers that are too large.
        """
        numbers = sum(abs(int(n)) for n in tree.scan_values(lambda t: getattr(t, "type", "") == "NUMBER"))
        found = self._formula(tree.children[0])
        if numbers > _LARGE or _size(found) > _LARGEST:
            raise WrongUsage("the numbers in the query are too large to be calculated with")
        return found

    def _formula(self, tree: Any) -> Formula:
        children = tree.children
        match tree.data:
            case "either" | "together":
                parts = tuple(map(self._formula, children))
                if len(parts) == 1:
                    return parts[0]
                return Either(parts) if tree.data == "either" else Together(parts)
            case "group":
                return self._formula(children[0])
            case "fact":
                return Fact(self._atom(children[0]), _span(tree))
            case "lacking" | "without":
                return Without(self._unnamed(children[0]), _span(tree))
            case "comparison":
                left, sign, right = children
                found = Compared(self._expression(left), str(sign), self._expression(right), _span(tree))
                return self._compared(found)
        raise TypeError(f"no formula: {tree.data}")

    def _unnamed(self, tree: Any) -> Formula:
        """A negated formula: ``_`` in it is anything, also in a sum."""
        naming, self._naming = self._naming, False
        found = Fact(self._atom(tree), _span(tree)) if tree.data == "atom" else self._formula(tree)
        self._naming = naming
        return found

    @staticmethod
    def _compared(found: Compared) -> Formula:
        """A comparison; ``A != buy(_,_)`` says that it is no such term."""
        sides = (found.left, found.right)
        plain = [x.pattern for x in sides if isinstance(x, Value)]
        if found.sign == "!=" and len(plain) == len(sides) and any(map(_open, plain)):
            return Without(replace(found, sign="="), found.span)
        return found

    # -- expressions -----------------------------------------------------------------------------------------------------

    def _expression(self, tree: Any) -> Expression:
        if tree.data == "arithmetic":
            left, sign, right = tree.children
            return Calculated(self._expression(left), str(sign), self._expression(right))
        if tree.data == "aggregate":
            function, *terms, formula = tree.children
            values = tuple(map(self._expression, terms))
            naming, self._naming = self._naming, function == "sum" and len(values) == 1
            inside = self._formula(formula)
            self._naming = naming
            text = self._source[tree.meta.start_pos : tree.meta.end_pos]
            return Aggregate(str(function), values, inside, text, _span(tree))
        return Value(self._term(tree), _span(tree))

    # -- atoms and terms -------------------------------------------------------------------------------------------------

    def _atom(self, tree: Any) -> Atom:
        name, *args = [c for c in tree.children if c is not None]
        patterns = tuple(self._named(self._term(a)) for a in args)
        signature = (str(name), len(patterns))
        if signature not in self._known:
            self._refuse(name, len(patterns), self._known)
        if signature == VIOLATES and isinstance(patterns[2], (Int, Name)):
            patterns = (*patterns[:2], Text(label(patterns[2])))  # a rule's id without a dot
        if signature == AFTER:
            self._look_at(name, patterns[2])
        return Atom(str(name), patterns)

    def _named(self, pattern: Term) -> Term:
        """The pattern with a name for each ``_`` where each way to meet a sum's condition counts."""
        if not self._naming:
            return pattern
        if pattern == ANY:
            return Var(f"_S{next(self._numbers)}")
        return (
            Fun(pattern.name, tuple(map(self._named, pattern.args))) if isinstance(pattern, Fun) else pattern
        )

    def _look_at(self, name: Any, fact: Term) -> None:
        """Refuses what cannot be asked of the position after a move."""
        if isinstance(fact, Var):
            raise WrongUsage(f"{self._place(name)}after(R,A,FACT) wants a fact such as {self._example()}")
        signature = label(fact), len(fact.args) if isinstance(fact, Fun) else 0
        known = self._known - {AFTER, LEGAL, VIOLATES}
        if signature not in known:
            self._refuse(name, signature[1], known, signature[0])

    def _example(self) -> str:
        return "decision(R,D)" if ("decision", 2) in self._known else "phase(P)"

    def _refuse(self, token: Any, arity: int, known: set[Signature], name: str | None = None) -> NoReturn:
        """Says what is not known, and what is."""
        name, game = name or str(token), self._book.id
        same = sorted(k for n, k in known if n == name)
        if same:
            arities = " or ".join(map(str, same))
            plural = "" if arities == "1" else "s"
            lines = " or ".join(line(self._book, (name, k)) for k in same)
            has = f"{name} has {arities} argument{plural} in {game}, not {arity}"
            raise WrongUsage(f"{self._place(token)}{has}: write {lines}")
        if (
            any(h.signature == (name, arity) for r in self._book.rules for h in r.heads)
            and name not in _INNER
        ):
            raise WrongUsage(
                f"{self._place(token)}{name}/{arity} is no fact that {game} shows: "
                f"its manifest's exports lists what else can be asked for"
            )
        names = sorted({n for n, _ in known})
        near = nearest(name, names) or nearest(name.lower(), names) or self._translated(name, names)
        others = [n for n in get_close_matches(name.lower(), names, 4, 0.5) if f"'{n}'" not in near]
        also = f" Near it are {'also ' if near else ''}{', '.join(others)}." if others else ""
        raise WrongUsage(
            f"{self._place(token)}{game} knows no {name}{near or '.'}{also} "
            f"'kaiser-logic rules {game} --names' lists what a query can ask for"
        )

    def _translated(self, name: str, names: list[str]) -> str:
        """The hint that a name in another language is meant."""
        found = meant(self._book.folder, name, names)
        return f"; did you mean '{found}'?" if found else ""

    @staticmethod
    def _place(token: Any) -> str:
        line = f"line {token.line}, " if token.line > 1 else ""
        return f"{line}column {token.column}: "

    def _term(self, tree: Any) -> Term:
        if tree.data == "number":
            return Int(int(tree.children[0]))
        if tree.data == "variable":
            return Var(str(tree.children[0]))
        if tree.data == "anything":
            return ANY
        if tree.data == "rule":
            return Text(str(tree.children[0]))
        name, *args = [c for c in tree.children if c is not None]
        return Fun(str(name), tuple(self._term(a) for a in args)) if args else Name(str(name))


def _span(tree: Any) -> Span:
    """The place of a part of the query in its text."""
    return tree.meta.start_pos, tree.meta.end_pos


def _open(pattern: Term) -> bool:
    """Whether ``_`` stands in a term."""
    return pattern == ANY or (isinstance(pattern, Fun) and any(map(_open, pattern.args)))
