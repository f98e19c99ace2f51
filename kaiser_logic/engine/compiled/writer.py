"""The lines of one rule's function while they are written: what is bound at the place that has been reached."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from ...rules.pattern import Signature
from .trees import Tree
from .values import Unsupported


class Writer:
    """Lines of Python, each one deeper than the loop or condition above it.

    Attributes:
        lines: What has been written.
        relations: The relations that are read: for each predicate how it is called.
        indexes: The names of the indexes that are looked up at their first use, wherever that is.
        bound: The variables that have a value at this place.
        single: Those that stand in one place only: nobody asks for their value, and none is taken.
        integers: Those of them whose value is known to be a number.
    """

    def __init__(self) -> None:
        """Nothing is written yet."""
        self.lines: list[str] = []
        self.single: set[str] = set()
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

    def known(self, term: Tree) -> bool:
        """Whether a term has a value at this place."""
        if term[0] == "var":
            return term[1] in self.bound
        if term[0] in ("fun", "pool"):
            return all(map(self.known, term[-1]))
        if term[0] == "op":
            return self.known(term[2]) and self.known(term[3])
        return term[0] in ("num", "const", "str")

    def numeric(self, term: Tree) -> bool:
        """Whether a term's value is known to be a number."""
        return term[0] in ("num", "op") or (term[0] == "var" and term[1] in self.integers)

    def expression(self, term: Tree) -> str:
        """The Python of a term."""
        kind = term[0]
        if kind == "var":
            return variable(term[1])
        if kind == "num":
            return str(term[1])
        if kind == "const":
            return repr(term[1])
        if kind == "str":
            return repr(f'"{term[1]}')
        if kind == "fun":
            return row((repr(term[1]), *map(self.expression, term[2])))
        if kind == "op":
            left, right = map(self.expression, term[2:])
            form = {"+": "({}+{})", "-": "({}-{})", "*": "checked({}*{})", "/": "divided({},{})"}
            return form.get(term[1], "rest({},{})").format(left, right)
        raise Unsupported(str(term))

    def conditions(self, *terms: Tree) -> list[str]:
        """What must be so for terms to have values: numbers where it is calculated, and no division by nothing."""
        found: list[str] = []
        for term in terms:
            if term[0] == "fun":
                found += self.conditions(*term[2])
            elif term[0] == "op":
                for part in term[2:]:
                    if part[0] == "op":
                        found += self.conditions(part)
                    elif part[0] not in ("var", "num"):
                        found.append("False")
                    elif not self.numeric(part):
                        found.append(f"type({self.expression(part)}) is int")
                        self.integers.add(part[1])
                if term[1] in ("/", "\\"):
                    found.append(f"{self.expression(term[3])} != 0")
        return found

    def defined(self, *terms: Tree) -> None:
        """Goes on only where the terms have values."""
        found = self.conditions(*terms)
        if found:
            self.under(f"if {' and '.join(found)}:")

    def match(self, term: Tree, code: str) -> None:
        """Goes on where a value is the term's, whose variables get their values from it."""
        kind = term[0]
        if kind == "any":
            return
        if self.known(term):
            self.defined(term)
            self.under(f"if {code} == {self.expression(term)}:")
        elif kind == "var":
            if term[1] not in self.single:
                self.line(f"{variable(term[1])} = {code}")
            self.bound.add(term[1])
        elif kind == "fun":
            name = code
            if not code.isidentifier():
                name = self.fresh()
                self.line(f"{name} = {code}")
            size = len(term[2]) + 1
            self.under(f"if type({name}) is tuple and len({name}) == {size} and {name}[0] == {term[1]!r}:")
            names, parts = self.parted(dict(enumerate(term[2], 1)), size)
            if names:
                self.line(f"{names} = {name}")
            for place, part, own in parts:
                self.match(part, own or f"{name}[{place}]")
        elif kind == "op" and term[1] in ("+", "-"):
            self._solve(term, code)
        elif kind == "range" and self.known(term[1]) and self.known(term[2]):
            self.defined(term[1], term[2])
            low, high = self.expression(term[1]), self.expression(term[2])
            self.under(f"if type({code}) is int and {low} <= {code} <= {high}:")
        else:
            raise Unsupported(str(term))

    def parted(self, terms: Mapping[int, Tree], size: int) -> tuple[str, list[tuple[int, Tree, str]]]:
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
            if term[0] == "var" and term[1] not in self.bound:
                names[place] = variable(term[1])
                self.bound.add(term[1])
            else:
                names[place] = self.fresh()
                left.append((place, term, names[place]))
        return ",".join(names) if size > 1 else f"{names[0]},", left

    def _ignored(self, term: Tree) -> bool:
        """Whether a value need not be looked at: it may be anything, and nobody asks for it."""
        alone = term[0] == "var" and term[1] in self.single
        if alone:
            self.bound.add(term[1])
        return alone or term[0] == "any"

    def _solve(self, term: Tree, code: str) -> None:
        """Matches a sum or a difference in which one side is a variable without a value."""
        _, sign, left, right = term
        if left[0] == "var" and left[1] not in self.bound and self.known(right):
            unknown, other, calculated = left, right, f"{code} {'-' if sign == '+' else '+'} {{}}"
        elif right[0] == "var" and right[1] not in self.bound and self.known(left):
            calculated = f"{code} - {{}}" if sign == "+" else f"{{}} - {code}"
            unknown, other = right, left
        else:
            raise Unsupported(str(term))
        kinds = [f"type({code}) is int", *self.conditions(("op", "+", other, ("num", 0)))]
        self.under(f"if {' and '.join(kinds)}:")
        self.line(f"{variable(unknown[1])} = {calculated.format(self.expression(other))}")
        self.bound.add(unknown[1])
        self.integers.add(unknown[1])


def row(values: Sequence[str]) -> str:
    """The Python of a tuple."""
    return f"({values[0]},)" if len(values) == 1 else f"({','.join(values)})"


def variable(name: str) -> str:
    """The Python name of a variable."""
    return f"V_{_plain(name)}"


def _plain(name: str) -> str:
    """A name as Python has it: no rulebook has the letter that stands for clingo's apostrophe."""
    return name.replace("'", "é")
