"""Whether candidates are encoded as their lines say, over positions that break them.

Positions of games break no candidate; so each is put to the test in a position that is made to break it: one of a game,
in which the facts that its rule wants are added and those that it does not want are taken away. There all that judges it
must agree: the meaning of its template, the evaluate reading of its rule, and the rule as it stands in an encoding, of
the first moment and of the moment after each transition, where many names are others.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from random import Random

from .. import clingo
from ..engine import symbols
from ..engine.ruleset import Ruleset
from ..evaluation.evaluator import Evaluator
from ..rules.pattern import Pattern
from ..rules.predicates import BROKEN
from ..rules.reader import rule_of
from ..symbolic.domains import Domains
from .candidates import Candidate, Template, breaks
from .features import KEY, NUMBER, match
from .observations import Facts
from .openings import Opening
from .vocabulary import Vocabulary


class Agreement:
    """Candidates in positions that break them."""

    def __init__(
        self,
        ruleset: Ruleset,
        vocabulary: Vocabulary,
        domains: Domains,
        candidates: Mapping[str, Candidate],
        positions: Sequence[Facts],
        random: Random,
    ) -> None:
        """Makes the positions.

        Args:
            ruleset: The rules, with those of the candidates.
            vocabulary: The sorts of variables.
            domains: The facts that there are.
            candidates: By the names of their invariants.
            positions: Some to begin from.
            random: Chooses.
        """
        self._ruleset, self._vocabulary, self._candidates = ruleset, vocabulary, candidates
        self._facts = (*domains.fluents, *sorted(ruleset.steps))
        self._found: dict[tuple[tuple[str, ...], Facts, str], frozenset[str]] = {}
        made = {name: self._made(c, random.choice(positions), random) for name, c in candidates.items()}
        self.positions = {name: facts for name, facts in made.items() if facts is not None}
        evaluator = Evaluator(ruleset)
        self._broken = {
            name: {i for i, _ in evaluator.broken(facts, waive=False)} & set(candidates)
            for name, facts in self.positions.items()
        }

    def differs(self, openings: Sequence[Opening]) -> str | None:
        """A candidate that is judged in two ways, in words; None where there is none.

        In each program each candidate is judged in its own position, and all together in one.
        """
        for name, facts in self.positions.items():
            meant = {n for n, c in self._candidates.items() if self._breaks(c, facts)}
            wrong = meant ^ self._broken[name] or {name} - meant
            if wrong:
                return f"{self._body(wrong)} is read otherwise than it is meant"
        names = list(self.positions)
        for number, opening in enumerate(openings):
            lines = dict(opening.lines(self._candidates))
            for name in names:
                if name in lines and not self._encoded(opening, (lines[name],), self.positions[name]):
                    return f"{self._body((name,))} is encoded otherwise than it is read"
            for name in names[number % len(names) :][:1] if names else ():
                found = self._encoded(opening, tuple(lines.values()), self.positions[name])
                wrong = set(found) ^ (self._broken[name] & set(lines))
                if wrong:
                    return f"{self._body(wrong)} is encoded otherwise than it is read"
        return None

    def _body(self, names: Collection[str]) -> str:
        return self._candidates[min(names)].body

    def _values(self, candidate: Candidate) -> Sequence[clingo.Symbol]:
        return self._vocabulary.sorts[candidate.sort] if candidate.sort else ()

    def _breaks(self, candidate: Candidate, facts: Facts) -> bool:
        return breaks(candidate, facts, self._values(candidate))

    def _encoded(self, opening: Opening, lines: tuple[str, ...], facts: Facts) -> frozenset[str]:
        """The candidates that facts of an encoding's last moment break by these of its rules."""
        encoding = opening.encoding
        used = {a.signature for line in lines for a in rule_of(line).atoms}
        named = (clingo.Function(encoding.name(symbols.signature(f)), f.arguments) for f in facts)
        key = lines, frozenset(f for f in named if symbols.signature(f) in used), encoding.name(BROKEN)
        if key not in self._found:
            self._found[key] = self._grounded(*key)
        return self._found[key]

    def _grounded(self, lines: tuple[str, ...], facts: Facts, broken: str) -> frozenset[str]:
        sorts = sorted({c.sort for c in self._candidates.values() if c.sort})
        sorted_facts = (fact for sort in sorts for fact in self._ruleset.facts(sort, 1))
        control = clingo.ground("\n".join(lines), (*facts, *sorted_facts))
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


def _with(pattern: Pattern, key: clingo.Symbol | None) -> Pattern:
    """A pattern with its variable bound."""
    if pattern == KEY and key is not None:
        return symbols.value_pattern(key)
    return ("f", pattern[1], tuple(_with(p, key) for p in pattern[2])) if pattern[0] == "f" else pattern


def _matches(patterns: Sequence[Pattern], fact: clingo.Symbol) -> bool:
    return any(match(p, fact) is not None for p in patterns)


def _fits(candidate: Candidate, pattern: Pattern, fact: clingo.Symbol) -> bool:
    """Whether a fact is one that breaks a candidate, its number included."""
    if match(pattern, fact) is None:
        return False
    if pattern[0] != "f" or pattern[2][-1] != NUMBER:
        return True
    number = fact.arguments[-1].number
    return number > candidate.bound if candidate.template is Template.AT_MOST else number < candidate.bound
