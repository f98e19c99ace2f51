"""Numbers without a limit: when an open position, where they run to a bound, stands for all of them.

Why it is right. Points have no end; in an open position they run to a bound, and from one below 0 where there can be less
than nothing. Let all rules of a program read such counters only in comparisons, ``points(R,N), N > 8`` or
``points(R,N), points(Q,M), N >= M+2``, and let none use a number otherwise. What changes a counter does not depend on its
number then, as no rule that reads it does, but for what such comparisons say.

*Thresholds alone.* If the bound is so high that a counter there is above every threshold before the transition and after
it, then any larger number is read like the bound; likewise below. So each real position has a model: the one in which such
numbers are cut off at the bound. The next position's number lies as far above or below; beyond the wider sort it is as its
end is.

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
from collections.abc import Iterable, Iterator
from typing import Final

from .. import clingo
from ..errors import NotDecided
from ..lang.algebra import atoms, occurrences, variables, walk
from ..lang.terms import Atom, Compare, Fun, Int, Literal, Name, Op, Range, Rule, Signature, Term, Var
from .build import atom, fun, head_of, rule, variables_x
from .encoder import Encoder
from .program import signature_of
from .theory import BROKEN, THEN, Theory, positive

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
        apart: The largest number that a difference of two of them is compared with; None where no two are compared.
        others: Rules that read such numbers otherwise.
    """

    def __init__(self, theory: Theory, rules: Iterable[Rule], cut: Iterable[Signature]) -> None:
        """Of these rules, where these fluents are cut."""
        self._theory, self._cut = theory, frozenset(cut)
        self._values: dict[tuple[Signature, int], tuple[int, int] | None] = {}
        self.compared: tuple[int, ...] = ()
        self.apart: int | None = None
        self.others: list[Rule] = []
        for one in dict.fromkeys(rules):
            if not self._is_plain(one):
                self.others.append(one)

    def far(self, counters: int, change: int = 0) -> int:
        """The bound with which so many counters that are compared can be looked at: see the module's text.

        Args:
            counters: How many have no limit.
            change: By how much what is compared may change.
        """
        return counters * (max(map(abs, (*self.compared, self.apart or 0))) + change + 1)

    def _is_plain(self, one: Rule) -> bool:
        """Whether a rule reads such numbers in comparisons alone; enters these."""
        head = head_of(one)
        if head.signature in (("add", 1), ("del", 1)) and self._fact(head.args[0]) is not None:
            return False
        numbers: Counter[str] = Counter()
        uses = Counter(occurrences(one))
        for a, _ in atoms(one.body):
            args = a.args if a.signature in self._cut else None
            signature = a.signature
            if a.signature == THEN:
                if isinstance(a.args[0], Var):
                    return False
                args, signature = self._fact(a.args[0]), _signature(a.args[0])
            if args is not None and not self._reads(signature, args, uses, numbers):
                return False
        return not numbers or self._follow(one, numbers, uses)

    def _fact(self, term: Term) -> tuple[Term, ...] | None:
        """The arguments of a fact that is cut."""
        if isinstance(term, Fun) and (term.name, len(term.args)) in self._cut:
            return term.args
        return None

    def _reads(
        self, signature: Signature, args: tuple[Term, ...], uses: Counter[str], numbers: Counter[str]
    ) -> bool:
        """Enters how a rule reads one such fact; the variable for its number into ``numbers``."""

        def is_any(term: Term) -> bool:
            return isinstance(term, Var) and (term.name == "_" or uses[term.name] == 1)

        if signature not in self._theory.counters:
            return all(map(is_any, args))
        if not self._theory.counters[signature]:
            self._compares(0, 0)  # that it is there says that it is more than nothing
        last = args[-1]
        if is_any(last):
            return True
        if isinstance(last, Int):
            self._compares(last.value, last.value)
            return True
        if not isinstance(last, Var) or last.name in variables(*args[:-1]):
            return False
        numbers[last.name] += 1
        return True

    def _follow(self, one: Rule, numbers: Counter[str], uses: Counter[str]) -> bool:
        """Enters what numbers are compared with; whether a rule uses them in no other way."""
        if any(n > 1 for n in numbers.values()):
            self._differs(0)  # the number of two counters
        left = Counter({name: uses[name] - n for name, n in numbers.items()})
        head = head_of(one)
        if head.signature == BROKEN:
            left.subtract(n for n in occurrences(head.args[1]) if n in numbers)
        compares = [x for x in walk(one.body) if isinstance(x, Compare) and not x.sign]
        offsets: dict[str, tuple[int, int]] = {name: (0, 0) for name in numbers}
        more = True
        while more:  # M = N+2 is a number, too: how far it is from the counter's
            more = False
            for x in list(compares):
                found = self._offset(one, x, offsets)
                if found is not None and isinstance(x.left, Var) and x.left.name not in offsets:
                    source, offsets[x.left.name] = found
                    left[source] -= 1
                    left[x.left.name] += uses[x.left.name] - 1
                    compares.remove(x)
                    more = True
        for x in compares:
            moved = self._offset(one, x, offsets)
            if moved is not None and isinstance(x.left, Var):
                self._differs(*_between(offsets[x.left.name], moved[1]))
                left.subtract([x.left.name, moved[0]])
                continue
            for side, other in ((x.left, x.right), (x.right, x.left)):
                if not isinstance(side, Var) or side.name not in offsets:
                    continue
                left[side.name] -= 1
                if isinstance(other, Var) and other.name in offsets:
                    self._differs(*_between(offsets[side.name], offsets[other.name]))
                    continue
                fixed = None if isinstance(other, (Op, Range)) else self._span(one, other, set(offsets))
                if fixed is None:
                    return False
                self._compares(*_between(fixed, offsets[side.name]))
        return not any(left.values())

    def _offset(
        self, one: Rule, x: Compare, offsets: dict[str, tuple[int, int]]
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


def _between(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    """The smallest and the largest difference of two numbers."""
    return one[0] - other[1], one[1] - other[0]


def _signature(term: Term) -> Signature:
    return (
        (term.name, len(term.args))
        if isinstance(term, Fun)
        else (term.text if isinstance(term, Name) else "", 0)
    )


class Beyond:
    """Whether an encoding's open position stands for all.

    Attributes:
        reason: Why not, in words; None where it does, once `settle` has been asked.
        wanted: The bound with which it would, where it is only too low.
    """

    def __init__(self, encoder: Encoder) -> None:
        """Of an encoding of which all rules but for the goals' are known."""
        self._encoder = encoder
        theory, vocabulary = encoder.theory, encoder.vocabulary
        self._found: Thresholds | None = None
        self.reason: str | None = None
        self.wanted: int | None = None
        cut = vocabulary.cut
        if not cut:
            return
        beside = _limited(encoder)
        if beside is not None:
            self.reason = f"it depends on numbers beyond the bound, of {beside}"
            return
        for measure, its in vocabulary.measures.items():
            for x in its:
                if (x.name, len(x.arguments) + 1) in cut:
                    self.reason = f"it depends on numbers beyond any bound: {measure} counts {x}"
                    return
        found = Thresholds(theory, encoder.origins, cut)
        if found.others:
            place = found.others[0].place
            self.reason = f"it depends on numbers beyond any bound: {place.file}:{place.line}"
        elif found.compared or found.apart is not None:
            self._found = found
            encoder.program.add(*self._changes())

    def _changes(self) -> Iterator[Rule]:
        """change__(Counter,N): by how much a counter that is cut may change; ``#inf`` and ``#sup``: by more than is looked at."""
        encoder = self._encoder
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

    def settle(self) -> None:
        """Reads in the ground program by how much counters may change."""
        if self._found is None:
            return
        changes = [_number(s.arguments[1]) for s in self._encoder.program.atoms("change__", 2)]
        falls, rises = min([0, *changes]), max([0, *changes])
        low, high = self._found.compared or (0, 0)
        vocabulary, signed = self._encoder.vocabulary, self._encoder.theory.signed
        if self._found.apart is not None:
            self._compared(self._found.far(len(vocabulary.endless), rises - falls), max(rises, -falls))
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


def _number(symbol: clingo.Symbol) -> int:
    """A change; ``#inf`` and ``#sup`` are further away than any number that is compared."""
    if symbol.type is clingo.SymbolType.Number:
        return symbol.number
    return -_ANY if symbol.type is clingo.SymbolType.Infimum else _ANY


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


def decided(beyond: Beyond) -> None:
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
