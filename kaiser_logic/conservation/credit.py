"""What a transition adds to which totals, and takes: shown to come to nothing, for each thing that amounts depend on.

What a change adds to a measure is a sum of products of numbers that are left out. Each product's numbers are those of
*one* fact, or of one action: its carrier. So the whole is a sum over carriers, and it is enough that for each carrier,
whatever its numbers, each product comes as often with a plus as with a minus. How often it does depends on what is kept
only. What is no product of such numbers is summed up as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from .amounts import Amount, amount, plus, times
from .carriers import Carrier, carriers
from .changes import Change
from .clauses import Atom, Clause, Literal, NotShown, Other, apart
from .conditions import determined, kept_variables, natural, rule
from .known import Known
from .terms import ANONYMOUS, Binding, Term, matches, names_in, show, substitute, substituted, variables
from .weights import Weight, weighed

UNBALANCED = "unbalanced__"


_Part: TypeAlias = tuple[str, tuple[Literal, ...], Carrier | None, list[tuple[Term, tuple[str, ...], int]]]


class Credits:
    """What changes add to measures, as rules."""

    def __init__(self, known: Known, weights: list[Weight]) -> None:
        """Where measures count this."""
        self._known, self._weights = known, weights
        self._due: list[_Part] = []
        self._fires: list[Clause] = []
        self.lines: list[str] = []
        """To be said of what is kept."""
        self._sums: dict[tuple[str, str], int] = {}
        self.places: set[tuple[str, int, int]] = set()
        """Of which fluents and arguments it is asked whether they can be other than a constant."""

    def enter(self, change: Change) -> None:
        """What one change adds.

        Raises:
            NotShown: It depends on something that is not followed.
        """
        total = self._total(change)
        body = change.clause.body
        consumed = self._consumed(change, total)
        body = tuple(x for i, x in enumerate(body) if i not in consumed)
        by_carrier: dict[int, tuple[Carrier | None, list[tuple[Term, tuple[str, ...], int]]]] = {}
        given = list(carriers(self._known, body))
        self.places.update(place for carrier in given for place in carrier.asked)
        for measure, sum_ in total.items():
            for product, often in sum_.items():
                place = self._place(change, body, given, product)
                carrier = None if place < 0 else given[place]
                by_carrier.setdefault(place, (carrier, []))[1].append((measure, product, often))
        for place, (carrier, parts) in by_carrier.items():
            self._due.append((f"{change.number}_{place + 1}", body, carrier, parts))

    def _total(self, change: Change) -> dict[Term, Amount]:
        """What a change adds to each measure."""
        found: dict[Term, Amount] = {}
        much = amount(change.much)
        for counter, sign in ((change.gained, 1), (change.lost, -1)):
            if counter is None:
                continue
            for measure, each in weighed(self._known, self._weights, counter):
                part = times({(): sign}, times(much, each))
                found[measure] = plus(found.get(measure, {}), part)
        return {m: a for m, a in found.items() if a}

    def _consumed(self, change: Change, total: dict[Term, Amount]) -> set[int]:
        """The conditions that a number is above 0, where what is added is 0 anyway if it is 0."""
        numbers = natural(self._known, change.clause.body)
        found = set()
        for i, x in enumerate(change.clause.body):
            if isinstance(x, Other) and x.kind == "above" and x.terms[0][0] == "v":
                v = x.terms[0][1]
                if v in numbers and all(v in product for a in total.values() for product in a):
                    found.add(i)
        return found

    def _place(
        self, change: Change, body: Sequence[Literal], given: Sequence[Carrier], product: tuple[str, ...]
    ) -> int:
        """The carrier of a product; -1 where none is needed, as what is kept determines the effect."""
        kept = kept_variables(self._known, body)
        wanted = {v for a in change.clause.head.args for v in variables(a)}
        if not product and wanted <= determined(self._known, body, kept):
            return -1
        for i, carrier in enumerate(given):
            if not carrier.group or not carrier.called.keys() >= set(product):
                continue
            if wanted <= determined(self._known, body, [*kept, *carrier.called]):
                return i
        raise NotShown(f"how much {change.told} comes to depends on several things")

    def _write(
        self,
        name: str,
        body: Sequence[Literal],
        carrier: Carrier | None,
        parts: Sequence[tuple[Term, tuple[str, ...], int]],
    ) -> None:
        condition = ""
        if carrier is not None:
            own = {i: x for i, x in enumerate(body) if i not in carrier.places}
            tied = {i for i, x in own.items() if set(x.variables()) & carrier.called.keys()}
            condition = " & ".join(sorted(self._tied(body, body[i], carrier) for i in tied))
            body = [x for i, x in enumerate(body) if i not in tied]
        wanted = {
            v for t in (*(carrier.key if carrier else ()), *(m for m, _, _ in parts)) for v in variables(t)
        }
        head = self._fired(name, body, wanted)
        group = f'"{condition}"' if carrier is None else f'"{carrier.group} {condition}"'.replace("\\", "'")
        # equal ones by equal names, so that what cancels out is not asked
        same: Binding = {v: ("v", f"V_{i}") for i, v in enumerate(dict.fromkeys(head.variables()))}
        head = head.put(same)
        key = show(substitute(("f", "", carrier.key), same)) if carrier is not None and carrier.key else "x"
        for measure, product, often in parts:
            numbers = "*".join(sorted(carrier.called[v] for v in product)) if carrier is not None else ""
            which = f'({group},{key},"{numbers}",{show(substitute(measure, same))})'
            opened = [] if carrier is None or not _loaded(product, carrier) else carrier.open
            conditions = "; ".join([head.text(), *(substituted(x, same) for x in opened)])
            self._sums[which, conditions] = self._sums.get((which, conditions), 0) + often

    def _fired(self, name: str, body: Sequence[Literal], wanted: set[str]) -> Atom:
        """What says that a change's conditions hold, with these variables and those that tell its ways apart.

        Where they are a case of those of another change that one's predicate says it: so equal ones are seen to be equal.
        """
        for known in map(apart, self._fires):
            for binding in _cases(known.body, list(body), {}):
                head = known.head.put(binding)
                if wanted <= set(head.variables()):
                    return head
        needed = sorted(wanted)
        for v in kept_variables(self._known, body):
            if v not in determined(self._known, body, needed):
                needed.append(v)
        head = Atom(f"fires__{name}", tuple(("v", v) for v in needed))
        self._fires.append(Clause(head, tuple(body)))
        self.lines.append(rule(self._known, head.text(), body))
        return head

    def _tied(self, body: Sequence[Literal], x: Literal, carrier: Carrier) -> str:
        """A condition on a carrier's own numbers, in words that are the same in each change."""
        if isinstance(x, Other) and x.kind == "value":
            names_ = {v: ("v", f"Leaf_{c.replace('.', '_')}") for v, c in carrier.called.items()}
            names_ |= {
                v: ("v", f"Key_{i}") for i, v in enumerate(v for k in carrier.key for v in variables(k))
            }
            outer = {v for y in body if y is not x for v in y.variables()}
            if not any(v in outer - names_.keys() for v in x.variables()):
                inner = sorted({v for v in x.variables() if v not in names_}, key=x.text().index)
                names_ |= {v: ("v", f"Local_{i}") for i, v in enumerate(inner)}
                keys = ",".join(show(substitute(k, names_)) for k in carrier.key)
                return f"{keys}: {x.put(names_).text()}".replace('"', "'")
        raise NotShown(f"what changes depends on {x.text()}")

    def write(self) -> None:
        """Says all of it, what has fewer conditions first: others are cases of it."""
        for part in sorted(self._due, key=lambda p: (len(p[1]), sum(x.text().count("(") for x in p[1]))):
            self._write(*part)

    def closing(self) -> list[str]:
        """That no carrier's products are left over."""
        found = [
            f"credit__({which},{often},f{i}({_arguments(conditions)})) :- {conditions}."
            for i, ((which, conditions), often) in enumerate(self._sums.items())
            if often
        ]
        whole = "#sum { N,T : credit__(X,N,T) } != 0"
        return [*found, f"{UNBALANCED}(X) :- credit__(X,_,_), {whole}."] if found else []


def _arguments(conditions: str) -> str:
    """The variables of conditions."""
    return ",".join([*dict.fromkeys(names_in(conditions)), "x"])


def _cases(general: Sequence[Literal], body: list[Literal], binding: Binding) -> Iterator[Binding]:
    """How all these conditions are cases of those, one of one."""
    if len(general) != len(body):
        return
    if not general:
        yield binding
        return
    first, rest = general[0], general[1:]
    for i, x in enumerate(body):
        trial = dict(binding)
        if _case(first, x, trial):
            yield from _cases(rest, body[:i] + body[i + 1 :], trial)


def _case(first: Literal, x: Literal, binding: Binding) -> bool:
    if isinstance(first, Atom) and isinstance(x, Atom):
        if first.signature != x.signature or first.negated != x.negated:
            return False
        pairs = zip(first.args, x.args, strict=True)
        if first.negated:
            return all(p == a if ANONYMOUS in (p, a) else matches(p, a, binding) for p, a in pairs)
        return all(matches(p, a, binding) for p, a in pairs)
    return isinstance(first, Other) and isinstance(x, Other) and first.put(binding) == x


def _loaded(product: Sequence[str], carrier: Carrier) -> bool:
    return any("." in carrier.called[v] for v in product)
