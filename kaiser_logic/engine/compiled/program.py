"""A compiled program: functions in order of dependency, and the relations that they derive from a position.

Mutually recursive predicates are derived together until a fixpoint is reached. Each round uses only the new rows of the last one
(semi-naive evaluation). The contract of rulebooks forbids recursion through negation and aggregates; clingo evaluates it.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, TypeAlias

from ... import clingo
from ...cache import has_shape
from ...errors import NotDecided
from ...lang.algebra import Fresh, is_fixed, rename_apart, variables
from ...lang.printed import Printed
from ...lang.terms import Atom, Chain, Compare, Fun, Literal, Signature
from ...lang.terms import Rule as Value
from ...lang.unification import solve_equations
from ...rules.places import signature_text
from ...rules.predicates import is_enumeration
from ...rules.rule import PlacedRule
from .. import symbols
from ..grounding import EngineProgram, Facts, Grounding
from .relations import (
    EMPTY,
    Database,
    Given,
    Relation,
    count_known,
    delta_of,
    extend,
    number,
    relations_of,
    row_of,
    signature_of,
)
from .rules import Code, ExactCode, code_of
from .sizes import is_large, may_be_many
from .values import LARGE, NotCompiled, Row, TooLargeToCompile, exact_value, fact, symbol


class Compiled:
    """A compiled program."""

    def __init__(self, program: EngineProgram, exact: bool = False) -> None:
        """Compiles a program; ``exact``: for numbers up to 32 bits, with calculations that are checked.

        Raises:
            Unsupported: The program has a construct that is not compiled.
            Large: A static fact has a number that is too large, unless ``exact``.
        """
        self._exact = exact
        stated: dict[int, set[Row]] = {}
        for known_fact in program.static:
            n, row = self._row(known_fact)
            stated.setdefault(n, set()).add(row)
        self._static = {n: Relation(rows) for n, rows in stated.items()}
        entry = None if exact else program.entry
        size = len(program.rules)
        stored = entry.programs.get(("layers", entry.key), lambda x: _is_plain(x, size)) if entry else None
        if stored is not None:
            order, joined, rounds = _from_plain(*stored)
        else:
            from .code_cache import check

            for rule in program.rules:
                check(rule.printed)
            order, joined = sort_into_layers(program.rules), {} if exact else _in_place(program, stated)
            rounds = _rounds(program.rules, order, joined)
            if entry:
                entry.programs.store(("layers", entry.key), _plain(order, joined, rounds))
        left_out = {place for _, _, places in joined.values() for place in places}
        codes = entry.codes if entry else None
        self._joined = frozenset(number(program.rules[k].heads[0].signature) for k in left_out)
        self._inputs = frozenset(map(number, program.inputs))
        heads = {h.signature for rule in program.rules for h in rule.heads}
        self._grows = self._inputs.intersection(map(number, heads))
        self._shared = [n for n in map(number, heads) if n in stated]

        def code_for(k: int, rule: Printed, needs: tuple[int, ...], head: Signature) -> Code:
            return ExactCode(rule, needs, head, program.rules[k].place) if exact else Code(rule, needs, head, codes)

        def run(k: int, head: Signature) -> _Run:
            if k not in joined:
                code = code_of(program.rules[k], head, codes)
                if exact:
                    code = code_for(k, code.rule, code.needs, head)
            else:
                rule, needs, places = joined[k]
                for atom in (a for place in (k, *places) for a in program.rules[place].atoms):
                    # also the negated predicates of inlined rules: the database needs a relation for them
                    number(atom.signature)
                code = code_for(k, rule, tuple(map(number, needs)), head)
            # static predicates with facts are never empty
            return tuple(n for n in code.needs if n not in stated), number(head), code

        def run_over_new(k: int, rule: Printed, needs: tuple[Signature, ...], head: Signature) -> _Run:
            numbers = tuple(map(number, needs))
            return numbers, number(head), code_for(k, rule, numbers, head)

        derived = set(map(number, heads))

        def inputs_of(codes: Iterable[tuple[int, Signature]], recursive: Sequence[Signature]) -> Collection[int] | None:
            own = set(map(number, recursive))
            read = {number(a.signature) for k, _ in codes for a in program.rules[k].atoms} | own
            return None if read & derived - own else read & self._inputs

        self._layers = [
            (
                _by_head(run(k, head) for k, head in codes if k not in left_out and k not in {n for n, *_ in over_new}),
                _Recursion(
                    [run_over_new(*one) for one in over_new],
                    [(number(s), number(delta_of(s))) for s in recursive],
                    inputs_of(codes, recursive),
                )
                if recursive
                else None,
            )
            for (codes, recursive), over_new in zip(order, rounds, strict=True)
        ]
        self._start: Database = []

    def evaluate(self, facts: Facts, more: Iterable[clingo.Symbol] = ()) -> CompiledDerivation:
        """Evaluates the program over a position and more facts.

        Raises:
            Large: Numbers are too large; clingo must evaluate the program.
            Unsupported: A rule has a construct that is not compiled.
            NotDecided: Recursive rules reached no fixpoint within `ROUNDS` rounds; or, if it is exact, a calculation leaves 32
                bits, or a rule gives too many facts.
        """
        position = self._relations_of(facts)
        more_rows: dict[int, list[Row]] = {}
        for one in more:
            n, row = self._row(one)
            more_rows.setdefault(n, []).append(row)
        if not (self._joined.isdisjoint(position) and self._joined.isdisjoint(more_rows)):
            raise NotCompiled("a predicate that is joined in place is given")
        if len(self._start) < count_known():
            self._start = [self._static.get(n, EMPTY) for n in range(count_known())]
        database = self._start.copy()
        for n in self._shared:
            database[n] = Relation(set(database[n].rows))
        inputs, grows = self._inputs, self._grows
        for n in inputs.intersection(position):
            relation = position[n]
            database[n] = Relation(set(relation.rows)) if n in grows else relation
        for n, rows in more_rows.items():
            if n in inputs:
                database[n] = Relation(database[n].rows.union(rows))
        for runs, recursion in self._layers:
            if recursion is None:
                _run_once(runs, database)
            else:
                recursion.derive(runs, database)
        return CompiledDerivation(database, self._joined)

    def _row(self, symbol: clingo.Symbol) -> tuple[int, Row]:
        if not self._exact:
            return row_of(symbol)
        return number((symbol.name, len(symbol.arguments))), tuple(map(exact_value, symbol.arguments))

    def _relations_of(self, facts: Facts) -> Given:
        if not self._exact:
            return relations_of(facts)
        rows: defaultdict[int, set[Row]] = defaultdict(set)
        for given_fact in facts:
            n, row = self._row(given_fact)
            rows[n].add(row)
        return {n: Relation(members) for n, members in rows.items()}


class CompiledDerivation:
    """The derived relations, with the same interface as a grounding."""

    def __init__(self, database: Database, joined: frozenset[int] = frozenset()) -> None:
        """``database`` has the relations of all predicates, except those of the inlined predicates ``joined``."""
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
"""A rule: the positive predicates to check for emptiness before it runs, the predicate that it derives, and its code."""


_Runs: TypeAlias = tuple[tuple[int, tuple[tuple[tuple[int, ...], Code], ...]], ...]
"""Derived predicates in order, each with its rules as in `_Run`."""


def _by_head(runs: Iterable[_Run]) -> _Runs:
    """Groups consecutive rules that derive the same predicate."""
    return tuple(
        (head, tuple((needs, code) for needs, _, code in group)) for head, group in groupby(runs, itemgetter(1))
    )


def _run_once(runs: _Runs, database: Database) -> None:
    """Runs each rule once, and adds the derived rows to the database."""
    for derived, rules in runs:
        rows: set[Row] = set()
        for needs, code in rules:
            for n in needs:
                if not database[n].rows:
                    break
            else:
                code.run(database, rows.add)
        if rows:
            relation = database[derived]
            if relation is EMPTY:
                database[derived] = Relation(rows)
            else:  # some rows are static or given
                relation.rows |= rows


ROUNDS: Final = 10_000
"""The largest number of rounds for recursive rules. If they still derive new rows, clingo would probably not end either."""


class _Recursion:
    """Mutually recursive predicates, which are derived until nothing new follows."""

    def __init__(self, runs: Sequence[_Run], derived: Sequence[tuple[int, int]], given: Collection[int] | None) -> None:
        """Takes the rules.

        Args:
            runs: The rules that `_rounds` makes: each reads the new rows of one of its recursive atoms.
            derived: The recursive predicates, each with the predicate for its new rows.
            given: The predicates of the position that the rules read; None if they read others that the program derives. While
                the relations of all of these stay the same, what follows from them is kept.
        """
        self._runs, self._derived, self._given = runs, derived, given
        self._known: tuple[list[Relation] | None, list[Relation]] = None, []

    def derive(self, runs: _Runs, database: Database) -> None:
        """Adds the derived relations to the database; ``runs``: the rules that are run once, before the others.

        Raises:
            NotDecided: Each of `ROUNDS` rounds derived something new.
        """
        given = [database[n] for n in self._given or ()]
        known, relations = self._known
        if self._given is not None and given == known:  # relations are equal only if they are the same
            for (n, _), relation in zip(self._derived, relations, strict=True):
                database[n] = relation
            return
        _run_once(runs, database)
        new = {n: database[n].rows for n, _ in self._derived}
        for _ in range(ROUNDS):
            for n, delta in self._derived:
                database[delta] = Relation(new[n]) if new[n] else EMPTY
            derived_rows: dict[int, set[Row]] = {n: set() for n, _ in self._derived}
            for needs, n, code in self._runs:
                if all([database[need].rows for need in needs]):
                    code.run(database, derived_rows[n].add)
            new = {n: extend(database, n, rows) for n, rows in derived_rows.items()}
            if not any(new.values()):
                break
        else:
            names = sorted(signature_text(signature_of(n)) for n, rows in new.items() if rows)
            message = f"recursive rules were run {ROUNDS:,} times, and still derive more of {', '.join(names)}"
            raise NotDecided(f"{message}: nothing bounds them")
        for _, delta in self._derived:
            database[delta] = EMPTY
        self._known = given, [database[n] for n, _ in self._derived]


Recursive: TypeAlias = tuple[int, Printed, tuple[Signature, ...], Signature]
"""A rule over new rows: the index of the original rule, the rule, its positive predicates, and the predicate that it derives."""
Rounds: TypeAlias = tuple[tuple[Recursive, ...], ...]
"""For each layer its rules over new rows."""


def _plain(order: Order, joined: InPlace, rounds: Rounds) -> tuple[Any, ...]:
    """The cached parts of a compiled program as plain data, with rules as texts."""
    inside = {k: (rule.text, *rest) for k, (rule, *rest) in joined.items()}
    return order, inside, tuple(tuple((k, rule.text, *rest) for k, rule, *rest in layer) for layer in rounds)


def _is_plain(value: Any, size: int) -> bool:
    """Whether a stored value has the shape that `_plain` gives to the parts of a program of so many rules."""

    def is_index(k: Any) -> bool:
        return type(k) is int and 0 <= k < size

    signature = (str, int)
    order = [([(is_index, signature)], [signature])]
    joined = {is_index: (str, [signature], [is_index])}
    return has_shape(value, (order, joined, [[(is_index, str, [signature], signature)]])) and len(value[0]) == len(
        value[2]
    )


def _from_plain(order: Order, joined: Mapping[int, Any], rounds: Any) -> tuple[Order, InPlace, Rounds]:
    """The cached parts of a compiled program from the plain data that `_plain` made."""
    inside = {k: (Printed(text), needs, places) for k, (text, needs, places) in joined.items()}
    layers = tuple(tuple((k, Printed(text), *rest) for k, text, *rest in layer) for layer in rounds)
    return order, inside, layers


def _rounds(rules: Sequence[PlacedRule], order: Order, joined: InPlace) -> Rounds:
    """For each recursive rule and each of its recursive atoms the rule that reads only the new rows of this atom."""
    left_out = {place for _, _, places in joined.values() for place in places}
    return tuple(
        tuple(
            (k, *one)
            for k, head in codes
            if recursive and k not in left_out
            for one in _over_new((joined[k][0] if k in joined else rules[k].printed).value, head, frozenset(recursive))
        )
        for codes, recursive in order
    )


def _over_new(
    rule: Value, head: Signature, derived: Collection[Signature]
) -> Iterator[tuple[Printed, tuple[Signature, ...], Signature]]:
    """Yields for each recursive atom of a rule the rule that reads only the new rows of this atom.

    In the other recursive atoms variables replace function terms, ``p(V), V = f(X)`` for ``p(f(X))``. Such an atom may have many
    rows, and the order of the joins must not prefer it for its function term.
    """
    fresh = Fresh(rule)
    body: list[list[Literal]] = []
    for literal in rule.body:
        parts: list[Literal] = [literal]
        if _reads(literal, derived):
            assert isinstance(literal, Atom)
            terms = [fresh.take() if isinstance(term, Fun) else term for term in literal.args]
            both = zip(terms, literal.args, strict=True)
            parts = [Atom(literal.name, tuple(terms)), *(Compare(a, "=", b) for a, b in both if a != b)]
        body.append(parts)
    for k, literal in enumerate(rule.body):
        if _reads(literal, derived):
            assert isinstance(literal, Atom)
            new = Atom(delta_of(literal.signature)[0], literal.args)
            whole = tuple(x for n, parts in enumerate(body) for x in ([new] if n == k else parts))
            needs = dict.fromkeys(x.signature for x in whole if isinstance(x, Atom) and not x.sign)
            yield Printed.from_rule(Value(rule.head, whole)), tuple(needs), head


def _reads(literal: Literal, derived: Collection[Signature]) -> bool:
    """Whether a literal is a positive atom of one of some predicates."""
    return isinstance(literal, Atom) and not literal.sign and literal.signature in derived


def _in_place(program: EngineProgram, static: Collection[int]) -> InPlace:
    """The rules with inlined predicates; none if the outputs of the program are not known.

    ``static`` are the numbers of the predicates that have static facts.
    """
    if program.outputs is None:
        return {}
    heads = {h.signature for rule in program.rules for h in rule.heads}
    return in_place(program.rules, program.outputs.union(s for s in heads if number(s) in static))


Order: TypeAlias = tuple[tuple[tuple[tuple[int, Signature], ...], tuple[Signature, ...]], ...]
"""For each layer the indices of its rules with the predicates that they derive, and its recursive predicates."""


def sort_into_layers(rules: Sequence[PlacedRule]) -> Order:
    """Sorts rules into layers: a rule reads only predicates of its own layer and of those before it.

    Raises:
        Unsupported: The rules are not stratified.
    """
    from ...lang.graph import components

    deriving: dict[Signature, list[int]] = {}
    for k, rule in enumerate(rules):
        for head in dict.fromkeys(h.signature for h in rule.heads):
            deriving.setdefault(head, []).append(k)
    reads = {head: {u for k in ks for u in rules[k].uses if u in deriving} for head, ks in deriving.items()}
    layers: list[tuple[tuple[tuple[int, Signature], ...], tuple[Signature, ...]]] = []
    for component in components(reads, lambda head: sorted(reads[head])):
        together = set(component)
        codes = tuple((k, head) for head in component for k in deriving[head])
        recursive = any(reads[head] & together for head in together)
        for k, _ in codes:
            if any(a.signature in together for a in (*rules[k].negative, *rules[k].inner)):
                raise NotCompiled(f"not stratified: {rules[k].text}")
        if not recursive and layers and not layers[-1][1]:
            codes = layers.pop()[0] + codes
        layers.append((codes, tuple(component) if recursive else ()))
    return tuple(layers)


_FEW: Final = 1_000
"""A program with fewer static facts, and without a long interval, gives no million facts."""
_LONG_RANGE: Final = re.compile(r"\.\.\(?-?\d{4}")
Derivation: TypeAlias = CompiledDerivation | Grounding
"""The atoms that an engine has derived from a position."""


def compiled_program(program: EngineProgram) -> Compiled | None:
    """The compiled program, made at the first call; None if it cannot be compiled."""
    if "_joins" not in program.__dict__:
        try:
            program.__dict__["_joins"] = Compiled(program)
        except (NotCompiled, TooLargeToCompile):
            program.__dict__["_joins"] = None
    compiled: Compiled | None = program.__dict__["_joins"]
    return compiled


def derive(
    program: EngineProgram, facts: Facts, more: Sequence[clingo.Symbol] = (), engine: str = "compiled"
) -> Derivation:
    """Evaluates a program over a position and more facts.

    Args:
        program: The program.
        facts: The facts of the position.
        more: Further given facts.
        engine: ``compiled``, which uses clingo for programs that it cannot evaluate; or ``clingo``.
    """
    joins = compiled_program(program) if engine == "compiled" else None
    large = joins is None or (program.checked and _is_wide(program))
    if joins is not None and not large:
        try:
            return joins.evaluate(facts, more)
        except (NotCompiled, RecursionError):
            joins = None
        except TooLargeToCompile:
            large = True
    if program.checked and (large or joins is None) and _is_large(program, (*facts, *more)):
        exact_answer = exactly(program, facts, more)
        if exact_answer is not None and joins is not None:
            return exact_answer
        return Grounding(program, (*facts, *more), exact=exact_answer is not None)
    return Grounding(program, (*facts, *more))


def exactly(program: EngineProgram, facts: Facts, more: Sequence[clingo.Symbol] = ()) -> CompiledDerivation | None:
    """Evaluates a program with exact calculations; None if it cannot be compiled.

    Raises:
        TooLarge: A calculation leaves 32 bits, where clingo would wrap around, or a rule gives too many facts.
    """
    if "_exact" not in program.__dict__:
        try:
            program.__dict__["_exact"] = Compiled(program, exact=True)
        except (NotCompiled, TooLargeToCompile):
            program.__dict__["_exact"] = None
    joins: Compiled | None = program.__dict__["_exact"]
    try:
        return None if joins is None else joins.evaluate(facts, more)
    except (NotCompiled, TooLargeToCompile, RecursionError):
        return None


def _is_wide(program: EngineProgram) -> bool:
    """Whether a rule may give too many facts, as it joins many static ones."""
    if "_wide" not in program.__dict__:
        sizes = Counter(map(symbols.signature, program.static))
        wide = len(program.static) >= _FEW and may_be_many(program.rules, sizes)
        program.__dict__["_wide"] = wide or any(_LONG_RANGE.search(rule.text) for rule in program.rules)
    is_wide: bool = program.__dict__["_wide"]
    return is_wide


def _is_large(program: EngineProgram, facts: Iterable[clingo.Symbol]) -> bool:
    """Whether a calculation may leave 32 bits, or a rule may give too many facts, by a quick look."""
    if "_large" not in program.__dict__:
        large = is_large(program.rules) or symbols.largest(program.static) > LARGE
        program.__dict__["_large"] = large or _is_wide(program)
    may_be_large: bool = program.__dict__["_large"]
    return may_be_large or symbols.largest(facts) > LARGE


# -- inplace -------------------------------------------------------------------------------------------------
#
# Inlining: a predicate that only one rule reads is joined there, instead of derived for all arguments.
#
# >>> from kaiser_logic.rules.loader import parse_rules
# >>> rules = parse_rules("item(fare(N,K),A+B) :- seat(K,A), way(N,B). breaks(P) :- asked(V), item(V,N), pays(P,N).")
# >>> for rule, _, left_out in in_place(rules, frozenset({("breaks", 1)})).values():
# ...     print(rule.text, left_out)
# breaks(P) :- asked(fare(N1,K)); N = (A+B); seat(K,A); way(N1,B); pays(P,N). (0,)
#
# A predicate is inlined only if this cannot cost much: exactly one rule derives it, and its head has all its variables. Then each
# row has one instance of the body, and the arguments of the reading atom restrict the search for it.


InPlace: TypeAlias = Mapping[int, tuple[Printed, tuple[Signature, ...], tuple[int, ...]]]
"""By the index of a rule: the rule with inlined predicates, its positive predicates, and the indices of the inlined rules."""


def in_place(rules: Sequence[PlacedRule], excluded: Collection[Signature]) -> InPlace:
    """Inlines predicates that have one rule and are read in one place.

    Args:
        rules: The rules of a program.
        excluded: The predicates that must not be inlined: the outputs, and those with given facts.

    Returns:
        The rules with inlined predicates; the inlined rules need not be run.
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
    for signature, places in deriving.items():
        if len(places) != 1 or len(reading[signature]) != 1 or signature in excluded:
            continue
        (one,), (other,) = places, reading[signature]
        if one == other or one in joined or other in left_out:
            continue
        if any(a.signature == signature for a in rules[other].positive) and _joins(rules[one], rules[other], signature):
            joined[other][signature] = one
            left_out.add(one)
    return {k: (*_inline(rules, k, parts), tuple(parts.values())) for k, parts in joined.items()}


