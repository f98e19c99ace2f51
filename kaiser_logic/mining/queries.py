"""Candidates over an open position, and after one transition from it, each to be supposed or not.

The candidates are invariants of a rulebook that has their rules besides its own, so that whatever makes the encodings
of rules makes theirs. One grounding serves many questions: an external ``on__(C)`` says whether C is supposed.
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
from ..rules.pattern import Signature
from ..rules.predicates import BROKEN, broken
from ..symbolic.domains import Domains
from ..symbolic.encoding import Encoding
from ..symbolic.solver import Solver
from ..symbolic.transitions import Transition
from ..transform.action_splitting import decisions_of
from ..workers import TIMEOUT, Job, Pool
from .candidates import Candidate, rules_of

# -- games ---------------------------------------------------------------------------------------------------
#
# The positions of random games, played in child processes; the same from the same seed, however many there are.


_TOGETHER: Final = 4
"""So many games are played by one process."""
_MOVES: Final = 2_000
"""A game is left after so many moves and steps."""
SHORT: Final = "the time was too short"
"""Why nothing is decided where a deadline has passed."""

Facts: TypeAlias = frozenset[clingo.Symbol]
Packed: TypeAlias = tuple[int | str, ...]
"""A position that can go from process to process: facts by their numbers, what has no number as text."""


def positions(
    evaluators: Sequence[Evaluator],
    domains: Domains,
    games: int,
    seed: int,
    deadline: float,
    jobs: int | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> list[Facts]:
    """The positions of random games, also those in which something is due by itself; each once.

    Args:
        evaluators: One for each start; the games begin from one after the other.
        domains: The facts that there are.
        games: How many games.
        seed: Which games.
        deadline: By :func:`time.monotonic`.
        jobs: How many processes; by default one for each core.
        progress: Told how many games have been played.

    Raises:
        NotDecided: The time was too short, or a game could not be played.
    """
    known = _fact_numbers(domains, evaluators[0])
    numbers = {fact: number for number, fact in enumerate(known)}
    chunks = [range(first, min(first + _TOGETHER, games)) for first in range(0, games, _TOGETHER)]
    pool: Pool[list[Packed]] = Pool(
        [Job(str(chunk), partial(_played, evaluators, numbers, chunk, seed)) for chunk in chunks],
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
    return [_unpacked(p, known) for p in packed]


def _fact_numbers(domains: Domains, evaluator: Evaluator) -> list[clingo.Symbol]:
    return list(dict.fromkeys((*domains.wide, *domains.fluents, *sorted(evaluator.ruleset.steps))))


def _played(
    evaluators: Sequence[Evaluator], numbers: dict[clingo.Symbol, int], chunk: range, seed: int
) -> list[Packed]:
    """The positions of these games."""
    found: dict[Packed, None] = {}
    for number in chunk:
        evaluator = evaluators[number % len(evaluators)]
        found[_packed(evaluator.initial(), numbers)] = None
        for count, (_, after) in enumerate(random_game(evaluator, Random(f"{seed}/{number}"))):
            found[_packed(after, numbers)] = None
            if count >= _MOVES:
                break
    return list(found)


def _packed(facts: Iterable[clingo.Symbol], numbers: dict[clingo.Symbol, int]) -> Packed:
    places = sorted(numbers[f] for f in facts if f in numbers)
    return (*places, *sorted(symbols.text(f) for f in facts if f not in numbers))


def _unpacked(packed: Packed, known: Sequence[clingo.Symbol]) -> Facts:
    return frozenset(known[f] if isinstance(f, int) else symbols.read(f) for f in packed)


def remaining(deadline: float) -> float:
    """The seconds until a deadline; NotDecided where it has passed."""
    left = deadline - time.monotonic()
    if left <= 0:
        raise NotDecided(SHORT)
    return left


# -- starts --------------------------------------------------------------------------------------------------
#
# All positions that a game can start from: one for each choice of values for its start tags.


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
"""What is read of a rulebook besides its rules: a start tag that decides it decides more than the start."""
_MOST: Final = 60
"""Where there are more starts than so many only the one that is configured is looked at."""


@dataclass(frozen=True)
class Starts:
    """The starts that a statement about all positions covers.

    Attributes:
        configurations: One for each start, the configured one first.
        covered: Which starts these are, in words.
    """

    configurations: tuple[Configuration, ...]
    covered: str


def starts(ruleset: Ruleset) -> Starts:
    """The starts of a game with these rules, edition and seats.

    Where more depends on a start tag than the position at the start, other values of it make another game: then there
    is only the configured start, and so where there are too many.
    """
    configuration = ruleset.configuration
    tags: Mapping[str, Mapping[str, Any]] = dict(ruleset.book.manifest.get("tags", {}))
    if not tags:
        return Starts((configuration,), "the start")
    only = Starts((configuration,), f"the start with {_start_tags(configuration)} only")
    if _matters_later(ruleset):
        return only
    choices = [
        [(name.lower(), values) for values in combinations(_allowed(tag, configuration), tag.get("count", 1))]
        for name, tag in tags.items()
    ]
    found = list(islice(product(*choices), _MOST + 1))
    if len(found) > _MOST:
        return only
    others = (replace(configuration, start=tuple(sorted(tags))) for tags in found)
    return Starts(tuple(dict.fromkeys((configuration, *others))), f"every start ({', '.join(tags)})")


def _allowed(tag: Mapping[str, Any], configuration: Configuration) -> tuple[str, ...]:
    return configuration.seats if tag["values"] == "seats" else tuple(map(str, tag["values"]))


def _start_tags(configuration: Configuration) -> str:
    return ", ".join(f"{name} {' '.join(values)}" for name, values in configuration.start)


def _matters_later(ruleset: Ruleset) -> bool:
    """Whether something else than the position at the start depends on the start tags."""
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
) -> CandidateQuery:
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
    return CandidateQuery(encoding, names)


def after(
    ruleset: Ruleset, own: Sequence[str], names: Collection[str], domains: Domains, transition: Transition
) -> CandidateQuery:
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
    return CandidateQuery(encoding, names)


class CandidateQuery:
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

    def assume(self, names: Collection[str]) -> None:
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
