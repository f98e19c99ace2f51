"""A program as functions in order, and what follows from a position.

Predicates that depend on one another are derived together, until nothing new follows. Negation and aggregates among
them, which the contract of rulebooks forbids, are left to clingo.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import clingo

from ...rules.pattern import Signature
from ...rules.rule import Rule
from .. import symbols
from ..grounding import Grounding, Program
from .relations import EMPTY, Database, Relation, known, number
from .rules import Code, code_of
from .syntax import Unsupported, parse
from .values import Large, Row, fact, value

Facts: TypeAlias = frozenset[clingo.Symbol]


@dataclass(frozen=True)
class _Layer:
    """Rules that are run one after another; ``again``: until nothing new follows.

    Attributes:
        codes: The rules.
        derived: The numbers of the predicates that they derive, where they are run again.
    """

    codes: tuple[Code, ...]
    derived: tuple[int, ...] = ()


class Compiled:
    """A compiled program."""

    def __init__(self, program: Program) -> None:
        """Of a program that clingo could ground as well.

        Raises:
            Unsupported: It has what is not compiled.
        """
        for rule in program.rules:
            parse(rule.text)
        self._inputs = program.inputs
        self._layers = _layers(program.rules)
        grouped: dict[int, set[Row]] = {}
        for symbol in program.static:
            n, row = _row(symbol)
            grouped.setdefault(n, set()).add(row)
        self._static = {n: Relation(rows) for n, rows in grouped.items()}

    def over(self, facts: Facts, more: Iterable[clingo.Symbol] = ()) -> Derived:
        """What follows from a position, and from more facts.

        Raises:
            Large: Numbers are so large that this is left to clingo.
            Unsupported: A rule has what is not compiled.
        """
        grouped = _grouped(facts)
        added: dict[int, set[Row]] = {}
        for symbol in more:
            n, row = _row(symbol)
            added.setdefault(n, set()).add(row)
        database: Database = [EMPTY] * known()
        for n, relation in self._static.items():
            database[n] = relation
        for signature in self._inputs:
            n = number(signature)
            rows = (*grouped.get(n, ()), *added.get(n, ()))
            if rows:
                database[n] = Relation(rows)
        database += [EMPTY] * (known() - len(database))
        for layer in self._layers:
            _run(layer, database)
        return Derived(database)


class Derived:
    """What follows from a position: read like what clingo grounded."""

    def __init__(self, database: Database) -> None:
        """``database``: the relations of all predicates."""
        self._database = database

    def get(self, name: str, arity: int) -> list[clingo.Symbol]:
        """The atoms of a predicate."""
        n = number((name, arity))
        rows = self._database[n].rows if n < len(self._database) else ()
        return [fact(name, row) for row in rows]


def _run(layer: _Layer, database: Database) -> None:
    """Adds what the rules of a layer derive."""
    while True:
        before = [len(database[n].rows) for n in layer.derived]
        for code in layer.codes:
            if all(database[n].rows for n in code.needs):
                code.run(database)
        for n in layer.derived:
            database[n].indexes.clear()
        if [len(database[n].rows) for n in layer.derived] == before:
            return


def _layers(rules: Sequence[Rule]) -> tuple[_Layer, ...]:
    """The rules in an order in which all that one reads is derived before it."""
    deriving: dict[Signature, list[Rule]] = {}
    for rule in rules:
        for head in dict.fromkeys(h.signature for h in rule.heads):
            deriving.setdefault(head, []).append(rule)
    reads = {head: {u for rule in its for u in rule.uses if u in deriving} for head, its in deriving.items()}
    found: list[_Layer] = []
    for together in components(reads):
        its = [(head, rule) for head in together for rule in deriving[head]]
        again = any(reads[head] & together for head in together)
        for _, rule in its:
            if any(a.signature in together for a in (*rule.negative, *rule.inner)):
                raise Unsupported(f"not stratified: {rule.text}")
        codes = tuple(code_of(rule, head, again) for head, rule in its)
        found.append(_Layer(codes, tuple(map(number, together)) if again else ()))
    return tuple(found)


def components(reads: Mapping[Signature, set[Signature]]) -> list[set[Signature]]:
    """The predicates that depend on one another, each group after those that it reads (Tarjan's algorithm).

    >>> components({("p", 0): {("q", 0)}, ("q", 0): {("r", 0)}, ("r", 0): {("q", 0)}})[1]
    {('p', 0)}
    """
    order: dict[Signature, int] = {}
    lowest: dict[Signature, int] = {}
    open_: list[Signature] = []
    found: list[set[Signature]] = []

    def visit(node: Signature) -> None:
        order[node] = lowest[node] = len(order)
        open_.append(node)
        for other in sorted(reads[node]):
            if other not in order:
                visit(other)
                lowest[node] = min(lowest[node], lowest[other])
            elif other in open_:
                lowest[node] = min(lowest[node], order[other])
        if lowest[node] == order[node]:
            place = open_.index(node)
            found.append(set(open_[place:]))
            del open_[place:]

    for node in reads:
        if node not in order:
            visit(node)
    return found


Derivation: TypeAlias = Derived | Grounding
"""What follows from a position, whoever derived it."""
_rows: dict[clingo.Symbol, tuple[int, Row]] = {}


def _row(symbol: clingo.Symbol) -> tuple[int, Row]:
    """The number of a fact's predicate, and its arguments."""
    found = _rows.get(symbol)
    if found is None:
        if len(_rows) > 500_000:
            _rows.clear()
        found = _rows[symbol] = (number(symbols.signature(symbol)), tuple(map(value, symbol.arguments)))
    return found


@lru_cache(maxsize=64)
def _grouped(facts: Facts) -> dict[int, list[Row]]:
    """A position's facts by predicate."""
    found: dict[int, list[Row]] = {}
    for symbol in facts:
        n, row = _row(symbol)
        found.setdefault(n, []).append(row)
    return found


def compiled(program: Program) -> Compiled | None:
    """The compiled program, made at its first use; None where that cannot be."""
    if "_joins" not in program.__dict__:
        try:
            program.__dict__["_joins"] = Compiled(program)
        except (Unsupported, Large):
            program.__dict__["_joins"] = None
    found: Compiled | None = program.__dict__["_joins"]
    return found


def derived(
    program: Program, facts: Facts, more: Sequence[clingo.Symbol] = (), engine: str = "compiled"
) -> Derivation:
    """What a program derives from a position and more facts.

    Args:
        program: A slice of the rules.
        facts: The position.
        more: What is given besides.
        engine: ``compiled``, which leaves to clingo what it does not know; or ``clingo``.
    """
    joins = compiled(program) if engine == "compiled" else None
    if joins is not None:
        try:
            return joins.over(facts, more)
        except (Large, Unsupported, RecursionError):
            pass
    return Grounding(program, (*facts, *more))
