"""A rule as a Python function that joins relations.

Literals are taken in an order in which each is as cheap as can be: tests first, then what is bound most.

>>> print(source("p(R,(N+1)) :- q(R,N); not r(R,_).", ("p", 2)).strip())
def rule(D):
 r0 = put(D,0)
 r1 = D[1]
 r2 = D[2]
 for x1 in r1.rows:
  V_R = x1[0]
  V_N = x1[1]
  if V_R not in r2.index(1):
   if type(V_N) is int:
    r0.rows.add((V_R,(V_N+1),))
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import product
from typing import Any, Final

from ...rules import predicates
from ...rules.pattern import Signature
from ...rules.rule import Rule
from . import values
from .relations import Database, number, put
from .syntax import (
    Aggregate,
    Alternatives,
    Comparison,
    Conditional,
    Literal,
    Parsed,
    Predicate,
    Tree,
    Truth,
    Unsupported,
    parse,
    variables,
)
from .writer import Writer, variable

_FIRST: Final = {
    predicates.SUBMITTED[0],
    predicates.NEXT[0],
    predicates.DECISION[0],
    "does",
    "made",
    "turn",
    "question",
}
"""What there is little of: it is looked at first."""
_VALUES: Final = {
    "#sum": "total({})",
    "#count": "len({})",
    "#min": "least({},'#sup')",
    "#max": "most({},'#inf')",
}
_HELPERS: Final[dict[str, Any]] = {
    "put": put,
    **{
        name: getattr(values, name)
        for name in ("checked", "divided", "least", "less", "most", "rest", "total")
    },
}


@dataclass(frozen=True)
class Code:
    """A rule's function, written when it is first called for.

    Attributes:
        text: The rule.
        needs: The numbers of the predicates without which it cannot fire.
        head: The predicate that is derived; a rule with several heads has several functions.
        again: Whether it reads what it derives, so that rows are added in the end only.
    """

    text: str
    needs: tuple[int, ...]
    head: Signature
    again: bool

    @cached_property
    def run(self) -> Callable[[Database], None]:
        """The function."""
        names = dict(_HELPERS)
        exec(compile(source(self.text, self.head, self.again), self.text, "exec"), names)
        return names["rule"]  # type: ignore[no-any-return]


@lru_cache(maxsize=20_000)
def code_of(rule: Rule, head: Signature, again: bool = False) -> Code:
    """The function by which a rule derives a predicate of its head."""
    numbers = {a: number(a.signature) for a in rule.atoms}
    return Code(rule.text, tuple(dict.fromkeys(numbers[a] for a in rule.positive)), head, again)


def source(text: str, derived: Signature, again: bool = False) -> str:
    """The Python of the function by which a rule derives a predicate of its head.

    Raises:
        Unsupported: It has what is not compiled.
    """
    parsed = parse(text)
    writer = Writer()
    bodies = list(product(*map(_unpooled, parsed.body)))
    heads = [h for atom in parsed.heads for h in _unpooled(atom) if (h.name, len(h.args)) == derived]
    targets = {number((h.name, len(h.args))): writer.relation(h.name, len(h.args)) for h in heads}
    for body in bodies:
        for head in heads:
            with writer.apart():
                _Body(writer, Parsed((head,), body)).write(head, again)
    top = [
        f" {name} = {'put(D,' + str(k) + ')' if k in targets else f'D[{k}]'}"
        for k, name in writer.relations.items()
    ]
    start = [f" a{k} = []" for k in targets] if again else []
    end = [f" {name}.rows.update(a{k})" for k, name in targets.items()] if again else []
    return "\n".join(["def rule(D):", *top, *start, *writer.lines, *end]) + "\n"


def _unpooled(literal: Literal) -> list[Any]:
    """The alternatives of a literal with pools."""
    if isinstance(literal, Alternatives):
        if literal.sign:
            raise Unsupported(str(literal))
        return [x for atom in literal.among for x in _unpooled(atom)]
    if isinstance(literal, Predicate):
        found = [replace(literal, args=args) for args in product(*map(_terms, literal.args))]
        if literal.sign and len(found) > 1:
            raise Unsupported(str(literal))
        return found
    if isinstance(literal, Comparison) and not literal.sign:
        sides = product(_terms(literal.left), *(_terms(term) for _, term in literal.guards))
        signs = [sign for sign, _ in literal.guards]
        return [Comparison(left, tuple(zip(signs, rest, strict=True))) for left, *rest in sides]
    return [literal]


def _terms(term: Tree) -> list[Tree]:
    """The alternatives of a term with pools."""
    if term[0] == "pool":
        return [x for part in term[1] for x in _terms(part)]
    if term[0] == "fun":
        return [("fun", term[1], args) for args in product(*map(_terms, term[2]))]
    if term[0] in ("op", "range"):
        return [(*term[:-2], left, right) for left, right in product(_terms(term[-2]), _terms(term[-1]))]
    return [term]


class _Body:
    """A rule without pools, while it is written."""

    def __init__(self, writer: Writer, rule: Parsed) -> None:
        self.writer = writer
        body: list[Literal] = []
        for literal in rule.body:
            body += self.apart(literal)
        rule = self.rule = Parsed(rule.heads, tuple(body))
        own = [x for x in rule.body if isinstance(x, (Predicate, Comparison))]
        guards = [x.guards for x in rule.body if isinstance(x, Aggregate)]
        self.shared = set(variables((rule.heads, tuple(own), tuple(guards))))

    def apart(self, literal: Literal) -> list[Literal]:
        """A literal with a variable for each range inside of a term, and what the variables are."""
        found: list[Literal] = []

        def visit(term: Tree) -> Tree:
            if term[0] == "fun":
                return ("fun", term[1], tuple(map(visit, term[2])))
            if term[0] != "range":
                return term
            name = ("var", f"In_{self.writer.fresh()}")
            found.append(Comparison(name, (("=", term),)))
            return name

        def inside(term: Tree) -> Tree:
            return visit(term) if term[0] == "fun" else term

        if literal.sign:
            return [literal]
        if isinstance(literal, Predicate):
            literal = replace(literal, args=tuple(map(visit, literal.args)))
        elif isinstance(literal, Comparison):
            guards = tuple((sign, inside(term)) for sign, term in literal.guards)
            literal = replace(literal, left=inside(literal.left), guards=guards)
        return [literal, *found]

    def write(self, head: Predicate, again: bool) -> None:
        """Writes all of it."""
        self.join(self.rule.body, set(variables(head.args)))
        parts = []
        for term in map(self.unranged, head.args):
            self.writer.defined(term)
            parts.append(f"{self.writer.expression(term)},")
        relation = self.writer.relation(head.name, len(head.args))
        target = f"a{number((head.name, len(head.args)))}.append" if again else f"{relation}.rows.add"
        self.writer.line(f"{target}(({''.join(parts)}))")

    def unranged(self, term: Tree) -> Tree:
        """A term of the head with a variable for each range in it, which goes through its values."""
        if term[0] == "fun":
            return ("fun", term[1], tuple(map(self.unranged, term[2])))
        if term[0] != "range":
            return term
        self.writer.defined(*(("op", "+", t, ("num", 0)) for t in term[1:]))
        name = f"R{self.writer.fresh()}"
        low, high = map(self.writer.expression, term[1:])
        self.writer.under(f"for {variable(name)} in range({low}, {high} + 1):")
        self.writer.integers.add(name)
        return ("var", name)

    def join(self, body: Sequence[Literal], later: set[str]) -> None:
        """Goes on below where all literals hold; ``later``: the variables that are needed after them."""
        left = list(body)
        while left:
            scores = [(score, k) for k, x in enumerate(left) if (score := self.score(x)) is not None]
            if not scores:
                raise Unsupported(f"unsafe: {left}")
            _, k = max(scores, key=lambda x: (x[0], -x[1]))
            literal = left.pop(k)
            self.literal(literal, later | set(variables(tuple(left))))

    def score(self, literal: Literal) -> float | None:
        """How soon a literal is to be looked at; None where it cannot be yet."""
        known = self.writer.known
        bound = self.writer.bound
        if isinstance(literal, Truth):
            return 100
        if isinstance(literal, (Aggregate, Conditional)):
            inside = (
                literal.elements if isinstance(literal, Aggregate) else (literal.literal, literal.condition)
            )
            outer = set(variables(inside)) & self.shared
            guarded = isinstance(literal, Aggregate) and not all(
                known(t) or (sign == "=" and not literal.sign) for sign, t in literal.guards
            )
            return -5 if outer <= bound and not guarded else None
        if isinstance(literal, Comparison):
            sides = [literal.left, *(t for _, t in literal.guards)]
            if all(map(self._value, sides)) and sides[0][0] != "range":
                return 100
            single = len(literal.guards) == 1 and literal.guards[0][0] == "=" and not literal.sign
            ways = zip(sides, reversed(sides), strict=True)
            if not single or not any(self._value(a) and self._matchable(b) for a, b in ways):
                return None
            return 4 if any(t[0] == "range" for t in sides) else 90
        assert isinstance(literal, Predicate)
        if literal.sign:
            return 80 if set(variables(literal.args)) <= bound else None
        count = sum(map(known, literal.args))
        if count == len(literal.args):
            return 95
        if not all(map(self._matchable, literal.args)):
            return None
        return 10 * count / len(literal.args) + 5 * (literal.name in _FIRST)

    def _value(self, term: Tree) -> bool:
        """Whether a term gives values: it has one, or is a range between two."""
        return all(map(self.writer.known, term[1:])) if term[0] == "range" else self.writer.known(term)

    def _matchable(self, term: Tree) -> bool:
        """Whether a value can be matched against a term here."""
        if term[0] == "op" and not self.writer.known(term):
            left, right = (self.writer.known(t) for t in term[2:])
            sides = {left: term[2], right: term[3]}
            return left != right and term[1] in ("+", "-") and sides[False][0] == "var"
        if term[0] == "range":
            return all(map(self.writer.known, term[1:]))
        return all(map(self._matchable, term[2])) if term[0] == "fun" else True

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
        if left[0] == "range" or not self._value(right) or not self._matchable(left):
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
        found = writer.fresh()
        writer.line(f"{found} = set()")
        for terms, condition in literal.elements:
            for body in product(*map(_unpooled, condition)):
                with writer.apart():
                    self.join(body, set(variables(terms)))
                    writer.defined(*terms)
                    writer.line(f"{found}.add(({''.join(f'{writer.expression(t)},' for t in terms)}))")
        value = writer.fresh()
        writer.line(f"{value} = {_VALUES[literal.function].format(found)}")
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
        for body in product(*map(_unpooled, literal.condition)):
            with writer.apart():
                self.join(body, set(variables(literal.literal)))
                inner = writer.fresh()
                writer.line(f"{inner} = False")
                with writer.apart():
                    self.join([literal.literal], set())
                    writer.line(f"{inner} = True")
                writer.line(f"if not {inner}: {holds} = False")
        writer.under(f"if {holds}:")

    def predicate(self, literal: Predicate, later: set[str]) -> None:
        """Goes through the rows that match an atom, or tests that there is one, or none."""
        writer, args = self.writer, literal.args
        relation = writer.relation(literal.name, len(args))
        places = [k for k, term in enumerate(args) if writer.known(term)]
        writer.defined(*(args[k] for k in places))
        open_ = [term for term in args if not writer.known(term)]
        names = [term[1] for term in open_ if term[0] == "var"]
        plain = all(term[0] in ("var", "any") for term in open_) and len(names) == len(set(names))
        if plain and (literal.sign or later.isdisjoint(names)):
            among = "not in" if literal.sign % 2 else "in"
            if len(places) == len(args):
                row = "".join(f"{writer.expression(t)}," for t in args)
                writer.under(f"if ({row}) {among} {relation}.rows:")
            elif places:
                writer.under(f"if {self._key(args, places)} {among} {relation}.index({_mask(places)}):")
            else:
                writer.under(f"if {'not ' if literal.sign % 2 else ''}{relation}.rows:")
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

    def _rows(self, relation: str, args: tuple[Tree, ...], places: list[int]) -> None:
        """Goes through the rows that match the arguments, of which those at some places have values."""
        row = self.writer.fresh()
        if places:
            self.writer.under(
                f"for {row} in {relation}.index({_mask(places)}).get({self._key(args, places)}, ()):"
            )
        else:
            self.writer.under(f"for {row} in {relation}.rows:")
        for k, term in enumerate(args):
            if k not in places:
                self.writer.match(term, f"{row}[{k}]")

    def _key(self, args: tuple[Tree, ...], places: list[int]) -> str:
        """What stands at some places, as an index has it."""
        parts = [self.writer.expression(args[k]) for k in places]
        return parts[0] if len(parts) == 1 else f"({','.join(parts)})"


def _mask(places: Sequence[int]) -> int:
    """Places as a bit mask."""
    return sum(1 << k for k in places)


__all__ = ["Code", "code_of", "source", "variable"]
