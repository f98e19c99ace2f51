"""Numbers without a limit: when an open position with numbers up to a bound stands for positions with any numbers.

Why it is right. Points have no limit. In an open position they run up to a bound (and down to a negative one if a counter may be
negative). Let all rules of a program read such counters only in comparisons, such as ``points(R,N), N > 8`` or
``points(R,N), points(Q,M), N >= M+2``. Then the change of a counter depends on its value only through such comparisons.

*Thresholds alone.* Let the bound be so high that a counter at the bound is above every threshold, before the transition and after
it. Then the rules read every larger number like the bound; likewise below. So each valid position has a model: the position in
which such numbers are cut off at the bound. Its next position differs from the true one only by the same cut; a number outside
the wider sort reads like the end of that sort.

*Copies.* Rules may derive a number from such a number, ``goal(R,N) :- points(R,N)``, may add a constant to it, or take the
largest or smallest of several. The result is such a number as well: a comparison with it is a comparison with the counter.

*Comparisons of two counters.* Let C be the largest number with which a difference of two counters, or a counter itself, is
compared, plus the largest change of what is compared. Sort the counters of a valid position together with 0, and shrink each
gap between neighbours that is larger than C+1 to C+1. Differences up to C stay as they are, and larger ones stay larger than C.
So every comparison has the same result as before, in this position and in the next one, as each counter changes by the same
amount. After this, K counters are at most K(C+1) away from 0. If the bound is at least that, each valid position has a model. The
changes must be smaller than the margin of the wider sort, so that no number of the next position is cut off.

All other uses of such numbers (sums, products, numbers of tuples) are not decided, and the reason is reported.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

from .. import clingo
from ..engine import symbols
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
from ..rules.predicates import BROKEN, COUNTS, EFFECTS, THEN, TOTAL, WRONG
from .build import atom, fun, head_of, no, rule, variables_x
from .encoder import EXACT, Encoder
from .program import Assumed, SolverProgram
from .theory import Theory, positive
from .vocabulary import Vocabulary, counter_signature

_USED: Final = frozenset({*EFFECTS, COUNTS, TOTAL, BROKEN, WRONG})
"""Predicates whose arguments are never copies: a rule with such a number in their head uses it."""
_ROUNDS: Final = 8
"""The number of rounds in which copies of copies are looked for."""
_LONG: Final = 1_000
"""The numbers of a longer range are not noted one by one."""
_ANY: Final = 2**31
"""Larger than any number of clingo."""
HIGHEST: Final = 120
"""The largest bound to which an open position is raised."""


class TooLow(NotDecided):
    """The bound is too low; ``wanted``: a bound that is high enough."""

    def __init__(self, reason: str, wanted: int) -> None:
        """``reason``: in words."""
        super().__init__(reason)
        self.wanted = wanted


class Thresholds:
    """How rules read the numbers that are cut at a bound.

    Attributes:
        compared: The lowest and the highest number with which such a number is compared; empty if there is none.
        marks: The numbers with which one is compared.
        unmarked: Whether one is compared with more numbers than these: those of a long range.
        largest_difference: The largest number with which a difference of two of them is compared; None if no two are compared.
        others: The rules that read such numbers in any other way.
    """

    def __init__(self, theory: Theory, vocabulary: Vocabulary, rules: Iterable[Rule]) -> None:
        """Reads these rules; the fluents in question are those of which the vocabulary has only some facts."""
        self._theory, self._vocabulary, self._cut = theory, vocabulary, vocabulary.cut
        self._values: dict[tuple[Signature, int], tuple[int, int] | None] = {}
        self.compared: tuple[int, ...] = ()
        self.marks: set[int] = set()
        self.unmarked = False
        self.largest_difference: int | None = None
        rules = list(dict.fromkeys(rules))
        self._copies: dict[tuple[Signature, int], tuple[int, int]] = {}
        self.constant = 0  # what is said in place of a copy
        self._find_copies(rules)
        self.others = [one for one in rules if not self._is_plain(one)]

    def _find_copies(self, rules: Sequence[Rule]) -> None:
        """Finds the arguments of predicates that are copies of a counter's number, with the range of the added constant."""
        for _ in range(_ROUNDS):
            before = dict(self._copies)
            for one in rules:
                head = head_of(one)
                if head.signature in _USED:
                    continue
                offsets = self._offsets(one, self._variables_bound(one))
                for k, arg in enumerate(head.args):
                    if isinstance(arg, Var) and arg.name in offsets:
                        key = head.signature, k
                        self._copies[key] = _union(self._copies.get(key), offsets[arg.name])
            if self._copies == before:
                return
        self._copies = {}  # they grow and grow: no such rule is plain

    def _places(self, a: Atom) -> dict[int, tuple[int, int]]:
        """The arguments of an atom that are such numbers, with the range of their offsets; for ``then(F)`` those of F."""
        fact = self._fact(a.args[0]) if a.signature == THEN else None
        signature, args = (a.signature, a.args) if fact is None else (_signature(a.args[0]), fact)
        if signature in self._cut:
            return {len(args) - 1: (0, 0)} if signature in self._theory.counters else {}
        return {k: self._copies[signature, k] for k in range(len(args)) if (signature, k) in self._copies}

    def _variables_bound(self, one: Rule) -> dict[str, tuple[int, int]]:
        """The variables that the atoms of a rule bind to such numbers, with the ranges of their offsets."""
        offsets: dict[str, tuple[int, int]] = {}
        for a, _ in atoms(one.body):
            args = (self._fact(a.args[0]) or a.args) if a.signature == THEN else a.args
            for k, span in self._places(a).items():
                arg = args[k]
                if isinstance(arg, Var) and arg != ANY:
                    offsets[arg.name] = _union(offsets.get(arg.name), span)
        return offsets

    def _offsets(self, one: Rule, offsets: dict[str, tuple[int, int]]) -> dict[str, tuple[int, int]]:
        """These variables, and those computed from them (``M = N+2``, ``M = #max { N : p(N) }``), with their offsets."""
        offsets, more = dict(offsets), True
        while more:
            more = False
            for x in one.body:
                moved: tuple[str, tuple[int, int]] | None = None
                if isinstance(x, Compare) and not x.sign and isinstance(x.left, Var):
                    moved = self._offset(one, x, offsets)
                    name = x.left.name
                elif (span := self._extreme(x, offsets)) is not None and isinstance(x, Aggregate):
                    sides = [side for op, side in x.guards if op == "=" and isinstance(side, Var)]
                    moved = ("", span) if sides and not x.sign else None
                    name = sides[0].name if sides else ""
                if moved is not None and name not in offsets:
                    offsets[name] = moved[1]
                    more = True
        return offsets

    def _extreme(self, x: Literal, offsets: Mapping[str, tuple[int, int]]) -> tuple[int, int] | None:
        """The range of the offset of a ``#max`` or ``#min`` of such numbers; None for any other literal."""
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
        """The bound that is enough if counters are compared with each other: see the module's text.

        Args:
            counters: The number of counters without a limit.
            change: The largest change of what is compared.
        """
        most = max(map(abs, (*self.compared, self.largest_difference or 0))) + self.constant
        return counters * (most + change + 1)

    def _is_plain(self, one: Rule) -> bool:
        """Whether a rule reads such numbers only in comparisons; notes these."""
        head = head_of(one)
        if head.signature in (("add", 1), ("del", 1)):
            changed = head.args[0]
            if isinstance(changed, Var) or self._fact(changed) is not None:  # a variable may stand for any fact
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
        for of_one_variable in spans.values():  # if two of them differ, so do two neighbours
            for one_span, other in pairwise(of_one_variable):
                self._differs(*_range_between(one_span, other))  # the number of two counters
        return self._is_known_head(one) and (not numbers or self._follow(one, numbers, uses))

    def _is_known_head(self, one: Rule) -> bool:
        """Whether each copy in a rule's head is such a number or a constant; notes the constants."""
        head = head_of(one)
        offsets = self._variables_bound(one)
        for k, arg in enumerate(head.args):
            if (head.signature, k) not in self._copies:
                continue
            if isinstance(arg, Var) and arg.name in self._offsets(one, offsets):
                continue
            fixed = self._span(one, arg, set(offsets))
            if fixed is None:
                return False
            self.constant = max(self.constant, *map(abs, fixed))
        return True

    def _fact(self, term: Term) -> tuple[Term, ...] | None:
        """The arguments of a fact whose fluent is cut; None for any other term."""
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
        """Notes how an atom of a rule reads one such number; False if it does so in an unknown way."""
        if signature in self._theory.counters and not self._theory.counters[signature]:
            self._compares(0, 0)  # that it is there says that it is more than nothing
        term = args[place]
        if isinstance(term, Int):
            self._compares(*_range_between((term.value, term.value), span))
            return True
        others = (*args[:place], *args[place + 1 :])
        return _is_any(term, uses) or (isinstance(term, Var) and term.name not in variables(*others))

    def _follow(self, one: Rule, numbers: Counter[str], uses: Counter[str]) -> bool:
        """Notes with what such numbers are compared; False if a rule uses one in any other way."""
        offsets = self._offsets(one, self._variables_bound(one))
        left = Counter({name: uses[name] - numbers[name] for name in offsets})
        head = head_of(one)
        if head.signature == BROKEN:
            left.subtract(n for n in occurrences(head.args[1]) if n in offsets)
        for k, arg in enumerate(head.args):
            if isinstance(arg, Var) and arg.name in offsets and (head.signature, k) in self._copies:
                left[arg.name] -= 1
        for a, _ in atoms(one.body):
            self._note_limit(a, offsets, left)
        for x in walk(one.body):
            if isinstance(x, Compare) and not self._is_compared(one, x, offsets, left):
                return False
            if isinstance(x, Aggregate) and not self._is_gathered(one, x, offsets, left):
                return False
        return not any(left.values())

    def _is_compared(self, one: Rule, x: Compare, offsets: Mapping[str, tuple[int, int]], left: Counter[str]) -> bool:
        """Notes a comparison; False if it uses such a number in any other way."""
        moved = self._offset(one, x, offsets) if not x.sign else None
        if moved is not None and isinstance(x.left, Var):
            self._differs(*_range_between(offsets.get(x.left.name, moved[1]), moved[1]))
            left.subtract([x.left.name, moved[0]])
            return True
        return all(
            self._meets(one, side, other, offsets, left) for side, other in ((x.left, x.right), (x.right, x.left))
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
        """Notes with what one side of a comparison is compared; False if it is such a number and that has no known range."""
        if span is None:
            if not isinstance(side, Var) or side.name not in offsets:
                return True
            left[side.name] -= 1
            span = offsets[side.name]
        if isinstance(other, Var) and other.name in offsets:
            self._differs(*_range_between(span, offsets[other.name]))
            return True
        fixed = None if isinstance(other, (Op, Range)) else self._span(one, other, set(offsets))
        if fixed is not None:
            self._compares(*_range_between(fixed, span))
        return fixed is not None

    def _is_gathered(self, one: Rule, x: Aggregate, offsets: Mapping[str, tuple[int, int]], left: Counter[str]) -> bool:
        """Notes with what a ``#max`` or ``#min`` is compared; False if that has no known range. True for other aggregates."""
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

    def _note_limit(self, a: Atom, offsets: Mapping[str, tuple[int, int]], left: Counter[str]) -> None:
        """Notes that such a number is an argument of a fluent with a limit, which compares it with the values of that."""
        if a.signature in self._cut or a.signature not in self._theory.fluents:
            return
        for k, arg in enumerate(a.args):
            if isinstance(arg, Var) and arg.name in offsets:
                values = [
                    f.arguments[k].number
                    for f in self._vocabulary.narrow
                    if symbols.signature(f) == a.signature and f.arguments[k].type is clingo.SymbolType.Number
                ]
                self._compares(*_range_between((min([0, *values]), max([0, *values])), offsets[arg.name]))
                left[arg.name] -= 1

    def _offset(
        self, one: Rule, x: Compare, offsets: Mapping[str, tuple[int, int]]
    ) -> tuple[str, tuple[int, int]] | None:
        """For ``X = N+k`` with a constant k: the variable N, and the range of the offset of X; None for other literals."""
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
        self.largest_difference = max(self.largest_difference or 0, *map(abs, ends))

    def _compares(self, least: int, most: int) -> None:
        self.compared = (min([least, *self.compared[:1]]), max([most, *self.compared[1:]]))
        if most - least < _LONG:
            self.marks.update(range(least, most + 1))
        else:
            self.marks.update((least, most))
            self.unmarked = True

    def _span(self, one: Rule, term: Term, seen: set[str]) -> tuple[int, int] | None:
        """The smallest and the largest value of a static term; None if it is none, or its range is not known."""
        if isinstance(term, Int):
            return term.value, term.value
        if not isinstance(term, Var) or term.name in seen:
            return None
        for a in positive(one.body):
            for k, arg in enumerate(a.args):
                if arg == term and a.signature in self._theory.static:
                    range_known = self._range_known(a.signature, k)
                    if range_known is not None:
                        return range_known
        seen = {*seen, term.name}
        equations = (x.right for x in one.body if isinstance(x, Compare) and x.op == "=" and x.left == term)
        spans = (self._range_of(one, right, seen) for right in equations if isinstance(right, (Op, Range)))
        return next((span for span in spans if span is not None), None)

    def _range_of(self, one: Rule, term: Op | Range, seen: set[str]) -> tuple[int, int] | None:
        """The same for a calculation or a range."""
        sides = (term.left, term.right) if isinstance(term, Op) else (term.low, term.high)
        left, right = (self._span(one, side, seen) for side in sides)
        if left is None or right is None:
            return None
        if isinstance(term, Range):
            return left[0], right[1]
        if term.sign == "+":
            return left[0] + right[0], left[1] + right[1]
        return (left[0] - right[1], left[1] - right[0]) if term.sign == "-" else None

    def _range_known(self, signature: Signature, place: int) -> tuple[int, int] | None:
        """The smallest and the largest number in one argument of static facts; None if there is no fact or another term."""
        key = signature, place
        if key not in self._values:
            values = [f.arguments[place] for f in self._theory.static[signature]]
            numbers = [v.number for v in values if v.type is clingo.SymbolType.Number]
            whole = len(numbers) == len(values) and bool(numbers)
            self._values[key] = (min(numbers), max(numbers)) if whole else None
        return self._values[key]


def _is_any(term: Term, uses: Mapping[str, int]) -> bool:
    """Whether a term is ``_`` or a variable that occurs once."""
    return isinstance(term, Var) and (term.name == "_" or uses[term.name] == 1)


def _union(one: tuple[int, int] | None, other: tuple[int, int]) -> tuple[int, int]:
    """The smallest range that contains two ranges."""
    return other if one is None else (min(one[0], other[0]), max(one[1], other[1]))


def _range_between(one: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
    """The range of the difference of two numbers, each from a range."""
    return one[0] - other[1], one[1] - other[0]


def _signature(term: Term) -> Signature:
    return (term.name, len(term.args)) if isinstance(term, Fun) else (term.text if isinstance(term, Name) else "", 0)


class BoundCheck:
    """Checks whether an open position with numbers up to a bound stands for all positions.

    Attributes:
        reason: Why it does not, in words; None if it does. Known after `settle`.
        wanted: A bound that would be high enough, if the bound is only too low; else None.
        furthest: The largest change of a counter over all transitions of a run.
        lost: The largest decrease of a counter over all transitions of a run.
    """

    def __init__(self, *runs: Sequence[Encoder], always: bool = False) -> None:
        """Reads the rules of encodings. Whatever rules of the rulebook they contain must be among their origins by now.

        Args:
            runs: For each set of rules its transitions, one after the other; all runs begin with the same position.
            always: Whether to find the changes of counters even if no rule reads them.
        """
        self._runs = runs
        self._encoder = encoder = runs[0][0]
        theory, vocabulary = encoder.theory, encoder.vocabulary
        self._thresholds: Thresholds | None = None
        self.reason: str | None = None
        self.wanted: int | None = None
        self.furthest = self.lost = 0
        cut = vocabulary.cut
        if not cut:
            return
        self.reason = unfit(encoder)
        if self.reason is not None:
            return
        thresholds = Thresholds(theory, vocabulary, (r for run in runs for e in run for r in e.origins))
        if thresholds.others:
            place = thresholds.others[0].place
            self.reason = f"it depends on numbers beyond any bound: {place.file}:{place.line}"
        elif thresholds.compared or thresholds.largest_difference is not None or always:
            self._thresholds = thresholds
            for run in runs:
                for one in run:
                    one.add(*_changes(one))

    @property
    def reads(self) -> str:
        """All that `settle` knows of the rules before it reads the ground program, as text."""
        thresholds = self._thresholds
        return str(
            self.reason
            or (
                thresholds
                and (
                    thresholds.compared,
                    thresholds.largest_difference,
                    thresholds.constant,
                    sorted(thresholds.marks),
                    thresholds.unmarked,
                )
            )
        )

    def settle(self) -> None:
        """Reads the possible changes of counters in the ground program, and sets the attributes."""
        if self._thresholds is None:
            return
        falls = rises = 0
        for run in self._runs:
            changes = [[_number(s.arguments[1]) for s in e.atoms("change__", 2)] for e in run]
            falls = min(falls, sum(min([0, *amounts]) for amounts in changes))
            rises = max(rises, sum(max([0, *amounts]) for amounts in changes))
        self.furthest, self.lost = max(rises, -falls), -falls
        low, high = self._thresholds.compared or (0, 0)
        vocabulary, signed = self._encoder.vocabulary, self._encoder.theory.signed
        if self._thresholds.largest_difference is not None:
            self._note_comparison(self._thresholds.far(len(vocabulary.endless), rises - falls), max(rises, -falls))
            return
        if not self._thresholds.compared:
            return
        if vocabulary.bound + falls <= high:
            self._is_low(f"beyond {vocabulary.bound}", high - falls + 1)
        below = any(counter_signature(c) in signed for c in vocabulary.endless)
        if below and -vocabulary.bound + rises >= low:
            self._is_low(f"below {-vocabulary.bound}", rises - low + 1)

    def _note_comparison(self, wanted: int, change: int) -> None:
        """Sets the attributes if two counters are compared: see the module's text."""
        vocabulary = self._encoder.vocabulary
        if change >= vocabulary.far - vocabulary.bound:
            self.reason = f"it depends on numbers that change by more than {vocabulary.far - vocabulary.bound}"
        elif vocabulary.bound < wanted:
            self._is_low(f"beyond {vocabulary.bound}", wanted)

    def _is_low(self, which: str, wanted: int) -> None:
        """Notes that the bound is too low."""
        self.reason, self.wanted = f"it depends on numbers {which}", max(wanted, self.wanted or 0)


LEAVING: Final = atom("leaving__")
"""The atom that says that a counter gets a value that the program does not have, so that it would seem to have none."""


def add_leaving(encoder: Encoder, *when: Literal) -> None:
    """Adds the rules for `LEAVING` to a program that follows a transition, as far as ``when`` holds."""
    theory, counters = encoder.theory, ("leaves__", 1)
    for signature in sorted(encoder.changed & theory.counters.keys()):
        counter = fun(signature[0], variables_x(signature[1])[:-1])
        moved, leaves = atom("moved__", counter), atom(counters[0], counter)
        encoder.add(rule(leaves, moved, no(atom("most__", counter, ANY))))
        ends = (("most__", ">"), ("least__", "<")) if signature in theory.signed else (("most__", ">"),)
        for name, op in ends:
            end = (atom(name, counter, Var("End")), no(atom("endless__", counter)))
            encoder.add(rule(leaves, moved, *end, encoder.sum_after(signature, op, Var("End"))))
    encoder.program.add(rule(LEAVING, atom(encoder.name_of(counters), Var("C")), *when))


def may_leave(program: SolverProgram, assumed: Assumed, conflicts: int) -> bool:
    """Whether `LEAVING` may hold in a valid position; also if that takes more than so many conflicts."""
    if not program.atoms(LEAVING.name, 0):
        return False
    leaving = (clingo.Function(LEAVING.name), True)
    return program.decide([*assumed, leaving, (EXACT, True)], conflicts)[0] is not False


def _changes(encoder: Encoder) -> Iterator[Rule]:
    """Rules for ``change__(Counter,N)``, the possible changes of a cut counter; ``#inf``, ``#sup``: beyond the wider sort."""
    change = Var("D")
    reach = encoder.vocabulary.far
    ends = (("#inf", "<", Int(-reach)), ("#sup", ">", Int(reach)))
    for name, arity in sorted(encoder.vocabulary.cut & encoder.changed):
        counter = fun(name, variables_x(arity)[:-1])
        moved: list[Literal] = [atom("endless__", counter), atom("moved__", counter)]
        span = Compare(change, "=", Range(Int(-reach), Int(reach)))
        by = encoder.sum_after((name, arity), "=", change, change_only=True)
        yield rule(Atom("change__", (counter, change)), *moved, span, by)
        for end, op, side in ends:
            further = encoder.sum_after((name, arity), op, side, change_only=True)
            yield rule(Atom("change__", (counter, Name(end))), *moved, further)


def _number(symbol: clingo.Symbol) -> int:
    """A change as a number; ``#inf`` and ``#sup`` are farther away than any number of clingo."""
    if symbol.type is clingo.SymbolType.Number:
        return symbol.number
    return -_ANY if symbol.type is clingo.SymbolType.Infimum else _ANY


def unfit(encoder: Encoder) -> str | None:
    """Why no bound is high enough, whatever the rules read; None if one may be."""
    vocabulary = encoder.vocabulary
    counter = _limited_counter(encoder)
    if counter is not None:
        return f"it depends on numbers beyond the bound, of {counter}"
    for measure, weights in vocabulary.measures.items():
        for x in weights:
            if counter_signature(x) in vocabulary.cut:
                return f"it depends on numbers beyond any bound: {measure} counts {x}"
    return None


def _limited_counter(encoder: Encoder) -> str | None:
    """A cut counter that has a limit above the bound, or that occurs only with numbers above it; None if there is none."""
    vocabulary, counters = encoder.vocabulary, encoder.theory.counters
    keys = [
        {(f.name, tuple(f.arguments[:-1])) for f in group if symbols.signature(f) in vocabulary.cut & set(counters)}
        for group in (vocabulary.narrow, vocabulary.wide)
    ]
    endless = {(c.name, tuple(c.arguments)) for c in vocabulary.endless}
    cut_counters = sorted((keys[1] - keys[0]) | (keys[0] - endless), key=str)
    return f"{cut_counters[0][0]}({','.join(map(str, cut_counters[0][1]))})" if cut_counters else None


def check_decided(beyond: BoundCheck) -> None:
    """Returns if an open position stands for all positions.

    Raises:
        TooLow: It would, with a higher bound.
        NotDecided: It does not with any bound.
    """
    beyond.settle()
    if beyond.wanted is not None and beyond.wanted <= HIGHEST:
        raise TooLow(beyond.reason or "", beyond.wanted)
    if beyond.reason is not None:
        raise NotDecided(beyond.reason)
