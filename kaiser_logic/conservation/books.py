"""A transition's books: all that must not be in it, so that totals stay as they are and nothing is lost that is not there."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import partial
from itertools import count
from typing import Final

from ..engine.ruleset import Ruleset
from ..rules.pattern import Signature
from ..symbolic import names
from ..symbolic.flattening import Unprojectable
from ..symbolic.projected import Projected
from ..symbolic.projection import Projection
from ..symbolic.transitions import Transition
from .belonging import Belonging
from .changes import changes, coming
from .clauses import Atom, NotShown, Rules
from .credit import Credits
from .forms import Forms, openings
from .holding import STRAY, Holding, denials
from .keeping import Keeping
from .keeping import single as alone
from .known import Known
from .reaching import Reaching
from .terms import Term, show
from .weights import Weight, counted, weights

RULING: Final[Signature] = ("ruling", 2)
"""What is in force: rules ask for it, or deny it."""
TWO: Final = "two__"
"""That something holds of two things at least."""


class Books:
    """What is to be shown of one transition.

    Attributes:
        unbalanced: Why it is not known what totals come to, or None.
        outside: Why it is not known whether all that comes is of the vocabulary, or None.
        belonging: Rules that say what may be outside of it: ``outside__/1``.
    """

    def __init__(
        self, ruleset: Ruleset, projected: Projected, transition: Transition, supposed: Collection[str]
    ) -> None:
        """Of a transition.

        Args:
            ruleset: The rules in force.
            projected: The transition between positions known in part.
            transition: The transition.
            supposed: The invariants that hold before it.

        Raises:
            NotShown: The rules cannot be read so, or change counters in other ways.
        """
        self._ruleset, self._kept, self._transition = ruleset, projected.kept, transition
        self._projected = projected
        self._lines, self._supposed = projected.lines, supposed
        self._rules = Rules(projected.lines, projected.kept)
        self._rules.prune({RULING: frozenset(str(s) for s in ruleset.facts(*RULING))})
        self._denials = denials(self._rules, lambda i: show(i) in supposed)
        self.unbalanced: str | None = None
        self.outside: str | None = None
        self.belonging: list[str] = []

    def candidates(self) -> dict[Signature, str]:
        """Predicates of which it helps to know that they hold of one thing at most; each with what asks whether of two."""
        found = changes(self._rules, Known(self._ruleset, self._kept, self._transition), count())
        asked: dict[Signature, str] = {}
        for change in found:
            for x in change.clause.body:
                if isinstance(x, Atom) and x.args and not x.negated and self._whole(x):
                    args = ",".join(f"X{k}" for k in range(len(x.args)))
                    inner = f"#count {{ {args} : {x.name}({args}) }}"
                    asked[x.signature] = f"{TWO}({x.name}) :- 1 < {inner}."
        return asked

    def _whole(self, x: Atom) -> bool:
        """Whether nothing is left out of such atoms, and they are no choice and no data."""
        if x.signature in self._ruleset.static or names.is_choice(x.name):
            return False
        return not self._kept.dropped(x.signature)

    def lines(self, single: Collection[Signature], keep: Collection[str] = ()) -> list[str]:
        """Rules that say what must not be: ``stray__/1``, ``unbalanced__/1``.

        Args:
            single: The predicates that hold of one thing at most, as far as that is known already.
            keep: Invariants, supposed as well, that are to hold on.

        Raises:
            NotShown: It is not known how to show that nothing is lost that is not there.
        """
        kept = self._kept
        known = Known(self._ruleset, kept, self._transition)
        known.alone = frozenset(alone(self._lines, self._supposed, known))
        known.single |= {*single, *known.alone}
        found = changes(self._rules, known, count())
        forms = Forms(known, self._rules)
        forms.enter(found)
        holding = Holding(known, self._rules, self._denials)
        holding.enter(found)
        add = partial(coming, self._rules, known)
        reaching = Reaching(known, self._rules, self._lines, found, add, self._denials)
        keeping = Keeping(known, self._rules, holding, found, reaching)
        for invariant in sorted(keep):
            keeping.enter(invariant, self._lines)
        weighing = weights(self._ruleset, kept, known)
        credit: Credits | None = Credits(known, weighing)
        limited = list(_limited(self._ruleset, known, weighing))
        try:
            assert credit is not None
            for change in found:
                credit.enter(change)
            credit.write()
        except NotShown as error:
            credit, self.unbalanced = None, str(error)
        lines = [
            *holding.lines,
            *forms.lines,
            *keeping.lines,
            *reaching.lines,
            *(credit.lines if credit else ()),
            *limited,
        ]
        if known.sole:
            does = names.does(0)
            lines.append(f"{STRAY}(several) :- {does}(R,_); {does}(Q,_); R < Q.")
        said = self._said(lines)
        try:
            belonging = Belonging(known, self._rules, self._projected, weighing)
            belonging.enter()
            self.belonging = [*self._said(belonging.lines), *belonging.closing]
        except NotShown as error:
            self.outside = str(error)
        places = forms.places | (credit.places if credit else set())
        closing = [*(credit.closing() if credit else ()), *reaching.closing(), *_LIMITS]
        return [*said, *openings(known, places), *closing]

    def _said(self, lines: Sequence[str]) -> list[str]:
        """Rules of ours as far as they are kept.

        Raises:
            NotShown: More would have to be left out.
        """
        before = {s: set(d) for s, d in self._kept.derived.items() if d}
        try:
            said = Projection(self._kept).lines(lines)
        except Unprojectable as error:
            raise NotShown(str(error)) from error
        if {s: d for s, d in self._kept.derived.items() if d} != before:
            raise NotShown("what changes depends on what is left out")
        return said


_LIMITS: Final = (
    ":- least__(L,N), N > 0, not some__(L).",
    ":- most__(L,N), #sum { W,X : sure__(L,W,X) } > N.",
    "sure__(x,0,x) :- #false.",
    "some__(x) :- #false.",
    "least__(x,0) :- #false.",
    "most__(x,0) :- #false.",
)


def _limited(ruleset: Ruleset, known: Known, found: Sequence[Weight]) -> Iterator[str]:
    """What limits say of a part of a position: something counts where not nothing may, and not too much of it is seen."""
    limits = ruleset.facts("limit", 3)
    for s in limits:
        measure, least, most = s.arguments
        yield f"least__({measure},{least})."
        yield f"most__({measure},{most})."
    signs = [n for w in found for _, n in w.each]
    for number, w in enumerate(found):
        fluent = counted(ruleset, w.counter)
        anything: Term = ("v", "_")
        value = (anything,) if fluent in known.kept.counters else ()
        dropped = known.kept.fluents[fluent]
        args = [anything if i in dropped else a for i, a in enumerate((*w.counter[2], *value))]
        body = f"{fluent[0]}({','.join(map(show, args))})"
        towards = show(w.measure)
        yield f"some__({towards}) :- {body}."
        if all(n > 0 for n in signs) and w.each[0][0] == ():
            key = ",".join(show(a) for i, a in enumerate(args) if i not in dropped)
            yield f"sure__({towards},{w.each[0][1]},(f{number},{key})) :- {body}."
