"""Searches for invariants that a rulebook does not state.

The largest inductive set of candidates is kept (Houdini). A candidate is dropped if a legal transition leads from a valid
position that satisfies the whole set to one that breaks the candidate. The checks of the others assumed it, so they are
repeated until nothing is dropped. A candidate is also dropped if the limit on conflicts is reached: the set gets smaller, but
not wrong.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

from .. import clingo
from ..batch.layout import Layout
from ..batch.optional import is_installed
from ..batch.playout import LONGEST
from ..engine import symbols
from ..engine.configuration import Configuration
from ..engine.domains import too_many
from ..engine.invariants import invariants
from ..engine.ruleset import Ruleset
from ..errors import FaultyRulebook, NotDecided
from ..evaluation.evaluator import Evaluator, evaluator_of
from ..lang.algebra import atoms
from ..lang.printer import show
from ..lang.terms import Fun, Program, Term
from ..linting.lint import findings
from ..rules.phrases import phrases
from ..rules.predicates import BROKEN, broken_atom
from ..rules.rulebook import Rulebook
from ..solving.goals import ALWAYS
from ..solving.questions import Setting
from ..solving.rounds import Rounds
from ..solving.theory import Transition
from ..solving.vocabulary import Vocabulary as Sorts
from ..transform.slicing import position_seeds
from ..workers import TIMEOUT, run_job
from .candidates import (
    KEY,
    NUMBER,
    Candidate,
    Facts,
    Observations,
    Template,
    UnbrokenCandidates,
    Vocabulary,
    breaks,
    match,
)
from .queries import SHORT, CandidateQuery, Starts, positions, remaining, sorts_of, starts, with_candidates
from .writing import InvariantReport, ProposedInvariant, Wording, propose

# -- encoding check ------------------------------------------------------------------------------------------
#
# The check that the encoding of each candidate agrees with its rule and its template.
#
# No position of a game breaks a candidate. So the check makes one that does: it takes a position of a game, adds the facts that
# the rule requires, and removes those that it excludes. In this position the meaning of the template, the evaluation of the
# rule, and the rule in each encoding must agree: in the encoding of an open position, and in that of the position after each
# transition, where the predicates have other names.


class EncodingCheck:
    """Positions that break candidates."""

    def __init__(
        self,
        ruleset: Ruleset,
        vocabulary: Vocabulary,
        sorts: Sorts,
        candidates: Mapping[str, Candidate],
        positions: Sequence[Facts],
        random: Random,
    ) -> None:
        """Makes a position for each candidate."""
        self._ruleset, self._vocabulary, self._candidates = ruleset, vocabulary, candidates
        self._facts = (*sorts.narrow, *sorted(ruleset.steps))
        self._found: dict[tuple[Program, Facts, str], frozenset[str]] = {}
        made = {
            name: self._position_breaking(c, random.choice(positions), random)
            for name, c in candidates.items()
        }
        self.positions = {name: facts for name, facts in made.items() if facts is not None}
        evaluator = Evaluator(ruleset)
        self._broken = {
            name: {i for i, _ in evaluator.broken_invariants(facts, waive=False)} & set(candidates)
            for name, facts in self.positions.items()
        }

    def differs(self, queries: Sequence[CandidateQuery]) -> str | None:
        """A candidate on which two definitions disagree, in words; None if there is none.

        Each encoding judges each candidate in the candidate's own position, and all candidates in one of the positions.
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
                if name in rules and not self._broken_by_rules(query, (rules[name],), self.positions[name]):
                    return f"{self._body((name,))} is encoded otherwise than it is read"
            for name in names[number % len(names) :][:1] if names else ():
                found = self._broken_by_rules(query, tuple(rules.values()), self.positions[name])
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

    def _broken_by_rules(self, query: CandidateQuery, rules: Program, facts: Facts) -> frozenset[str]:
        """The candidates that facts of the last position break, by these rules of an encoding."""
        used = {atom.signature for rule in rules for atom, _ in atoms(rule.body)}
        named = (clingo.Function(query.called(symbols.signature(f)), f.arguments) for f in facts)
        key = rules, frozenset(f for f in named if symbols.signature(f) in used), query.called(BROKEN)
        if key not in self._found:
            self._found[key] = self._broken_by_grounding(*key)
        return self._found[key]

    def _broken_by_grounding(self, rules: Program, facts: Facts, broken: str) -> frozenset[str]:
        sorts = sorted({c.sort for c in self._candidates.values() if c.sort})
        sorted_facts = (fact for sort in sorts for fact in self._ruleset.facts(sort, 1))
        control = clingo.ground("\n".join(map(show, rules)), (*facts, *sorted_facts))
        found = control.symbolic_atoms.by_signature(broken, BROKEN[1])
        return frozenset(a.symbol.arguments[0].name for a in found if a.is_fact)

    def _position_breaking(self, candidate: Candidate, start: Facts, random: Random) -> Facts | None:
        """A position that breaks a candidate; it need not be valid. None if there is none."""
        values = self._values(candidate)
        key = random.choice(values) if values else None
        unwanted = [_with_key(p, key) for p in candidate.unwanted]
        facts = {f for f in start if not _matches(unwanted, f)}
        for pattern in candidate.wanted:
            possible = [f for f in self._facts if _fits(candidate, _with_key(pattern, key), f)]
            possible = [f for f in possible if not _matches(unwanted, f)]
            if not possible:
                return None
            facts.add(random.choice(possible))
        return frozenset(facts)


