"""That a sum reaches its bound after a transition, because one reached its own before: what is added up is compared.

A sum reached its bound before where an action would not be legal otherwise, or an invariant would be broken:

    violates(R,attack(B,C),V) :- ..., not overpowers(R,B,C).
    broken(reach,R)           :- begun(R), must_lead(R), not can_lead(R).

What is in the sum afterwards is what was in it of the facts before, with all that is gained and without what is lost. Of
both sums and both bounds all products of numbers that are left out are compared, by what they are numbers of: if each comes
afterwards at least as often as before, whatever these numbers are, the sum lies as far above its bound as it did. How often
they come depends only on what is kept; numbers that are kept are multiplied as they are.

Of several sums of a kind in a position one is chosen afterwards, and one of those that reached their bounds: if a sum
afterwards may not reach its own, some choice says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from ..rules.pattern import Signature
from .amounts import Amount, amount, plus, times
from .changes import Change
from .clauses import Atom, Clause, Literal, NotShown, Other, Rules, apart
from .conditions import called, kept_variables, symbolic_variables
from .entries import Entries, key_of
from .forms import parts as of_structure
from .known import Known
from .sums import Part, Sum, bodies, joined, parts, sums
from .terms import ANONYMOUS, Term, show, variables

_MINUS: Final[Amount] = {(): -1}
_Piece: TypeAlias = tuple[Sequence[Literal], Sequence[Term], Amount]
"""Conditions, a key, and how much is in the sum with this key under these conditions."""


class Reaching:
    """What is said of sums after a transition."""

    def __init__(
        self,
        known: Known,
        rules: Rules,
        lines: Iterable[str],
        changes: Sequence[Change],
        coming: Callable[[str], Iterable[Clause]],
        denials: Sequence[Clause],
    ) -> None:
        """Of a transition.

        Args:
            known: What is known besides.
            rules: Its rules.
            lines: The same as texts.
            changes: All that is gained, lost and shifted.
            coming: The ways in which another fact is added, by its name.
            denials: What never holds at once.
        """
        self._known, self._rules, self._changes, self._coming = known, rules, changes, coming
        self._sums = sums(lines, rules, known.kept)
        self._denials = denials
        self._done: dict[Signature, str] = {}
        self._entries = Entries(known)
        self._closing: list[str] = []
        self._given: list[str] | None = None

    def sums(self, x: Literal) -> bool:
        """Whether a condition denies that a sum reaches its bound, afterwards."""
        return isinstance(x, Atom) and x.negated and x.signature in self._sums

    @property
    def lines(self) -> list[str]:
        """What is to be said of what is kept."""
        return self._entries.lines

    def closing(self) -> list[str]:
        """What follows from that."""
        return [*self._entries.closing, *self._closing]

    def reached(self, x: Atom) -> Atom:
        """What says that a sum is shown to reach its bound afterwards.

        Raises:
            NotShown: It is not known of what it is a sum.
        """
        if x.signature not in self._done:
            number = len(self._done)
            self._after(self._sums[x.signature], f"reached__{number}", f"p{number}")
            self._done[x.signature] = f"reached__{number}"
        return Atom(self._done[x.signature], x.args)

    # -- afterwards --------------------------------------------------------------------------------------------------

    def _after(self, one: Sum, shown: str, name: str) -> None:
        """Enters a sum afterwards, and compares it with those that reached their bounds before."""
        own = [a[1] for a in one.head.args if a[0] == "v"]
        if len({*own}) < len(one.head.args):
            raise NotShown(f"it is not read whose sum {one.head.text()} is")
        clause = joined(one, _outside(one), None)
        at = _way(clause, self._known, self._rules)
        found = list(parts(self._rules, self._known, one))
        self._entries.apart(name, key_of, found)
        key = key_of(at.head.args)
        self._entries.at(name, key, at.body)
        self._entries.enter(name, key, at.body, times(_MINUS, _renamed(one, at.head.args)))
        for part in found:
            for body, args, much in self._followed(part, name):
                self._entries.enter(name, key_of(args), body, much)
        if self._given is None:
            self._given = list(self._before())
        whose = show(key_of([("v", f"K_{i}") for i in range(len(one.names))]))
        of = [("v", f"K_{one.names.index(v)}") for v in own]
        failing = called(f"failing__{name}", of)
        not_shown = "".join(f"; not shown__{name}_{given}" for given in self._given)
        self._closing += [
            f"1 {{ chosen__{name}(A) : at__{name}(A) }} 1 :- at__{name}(_).",
            *(line for given in self._given for line in _compared(name, given)),
            f"{failing} :- chosen__{name}({whose}){not_shown}.",
            f"{called(shown, of)} :- at__{name}({whose}); not {failing}.",
        ]

    def _followed(self, part: Part, name: str) -> Iterator[_Piece]:
        """What a part of a sum afterwards consists of: conditions, the key, and how much."""
        known = self._known
        later = [
            x
            for x in part.body
            if isinstance(x, Atom) and not x.negated and _before(x) != x and known.dropped(x)
        ]
        if not later:
            yield part.body, part.key, part.amount
            return
        if len(later) > 1:
            raise NotShown(f"what is summed up is several things: {later[0].text()}")
        (fact,) = later
        rest = [x for x in part.body if x is not fact]
        if _before(fact).signature in known.kept.counters:
            yield from self._counter(part, fact, rest)
        else:
            yield from self._other(part, fact, rest, name)

    def _counter(self, part: Part, fact: Atom, rest: Sequence[Literal]) -> Iterator[_Piece]:
        """Of a counter: what there was of it, with all that is gained and without what is lost."""
        old, value = _before(fact), fact.args[-1]
        if old.signature not in self._known.kept.moved or old.signature in self._known.ruleset.book.signed:
            raise NotShown(f"it is not known how {old.name} changes")
        used = [v for x in rest for v in x.variables()]
        used += [v for t in (*part.key, *part.mark, *fact.args[:-1]) for v in variables(t)]
        much = part.amount
        if value[0] != "v" or value[1] in used or any(k.count(value[1]) != 1 for k in much):
            raise NotShown(f"what is summed up is not so much for each: {fact.text()}")
        yield from self._settled((old, *rest), part.key, part.weight, {})
        for c in self._changes:
            for counter, sign in ((c.gained, 1), (c.lost, -1)):
                if counter is not None and (counter[1], len(counter[2])) == (old.name, len(old.args) - 1):
                    change = apart(Clause(Atom("", (("f", "", counter[2]), c.much)), c.clause.body))
                    pairs = zip(change.head.args[0][2], old.args[:-1], strict=True)
                    equal = [Other("equal", pair) for pair in pairs]
                    body = (*change.body, *rest, *equal)
                    weight = ("o", "*", ("n", sign), part.weight)
                    yield from self._settled(body, part.key, weight, {value[1]: change.head.args[1]})

    def _other(self, part: Part, fact: Atom, rest: Sequence[Literal], name: str) -> Iterator[_Piece]:
        """Of a fact that is no counter: it was there, or comes; where it adds something none comes, and there was one at most."""
        known, old = self._known, _before(fact)
        dropped = known.dropped(fact)
        still = Atom(fact.name, tuple(ANONYMOUS if i in dropped else a for i, a in enumerate(fact.args)))
        signs = {n > 0 for n in part.amount.values()}
        if len(signs) > 1:
            raise NotShown(f"what is summed up may be more or less than nothing: {fact.text()}")
        rises = True in signs
        if rises and old.signature not in known.single:
            raise NotShown(f"there may be several of {old.name}")
        yield from self._settled((old, still, *rest), part.key, part.weight, {})
        shape = next((f for f, g in known.kept.shapes.items() if old.name in [s.name for s in g]), old.name)
        for clause in self._coming(shape):
            one = apart(clause)
            for signature, given in of_structure(known, one.head.args[0]):
                if signature != old.signature:
                    continue
                equal = [Other("equal", pair) for pair in zip(given, fact.args, strict=True)]
                for body, key, much in self._settled(
                    (*one.body, still, *rest, *equal), part.key, part.weight, {}
                ):
                    if rises:
                        self._entries.vague(name, key_of(key), body)
                    else:
                        yield body, key, much

    def _settled(
        self, body: Sequence[Literal], key: Sequence[Term], weight: Term, value: dict[str, Term]
    ) -> Iterator[_Piece]:
        """Conditions with all that they determine, the key and the weight by it; nothing where they contradict one another."""
        clause = Clause(Atom("", (*key, weight)), tuple(body)).put(value)
        settled = self._known.settled(clause)
        if settled is not None:
            *new, much = settled.head.args
            yield settled.body, new, amount(much)

    # -- before ------------------------------------------------------------------------------------------------------

    def _before(self) -> Iterator[str]:
        """The sums that reached their bounds before: what their entries are called."""
        for number, denial in enumerate(self._denials):
            asked = [
                i
                for i, x in enumerate(denial.body)
                if isinstance(x, Atom) and x.negated and x.signature in self._sums
            ]
            if len(asked) != 1:
                continue
            trial = Entries(self._known, self._entries.count)
            try:
                self._reached_before(denial, asked[0], f"q{number}", trial)
            except NotShown:
                continue
            self._entries.lines += trial.lines
            self._entries.closing += trial.closing
            yield f"q{number}"

    def _reached_before(self, denial: Clause, place: int, name: str, entries: Entries) -> None:
        """That a sum reached its bound, as an action were illegal or a position not valid otherwise.

        Its key has two parts: what is kept of the conditions under which it did, and of those outside of the sum.
        """
        x = denial.body[place]
        assert isinstance(x, Atom)
        if ANONYMOUS in x.args:
            raise NotShown(f"it is not known which {x.text()} is")
        one = self._sums[x.signature]
        rest = tuple(y for i, y in enumerate(denial.body) if i != place)
        about = {v for a in x.args for v in variables(a)}
        depends = bool(about & symbolic_variables(self._known, rest))
        kept = kept_variables(self._known, rest)
        own = tuple(("v", v) for v in kept if depends or v in about)
        given = Clause(Atom("", (*x.args, *own)), rest if depends else ())
        at = _way(joined(one, _outside(one), given), self._known, self._rules)
        hidden = symbolic_variables(self._known, at.body)
        size = len(own)
        every = range(size, size + len(one.names))
        outside = [i for i in every if not {*variables(at.head.args[i])} & hidden]

        def key(args: Sequence[Term]) -> Term:
            return key_of([key_of(args[:size]), key_of([args[i] for i in outside])])

        found = list(parts(self._rules, self._known, one, given))
        entries.apart(name, key, found)
        entries.at(name, key(at.head.args), at.body)
        entries.enter(name, key(at.head.args), at.body, _renamed(one, at.head.args[size:]))
        for part in found:
            entries.enter(name, key(part.key), part.body, times(_MINUS, part.amount))
        entries.held(name, key_of(own), rest)
        some = f"at__{name}(k(J,B)), held__{name}(J)"
        given_ = f"at__{name}(k(I,_)), held__{name}(I)"
        entries.closing.append(f"1 {{ chosen__{name}(k(J,B)) : {some} }} 1 :- {given_}.")


def _compared(name: str, given: str) -> Iterator[str]:
    """A sum afterwards, whichever of its kind, compared with one before: whichever of those that reached their bounds."""
    total = f"N,T : chosen__{name}(A), credit__{name}(A,G,N,T); N,T : chosen__{given}(B), credit__{given}(B,G,N,T)"
    pair = f"{name}_{given}"
    yield f"thing__{pair}(G) :- credit__{name}(_,G,_,_)."
    yield f"thing__{pair}(G) :- credit__{given}(_,G,_,_)."
    yield f"short__{pair} :- thing__{pair}(G); #sum {{ {total} }} < 0."
    yield f"shown__{pair} :- chosen__{given}(_); not short__{pair}."


def _outside(one: Sum) -> Clause:
    """The conditions outside of a sum."""
    return Clause(Atom("", tuple(("v", v) for v in one.names)), one.outer)


def _way(clause: Clause, known: Known, rules: Rules) -> Clause:
    """The conditions outside of a sum, unfolded.

    Raises:
        NotShown: There are several ways to meet them.
    """
    found = bodies(clause, known, rules)
    if len(found) != 1:
        raise NotShown("there are several ways to meet the conditions of a sum")
    return found[0]


def _renamed(one: Sum, terms: Sequence[Term]) -> Amount:
    """What a sum has to come to at least, by what stands for the variables outside of it."""
    given: Mapping[str, Term] = dict(zip(one.names, terms, strict=True))
    found: Amount = {(): 1} if one.strict else {}
    for product, often in amount(one.bound).items():
        each: Amount = {(): often}
        for v in product:
            each = times(each, amount(given[v]))
        found = plus(found, each)
    return found


def _before(x: Atom) -> Atom:
    """The same of the position before."""
    return Atom(x.name.removesuffix("__m1"), x.args, x.negated)
