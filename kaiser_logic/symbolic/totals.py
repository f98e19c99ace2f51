"""The totals of conserved things over a run of moments.

They are counted once, at the first moment; from then on each follows from what a transition gains, loses and shifts.
What follows is kept back until something asks for a total.

Following is exact where a measure counts single counters and pieces (:mod:`.measures`), and only gains, losses and
shifts change these. Where a transition can change a measure in another way, that measure is counted anew after it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from .. import clingo
from ..engine import symbols
from ..engine.ruleset import Ruleset
from ..rules.pattern import Signature
from ..rules.predicates import BOUND, COUNTS, TOTAL
from ..rules.reader import rule_of
from ..rules.rule import Rule, top
from ..transform.clauses import clauses
from ..transform.rewrite import literal, rename
from ..transform.slicing import seeds
from .measures import changed_otherwise, irregular, measured, several_weights

_INTO: Final = ("V < into(#inf,#inf)", "V > into(#sup,#sup)")
_OUT: Final = ("V < out(#inf,#inf)", "V > out(#sup,#sup)")
"""Marks that are not those of shifts, which the engine makes: two ranges in the order of terms."""
_TIED: Final = ":- ranges(L,_,_), #sum { W,X : counts(L,X,W); -N,total__ : total(L,N) } != 0."
"""The total is the sum of the parts, where there is one total: one sum for each measure, not one for each value of a total."""


@dataclass(frozen=True)
class Changes:
    """What a transition does to the totals.

    Attributes:
        sources: For each way to change them the atoms that say it, with ``L`` what is conserved.
        parts: The elements of the sum of all changes.
        before: The name that the totals have before it.
        recounted: The predicate of the measures that are counted anew, or nothing where there are none.
        counts: The name of ``counts/3`` after it.
    """

    sources: tuple[str, ...]
    parts: str
    before: str
    recounted: str = ""
    counts: str = ""


class Totals:
    """The rules about totals in one reading.

    Attributes:
        counting: The rulebook's rules for ``counts/3``.
        changes: What the last transition does to the totals; None where it does not touch them.
        exact: Whether totals are tied to their sums.
        consistent: Whether nothing is lost that is not there, which ``count`` says; not where that is asked.
        supposing: The atom that says so, where it is asked in the same program; nothing where there is none.
        tied: The measures whose totals are tied to their sums anyway: parts may be negative, or are no single counters.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        measures: Iterable[clingo.Symbol] = (),
        fluents: Iterable[clingo.Symbol] = (),
    ) -> None:
        """Of what these rules conserve; ``measures``: what one of each counter weighs; ``fluents``: all there can be."""
        self._ruleset = ruleset
        self.counting: list[Rule] = [r for r in ruleset.rules if r.heads and r.heads[0].signature == COUNTS]
        self.changes: Changes | None = None
        self.exact = True
        self.consistent = True
        self.supposing = ""
        self._kinds = ("limit", "range") if ruleset.facts("range", 3) else ("limit",)
        self._kept: dict[int, list[str]] = {}
        kinds = self._kinds
        self._measures: frozenset[clingo.Symbol] = ruleset.remember(
            ("measures", kinds), lambda: frozenset(s.arguments[0] for k in kinds for s in ruleset.facts(k, 3))
        )
        by_rules: frozenset[clingo.Symbol] = ruleset.remember(
            ("irregular", kinds), lambda: frozenset(irregular(ruleset, self.counting, self._measures))
        )
        measures = tuple(measures)
        self._irregular = by_rules | several_weights(measures)
        self.tied = self._irregular | _negative(ruleset, measures, fluents)
        stated = [s.arguments[0] for k in kinds for s in ruleset.facts(k, 3)]
        self._stated_once = len(stated) == len(set(stated))

    @property
    def facts(self) -> list[clingo.Symbol]:
        """What a program must be told."""
        return [clingo.Function("tied__", [measure]) for measure in sorted(self.tied)]

    @property
    def reads(self) -> set[Signature]:
        """What totals depend on."""
        return {s for r in self.counting for s in r.uses} - set(self._ruleset.static)

    @property
    def slice(self) -> list[Rule]:
        """The rules for ``counts/3``, with those for what they read."""
        return self._ruleset.judging.slice(seeds(None, None), [top(*COUNTS)])

    def unfollowed(self, rules: Iterable[Rule]) -> list[clingo.Symbol]:
        """The measures that a transition by these rules can change in other ways than by following."""
        otherwise = changed_otherwise(self._ruleset, rules, measured(self._ruleset, self.counting))
        if otherwise is None:
            return sorted(self._measures)
        rules_for = (r for r in self.counting if r.uses & otherwise)
        return sorted(self._irregular | irregular(self._ruleset, rules_for, self._measures, every=True))

    def anew(
        self, rules: Iterable[Rule], label: str, name: Callable[[Signature], str]
    ) -> tuple[list[clingo.Symbol], list[str]]:
        """What is counted anew after a transition: the facts that say which measures, and the rules for ``counts/3``."""
        found = [clingo.Function(f"recount__{label}", [measure]) for measure in self.unfollowed(rules)]
        return found, [rename(rule, name) for rule in self.slice] if found else []

    def first(self, exact: bool) -> list[str]:
        """The totals of the first moment: tied to their sums, or only at least each part of them."""
        self.exact = exact
        lines = [f"ranges(L,N,M) :- {kind}(L,N,M)." for kind in self._kinds]
        lines.append("1 { total(L,N..M) } 1 :- ranges(L,N,M).")
        lines += [rule.text for rule in (self.slice if self.counting else ())]
        tie = ":- total(L,N), ranges(L,_,_){}, #sum{{ W,X : counts(L,X,W) }} != N."
        if exact:
            return [*lines, _TIED if self._stated_once else tie.format("")]
        return [
            *lines,
            *([tie.format(", tied__(L)")] if self.tied else []),
            self.least,
            ":- limit(L,_,M), #sum{ W,X : counts(L,X,W) } > M.",
        ]

    @property
    def least(self) -> str:
        """That a total is at least each of its parts, where none is negative; it follows where totals are their sums."""
        return f":- total(L,N), counts(L,_,W), W > N{', not tied__(L)' if self.tied else ''}."

    def asked(self, now: int) -> list[str]:
        """What has been kept back about the totals up to a moment."""
        return [line for moment in sorted(self._kept) if moment <= now for line in self._kept.pop(moment)]

    def share(self, other: Totals, moment: int) -> None:
        """The totals of a moment are those of another reading."""
        self._kept[moment] = other._kept.get(moment, [])

    def follow(
        self,
        moment: int,
        old: str,
        new: str,
        label: str,
        by: Mapping[str, str],
        recounted: Collection[str] = (),
        counts: str = "",
    ) -> None:
        """The totals of a moment follow from those before.

        Args:
            moment: The new moment.
            old: The totals' name before.
            new: Their name at the new moment.
            label: What marks this transition's own predicates.
            by: The transition's predicates for ``gain``, ``lose`` and ``shift``, as far as it has such.
            recounted: The rules for ``counts/3`` at the new moment; none where no measure, ``recount/1``, is counted anew.
            counts: What ``counts/3`` is called there.
        """
        ways = dict(_ways(by))
        anew = f"recount__{label}" if recounted else ""
        if not ways and not anew:
            self._kept[moment] = [f"{new}(L,N) :- {old}(L,N)."]
            return
        sources = tuple(ways.values())
        parts = "; ".join(f"{element} : {condition}" for element, condition in ways.items())
        self.changes = Changes(sources, parts, old, anew, counts)
        other = f", not {anew}(L)" if anew else ""
        lines = [*recounted]
        if anew:
            summed = f"#sum{{ W,X : {counts}(L,X,W) }}"
            lines.append(f"{new}(L,N) :- {anew}(L), ranges(L,_,_), N = {summed}.")
        for kind in self._kinds:
            lines += [f"touches__{label}(L) :- {source}, {kind}(L,_,_){other}." for source in sources]
            lines += [f"{new}(L,N) :- {old}(L,N), {kind}(L,_,_), not touches__{label}(L){other}."]
            if ways:
                lines += [
                    f"net__{label}(L,D) :- touches__{label}(L), {kind}(L,N0,M0), D = #sum{{ {parts} }}, "
                    "D <= M0-N0+1, D >= N0-M0-1.",
                    f"{new}(L,N+D) :- {old}(L,N), {kind}(L,_,_), net__{label}(L,D).",
                ]
        if not ways:
            lines.append(f"touches__{label}(none) :- #false.")
        elif not self.exact and self.consistent:  # no sum is negative, nor falls by more than it can
            free = ", not tied__(L)" if self.tied else ""
            only = f"{self.supposing}, " if self.supposing else ""
            lines += [
                f":- {only}{old}(L,N), net__{label}(L,D), N+D < 0{free}.",
                f":- {only}touches__{label}(L), ranges(L,_,M0), #sum{{ {parts} }} < -M0{free}.",
            ]
        self._kept[moment] = lines


