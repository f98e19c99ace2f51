"""Generates the Python source of a rule: a function that joins relations.

A greedy order of the literals keeps joins cheap: tests come first, then the atoms with the most bound arguments.

>>> from ...lang.reader import read_rule
>>> text, read = source(read_rule("p(R,N+1) :- q(R,N), not r(R,_)."), ("p", 2))
>>> read
(('q', 2), ('r', 2))
>>> print(text.strip())
def rule(D,new,n1,n2):
 i2_1 = None
 for V_R,V_N in D[n1].rows:
  if i2_1 is None: i2_1 = D[n2].index(1)
  if V_R not in i2_1:
   if type(V_N) is int:
    V_V1 = (V_N+1)
    new((V_R,V_V1))
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from itertools import combinations
from typing import Final

from ...lang.algebra import occurrences, variables, variables_outside
from ...lang.modes import bound_by, solves
from ...lang.normal import normal
from ...lang.terms import (
    ABSOLUTE,
    ANY,
    COMPLEMENT,
    NEGATIVE,
    Aggregate,
    Atom,
    Compare,
    Element,
    Fun,
    Int,
    Literal,
    Name,
    Op,
    Range,
    Refused,
    Rule,
    Signature,
    Term,
    Text,
    Var,
)
from ...rules import predicates
from .relations import by_name, is_added
from .values import LARGE, NotCompiled


def source(rule: Rule, derived: Signature, exact: bool = False) -> tuple[str, tuple[Signature, ...]]:
    """Generates the function by which a rule derives a predicate of its head.

    Its first parameters are the database and a function that it calls with each derived row. The numbers of predicates differ
    between processes, so the numbers of the predicates that it reads are further parameters.

    Args:
        rule: The rule.
        derived: The predicate.
        exact: Whether each calculation is checked, for :data:`.values.EXACT`.

    Returns:
        The source, and the predicates of these further parameters.

    Raises:
        Unsupported: The rule has a construct that is not compiled.
    """
    try:
        rules = normal(rule)
    except Refused as refused:
        raise NotCompiled(str(refused)) from None
    writer = Writer(exact)
    for one in rules:
        if any(head.signature == derived for head in one.heads):
            with writer.keep_scope():
                Body(writer, one).write()
    parameters = ",".join(["D", "new", *(f"n{k}" for k in writer.relations.values())])
    own = writer.indexes if len(writer.functions) == 1 else writer.variables()
    top = [f" {' = '.join(own)} = None"] if own else []
    top += [f" m{k} = {{}}" for k in range(1, writer.memos + 1)]
    first, *helpers = writer.functions
    for k, lines in enumerate(helpers, 1):
        top += [f" def h{k}():", *([f"  nonlocal {','.join(own)}"] if own else []), *lines]
    return "\n".join([f"def rule({parameters}):", *top, *(first or [" pass"]), ""]), tuple(writer.relations)


# -- joins ---------------------------------------------------------------------------------------------------
#
# The code for the literals of a rule in normal form.


_VALUES: Final = {
    "#sum": "total({})",
    "#count": "len({})",
    "#min": "least({},'#sup')",
    "#max": "most({},'#inf')",
}
_MOST: Final = 10 * LARGE
_COUNTED: Final = {"#sum": f"{{0}} if {-_MOST} <= {{0}} <= {_MOST} else check_size({{0}})", "#count": "{}"}
"""The values of aggregates that are counted without a set, because no tuple occurs twice."""
_SMALL: Final = 1_000
_NONE: Final = (("=", Int(0)),)


class Body:
    """Generates the code of one rule in normal form."""

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
        """Writes the code of the rule."""
        head = self.rule.head
        assert isinstance(head, Atom)
        self.join(self.rule.body, set(variables(head)), self.names)
        if not all(map(self.writer.is_bound, head.args)):
            raise NotCompiled(f"unsafe: {head}")
        self.writer.line(f"new({row([*map(self.writer.expression, head.args)])})")

    def join(self, body: Sequence[Literal], needed: set[str], known: Sequence[set[str]] = ()) -> None:
        """Writes the code for a conjunction.

        Args:
            body: The literals.
            needed: The variables that are needed after them.
            known: The variables of each literal, if they are known already.
        """
        pending = list(zip(body, known or [set(variables(literal)) for literal in body], strict=True))
        while pending:
            best, place = None, 0
            for k, (literal, names) in enumerate(pending):
                rating = score(self.writer, literal, names, self.shared, body)
                if rating is not None and (best is None or rating > best):
                    best, place = rating, k
            if best is None:
                raise NotCompiled(f"unsafe: {[literal for literal, _ in pending]}")
            literal, _ = pending.pop(place)
            self.literal(literal, needed.union(*(names for _, names in pending)))

    # -- literals --------------------------------------------------------------------------------------------------------

    def literal(self, literal: Literal, needed: set[str]) -> None:
        """Writes the code for a literal. The next line is executed for each of its instances."""
        if isinstance(literal, Compare):
            self.comparison(literal)
        elif isinstance(literal, Aggregate):
            self.aggregate(literal)
        else:
            assert isinstance(literal, Atom)
            self.predicate(literal, needed)

    def comparison(self, literal: Compare) -> None:
        """Writes the test of a comparison, or the assignment of a variable."""
        writer, left, right = self.writer, literal.left, literal.right
        if isinstance(right, Range):
            self.range(left, right)
        elif isinstance(right, Op):
            if not (writer.is_bound(right.left) and writer.is_bound(right.right)):
                writer.solve(right, left)
                return
            writer.write_value_test(right)
            value = writer.calculation(right)
            if not writer.exact and _may_grow(right):
                name = writer.fresh()
                writer.line(f"{name} = {value}")
                writer.line(f"if not {-_MOST} <= {name} <= {_MOST}: check_size({name})")
                value = name
            writer.match(left, value)
            if type(left) is Var:
                writer.integers.add(left.name)
        elif writer.is_bound(left) and writer.is_bound(right):
            writer.write_block(f"if {self.code_of_comparison(writer.expression(left), left, literal.op, right)}:")
        else:
            if not writer.is_bound(right):
                left, right = right, left
            value = writer.expression(right)
            if type(left) is not Var and not value.isidentifier():
                value = writer.fresh()
                writer.line(f"{value} = {writer.expression(right)}")
            writer.match(left, value)
            if type(left) is Var and writer.numeric(right):
                writer.integers.add(left.name)

    def range(self, left: Term, right: Range) -> None:
        """Writes the loop over the numbers of a range, or the test that a value is one of them."""
        writer = self.writer
        tests = writer.numbers(right.low, right.high)
        if tests:
            writer.write_block(f"if {' and '.join(tests)}:")
        low, high = writer.expression(right.low), writer.expression(right.high)
        if writer.is_bound(left):
            code = writer.expression(left)
            writer.write_block(f"if type({code}) is int and {low} <= {code} <= {high}:")
            return
        assert isinstance(left, Var)
        name = writer.fresh()
        writer.write_block(f"for {name} in span({low}, {high}):")
        writer.match(left, name)
        writer.integers.add(left.name)

    def code_of_comparison(self, value: str, left: Term | None, op: str, right: Term) -> str:
        """The code that compares a value with a term.

        Args:
            value: The code of the value.
            left: The term of the value; None if it is known to be a number.
            op: The sign of the comparison.
            right: The other term.
        """
        other = self.writer.expression(right)
        if op in ("=", "!="):
            return f"{value} {'==' if op == '=' else '!='} {other}"
        numeric = left is None or self.writer.numeric(left), self.writer.numeric(right)
        if all(numeric):
            return f"{value} {op} {other}"
        first, second = (value, other) if op in ("<", ">=") else (other, value)
        test = f"less({first},{second})" if op in ("<", ">") else f"not less({first},{second})"
        unsure = [code for code, known in zip((value, other), numeric, strict=True) if not known]
        if not all(map(str.isidentifier, unsure)):
            return test
        tests = " and ".join(f"type({code}) is int" for code in unsure)  # mostly they are numbers
        return f"({value} {op} {other} if {tests} else {test})"

    def aggregate(self, literal: Aggregate) -> None:
        """Writes the comparison of an aggregate's value, or the assignment of a variable."""
        writer = self.writer
        function = literal.function
        collected, value = writer.fresh(), writer.fresh()
        if function == "#count" and literal.guards == _NONE:
            writer.line(f"{collected} = True")
            for element in literal.elements:
                with writer.keep_scope():
                    self.join(element.condition, set())
                    writer.line(f"{collected} = False")
            writer.write_block(f"if {collected}:")
            return
        if function not in _VALUES:
            raise NotCompiled(f"{function} is not compiled")
        counted = function in _COUNTED and all_once(literal.elements, writer.bound)
        outer = [name for name in dict.fromkeys(variables(literal.elements)) if name in writer.bound]
        kept = ""
        with writer.keep_scope():
            if writer.bound - writer.single - set(outer):  # the same values may come again
                memo, key = writer.memo(), row([*map(variable, outer)])
                kept = f"{memo}[{key}] = "
                writer.line(f"{value} = {memo}.get({key})")
                writer.write_block(f"if {value} is None:")
            writer.line(f"{collected} = {'0' if counted else 'set()'}")
            for element in literal.elements:
                with writer.keep_scope():
                    self.element(element, function, collected, counted)
            writer.line(f"{value} = {kept}{(_COUNTED if counted else _VALUES)[function].format(collected)}")
        number = function in _COUNTED
        ((op, term),) = literal.guards
        if not writer.is_bound(term):
            writer.match(term, value)
            if number and isinstance(term, Var):
                writer.integers.add(term.name)
            return
        bound = None if number else Var(value)  # no variable of a rule, and not known to be a number
        writer.write_block(f"if {self.code_of_comparison(value, bound, op, term)}:")

    def element(self, element: Element, function: str, collected: str, counted: bool) -> None:
        """Writes the code that adds the tuples of an element to the set ``collected``, or counts them there."""
        writer = self.writer
        self.join(element.condition, set(variables(element.terms)))
        parts = [*map(writer.expression, element.terms)]
        if not counted:
            writer.line(f"{collected}.add({row(parts)})")
        elif function == "#count":
            writer.line(f"{collected} += 1")
        else:
            test = "" if writer.numeric(element.terms[0]) else f"if type({parts[0]}) is int: "
            writer.line(f"{test}{collected} += {parts[0]}")

    def predicate(self, literal: Atom, needed: set[str]) -> None:
        """Writes the loop over the rows that match an atom, or the test whether there is such a row."""
        writer, args = self.writer, literal.args
        relation = writer.relation(literal.name, len(args))
        places = [k for k, term in enumerate(args) if writer.is_bound(term)]
        open_ = [term for k, term in enumerate(args) if k not in places]
        names = [term.name for term in open_ if type(term) is Var and term.name != "_"]
        distinct = all(type(term) is Var for term in open_) and len(names) == len(set(names))
        if distinct and (literal.sign or needed.isdisjoint(names)):
            among = "not in" if literal.sign % 2 else "in"
            if len(places) == len(args):
                writer.write_block(f"if {row([*map(writer.expression, args)])} {among} D[n{relation}].rows:")
            elif places:
                index = writer.index(relation, _mask(places))
                key = [writer.expression(args[k]) for k in places]
                writer.write_block(f"if {key[0] if len(key) == 1 else row(key)} {among} {index}:")
            else:
                writer.write_block(f"if {'not ' if literal.sign % 2 else ''}D[n{relation}].rows:")
            return
        if literal.sign:
            is_met = writer.fresh()
            writer.line(f"{is_met} = False")
            with writer.keep_scope():
                self._rows(literal.name, relation, args, places)
                writer.line(f"{is_met} = True")
            writer.write_block(f"if {'not ' if literal.sign % 2 else ''}{is_met}:")
            return
        self._rows(literal.name, relation, args, places)

    def _rows(self, name: str, relation: int, args: tuple[Term, ...], places: list[int]) -> None:
        """Writes the loop over the rows that match the arguments; those at ``places`` are bound."""
        writer = self.writer
        among = f"D[n{relation}].rows"
        key = [writer.expression(args[k]) for k in places]
        mask, named = _mask(places), _function_in(name, args, writer.is_bound)
        if named:
            key.append(repr(named[1]))
            mask |= by_name(named[0])
        if key:
            among = f"{writer.index(relation, mask)}.get({key[0] if len(key) == 1 else row(key)}, ())"
        names, parts = writer.unpack({k: t for k, t in enumerate(args) if k not in places}, len(args))
        row_name = names or writer.fresh()
        writer.write_block(f"for {row_name} in {among}:")
        for k, term, own in parts:
            writer.match(term, own or f"{row_name}[{k}]")


