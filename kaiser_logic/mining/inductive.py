"""The candidates that do not follow from the invariants, and their largest inductive set (Houdini).

A candidate stays in the set while no legal transition leads from a valid position that satisfies the whole set to one that
breaks the candidate. The others assumed each dropped candidate, so the rest is checked again, until nothing is dropped. A
candidate that the effort does not decide is dropped too: the set gets smaller, but not wrong.
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
# Whether the encodings of candidates agree with their rules, over positions that break them.
#
# No position of a game breaks a candidate. So each is tested in a position that is made to break it: a position of a game, to
# which the facts that its rule requires are added, and from which those that it excludes are removed. All definitions must
# agree there: the meaning of its template, the evaluation of its rule, and the rule in an encoding, at the first time step and
# at the time step after each transition, where many names differ.


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
        """A candidate on which two definitions disagree, in words; None if there is none.

        Each program judges each candidate in the candidate's own position, and all candidates together in one.
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
        """The candidates that these rules of an encoding find broken, for facts of its last time step."""
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
        """A position that breaks a candidate, however strange it is otherwise; None if there is none."""
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
    """A pattern with a value for its variable."""
    if pattern == KEY and key is not None:
        return symbols.term_of(key)
    return (
        Fun(pattern.name, tuple(_with(p, key) for p in pattern.args)) if isinstance(pattern, Fun) else pattern
    )


def _matches(patterns: Sequence[Term], fact: clingo.Symbol) -> bool:
    return any(match(p, fact) is not None for p in patterns)


def _fits(candidate: Candidate, pattern: Term, fact: clingo.Symbol) -> bool:
    """Whether a fact is one that breaks a candidate, including its number."""
    if match(pattern, fact) is None:
        return False
    if not isinstance(pattern, Fun) or pattern.args[-1] != NUMBER:
        return True
    number = fact.arguments[-1].number
    return number > candidate.bound if candidate.template is Template.AT_MOST else number < candidate.bound


_TOGETHER: Final = 60_000
"""The conflicts of the solver for all candidates of a transition together;"""
_ALONE: Final = 20_000
"""for one candidate;"""
_EXACTLY: Final = 2_000
"""for one candidate if the totals must equal their sums, which may be hard."""
_SMALL: Final = 400
"""The largest number of facts of a position for which the last is tried."""


class InductiveSet:
    """Candidates over the transitions of a game."""

    def __init__(
        self,
        ruleset: Ruleset,
        candidates: Mapping[str, Candidate],
        progress: Callable[[str], None] = lambda _: None,
    ) -> None:
        """``candidates``: the candidates by names."""
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
        """The largest inductive subset of these, as far as the effort allows.

        Hard transitions wait until the others drop nothing more: with fewer candidates they are easier.
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
        """The program of a transition, built when first needed, for the candidates that are left then."""
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
        """The candidates that a transition breaks or may break. Each is tested alone, with all of them assumed."""
        for name in sorted(left & query.breakable):
            broken = query.breaking(_ALONE, name)
            if broken is None or broken:
                self.undecided += broken is None
                yield name

    def shortest(self, names: Collection[str]) -> list[str]:
        """A subset that implies all of these: a candidate that follows from the rest is left out, the longest first.

        Most implications are found with loose totals, which allow more positions. Exact totals are used only for small
        games.
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
