"""That every fact is of the vocabulary after a transition, where arguments are left out of facts.

As far as arguments are kept the program of the transition says which facts there may be afterwards. What remains is what is left
out. Of a counter the limits say how large it is at most, and each number of its load, as each counts towards a measure: if the
vocabulary has all up to there, it has the fact. That a load is a structure of numbers from 0 on, or the constant that it
must be, is shown beside (:mod:`.forms`). Of other facts each rule that adds one says where the argument comes from: from a fact
that was there, and was of the vocabulary, from an action, or from the rule itself.

It is supposed that the position before is of the vocabulary, and that ``limit`` and ``count`` are proved of all positions.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import count, product
from math import prod
from typing import Final

import clingo

from ..engine.grounding import Grounding
from ..rules.loader import parse_rules
from ..rules.pattern import Signature
from ..rules.predicates import DUE
from ..symbolic import names
from ..symbolic.projected import Projected
from .carriers import opening
from .changes import coming
from .clauses import Atom, Clause, Literal, NotShown, Rules
from .conditions import called, rule, word
from .forms import openings, parts
from .known import Known
from .terms import Term, show, variables
from .vocabulary import Key, Part, stated
from .weights import Weight, counted, weighed

OUTSIDE: Final = "outside__"
"""What may be outside of the vocabulary."""
BEFORE: Final = "vocabulary__"
"""The position before is of the vocabulary, as far as it is kept: to be supposed where that is asked."""
_MANY: Final = 100_000
"""So many structures of numbers are looked at."""
_LETTER: Final = "Letter"


class Belonging:
    """What is demanded of a transition, so that it leads to nothing outside of the vocabulary.

    Attributes:
        lines: To be said of what is kept.
        closing: What stands as it is.
    """

    def __init__(self, known: Known, rules: Rules, projected: Projected, found: Sequence[Weight]) -> None:
        """Of a transition with these rules; ``found``: what counts towards which measure."""
        self._known, self._rules, self._projected, self._weights = known, rules, projected, found
        self._book, self._fluents = known.ruleset.book, known.kept.fluents
        self._stated = stated(known.ruleset)
        self._count = count()
        self.lines: list[str] = []
        self.closing: list[str] = [f"{{ {BEFORE} }}."]

    def enter(self) -> None:
        """Demands it of all that may change.

        Raises:
            NotShown: It is not known how to show it of something.
        """
        for w in self._weights:
            if any(n <= 0 for _, n in w.each) or counted(self._known.ruleset, w.counter) in self._book.signed:
                raise NotShown(f"{show(w.counter)} may count less than nothing")
        for fluent in sorted(self._fluents):
            after = self._projected.after(fluent)
            if after == fluent[0] or fluent == DUE:  # of what is due the program says it already
                continue
            if fluent == ("seat", 2):
                raise NotShown("seats may change")
            self._before(fluent)
            if self._left_out(fluent) and fluent not in self._known.kept.counters:
                self._added(fluent)
            else:
                self._after(fluent, after)

    def _left_out(self, fluent: Signature) -> list[int]:
        """The arguments that are left out, but for a counter's value."""
        value = {fluent[1] - 1} if fluent in self._known.kept.counters else set()
        return sorted(self._fluents[fluent] - value)

    def _variables(self, fluent: Signature) -> list[Term]:
        """A variable for each argument that is kept."""
        return [("v", f"X{k}") for k in range(fluent[1] - len(self._fluents[fluent]))]

    def _told(self, keys: Collection[Key]) -> str:
        """A predicate of its own that holds of these kept arguments."""
        name = f"belongs__{next(self._count)}"
        self.closing += [f"{called(name, [*map(_term, k)])}." for k in sorted(keys)]
        return name

    def _before(self, fluent: Signature) -> None:
        """What was there was of the vocabulary."""
        if self._stated[fluent].whole:
            args = self._variables(fluent)
            known = called(self._told(self._stated[fluent].keys), args)
            self.closing.append(f":- {BEFORE}, {called(fluent[0], args)}, not {known}.")

    # -- what is of the vocabulary, whatever is left out ---------------------------------------------------------------

    def _after(self, fluent: Signature, after: str) -> None:
        """Nothing is there afterwards but what is of the vocabulary whatever is left out of it."""
        keys = [*self._covered(fluent)] if self._fluents[fluent] else self._stated[fluent].keys
        args = self._variables(fluent)
        what = word(f"{fluent[0]}/{fluent[1]} may be outside of the vocabulary")
        self.closing.append(
            f"{OUTSIDE}({what}) :- {called(after, args)}, not {called(self._told(keys), args)}."
        )

    def _covered(self, fluent: Signature) -> Iterator[Key]:
        """The kept arguments of which the vocabulary has all facts that there may be of a counter.

        Raises:
            NotShown: It is not known which there may be.
        """
        signed, places = fluent in self._book.signed, self._left_out(fluent)
        if fluent not in (self._book.signed if signed else self._known.kept.moved) or (signed and places):
            raise NotShown(f"{fluent[0]} is stated at 0, or set, or too much is left out of it")
        constants = {i: self._constant(fluent, i) for i in places}
        for key in sorted(self._stated[fluent].keys):
            fixed = {i: c for i, (c, opened) in constants.items() if c is not None and key not in opened}
            most, numbers = self._bounds(fluent, key, fixed)
            given = {i: frozenset([_symbol(c)]) for i, c in fixed.items()}
            for i in places:
                found = given[i] if i in given else self._structures(fluent, i, numbers)
                if found is not None:
                    given[i] = found
            if len(given) == len(places):
                fitting = (p for p in self._stated[fluent].parts if key in p.values)
                ways = [p for p in fitting if all(given[i] <= p.places[i] for i in places)]
                if _has(ways, key, most, signed):
                    yield key

    def _constant(self, fluent: Signature, place: int) -> tuple[Term | None, frozenset[Key]]:
        """The constant that an argument must be, if there is one; and the kept arguments of which it may be another."""
        stated_ = self._known.stated(fluent)
        found = {t for s in stated_ for t in [s.args[place]] if t is not None}
        fixed = [t for t in found if t[0] == "f" and not list(variables(t))]
        if len(fixed) != 1 or not _plain(fixed[0]) or any("?" in k for s in stated_ for k in s.kept):
            return None, frozenset()
        text = "\n".join(openings(self._known, {(*fluent, place)}))
        grounding = Grounding(self._known.ruleset.complete(tuple(parse_rules(text))), ())
        opened = grounding.get(opening(*fluent, place), fluent[1] - len(self._fluents[fluent]))
        return fixed[0], frozenset(tuple(s.arguments) for s in opened)

    def _bounds(
        self, fluent: Signature, key: Key, fixed: Mapping[int, Term]
    ) -> tuple[int | None, dict[str, int]]:
        """How large a counter is at most, and each number of its structures, by the limits of what it counts for."""
        given = iter(key)
        args: list[Term] = []
        for i in range(fluent[1] - 1):
            dropped = i in self._fluents[fluent]
            args.append((fixed.get(i) or self._letters(fluent, i)) if dropped else _term(next(given)))
        found: dict[str, int] = {}
        for measure, each in weighed(self._known, [*self._weights], ("f", fluent[0], tuple(args))):
            for limit in self._limits(show(measure)):
                for letters, often in each.items():
                    name = "".join(letters) if len(letters) < 2 else None
                    if name is not None:
                        found[name] = min(limit // often, found.get(name, limit // often))
        return found.pop("", None), found

    def _limits(self, measure: str) -> list[int]:
        """The limits above of a measure."""
        found = (s.arguments for s in self._known.ruleset.facts("limit", 3))
        return [m.number for x, _, m in found if str(x) == measure and m.type is clingo.SymbolType.Number]

    def _letters(self, fluent: Signature, place: int) -> Term:
        """A structure of numbers that are not known.

        Raises:
            NotShown: It is none.
        """
        form = self._known.structure(fluent, place)
        if form is None:
            raise NotShown(f"what is left out of {fluent[0]} is no structure of numbers")
        return ("f", form[0], tuple(("v", f"{_LETTER}{place}_{k}") for k in range(form[1])))

    def _structures(
        self, fluent: Signature, place: int, numbers: Mapping[str, int]
    ) -> frozenset[clingo.Symbol] | None:
        """All structures of numbers from 0 up to these; None where one has no bound, or there are too many."""
        letters = self._letters(fluent, place)
        most = [numbers.get(v) for v in variables(letters)]
        bounds = [m for m in most if m is not None]
        if len(bounds) < len(most) or prod(m + 1 for m in bounds) > _MANY:
            return None
        key = "structures of numbers", letters[1], tuple(bounds)
        return self._known.ruleset.remember(key, lambda: frozenset(_upto(str(letters[1]), bounds)))

    # -- what is added, and something is left out of it ----------------------------------------------------------------

    def _added(self, fluent: Signature) -> None:
        """What is added is of the vocabulary, by where that comes from which is left out."""
        known = self._known
        if fluent in self._book.units:
            raise NotShown(f"too much is left out of {fluent[0]}")
        shaped = (f for f, group in known.kept.shapes.items() if fluent in [s.signature for s in group])
        for clause in coming(self._rules, known, next(shaped, fluent[0])):
            for signature, args in parts(known, clause.head.args[0]):
                if signature == fluent:
                    self._comes(fluent, args, clause)

    def _comes(self, fluent: Signature, args: Sequence[Term], clause: Clause) -> None:
        places = self._left_out(fluent)
        given = {i: self._from(args[i], clause.body) for i in places}
        fitting = (p for p in self._stated[fluent].parts if p.values)
        ways = [p for p in fitting if all(given[i] <= p.places[i] for i in places)]
        known = Atom(self._told({k for p in ways for k in p.values}), _without(args, places), True)
        why = word(f"{show(clause.head.args[0])} may be outside of the vocabulary")
        self.lines.append(rule(self._known, f"{OUTSIDE}({why})", [*clause.body, known]))

    def _from(self, t: Term, body: Sequence[Literal]) -> frozenset[clingo.Symbol]:
        """What an argument may be that is left out.

        Raises:
            NotShown: It is not seen where it comes from.
        """
        known = self._known
        if not list(variables(t)) and _plain(t):
            return frozenset([_symbol(t)])
        for x in body:
            if not isinstance(x, Atom) or x.negated:
                continue
            if x.name == names.argument(0) and x.args[3] == t and x.args[1][0] == x.args[2][0] == "n":
                return known.options(x.args[1][1], x.args[2][1])
            if known.before(x):
                value = len(x.args) - 1 if x.signature in known.kept.counters else None
                for i, a in enumerate(x.args):
                    if a == t and i != value:
                        return known.values(x.signature, i)
        raise NotShown(f"it is not seen where {show(t)} comes from")


def _has(ways: Sequence[Part], key: Key, most: int | None, signed: bool) -> bool:
    """Whether there are facts with all values that a counter may have: all from 1 up to this, if that is known."""
    endless = {p.endless for p in ways}
    if signed:
        return {1, -1} <= endless
    values = frozenset[int]().union(*(p.values[key] for p in ways))
    return 1 in endless or (
        most is not None and most <= len(values) and values.issuperset(range(1, most + 1))
    )


def _upto(name: str, bounds: Sequence[int]) -> Iterator[clingo.Symbol]:
    """The structures of numbers from 0 up to these."""
    for numbers in product(*(range(m + 1) for m in bounds)):
        yield clingo.Function(name, [clingo.Number(n) for n in numbers])


def _without(args: Sequence[Term], places: Collection[int]) -> tuple[Term, ...]:
    return tuple(a for i, a in enumerate(args) if i not in places)


def _plain(t: Term) -> bool:
    """Whether a term is what it looks like, with nothing to be worked out."""
    return t[0] in "nvs" or (t[0] == "f" and all(map(_plain, t[2])))


def _symbol(t: Term) -> clingo.Symbol:
    return clingo.parse_term(show(t))


def _term(symbol: clingo.Symbol) -> Term:
    if symbol.type is clingo.SymbolType.Number:
        return ("n", symbol.number)
    if symbol.type is clingo.SymbolType.Function and not symbol.negative:
        return ("f", symbol.name, tuple(map(_term, symbol.arguments)))
    return ("s", str(symbol))