def _may_grow(term: Op) -> bool:
    """Whether a sum or difference may have many times the size of its terms, if rules calculate again and again.

    If one term is a small number, this takes more rounds than there are (`.program.ROUNDS`).
    """
    small = any(isinstance(part, Int) and abs(part.value) <= _SMALL for part in (term.left, term.right))
    return term.sign in ("+", "-") and not small


def _mask(places: Sequence[int]) -> int:
    """Places as a bit mask."""
    return sum(1 << k for k in places)


# -- writer --------------------------------------------------------------------------------------------------
#
# The writer keeps the lines of a function, and the variables that are bound at the current line.


_CALCULATED: Final = {
    "+": "({}+{})",
    "-": "({}-{})",
    "*": "check_size({}*{})",
    "/": "divide({},{})",
    "\\": "rest({},{})",
}
_EXACTLY: Final = {
    **_CALCULATED,
    "+": "check_size({}+{})",
    "-": "check_size({}-{})",
    "/": "check_size(divide({},{}))",
    "**": "check_size(power({},{}))",
    "&": "({}&{})",
    "?": "({}|{})",
    "^": "({}^{})",
    ABSOLUTE: "check_size(abs({1}))",
    COMPLEMENT: "(~{1})",
}


_LOOPS: Final = 15
"""The largest number of loops inside one another in a function: Python compiles 20, and"""
_DEEPEST: Final = 60
"""the largest indentation: Python reads 100."""
_OWN_NAME: Final = re.compile(r"\b(?:V_\w+|x\d+|i\d+_\d+)\b")


