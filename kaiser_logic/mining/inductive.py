"""The candidates that do not follow from the invariants, and their largest inductive set (Houdini).

A candidate stays in the set while no legal transition leads from a valid position that meets all of the set to one
that breaks it. What is dropped was supposed for all others, so the rest is asked again, until nothing is dropped. What
cannot be decided with a given effort is dropped too: a smaller set is less, but nothing false.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from random import Random
from typing import Final

from .. import clingo
from ..engine import symbols
from ..engine.ruleset import Ruleset
from ..evaluation.evaluator import Evaluator
from ..lang.algebra import atoms
from ..lang.printer import show
from ..lang.terms import Fun, Program, Term
from ..rules.predicates import BROKEN
from ..solving.questions import Setting
from ..solving.theory import Transition
from ..solving.vocabulary import Vocabulary as Sorts
from .candidates import KEY, NUMBER, Candidate, Facts, Template, Vocabulary, breaks, match
from .queries import CandidateQuery, extended

# -- encoding check ------------------------------------------------------------------------------------------
#
# Whether candidates are encoded as their lines say, over positions that break them.
#
# Positions of games break no candidate; so each is put to the test in a position that is made to break it: one of a game,
# in which the facts that its rule wants are added and those that it does not want are taken away. There all that judges it
# must agree: the meaning of its template, the evaluate reading of its rule, and the rule as it stands in an encoding, of
# the first moment and of the moment after each transition, where many names are others.


class EncodingCheck:
    """Candidates in positions that break them."""

    def __init__(
        self,
        ruleset: Ruleset,
        vocabulary: Vocabulary,
        sorts: Sorts,
        candidates: Mapping[str, Candidate],
        positions: Sequence[Facts],
        random: Random,
    ) -> None:
        """Makes the positions."""
        self._ruleset, self._vocabulary, self._candidates = ruleset, vocabulary, candidates
        self._facts = (*sorts.narrow, *sorted(ruleset.steps))
        self._found: dict[tuple[Program, Facts, str], frozenset[str]] = {}
        made = {name: self._made(c, random.choice(positions), random) for name, c in candidates.items()}
        self.positions = {name: facts for name, facts in made.items() if facts is not None}
        evaluator = Evaluator(ruleset)
        self._broken = {
            name: {i for i, _ in evaluator.broken(facts, waive=False)} & set(candidates)
            for name, facts in self.positions.items()
        }

    def differs(self, queries: Sequence[CandidateQuery]) -> str | None:
        """A candidate that is judged in two ways, in words; None where there is none.

        In each program each candidate is judged in its own position, and all together in one.
        """
        for name, facts in self.positions.items():
            meant = {n for n, c in self._candidates.items() if self._breaks(c, facts)}
            wrong = meant ^ self._broken[name] or {name} - meant
            if wrong:
                return f"{self._body(wrong)} is read otherwise than it is meant"
        names = list(self.positions)
        for number, query in enumerate(queries):
            rules = dict(query.rules(self._candidates))
            for name in names:
                if name in rules and not self._encoded(query, (rules[name],), self.positions[name]):
                    return f"{self._body((name,))} is encoded otherwise than it is read"
            for name in names[number % len(names) :][:1] if names else ():
                found = self._encoded(query, tuple(rules.values()), self.positions[name])
                wrong = set(found) ^ (self._broken[name] & set(rules))
                if wrong:
                    return f"{self._body(wrong)} is encoded otherwise than it is read"
        return None

    def _body(self, names: Collection[str]) -> str:
        return self._candidates[min(names)].body

    def _values(self, candidate: Candidate) -> Sequence[clingo.Symbol]:
        return self._vocabulary.sorts[candidate.sort] if candidate.sort else ()

    def _breaks(self, candidate: Candidate, facts: Facts) -> bool:
        return breaks(candidate, facts, self._values(candidate))

    def _encoded(self, query: CandidateQuery, rules: Program, facts: Facts) -> frozenset[str]:
        """The candidates that facts of an encoding's last moment break by these of its rules."""
        used = {atom.signature for rule in rules for atom, _ in atoms(rule.body)}
        named = (clingo.Function(query.called(symbols.signature(f)), f.arguments) for f in facts)
        key = rules, frozenset(f for f in named if symbols.signature(f) in used), query.called(BROKEN)
        if key not in self._found:
            self._found[key] = self._grounded(*key)
        return self._found[key]

    def _grounded(self, rules: Program, facts: Facts, broken: str) -> frozenset[str]:
        sorts = sorted({c.sort for c in self._candidates.values() if c.sort})
        sorted_facts = (fact for sort in sorts for fact in self._ruleset.facts(sort, 1))
        control = clingo.ground("\n".join(map(show, rules)), (*facts, *sorted_facts))
        found = control.symbolic_atoms.by_signature(broken, BROKEN[1])
        return frozenset(a.symbol.arguments[0].name for a in found if a.is_fact)

    def _made(self, candidate: Candidate, start: Facts, random: Random) -> Facts | None:
        """A position with all that breaks a candidate, however strange it is otherwise; None where there is none."""
        values = self._values(candidate)
        key = random.choice(values) if values else None
        unwanted = [_with(p, key) for p in candidate.unwanted]
        facts = {f for f in start if not _matches(unwanted, f)}
        for pattern in candidate.wanted:
            possible = [f for f in self._facts if _fits(candidate, _with(pattern, key), f)]
            possible = [f for f in possible if not _matches(unwanted, f)]
            if not possible:
                return None
            facts.add(random.choice(possible))
        return frozenset(facts)


