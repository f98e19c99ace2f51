"""A compiled program: functions in order of dependency, and the relations that they derive from a position.

Predicates that depend on one another are derived together, until nothing new follows: in each round only from what the
last one has added (semi-naive evaluation). Negation and aggregates among them, which the contract of rulebooks forbids, are
left to clingo.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, TypeAlias

from ... import clingo
from ...errors import NotDecided
from ...lang.algebra import Fresh, is_fixed, rename_apart, variables
from ...lang.printed import Printed
from ...lang.terms import Atom, Chain, Compare, Fun, Literal, Signature
from ...lang.terms import Rule as Value
from ...rules.places import called
from ...rules.predicates import is_enumeration
from ...rules.rule import Rule
from ..grounding import Grounding, Program
from .relations import (
    EMPTY,
    Database,
    Facts,
    Relation,
    added,
    extend,
    given,
    known,
    number,
    row_of,
    signature_of,
)
from .rules import Code, code_of
from .values import Large, Row, Unsupported, fact, symbol


class Compiled:
    """A compiled program."""

    def __init__(self, program: Program) -> None:
        """Compiles a program that clingo could ground as well.

        Raises:
            Unsupported: It has what is not compiled.
        """
        stated: dict[int, set[Row]] = {}
        for known_fact in program.static:
            n, row = row_of(known_fact)
            stated.setdefault(n, set()).add(row)
        self._static = {n: Relation(rows) for n, rows in stated.items()}
        entry = program.entry
        found = entry.programs.get(("layers", entry.key)) if entry else None
        if found is not None:
            order, joined, rounds = _kept(*found)
        else:
            from .code_cache import check

            for rule in program.rules:
                check(rule.printed)
            order, joined = ordered(program.rules), _in_place(program, stated)
            rounds = _rounds(program.rules, order, joined)
            if entry:
                entry.programs.put(("layers", entry.key), _plain(order, joined, rounds))
        left_out = {place for _, _, places in joined.values() for place in places}
        codes = entry.codes if entry else None
        self._joined = frozenset(number(program.rules[k].heads[0].signature) for k in left_out)
        self._inputs = frozenset(map(number, program.inputs))
        heads = {h.signature for rule in program.rules for h in rule.heads}
        self._grows = self._inputs.intersection(map(number, heads))
        self._shared = [n for n in map(number, heads) if n in stated]

        def run(k: int, head: Signature) -> _Run:
            if k not in joined:
                code = code_of(program.rules[k], head, codes)
            else:
                rule, needs, places = joined[k]
                for atom in (a for place in (k, *places) for a in program.rules[place].atoms):
                    # also what a rule that is joined here denies: the database has a place for it
                    number(atom.signature)
                code = Code(rule, tuple(map(number, needs)), head, codes)
            # what is static is never empty: that need not be looked at again and again
            return tuple(n for n in code.needs if n not in stated), number(head), code

        def later(_: int, rule: Printed, needs: tuple[Signature, ...], head: Signature) -> _Run:
            return (
                tuple(map(number, needs)),
                number(head),
                Code(rule, tuple(map(number, needs)), head, codes),
            )

        self._layers = [
            (
                _by_head(
                    run(k, head) for k, head in codes if k not in left_out and k not in {n for n, *_ in its}
                ),
                tuple((number(s), number(added(s))) for s in again),
                tuple(later(*one) for one in its),
            )
            for (codes, again), its in zip(order, rounds, strict=True)
        ]
        self._start: Database = []

    def over(self, facts: Facts, more: Iterable[clingo.Symbol] = ()) -> Derived:
        """Evaluates the program over a position and more facts.

        Raises:
            Large: Numbers are so large that this is left to clingo.
            Unsupported: A rule has what is not compiled.
            NotDecided: Rules that read one another seem to have no end.
        """
        position = given(facts)
        besides: dict[int, list[Row]] = {}
        for one in more:
            n, row = row_of(one)
            besides.setdefault(n, []).append(row)
        if not (self._joined.isdisjoint(position) and self._joined.isdisjoint(besides)):
            raise Unsupported("a predicate that is joined in place is given")
        if len(self._start) < known():
            self._start = [self._static.get(n, EMPTY) for n in range(known())]
        database = self._start.copy()
        for n in self._shared:
            database[n] = Relation(set(database[n].rows))
        inputs, grows = self._inputs, self._grows
        for n in inputs.intersection(position):
            relation = position[n]
            database[n] = Relation(set(relation.rows)) if n in grows else relation
        for n, rows in besides.items():
            if n in inputs:
                database[n] = Relation(database[n].rows.union(rows))
        for runs, again, later in self._layers:
            _once(runs, database)
            if again:
                _again(later, again, database)
        return Derived(database, self._joined)


class Derived:
    """The derived relations, with the same interface as a grounding."""

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

    def sole_arguments(self, name: str, arity: int) -> list[clingo.Symbol]:
        """The argument of each atom of a predicate that has one."""
        return [symbol(argument) for (argument,) in self._rows((name, arity))]

    def _rows(self, signature: Signature) -> Collection[Row]:
        """The rows of a predicate."""
        n = number(signature)
        if n in self._joined:
            raise KeyError(signature)
        return self._database[n].rows if n < len(self._database) else ()


_Run: TypeAlias = tuple[tuple[int, ...], int, Code]
"""A rule: the predicates without which it cannot fire and that may be empty, the one that it derives, and its code."""


_Runs: TypeAlias = tuple[tuple[int, tuple[tuple[tuple[int, ...], Code], ...]], ...]
"""For each predicate in order the rules that derive it, each as in `_Run`."""


def _by_head(runs: Iterable[_Run]) -> _Runs:
    """Rules that follow one another and derive the same predicate, put together."""
    return tuple(
        (head, tuple((needs, code) for needs, _, code in its)) for head, its in groupby(runs, itemgetter(1))
    )


def _once(runs: _Runs, database: Database) -> None:
    """Adds what rules derive, each of which is run once."""
    for derived, its in runs:
        rows: set[Row] = set()
        for needs, code in its:
            for n in needs:
                if not database[n].rows:
                    break
            else:
                code.run(database, rows.add)
        if rows:
            found = database[derived]
            if found is EMPTY:
                database[derived] = Relation(rows)
            else:  # some are static, or given
                found.rows |= rows


ROUNDS: Final = 10_000
"""So often rules that read one another are run: what then still grows may have no end, and clingo would not see one either."""


def _again(runs: Sequence[_Run], derived: Sequence[tuple[int, int]], database: Database) -> None:
    """Derives from what has been derived until nothing new follows.

    Args:
        runs: For each rule, and each atom in it of what is derived, the rule over what has been added of that.
        derived: The predicates that are derived, each with the one that stands for what has been added of it.
        database: All relations.

    Raises:
        NotDecided: Something new followed each time.
    """
    new = {n: database[n].rows for n, _ in derived}
    for _ in range(ROUNDS):
        for n, its in derived:
            database[its] = Relation(new[n]) if new[n] else EMPTY
        found: dict[int, set[Row]] = {n: set() for n, _ in derived}
        for needs, n, code in runs:
            if all([database[need].rows for need in needs]):
                code.run(database, found[n].add)
        new = {n: extend(database, n, rows) for n, rows in found.items()}
        if not any(new.values()):
            for _, its in derived:
                database[its] = EMPTY
            return
    names = sorted(called(signature_of(n)) for n, rows in new.items() if rows)
    message = f"recursive rules were run {ROUNDS:,} times, and still derive more of {', '.join(names)}"
    raise NotDecided(f"{message}: nothing bounds them")


Again: TypeAlias = tuple[int, Printed, tuple[Signature, ...], Signature]
"""A rule that is run again and again: its place, what it says, what it cannot fire without, and what it derives."""
Rounds: TypeAlias = tuple[tuple[Again, ...], ...]


def _plain(order: Order, joined: InPlace, rounds: Rounds) -> tuple[Any, ...]:
    """The part of a program that is stored between processes, as plain data."""
    inside = {k: (rule.text, *rest) for k, (rule, *rest) in joined.items()}
    return order, inside, tuple(tuple((k, rule.text, *rest) for k, rule, *rest in its) for its in rounds)


def _kept(order: Order, joined: Mapping[int, Any], rounds: Any) -> tuple[Order, InPlace, Rounds]:
    """The same once more."""
    inside = {k: (Printed(text), needs, places) for k, (text, needs, places) in joined.items()}
    return order, inside, tuple(tuple((k, Printed(text), *rest) for k, text, *rest in its) for its in rounds)


def _rounds(rules: Sequence[Rule], order: Order, joined: InPlace) -> Rounds:
    """The rules of each layer over what has been added of what it derives, atom by atom."""
    left_out = {place for _, _, places in joined.values() for place in places}
    return tuple(
        tuple(
            (k, *one)
            for k, head in codes
            if again and k not in left_out
            for one in _over_added(
                (joined[k][0] if k in joined else rules[k].printed).value, head, frozenset(again)
            )
        )
        for codes, again in order
    )


def _over_added(
    rule: Value, head: Signature, derived: Collection[Signature]
) -> Iterator[tuple[Printed, tuple[Signature, ...], Signature]]:
    """A rule over what has been added, for each atom of what is derived.

    Of what is read of it besides there may be much: that a function term is asked for does not make it few.
    """
    fresh = Fresh(rule)
    body: list[list[Literal]] = []
    for literal in rule.body:
        its: list[Literal] = [literal]
        if _reads(literal, derived):
            assert isinstance(literal, Atom)
            terms = [fresh.take() if isinstance(term, Fun) else term for term in literal.args]
            both = zip(terms, literal.args, strict=True)
            its = [
                Atom(literal.name, tuple(terms)),
                *(Compare(a, "=", b) for a, b in both if a != b),
            ]
        body.append(its)
    for k, literal in enumerate(rule.body):
        if _reads(literal, derived):
            assert isinstance(literal, Atom)
            new = Atom(added(literal.signature)[0], literal.args)
            whole = tuple(x for n, its in enumerate(body) for x in ([new] if n == k else its))
            needs = dict.fromkeys(x.signature for x in whole if isinstance(x, Atom) and not x.sign)
            yield Printed.of(Value(rule.head, whole)), tuple(needs), head


def _reads(literal: Literal, derived: Collection[Signature]) -> bool:
    """Whether a literal is an atom of one of some predicates."""
    return isinstance(literal, Atom) and not literal.sign and literal.signature in derived


def _in_place(program: Program, static: Collection[int]) -> InPlace:
    """The rules that are joined where they are read, as far as it is known what the program is asked for.

    ``static``: the numbers of the predicates of which facts are given with the program.
    """
    if program.outputs is None:
        return {}
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
"""The derived atoms of a position, whichever engine derived them."""


def compiled(program: Program) -> Compiled | None:
    """The compiled program, made at its first use; None if that cannot be."""
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
    """Evaluates a program over a position and more facts.

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


