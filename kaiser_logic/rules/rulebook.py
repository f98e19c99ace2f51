"""A rulebook as data: rules with their places, documented rules, rulings, and what the vocabulary declares.

It is read from its folder by :mod:`.loader`; nothing here evaluates a rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from ..lang.algebra import atoms
from ..lang.reader import read_body
from ..lang.terms import Atom, Literal
from .pattern import Pattern, Signature, outermost
from .predicates import ASKED, AT_LEAST, COUNTER, DUE, MORE, THEN
from .provenance import ASSUMED, Source, provenance
from .rule import Rule


class RuleDoc(NamedTuple):
    """A documented rule.

    ``kind`` is ``rule``, ``invariant``, ``board``, ``data`` or ``claim``; ``why`` is the sentence's template for a
    violation; ``sources`` maps editions to places in their rulebooks.
    """

    id: str
    kind: str
    statement: str
    why: str | None
    sources: Mapping[str, str]
    file: str
    line: int

    @property
    def reasons(self) -> tuple[tuple[str, str], ...]:
        """The sentences of ``why``, to be tried in order, each with its condition: ``sentence :- condition | ...``."""
        parts = (part.partition(" :- ") for part in self.why.split(" | ")) if self.why else ()
        return tuple((sentence.strip(), condition.strip()) for sentence, _, condition in parts)

    def provenance(self, edition: str | None = None) -> tuple[Source, ...]:
        """The parts of its source in one edition; of all sources where that edition names none, or where none is asked for."""
        own = self.sources.get(edition) if edition else None
        texts = list(self.sources.values()) if own is None else [own]
        return tuple(dict.fromkeys(part for text in texts for part in provenance(text)))

    def assumed(self, edition: str | None = None) -> bool:
        """Whether no text says it, so that it is made up."""
        return any(part.kind == ASSUMED for part in self.provenance(edition))


class Ruling(NamedTuple):
    """A point where the texts differ or are silent: its values, and the value that each edition takes."""

    name: str
    about: str
    values: Mapping[str, str]
    by_edition: Mapping[str, str]
    sources: Mapping[str, str]


@dataclass(frozen=True)
class ActionKind:
    """A kind of action: the pattern of the action, of the decision it belongs to, and the text of its sorts."""

    index: int
    decision: Pattern
    action: Pattern
    guard: str

    @property
    def sorts(self) -> tuple[Literal, ...]:
        """The literals that say what its arguments can be."""
        return read_body(self.guard)

    def drawn_from(self, sort: str) -> tuple[Atom, ...]:
        """The atoms of a predicate among them."""
        return tuple(atom for atom, _ in atoms(self.sorts) if atom.name == sort)


@dataclass(frozen=True, eq=False)
class Rulebook:
    """The rules of one game, read; the same for all editions and numbers of players.

    Attributes:
        id: The game's id.
        folder: Where its files lie.
        manifest: What ``game.toml`` says.
        rules: The rules of all its files, with those of the engine that it asks for.
        docs: The documented rules by id.
        rulings: The points that the texts leave open, by name.
    """

    id: str
    folder: Path
    manifest: Mapping[str, Any]
    rules: tuple[Rule, ...]
    docs: Mapping[str, RuleDoc]
    rulings: Mapping[str, Ruling] = field(repr=False)

    @property
    def title(self) -> str:
        """The game's title with its author and publisher."""
        return str(self.manifest["title"])

    @property
    def roles(self) -> tuple[str, ...]:
        """The players that can take part, in the order of the default seats."""
        return tuple(self.manifest["roles"])

    @property
    def editions(self) -> Mapping[str, str]:
        """The editions, each with what it is; ``standard`` is the default."""
        return dict(self.manifest["editions"])

    @cached_property
    def fluents(self) -> frozenset[Signature]:
        """The predicates that a position consists of, also the engine's own ``due/1``."""
        return frozenset({DUE, *self._declared})

    @cached_property
    def _declared(self) -> tuple[Signature, ...]:
        """The fluents that the vocabulary declares, in its order."""
        terms = (h.args[0] for r in self.rules for h in r.heads if h.signature == ("fluent", 1))
        return tuple(dict.fromkeys(s for s in map(outermost, terms) if s))

    def ordered(self, facts: Iterable[str]) -> list[str]:
        """Facts in the order in which the vocabulary declares them, what is not declared last."""
        order: dict[str, int] = {}
        for name, _ in self._declared:
            order.setdefault(name, len(order))
        return sorted(facts, key=lambda f: (order.get(f.partition("(")[0], len(order)), f))

    @cached_property
    def counters(self) -> Mapping[Signature, bool]:
        """The counted fluents; True where zero is stated too."""
        found = {}
        for rule in self.rules:
            for head in rule.heads:
                if head.signature in (("counted", 2), ("stated", 2), ("signed", 2)) and not rule.positive:
                    found[str(head.args[0][1]), int(head.args[1][1])] = head.name != "counted"
        return found

    @cached_property
    def signed(self) -> frozenset[Signature]:
        """Those of the stated ones whose number can be negative."""
        heads = (h for r in self.rules for h in r.heads if h.signature == ("signed", 2))
        return frozenset((str(h.args[0][1]), int(h.args[1][1])) for h in heads)

    @cached_property
    def units(self) -> frozenset[Signature]:
        """The fluents that stand for one piece each and come and go by gain/3 and lose/3."""
        heads = (h for r in self.rules for h in r.heads if h.signature == ("unit", 2))
        return frozenset((str(h.args[0][1]), int(h.args[1][1])) for h in heads)

    @cached_property
    def kinds(self) -> tuple[ActionKind, ...]:
        """The kinds of action that the vocabulary declares."""
        declared = ((r, h) for r in self.rules for h in r.heads if h.signature == ("action", 2))
        return tuple(
            ActionKind(i, head.args[0], head.args[1], rule.body) for i, (rule, head) in enumerate(declared)
        )

    @cached_property
    def static(self) -> frozenset[Signature]:
        """The predicates of the rulebook that no position changes (seats among them)."""
        dynamic = set(self.fluents) - {("seat", 2)}
        dynamic |= {
            ("submitted", 2),
            ("does", 2),
            ("candidate", 2),
            ("made", 2),
            ("total", 2),
            ("decision", 2),
        }
        dynamic |= {("stand_in", 2), ("chosen", 3), THEN, MORE, COUNTER, AT_LEAST}
        dynamic |= ASKED  # also where it follows from nothing that changes
        changed = True
        while changed:
            changed = False
            for rule in self.rules:
                if rule.uses & dynamic:
                    new = {h.signature for h in rule.heads} - dynamic
                    dynamic |= new
                    changed = changed or bool(new)
        heads = {h.signature for r in self.rules for h in r.heads}
        given = {("seat", 2), ("ruling", 2), ("start", 2), ("board", 1), ("number", 1)}
        return frozenset((heads | given) - dynamic)

    def doc(self, id: str) -> RuleDoc:
        """The documentation of a rule, also of the engine's own."""
        return self.docs.get(id) or ENGINE_DOCS.get(id) or RuleDoc(id, "rule", id, None, {}, "", 0)


_ENGINE: Mapping[str, tuple[str, str]] = {
    "action.unknown": ("An action is one of the game's vocabulary.", "the game knows no such action"),
    "decision.other": (
        "An action answers a decision that somebody has.",
        "nobody has a decision that this answers",
    ),
    "decision.none": ("Only a role that has a decision acts.", "{R} has nothing to decide now"),
    "vocabulary": ("Every fact belongs to the game's vocabulary.", "no such fact exists in this game"),
    "count": (
        "A counter has one value, and one that is always stated has it.",
        "it is counted twice, or not at all",
    ),
    "limit": ("There is only so much of everything.", "there is more, or less, than there can be"),
    "seats": ("Every seat is taken by another player, clockwise from 1.", "the seats are not in order"),
}
ENGINE_DOCS: Mapping[str, RuleDoc] = {
    id: RuleDoc(id, "rule", statement, why, {}, "engine", 0) for id, (statement, why) in _ENGINE.items()
}
