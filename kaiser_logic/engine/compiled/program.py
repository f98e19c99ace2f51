"""A program as functions in order, and what follows from a position.

Predicates that depend on one another are derived together, until nothing new follows. Negation and aggregates among
them, which the contract of rulebooks forbids, are left to clingo.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from ... import clingo
from ...errors import NotDecided
from ...rules.pattern import Signature
from ...rules.places import called
from ...rules.rule import Rule
from ..grounding import Grounding, Program
from .given import Facts, given, row_of
from .relations import EMPTY, Database, Relation, known, number, put, signature_of
from .rules import Code, code_of
from .values import Large, Row, Unsupported, fact, symbol

if TYPE_CHECKING:
    from .inplace import InPlace


class Compiled:
    """A compiled program."""

    def __init__(self, program: Program) -> None:
        """Of a program that clingo could ground as well.

        Raises:
            Unsupported: It has what is not compiled.
        """
        stated: dict[int, set[Row]] = {}
        for known_fact in program.static:
            n, row = row_of(known_fact)
            stated.setdefault(n, set()).add(row)
        self._static = {n: Relation(rows) for n, rows in stated.items()}
        kept = program.kept
        found = kept.programs.get(("layers", kept.key)) if kept else None
        if found is None:
            from .shapes import check

            for rule in program.rules:
                check(rule.text)
            found = ordered(program.rules), _in_place(program, stated)
            if kept:
                kept.programs.put(("layers", kept.key), found)
        order, joined = found
        left_out = {place for _, _, places in joined.values() for place in places}
        codes_kept = kept.codes if kept else None
        self._joined = frozenset(number(program.rules[k].heads[0].signature) for k in left_out)
        self._inputs = frozenset(map(number, program.inputs))
        heads = {h.signature for rule in program.rules for h in rule.heads}
        self._grows = self._inputs.intersection(map(number, heads))

        def run(k: int, head: Signature) -> _Run:
            if k not in joined:
                code = code_of(program.rules[k], head, codes_kept)
            else:
                text, needs, places = joined[k]
                for atom in (a for place in (k, *places) for a in program.rules[place].atoms):
                    # also what a rule that is joined here denies: the database has a place for it
                    number(atom.signature)
                code = Code(text, tuple(map(number, needs)), head, codes_kept)
            # what is static is never empty: that need not be looked at again and again
            return tuple(n for n in code.needs if n not in stated), number(head), code

        self._layers = [
            (tuple(run(k, head) for k, head in codes if k not in left_out), tuple(map(number, again)))
            for codes, again in order
        ]
        self._start: Database = []

    def over(self, facts: Facts, more: Iterable[clingo.Symbol] = ()) -> Derived:
        """What follows from a position, and from more facts.

        Raises:
            Large: Numbers are so large that this is left to clingo.
            Unsupported: A rule has what is not compiled.
            NotDecided: Rules that read one another seem to have no end.
        """
        position = given(facts)
        besides: dict[int, list[Row]] = {}
        for added in more:
            n, row = row_of(added)
            besides.setdefault(n, []).append(row)
        if not (self._joined.isdisjoint(position) and self._joined.isdisjoint(besides)):
            raise Unsupported("a predicate that is joined in place is given")
        if len(self._start) < known():
            self._start = [self._static.get(n, EMPTY) for n in range(known())]
        database = self._start.copy()
        inputs, grows = self._inputs, self._grows
        for n, relation in position.items():
            if n in inputs:
                database[n] = Relation(set(relation.rows)) if n in grows else relation
        for n, rows in besides.items():
            if n in inputs:
                database[n] = Relation(database[n].rows.union(rows))
        for runs, again in self._layers:
            if again:
                _again(runs, again, database)
            else:
                _once(runs, database)
        return Derived(database, self._joined)


class Derived:
    """What follows from a position: read like what clingo grounded."""

    def __init__(self, database: Database, joined: frozenset[int] = frozenset()) -> None:
        """``database``: the relations of all predicates, but for those ``joined`` in place: nobody asks for them."""
        self._database = database
        self._joined = joined

    def get(self, name: str, arity: int) -> list[clingo.Symbol]:
        """The atoms of a predicate."""
        return [fact(name, row) for row in self._rows((name, arity))]

    def arguments(self, name: str, arity: int) -> list[tuple[clingo.Symbol, ...]]:
        """The arguments of each atom of a predicate."""
        return [tuple(map(symbol, row)) for row in self._rows((name, arity))]

    def _rows(self, signature: Signature) -> Collection[Row]:
        """The rows of a predicate."""
        n = number(signature)
        if n in self._joined:
            raise KeyError(signature)
        return self._database[n].rows if n < len(self._database) else ()


_Run: TypeAlias = tuple[tuple[int, ...], int, Code]
"""A rule: the predicates without which it cannot fire and that may be empty, the one that it derives, and its code."""


def _once(runs: Iterable[_Run], database: Database) -> None:
    """Adds what rules derive, each of which is run once."""
    for needs, derived, code in runs:
        for n in needs:
            if not database[n].rows:
                break
        else:
            rows: set[Row] = set()
            code.run(database, rows.add)
            if rows:
                put(database, derived, rows)


ROUNDS: Final = 10_000
"""So often rules that read one another are run: what then still grows may have no end, and clingo would not see one either."""


def _again(runs: Sequence[_Run], derived: Sequence[int], database: Database) -> None:
    """Runs rules until nothing new follows; ``derived``: the predicates that they derive.

    Raises:
        NotDecided: Something new followed each time.
    """
    for _ in range(ROUNDS):
        before = [len(database[n].rows) for n in derived]
        _once(runs, database)
        for n in derived:
            database[n].indexes.clear()
        after = [len(database[n].rows) for n in derived]
        if after == before:
            return
    names = sorted(
        called(signature_of(n)) for n, now, was in zip(derived, after, before, strict=True) if now > was
    )
    message = f"rules that read one another have been run {ROUNDS:,} times, and there is always more of {', '.join(names)}"
    raise NotDecided(f"{message}: nothing bounds what they make")


def _in_place(program: Program, static: Collection[int]) -> InPlace:
    """The rules that are joined where they are read, as far as it is known what the program is asked for.

    ``static``: the numbers of the predicates of which facts are given with the program.
    """
    if program.outputs is None:
        return {}
    from .inplace import in_place

    heads = {h.signature for rule in program.rules for h in rule.heads}
    return in_place(program.rules, program.outputs.union(s for s in heads if number(s) in static))


Order: TypeAlias = tuple[tuple[tuple[tuple[int, Signature], ...], tuple[Signature, ...]], ...]
"""For each layer the places of its rules with the predicates that they derive, and the predicates that are derived again."""


def ordered(rules: Sequence[Rule]) -> Order:
    """The rules in an order in which all that one reads is derived before it."""
    from ...lang.graph import components

    deriving: dict[Signature, list[int]] = {}
    for k, rule in enumerate(rules):
        for head in dict.fromkeys(h.signature for h in rule.heads):
            deriving.setdefault(head, []).append(k)
    reads = {head: {u for k in its for u in rules[k].uses if u in deriving} for head, its in deriving.items()}
    found: list[tuple[tuple[tuple[int, Signature], ...], tuple[Signature, ...]]] = []
    for component in components(reads, lambda head: sorted(reads[head])):
        together = set(component)
        codes = tuple((k, head) for head in component for k in deriving[head])
        again = any(reads[head] & together for head in together)
        for k, _ in codes:
            if any(a.signature in together for a in (*rules[k].negative, *rules[k].inner)):
                raise Unsupported(f"not stratified: {rules[k].text}")
        if not again and found and not found[-1][1]:
            codes = found.pop()[0] + codes
        found.append((codes, tuple(component) if again else ()))
    return tuple(found)


Derivation: TypeAlias = Derived | Grounding
"""What follows from a position, whoever derived it."""


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
