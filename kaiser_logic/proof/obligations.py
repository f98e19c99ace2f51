"""What must not be after a transition: ``bad(Invariant,Witness)``, of an encoding's last moment.

Whether a game's own invariant is broken its rules say. For the invariants of every game what a transition changes is
judged instead, which is far less than all that there is then. The totals of the next moment rely on ``count``: nothing
is lost that is not there, no single piece comes twice. Where a transition may gain ``heap`` and lose it, ``count`` is

    bad(count,heap) :- lose__0(heap,_,_), #sum { N,V,up : gain__0(heap,N,V); -N,V,down : lose__0(heap,N,V);
                       N,now : heap(N) } < 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from ..engine import symbols
from ..rules.pattern import Signature, outermost
from ..rules.predicates import ADD, BROKEN, DEL, DUE, GAIN, LOSE, SHIFT
from ..symbolic import names
from ..symbolic.encoded_transition import EncodedTransition
from ..symbolic.encoding import Encoding
from ..symbolic.invariants import GENERAL
from ..symbolic.sizes import GAP
from ..symbolic.solver import Model, Solver
from ..transform.rewrite import literal
from .pending import EXCLUSIVE, pending_rules

ALWAYS: Final = (*GENERAL, EXCLUSIVE)
"""What each proof rests on: an open position meets it by the way it is opened."""
BAD: Final[Signature] = ("bad", 2)
"""What is derived: an invariant, and what breaks it."""
COUNT: Final = "count"
"""The invariant that a counter loses no more than it has."""
CONSISTENT: Final = "consistent__"
"""Holds where it is supposed that nothing is lost that is not there."""
FOUND: Final = "found__"
"""Holds where something is found of what is asked for, of several questions in one program."""
LOST: Final = "lost__"
"""What a counter loses, for which reason."""


class Obligations:
    """What a transition, an encoding's last one, is obliged to keep.

    Each invariant has rules of its own for ``bad/2`` (`rules`); `forbid` puts them into the program and asks for a
    transition after which one of them holds. Which ones it breaks ``fallen/1`` says.
    """

    def __init__(
        self,
        encoding: Encoding,
        transition: EncodedTransition,
        goals: Sequence[str],
        merged: bool = False,
        also: Sequence[str] = (),
    ) -> None:
        """What is to be shown of a transition.

        Args:
            encoding: The program.
            transition: The transition.
            goals: The invariants that are to hold after it.
            merged: Whether ``count`` also demands that what is shifted for one reason goes to one place. No
                counterexample is a proof then, too, and is seen sooner; one need not be one of the rulebook.
            also: Claims of which it is asked besides, by `choose`.
        """
        self._also = also
        self._encoding = encoding
        self._transition = transition
        self._goals = goals
        self._book = encoding.ruleset.book
        self._gain, self._lose, self._add = (encoding.effect(s, transition) for s in (GAIN, LOSE, ADD))
        self._gains = encoding.derives(GAIN, transition)
        self._loses = encoding.derives(LOSE, transition)
        self._merged = merged and encoding.derives(SHIFT, transition)

    def forbid(self, asked: str = "") -> None:
        """Asks for a transition after which one of the invariants is broken; only where an atom ``asked`` holds."""
        for goal in self._goals:
            self._encoding.add(*self.rules(goal))
        self._encoding.add("fallen__(I) :- bad(I,_).", "bad(none,none) :- #false.")
        self._encoding.add(forbidding(asked))

    def choose(self, asked: str) -> tuple[str, ...]:
        """The same of those invariants and claims for which an atom is assumed (`goal_atom`); the atoms of all of them.

        Nothing is asked of the others; where ``asked`` does not hold, of none. The rules for claims are others' (``also``).
        """
        for goal in self._goals:
            self._encoding.add(*self.rules(goal))
        chosen = tuple(goal_atom(goal) for goal in (*self._goals, *self._also))
        self._encoding.add("fallen__(I) :- bad(I,_).", "bad(none,none) :- #false.")
        self._encoding.add(f"{{ {'; '.join(chosen)} }}.")
        for goal in (*self._goals, *self._also):
            self._encoding.add(f"{FOUND} :- {goal_atom(goal)}, fallen__({goal}).")
        self._encoding.add(f"{FOUND} :- #false.", f":- {asked}, not {FOUND}.")
        return chosen

    def rules(self, goal: str) -> Iterator[str]:
        """The rules that say how one of the invariants is broken by the transition."""
        if goal == "limit":
            yield from self._limits()
        elif goal == COUNT:
            yield from self._counts()
            yield from self._units()
        elif goal == "vocabulary":
            yield from self._sizes()
            yield from self._vocabulary()
        elif goal == EXCLUSIVE:
            yield from pending_rules(self._encoding)
        elif goal not in GENERAL:
            broken = self._encoding.name(BROKEN)
            if broken != BROKEN[0]:
                yield f"bad({goal},W) :- {broken}({goal},W)."

    def _limits(self) -> Iterator[str]:
        """No total that is touched leaves its limits."""
        changes = self._encoding.totals.changes
        if changes is None:
            return
        if changes.recounted:
            self._encoding.add(*self._encoding.totals.asked(self._encoding.now))
            yield from _outside(f"{changes.recounted}(L)", f"#sum {{ W,X : {changes.counts}(L,X,W) }}", "")
        other = f", not {changes.recounted}(L)" if changes.recounted else ""
        for source in changes.sources:
            yield f"changed__(L) :- {source}, limit(L,_,_){other}."
        if changes.sources:
            summed = f"#sum {{ {changes.parts}; T,now : {changes.before}(L,T) }}"
            yield from _outside("changed__(L)", summed, ", Least > 0")
            if self._encoding.totals.tied:
                yield from _outside("changed__(L), tied__(L)", summed, "")

    # -- counters ----------------------------------------------------------------------------------------------------

    def _counts(self) -> Iterator[str]:
        """A counter loses no more than it has, unless there can be less than nothing of it; and has one value."""
        for signature in self._book.counters:
            counter, args = _counter(signature)
            if self._merged:
                yield from self._merge(counter)
            signed = signature in self._book.signed
            if self._loses and not signed:
                total = self._after(signature)
                yield f"bad(count,{counter}) :- {self._lose}({counter},_,_), {total} < 0."
            if self._gains and not signed:
                total = self._after(signature)
                yield f"bad(count,{counter}) :- {self._gain}({counter},D,_), D < 0, {total} < 0."
            if self._book.counters[signature] and self._deleted_directly(signature):
                old, new = (literal(n, *args, "_") for n in (signature[0], self._encoding.name(signature)))
                yield f"bad(count,{counter}) :- fluent({old}), not {new}."
            if self._set_directly(signature):
                one, other = (literal(self._encoding.name(signature), *args, n) for n in "NM")
                yield f"bad(count,{signature[0]}) :- {one}, {other}, N < M."

    def _sizes(self) -> Iterator[str]:
        """A counter keeps to its values.

        The new value is judged by one sum; where a limit covers its largest value, the limit (proved beside) is enough. No
        limit covers the numbers that lie among its values and are none.
        """
        plain = ", not tied__(L)" if self._encoding.totals.tied else ""
        yield f"covered__(X) :- measure(L,X,W), W > 0, limit(L,_,M), most(X,N), M <= N*W{plain}."
        yield "covered__(X) :- endless(X)."
        ways = [f"{self._gain}({{0}},_,_)"] if self._gains else []
        ways += [f"{self._lose}({{0}},D,_), D < 0"] if self._loses else []
        apart = {symbols.signature(s.arguments[0]) for s in self._encoding.domains.most if s.name == GAP}
        changes = [w for w, some in ((self._gain, self._gains), (self._lose, self._loses)) if some]
        for signature in self._book.counters:
            counter, args = _counter(signature)
            if (signature[0], len(args)) in apart:
                for way in changes:
                    total = self._after(signature)
                    among = f"{GAP}({counter},From,To), {total} >= From, {total} <= To"
                    yield f"bad(vocabulary,{counter}) :- {way}({counter},_,_), {among}."
            for way in ways:
                gained = f"{way.format(counter)}, not covered__({counter})"
                total = self._after(signature)
                yield f"bad(vocabulary,{counter}) :- {gained}, most({counter},M), {total} > M."
                yield f"bad(vocabulary,{counter}) :- {gained}, not most({counter},_)."
            if signature in self._book.signed:
                for way in changes:
                    yield (
                        f"bad(vocabulary,{counter}) :- {way}({counter},_,_), least__({counter},M), "
                        f"{self._after(signature)} < M."
                    )

    def _after(self, signature: Signature) -> str:
        """A counter's value after the transition, as a sum."""
        counter, args = _counter(signature)
        before = literal(self._encoding.name(signature, self._transition.moment), *args, "N")
        parts = [f"N,V,up : {self._gain}({counter},N,V)"] if self._gains else []
        lost = LOST if self._merged else self._lose
        parts += [f"-N,V,down : {lost}({counter},N,V)"] if self._loses else []
        return f"#sum {{ {'; '.join([*parts, f'N,now : {before}'])} }}"

    def _merge(self, counter: str) -> Iterator[str]:
        """lost__(Counter,N,V): what a counter loses, without where it goes; it is bad if a reason does not decide that.

        What is shifted for one reason may go to any of several places, each a part of the sum of its own, of which one
        holds. Without the places there is one part for each reason, and the sum is the same.
        """
        shift = self._encoding.effect(SHIFT, self._transition)
        yield f"{LOST}({counter},N,from(V)) :- {shift}({counter},_,N,V)."
        yield f"shifted__({counter},N,out(Y,V)) :- {shift}({counter},Y,N,V)."
        yield f"{LOST}({counter},N,own(V)) :- {self._lose}({counter},N,V), not shifted__({counter},N,V)."
        yield f"bad(count,{counter}) :- {shift}({counter},_,N,V), #count {{ Y : {shift}({counter},Y,N,V) }} > 1."

    def _set_directly(self, counter: Signature) -> bool:
        """Whether the rulebook itself adds values of a counter, instead of gains and losses."""
        return any(
            _adds(e.heads[0].args[0], counter)
            and not any(names.plain(s[0]) == "change" for s in e.origin.uses)
            for e in self._encoding.deriving(ADD, self._transition)
        )

    def _deleted_directly(self, counter: Signature) -> bool:
        """Whether the rulebook itself deletes values of a counter."""
        return any(
            _adds(e.heads[0].args[0], counter) and e.origin.file != "generated"
            for e in self._encoding.deriving(DEL, self._transition)
        )

    # -- other facts -------------------------------------------------------------------------------------------------

    def _units(self) -> Iterator[str]:
        """No single piece is lost that is not there, or lost twice; none comes that is there already, or comes twice."""
        for name, arity in sorted(self._book.units):
            variables = [f"X{k}" for k in range(1, arity + 1)]
            fluent = literal(name, *variables)
            old = literal(self._encoding.name((name, arity), self._transition.moment), *variables)
            lost = f", not {self._lose}({fluent},_,_)" if self._loses else ""
            if self._loses:
                loss = f"{self._lose}({fluent},N,V)"
                yield f"bad(count,{fluent}) :- {self._lose}({fluent},_,_), not {old}."
                yield f"bad(count,{fluent}) :- {loss}, {self._lose}({fluent},_,W), V < W."
                yield f"bad(count,{fluent}) :- {loss}, N != 1."
            if self._gains:
                yield f"bad(count,{fluent}) :- {self._gain}({fluent},N,_), N != 1."
                gain = f"{self._gain}({fluent},_,V)"
                yield f"bad(count,{fluent}) :- {gain}, {old}{lost}."
                yield f"bad(count,{fluent}) :- {gain}, {self._gain}({fluent},_,W), V < W."

    def _vocabulary(self) -> Iterator[str]:
        """What is added is of the vocabulary."""
        added = [h.args[0] for e in self._encoding.deriving(ADD, self._transition) for h in e.heads]
        summed = {c for c in self._book.counters if not self._set_directly(c)}
        for signature in sorted(self._book.fluents - summed):
            if any(_adds(term, signature) for term in added):
                fluent = literal(signature[0], *(f"X{k}" for k in range(1, signature[1] + 1)))
                known = "step(X1)" if signature == DUE else f"wide({fluent})"
                yield f"bad(vocabulary,{fluent}) :- {self._add}({fluent}), not {known}."


