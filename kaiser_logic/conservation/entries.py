"""What is entered of a sum: for each thing that its numbers are of, how often each product of them is in it.

    credit__NAME(Key,Thing,Often,Mark)    in the sum with this key, of this thing's product of numbers

Numbers that are left out are never negative, and stand as letters. What may have been counted wrongly is entered as one that
is missing: nothing outweighs it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import count
from typing import Final

from ..rules.pattern import Signature
from .amounts import Amount
from .carriers import Carrier, carriers
from .clauses import Atom, Clause, Literal, NotShown, Other, apart, together
from .conditions import called as atom
from .conditions import determined, kept_variables, natural, rule, symbolic_variables
from .known import Known
from .sums import Part
from .terms import Term, show, variables

_VAGUE: Final = "vague"


class Entries:
    """What sums consist of, as rules.

    Attributes:
        lines: To be said of what is kept.
        closing: What follows from that.
    """

    def __init__(self, known: Known, counted: Iterator[int] | None = None) -> None:
        """None yet; ``counted``: what numbers them, where there are others besides."""
        self._known = known
        self.count = count() if counted is None else counted
        self.lines: list[str] = []
        self.closing: list[str] = []

    def at(self, name: str, key: Term, body: Sequence[Literal]) -> None:
        """There is such a sum under these conditions, in one way for each key.

        Raises:
            NotShown: Which one it is depends on what is left out, or the key does not say it.
        """
        given = [*variables(key)]
        if not {v for x in body for v in x.variables()} <= determined(self._known, body, given):
            raise NotShown("which sum is meant depends on what is left out")
        self._said(f"at__{name}", [key], body)

    def held(self, name: str, key: Term, body: Sequence[Literal]) -> None:
        """One of these sums reaches its bound under these conditions."""
        self._said(f"held__{name}", [key], body)

    def _said(self, name: str, args: Sequence[Term], body: Sequence[Literal]) -> None:
        if {v for t in args for v in variables(t)} & symbolic_variables(self._known, body):
            raise NotShown("whose sum it is depends on what is left out")
        self.lines.append(rule(self._known, atom(name, args), body))

    def enter(self, name: str, key: Term, body: Sequence[Literal], much: Amount) -> None:
        """So much is in a sum under these conditions.

        Raises:
            NotShown: How much it is depends on more than one thing, or on one that is not followed.
        """
        hidden = symbolic_variables(self._known, body)
        for product, often in much.items():
            letters = [v for v in product if v in hidden]
            if not natural(self._known, body).issuperset(letters):
                raise NotShown(f"it is not known that {'*'.join(letters)} is not less than nothing")
            carrier = self._carrier(body, letters)
            own = self._own(body, carrier, letters)
            numbers = "*".join(sorted(carrier.called[v] for v in letters)) if carrier is not None else ""
            group = ("s", f'"{carrier.group if carrier else ""} {numbers}"')
            thing: Term = ("f", "", (group, ("f", "k", carrier.key if carrier else ())))
            factor = "*".join([f"({often})", *(v for v in product if v not in hidden)])
            used = [*variables(key), *variables(thing), *(v for v in product if v not in hidden)]
            self._entry(name, key, own, (show(thing), factor), used)

    def vague(self, name: str, key: Term, body: Sequence[Literal]) -> None:
        """Under these conditions it is not known how much is in a sum."""
        self._entry(name, key, body, (_VAGUE, "(-1)"), list(variables(key)))

    def _entry(
        self, name: str, key: Term, body: Sequence[Literal], what: tuple[str, str], used: Sequence[str]
    ) -> None:
        needed = list(dict.fromkeys(used))
        if set(needed) & symbolic_variables(self._known, body):
            raise NotShown("whose sum it is depends on what is left out")
        for v in kept_variables(self._known, body):
            if v not in determined(self._known, body, needed):
                needed.append(v)
        number = next(self.count)
        head = atom(f"part__{number}", [("v", v) for v in needed])
        self.lines.append(rule(self._known, head, body))
        mark = show(("f", "m", (("n", number), *(("v", v) for v in needed))))
        self.closing.append(f"credit__{name}({show(key)},{what[0]},{what[1]},{mark}) :- {head}.")

    def _carrier(self, body: Sequence[Literal], letters: Sequence[str]) -> Carrier | None:
        """What numbers are of; None where what is kept says all.

        Raises:
            NotShown: They are of several things.
        """
        known = self._known
        kept, hidden = kept_variables(known, body), symbolic_variables(known, body)
        if not letters and hidden <= determined(known, body, kept):
            return None
        for carrier in carriers(known, body):
            if not carrier.group or not carrier.called.keys() >= set(letters):
                continue
            if hidden <= determined(known, body, [*kept, *carrier.called]):
                return carrier
        raise NotShown("how much is summed up depends on several things")

    def _own(
        self, body: Sequence[Literal], carrier: Carrier | None, letters: Sequence[str]
    ) -> Sequence[Literal]:
        """The conditions without those that a number is above 0 where it adds nothing anyway if it is not.

        Raises:
            NotShown: Something depends on numbers that are left out.
        """
        if carrier is None:
            return body
        found = []
        for i, x in enumerate(body):
            if i in carrier.places or not set(x.variables()) & carrier.called.keys():
                found.append(x)
            elif (
                not (isinstance(x, Other) and x.kind == "above" and x.terms[0][0] == "v")
                or x.terms[0][1] not in letters
            ):
                raise NotShown(f"what is summed up depends on {x.text()}")
        return found

    # -- nothing is counted once for two -----------------------------------------------------------------------------

    def apart(self, name: str, key: Callable[[Sequence[Term]], Term], parts: Sequence[Part]) -> None:
        """Enters where two parts of a sum may look the same, and count once only.

        Args:
            name: The sum's.
            key: The sum's key, made of a part's.
            parts: All of them.

        Raises:
            NotShown: It depends on what is left out.
        """
        for i, one in enumerate(parts):
            for other in parts[i:]:
                if len(one.mark) == len(other.mark):
                    self._pair(name, key, one, other)

    def _pair(self, name: str, key: Callable[[Sequence[Term]], Term], one: Part, other: Part) -> None:
        size = len(one.key) + len(one.mark)
        first = Clause(Atom("", (*one.key, *one.mark, *_every(one))), one.body)
        second = apart(Clause(Atom("", (*other.key, *other.mark, *_every(other))), other.body))
        both = Clause(Atom("", (*first.head.args, *second.head.args)), first.body)
        pairs = list(zip(first.head.args[:size], second.head.args[:size], strict=True))
        settled = self._joined(both, second, pairs)
        if settled is None:
            return
        if one is not other:
            self._alike(name, key(settled.head.args[: len(one.key)]), settled, [])
            return
        whole = len(first.head.args)
        kept = set(kept_variables(self._known, settled.body))
        halves = list(zip(settled.head.args[:whole], settled.head.args[whole:], strict=True))
        differing = [(a, b) for a, b in halves if a != b and {*variables(a), *variables(b)} <= kept]
        if differing:
            self._alike(name, key(settled.head.args[: len(one.key)]), settled, differing)
            settled = self._joined(settled, Clause(Atom("", ()), ()), differing)
            if settled is None:
                return
        values = _values(settled, self._known)
        for a, b in zip(settled.head.args[:whole], settled.head.args[whole:], strict=True):
            if a != b and not {a, b} <= values:
                raise NotShown(f"{show(a)} and {show(b)} may be of two parts that look the same")

    def _joined(self, one: Clause, other: Clause, pairs: Sequence[tuple[Term, Term]]) -> Clause | None:
        """Both at once where these are equal, with all that follows."""
        found = together(one, other, pairs)
        settled = None if found is None else self._known.settled(found[0])
        if settled is None:
            return None
        equal = [Other("equal", pair) for pair in _same(settled, self._known)]
        return self._known.settled(Clause(settled.head, (*settled.body, *equal)))

    def _alike(self, name: str, key: Term, both: Clause, differing: Sequence[tuple[Term, Term]]) -> None:
        body = list(both.body)
        if differing:
            ones, others = (",".join(show(p[i]) for p in differing) for i in (0, 1))
            body.append(Other("text", (), f"({ones},x) != ({others},x)"))
        self.vague(name, key, body)


def key_of(terms: Sequence[Term]) -> Term:
    """What a sum is called by."""
    return ("f", "k", tuple(terms))


def _every(part: Part) -> list[Term]:
    """All variables of a part."""
    found = sorted({v for x in part.body for v in x.variables()} | set(variables(part.weight)))
    return [("v", v) for v in found]


def _same(clause: Clause, known: Known) -> Iterator[tuple[Term, Term]]:
    """What is equal as there is one fact at most of some fluents, afterwards as well."""
    first: dict[Signature, Atom] = {}
    for x in clause.body:
        if isinstance(x, Atom) and not x.negated and known.kept.fluent(x.signature) in known.alone:
            other = first.setdefault(x.signature, x)
            yield from ((a, b) for a, b in zip(other.args, x.args, strict=True) if a != b)


def _values(clause: Clause, known: Known) -> set[Term]:
    """The values of counters afterwards: each has one, so that the same counter has the same."""
    return {
        x.args[-1]
        for x in clause.body
        if isinstance(x, Atom) and not x.negated and known.kept.fluent(x.signature) in known.kept.counters
    }