class Writer:
    """Writes lines of Python, each indented below the loop or condition above it.

    Where loops are nested too deeply, a helper function goes on: it is called there, and shares all variables of the function.

    Attributes:
        functions: The lines so far of the function, and of its helper functions.
        relations: The predicates that are read, with the numbers of their parameters.
        indexes: The names of the indexes that are looked up at their first use.
        memos: The number of dictionaries that `memo` has named.
        bound: The variables that have a value at the current line.
        single: The variables that occur only once: their values are not needed.
        last: The variables that occur in one literal of the body only: operations that define them are evaluated late.
        integers: The bound variables that are known to be numbers.
        whole: The function terms that have been unpacked, with the names of their values.
    """

    def __init__(self, exact: bool = False) -> None:
        """Begins an empty function; ``exact``: whether each calculation is checked."""
        self.exact = exact
        self.functions: list[list[str]] = [[]]
        self.single: set[str] = set()
        self.last: set[str] = set()
        self.bound: set[str] = set()
        self.integers: set[str] = set()
        self.relations: dict[Signature, int] = {}
        self.whole: dict[Term, str] = {}
        self.indexes: dict[str, None] = {}
        self.memos = 0
        self._looked: set[str] = set()
        self._lines = self.functions[0]
        self._depth = 1
        self._loops = 0
        self._names = 0

    def fresh(self) -> str:
        """A new name."""
        self._names += 1
        return f"x{self._names}"

    def memo(self) -> str:
        """The name of a new dictionary for the values of an aggregate. It lives as long as the function runs."""
        self.memos += 1
        return f"m{self.memos}"

    def line(self, text: str) -> None:
        """Writes a line."""
        self._lines.append(" " * self._depth + text)

    def write_block(self, text: str) -> None:
        """Writes a line; the following lines are indented below it, or in a helper function that is called there."""
        loop = text.startswith("for ")
        if self._loops + loop > _LOOPS or self._depth > _DEEPEST:
            self.line(f"h{len(self.functions)}()")
            self._lines = []
            self.functions.append(self._lines)
            self._depth, self._loops = 2, 0
        self.line(text)
        self._depth += 1
        self._loops += loop

    def variables(self) -> list[str]:
        """The names that the lines assign or read, without those of relations."""
        return sorted({name for lines in self.functions for line in lines for name in _OWN_NAME.findall(line)})

    @contextmanager
    def keep_scope(self) -> Iterator[None]:
        """Restores indentation and bindings on leaving."""
        place = self._lines, self._depth, self._loops
        known = set(self.bound), set(self.integers), set(self._looked), dict(self.whole)
        yield
        self._lines, self._depth, self._loops = place
        self.bound, self.integers, self._looked, self.whole = known

    def relation(self, name: str, arity: int) -> int:
        """The number of a predicate's parameter, from 1."""
        return self.relations.setdefault((name, arity), len(self.relations) + 1)

    def index(self, relation: int, mask: int) -> str:
        """The code for an index of a relation.

        Inside loops and conditions it is a name, to which the index is assigned at its first use.
        """
        code = f"D[n{relation}].index({mask})"
        if self._depth == 1:  # this line is executed once
            return code
        name = f"i{relation}_{mask}"
        if name not in self._looked:
            self.indexes[name] = None
            self._looked.add(name)
            self.line(f"if {name} is None: {name} = {code}")
        return name

    # -- terms -----------------------------------------------------------------------------------------------------------

    def is_bound(self, term: Term) -> bool:
        """Whether a simple term is bound at the current line."""
        if type(term) is Var:
            return term.name in self.bound
        return all(map(self.is_bound, term.args)) if type(term) is Fun else True

    def numeric(self, term: Term) -> bool:
        """Whether a term is known to be a number."""
        return type(term) is Int or (type(term) is Var and term.name in self.integers)

    def expression(self, term: Term) -> str:
        """The code of a simple term."""
        match term:
            case Var(name):
                return variable(name)
            case Int(number):
                return str(number)
            case Name(text):
                return repr(text)
            case Text(text):
                return repr(f'"{text}')
            case Fun(name, args):
                return self.whole.get(term) or row((repr(name), *map(self.expression, args)))
            case _:
                raise NotCompiled(str(term))

    def calculation(self, term: Op) -> str:
        """The code of an operation; `write_value_test` must have tested that it has a value."""
        right = self.expression(term.right)
        if term.sign == NEGATIVE:
            return f"(-{right})" if self.numeric(term.right) and not self.exact else f"negate({right})"
        calculated = _EXACTLY if self.exact else _CALCULATED
        if term.sign not in calculated:
            raise NotCompiled(f"{term.sign} is not compiled")
        return calculated[term.sign].format(self.expression(term.left), right)

    def write_value_test(self, term: Op) -> None:
        """Writes the test that an operation has a value: its terms are numbers, and no divisor is 0."""
        if term.sign == NEGATIVE:
            return
        tests_written = self.numbers(term.left, term.right)
        if term.sign in ("/", "\\"):
            tests_written.append(f"{self.expression(term.right)} != 0")
        if tests_written:
            self.write_block(f"if {' and '.join(tests_written)}:")

    def numbers(self, *terms: Term) -> list[str]:
        """The tests that terms are numbers, without those known to be numbers."""
        tests: list[str] = []
        for term in terms:
            if type(term) is Var and term.name not in self.integers:
                tests.append(f"type({variable(term.name)}) is int")
                self.integers.add(term.name)
            elif type(term) is not Var and type(term) is not Int:
                tests.append("False")
        return tests

    def match(self, term: Term, code: str) -> None:
        """Writes the code that matches a value with a simple term and binds the term's variables."""
        if term == ANY:
            return
        if self.is_bound(term):
            self.write_block(f"if {code} == {self.expression(term)}:")
        elif isinstance(term, Var):
            if term.name not in self.single:
                self.line(f"{variable(term.name)} = {code}")
            self.bound.add(term.name)
        elif isinstance(term, Fun):
            name = code
            if not code.isidentifier():
                name = self.fresh()
                self.line(f"{name} = {code}")
            size = len(term.args) + 1
            self.write_block(f"if type({name}) is tuple and len({name}) == {size} and {name}[0] == {term.name!r}:")
            names, parts = self.unpack(dict(enumerate(term.args, 1)), size)
            if names:
                self.line(f"{names} = {name}")
            for place, part, own in parts:
                self.match(part, own or f"{name}[{place}]")
            self.whole[term] = name

    def unpack(self, terms: Mapping[int, Term], size: int) -> tuple[str, list[tuple[int, Term, str]]]:
        """Chooses how to unpack a tuple, and binds the variables among its terms.

        Args:
            terms: The terms that its values must match, by index.
            size: The number of its values. If few of many are needed, they are accessed by index.

        Returns:
            The names to which the tuple is unpacked, empty if values are accessed by index; and the matches that remain to be
            written: index, term, name of the value.
        """
        asked = [(place, term) for place, term in terms.items() if not self._is_ignored(term)]
        if not asked or size > 2 * len(asked) + 1:
            return "", [(place, term, "") for place, term in asked]
        names, parts = ["_"] * size, []
        for place, term in asked:
            if type(term) is Var and term.name not in self.bound:
                names[place] = variable(term.name)
                self.bound.add(term.name)
            else:
                names[place] = self.fresh()
                parts.append((place, term, names[place]))
        return ",".join(names) if size > 1 else f"{names[0]},", parts

    def _is_ignored(self, term: Term) -> bool:
        """Whether the value for a term is not needed: any value matches, and the variable occurs nowhere else."""
        if type(term) is not Var or term.name in self.bound:
            return False
        alone = term.name in self.single
        if alone:
            self.bound.add(term.name)
        return alone or term == ANY

    def solve(self, term: Op, result: Term) -> None:
        """Writes the assignment of the unknown variable in an operation, given the result and the other side."""
        unknown = solves(term, self.is_bound)
        assert unknown is not None
        own, value = variable(unknown.name), self.expression(result)
        if term.sign == NEGATIVE:
            self.line(f"{own} = negate({value})")
        else:
            other = term.right if unknown is term.left else term.left
            tests, known = self.numbers(result, other), self.expression(other)
            if term.sign == "*":
                tests.append(f"{value} % {known} == 0")
            if tests:
                self.write_block(f"if {' and '.join(tests)}:")
            if term.sign == "-" and unknown is term.right:
                code = f"{known} - {value}"
            else:
                code = f"{value} { {'+': '-', '-': '+', '*': '//'}[term.sign] } {known}"
            self.line(f"{own} = {f'check_size({code})' if self.exact else code}")
        self.bound.add(unknown.name)
        self.integers.add(unknown.name)


