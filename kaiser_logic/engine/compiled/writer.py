"""The lines of one rule's function while they are written: what is bound at the place that has been reached."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final

from ...lang.modes import solves
from ...lang.terms import ANY, NEGATIVE, Fun, Int, Name, Op, Signature, Term, Text, Var
from .values import Unsupported

_CALCULATED: Final = {
    "+": "({}+{})",
    "-": "({}-{})",
    "*": "checked({}*{})",
    "/": "divided({},{})",
    "\\": "rest({},{})",
}


class Writer:
    """Lines of Python, each one deeper than the loop or condition above it.

    Attributes:
        lines: What has been written.
        relations: The relations that are read: for each predicate how it is called.
        indexes: The names of the indexes that are looked up at their first use, wherever that is.
        bound: The variables that have a value at this place.
        single: Those that stand in one place only: nobody asks for their value, and none is taken.
        last: Those that stand in one literal only: what is calculated for the head alone is calculated last.
        integers: Those of the bound ones whose value is known to be a number.
    """

    def __init__(self) -> None:
        """Nothing is written yet."""
        self.lines: list[str] = []
        self.single: set[str] = set()
        self.last: set[str] = set()
        self.bound: set[str] = set()
        self.integers: set[str] = set()
        self.relations: dict[Signature, int] = {}
        self.indexes: dict[str, None] = {}
        self._looked: set[str] = set()
        self._depth = 1
        self._names = 0

    def fresh(self) -> str:
        """A name that is not used yet."""
        self._names += 1
        return f"x{self._names}"

    def line(self, text: str) -> None:
        """Writes a line."""
        self.lines.append(" " * self._depth + text)

    def under(self, text: str) -> None:
        """Writes a line, and goes on below it."""
        self.line(text)
        self._depth += 1

    @contextmanager
    def apart(self) -> Iterator[None]:
        """What is written and bound inside is left again."""
        depth, bound, integers, looked = (
            self._depth,
            set(self.bound),
            set(self.integers),
            set(self._looked),
        )
        yield
        self._depth, self.bound, self.integers, self._looked = depth, bound, integers, looked

    def relation(self, name: str, arity: int) -> int:
        """The number of a predicate's relation among those that are read, from 1."""
        return self.relations.setdefault((name, arity), len(self.relations) + 1)

    def index(self, relation: int, mask: int) -> str:
        """A relation's index at some places; in a loop or under a condition its name, looked up here if nowhere before."""
        found = f"D[n{relation}].index({mask})"
        if self._depth == 1:  # this line is run once
            return found
        name = f"i{relation}_{mask}"
        if name not in self._looked:
            self.indexes[name] = None
            self._looked.add(name)
            self.line(f"if {name} is None: {name} = {found}")
        return name

    # -- terms -----------------------------------------------------------------------------------------------------------

    def known(self, term: Term) -> bool:
        """Whether a simple term has a value at this place."""
        if type(term) is Var:
            return term.name in self.bound
        return all(map(self.known, term.args)) if type(term) is Fun else True

    def numeric(self, term: Term) -> bool:
        """Whether a term's value is known to be a number."""
        return type(term) is Int or (type(term) is Var and term.name in self.integers)

    def expression(self, term: Term) -> str:
        """The Python of a simple term."""
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
                return row((repr(name), *map(self.expression, args)))
            case _:
                raise Unsupported(str(term))

    def calculation(self, term: Op) -> str:
        """The Python of a calculation, below the conditions under which it has a value."""
        right = self.expression(term.right)
        if term.sign == NEGATIVE:
            return f"(-{right})" if self.numeric(term.right) else f"negated({right})"
        if term.sign not in _CALCULATED:
            raise Unsupported(f"{term.sign} is not compiled")
        return _CALCULATED[term.sign].format(self.expression(term.left), right)

    def defined(self, term: Op) -> None:
        """Goes on only where a calculation has a value: with numbers, and no division by nothing."""
        if term.sign == NEGATIVE:
            return
        found = self.numbers(term.left, term.right)
        if term.sign in ("/", "\\"):
            found.append(f"{self.expression(term.right)} != 0")
        if found:
            self.under(f"if {' and '.join(found)}:")

    def numbers(self, *terms: Term) -> list[str]:
        """What must be so for terms to be numbers."""
        found: list[str] = []
        for term in terms:
            if type(term) is Var and term.name not in self.integers:
                found.append(f"type({variable(term.name)}) is int")
                self.integers.add(term.name)
            elif type(term) is not Var and type(term) is not Int:
                found.append("False")
        return found

    def match(self, term: Term, code: str) -> None:
        """Goes on where a value is the simple term's, whose variables get their values from it."""
        if term == ANY:
            return
        if self.known(term):
            self.under(f"if {code} == {self.expression(term)}:")
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
            self.under(f"if type({name}) is tuple and len({name}) == {size} and {name}[0] == {term.name!r}:")
            names, parts = self.parted(dict(enumerate(term.args, 1)), size)
            if names:
                self.line(f"{names} = {name}")
            for place, part, own in parts:
                self.match(part, own or f"{name}[{place}]")

    def parted(self, terms: Mapping[int, Term], size: int) -> tuple[str, list[tuple[int, Term, str]]]:
        """The names by which a tuple is taken apart, and what is then still to be matched, each with the name of its value.

        Args:
            terms: The terms that its values must match, by place.
            size: How many values it has; of many few are better looked up by their places, under no names.
        """
        asked = [(place, term) for place, term in terms.items() if not self._ignored(term)]
        if not asked or size > 2 * len(asked) + 1:
            return "", [(place, term, "") for place, term in asked]
        names, left = ["_"] * size, []
        for place, term in asked:
            if type(term) is Var and term.name not in self.bound:
                names[place] = variable(term.name)
                self.bound.add(term.name)
            else:
                names[place] = self.fresh()
                left.append((place, term, names[place]))
        return ",".join(names) if size > 1 else f"{names[0]},", left

    def _ignored(self, term: Term) -> bool:
        """Whether a value need not be looked at: it may be anything, and nobody asks for it."""
        if type(term) is not Var or term.name in self.bound:
            return False
        alone = term.name in self.single
        if alone:
            self.bound.add(term.name)
        return alone or term == ANY

    def solve(self, term: Op, result: Term) -> None:
        """Gives the variable in a calculation its value, of which the result and the other side are known."""
        unknown = solves(term, self.known)
        assert unknown is not None
        own, value = variable(unknown.name), self.expression(result)
        if term.sign == NEGATIVE:
            self.line(f"{own} = negated({value})")
        else:
            other = term.right if unknown is term.left else term.left
            tests, known = self.numbers(result, other), self.expression(other)
            if term.sign == "*":
                tests.append(f"{value} % {known} == 0")
            if tests:
                self.under(f"if {' and '.join(tests)}:")
            if term.sign == "-" and unknown is term.right:
                self.line(f"{own} = {known} - {value}")
            else:
                self.line(f"{own} = {value} { {'+': '-', '-': '+', '*': '//'}[term.sign] } {known}")
        self.bound.add(unknown.name)
        self.integers.add(unknown.name)


def row(values: Sequence[str]) -> str:
    """The Python of a tuple."""
    return f"({values[0]},)" if len(values) == 1 else f"({','.join(values)})"


def variable(name: str) -> str:
    """The Python name of a variable."""
    return f"V_{_identifier(name)}"


def _identifier(name: str) -> str:
    """A name as Python has it: no rulebook has the letter that stands for clingo's apostrophe."""
    return name.replace("'", "é")
