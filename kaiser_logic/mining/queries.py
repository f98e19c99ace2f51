"""Programs in which candidates can be assumed, over an open position and after one transition.

The candidates are invariants of a rulebook with additional rules, so the encoder of the rules encodes them too. One
grounding serves many queries: an external ``on__(C)`` says whether C is assumed.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations, islice, product
from random import Random
from typing import Any, Final, TypeAlias

from .. import clingo
from ..engine import symbols
from ..engine.configuration import Configuration
from ..engine.ruleset import Ruleset
from ..errors import NotDecided
from ..evaluation.evaluator import Evaluator
from ..evaluation.random_games import random_game
from ..lang.algebra import atoms, rename_predicates
from ..lang.terms import Atom, Int, Rule, Signature, Var
from ..rules.predicates import BROKEN, DECISION, DUE
from ..solving.build import (
    Choice,
    anything,
    atom,
    element,
    head_of,
    never,
    no,
    number_of,
    rule,
)
from ..solving.encoder import EXACT, Encoder
from ..solving.prover import Prover
from ..solving.questions import Setting
from ..solving.theory import Theory, Transition
from ..solving.vocabulary import Vocabulary as Sorts
from ..workers import TIMEOUT, Job, ProcessPool
from .candidates import Candidate, rules_of

# -- games ---------------------------------------------------------------------------------------------------
#
# The positions of random games, played in child processes. A seed gives the same games with any number of processes.


_TOGETHER: Final = 4
"""The number of games that one job plays."""
_MOVES: Final = 2_000
"""A game with more moves and steps is abandoned."""
SHORT: Final = "the time was too short"
"""The reason if a deadline has passed."""

Facts: TypeAlias = frozenset[clingo.Symbol]
Packed: TypeAlias = tuple[int | str, ...]
"""A position for another process: each fact as its number, or as text if it has no number."""


def positions(
    evaluators: Sequence[Evaluator],
    sorts: Sorts,
    games: int,
    seed: int,
    deadline: float,
    jobs: int | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> list[Facts]:
    """The positions of random games, each once, including those in which a step is due.

    Args:
        evaluators: One for each start. The games use them in turn.
        sorts: The vocabulary.
        games: The number of games.
        seed: Their seed.
        deadline: By :func:`time.monotonic`.
        jobs: The number of processes; by default one for each core.
        progress: Is called with the number of games played so far.

    Raises:
        NotDecided: The time was too short, or a game could not be played.
    """
    known = _fact_numbers(sorts, evaluators[0])
    numbers = {fact: number for number, fact in enumerate(known)}
    chunks = [range(first, min(first + _TOGETHER, games)) for first in range(0, games, _TOGETHER)]
    pool: ProcessPool[list[Packed]] = ProcessPool(
        [Job(str(chunk), partial(_play_games, evaluators, numbers, chunk, seed)) for chunk in chunks],
        jobs or os.cpu_count(),
        deadline,
    )
    found: dict[str, list[Packed]] = {}
    for count, answer in enumerate(pool, 1):
        if answer.value is None:
            raise NotDecided(SHORT if answer.failure == TIMEOUT else f"random games: {answer.failure}")
        found[answer.name] = answer.value
        progress(f"random games: {min(count * _TOGETHER, games)}/{games}")
    packed = dict.fromkeys(p for chunk in chunks for p in found[str(chunk)])
    return [_unpack(p, known) for p in packed]


def _fact_numbers(sorts: Sorts, evaluator: Evaluator) -> list[clingo.Symbol]:
    return list(dict.fromkeys((*sorts.wide, *sorts.narrow, *sorted(evaluator.ruleset.steps))))


def _play_games(
    evaluators: Sequence[Evaluator], numbers: dict[clingo.Symbol, int], chunk: range, seed: int
) -> list[Packed]:
    """The positions of the games with these numbers."""
    found: dict[Packed, None] = {}
    for number in chunk:
        evaluator = evaluators[number % len(evaluators)]
        found[_pack(evaluator.initial(), numbers)] = None
        for count, (_, after) in enumerate(random_game(evaluator, Random(f"{seed}/{number}"))):
            found[_pack(after, numbers)] = None
            if count >= _MOVES:
                break
    return list(found)


def _pack(facts: Iterable[clingo.Symbol], numbers: dict[clingo.Symbol, int]) -> Packed:
    numbered = sorted(numbers[f] for f in facts if f in numbers)
    return (*numbered, *sorted(symbols.text(f) for f in facts if f not in numbers))


def _unpack(packed: Packed, known: Sequence[clingo.Symbol]) -> Facts:
    return frozenset(known[f] if isinstance(f, int) else symbols.read_symbol(f) for f in packed)


def remaining(deadline: float) -> float:
    """The seconds until a deadline; raises NotDecided if it has passed."""
    left = deadline - time.monotonic()
    if left <= 0:
        raise NotDecided(SHORT)
    return left


# -- starts --------------------------------------------------------------------------------------------------
#
# All positions in which a game can start: one for each combination of values of its start tags.


_START: Final[Signature] = ("start", 2)
_INIT: Final[Signature] = ("init", 1)
_DECLARED: Final = frozenset(
    {
        *(
            "fluent",
            "action",
            "step",
            "counted",
            "stated",
            "signed",
            "unit",
            "simultaneous",
            "limit",
            "range",
        ),
        *("bound", "waived", "out_of_turn", "counts", "number", "thing", "board_fact", "board_broken"),
    }
)
"""The predicates of a rulebook that the tool reads itself. If one depends on a start tag, the tag matters beyond the start."""
_MOST: Final = 60
"""If there are more starts than these, only the configured one is used."""


@dataclass(frozen=True)
class Starts:
    """The starts that a claim about all positions covers.

    Attributes:
        configurations: One for each start; the configured one comes first.
        covered: The description of these starts.
    """

    configurations: tuple[Configuration, ...]
    covered: str


def starts(ruleset: Ruleset) -> Starts:
    """The starts of a game with these rules, edition and seats.

    Only the configured start is used if there are too many starts, or if a start tag matters beyond the first position: then
    its other values make other games.
    """
    configuration = ruleset.configuration
    tags: Mapping[str, Mapping[str, Any]] = dict(ruleset.book.manifest.get("tags", {}))
    if not tags:
        return Starts((configuration,), "the start")
    only = Starts((configuration,), f"the start with {_start_tags(configuration)} only")
    if _matters_later(ruleset):
        return only
    choices = [
        [
            (name.lower(), values)
            for values in combinations(_allowed_seats(tag, configuration), tag.get("count", 1))
        ]
        for name, tag in tags.items()
    ]
    found = list(islice(product(*choices), _MOST + 1))
    if len(found) > _MOST:
        return only
    others = (replace(configuration, start=tuple(sorted(tags))) for tags in found)
    return Starts(tuple(dict.fromkeys((configuration, *others))), f"every start ({', '.join(tags)})")


def _allowed_seats(tag: Mapping[str, Any], configuration: Configuration) -> tuple[str, ...]:
    return configuration.seats if tag["values"] == "seats" else tuple(map(str, tag["values"]))


def _start_tags(configuration: Configuration) -> str:
    return ", ".join(f"{name} {' '.join(values)}" for name, values in configuration.start)


def _matters_later(ruleset: Ruleset) -> bool:
    """Whether anything but the first position depends on the start tags."""
    found = {_START}
    grows = True
    while grows:
        heads = {h.signature for r in ruleset.rules if r.uses & found for h in r.heads} - {_INIT}
        grows = not heads <= found
        found |= heads
    declares = any(name in _DECLARED for name, _ in found)
    return declares or not found <= {_START, *ruleset.static}


_ON: Final = "on__"
_HIT: Final = "hit__"
_LIVE: Final = atom("live__")


def with_candidates(ruleset: Ruleset, candidates: Mapping[str, Candidate]) -> Ruleset:
    """The rules in force, with the candidates as additional invariants of these names."""
    return ruleset.with_rules((*ruleset.book.rules, *rules_of(dict(candidates))))


def sorts_of(ruleset: Ruleset) -> Sorts:
    """The vocabulary of these rules."""
    return Setting(ruleset).prover.vocabulary


class CandidateQuery:
    """A program in which candidates can be assumed, grounded once.

    Attributes:
        encoder: The encoder; queries are about its last position.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        base: Prover,
        names: Collection[str],
        transition: Transition | None = None,
    ) -> None:
        """A program of any valid position, or of the position after a transition from a valid one.

        None of the candidates is assumed at first.

        Args:
            ruleset: The rules, `with_candidates` by those of the candidates.
            base: The prover of the game without candidates: its own invariants, vocabulary and totals.
            names: The names of the candidates.
            transition: The transition, if there is one.
        """
        theory = ruleset.remember("theory of candidates", lambda: Theory(ruleset))
        self.encoder = encoder = Encoder(theory, base.vocabulary, base.totals)
        encoder.program.watched.add((_HIT, 1))
        self._moves = transition is not None
        self._rules = theory.about(names)
        own = [i for i in base.theory.invariants if i not in names]
        name, witness = Var("C__"), Var("W__")
        chosen = atom(_ON, name)
        if transition is None:
            encoder.open(any_pending=True)
            encoder.put(never(anything(DECISION), anything(DUE)))
            several = [element((Var("S"),), atom(DUE[0], Var("S")))]
            encoder.put(never(number_of(several, ">", Int(1))))
        else:
            encoder.open([w.decision for w in transition.schemas], transition.step)
        encoder.count()
        encoder.assume(own)
        encoder.put(*encoder.at_rest(encoder.firing(self._rules)))
        encoder.tell(clingo.Function("candidate__", [clingo.Function(n)]) for n in names)
        encoder.put(Choice(((chosen, (atom("candidate__", name),)),)))
        before = Atom(encoder.rest_called(BROKEN), (name, witness))
        encoder.put(never(before, chosen))
        if transition is not None:
            if transition.step is None:
                encoder.act(transition)
            else:
                encoder.step()
            encoder.advance(self._rules)
        if self._now != encoder.rest_called(BROKEN) or transition is None:
            hit = atom(_HIT, name)
            encoder.put(rule(hit, Atom(self._now, (name, witness)), atom("candidate__", name)))
        if transition is not None:
            encoder.put(rule(_LIVE, atom(_HIT, name), chosen), never(no(_LIVE)))
        encoder.program.ground()
        self._names = sorted(names)
        self._hits = {s.arguments[0].name: s for s in encoder.program.atoms(_HIT, 1)}
        self._assumed: set[str] = set()

    @property
    def _now(self) -> str:
        """The name of the predicate for broken invariants in the last position."""
        return self.called(BROKEN)

    def called(self, signature: Signature) -> str:
        """The name of a predicate in the last position."""
        encoder = self.encoder
        return encoder.after_called(signature) if self._moves else encoder.rest_called(signature)

    @property
    def breakable(self) -> frozenset[str]:
        """The candidates that can be broken, as far as grounding shows."""
        return frozenset(self._hits)

    def assume(self, names: Collection[str]) -> None:
        """Assumes these candidates, and no others."""
        self._assumed = set(names)

    def breaking(self, conflicts: int, name: str | None = None, exact: bool = False) -> frozenset[str] | None:
        """The candidates that one position breaks; empty if there is no such position, None if that is not decided.

        Args:
            conflicts: The limit on conflicts.
            name: A candidate that the position must break; by default any assumed candidate, after a transition.
            exact: Whether totals are exact. Loose totals also allow positions that are not valid.
        """
        if name is not None and name not in self._hits:
            return frozenset()
        assumed = [(clingo.Function(_ON, [clingo.Function(n)]), n in self._assumed) for n in self._names]
        assumed.append((EXACT, exact))
        assumed += [] if name is None else [(self._hits[name], True)]
        answer, model = self.encoder.program.decide(assumed, conflicts)
        if answer is None:
            return None
        return frozenset(s.arguments[0].name for s in model if s.name == _HIT)

    def rules(self, names: Collection[str]) -> Iterator[tuple[str, Rule]]:
        """The rules that derive violations of candidates in the last position, each with its candidate."""
        for one in self._rules:
            head = head_of(one)
            name = getattr(head.args[0], "text", "") if head.signature == BROKEN else ""
            if name in names:
                used = {a.signature: self.called(a.signature) for a, _ in atoms(one.body)}
                yield name, rename_predicates(one, {**used, BROKEN: self._now})
