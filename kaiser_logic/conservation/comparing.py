"""What sums say of a position known in part: that one reaches its bound, and that one does which another one does not.

A sum that reaches a bound above 0 has something in it that adds to it. And where two rules differ only in what they sum up,

    can_lead(R) :- need(R,M), against(R,Q), #sum{ N,own,X : has(R,N,X) ; N,more,X : can_add(R,N,X) } >= M.
    leads(R)    :- need(R,M), against(R,Q), #sum{ N,own,X : has(R,N,X) } >= M.

and the first holds while the second does not, there is something that only the first one sums up. Where amounts are left out
nothing else is known of either; so these are conditions of their own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import count
from typing import Final

from ..engine.ruleset import Ruleset
from ..rules.pattern import Signature
from ..symbolic.flattening import Unprojectable
from ..symbolic.kept import Kept
from ..symbolic.projection import Projection
from ..symbolic.transitions import Transition
from .clauses import Atom, Clause, NotShown, Other, Rules
from .conditions import called, natural, rule, symbolic_variables
from .known import Known
from .sums import Sum, bodies, joined, parts, sums
from .terms import show

RULING: Final[Signature] = ("ruling", 2)


class Comparing:
    """What the sums of a program say, whatever is left out of what they sum up."""

    def __init__(self, ruleset: Ruleset, kept: Kept, lines: Sequence[str]) -> None:
        """Of the rules of a program.

        Args:
            ruleset: The rules in force.
            kept: What is kept, as found when the program was projected.
            lines: The program's rules before anything is left out of them.
        """
        self._known, self._kept = Known(ruleset, kept, Transition("")), kept
        self._count = count()
        self._lines = lines
        self._rules = Rules((x for x in lines if not x.startswith("#")), kept)
        self._rules.prune({RULING: frozenset(str(s) for s in ruleset.facts(*RULING))})

    def lines(self) -> list[str]:
        """Rules and constraints to be added to the program.

        Raises:
            NotShown: The rules cannot be read so.
        """
        found = {s: x for s, x in sums(self._lines, self._rules, self._kept).items() if self._whole(x)}
        lines = [line for one in found.values() for line in self._said(self._something(one))]
        for one in found.values():
            for other in found.values():
                lines += self._said(self._more(one, other))
        return lines

    def _whole(self, one: Sum) -> bool:
        """Whether nothing is left out of what a sum is said of."""
        own = [a[1] for a in one.head.args if a[0] == "v" and a[1] != "_"]
        return len({*own}) == len(one.head.args) and not self._kept.dropped(one.head.signature)

    def _said(self, lines: Iterable[str]) -> list[str]:
        """The lines where they are about what is kept; none where they are not known, or need more to be left out."""
        try:
            *rules, constraint = lines
            before = {s: set(d) for s, d in self._kept.derived.items() if d}
            found = Projection(self._kept).lines(rules)
        except (NotShown, Unprojectable):
            return []
        if {s: d for s, d in self._kept.derived.items() if d} != before:
            raise NotShown("what sums say depends on what is left out")
        return [*found, constraint]

    def _something(self, one: Sum) -> Iterator[str]:
        """A sum that reaches a bound above 0 sums up something."""
        name = f"adds__{next(self._count)}"
        head = Atom("", tuple(("v", v) for v in one.names))
        for at in bodies(joined(one, Clause(head, one.outer), None), self._known, self._rules):
            terms = dict(zip(one.names, at.head.args, strict=True))
            low = Other("text", (), f"{show(one.bound)} {'<' if one.strict else '<='} 0").put(terms)
            yield rule(self._known, called(name, [terms[a[1]] for a in one.head.args]), (*at.body, low))
        yield from self._adding(one, name, None)
        yield f":- {one.head.text()}; not {called(name, one.head.args)}."

    def _more(self, one: Sum, other: Sum) -> Iterator[str]:
        """Where one holds and not the other, which sums up less, there is something of what it sums up besides."""
        more = [i for i, t in enumerate(one.texts) if t not in other.texts]
        alike = (one.outer, one.bound, one.strict, one.head.args)
        if not more or not {*other.texts} <= {*one.texts}:
            raise NotShown("they sum up different things")
        if alike != (other.outer, other.bound, other.strict, other.head.args):
            raise NotShown("they are not about the same")
        name = f"adds__{next(self._count)}"
        yield from self._adding(one, name, more)
        yield f":- {one.head.text()}; not {other.head.text()}; not {called(name, one.head.args)}."

    def _adding(self, one: Sum, name: str, only: Collection[int] | None) -> Iterator[str]:
        """Of whom something is summed up that may add to the sum."""
        for part in parts(self._rules, self._known, one, None, only):
            hidden, never = symbolic_variables(self._known, part.body), natural(self._known, part.body)
            terms = dict(zip(one.names, part.key, strict=True))
            head = called(name, [terms[a[1]] for a in one.head.args])
            for product, often in part.amount.items():
                letters = [v for v in product if v in hidden]
                sure = [v for v in product if v not in hidden]
                factor = "*".join([f"({often})", *sure])
                low = [Other("text", (), f"0 < {factor}")] if never.issuperset(letters) else []
                yield rule(self._known, head, (*part.body, *low))
