"""The totals of conserved things over a run of moments.

They are counted once, at the first moment; from then on each follows from what a transition gains, loses and shifts.
What follows is kept back until something asks for a total.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ..engine.ruleset import Ruleset
from ..rules.predicates import BOUND, COUNTS, TOTAL
from ..rules.reader import rule_of
from ..rules.rule import Rule
from ..transform.rewrite import literal


@dataclass(frozen=True)
class Changes:
    """What a transition does to the totals.

    Attributes:
        sources: For each way to change them the atoms that say it, with ``L`` what is conserved.
        parts: The elements of the sum of all changes.
        before: The name that the totals have before it.
    """

    sources: tuple[str, ...]
    parts: str
    before: str


class Totals:
    """The rules about totals in one reading.

    Attributes:
        counting: The rulebook's rules for ``counts/3``.
        changes: What the last transition does to the totals; None where it does not touch them.
        exact: Whether totals are tied to their sums.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        """Of the things that these rules conserve."""
        self.counting: list[Rule] = [r for r in ruleset.rules if r.heads and r.heads[0].signature == COUNTS]
        self.changes: Changes | None = None
        self.exact = True
        self._kinds = ("limit", "range") if ruleset.facts("range", 3) else ("limit",)
        self._kept: dict[int, list[str]] = {}

    def first(self, exact: bool) -> list[str]:
        """The totals of the first moment: tied to their sums, or only at least each part of them."""
        self.exact = exact
        lines = [f"ranges(L,N,M) :- {kind}(L,N,M)." for kind in self._kinds]
        lines.append("1 { total(L,N..M) } 1 :- ranges(L,N,M).")
        lines += [rule.text for rule in self.counting]
        if exact:
            return [*lines, ":- total(L,N), ranges(L,_,_), #sum{ W,X : counts(L,X,W) } != N."]
        return [
            *lines,
            ":- total(L,N), counts(L,_,W), W > N.",
            ":- limit(L,_,M), #sum{ W,X : counts(L,X,W) } > M.",
        ]

    def asked(self, now: int) -> list[str]:
        """What has been kept back about the totals up to a moment."""
        return [line for moment in sorted(self._kept) if moment <= now for line in self._kept.pop(moment)]

    def share(self, other: Totals, moment: int) -> None:
        """The totals of a moment are those of another reading."""
        self._kept[moment] = other._kept.get(moment, [])

    def follow(self, moment: int, old: str, new: str, label: str, by: Mapping[str, str]) -> None:
        """The totals of a moment follow from those before.

        Args:
            moment: The new moment.
            old: The totals' name before.
            new: Their name at the new moment.
            label: What marks this transition's own predicates.
            by: The transition's predicates for ``gain``, ``lose`` and ``shift``, as far as it has such.
        """
        ways = dict(_ways(by))
        if not ways:
            self._kept[moment] = [f"{new}(L,N) :- {old}(L,N)."]
            return
        sources = tuple(ways.values())
        parts = "; ".join(f"{element} : {condition}" for element, condition in ways.items())
        self.changes = Changes(sources, parts, old)
        lines = []
        for kind in self._kinds:
            lines += [f"touches__{label}(L) :- {source}, {kind}(L,_,_)." for source in sources]
            lines += [
                f"net__{label}(L,D) :- touches__{label}(L), {kind}(L,N0,M0), D = #sum{{ {parts} }}, "
                "D <= M0-N0+1, D >= N0-M0-1.",
                f"{new}(L,N) :- {old}(L,N), {kind}(L,_,_), not touches__{label}(L).",
                f"{new}(L,N+D) :- {old}(L,N), {kind}(L,_,_), net__{label}(L,D).",
            ]
        if not self.exact:  # no sum is negative, nor falls by more than it can
            lines += [
                f":- {old}(L,N), net__{label}(L,D), N+D < 0.",
                f":- touches__{label}(L), ranges(L,_,M0), #sum{{ {parts} }} < -M0.",
            ]
        self._kept[moment] = lines


def _ways(by: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The ways to change a total: the sum's element, and on what condition."""
    single = "V < into(#inf,#inf)"  # the marks of shifts are compound, all others constants
    for name, sign in (("gain", ""), ("lose", "-")):
        if name in by:
            yield f"{sign}N*W,X,V,{name}", f"{by[name]}(X,N,V), {single}, measure(L,X,W)"
    if "shift" in by:
        # what is shifted counts only where its two ends weigh differently, which is known before any position is
        shift = f"{by['shift']}(X,Y,N,V)"
        yield "N*W,X,Y,V,into", f"{shift}, measure(L,Y,W), not measure(L,X,_)"
        yield "-N*W,X,Y,V,out", f"{shift}, measure(L,X,W), not measure(L,Y,_)"
        yield "N*(W-U),X,Y,V,both", f"{shift}, measure(L,Y,W), measure(L,X,U), W != U"


def about_totals(rule: Rule) -> bool:
    """Whether the rule says what counts, or sums it up: that is done here."""
    return rule.heads[0].signature in (TOTAL, COUNTS)


def functional(rule: Rule, line: str) -> list[str]:
    """The constraint that a stated sum has one value: always true, and a great help to the solver.

    Only for the rules of a rulebook that assign a bounded sum (``bound/2``), one for each predicate, whose other
    variables all stand in the head.

    >>> rule = rule_of("income(R,N) :- player(R); bound(income,M); N = #sum { W,X : pays(R,X,W) }.")
    >>> functional(rule, rule.text.replace("income(R", "income__m1(R"))
    [':- income__m1(R,N), income__m1(R,Other_), N < Other_.']

    Args:
        rule: The rulebook's rule.
        line: What has become of it in the program.
    """
    if not any(a.signature == BOUND for a in rule.positive):
        return []
    found = rule_of(line)
    value, head = found.assigned_sum, found.heads[0]
    args = [found.argument(head, i) for i in range(len(head.args))]
    if value not in args:
        return []
    others = ["Other_" if a == value else a for a in args]
    return [f":- {literal(head.name, *args)}, {literal(head.name, *others)}, {value} < Other_."]
