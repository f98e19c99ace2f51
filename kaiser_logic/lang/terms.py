"""Terms, literals, rules and programs as immutable values.

A term is a variable, a number, a name, a text, a function term (a tuple has an empty name), an operation, a range or a
pool. A literal is an atom, a comparison, a chain of comparisons, a truth value, an aggregate, a conditional literal, or
a pool of atoms. Two values are equal if their parts are equal; the place of a rule does not matter.

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

LARGEST: Final = 2**31 - 1
"""The largest number: clingo computes with 32 bits, and wraps around silently."""

Signature: TypeAlias = tuple[str, int]
"""A predicate: its name and its number of arguments."""


@dataclass_transform(frozen_default=True)
def value(cls: type[T]) -> type[T]:
    """Makes a class of immutable values.

    The type checker refuses assignments. Python itself does not: a frozen dataclass takes three times as long to construct, and a
    rulebook has a hundred thousand values.
    """
    return dataclass(slots=True, unsafe_hash=True)(cls)


# -- terms -----------------------------------------------------------------------------------------------------------


@value
class Var:
    """A variable. Each occurrence of the anonymous variable, `ANY`, is a different variable."""

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
    """An arithmetic operation. An operation of one term has 0 on the left."""

    sign: str
    left: Term
    right: Term


@value
class Range:
    """An interval ``low..high``: it stands for each number from ``low`` to ``high``."""

    low: Term
    high: Term


@value
class Pool:
    """A pool ``(a;b)``: it stands for each of its terms."""

    terms: tuple[Term, ...]


Term: TypeAlias = Var | Int | Name | Text | Fun | Op | Range | Pool

ANY: Final = Var("_")
ZERO: Final = Int(0)
NEGATIVE, ABSOLUTE, COMPLEMENT = "neg", "abs", "not"
"""The operations of one term: ``-X``, ``|X|``, ``~X``."""


# -- literals --------------------------------------------------------------------------------------------------------

COMPLEMENTS: Final[Mapping[str, str]] = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
"""The complement of each comparison: ``X < Y`` holds if ``X >= Y`` does not."""
FLIPPED: Final[Mapping[str, str]] = {"=": "=", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
"""The converse of each comparison: ``X < Y`` holds if ``Y > X`` does."""


@value
class Atom:
    """A predicate with its arguments; ``sign`` is the number of ``not`` before it, up to 2."""

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
    """A chain of comparisons, such as ``0 < X < 9``: the first term, then each sign with the next term."""

    left: Term
    links: tuple[tuple[str, Term], ...]
    sign: int = 0


@value
class Truth:
    """``#true`` or ``#false``. The reader resolves a ``not`` before it."""

    holds: bool


@value
class Either:
    """A pool of atoms, such as ``p(1;2)``: in a body one of them suffices, a head derives each of them."""

    atoms: tuple[Atom, ...]
    sign: int = 0


@value
class Element:
    """An element of an aggregate, ``terms : condition``: it gives a tuple for each instance of the condition."""

    terms: tuple[Term, ...]
    condition: tuple[Literal, ...]


@value
class Aggregate:
    """An aggregate. Each guard is a sign and a term with which its value is compared; the value is the left side."""

    function: str
    elements: tuple[Element, ...]
    guards: tuple[tuple[str, Term], ...]
    sign: int = 0


@value
class Conditional:
    """A conditional literal: the literal must hold for each instance of the condition."""

    literal: Literal
    condition: tuple[Literal, ...]


Literal: TypeAlias = Atom | Compare | Chain | Truth | Either | Aggregate | Conditional


# -- rules -----------------------------------------------------------------------------------------------------------


class Place(NamedTuple):
    """A place in a file; line and column count from 1."""

    file: str = ""
    line: int = 0
    column: int = 0


NOWHERE: Final = Place()


@value
class Choice:
    """A choice among atoms, each under a condition; the guards compare the number of chosen atoms.

    Only encodings have choices. A rulebook has none, and the normal form has none.
    """

    elements: tuple[tuple[Atom, tuple[Literal, ...]], ...]
    guards: tuple[tuple[str, Term], ...] = ()


@value
class Rule:
    """A rule; a fact has no body, a constraint no head.

    Attributes:
        head: The head; a pool if the rule derives several atoms.
        body: The literals of the body.
        place: The place in its file.
        id: The id of the documented rule to which it belongs.
    """

    head: Atom | Either | Choice | None
    body: tuple[Literal, ...] = ()
    place: Place = field(default=NOWHERE, compare=False, repr=False)
    id: str | None = field(default=None, compare=False, repr=False)

    @property
    def heads(self) -> tuple[Atom, ...]:
        """The atoms that the rule derives; none for a choice, which need not choose any."""
        if isinstance(self.head, Atom):
            return (self.head,)
        return self.head.atoms if isinstance(self.head, Either) else ()


Program: TypeAlias = tuple[Rule, ...]


class Refused(Exception):
    """The text cannot be read, the language does not have the construct, or the rule has no normal form.

    Attributes:
        place: The place of the mistake.
        what: The mistake, in words.
        instead: What to write instead; empty if there is no such advice.
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
