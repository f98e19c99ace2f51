"""What a transition gains and loses, each with all conditions under which it does: the effects of the rules, unfolded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from ..rules.pattern import Signature
from ..symbolic import names
from .clauses import Clause, NotShown, Rules, apart
from .known import Known
from .terms import Term, show
from .weights import counted

LOSE: Final = "lose"
GAIN: Final = "gain"
SHIFT: Final = "shift"
_CHANGING: Final = (GAIN, LOSE, SHIFT)


@dataclass(frozen=True)
class Change:
    """One way in which something is gained, lost or shifted.

    Attributes:
        number: Which one it is.
        clause: What follows, and from what.
    """

    number: int
    clause: Clause

    @property
    def way(self) -> str:
        """``gain``, ``lose`` or ``shift``."""
        return names.plain(self.clause.head.name)

    @property
    def lost(self) -> Term | None:
        """What is lost."""
        return None if self.way == GAIN else self.clause.head.args[0]

    @property
    def gained(self) -> Term | None:
        """What is gained."""
        return {GAIN: self.clause.head.args[0], SHIFT: self.clause.head.args[1]}.get(self.way)

    @property
    def much(self) -> Term:
        """How much of it."""
        return self.clause.head.args[-2]

    @property
    def told(self) -> str:
        """It in words of the rules."""
        head = self.clause.head
        return f"{self.way}({','.join(map(show, head.args))})".replace("__0", "")

    def marks(self, gain: bool) -> tuple[Term, ...]:
        """What tells this gain, or loss, from others of the same counter: its amount, and why."""
        args = self.clause.head.args
        if self.way != SHIFT:
            return args[1:]
        return args[2], ("f", "into" if gain else "out", (args[0] if gain else args[1], args[3]))


def changes(rules: Rules, known: Known, numbered: Iterator[int]) -> list[Change]:
    """All that a transition gains, loses and shifts of counters and pieces without a sign.

    Raises:
        NotShown: The rules change counters or pieces in other ways.
    """
    kept = known.kept
    book = known.ruleset.book
    own = {*book.counters, *book.units}
    found: list[Change] = []
    if any(names.plain(name) in (*_CHANGING, "add", "del", "change", "touched") for name, _ in rules.other):
        raise NotShown("effects are chosen, or several at once")
    wanted = {s for s, dropped in kept.derived.items() if dropped}
    for (name, arity), clauses in sorted(rules.defined.items()):
        plain = names.plain(name)
        if plain in ("add", "del"):
            for c in clauses:
                if c.head.args[0][0] != "f" or _signature(c.head.args[0]) in own:
                    raise NotShown(f"{show(c.head.args[0])} is not gained or lost, but {plain}ed")
        elif plain in ("change", "touched"):
            raise NotShown(f"the rules say {plain} themselves")
        elif plain in _CHANGING and arity == (4 if plain == SHIFT else 3):
            for c in rules.of((name, arity)) or ():
                found += (Change(next(numbered), x) for x in _unfolded(rules, known, c, wanted))
    return [c for c in found if not _signed(known, c)]


def _signature(t: Term) -> Signature:
    return t[1], len(t[2])


def _signed(known: Known, change: Change) -> bool:
    """Whether it is about a counter that can be less than 0: it is nobody's total, and can always be lost."""
    book = known.ruleset.book
    both = [counted(known.ruleset, x) for x in (change.lost, change.gained) if x is not None]
    signed = [s in book.signed for s in both]
    if any(signed) and not all(signed):
        raise NotShown(f"from one that can be less than 0: {change.told}")
    if any(s in book.signed and known.kept.fluents[s] - {s[1] - 1} for s in both):
        raise NotShown(f"it can be less than 0, and too much is left out of it: {change.told}")
    return all(signed)


def _unfolded(rules: Rules, known: Known, clause: Clause, wanted: set[Signature]) -> Iterator[Clause]:
    """The clause by what its conditions are said by, as far as something is left out of them."""
    for one in rules.unfolded(clause, wanted):
        settled = known.settled(one)
        if settled is None:
            continue
        again = rules.unfolded(settled, wanted)
        if again != [settled]:
            raise NotShown(f"a definition goes round in circles: {show(clause.head.args[0])}")
        yield settled


def coming(rules: Rules, known: Known, fluent: str) -> Iterator[Clause]:
    """The ways in which a fact is added that is no counter and no piece."""
    wanted = {s for s, dropped in known.kept.derived.items() if dropped}
    for (name, _), clauses in sorted(rules.defined.items()):
        if names.plain(name) != "add":
            continue
        for c in clauses:
            t = c.head.args[0]
            if t[0] != "f" or t[1] == fluent:
                for one in rules.unfolded(apart(c), wanted):
                    settled = known.settled(one)
                    if settled is not None:
                        yield settled
