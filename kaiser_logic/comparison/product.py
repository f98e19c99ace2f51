"""A second reading of the same open position, in the same program (a product program, self-composition).

Where two editions differ in one rule, only what depends on it has a name of its own, here with the mark `_b`:

    violates__k0__0_b(R,"take.three") :- does__0(R,0); A_0 > 3; arg__0(R,0,0,A_0).
"""

from __future__ import annotations

from collections.abc import Iterable

from .. import clingo
from ..engine.ruleset import Ruleset
from ..rules.pattern import Signature
from ..rules.predicates import ADD, CANDIDATE, COUNTS, DEL, DOES, RULING, SUBMITTED, TOTAL
from ..rules.rule import Rule
from ..symbolic import names
from ..symbolic.encoded_transition import EncodedTransition
from ..symbolic.encoding import Encoding
from ..transform.dependency import Dependence, named_in
from . import rulings


class ProductEncoding(Encoding):
    """An encoding beside a first one: it starts from the same moment, and reads it by another edition's rules.

    What follows from rules in which the editions differ gets names of its own; all else is shared. The first encoding
    does each transition first.
    """

    def __init__(self, first: Encoding, ruleset: Ruleset, mark: str, asked: Iterable[Rule]) -> None:
        """Beside the first, at its first moment.

        Args:
            first: The encoding of the first edition.
            ruleset: The second edition's rules.
            mark: What marks all that is this encoding's own.
            asked: All rules of either edition that will be asked for.
        """
        super().__init__(ruleset, first.domains, first.bounded)
        self.first = first
        self.mark = mark
        self.lines = first.lines
        self.totals.exact = first.totals.exact
        self.facts = []
        differing = self._differing_facts(ruleset)
        rules = list(asked)
        ours, theirs = ({r.text for r in e.judging.rules} for e in (first.ruleset, self.ruleset))
        ruled = rulings.differing(first.ruleset, ruleset)
        same = ours & theirs
        alone = [r for r in rules if r.text not in same or r.uses & differing or rulings.asks_for(r, ruled)]
        self._differing = frozenset(r.text for r in alone)
        self._derived = {h.signature for r in alone for h in r.heads}
        self._dependence = Dependence(rules)
        self._apart: list[frozenset[str]] = []
        self._part(set())
        given = {*ruleset.book.fluents, *ruleset.static, TOTAL, COUNTS, SUBMITTED, DOES, CANDIDATE}
        for signature in {h.signature for r in ruleset.rules for h in r.heads} - given:
            if signature[0] in self._apart[0]:
                self._names[0][signature] = f"{signature[0]}{mark}"

    def _differing_facts(self, ruleset: Ruleset) -> set[Signature]:
        """Tells the program the static facts in which the editions differ; their predicates, rulings aside."""
        differing = set()
        for signature, facts in ruleset.static.items():
            if set(facts) != set(self.first.ruleset.static.get(signature, ())):
                self._names[0][signature] = name = f"{signature[0]}{self.mark}"
                self.facts += [clingo.Function(name, f.arguments) for f in facts]
                differing.add(signature)
        return differing - {RULING}

    def _shared(self, name: str, moment: int) -> bool:
        return names.plain(name) not in self._apart[moment]

    def _part(self, fluents: set[Signature]) -> None:
        """Notes what is this encoding's own at a new moment, where these fluents are."""
        affected = self._dependence.affected(self._derived | fluents)
        self._apart.append(frozenset(name for name, _ in affected))

    def _arrive(self, transition: EncodedTransition) -> None:
        self._part(self._moved(transition))
        super()._arrive(transition)

    def _moved(self, transition: EncodedTransition) -> set[Signature]:
        """The fluents that the transition may have changed otherwise than in the first encoding."""
        before = self._apart[transition.moment]
        moved = {f for f in self.ruleset.book.fluents if f[0] in before}
        rules = transition.rules | self.first.transitions[transition.number].rules
        otherwise = [r for r in rules if r.text in self._differing or any(u[0] in before for u in r.uses)]
        return moved | named_in(otherwise, ADD) | named_in(otherwise, DEL)

    def _follow_totals(self, transition: EncodedTransition) -> None:
        if self._shared(TOTAL[0], transition.moment + 1):
            self.totals.share(self.first.totals, transition.moment + 1)
        else:
            super()._follow_totals(transition)