def row(values: Sequence[str]) -> str:
    """The code of a tuple."""
    return f"({values[0]},)" if len(values) == 1 else f"({','.join(values)})"


def variable(name: str) -> str:
    """The Python name of a variable. No rulebook has the letter that replaces clingo's apostrophe."""
    return "V_" + name.replace("'", "é")


# -- ordering ------------------------------------------------------------------------------------------------
#
# The order of the literals in a body: tests first, then atoms with the most bound arguments, ranges late, aggregates last.


FIRST: Final = {
    predicates.SUBMITTED[0],
    predicates.DUE[0],
    predicates.DECISION[0],
    "does",
    "made",
    "turn",
    "candidate",
}
"""Predicates with few atoms, which are joined first."""


def score(
    writer: Writer, literal: Literal, names: Set[str], shared: Set[str], body: Iterable[Literal] = ()
) -> float | None:
    """The priority of a literal; None if it cannot be evaluated yet.

    Args:
        writer: The writer with the bound variables.
        literal: The literal.
        names: Its variables.
        shared: The global variables of the rule.
        body: The whole body.
    """
    if isinstance(literal, Compare):
        return _comparison_priority(writer, literal)
    if isinstance(literal, Aggregate):
        outer = {name for name in variables(literal.elements) if name in shared}
        guarded = all(op == "=" or writer.is_bound(term) for op, term in literal.guards)
        return -5 if outer <= writer.bound and guarded else None
    assert isinstance(literal, Atom)
    if literal.sign:
        return 80 if names <= writer.bound else None
    count = sum(map(writer.is_bound, literal.args))
    if count == len(literal.args):
        return 95
    # the name of a function term distinguishes rows
    partly = sum(1 for t in literal.args if type(t) is Fun and not writer.is_bound(t))
    count += _function_in(literal.name, literal.args, writer.is_bound) is not None
    soon = is_added(literal.name) and not any(_hides(other, literal, names) for other in body)
    first = 50 * soon + 5 * (literal.name in FIRST)
    later = any(_is_calculated(writer, term, literal, body) for term in literal.args)
    return (10 * count + partly) / len(literal.args) / (10 if later else 1) + first


