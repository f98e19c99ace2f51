"""Rules as data: the predicates of a rule, by their places in it.

>>> from kaiser_logic.rules.reader import rule_of
>>> rule = rule_of('violates(R,pass,"turn") :- candidate(R,pass), not may(R), N = #sum { V : owns(R,V) }.')
>>> [(a.name, a.place) for a in rule.atoms]
[('violates', 'head'), ('candidate', 'positive'), ('may', 'negative'), ('owns', 'inner')]
>>> [literal.text for literal in rule.literals]
['candidate(R,pass)', 'not may(R)', 'N = #sum { V: owns(R,V) }']
>>> rule.assigned_sum
'N'

What a rule says is a value of :mod:`kaiser_logic.lang`; its text is that value's, as clingo prints it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from typing import Any, Final, NamedTuple, TypeAlias

from ..lang import terms as lang
from ..lang.reader import read_rule
from ..lang.terms import Signature

HEAD: Final = "head"
POSITIVE: Final = "positive"
NEGATIVE: Final = "negative"
INNER: Final = "inner"


# Atoms and rules are never changed. They are not frozen, which would take them thrice the time to be made: each
# process makes thousands before it looks at anything.


@dataclass(slots=True, unsafe_hash=True)
class Atom:
    """A predicate with its arguments, which are simple terms."""

    name: str
    args: tuple[lang.Term, ...]
    signature: Signature = field(init=False, compare=False, repr=False)
    """Name and arity."""

    def __post_init__(self) -> None:
        self.signature = (self.name, len(self.args))


@dataclass(slots=True, unsafe_hash=True)
class Occurrence(Atom):
    """An atom in a rule.

    Attributes:
        place: ``head``, ``positive``, ``negative``; or ``inner``: in an aggregate, in a condition, negated twice, or one
            of a pool ``p(a;b)``, of which one suffices.
        start: Where it begins in the rule's text. The atoms of a pool have the same place.
        end: Where it ends.
        spans: Where each argument begins and ends.
    """

    place: str
    start: int
    end: int
    spans: tuple[tuple[int, int], ...]


Places: TypeAlias = tuple[
    tuple[Occurrence, ...], tuple[Occurrence, ...], tuple[Occurrence, ...], tuple[Occurrence, ...]
]
"""A rule's atoms: those of the head, the positive ones, the negative ones, and all others."""


def by_place(atoms: Iterable[Occurrence]) -> Places:
    """The atoms of a rule by their places."""
    found: dict[str, list[Occurrence]] = {HEAD: [], POSITIVE: [], NEGATIVE: [], INNER: []}
    for atom in atoms:
        found[atom.place].append(atom)
    heads, positive, negative, inner = map(tuple, found.values())
    return heads, positive, negative, inner


class Literal(NamedTuple):
    """A literal of a body: its text, its value, and its predicate; None for anything but an atom."""

    text: str
    value: lang.Literal

    @property
    def signature(self) -> Signature | None:
        """The predicate of an atom, whatever its sign; None for anything else."""
        value = self.value.atoms[-1] if isinstance(self.value, lang.Either) else self.value
        return value.signature if isinstance(value, lang.Atom) else None

    @property
    def assigned_sum(self) -> str | None:
        """The variable that it binds to a sum, or None."""
        match self.value:
            case lang.Aggregate("#sum", _, (("=", lang.Var(name)), *_), 0):
                return name
            case _:
                return None


@dataclass(slots=True, unsafe_hash=True)
class Rule:
    """A rule and its place. Two rules are equal if text and place are.

    Attributes:
        text: As clingo prints it.
        atoms: All its atoms in the order of the text.
        heads: Those of the head; several where a pool stands there, none for anything else than atoms.
        positive: The body's atoms.
        negative: Those under ``not``.
        inner: All others.
        cuts: Where each literal of the body begins and ends in the text.
        file: The file it is from.
        line: Its line in the file, from 1.
        block: The id of the documented rule that it belongs to.
        column: Its column, from 1; 0 where it stands in no file.
    """

    text: str
    atoms: tuple[Occurrence, ...] = field(compare=False, repr=False)
    heads: tuple[Occurrence, ...] = field(compare=False, repr=False)
    positive: tuple[Occurrence, ...] = field(compare=False, repr=False)
    negative: tuple[Occurrence, ...] = field(compare=False, repr=False)
    inner: tuple[Occurrence, ...] = field(compare=False, repr=False)
    cuts: tuple[tuple[int, int], ...] = field(compare=False, repr=False)
    file: str = ""
    line: int = 0
    block: str | None = None
    column: int = field(default=0, compare=False, repr=False)
    _value: lang.Rule | None = field(default=None, compare=False, repr=False)
    _node: Any = field(default=None, compare=False, repr=False)
    _uses: frozenset[Signature] | None = field(default=None, compare=False, repr=False)

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        values |= {"_node": None, "_value": None}  # made from the text where they are asked for
        return Rule, tuple(values.values())

    @property
    def value(self) -> lang.Rule:
        """The rule as a value."""
        if self._value is None:
            self._value = read_rule(self.text)
        return self._value

    @property
    def node(self) -> Any:
        """Clingo's syntax tree of the text; it knows nothing of the rule's place."""
        if self._node is None:
            self._node = _tree(self.text)
        return self._node

    @property
    def uses(self) -> frozenset[Signature]:
        """The predicates of the body."""
        if self._uses is None:
            self._uses = frozenset([a.signature for a in (*self.positive, *self.negative, *self.inner)])
        return self._uses

    def part(self, start: int, end: int) -> str:
        """The text from ``start`` up to ``end``."""
        return self.text[start:end]

    @property
    def head(self) -> str:
        """The head as text."""
        return self.text[: self.cuts[0][0] - len(" :- ")] if self.cuts else self.text[:-1]

    def argument(self, atom: Occurrence, position: int) -> str:
        """The text of an atom's argument."""
        return self.part(*atom.spans[position])

    @property
    def literals(self) -> tuple[Literal, ...]:
        """The body's literals."""
        return tuple([Literal(self.part(*c), v) for c, v in zip(self.cuts, self.value.body, strict=True)])

    @property
    def body(self) -> str:
        """The body as text, without the final point; empty for a fact."""
        return self.part(self.cuts[0][0], self.cuts[-1][1]) if self.cuts else ""

    @property
    def assigned_sum(self) -> str | None:
        """The variable to which the body assigns a sum, ``V = #sum { ... }``; None where it assigns none."""
        return next((x.assigned_sum for x in self.literals if x.assigned_sum), None)


def _tree(text: str) -> Any:
    """The syntax tree of a rule."""
    from ..clingo import trees

    return trees(text)[-1]


def top(name: str, arity: int) -> Atom:
    """The most general atom of a predicate."""
    return Atom(name, tuple(lang.Var(f"X{k}") for k in range(arity)))
