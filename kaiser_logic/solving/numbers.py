"""Numbers without a limit: when an open position, where they run to a bound, stands for all of them.

Why it is right. Points have no end; in an open position they run to a bound, and from one below 0 where there can be less
than nothing. Let all rules of a program read such counters only in comparisons, ``points(R,N), N > 8`` or
``points(R,N), points(Q,M), N >= M+2``, and let none use a number otherwise. What changes a counter does not depend on its
number then, as no rule that reads it does, but for what such comparisons say.

*Thresholds alone.* If the bound is so high that a counter there is above every threshold before the transition and after
it, then any larger number is read like the bound; likewise below. So each real position has a model: the one in which such
numbers are cut off at the bound. The next position's number lies as far above or below; beyond the wider sort it is as its
end is.

*Copies.* What rules derive from such a number alone, ``goal(R,N) :- points(R,N)``, perhaps with something added that never
changes, and the largest or smallest of some, are such numbers themselves: what they are compared with, the counter is.

*Two counters compared.* Let C be the largest number with which a difference of two counters, or a counter itself, is
compared, and by which a transition can change what is compared. Take the counters of a real position and 0 in order, and
let each gap of more than C+1 between neighbours be C+1. All differences up to C stay as they are, and larger ones stay
larger than C: so every comparison says the same as before, of the position and of the next one, where each counter has
changed by the same amount. There, K counters are at most K(C+1) away from 0 (the least solution of these differences). If
the bound is as high as that, each real position has a model. The changes have to be smaller than the margin of the wider
sort, so that no number of the next position is cut off.

Everything else that depends on such numbers (sums, products, numbers of tuples) is not decided, and says so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

from .. import clingo
from ..errors import NotDecided
from ..lang.algebra import atoms, occurrences, variables, walk
from ..lang.terms import (
    ANY,
    Aggregate,
    Atom,
    Compare,
    Fun,
    Int,
    Literal,
    Name,
    Op,
    Range,
    Rule,
    Signature,
    Term,
    Var,
)
from .build import atom, fun, head_of, rule, variables_x
from .encoder import Encoder
from .program import signature_of
from .theory import BROKEN, COUNTS, EFFECTS, THEN, TOTAL, WRONG, Theory, positive
from .vocabulary import Vocabulary

_USED: Final = frozenset({*EFFECTS, COUNTS, TOTAL, BROKEN, WRONG})
"""What is more than read by rules: a number in these is used."""
_ROUNDS: Final = 8
"""So often it is looked for copies of copies."""
_LONG: Final = 1_000
"""Of a range with so many numbers the ends alone are noted."""
_ANY: Final = 2**31
"""Larger than all numbers of clingo."""
HIGHEST: Final = 120
"""An open position's bound is at most raised so far."""


class TooLow(NotDecided):
    """The bound is too low; ``wanted``: the one that would do."""

    def __init__(self, reason: str, wanted: int) -> None:
        """With the reason, in words."""
        super().__init__(reason)
        self.wanted = wanted