def _is_calculated(writer: Writer, term: Term, literal: Atom, body: Iterable[Literal]) -> bool:
    """Whether other atoms give the terms of the operation that defines a variable of an atom.

    After them the atom is a mere test: ``n(X+Y)`` after ``p(a,X)`` and ``q(b,Y)``. Before them, it is a loop.
    """
    if writer.is_bound(term):
        return False
    given = {
        arg
        for other in body
        if other is not literal and isinstance(other, Atom) and not other.sign
        for arg in other.args
    }
    return any(
        isinstance(other, Compare)
        and other.left == term
        and isinstance(other.right, Op)
        and all(writer.is_bound(part) or part in given for part in (other.right.left, other.right.right))
        for other in body
    )


def _function_in(predicate: str, args: Sequence[Term], is_bound: Callable[[Term], bool]) -> tuple[int, str] | None:
    """The first place of an atom with a function term that is not bound, and the name of the function.

    By that name an index finds the rows, if the predicate is one of `FIRST`: an action is told from other kinds by it.
    """
    if predicate not in FIRST:
        return None
    return next(((k, t.name) for k, t in enumerate(args) if type(t) is Fun and t.name and not is_bound(t)), None)


def _hides(other: Literal, literal: Atom, names: Set[str]) -> bool:
    """Whether another atom has a literal's variables only inside a function term with further variables.

    No index finds the rows of ``q(f(A,X))`` by ``X``. If ``p'(X)`` came first, each of its rows would need a loop over all rows
    of ``q``. In the other order an index finds the rows of ``p'`` for each row of ``q``.
    """
    if other is literal or not isinstance(other, Atom) or other.sign:
        return False
    if any(isinstance(term, Var) and term.name in names for term in other.args):
        return False
    inside = [set(variables(term)) for term in other.args if isinstance(term, Fun)]
    return any(used & names and not used <= names for used in inside)


