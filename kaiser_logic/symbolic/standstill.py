"""An open position known in part, and who can certainly do something in it.

The rules that list legal actions are taken apart by what offers actions (:mod:`..transform.families`), and then loosened
like all rules of positions known in part (:mod:`.projection`): what offers an action stays only where it certainly does,
what forbids one becomes a choice where it may. Who is offered something, by parts of its arguments, of which nothing may
be forbidden, can do it: ``able__(Role,Family)``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ..engine.ruleset import Ruleset
from ..errors import NotDecided
from ..rules.predicates import BROKEN, LEGAL, broken
from ..rules.rule import top
from ..rules.rulebook import ActionKind
from ..transform.action_splitting import decisions_of
from ..transform.families import Families, Family, families
from ..transform.rewrite import literal
from ..transform.slicing import seeds
from .domains import Domains
from .flattening import Unprojectable
from .kept import Kept, initial, shapes_of
from .projected import Projected, ProjectedEncoding, other_invariant
from .projection import Projection
from .tallies import moved, tallied
from .totals import about_totals

ABLE: Final = "able__"


class Standstill(Projected):
    """A position known in part in which decisions of some kinds are pending; nothing is done in it.

    Attributes:
        families: The actions that are offered.
    """

    def __init__(  # without a transition the base class has nothing to make
        self, ruleset: Ruleset, kinds: Sequence[ActionKind], lemmas: Sequence[str], decisions: Domains
    ) -> None:
        """Of the decisions at which these kinds of action are done.

        Args:
            ruleset: The rules in force.
            kinds: All kinds of action at these decisions.
            lemmas: The invariants that are looked at.
            decisions: The sorts of what can be pending.

        Raises:
            Unprojectable: A rule cannot be rewritten.
        """
        self.ruleset = ruleset
        self.shapes = shapes_of(ruleset)
        book = ruleset.book
        fluents, counters = initial(ruleset), frozenset(book.counters)
        stated = frozenset(c for c, zero in book.counters.items() if zero)
        tallies = tallied(ruleset, fluents)
        self.kept = Kept(
            fluents, counters, book.units, frozenset(), self.shapes, stated, moved(ruleset), tallies
        )
        self.encoding = ProjectedEncoding(ruleset, Domains((), (), (), ()))
        self.encoding.domains = decisions
        if self.encoding.sets.unknown(0, True):
            raise Unprojectable("actions name sets")
        pending = decisions_of(kinds)
        self.encoding.derive(map(broken, lemmas), pending, [])
        self.broken = self.encoding.name(BROKEN), self.encoding.name(BROKEN, 0)
        self.families = _families(ruleset, kinds)
        lines = [x for x in self.encoding.lines if not other_invariant(x, lemmas)]
        lines += [x for family in self.families.each for x in family.lines]
        lines += [*self.families.lines, *self._pending(pending, [])]
        self.lines = tuple(dict.fromkeys(lines))
        found = Projection(self.kept).lines(self.lines)
        able = [self._able(family) for family in self.families.each]
        self.text = "\n".join(dict.fromkeys([*self._vocabulary(), *self._open(), *found, *able]))
        self.facts = list(self.encoding.facts)
        self.changed = frozenset()

    def _able(self, family: Family) -> str:
        """Who can certainly do something of a family: he is offered it, and nothing that looks so may be forbidden."""
        out, forbidden = self.kept.dropped(family.offered), self.kept.dropped(family.forbidden)
        if 0 in out or 0 in forbidden:
            raise Unprojectable(f"it is not known whom {family.offered[0]} is about")
        offered = [f"X{i}" for i in range(family.offered[1]) if i not in out]
        given = [
            "_" if i in out or i == family.forbidden[1] - 1 else f"X{i}"
            for i in range(family.forbidden[1])
            if i not in forbidden
        ]
        conditions = f"{literal(family.offered[0], *offered)}, not {literal(family.forbidden[0], *given)}"
        return f"{ABLE}(X0,{family.number}) :- {conditions}."


def _families(ruleset: Ruleset, kinds: Sequence[ActionKind]) -> Families:
    """The actions that are offered at the decisions of some kinds."""
    rules = ruleset.enumerating.slice(seeds(decisions_of(kinds), []), [top(*LEGAL)])
    try:
        return families([r for r in rules if not about_totals(r)])
    except NotDecided as error:
        raise Unprojectable(str(error)) from None