def forbidding(asked: str) -> str:
    """The line by which only transitions are left after which an invariant is broken."""
    return f":- {asked}, not bad(_,_)." if asked else ":- not bad(_,_)."


def goal_atom(goal: str) -> str:
    """The atom that says that it is asked whether a goal falls."""
    return f"goal__({goal})"


def none_of(goals: Sequence[str]) -> str:
    """That none of these goals falls, as a rule's body: where there are none, always."""
    return ", ".join(f"not fallen__({goal})" for goal in goals) or "#true"


def fallen_in(model: Model, goals: Sequence[str]) -> list[str]:
    """Those of these goals that fall in a model."""
    names = {str(s.arguments[0]) for s in model if s.name == "fallen__"}
    return [goal for goal in goals if goal in names]


def in_parts(goals: Sequence[str], step: bool) -> list[list[str]]:
    """The goals in parts that are easier one by one; a step may change much, and all general goals go apart."""
    special, general = [i for i in goals if i not in GENERAL], [i for i in goals if i in GENERAL]
    return [part for part in (special, *([g] for g in general if step), general if not step else []) if part]


def parts(solver: Solver, goal: str) -> list[str]:
    """The atoms of which one holds wherever an invariant is broken."""
    atoms = (a.symbol for a in solver.control.symbolic_atoms.by_signature(*BAD))
    return [str(s) for s in sorted(atoms) if str(s.arguments[0]) == goal]


def _outside(changed: str, total: str, least: str) -> Iterator[str]:
    """The limit of what is changed does not hold of its total; ``least``: which least ones matter."""
    yield f"bad(limit,L) :- {changed}, limit(L,_,M), {total} > M."
    yield f"bad(limit,L) :- {changed}, limit(L,Least,_){least}, {total} < Least."


def _counter(signature: Signature) -> tuple[str, list[str]]:
    """A counter as a term, without its value, and its arguments."""
    args = [f"X{k}" for k in range(1, signature[1])]
    return literal(signature[0], *args), args


def _adds(term: tuple[object, ...], fluent: Signature) -> bool:
    """Whether a term that is added may be such a fluent; a variable may be any."""
    return outermost(term) in (None, fluent)
