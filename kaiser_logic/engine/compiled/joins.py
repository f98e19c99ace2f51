"""A rule in normal form, while its lines are written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from ...lang.algebra import occurrences, variables, variables_outside
from ...lang.terms import Aggregate, Atom, Compare, Element, Int, Literal, Op, Range, Rule, Term, Var
from .once import all_once
from .ordering import score
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
_NONE: Final = (("=", Int(0)),)


class Body:
    """A rule in normal form, while it is written."""

    def __init__(self, writer: Writer, rule: Rule) -> None:
        self.writer = writer
        self.rule = rule
        parts = [occurrences(literal) for literal in rule.body]
        self.names = [set(names) for names in parts]
        self.shared = set(variables_outside(rule))
        counted = Counter(name for names in parts for name in names)
        writer.last = {name for name, count in counted.items() if count == 1}
        counted.update(occurrences(rule.head or ()))
        writer.single = {name for name, count in counted.items() if count == 1}

    def write(self) -> None:
        """Writes all of it."""
        head = self.rule.head
        assert isinstance(head, Atom)
        self.join(self.rule.body, set(variables(head)), self.names)
        self.writer.line(f"new({row([*map(self.writer.expression, head.args)])})")

    def join(self, body: Sequence[Literal], later: set[str], known: Sequence[set[str]] = ()) -> None:
        """Goes on below where all literals hold, with what is needed ``later``; ``known``: their variables, if known."""
        left = list(zip(body, known or [set(variables(literal)) for literal in body], strict=True))
        while left:
            best, place = None, 0
            for k, (literal, names) in enumerate(left):
                found = score(self.writer, literal, names, self.shared, body)
                if found is not None and (best is None or found > best):
                    best, place = found, k
            if best is None:
                raise Unsupported(f"unsafe: {[literal for literal, _ in left]}")
            literal, _ = left.pop(place)
            self.literal(literal, later.union(*(names for _, names in left)))

    # -- literals --------------------------------------------------------------------------------------------------------

    def literal(self, literal: Literal, later: set[str]) -> None:
        """Goes on below where a literal holds."""
        if isinstance(literal, Compare):
            self.comparison(literal)
        elif isinstance(literal, Aggregate):
            self.aggregate(literal)
        else:
            assert isinstance(literal, Atom)
            self.predicate(literal, later)

    def comparison(self, literal: Compare) -> None:
        """Tests a comparison, or gives a variable its value."""
        writer, left, right = self.writer, literal.left, literal.right
        if isinstance(right, Range):
            self.range(left, right)
        elif isinstance(right, Op):
            if not (writer.known(right.left) and writer.known(right.right)):
                writer.solve(right, left)
                return
            writer.defined(right)
            writer.match(left, writer.calculation(right))
            if type(left) is Var:
                writer.integers.add(left.name)
        elif writer.known(left) and writer.known(right):
            writer.under(f"if {self.compared(writer.expression(left), left, literal.op, right)}:")
        else:
            if not writer.known(right):
                left, right = right, left
            value = writer.expression(right)
            if type(left) is not Var and not value.isidentifier():
                value = writer.fresh()
                writer.line(f"{value} = {writer.expression(right)}")
            writer.match(left, value)
            if type(left) is Var and writer.numeric(right):
                writer.integers.add(left.name)

    def range(self, left: Term, right: Range) -> None:
        """Goes through the numbers of a range, or tests that a value is one."""
        writer = self.writer
        tests = writer.numbers(right.low, right.high)
        if tests:
            writer.under(f"if {' and '.join(tests)}:")
        low, high = writer.expression(right.low), writer.expression(right.high)
        if writer.known(left):
            code = writer.expression(left)
            writer.under(f"if type({code}) is int and {low} <= {code} <= {high}:")
            return
        assert isinstance(left, Var)
        name = writer.fresh()
        writer.under(f"for {name} in range({low}, {high} + 1):")
        writer.match(left, name)
        writer.integers.add(left.name)

    def compared(self, value: str, left: Term | None, op: str, right: Term) -> str:
        """How a value is compared with a term; ``left``: the term that it is, or None for a number."""
        other = self.writer.expression(right)
        if op in ("=", "!="):
            return f"{value} {'==' if op == '=' else '!='} {other}"
        if (left is None or self.writer.numeric(left)) and self.writer.numeric(right):
            return f"{value} {op} {other}"
        first, second = (value, other) if op in ("<", ">=") else (other, value)
        return f"less({first},{second})" if op in ("<", ">") else f"not less({first},{second})"

    def aggregate(self, literal: Aggregate) -> None:
        """Compares an aggregate's value, or gives it to a variable."""
        writer = self.writer
        function = literal.function
        found, value = writer.fresh(), writer.fresh()
        if function == "#count" and literal.guards == _NONE:
            writer.line(f"{found} = True")
            for element in literal.elements:
                with writer.apart():
                    self.join(element.condition, set())
                    writer.line(f"{found} = False")
            writer.under(f"if {found}:")
            return
        if function not in _VALUES:
            raise Unsupported(f"{function} is not compiled")
        counted = function in _COUNTED and all_once(literal.elements, writer.bound)
        writer.line(f"{found} = {'0' if counted else 'set()'}")
        for element in literal.elements:
            with writer.apart():
                self.element(element, function, found, counted)
        writer.line(f"{value} = {(_COUNTED if counted else _VALUES)[function].format(found)}")
        number = function in _COUNTED
        ((op, term),) = literal.guards
        if not writer.known(term):
            writer.match(term, value)
            if number and isinstance(term, Var):
                writer.integers.add(term.name)
            return
        bound = None if number else Var(value)  # no variable of a rule, and not known to be a number
        writer.under(f"if {self.compared(value, bound, op, term)}:")

    def element(self, element: Element, function: str, found: str, counted: bool) -> None:
        """Adds the tuples of an element to those that are found, or counts them."""
        writer = self.writer
        self.join(element.condition, set(variables(element.terms)))
        parts = [*map(writer.expression, element.terms)]
        if not counted:
            writer.line(f"{found}.add({row(parts)})")
        elif function == "#count":
            writer.line(f"{found} += 1")
        else:
            test = "" if writer.numeric(element.terms[0]) else f"if type({parts[0]}) is int: "
            writer.line(f"{test}{found} += {parts[0]}")

    def predicate(self, literal: Atom, later: set[str]) -> None:
        """Goes through the rows that match an atom, or tests that there is one, or none."""
        writer, args = self.writer, literal.args
        relation = writer.relation(literal.name, len(args))
        places = [k for k, term in enumerate(args) if writer.known(term)]
        open_ = [term for k, term in enumerate(args) if k not in places]
        names = [term.name for term in open_ if type(term) is Var and term.name != "_"]
        distinct = all(type(term) is Var for term in open_) and len(names) == len(set(names))
        if distinct and (literal.sign or later.isdisjoint(names)):
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

    def _rows(self, relation: int, args: tuple[Term, ...], places: list[int]) -> None:
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

    def _key(self, args: tuple[Term, ...], places: list[int]) -> str:
        """What stands at some places, as an index has it."""
        parts = [self.writer.expression(args[k]) for k in places]
        return parts[0] if len(parts) == 1 else row(parts)


def _mask(places: Sequence[int]) -> int:
    """Places as a bit mask."""
    return sum(1 << k for k in places)
