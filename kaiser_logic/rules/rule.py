"""Rules of a rulebook: a rule of the language with its place and its atoms.

>>> from kaiser_logic.rules.reader import rule_of
>>> rule = rule_of('violates(R,pass,"turn") :- candidate(R,pass), not may(R), N = #sum { V : owns(R,V) }.')
>>> [(a.name, a.place) for a in rule.atoms]
[('violates', 'head'), ('candidate', 'positive'), ('may', 'negative'), ('owns', 'inner')]
>>> rule.value.body[1]
Atom(name='may', args=(Var(name='R'),), sign=1)

Code that needs more than the atoms uses `value`, the rule of :mod:`kaiser_logic.lang`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from typing import Final, TypeAlias

from ..lang import terms as lang
from ..lang.algebra import atoms
from ..lang.graph import dependents
from ..lang.printed import Printed
from ..lang.terms import Place, Signature

HEAD: Final = "head"
POSITIVE: Final = "positive"
NEGATIVE: Final = "negative"
INNER: Final = "inner"


# Atoms and rules are never changed. They are not frozen, as a frozen dataclass takes three times as long to construct, and each
# process constructs thousands of them at its start.


@dataclass(slots=True, unsafe_hash=True)
class SimpleAtom:
    """A predicate with its arguments, which are simple terms."""

    name: str
    args: tuple[lang.Term, ...]
    signature: Signature = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        self.signature = (self.name, len(self.args))


@dataclass(slots=True, unsafe_hash=True)
class Occurrence(SimpleAtom):
    """An atom in a rule.

    Attributes:
        place: ``head``, ``positive``, ``negative``; or ``inner``: in an aggregate or a condition, negated twice, or in a pool of
            atoms.
        number: Its index among the atoms of the rule.
    """

    place: str
    number: int


Places: TypeAlias = tuple[
    tuple[Occurrence, ...], tuple[Occurrence, ...], tuple[Occurrence, ...], tuple[Occurrence, ...]
]
"""The atoms of a rule: those of the head, the positive ones, the negative ones, and all others."""


def by_place(atoms: Iterable[Occurrence]) -> Places:
    """Sorts the atoms of a rule by their places."""
    atoms_at: dict[str, list[Occurrence]] = {HEAD: [], POSITIVE: [], NEGATIVE: [], INNER: []}
    for atom in atoms:
        atoms_at[atom.place].append(atom)
    heads, positive, negative, inner = map(tuple, atoms_at.values())
    return heads, positive, negative, inner


_BY_SIGN: Final = (POSITIVE, NEGATIVE, INNER)


def atoms_with_places(rule: lang.Rule) -> list[tuple[lang.Atom, str]]:
    """The atoms of a rule in the order of its text, each with its place."""
    pairs = [(atom, HEAD) for atom in rule.heads]
    pairs += [(atom, INNER if inner else _BY_SIGN[atom.sign]) for atom, inner in atoms(rule.body)]
    return pairs


class Role(Enum):
    """Who says a rule, and what for. What an encoding expresses otherwise, it leaves out by the role of the rule."""

    RULEBOOK = "a rulebook"
    GENERATED = "it follows from declarations of counters, totals and decisions"
    JUDGE = "the engine, of a submitted action"
    CHANGE = "the engine, of the next position"
    POSITION = "the engine, of every position"
    ENGINE = "another file of the engine"


@dataclass(slots=True, unsafe_hash=True)
class PlacedRule:
    """A rule and its place. Two rules are equal if their texts, places and blocks are.

    Attributes:
        printed: The rule of the language and its text.
        place: The place in its file; `NOWHERE` if no file has it.
        block: The id of the documented rule to which it belongs.
        atoms: All atoms in the order of the text.
        heads: The atoms of the head; several for a pool, none if the head is a choice or missing.
        positive: The positive atoms of the body.
        negative: The atoms of the body under ``not``.
        inner: All other atoms of the body.
        role: Who says it, and what for.
    """

    printed: Printed
    place: Place = field(repr=False)
    block: str | None = field(repr=False)
    atoms: tuple[Occurrence, ...] = field(compare=False, repr=False)
    heads: tuple[Occurrence, ...] = field(compare=False, repr=False)
    positive: tuple[Occurrence, ...] = field(compare=False, repr=False)
    negative: tuple[Occurrence, ...] = field(compare=False, repr=False)
    inner: tuple[Occurrence, ...] = field(compare=False, repr=False)
    role: Role = field(default=Role.RULEBOOK, compare=False, repr=False)
    _uses: frozenset[Signature] | None = field(default=None, compare=False, repr=False)

    @property
    def is_of_engine(self) -> bool:
        """Whether it is from a file of the engine."""
        return self.role not in (Role.RULEBOOK, Role.GENERATED)

    @property
    def value(self) -> lang.Rule:
        """The rule of the language."""
        return self.printed.value

    @property
    def text(self) -> str:
        """The rule as clingo prints it."""
        return self.printed.text

    @property
    def file(self) -> str:
        """The label of its file."""
        return self.place.file

    @property
    def line(self) -> int:
        """Its line in the file, from 1; 0 if it belongs to no file."""
        return self.place.line

    @property
    def column(self) -> int:
        """Its column in the file, from 1; 0 if it belongs to no file."""
        return self.place.column

    @property
    def uses(self) -> frozenset[Signature]:
        """The predicates of the body."""
        if self._uses is None:
            self._uses = frozenset([a.signature for a in (*self.positive, *self.negative, *self.inner)])
        return self._uses

    def argument(self, atom: Occurrence, position: int) -> lang.Term:
        """An argument of one of its atoms as it is written, not made simple."""
        return atoms_with_places(self.value)[atom.number][0].args[position]


def predicates_read(rules: Iterable[PlacedRule]) -> dict[Signature, set[Signature]]:
    """Maps each predicate that the rules derive to those that its rules read."""
    found: dict[Signature, set[Signature]] = defaultdict(set)
    for rule in rules:
        for head in rule.heads:
            found[head.signature] |= rule.uses
    return found


def predicates_affected(rules: Iterable[PlacedRule], changed: Iterable[Signature]) -> set[Signature]:
    """The predicates that can change if these do, including themselves.

    >>> from kaiser_logic.rules.loader import parse_rules
    >>> rules = parse_rules("empty :- not heap(_). add(phase(over)) :- empty. player(R) :- seat(R,_).")
    >>> sorted(predicates_affected(rules, [("heap", 1)]))
    [('add', 1), ('empty', 0), ('heap', 1)]
    """
    return dependents(predicates_read(rules), changed)


def top(name: str, arity: int) -> SimpleAtom:
    """The most general atom of a predicate."""
    return SimpleAtom(name, tuple(lang.Var(f"X{k}") for k in range(arity)))