class Thresholds:
    """How rules read numbers that are cut at a bound.

    Attributes:
        compared: The lowest and the highest number that a cut counter is compared with; none where it is with none.
        marks: All that one is compared with, of long ranges only the ends.
        apart: The largest number that a difference of two of them is compared with; None where no two are compared.
        others: Rules that read such numbers otherwise.
    """

    def __init__(self, theory: Theory, vocabulary: Vocabulary, rules: Iterable[Rule]) -> None:
        """Of these rules, where not all facts of some fluents are in the vocabulary."""
        self._theory, self._vocabulary, self._cut = theory, vocabulary, vocabulary.cut
        self._values: dict[tuple[Signature, int], tuple[int, int] | None] = {}
        self.compared: tuple[int, ...] = ()
        self.marks: set[int] = set()
        self.apart: int | None = None
        rules = list(dict.fromkeys(rules))
        self._copies: dict[tuple[Signature, int], tuple[int, int]] = {}
        self._constant = 0  # what is said in place of a copy
        self._find_copies(rules)
        self.others = [one for one in rules if not self._is_plain(one)]

    def _find_copies(self, rules: Sequence[Rule]) -> None:
        """The places of predicates at which a counter's number is, with something added: from how much to how much."""
        for _ in range(_ROUNDS):
            before = dict(self._copies)
            for one in rules:
                head = head_of(one)
                if head.signature in _USED:
                    continue
                offsets = self._offsets(one, self._counted(one))
                for k, arg in enumerate(head.args):
                    if isinstance(arg, Var) and arg.name in offsets:
                        key = head.signature, k
                        self._copies[key] = _union(self._copies.get(key), offsets[arg.name])
            if self._copies == before:
                return
        self._copies = {}  # they grow and grow: no such rule is plain

    def _places(self, a: Atom) -> dict[int, tuple[int, int]]:
        """At which places of an atom such numbers are; of ``then(F)`` those of the fact."""
        fact = self._fact(a.args[0]) if a.signature == THEN else None
        signature, args = (a.signature, a.args) if fact is None else (_signature(a.args[0]), fact)
        if signature in self._cut:
            return {len(args) - 1: (0, 0)} if signature in self._theory.counters else {}
        return {k: self._copies[signature, k] for k in range(len(args)) if (signature, k) in self._copies}

    def _counted(self, one: Rule) -> dict[str, tuple[int, int]]:
        """The variables that a rule's atoms give such numbers."""
        found: dict[str, tuple[int, int]] = {}
        for a, _ in atoms(one.body):
            args = (self._fact(a.args[0]) or a.args) if a.signature == THEN else a.args
            for k, span in self._places(a).items():
                arg = args[k]
                if isinstance(arg, Var) and arg != ANY:
                    found[arg.name] = _union(found.get(arg.name), span)
        return found

    def _offsets(self, one: Rule, found: dict[str, tuple[int, int]]) -> dict[str, tuple[int, int]]:
        """These and what follows from them, ``M = N+2``, ``M = #max { N : p(N) }``: how far each is from a counter's number."""
        found, more = dict(found), True
        while more:
            more = False
            for x in one.body:
                moved: tuple[str, tuple[int, int]] | None = None
                if isinstance(x, Compare) and not x.sign and isinstance(x.left, Var):
                    moved = self._offset(one, x, found)
                    name = x.left.name
                elif (span := self._extreme(x, found)) is not None and isinstance(x, Aggregate):
                    sides = [side for op, side in x.guards if op == "=" and isinstance(side, Var)]
                    moved = ("", span) if sides and not x.sign else None
                    name = sides[0].name if sides else ""
                if moved is not None and name not in found:
                    found[name] = moved[1]
                    more = True
        return found

    def _extreme(self, x: Literal, offsets: Mapping[str, tuple[int, int]]) -> tuple[int, int] | None:
        """How far the largest or smallest of such numbers is from one of them."""
        if not isinstance(x, Aggregate) or x.function not in ("#max", "#min"):
            return None
        span: tuple[int, int] | None = None
        for e in x.elements:
            first = e.terms[0] if e.terms else None
            if not isinstance(first, Var) or first.name not in offsets:
                return None
            span = _union(span, offsets[first.name])
        return span

    def far(self, counters: int, change: int = 0) -> int:
        """The bound with which so many counters that are compared can be looked at: see the module's text.

        Args:
            counters: How many have no limit.
            change: By how much what is compared may change.
        """
        most = max(map(abs, (*self.compared, self.apart or 0))) + self._constant
        return counters * (most + change + 1)

    def _is_plain(self, one: Rule) -> bool:
        """Whether a rule reads such numbers in comparisons alone; enters these."""
        head = head_of(one)
        if head.signature in (("add", 1), ("del", 1)) and self._fact(head.args[0]) is not None:
            return False
        uses, numbers = Counter(occurrences(one)), Counter[str]()
        spans: dict[str, list[tuple[int, int]]] = {}
        for a, _ in atoms(one.body):
            if a.signature == THEN and isinstance(a.args[0], Var):
                return False
            fact = self._fact(a.args[0]) if a.signature == THEN else None
            signature, args = (a.signature, a.args) if fact is None else (_signature(a.args[0]), fact)
            loose = signature in self._cut and signature not in self._theory.counters
            if loose and not all(_is_any(term, uses) for term in args):
                return False
            for k, span in self._places(a).items():
                if not self._reads(signature, args, k, span, uses):
                    return False
                term = args[k]
                if isinstance(term, Var) and not _is_any(term, uses):
                    numbers[term.name] += 1
                    spans.setdefault(term.name, []).append(span)
        for its in spans.values():
            for one_span, other in pairwise(its):
                self._differs(*_between(one_span, other))  # the number of two counters
        return self._is_known_head(one) and (not numbers or self._follow(one, numbers, uses))

    def _is_known_head(self, one: Rule) -> bool:
        """Whether a rule says such a number, or one that never changes, where others say such numbers; enters the latter."""
        head = head_of(one)
        offsets = self._counted(one)
        for k, arg in enumerate(head.args):
            if (head.signature, k) not in self._copies:
                continue
            if isinstance(arg, Var) and arg.name in self._offsets(one, offsets):
                continue
            fixed = self._span(one, arg, set(offsets))
            if fixed is None:
                return False
            self._constant = max(self._constant, *map(abs, fixed))
        return True

    def _fact(self, term: Term) -> tuple[Term, ...] | None:
        """The arguments of a fact that is cut."""
        if isinstance(term, Fun) and (term.name, len(term.args)) in self._cut:
            return term.args
        return None

    def _reads(
        self,
        signature: Signature,
        args: tuple[Term, ...],
        place: int,
        span: tuple[int, int],
        uses: Counter[str],
    ) -> bool:
        """Enters how a rule reads one such number; whether it does so plainly."""
        if signature in self._theory.counters and not self._theory.counters[signature]:
            self._compares(0, 0)  # that it is there says that it is more than nothing
        term = args[place]
        if isinstance(term, Int):
            self._compares(*_between((term.value, term.value), span))
            return True
        others = (*args[:place], *args[place + 1 :])
        return _is_any(term, uses) or (isinstance(term, Var) and term.name not in variables(*others))

    def _follow(self, one: Rule, numbers: Counter[str], uses: Counter[str]) -> bool:
        """Enters what numbers are compared with; whether a rule uses them in no other way."""
        offsets = self._offsets(one, self._counted(one))
        left = Counter({name: uses[name] - numbers[name] for name in offsets})
        head = head_of(one)
        if head.signature == BROKEN:
            left.subtract(n for n in occurrences(head.args[1]) if n in offsets)
        for k, arg in enumerate(head.args):
            if isinstance(arg, Var) and arg.name in offsets and (head.signature, k) in self._copies:
                left[arg.name] -= 1
        for a, _ in atoms(one.body):
            self._limited(a, offsets, left)
        for x in walk(one.body):
            if isinstance(x, Compare) and not self._is_compared(one, x, offsets, left):
                return False
            if isinstance(x, Aggregate) and not self._is_gathered(one, x, offsets, left):
                return False
        return not any(left.values())

    def _is_compared(
        self, one: Rule, x: Compare, offsets: Mapping[str, tuple[int, int]], left: Counter[str]
    ) -> bool:
        """Enters a comparison; whether it is a plain one."""
        moved = self._offset(one, x, offsets) if not x.sign else None
        if moved is not None and isinstance(x.left, Var):
            self._differs(*_between(offsets.get(x.left.name, moved[1]), moved[1]))
            left.subtract([x.left.name, moved[0]])
            return True
        return all(
            self._meets(one, side, other, offsets, left)
            for side, other in ((x.left, x.right), (x.right, x.left))
        )

    def _meets(
        self,
        one: Rule,
        side: Term,
        other: Term,
        offsets: Mapping[str, tuple[int, int]],
        left: Counter[str],
        span: tuple[int, int] | None = None,
    ) -> bool:
        """Enters that a side is compared with another one; whether that is plain, or the side is no such number."""
        if span is None:
            if not isinstance(side, Var) or side.name not in offsets:
                return True
            left[side.name] -= 1
            span = offsets[side.name]
        if isinstance(other, Var) and other.name in offsets:
            self._differs(*_between(span, offsets[other.name]))
            return True
        fixed = None if isinstance(other, (Op, Range)) else self._span(one, other, set(offsets))
        if fixed is not None:
            self._compares(*_between(fixed, span))
        return fixed is not None

    def _is_gathered(
        self, one: Rule, x: Aggregate, offsets: Mapping[str, tuple[int, int]], left: Counter[str]
    ) -> bool:
        """Enters the largest or smallest of such numbers; whether it is compared plainly, or of other numbers."""
        span = self._extreme(x, offsets)
        if span is None:
            return True  # what it uses of such a number is left over
        left.subtract(e.terms[0].name for e in x.elements if isinstance(e.terms[0], Var))
        for _, side in x.guards:
            if isinstance(side, Var) and side.name in offsets:
                left[side.name] -= 1
            if not self._meets(one, side, side, offsets, left, span):
                return False
        return True

    def _limited(self, a: Atom, offsets: Mapping[str, tuple[int, int]], left: Counter[str]) -> None:
        """Enters that a fluent with few numbers has such a number."""
        if a.signature in self._cut or a.signature not in self._theory.fluents:
            return
        for k, arg in enumerate(a.args):
            if isinstance(arg, Var) and arg.name in offsets:
                values = [
                    f.arguments[k].number
                    for f in self._vocabulary.narrow
                    if signature_of(f) == a.signature and f.arguments[k].type is clingo.SymbolType.Number
                ]
                self._compares(*_between((min([0, *values]), max([0, *values])), offsets[arg.name]))
                left[arg.name] -= 1

    def _offset(
        self, one: Rule, x: Compare, offsets: Mapping[str, tuple[int, int]]
    ) -> tuple[str, tuple[int, int]] | None:
        """The number to which a literal adds something that never changes, and how far from it the result is."""
        if x.op != "=" or not isinstance(x.right, Op) or x.right.sign not in ("+", "-"):
            return None
        sign, first, second = x.right.sign, x.right.left, x.right.right
        for number, other in ((first, second), (second, first)) if sign == "+" else ((first, second),):
            if isinstance(number, Var) and number.name in offsets:
                span = self._span(one, other, set(offsets))
                if span is not None:
                    low, high = span if sign == "+" else (-span[1], -span[0])
                    base = offsets[number.name]
                    return number.name, (base[0] + low, base[1] + high)
        return None

    def _differs(self, *ends: int) -> None:
        self.apart = max(self.apart or 0, *map(abs, ends))

    def _compares(self, least: int, most: int) -> None:
        self.compared = (min([least, *self.compared[:1]]), max([most, *self.compared[1:]]))
        self.marks.update(range(least, most + 1) if most - least < _LONG else (least, most))

    def _span(self, one: Rule, term: Term, seen: set[str]) -> tuple[int, int] | None:
        """The smallest and the largest value of a term that never changes, or None."""
        if isinstance(term, Int):
            return term.value, term.value
        if not isinstance(term, Var) or term.name in seen:
            return None
        for a in positive(one.body):
            for k, arg in enumerate(a.args):
                if arg == term and a.signature in self._theory.static:
                    found = self._known(a.signature, k)
                    if found is not None:
                        return found
        seen = {*seen, term.name}
        said = (x.right for x in one.body if isinstance(x, Compare) and x.op == "=" and x.left == term)
        spans = (self._calculated(one, right, seen) for right in said if isinstance(right, (Op, Range)))
        return next((span for span in spans if span is not None), None)

    def _calculated(self, one: Rule, term: Op | Range, seen: set[str]) -> tuple[int, int] | None:
        """The same of a calculation or a range."""
        sides = (term.left, term.right) if isinstance(term, Op) else (term.low, term.high)
        left, right = (self._span(one, side, seen) for side in sides)
        if left is None or right is None:
            return None
        if isinstance(term, Range):
            return left[0], right[1]
        if term.sign == "+":
            return left[0] + right[0], left[1] + right[1]
        return (left[0] - right[1], left[1] - right[0]) if term.sign == "-" else None

    def _known(self, signature: Signature, place: int) -> tuple[int, int] | None:
        """The smallest and the largest number at a place of facts that never change; None where another term is there."""
        key = signature, place
        if key not in self._values:
            values = [f.arguments[place] for f in self._theory.static[signature]]
            numbers = [v.number for v in values if v.type is clingo.SymbolType.Number]
            whole = len(numbers) == len(values) and bool(numbers)
            self._values[key] = (min(numbers), max(numbers)) if whole else None
        return self._values[key]


