"""Rules rewritten as text: predicates renamed, variables replaced, arguments dropped.

The other two readings are mechanical transformations of the same rules: a copy of the rules for the next moment, for
another edition, for one kind of action. All work on the tokens of the printed rule, where every atom is known with
its place; function terms of the same name (``aristocrat(E)`` the place, ``aristocrat/5`` the fluent) stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from ..rules.pattern import Pattern, Signature, show
from ..rules.rule import TOKEN, TermReader

HEAD, POSITIVE, NEGATIVE, INNER = "head", "positive", "negative", "inner"


@dataclass(frozen=True, slots=True)
class Occurrence:
    """An atom in a rule: where it stands (tokens ``start`` to ``end``), and its arguments' places and patterns."""

    name: str
    place: str
    start: int
    end: int
    spans: tuple[tuple[int, int], ...]
    args: tuple[Pattern, ...]

    @property
    def signature(self) -> Signature:
        """Name and arity."""
        return self.name, len(self.spans)


@dataclass(frozen=True, slots=True)
class Text:
    """A printed rule as tokens with the places of its atoms."""

    tokens: tuple[str, ...]
    atoms: tuple[Occurrence, ...]

    def of(self, *places: str) -> list[Occurrence]:
        """The atoms in these places."""
        return [a for a in self.atoms if a.place in places]

    def arg(self, atom: Occurrence, position: int) -> str:
        """The text of an atom's argument."""
        return " ".join(self.tokens[slice(*atom.spans[position])])

    def build(
        self,
        atom: Callable[[Occurrence], str | None] = lambda _: None,
        binding: Mapping[str, str] | None = None,
        more: Iterable[str] = (),
    ) -> str:
        """The rule with changes.

        Args:
            atom: For each atom its new text; None leaves it alone.
            binding: Variables replaced by text.
            more: Literals added to the body.
        """
        out: list[str] = []
        position = 0
        for occurrence in sorted(self.atoms, key=lambda o: o.start):
            new = atom(occurrence)
            if new is not None:
                out += (*self.tokens[position : occurrence.start], new)
                position = occurrence.end
        out += self.tokens[position:]
        added = list(more)
        if added:
            out = [*out[:-1], ";" if ":-" in self.tokens else ":-", "; ".join(added), "."]
        line = " ".join(out)
        return " ".join(binding.get(t, t) for t in TOKEN.findall(line)) if binding else line


def _arguments(reader: TermReader) -> tuple[list[tuple[int, int]], list[Pattern]] | None:
    """The places and patterns of the arguments in brackets at the reader's place; None for a pool."""
    spans: list[tuple[int, int]] = []
    args: list[Pattern] = []
    reader.at += 1
    while True:
        start = reader.at
        args.append(reader.term())
        spans.append((start, reader.at))
        token = reader.peek()
        reader.at += 1
        if token == ")":
            return spans, args
        if token != ",":
            return None


def _atom(reader: TermReader, place: str) -> Occurrence | None:
    """The atom at the reader's place, or None."""
    start = reader.at
    name = reader.peek()
    if not name or not name[0].islower() or name == "not":
        return None
    reader.at += 1
    spans: list[tuple[int, int]] = []
    args: list[Pattern] = []
    if reader.peek() == "(":
        found = _arguments(reader)
        if found is None:
            reader.at = start
            return None
        spans, args = found
    return Occurrence(name, place, start, reader.at, tuple(spans), tuple(args))


def _inner(reader: TermReader, end: int, armed: bool) -> list[Occurrence]:
    """The atoms of conditions up to the token ``end``: what follows a colon, up to a semicolon."""
    found = []
    while reader.at < end:
        token = reader.peek()
        if token in (":", ";", "}", "{"):
            armed = token == ":" or (armed and token not in (";", "}", "{"))
            reader.at += 1
        elif armed and token[0].islower() and token != "not":
            at = reader.at
            atom = _atom(reader, INNER)
            if atom is not None and reader.peek() in (",", ";", "}", ".", ":"):
                found.append(atom)
            else:
                reader.at = max(reader.at, at + 1)
        else:
            reader.at += 1
    return found


@lru_cache(maxsize=20_000)
def text_of(rule: str) -> Text:
    """The tokens and atoms of a printed rule."""
    reader = TermReader(rule)
    atoms: list[Occurrence] = []
    head = _atom(reader, HEAD)
    if head is not None:
        atoms.append(head)
    else:
        reader.skip(":-.")
    if reader.peek() == ":-":
        while reader.at < len(reader.tokens) - 1:
            reader.at += 1
            start = reader.at
            negated = False
            while reader.peek() == "not":
                negated = True
                reader.at += 1
            first = reader.at
            atom = _atom(reader, NEGATIVE if negated else POSITIVE)
            if atom is not None and reader.peek() in (";", "."):
                atoms.append(atom)
                continue
            reader.at = start
            reader.skip(";.")
            end = reader.at
            tokens = reader.tokens[start:end]
            if "{" in tokens or ":" in tokens:
                reader.at = start if "{" in tokens else first
                atoms += _inner(reader, end, "{" not in tokens)
            reader.at = end
    return Text(tuple(reader.tokens), tuple(atoms))


def rename(rule: str, name: Callable[[Signature], str | None]) -> str:
    """The rule with predicates renamed; None leaves a predicate alone."""
    text = text_of(rule)

    def change(atom: Occurrence) -> str | None:
        new = name(atom.signature)
        if new is None or new == atom.name:
            return None
        return literal(new, *(text.arg(atom, i) for i in range(len(atom.spans))))

    return text.build(change)


def literal(name: str, *args: Pattern | str) -> str:
    """An atom as text."""
    parts = [a if isinstance(a, str) else show(a) for a in args]
    return f"{name}({','.join(parts)})" if parts else name


__all__ = [
    "HEAD",
    "INNER",
    "NEGATIVE",
    "POSITIVE",
    "TOKEN",
    "Occurrence",
    "Text",
    "literal",
    "rename",
    "text_of",
]
