"""Terms, literals, rules and programs as immutable values.

A term is a variable, a number, a name, a text, a function term (a tuple has an empty name), an operation, a range or a
pool. A literal is an atom, a comparison, a chain of comparisons, a truth value, an aggregate, a conditional literal, or
a pool of atoms. Two values are equal if they say the same; where a rule stands makes no difference.

>>> Atom("p", (Var("X"), Op("+", Var("X"), Int(1))))
Atom(name='p', args=(Var(name='X'), Op(sign='+', left=Var(name='X'), right=Int(value=1))), sign=0)
>>> Var("x") == Name("x")
False
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeAlias, TypeVar, dataclass_transform

T = TypeVar("T")

Signature: TypeAlias = tuple[str, int]
"""A predicate: its name and its number of arguments."""


@dataclass_transform(frozen_default=True)
def value(cls: type[T]) -> type[T]:
    """The class of an immutable value.

    The type checker sees that nothing is assigned. Python is not asked to refuse it: then a value would take three times
    as long to be made, and a rulebook has a hundred thousand.
    """
    return dataclass(slots=True, unsafe_hash=True)(cls)


# -- terms -----------------------------------------------------------------------------------------------------------


@value
class Var:
    """A variable. The anonymous one, `ANY`, is another variable wherever it stands."""

    name: str


@value
class Int:
    """A number."""

    value: int


@value
class Name:
    """A constant; also ``#inf`` and ``#sup``, the least and the greatest term."""

    text: str


@value
class Text:
    """A string, without quotation marks and backslashes."""

    text: str


@value
class Fun:
    """A function term with at least one argument, or a tuple, whose name is empty."""

    name: str
    args: tuple[Term, ...]


@value
class Op:
    """A calculation. Those of one term, `UNARY`, have 0 on the left."""

    sign: str
    left: Term
    right: Term


@value
class Range:
    """All numbers between two; it stands for one of them."""

    low: Term
    high: Term


@value
class Pool:
    """Several terms, of which it stands for each."""

    terms: tuple[Term, ...]


Term: TypeAlias = Var | Int | Name | Text | Fun | Op | Range | Pool

ANY: Final = Var("_")
ZERO: Final = Int(0)
NEGATIVE, ABSOLUTE, COMPLEMENT = "neg", "abs", "not"
"""The operations of one term: ``-X``, ``|X|``, ``~X``."""
UNARY: Final = frozenset({NEGATIVE, ABSOLUTE, COMPLEMENT})


# -- literals --------------------------------------------------------------------------------------------------------

COMPLEMENTS: Final[Mapping[str, str]] = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
"""For each sign of a comparison the one that says the opposite: the table of signs that all share."""
FLIPPED: Final[Mapping[str, str]] = {"=": "=", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
"""For each sign of a comparison the one that says the same with the sides exchanged; likewise."""


@value
class Atom:
    """A predicate with its arguments; ``sign``: how often ``not`` stands before it."""

    name: str
    args: tuple[Term, ...]
    sign: int = 0

    @property
    def signature(self) -> Signature:
        """The predicate."""
        return (self.name, len(self.args))


@value
class Compare:
    """A comparison of two terms."""

    left: Term
    op: str
    right: Term
    sign: int = 0


@value
class Chain:
    """Several comparisons in a row: a term, and what it is compared with in turn."""

    left: Term
    links: tuple[tuple[str, Term], ...]
    sign: int = 0


@value
class Truth:
    """``#true`` or ``#false``; ``not`` before it makes the one the other."""

    holds: bool


@value
class Either:
    """A pool of atoms."""

    atoms: tuple[Atom, ...]
    sign: int = 0


@value
class Element:
    """An element of an aggregate: a tuple for each instance of the condition."""

    terms: tuple[Term, ...]
    condition: tuple[Literal, ...]


@value
class Aggregate:
    """An aggregate. ``guards``: what its value is compared with; the value stands on the left of each comparison."""

    function: str
    elements: tuple[Element, ...]
    guards: tuple[tuple[str, Term], ...]
    sign: int = 0


@value
class Conditional:
    """A literal that must hold wherever its condition does."""

    literal: Literal
    condition: tuple[Literal, ...]


Literal: TypeAlias = Atom | Compare | Chain | Truth | Either | Aggregate | Conditional


# -- rules -----------------------------------------------------------------------------------------------------------


class Place(NamedTuple):
    """A place in a file: line and column, both from 1."""

    file: str = ""
    line: int = 0
    column: int = 0


NOWHERE: Final = Place()


@value
class Choice:
    """Any of some atoms may follow, each where its condition holds; ``guards``: what their number is compared with.

    Encodings have choices; a rulebook has none, and neither has the normal form.
    """

    elements: tuple[tuple[Atom, tuple[Literal, ...]], ...]
    guards: tuple[tuple[str, Term], ...] = ()


@value
class Rule:
    """A rule; a fact has no body, a constraint no head.

    Attributes:
        head: What follows; a pool where several atoms do.
        body: What must hold.
        place: Where it stands.
        id: The id of the documented rule that it belongs to.
    """

    head: Atom | Either | Choice | None
    body: tuple[Literal, ...] = ()
    place: Place = field(default=NOWHERE, compare=False, repr=False)
    id: str | None = field(default=None, compare=False, repr=False)

    @property
    def heads(self) -> tuple[Atom, ...]:
        """The atoms that follow; none of a choice, from which none need follow."""
        if isinstance(self.head, Atom):
            return (self.head,)
        return self.head.atoms if isinstance(self.head, Either) else ()


Program: TypeAlias = tuple[Rule, ...]


class Refused(Exception):
    """An error: the language does not have the construct, or it has no normal form.

    Attributes:
        place: Where it stands.
        what: What it is.
        instead: The text to write instead; empty if the text cannot be read at all.
        kind: Its kind: ``syntax``, ``directive``, ``choice``, ``negation`` or ``script``.
    """

    def __init__(self, place: Place, what: str, instead: str = "", kind: str = "syntax") -> None:
        super().__init__(place, what, instead, kind)
        self.place, self.what, self.instead, self.kind = place, what, instead, kind

    def __str__(self) -> str:
        file, line, column = self.place
        where = f"{file}:{line}:{column}: " if file else f"line {line}, column {column}: " if line else ""
        return f"{where}{self.message}"

    @property
    def message(self) -> str:
        """The mistake, and what to write instead."""
        return f"{self.what}{f'; {self.instead}' if self.instead else ''}"
