"""Which candidates say something new, and the largest set of them that is inductive (Houdini).

A candidate stays in the set while no legal transition leads from a valid position that meets all of the set to one
that breaks it. What is dropped was supposed for all others, so the rest is asked again, until nothing is dropped. What
cannot be decided with a given effort is dropped too: a smaller set is less, but nothing false.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Final

from ..engine.ruleset import Ruleset
from ..symbolic.domains import Domains
from ..symbolic.invariants import invariants
from ..symbolic.transitions import Transition
from .candidates import Candidate
from .openings import Opening, after, extended, open_position

_TOGETHER: Final = 60_000
"""So many conflicts of the solver are spent on all candidates of a transition together,"""
_ALONE: Final = 20_000
"""and so many on one of them;"""
_EXACTLY: Final = 2_000
"""so many where totals have to match their sums, which may be hard:"""
_SMALL: Final = 400
"""that is tried only where a position consists of fewer facts than so many."""


class Inductive:
    """Candidates over the transitions of a game."""

    def __init__(
        self,
        ruleset: Ruleset,
        domains: Domains,
        found: Sequence[Transition],
        candidates: Mapping[str, Candidate],
        progress: Callable[[str], None] = lambda _: None,
    ) -> None:
        """Of these rules and transitions; ``candidates`` by names of their own."""
        self._ruleset, self._domains, self._found = ruleset, domains, found
        self._own = invariants(ruleset).assumed
        self._candidates = candidates
        self._progress = progress
        self._openings: dict[str, Opening] = {}
        self.undecided = 0

    def new(self) -> set[str]:
        """The candidates that do not follow from the game's own invariants."""
        opening = self._position(self._candidates)
        found: set[str] = set()
        for name in self._candidates:
            if name not in found:
                broken = opening.breaking(_ALONE, name)
                found |= {name} if broken is None else broken
        return found

    def largest(self, names: Collection[str]) -> set[str]:
        """The largest inductive set of these, as far as the effort goes.

        Transitions that are hard wait until the others have nothing more to drop: with fewer candidates they are easier.
        """
        alive = set(names)
        rules = extended(self._ruleset, {n: self._candidates[n] for n in sorted(alive)})
        settled: set[str] = set()
        waiting: dict[str, None] = {}
        while len(settled) < len(self._found):
            easy = [t for t in self._found if t.label not in settled and t.label not in waiting]
            hard = [t for t in self._found if t.label in waiting]
            for transition in easy or hard[:1]:
                self._progress(f"{transition.label}: {len(alive)} candidates")
                opening = self._opening(rules, alive, transition)
                dropped, decided = self._dropped(opening, alive)
                if not decided and not easy:
                    opening.suppose(alive - dropped)
                    alone = set(self._one_by_one(opening, alive - dropped))
                    dropped, decided = dropped | alone, not alone
                if dropped:
                    alive -= dropped
                    settled.clear()
                if decided:
                    settled.add(transition.label)
                    waiting.pop(transition.label, None)
                else:
                    waiting[transition.label] = None
        return alive

    def _opening(self, rules: Ruleset, alive: Collection[str], transition: Transition) -> Opening:
        """The program of a transition, made where it is first needed, for the candidates that are left then."""
        if transition.label not in self._openings:
            made = after(rules, self._own, sorted(alive), self._domains, transition)
            self._openings[transition.label] = made
        return self._openings[transition.label]

    def _dropped(self, opening: Opening, alive: Collection[str]) -> tuple[set[str], bool]:
        """What a transition breaks, and whether it is known that it breaks nothing of the rest."""
        left = set(alive)
        while left & opening.breakable:
            opening.suppose(left)
            broken = opening.breaking(_TOGETHER)
            if broken is None:
                return {*alive} - left, False
            if not broken & left:
                break
            left -= broken
        return {*alive} - left, True

    def _one_by_one(self, opening: Opening, left: set[str]) -> Iterator[str]:
        """What a transition breaks or may break of these, each asked for alone, with all of them supposed."""
        for name in sorted(left & opening.breakable):
            broken = opening.breaking(_ALONE, name)
            if broken is None or broken:
                self.undecided += broken is None
                yield name

    def shortest(self, names: Collection[str]) -> list[str]:
        """Those that together say all that these say: what the others say is left out, the longest first.

        Most of it is seen among more positions than there are, where totals are loose; what totals say in the end, in
        small games.
        """
        kept = sorted(names, key=lambda n: self._candidates[n].weight)
        for exact in (False, True) if len(self._domains.fluents) < _SMALL else (False,):
            opening = self._position({n: self._candidates[n] for n in kept}, exact)
            for name in reversed(kept[:]):
                rest = [n for n in kept if n != name]
                opening.suppose(rest)
                broken = opening.breaking(_EXACTLY if exact else _ALONE, name)
                if broken is not None and not broken:
                    kept = rest
        return kept

    def _position(self, candidates: Mapping[str, Candidate], exact: bool = False) -> Opening:
        rules = extended(self._ruleset, candidates)
        return open_position(rules, self._own, list(candidates), self._domains, self._found, exact)

    def programs(self, names: Collection[str]) -> list[Opening]:
        """The programs in which these candidates are encoded: an open position, and each transition."""
        return [self._position({n: self._candidates[n] for n in names}), *self._openings.values()]
