"""What must not be after a transition: ``bad(Invariant,Witness)``, of a chain's last moment.

Whether a game's own invariant is broken its rules say. For the invariants of every game what a transition changes is
judged instead, which is far less than all that there is then.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..rules.pattern import Signature
from ..rules.predicates import BROKEN
from ..symbolic.encoding import Chain
from ..symbolic.invariants import GENERAL
from ..transform.rewrite import literal


def forbid(chain: Chain, number: int, goals: Sequence[str]) -> None:
    """Asks for a transition of this number, the last one, after which one of the goals is broken."""
    broken = chain.name(BROKEN)
    if broken != BROKEN[0]:
        chain.add(*(f"bad({i},W) :- {broken}({i},W)." for i in goals if i not in GENERAL))
    changed = _Changed(chain, number)
    if "limit" in goals:
        changed.limits()
    if "vocabulary" in goals or "count" in goals:
        changed.counters(goals)
    if "count" in goals:
        changed.units()
    if "vocabulary" in goals:
        changed.vocabulary()
    chain.add("bad(none,none) :- #false.", ":- not bad(_,_).")


class _Changed:
    """What a transition changes, and what is bad about it.

    The totals of the next moment rely on ``count``: nothing is lost that is not there, no single piece comes twice.
    """

    def __init__(self, chain: Chain, number: int) -> None:
        self._chain = chain
        self._number = number
        self._book = chain.ruleset.book
        self._before = chain.now - 1
        self._lines = [line.replace(" ", "") for line in chain.lines]
        self._gains, self._loses, self._adds = (
            self._derives(f"{name}__{number}(") for name in ("gain", "lose", "add")
        )

    def _derives(self, head: str, unless: str | None = None) -> bool:
        """Whether a rule has a head that begins so, apart from the rules that mention something."""
        return any(x.startswith(head) for x in self._lines if unless is None or unless not in x)

    def limits(self) -> None:
        """No total that is touched leaves its limits."""
        changes = self._chain.totals.changes
        if changes is None:
            return
        for source in changes.sources:
            self._chain.add(f"changed(L) :- {source}, limit(L,_,_).")
        total = f"#sum {{ {changes.parts}; T,now : {changes.before}(L,T) }}"
        self._chain.add(f"bad(limit,L) :- changed(L), limit(L,_,M), {total} > M.")
        self._chain.add(f"bad(limit,L) :- changed(L), limit(L,Least,_), Least > 0, {total} < Least.")

    def counters(self, goals: Sequence[str]) -> None:
        """A counter keeps to its values, loses no more than it has, and has one value.

        The new value is judged by one sum; where a limit covers its largest value, the limit (proved beside) is enough.
        """
        self._chain.add(
            "covered(X) :- measure(L,X,W), limit(L,_,M), most(X,N), M <= N*W.", "covered(X) :- endless(X)."
        )
        t = self._number
        for name, arity in self._book.counters:
            args = [f"X{k}" for k in range(1, arity)]
            counter, fluent = literal(name, *args), literal(name, *args, "N")
            parts = [f"N,V,up : gain__{t}({counter},N,V)"] if self._gains else []
            parts += [f"-N,V,down : lose__{t}({counter},N,V)"] if self._loses else []
            parts += [f"N,now : {self._chain.name((name, arity), self._before)}{fluent.removeprefix(name)}"]
            total = f"#sum {{ {'; '.join(parts)} }}"
            if self._loses and "count" in goals:
                self._chain.add(f"bad(count,{counter}) :- lose__{t}({counter},_,_), {total} < 0.")
            if self._gains and "vocabulary" in goals:
                gained = f"gain__{t}({counter},_,_), not covered({counter})"
                self._chain.add(f"bad(vocabulary,{counter}) :- {gained}, most({counter},M), {total} > M.")
                self._chain.add(f"bad(vocabulary,{counter}) :- {gained}, not most({counter},_).")
            if "count" in goals and self._set_directly((name, arity)):
                one, other = (literal(self._chain.name((name, arity)), *args, n) for n in "NM")
                self._chain.add(f"bad(count,{name}) :- {one}, {other}, N < M.")

    def _set_directly(self, counter: Signature) -> bool:
        """Whether the rulebook itself adds values of a counter, instead of gains and losses."""
        return self._derives(f"add__{self._number}({counter[0]}(", "change__")

    def units(self) -> None:
        """No single piece is lost that is not there, and none comes that is there already, or comes twice."""
        t = self._number
        for name, arity in self._book.units:
            fluent = literal(name, *(f"X{k}" for k in range(1, arity + 1)))
            old = self._chain.name((name, arity), self._before) + fluent.removeprefix(name)
            lost = f", not lose__{t}({fluent},_,_)" if self._loses else ""
            if self._loses:
                self._chain.add(f"bad(count,{fluent}) :- lose__{t}({fluent},_,_), not {old}.")
            if self._gains:
                gain = f"gain__{t}({fluent},_,V)"
                self._chain.add(f"bad(count,{fluent}) :- {gain}, {old}{lost}.")
                self._chain.add(f"bad(count,{fluent}) :- {gain}, gain__{t}({fluent},_,W), V < W.")

    def vocabulary(self) -> None:
        """What is added is of the vocabulary."""
        if not self._adds:
            return
        t = self._number
        summed = {c for c in self._book.counters if not self._set_directly(c)}
        for name, arity in sorted(self._book.fluents - summed):
            if self._derives(f"add__{t}({name}") or self._derives(f"add__{t}(next"):
                fluent = literal(name, *(f"X{k}" for k in range(1, arity + 1)))
                known = "step(X1)" if name == "next" else f"wide({fluent})"
                self._chain.add(f"bad(vocabulary,{fluent}) :- add__{t}({fluent}), not {known}.")