def _is_any(term: Term, uses: Mapping[str, int]) -> bool:
    """Whether a term stands for anything."""
    return isinstance(term, Var) and (term.name == "_" or uses[term.name] == 1)


def _union(one: tuple[int, int] | None, other: tuple[int, int]) -> tuple[int, int]:
    """From the smallest to the largest of two ranges."""
    return other if one is None else (min(one[0], other[0]), max(one[1], other[1]))


def _between(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    """The smallest and the largest difference of two numbers."""
    return one[0] - other[1], one[1] - other[0]


def _signature(term: Term) -> Signature:
    return (
        (term.name, len(term.args))
        if isinstance(term, Fun)
        else (term.text if isinstance(term, Name) else "", 0)
    )


class BoundCheck:
    """Whether an encoding's open position stands for all.

    Attributes:
        reason: Why not, in words; None where it does, once `settle` has been asked.
        wanted: The bound with which it would, where it is only too low.
        furthest: By how much a counter may change at once, or in several transitions.
    """

    def __init__(self, *runs: Sequence[Encoder], always: bool = False) -> None:
        """Of encodings of which all rules but for the goals' are known.

        Args:
            runs: Transitions one after the other, by some rules each; all begin with the same position.
            always: Whether it is asked by how much counters change, also where nothing reads them.
        """
        self._runs = runs
        self._encoder = encoder = runs[0][0]
        theory, vocabulary = encoder.theory, encoder.vocabulary
        self._found: Thresholds | None = None
        self.reason: str | None = None
        self.wanted: int | None = None
        self.furthest = 0
        cut = vocabulary.cut
        if not cut:
            return
        self.reason = unfit(encoder)
        if self.reason is not None:
            return
        found = Thresholds(theory, vocabulary, (r for run in runs for e in run for r in e.origins))
        if found.others:
            place = found.others[0].place
            self.reason = f"it depends on numbers beyond any bound: {place.file}:{place.line}"
        elif found.compared or found.apart is not None or always:
            self._found = found
            for run in runs:
                for one in run:
                    one.put(*_changes(one))

    def settle(self) -> None:
        """Reads in the ground program by how much counters may change."""
        if self._found is None:
            return
        falls = rises = 0
        for run in self._runs:
            changes = [[_number(s.arguments[1]) for s in e.atoms("change__", 2)] for e in run]
            falls = min(falls, sum(min([0, *its]) for its in changes))
            rises = max(rises, sum(max([0, *its]) for its in changes))
        self.furthest = max(rises, -falls)
        low, high = self._found.compared or (0, 0)
        vocabulary, signed = self._encoder.vocabulary, self._encoder.theory.signed
        if self._found.apart is not None:
            self._compared(self._found.far(len(vocabulary.endless), rises - falls), max(rises, -falls))
            return
        if not self._found.compared:
            return
        if vocabulary.bound + falls <= high:
            self._is_low(f"beyond {vocabulary.bound}", high - falls + 1)
        below = any((c.name, len(c.arguments) + 1) in signed for c in vocabulary.endless)
        if below and -vocabulary.bound + rises >= low:
            self._is_low(f"below {-vocabulary.bound}", rises - low + 1)

    def _compared(self, wanted: int, change: int) -> None:
        """Settles it where two counters are compared: see the module's text."""
        vocabulary = self._encoder.vocabulary
        if change >= vocabulary.far - vocabulary.bound:
            self.reason = (
                f"it depends on numbers that change by more than {vocabulary.far - vocabulary.bound}"
            )
        elif vocabulary.bound < wanted:
            self._is_low(f"beyond {vocabulary.bound}", wanted)

    def _is_low(self, which: str, wanted: int) -> None:
        """The bound is too low."""
        self.reason, self.wanted = f"it depends on numbers {which}", max(wanted, self.wanted or 0)


def _changes(encoder: Encoder) -> Iterator[Rule]:
    """change__(Counter,N): by how much a counter that is cut may change; ``#inf`` and ``#sup``: by more than is looked at."""
    change = Var("D")
    reach = encoder.vocabulary.far
    ends = (("#inf", "<", Int(-reach)), ("#sup", ">", Int(reach)))
    for name, arity in sorted(encoder.vocabulary.cut & encoder.changed):
        counter = fun(name, variables_x(arity)[:-1])
        moved: list[Literal] = [atom("endless__", counter), atom("moved__", counter)]
        span = Compare(change, "=", Range(Int(-reach), Int(reach)))
        by = encoder.after((name, arity), "=", change, change_only=True)
        yield rule(Atom("change__", (counter, change)), *moved, span, by)
        for end, op, side in ends:
            further = encoder.after((name, arity), op, side, change_only=True)
            yield rule(Atom("change__", (counter, Name(end))), *moved, further)


def _number(symbol: clingo.Symbol) -> int:
    """A change; ``#inf`` and ``#sup`` are further away than any number that is compared."""
    if symbol.type is clingo.SymbolType.Number:
        return symbol.number
    return -_ANY if symbol.type is clingo.SymbolType.Infimum else _ANY


def unfit(encoder: Encoder) -> str | None:
    """Why no bound would do, whatever the rules read; None where one may."""
    vocabulary = encoder.vocabulary
    beside = _limited(encoder)
    if beside is not None:
        return f"it depends on numbers beyond the bound, of {beside}"
    for measure, its in vocabulary.measures.items():
        for x in its:
            if (x.name, len(x.arguments) + 1) in vocabulary.cut:
                return f"it depends on numbers beyond any bound: {measure} counts {x}"
    return None


def _limited(encoder: Encoder) -> str | None:
    """A counter that is cut though it has an end, or that only larger numbers know."""
    vocabulary, counters = encoder.vocabulary, encoder.theory.counters
    keys = [
        {
            (f.name, tuple(f.arguments[:-1]))
            for f in group
            if signature_of(f) in vocabulary.cut & set(counters)
        }
        for group in (vocabulary.narrow, vocabulary.wide)
    ]
    endless = {(c.name, tuple(c.arguments)) for c in vocabulary.endless}
    beside = sorted((keys[1] - keys[0]) | (keys[0] - endless), key=str)
    return f"{beside[0][0]}({','.join(map(str, beside[0][1]))})" if beside else None


def decided(beyond: BoundCheck) -> None:
    """Nothing, where an open position stands for all.

    Raises:
        TooLow: It would with a higher bound.
        NotDecided: It does not.
    """
    beyond.settle()
    if beyond.wanted is not None and beyond.wanted <= HIGHEST:
        raise TooLow(beyond.reason or "", beyond.wanted)
    if beyond.reason is not None:
        raise NotDecided(beyond.reason)