# -- inplace -------------------------------------------------------------------------------------------------
#
# Inlining: a predicate that one rule reads is joined there for the arguments in question, not derived for all.
#
# >>> from kaiser_logic.rules.loader import parse_rules
# >>> rules = parse_rules("item(fare(N,K),A+B) :- seat(K,A), way(N,B). breaks(P) :- asked(V), item(V,N), pays(P,N).")
# >>> for rule, _, left_out in in_place(rules, frozenset({("breaks", 1)})).values():
# ...     print(rule.text, left_out)
# breaks(P) :- asked(V); V = fare(N1,K); N = (A+B); seat(K,A); way(N1,B); pays(P,N). (0,)
#
# That is done where it cannot cost much: all variables of the one rule that derives the predicate stand in its head, so that
# each row comes of one way to meet the body, and nothing of it is looked for that has not the arguments asked for.


InPlace: TypeAlias = Mapping[int, tuple[Printed, tuple[Signature, ...], tuple[int, ...]]]
"""For the place of a rule: what it says then, what it cannot fire without, and the places of the rules that are joined there."""


def in_place(rules: Sequence[Rule], besides: Collection[Signature]) -> InPlace:
    """The rules in which the one rule for a predicate is joined.

    Args:
        rules: Those of a program.
        besides: The predicates that are asked for, and those that are given.

    Returns:
        Those rules; what is joined in them is needed nowhere else.
    """
    deriving: dict[Signature, list[int]] = defaultdict(list)
    reading: dict[Signature, list[int]] = defaultdict(list)
    for k, rule in enumerate(rules):
        for head in rule.heads:
            deriving[head.signature].append(k)
        for group in (rule.positive, rule.negative, rule.inner):
            for atom in group:
                reading[atom.signature].append(k)
    joined: dict[int, dict[Signature, int]] = defaultdict(dict)
    left_out: set[int] = set()
    for signature, its in deriving.items():
        if len(its) != 1 or len(reading[signature]) != 1 or signature in besides:
            continue
        (one,), (other,) = its, reading[signature]
        if one == other or one in joined or other in left_out:
            continue
        if any(a.signature == signature for a in rules[other].positive) and _joins(
            rules[one], rules[other], signature
        ):
            joined[other][signature] = one
            left_out.add(one)
    return {k: (*_whole(rules, k, parts), tuple(parts.values())) for k, parts in joined.items()}


