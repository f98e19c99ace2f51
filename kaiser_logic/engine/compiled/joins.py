"""A rule without pools, while its lines are written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain, product
from typing import Final

from .once import all_once
from .ordering import has_value, matchable, score
from .pools import unpooled
from .ranges import all_apart, terms_apart
from .trees import (
    Aggregate,
    Comparison,
    Conditional,
    Literal,
    Parsed,
    Predicate,
    Tree,
    Truth,
    variables,
)
from .values import Unsupported
from .writer import Writer, row

_VALUES: Final = {
    "#sum": "total({})",
    "#count": "len({})",
    "#min": "least({},'#sup')",
    "#max": "most({},'#inf')",
}
_COUNTED: Final = {"#sum": "checked({})", "#count": "{}"}
"""The same of those that can be counted on the way, where no tuple comes twice."""


class Body:
    """A rule without pools, while it is written."""

    def __init__(self, writer: Writer, rule: Parsed) -> None:
        self.writer = writer
        self.ranged = rule.ranged
        body = self.beside(rule.body)
        self.rule = Parsed(rule.heads, tuple(body))
        head, parts = variables(rule.heads), [variables(literal) for literal in body]
        self.names = [set(names) for names in parts]
        own = [names for names, x in zip(parts, body, strict=True) if isinstance(x, (Predicate, Comparison))]
        guards = [variables(x.guards) for x in body if isinstance(x, Aggregate)]
        self.shared = set().union(head, *own, *guards)
        writer.single = {name for name, count in Counter(chain(head, *parts)).items() if count == 1}

    def beside(self, literals: Sequence[Literal]) -> list[Literal]:
        """Literals that must hold together, their ranges beside them."""
        return all_apart(literals, self.writer.fresh) if self.ranged else list(literals)

    def elements(self, literal: Aggregate) -> list[tuple[tuple[Tree, ...], list[Literal]]]:
        """The tuples of an aggregate, each with its condition: without pools, their ranges beside them."""
        found = []
        for terms, condition in literal.elements:
            for body in product(*map(unpooled, condition)):
                own, more = terms_apart(terms, self.writer.fresh) if self.ranged else (terms, [])
                found.append((own, [*self.beside(body), *more]))
        return found

    def write(self, head: Predicate) -> None:
        """Writes all of it."""
        self.join(self.rule.body, set(variables(head.args)), self.names)
        parts = []
        for term in self.chosen(head):
            self.writer.defined(term)
            parts.append(self.writer.expression(term))
        self.writer.line(f"new({row(parts)})")

    def chosen(self, head: Predicate) -> tuple[Tree, ...]:
        """The terms of the head; goes through the values of the ranges in them."""
        if not self.ranged:
            return head.args
        args, ranges = terms_apart(head.args, self.writer.fresh)
        for each in ranges:  # those inside of others come first
            self.literal(each, set())
        return args

    def join(self, body: Sequence[Literal], later: set[str], known: Sequence[set[str]] = ()) -> None:
        """Goes on below where all literals hold, with what is needed ``later``; ``known``: their variables, if known."""
        left = list(zip(body, known or [set(variables(literal)) for literal in body], strict=True))
        while left:
            best, place = None, 0
            for k, (literal, names) in enumerate(left):
                found = score(self.writer, literal, names, self.shared)
                if found is not None and (best is None or found > best):
                    best, place = found, k
            if best is None:
                raise Unsupported(f"unsafe: {[literal for literal, _ in left]}")
            literal, _ = left.pop(place)
            self.literal(literal, later.union(*(names for _, names in left)))

    # -- literals --------------------------------------------------------------------------------------------------------

    def literal(self, literal: Literal, later: set[str]) -> None:
        """Goes on below where a literal holds."""
        if isinstance(literal, Truth):
            self.writer.under(f"if {literal.holds != bool(literal.sign % 2)}:")
        elif isinstance(literal, Comparison):
            self.comparison(literal)
        elif isinstance(literal, Aggregate):
            self.aggregate(literal)
        elif isinstance(literal, Conditional):
            self.conditional(literal)
        elif isinstance(literal, Predicate):
            self.predicate(literal, later)
        else:
            raise Unsupported(str(literal))

    def comparison(self, literal: Comparison) -> None:
        """Tests a comparison, or gives a variable its value."""
        writer = self.writer
        sides = [literal.left, *(t for _, t in literal.guards)]
        if all(map(writer.known, sides)):
            writer.defined(*sides)
            tests = [
                self._compared(a, sign, b)
                for a, b, (sign, _) in zip(sides, sides[1:], literal.guards, strict=False)
            ]
            test = " and ".join(tests)
            writer.under(f"if not ({test}):" if literal.sign % 2 else f"if {test}:")
            return
        left, right = sides
        if left[0] == "range" or not has_value(writer, right) or not matchable(writer, left):
            left, right = right, left
        if right[0] == "range":
            writer.defined(("op", "+", right[1], ("num", 0)), ("op", "+", right[2], ("num", 0)))
            low, high = map(writer.expression, right[1:])
            name = writer.fresh()
            if writer.known(left):
                writer.defined(left)
                code = writer.expression(left)
                writer.under(f"if type({code}) is int and {low} <= {code} <= {high}:")
                return
            writer.under(f"for {name} in range({low}, {high} + 1):")
            writer.match(left, name)
            if left[0] == "var":
                writer.integers.add(left[1])
            return
        writer.defined(right)
        numeric = writer.numeric(right)
        name = writer.expression(right)
        if left[0] != "var":
            name = writer.fresh()
            writer.line(f"{name} = {writer.expression(right)}")
        writer.match(left, name)
        if numeric and left[0] == "var":
            writer.integers.add(left[1])

    def _compared(self, left: Tree, sign: str, right: Tree) -> str:
        a, b = self.writer.expression(left), self.writer.expression(right)
        if sign in ("=", "!="):
            return f"{a} {'==' if sign == '=' else '!='} {b}"
        if self.writer.numeric(left) and self.writer.numeric(right):
            return f"{a} {sign} {b}"
        first, second = (a, b) if sign in ("<", ">=") else (b, a)
        return f"less({first},{second})" if sign in ("<", ">") else f"not less({first},{second})"

    def aggregate(self, literal: Aggregate) -> None:
        """Compares an aggregate's value, or gives it to a variable."""
        writer = self.writer
        found, value = writer.fresh(), writer.fresh()
        elements = self.elements(literal)
        counted = literal.function in _COUNTED and all_once(elements, writer.bound)
        writer.line(f"{found} = {'0' if counted else 'set()'}")
        for terms, body in elements:
            with writer.apart():
                self.join(body, set(variables(terms)))
                writer.defined(*terms)
                parts = [writer.expression(t) for t in terms]
                if not counted:
                    writer.line(f"{found}.add({row(parts)})")
                elif literal.function == "#count":
                    writer.line(f"{found} += 1")
                else:
                    test = "" if writer.numeric(terms[0]) else f"if type({parts[0]}) is int: "
                    writer.line(f"{test}{found} += {parts[0]}")
        writer.line(f"{value} = {(_COUNTED if counted else _VALUES)[literal.function].format(found)}")
        number = literal.function in ("#sum", "#count")
        tests = []
        for sign, term in literal.guards:
            if not writer.known(term):
                writer.match(term, value)
                if number and term[0] == "var":
                    writer.integers.add(term[1])
                continue
            writer.defined(term)
            if number:
                writer.integers.add(value)
            held: Tree = ("held", value)
            tests.append(self._held(held, sign, term, number))
        if tests:
            test = " and ".join(tests)
            writer.under(f"if not ({test}):" if literal.sign % 2 else f"if {test}:")

    def _held(self, held: Tree, sign: str, term: Tree, number: bool) -> str:
        """How an aggregate's value is compared with a term."""
        value, other = held[1], self.writer.expression(term)
        if sign in ("=", "!="):
            return f"{value} {'==' if sign == '=' else '!='} {other}"
        if number and self.writer.numeric(term):
            return f"{value} {sign} {other}"
        first, second = (value, other) if sign in ("<", ">=") else (other, value)
        return f"less({first},{second})" if sign in ("<", ">") else f"not less({first},{second})"

    def conditional(self, literal: Conditional) -> None:
        """Goes on where a literal holds wherever its condition does."""
        writer = self.writer
        holds = writer.fresh()
        writer.line(f"{holds} = True")
        for body in product(*map(unpooled, literal.condition)):
            with writer.apart():
                self.join(self.beside(body), set(variables(literal.literal)))
                inner = writer.fresh()
                writer.line(f"{inner} = False")
                with writer.apart():
                    self.join(self.beside([literal.literal]), set())
                    writer.line(f"{inner} = True")
                writer.line(f"if not {inner}: {holds} = False")
        writer.under(f"if {holds}:")

    def predicate(self, literal: Predicate, later: set[str]) -> None:
        """Goes through the rows that match an atom, or tests that there is one, or none."""
        writer, args = self.writer, literal.args
        relation = writer.relation(literal.name, len(args))
        places = [k for k, term in enumerate(args) if writer.known(term)]
        writer.defined(*(args[k] for k in places))
        open_ = [term for k, term in enumerate(args) if k not in places]
        names = [term[1] for term in open_ if term[0] == "var"]
        plain = all(term[0] in ("var", "any") for term in open_) and len(names) == len(set(names))
        if plain and (literal.sign or later.isdisjoint(names)):
            among = "not in" if literal.sign % 2 else "in"
            if len(places) == len(args):
                writer.under(f"if {row([*map(writer.expression, args)])} {among} D[n{relation}].rows:")
            elif places:
                index = writer.index(relation, _mask(places))
                writer.under(f"if {self._key(args, places)} {among} {index}:")
            else:
                writer.under(f"if {'not ' if literal.sign % 2 else ''}D[n{relation}].rows:")
            return
        if literal.sign:
            found = writer.fresh()
            writer.line(f"{found} = False")
            with writer.apart():
                self._rows(relation, args, places)
                writer.line(f"{found} = True")
            writer.under(f"if {'not ' if literal.sign % 2 else ''}{found}:")
            return
        self._rows(relation, args, places)

    def _rows(self, relation: int, args: tuple[Tree, ...], places: list[int]) -> None:
        """Goes through the rows that match the arguments, of which those at some places have values."""
        writer = self.writer
        among = f"D[n{relation}].rows"
        if places:
            key = self._key(args, places)
            among = f"{writer.index(relation, _mask(places))}.get({key}, ())"
        names, left = writer.parted({k: t for k, t in enumerate(args) if k not in places}, len(args))
        found = names or writer.fresh()
        writer.under(f"for {found} in {among}:")
        for k, term, own in left:
            writer.match(term, own or f"{found}[{k}]")

    def _key(self, args: tuple[Tree, ...], places: list[int]) -> str:
        """What stands at some places, as an index has it."""
        parts = [self.writer.expression(args[k]) for k in places]
        return parts[0] if len(parts) == 1 else row(parts)


def _mask(places: Sequence[int]) -> int:
    """Places as a bit mask."""
    return sum(1 << k for k in places)