def _comparison_priority(writer: Writer, literal: Compare) -> float | None:
    """The priority of a comparison: a test, an assignment, or a loop over a range; None if it cannot be evaluated yet."""
    known, left, right = writer.is_bound, literal.left, literal.right
    if isinstance(right, Range):
        if not (known(right.low) and known(right.high)):
            return None
        return 100 if known(left) else 4
    if isinstance(right, Op):
        if known(right.left) and known(right.right):
            if known(left):
                return 100
            return 90 if isinstance(left, Var) and left.name not in writer.last else 1
        return 90 if known(left) and solves(right, known) is not None else None
    if known(left) and known(right):
        return 100
    return 90 if literal.op == "=" and (known(left) or known(right)) else None


# -- once ----------------------------------------------------------------------------------------------------
#
# If each instance of a condition gives another tuple, an aggregate needs no set to remove duplicates.


def all_once(elements: Sequence[Element], bound: Collection[str]) -> bool:
    """Whether no two instances of the conditions give the same tuple.

    Args:
        elements: The elements of an aggregate, in normal form.
        bound: The variables that are bound outside of it.
    """
    if not all(_determines_condition(element, bound) for element in elements):
        return False
    return all(_differ(one.terms, other.terms) for one, other in combinations(elements, 2))


def _determines_condition(element: Element, bound: Collection[str]) -> bool:
    """Whether the tuple determines all variables of the condition."""
    known = {*bound, *variables(element.terms)}
    followed = [x for x in element.condition if isinstance(x, Compare) and not isinstance(x.right, Range)]
    known = bound_by(followed, known)
    return all(_single(literal, known) for literal in element.condition)


def _single(literal: Literal, known: set[str]) -> bool:
    """Whether a literal has at most one instance if these variables are known."""
    if isinstance(literal, Atom) and literal.sign:
        return True
    return not isinstance(literal, Aggregate) and known.issuperset(variables(literal))


def _differ(one: Sequence[Term], other: Sequence[Term]) -> bool:
    """Whether two tuples are never equal: their lengths differ, or they have different constants at one index."""
    return len(one) != len(other) or any(
        type(a) in _SINGLE and type(b) in _SINGLE and a != b for a, b in zip(one, other, strict=True)
    )


_SINGLE = (Int, Name, Text)