def _joins(one: PlacedRule, other: PlacedRule, signature: Signature) -> bool:
    """Whether a rule can be inlined where another reads its predicate, without joining rows that are not needed."""
    if len(one.heads) != 1 or len(other.heads) != 1 or not one.positive or is_enumeration(one):
        return False
    deriving, reading = one.value, other.value
    if not (deriving.head and is_fixed(deriving.head) and all(map(_is_single, deriving.body))):
        return False
    atoms = [literal for literal in reading.body if _has(literal, signature)]
    others = variables(*(literal for literal in reading.body if literal not in atoms))
    if not atoms or set(variables(*atoms)).isdisjoint(others):
        return False
    return set(variables(deriving.body)) <= set(variables(deriving.head))


def _is_single(literal: Literal) -> bool:
    """Whether a literal has at most one instance once its variables are bound."""
    if isinstance(literal, Atom):
        return literal.sign < 2 and is_fixed(literal)
    return isinstance(literal, (Compare, Chain)) and literal.sign < 2 and is_fixed(literal)


def _has(literal: Literal, signature: Signature) -> bool:
    return isinstance(literal, Atom) and not literal.sign and literal.signature == signature


def _inline(
    rules: Sequence[PlacedRule], k: int, parts: Mapping[Signature, int]
) -> tuple[Printed, tuple[Signature, ...]]:
    """A rule with the bodies of other rules in place of the atoms that these derive, and its positive predicates."""
    rule = rules[k].value
    body: list[Literal] = []
    for literal in rule.body:
        one = next((one for signature, one in parts.items() if _has(literal, signature)), None)
        if one is None:
            body.append(literal)
            continue
        renamed = rename_apart(rules[one].value, rule, *body)
        assert isinstance(literal, Atom)
        for asked, value in zip(literal.args, renamed.heads[0].args, strict=True):
            body.append(Compare(asked, "=", value))
        body += renamed.body
    needs = (a.signature for place in (k, *parts.values()) for a in rules[place].positive)
    joined = solve_equations(Value(rule.head, tuple(body)))
    return Printed.from_rule(joined), tuple(n for n in dict.fromkeys(needs) if n not in parts)