def _with(pattern: Term, key: clingo.Symbol | None) -> Term:
    """A pattern with its variable bound."""
    if pattern == KEY and key is not None:
        return symbols.term_of(key)
    return (
        Fun(pattern.name, tuple(_with(p, key) for p in pattern.args)) if isinstance(pattern, Fun) else pattern
    )


def _matches(patterns: Sequence[Term], fact: clingo.Symbol) -> bool:
    return any(match(p, fact) is not None for p in patterns)


def _fits(candidate: Candidate, pattern: Term, fact: clingo.Symbol) -> bool:
    """Whether a fact is one that breaks a candidate, its number included."""
    if match(pattern, fact) is None:
        return False
    if not isinstance(pattern, Fun) or pattern.args[-1] != NUMBER:
        return True
    number = fact.arguments[-1].number
    return number > candidate.bound if candidate.template is Template.AT_MOST else number < candidate.bound


_TOGETHER: Final = 60_000
"""So many conflicts of the solver are spent on all candidates of a transition together,"""
_ALONE: Final = 20_000
"""and so many on one of them;"""
_EXACTLY: Final = 2_000
"""so many where totals have to match their sums, which may be hard:"""
_SMALL: Final = 400
"""that is tried only where a position consists of fewer facts than so many."""


class InductiveSet:
    """Candidates over the transitions of a game."""

    def __init__(
        self,
        ruleset: Ruleset,
        candidates: Mapping[str, Candidate],
        progress: Callable[[str], None] = lambda _: None,
    ) -> None:
        """``candidates``: by names of their own."""
        self._ruleset, self._prover = ruleset, Setting(ruleset).prover
        self._found = self._prover.transitions
        self._candidates = candidates
        self._progress = progress
        self._queries: dict[str, CandidateQuery] = {}
        self.undecided = 0

    def new(self) -> set[str]:
        """The candidates that do not follow from the game's own invariants."""
        query = self._position_query(self._candidates)
        found: set[str] = set()
        for name in self._candidates:
            if name not in found:
                broken = query.breaking(_ALONE, name)
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
                query = self._query(rules, alive, transition)
                dropped, decided = self._broken_by(query, alive)
                if not decided and not easy:
                    query.assume(alive - dropped)
                    alone = set(self._one_by_one(query, alive - dropped))
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

    def _query(self, rules: Ruleset, alive: Collection[str], transition: Transition) -> CandidateQuery:
        """The program of a transition, made where it is first needed, for the candidates that are left then."""
        if transition.label not in self._queries:
            made = CandidateQuery(rules, self._prover, sorted(alive), transition)
            self._queries[transition.label] = made
        return self._queries[transition.label]

    def _broken_by(self, query: CandidateQuery, alive: Collection[str]) -> tuple[set[str], bool]:
        """The candidates that a transition breaks, and whether it is known to break none of the rest."""
        left = set(alive)
        while left & query.breakable:
            query.assume(left)
            broken = query.breaking(_TOGETHER)
            if broken is None:
                return {*alive} - left, False
            if not broken & left:
                break
            left -= broken
        return {*alive} - left, True

    def _one_by_one(self, query: CandidateQuery, left: set[str]) -> Iterator[str]:
        """The candidates that a transition breaks or may break, each tested alone, with all of them assumed."""
        for name in sorted(left & query.breakable):
            broken = query.breaking(_ALONE, name)
            if broken is None or broken:
                self.undecided += broken is None
                yield name

    def shortest(self, names: Collection[str]) -> list[str]:
        """A subset that implies all of these: what follows from the rest is left out, the longest first.

        Most of it is seen among more positions than there are, where totals are loose; what totals say in the end, in
        small games.
        """
        remaining = sorted(names, key=lambda n: self._candidates[n].weight)
        query = self._position_query({n: self._candidates[n] for n in remaining})
        for exact in (False, True) if len(self._prover.vocabulary.narrow) < _SMALL else (False,):
            for name in reversed(remaining[:]):
                rest = [n for n in remaining if n != name]
                query.assume(rest)
                broken = query.breaking(_EXACTLY if exact else _ALONE, name, exact)
                if broken is not None and not broken:
                    remaining = rest
        return remaining

    def _position_query(self, candidates: Mapping[str, Candidate]) -> CandidateQuery:
        return CandidateQuery(extended(self._ruleset, candidates), self._prover, list(candidates))

    def programs(self, names: Collection[str]) -> list[CandidateQuery]:
        """The programs in which these candidates are encoded: an open position, and each transition."""
        return [self._position_query({n: self._candidates[n] for n in names}), *self._queries.values()]