def _joins(one: Rule, other: Rule, signature: Signature) -> bool:
    """Whether a rule can be joined where another one reads what it derives, and nothing is gone through without need."""
    if len(one.heads) != 1 or len(other.heads) != 1 or not one.positive or is_enumeration(one):
        return False
    deriving, reading = one.value, other.value
    if not (deriving.head and is_fixed(deriving.head) and all(map(_is_single, deriving.body))):
        return False
    atoms = [literal for literal in reading.body if _has(literal, signature)]
    besides = variables(*(literal for literal in reading.body if literal not in atoms))
    if not atoms or set(variables(*atoms)).isdisjoint(besides):
        return False
    return set(variables(deriving.body)) <= set(variables(deriving.head))


def _is_single(literal: Literal) -> bool:
    """Whether a literal holds in one way at most once its variables are bound."""
    if isinstance(literal, Atom):
        return literal.sign < 2 and is_fixed(literal)
    return isinstance(literal, (Compare, Chain)) and literal.sign < 2 and is_fixed(literal)


def _has(literal: Literal, signature: Signature) -> bool:
    return isinstance(literal, Atom) and not literal.sign and literal.signature == signature


def _whole(
    rules: Sequence[Rule], k: int, parts: Mapping[Signature, int]
) -> tuple[Printed, tuple[Signature, ...]]:
    """A rule with others joined in the place of what they derive, and what it cannot fire without."""
    rule = rules[k].value
    body: list[Literal] = []
    for literal in rule.body:
        one = next((one for signature, one in parts.items() if _has(literal, signature)), None)
        if one is None:
            body.append(literal)
            continue
        apart = rename_apart(rules[one].value, rule, *body)
        assert isinstance(literal, Atom)
        for asked, value in zip(literal.args, apart.heads[0].args, strict=True):
            body.append(Compare(asked, "=", value))
        body += apart.body
    needs = (a.signature for its in (k, *parts.values()) for a in rules[its].positive)
    return Printed.of(Value(rule.head, tuple(body))), tuple(n for n in dict.fromkeys(needs) if n not in parts)
