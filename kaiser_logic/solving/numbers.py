"""Numbers without a limit: when an open position, where they run to a bound, stands for all of them.

Why it is right. Points have no end; in an open position they run to a bound, and from one below 0 where there can be less
than nothing. Let all rules of a program read such a counter only at thresholds, ``points(R,N), N > 8``, and let none use
its number otherwise. If the bound is so high that a counter there is above every threshold before the transition and
after it, then any larger number is read like the bound; likewise below. So each real position has a model: the one
in which such numbers are cut off at the bound. The next position's number lies as far above or below; beyond the wider
sort it is as its end is. What changes a counter does not depend on its number, as no rule that reads it does.

Everything else that depends on such numbers (sums, differences, two of them compared) is not decided, and says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .. import clingo
from ..errors import NotDecided
from ..lang.algebra import atoms, occurrences, variables
from ..lang.terms import Atom, Compare, Fun, Int, Literal, Name, Op, Range, Rule, Signature, Term, Var
from .build import atom, fun, head_of, rule, variables_x
from .encoder import Encoder
from .program import signature_of
from .theory import BROKEN, THEN, Theory, positive


class Thresholds:
    """How rules read numbers that are cut at a bound.

    Attributes:
        compared: The lowest and the highest number that a cut counter is compared with; none where it is with none.
        others: Rules that read such numbers otherwise.
    """

    def __init__(self, theory: Theory, rules: Iterable[Rule], cut: Iterable[Signature]) -> None:
        """Of these rules, where these fluents are cut."""
        self._theory, self._cut = theory, frozenset(cut)
        self._values: dict[tuple[Signature, int], tuple[int, int] | None] = {}
        self.compared: tuple[int, ...] = ()
        self.others: list[Rule] = []
        for one in dict.fromkeys(rules):
            self._look(one)

    def _look(self, one: Rule) -> None:
        head = head_of(one)
        if head.signature in (("add", 1), ("del", 1)) and self._fact(head.args[0]) is not None:
            self.others.append(one)
        top = {id(x) for x in positive(one.body)}
        for a, inner in atoms(one.body):
            args = a.args if a.signature in self._cut else None
            if a.signature == THEN:
                args = self._fact(a.args[0])
                if args is None and isinstance(a.args[0], Var):
                    self.others.append(one)
            if args is not None:
                signature = a.signature if a.signature in self._cut else _signature(a.args[0])
                self._reads(one, signature, args, not inner and id(a) in top)

    def _fact(self, term: Term) -> tuple[Term, ...] | None:
        """The arguments of a fact that is cut."""
        if isinstance(term, Fun) and (term.name, len(term.args)) in self._cut:
            return term.args
        return None

    def _reads(self, one: Rule, signature: Signature, args: tuple[Term, ...], plain: bool) -> None:
        """Enters how a rule reads one such fact."""
        uses = occurrences(one)

        def is_any(term: Term) -> bool:
            return isinstance(term, Var) and (term.name == "_" or uses.count(term.name) == 1)

        if signature not in self._theory.counters:
            if not all(map(is_any, args)):
                self.others.append(one)
            return
        if not self._theory.counters[signature]:
            self._compares(0, 0)  # that it is there says that it is more than nothing
        last = args[-1]
        if is_any(last):
            return
        if isinstance(last, Int):
            self._compares(last.value, last.value)
        elif isinstance(last, Var) and plain and all(last.name not in variables(a) for a in args[:-1]):
            self._follow(one, last)
        else:
            self.others.append(one)

    def _follow(self, one: Rule, number: Var) -> None:
        """Enters what a counter's number is compared with; a rule that uses it otherwise is one of the others."""
        uses = occurrences(one).count(number.name) - 1
        head = head_of(one)
        if head.signature == BROKEN:
            uses -= occurrences(head.args[1]).count(number.name)
        for x in one.body:
            if not isinstance(x, Compare) or isinstance(x.right, (Op, Range)):
                continue
            for side, other in ((x.left, x.right), (x.right, x.left)):
                if side == number and number.name not in variables(other):
                    span = self._span(one, other, {number.name})
                    if span is None:
                        self.others.append(one)
                        return
                    uses -= 1
                    self._compares(*span)
        if uses:
            self.others.append(one)

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
    """

    def __init__(self, encoder: Encoder) -> None:
        """Of an encoding of which all rules but for the goals' are known."""
        self._encoder = encoder
        theory, vocabulary = encoder.theory, encoder.vocabulary
        self._found: Thresholds | None = None
        self.reason: str | None = None
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
        elif found.compared:
            self._found = found
            encoder.program.add(*self._changes())

    def _changes(self) -> Iterator[Rule]:
        """change__(Counter,N): by how much a counter that is cut may change."""
        encoder = self._encoder
        change = Var("D")
        reach = encoder.vocabulary.far
        for name, arity in sorted(encoder.vocabulary.cut & encoder.changed):
            counter = fun(name, variables_x(arity)[:-1])
            moved: list[Literal] = [atom("endless__", counter), atom("moved__", counter)]
            span = Compare(change, "=", Range(Int(-reach), Int(reach)))
            by = encoder.after((name, arity), "=", change, change_only=True)
            yield rule(Atom("change__", (counter, change)), *moved, span, by)

    def settle(self) -> None:
        """Reads in the ground program by how much counters may change.

        That no change exceeds what is looked at here is a part of the claim ``vocabulary``, without which nothing is proved.
        """
        if self._found is None:
            return
        changes = [s.arguments[1].number for s in self._encoder.program.atoms("change__", 2)]
        falls, rises = min([0, *changes]), max([0, *changes])
        low, high = self._found.compared
        vocabulary, signed = self._encoder.vocabulary, self._encoder.theory.signed
        if vocabulary.bound + falls <= high:
            self.reason = f"it depends on numbers beyond {vocabulary.bound}"
        below = any((c.name, len(c.arguments) + 1) in signed for c in vocabulary.endless)
        if below and -vocabulary.bound + rises >= low:
            self.reason = f"it depends on numbers below {-vocabulary.bound}"


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
    """Nothing, where an open position stands for all; raises NotDecided, with the reason, where it does not."""
    beyond.settle()
    if beyond.reason is not None:
        raise NotDecided(beyond.reason)