def _with_key(pattern: Term, key: clingo.Symbol | None) -> Term:
    """A pattern with a value for its variable."""
    if pattern == KEY and key is not None:
        return symbols.term_of(key)
    return (
        Fun(pattern.name, tuple(_with_key(p, key) for p in pattern.args))
        if isinstance(pattern, Fun)
        else pattern
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
"""The limit on conflicts for all candidates of a transition together."""
_ALONE: Final = 20_000
"""The limit on conflicts for one candidate."""
_EXACTLY: Final = 2_000
"""The limit on conflicts for one candidate with exact totals."""
_SMALL: Final = 400
"""Exact totals are used only if the vocabulary has fewer facts."""


class InductiveSet:
    """Finds the inductive candidates among given ones.

    Attributes:
        undecided: The number of candidates dropped because the limit on conflicts was reached.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        candidates: Mapping[str, Candidate],
        progress: Callable[[str], None] = lambda _: None,
    ) -> None:
        """``candidates`` are given by their names; ``progress`` is called with messages."""
        self._ruleset, self._prover = ruleset, Setting(ruleset).prover
        self._transitions = self._prover.transitions
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
        """The largest inductive subset of these that the limits on conflicts allow to find.

        Hard transitions come last, because they are easier with fewer candidates.
        """
        alive = set(names)
        rules = with_candidates(self._ruleset, {n: self._candidates[n] for n in sorted(alive)})
        settled: set[str] = set()
        waiting: dict[str, None] = {}
        while len(settled) < len(self._transitions):
            easy = [t for t in self._transitions if t.label not in settled and t.label not in waiting]
            hard = [t for t in self._transitions if t.label in waiting]
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
        """The program of a transition. It is built at the first use, for the candidates that are left then."""
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
        """The candidates that a transition breaks or may break. Each is tested alone, with the whole set assumed."""
        for name in sorted(left & query.breakable):
            broken = query.breaking(_ALONE, name)
            if broken is None or broken:
                self.undecided += broken is None
                yield name

    def shortest(self, names: Collection[str]) -> list[str]:
        """A subset that implies all of these. Candidates that follow from the rest are left out, the longest first.

        Most implications are found with loose totals. Exact totals are tried, too, if the game is small.
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
        return CandidateQuery(with_candidates(self._ruleset, candidates), self._prover, list(candidates))

    def programs(self, names: Collection[str]) -> list[CandidateQuery]:
        """The programs in which these candidates are encoded: an open position, and each transition."""
        return [self._position_query({n: self._candidates[n] for n in names}), *self._queries.values()]


# -- acceptance ----------------------------------------------------------------------------------------------
#
# The last check puts the proposed lines into a copy of the rulebook, which is loaded and proved like any other.
#
# So a fault in the search cannot lead to a false invariant. The prover of the command ``prove`` proves the invariants of the
# copy, with its random games and its check of each encoded transition. The engine judges them at every start. Invariants are
# proposed only if everything is proved, including the game's own invariants.


@dataclass(frozen=True)
class Verdict:
    """The verdict on proposed invariants.

    Attributes:
        refused: The ids of the invariants that do not hold; if it is empty, all are proved.
        given: The assumptions of the proofs, as sentences.
    """

    refused: frozenset[str]
    given: tuple[str, ...] = ()


def prove_proposals(
    ruleset: Ruleset,
    starts: Sequence[Configuration],
    proposals: Sequence[ProposedInvariant],
    deadline: float,
    jobs: int | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> Verdict:
    """Tries to prove the proposed invariants, all together.

    Args:
        ruleset: The rules without the proposed invariants.
        starts: The starts at which they must hold.
        proposals: The proposed invariants.
        deadline: By :func:`time.monotonic`.
        jobs: The number of processes.
        progress: Is called with messages.

    Raises:
        NotDecided: The rulebook with the lines does not load, or the game's own invariants are not proved.
    """
    ids = [p.id for p in proposals]
    with _copy_rulebook(ruleset.book, proposals) as folder:
        try:
            _look_through(ruleset.book, folder)
            evaluators = [evaluator_of(replace(c, source=folder, book=("", ""))) for c in starts]
        except FaultyRulebook as error:
            raise NotDecided(f"the proposed lines are no part of a rulebook: {error.findings[0]}") from None
        false = {i for e in evaluators for i in _broken_at_the_start(e)} & set(ids)
        if false:
            return Verdict(frozenset(false))
        report = Rounds(evaluators[0].ruleset).run(ids, remaining(deadline), jobs, progress)
    fallen = {p.claim for p in report.proofs if p.status == "falls"}
    if fallen & set(ids):
        return Verdict(frozenset(fallen & set(ids)))
    if fallen:
        raise NotDecided(f"the game's own invariants do not hold: {', '.join(sorted(fallen))} (see prove)")
    for proof in report.proofs:
        if proof.status != "proved":
            why = proof.notes[0] if proof.notes else proof.status
            raise NotDecided(SHORT if why.endswith(TIMEOUT) else f"{proof.claim}: {why}")
    missing = set(ids) - {p.claim for p in report.proofs}
    if missing:
        raise NotDecided(f"{min(missing)} has not been proved")
    return Verdict(frozenset(), report.given)


@contextmanager
def _copy_rulebook(book: Rulebook, proposals: Sequence[ProposedInvariant]) -> Iterator[Path]:
    """A copy of the rulebook's folder with the proposed lines at the end of its last file."""
    with TemporaryDirectory(prefix="rulebook") as above:
        folder = Path(above) / book.folder.name
        shutil.copytree(book.folder, folder, ignore=shutil.ignore_patterns(".*", "__pycache__"))
        last = folder / f"{book.manifest['files'][-1]}.lp"
        text = last.read_text(encoding="utf-8")
        last.write_text(paste_invariants(text, proposals), encoding="utf-8")
        yield folder


def paste_invariants(text: str, proposals: Sequence[ProposedInvariant]) -> str:
    """The text of a file of a rulebook, with proposed invariants at its end."""
    return "\n".join([text.rstrip("\n"), "", "% -- proposed", *map(str, proposals), ""])


def _look_through(book: Rulebook, folder: Path) -> None:
    """Raises FaultyRulebook if ``lint`` finds something in the copy that it does not find in the rulebook itself."""
    known = {(f.what, f.message) for f in findings(book.folder)}
    new = [f for f in sorted(set(findings(folder))) if (f.what, f.message) not in known]
    if new:
        raise FaultyRulebook(new)


def _broken_at_the_start(evaluator: Evaluator) -> set[str]:
    """The invariants that the start breaks, or a position between it and the first decision."""
    passed = evaluator.settling(evaluator.start())
    return {name for position in passed for name, _ in evaluator.broken_invariants(position, waive=False)}


GAMES: Final = 20
"""The number of random games."""


@dataclass(frozen=True)
class _Found:
    """The result of the search.

    Attributes:
        candidates: The shortest subset that implies the whole inductive set.
        counts: The numbers of candidates tried, unbroken, new, inductive, undecided.
    """

    candidates: tuple[Candidate, ...]
    counts: tuple[int, int, int, int, int]


class Miner:
    """Searches for invariants of the rules in force."""

    def __init__(self, evaluator: Evaluator) -> None:
        """A miner for the evaluator's rules."""
        self._evaluator = evaluator
        self._ruleset = evaluator.ruleset

    def run(
        self,
        games: int = GAMES,
        seed: int = 1,
        timeout: float = 600.0,
        jobs: int | None = None,
        progress: Callable[[str], None] = lambda _: None,
    ) -> InvariantReport:
        """Searches for invariants.

        Args:
            games: The number of random games; they use all starts in turn.
            seed: Their seed. The same games give the same invariants, on any machine.
            timeout: The time limit in seconds.
            jobs: The number of processes; by default one for each core.
            progress: Is called with messages.

        Raises:
            NotDecided: The time was too short, the vocabulary is too large to be listed, or the game's own invariants
                are not proved.
        """
        if (many := too_many(self._ruleset)) is not None:
            raise NotDecided(f"{self._ruleset.id} is too large to look for invariants: {many}")
        deadline = time.monotonic() + timeout
        sorts = sorts_of(self._ruleset)
        begin = starts(self._ruleset)
        evaluators = [evaluator_of(c) for c in begin.configurations]
        sampled = positions(evaluators, sorts, games, seed, deadline, jobs, progress)
        progress("candidates over all transitions")
        answer = run_job(partial(self._search, sampled, seed), remaining(deadline))
        if answer.value is None:
            raise NotDecided(SHORT if answer.failure == TIMEOUT else str(answer.failure))
        vocabulary = Vocabulary(self._ruleset, sorts)
        wording = Wording(self._ruleset, phrases(self._ruleset.book.folder), vocabulary)
        accepted, given = self._accept(answer.value.candidates, wording, begin, deadline, jobs, progress)
        assumptions = (f"They hold at {begin.covered} and ever after.", *given) if accepted else ()
        return InvariantReport(accepted, assumptions, games, len(sampled), *answer.value.counts)

    def _accept(
        self,
        candidates: Sequence[Candidate],
        wording: Wording,
        begin: Starts,
        deadline: float,
        jobs: int | None,
        progress: Callable[[str], None],
    ) -> tuple[tuple[ProposedInvariant, ...], tuple[str, ...]]:
        """The invariants for those candidates that the prover proves, and the assumptions of the proofs."""
        taken = {*self._ruleset.book.docs, *ALWAYS, *invariants(self._ruleset).every}
        left = tuple(candidates)
        while left:
            groups = propose(left, wording, taken)
            made = tuple(invariant for invariant, _ in groups)
            verdict = prove_proposals(self._ruleset, begin.configurations, made, deadline, jobs, progress)
            if not verdict.refused:
                return made, verdict.given
            left = tuple(c for i, group in groups if i.id not in verdict.refused for c in group)
        return (), ()

    def _without_fallen(self, candidates: dict[str, Candidate]) -> dict[str, Candidate]:
        """The candidates that many more random games do not break; all, if there are no stored circuits to play them.

        The proofs would drop the others later, at greater cost.
        """
        if not is_installed():
            return candidates
        from ..batch.population import Derived, SatisfiedAtoms, are_cached, search_random_games

        if not are_cached(self._evaluator):
            return candidates
        made: list[SatisfiedAtoms] = []

        def atoms_wanted(layout: Layout) -> SatisfiedAtoms:
            rules = with_candidates(self._ruleset, candidates)
            needed = rules.judging.slice(position_seeds(), [broken_atom(name) for name in candidates])
            made.append(SatisfiedAtoms(Derived(layout, rules.complete(tuple(needed)), BROKEN)))
            return made[0]

        search_random_games(self._evaluator, atoms_wanted, LONGEST)
        fallen = {symbols.text(atom.arguments[0]) for one in made for atom in one.satisfied}
        return {name: c for name, c in candidates.items() if name not in fallen}

    def _search(self, sampled: Sequence[Facts], seed: int) -> _Found:
        """The whole search, in a process of its own."""
        ruleset = self._ruleset
        sorts = sorts_of(ruleset)
        vocabulary = Vocabulary(ruleset, sorts)
        observed = Observations(sampled)
        stated = frozenset(s for s, zero in ruleset.book.counters.items() if zero)
        candidates = UnbrokenCandidates(vocabulary, observed, stated)
        unbroken = {f"candidate_{k}": c for k, c in enumerate(candidates.all())}
        inductive = InductiveSet(ruleset, self._without_fallen(unbroken))
        new = inductive.new()
        alive = inductive.largest(new)
        shortest = {name: unbroken[name] for name in inductive.shortest(alive)}
        rules = with_candidates(ruleset, shortest)
        check = EncodingCheck(rules, vocabulary, sorts, shortest, sampled, Random(seed))
        differs = check.differs(inductive.programs(shortest))
        if differs is not None:
            raise NotDecided(f"a fault of the tool: {differs}")
        counts = (candidates.tried, len(unbroken), len(new), len(alive), inductive.undecided)
        return _Found(tuple(shortest.values()), counts)
