"""Candidates over an open position, and after one transition from it, each to be supposed or not.

The candidates are invariants of a rulebook that has their rules besides its own, so that whatever makes the encodings
of rules makes theirs. One grounding serves many questions: an external ``on__(C)`` says whether C is supposed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from .. import clingo
from ..engine.ruleset import Ruleset
from ..rules.predicates import BROKEN, broken
from ..symbolic.domains import Domains
from ..symbolic.encoding import Encoding
from ..symbolic.solver import Solver
from ..symbolic.transitions import Transition
from ..transform.action_splitting import decisions_of
from .candidates import Candidate, rules_of

_ON: Final = "on__"
_HIT: Final = "hit__"
_PENDING: Final = (
    ":- decision(_,_), due(_).",
    "{ due(S) : step(S) }.",
)
"""Any step is due, or none; never beside a decision."""


def extended(ruleset: Ruleset, candidates: Mapping[str, Candidate]) -> Ruleset:
    """The rules in force with those of candidates, as invariants of these names."""
    return ruleset.with_rules((*ruleset.book.rules, *rules_of(dict(candidates))))


def open_position(
    ruleset: Ruleset,
    own: Sequence[str],
    names: Collection[str],
    domains: Domains,
    found: Iterable[Transition],
    exact: bool = False,
) -> Opening:
    """Candidates in any valid position, whatever is pending.

    Args:
        ruleset: The rules, `extended` by those of the candidates.
        own: The game's own invariants.
        names: The candidates: all of them, or those that are left.
        domains: The sorts.
        found: All transitions: what can be pending.
        exact: Whether totals are tied to their sums; else there are more positions than valid ones.
    """
    encoding = Encoding(ruleset, domains)
    encoding.open(decisions_of(kind for t in found for kind in t.kinds), [], exact)
    encoding.add(*_PENDING)
    encoding.assume(own)
    encoding.derive(map(broken, names))
    return Opening(encoding, names)


def after(
    ruleset: Ruleset, own: Sequence[str], names: Collection[str], domains: Domains, transition: Transition
) -> Opening:
    """Candidates after one transition, from any valid position that meets those supposed: one of them is broken.

    The arguments are those of `open_position`; totals are loose: there are more positions than valid ones.
    """
    decisions = decisions_of(transition.kinds)
    steps = [transition.step] if transition.step is not None else []
    encoding = Encoding(ruleset, domains)
    encoding.open(decisions, steps, exact=False)
    encoding.assume(own, decisions, steps)
    encoding.derive(map(broken, names), decisions, steps)
    if transition.kinds:
        encoding.act(transition.kinds)
    else:
        encoding.step(steps)
    encoding.derive(map(broken, names))
    return Opening(encoding, names)


class Opening:
    """The program, grounded once.

    Attributes:
        encoding: What it is made of; of the last moment is asked.
    """

    def __init__(self, encoding: Encoding, names: Iterable[str]) -> None:
        """Of these candidates; none is supposed yet."""
        self.encoding = encoding
        now = encoding.name(BROKEN)
        for name in names:
            encoding.add(f"#external {_ON}({name}).", f":- {BROKEN[0]}({name},_), {_ON}({name}).")
            if now != BROKEN[0] or not encoding.transitions:
                encoding.add(f"{_HIT}({name}) :- {now}({name},_).")
        encoding.add(f"{_HIT}(none) :- #false.")
        if encoding.transitions:
            encoding.add(f"live__ :- {_HIT}(C), {_ON}(C).", ":- not live__.")
        solver = Solver(encoding.text, encoding.facts)
        self._control = solver.control
        self._hits = {
            a.symbol.arguments[0].name: a.literal for a in self._control.symbolic_atoms.by_signature(_HIT, 1)
        }
        self._supposed: set[str] = set()

    @property
    def breakable(self) -> frozenset[str]:
        """The candidates that can be broken, as far as grounding shows."""
        return frozenset(self._hits)

    def suppose(self, names: Collection[str]) -> None:
        """Supposes these candidates, and no others."""
        wanted = set(names)
        for name in sorted(wanted ^ self._supposed):
            self._control.assign_external(clingo.Function(_ON, [clingo.Function(name)]), name in wanted)
        self._supposed = wanted

    def breaking(self, conflicts: int, name: str | None = None) -> frozenset[str] | None:
        """The candidates that some position breaks, none where there is no such position, None where that is open.

        Args:
            conflicts: The effort.
            name: One that it has to break; by default any of those supposed, after a transition.
        """
        if name is not None and name not in self._hits:
            return frozenset()
        options: Any = self._control.configuration.solve
        options.solve_limit = str(conflicts)
        assumed = [] if name is None else [self._hits[name]]
        with self._control.solve(assumptions=assumed, yield_=True) as handle:
            for model in handle:
                return frozenset(n for n, literal in self._hits.items() if model.is_true(literal))
            return frozenset() if handle.get().exhausted else None

    def lines(self, names: Collection[str]) -> Iterator[tuple[str, str]]:
        """The program's rules by which candidates are broken at the last moment, each with its candidate."""
        now = self.encoding.name(BROKEN)
        for line in self.encoding.lines:
            if line.startswith(f"{now}("):
                name = line[len(now) + 1 :].partition(",")[0]
                if name in names:
                    yield name, line