def _ways(by: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The ways to change a total: the sum's element, and on what condition."""
    for name, sign, others in (("gain", "", _INTO), ("lose", "-", _OUT)):
        if name in by:
            for k, own in enumerate(others):
                yield f"{sign}N*W,X,V,{name}{k or ''}", f"{by[name]}(X,N,V), {own}, measure(L,X,W)"
    if "shift" in by:
        # what is shifted counts only where its two ends weigh differently, which is known before any position is
        shift = f"{by['shift']}(X,Y,N,V)"
        yield "N*W,X,Y,V,into", f"{shift}, measure(L,Y,W), not measure(L,X,_)"
        yield "-N*W,X,Y,V,out", f"{shift}, measure(L,X,W), not measure(L,Y,_)"
        yield "N*(W-U),X,Y,V,both", f"{shift}, measure(L,Y,W), measure(L,X,U), W != U"


def _negative(
    ruleset: Ruleset, measures: Iterable[clingo.Symbol], fluents: Iterable[clingo.Symbol]
) -> frozenset[clingo.Symbol]:
    """The measures of which something weighs less than nothing, or a counter may be below 0; looked for once in the same."""

    def found() -> tuple[object, frozenset[clingo.Symbol]]:
        counters = ruleset.book.counters
        below = {
            clingo.Function(f.name, f.arguments[:-1])
            for f in fluents
            if symbols.signature(f) in counters and f.arguments[-1].number < 0
        }
        said = (m.arguments for m in measures)
        negative = (measure for measure, x, weight in said if weight.number < 0 or x in below)
        return (measures, fluents), frozenset(negative)

    # they are kept along, so that no others can have their number
    return ruleset.remember(("negative", id(measures), id(fluents)), found)[1]


def about_totals(rule: Rule) -> bool:
    """Whether the rule says what counts, or sums it up: that is done here."""
    return rule.heads[0].signature in (TOTAL, COUNTS)


def single_heads(rules: Iterable[Rule]) -> frozenset[Signature]:
    """The predicates with one rule, which has one head."""
    found: dict[Signature, int] = {}
    for rule in rules:
        for head in rule.heads:
            found[head.signature] = found.get(head.signature, 0) + 1
    return frozenset(s for s, n in found.items() if n == 1)


def functional(rule: Rule, line: str, single: Collection[Signature]) -> list[str]:
    """The constraint that a stated sum has one value: always true, and a great help to the solver.

    Only for a rule that is its predicate's only one and assigns a bounded sum (``bound/2``), where all that the sum
    depends on stands in the head. With another variable, as the ``Q`` whose stones are summed, there is a value for
    each of its values, and no constraint.

    >>> rule = rule_of("income(R,N) :- player(R); bound(income,M); N = #sum { W,X : pays(R,X,W) }.")
    >>> functional(rule, rule.text.replace("income(R", "income__m1(R"), {("income", 2)})
    [':- income__m1(R,N), income__m1(R,Other_), N < Other_.']
    >>> rule = rule_of("others(R,N) :- player(R); player(Q); bound(others,M); N = #sum { K : taken(Q,K) }.")
    >>> functional(rule, rule.text, {("others", 2)})
    []

    Args:
        rule: The rulebook's rule.
        line: What has become of it in the program.
        single: The predicates that have one rule.
    """
    if not rule.heads or rule.heads[0].signature not in single:
        return []
    if not any(a.signature == BOUND for a in rule.positive):
        return []
    found = rule_of(line)
    value, head = found.assigned_sum, found.heads[0]
    args = [found.argument(head, i) for i in range(len(head.args))]
    if value not in args or any(a[0] == "f" for a in head.args):
        return []
    if any(a[0] == "v" and args[i] != a[1] for i, a in enumerate(head.args)) or args.count(value) > 1:
        return []
    clause, *more = clauses(rule)
    sums = [p for p in clause.parts if p.atom is None and value in p.gives and p.elements]
    if more or len(sums) != 1 or not sums[0].variables - {value} <= set(args):
        return []
    others = ["Other_" if a == value else a for a in args]
    return [f":- {literal(head.name, *args)}, {literal(head.name, *others)}, {value} < Other_."]
