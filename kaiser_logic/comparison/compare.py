"""Compares two editions: finds, for each ruling that differs, a position at which they diverge.

First the starts and the vocabularies are compared. Then, over all positions that are valid under both editions: whether an
action is legal, its effects, the steps right after it, and the result of a finished game. Rulings that this does not decide
are compared in random games. The plain engine replays every divergence.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from random import Random
from typing import Final

from ..clingo import SymbolType
from ..engine import symbols
from ..engine.domains import too_many
from ..engine.ruleset import Ruleset, action_of
from ..errors import NotDecided, TimeIsOver, WrongUsage
from ..evaluation.explanation import explain_all
from ..evaluation.random_games import random_game
from ..evaluation.start import refuse_false_invariants
from ..evaluation.verdict import IllegalMove, InvalidPosition, Result, Violation
from ..game import Game, game_under
from ..position import Position
from ..query.actions import one_at_a_time
from ..rules.predicates import DECISION, DUE
from ..rules.rulebook import Ruling
from ..workers import OUT_OF_MEMORY, TIMEOUT, TOO_SHORT, Job, ProcessPool
from .differences import Difference, start_differs, vocabulary_differs
from .divergence import Divergence, check, divergence, several_pending
from .scenarios import LOOKED_AT, Scenario, scenarios, unseen

POSITIONS: Final = 3_000
"""The number of positions to compare if games are the only way; the games are played under the two rule sets in turn."""
SOME: Final = 500
"""The number if open positions were solved before."""
CHECKED: Final = 100
"""The number if the solver has found no divergence, in case its scenarios leave something out."""
_ACTIONS: Final = 4
"""The number of times that legal actions are made in a position, besides the comparison of all legal actions;"""
_SEVERAL: Final = (24, 400)
"""the same if two roles decide simultaneously, and if more do: a difference may need a certain combination."""
_FURTHER: Final = 20
"""After that, so many times as many positions are passed, of which only those with rare decisions are compared."""
_SELDOM: Final = 100
"""A decision is rare if it occurs in fewer than one of so many positions."""
_RARE: Final = 3
"""In one of so many games rare kinds of action are preferred."""


def diverging_position(first: Game, second: Game, seed: int = 1, positions: int = POSITIONS) -> Divergence | None:
    """A position of a random game, valid under both rule sets, with actions at which they diverge; None if none is found.

    Args:
        first: A game.
        second: The same game with another ruling.
        seed: The seed of the random games.
        positions: The number of positions to compare. After these only positions with rare decisions are compared.
    """
    passed = 0
    chosen: Counter[int] = Counter()
    met: Counter[tuple[str, ...]] = Counter()
    while True:
        rare = chosen if seed % _RARE == 0 else None
        for facts in _settled_positions(first if seed % 2 else second, Random(seed), rare):
            pending = _pending(facts)
            met[pending] += 1
            passed += 1
            if passed > positions * _FURTHER:
                return None
            if passed <= positions or met[pending] * _SELDOM < passed:
                divergence = _parts(first, second, facts, Random(passed))
                if divergence is not None:
                    return divergence
        passed += 1  # there are games without any such position
        seed += 1


def _pending(facts: Iterable[str]) -> tuple[str, ...]:
    """The names of the pending decisions, sorted, one for each role that has it."""
    pending = (symbols.read_symbol(f).arguments[1] for f in facts if f.startswith(f"{DECISION[0]}("))
    return tuple(sorted(d.name if d.type is SymbolType.Function else str(d) for d in pending))


def _settled_positions(game: Game, random: Random, chosen: Counter[int] | None) -> Iterator[tuple[str, ...]]:
    """The positions of a random game in which no step is due.

    ``chosen``: counts of the kinds of action that were chosen so far, to prefer rare ones; None to choose uniformly.
    """
    last = game.evaluator.initial()
    for pair, after in random_game(game.evaluator, random, None, chosen):
        if pair.actions:
            yield tuple(map(symbols.text, pair.facts))
        last = after
    if not any(symbols.signature(s) == DUE for s in last):
        yield tuple(map(symbols.text, last))


def _parts(first: Game, second: Game, facts: tuple[str, ...], random: Random) -> Divergence | None:
    """How the two rule sets diverge in a position, if they do."""
    try:
        here, there = first.position(facts), second.position(facts)
        ours, theirs = here.legal(), there.legal()
    except (InvalidPosition, NotDecided):
        return None
    if here.result() != there.result():
        return Divergence(facts, ())
    for role in sorted({*ours, *theirs}):
        only = {*ours.get(role, ())} ^ {*theirs.get(role, ())}
        if only:
            return Divergence(facts, ((role, min(only)),))
    if not all(ours.get(role) for role in here.to_move):
        return None  # somebody who has to decide has no legal action, so nothing can be done together
    deciding = sum(map(bool, ours.values()))
    for _ in range((_ACTIONS, *_SEVERAL)[min(max(deciding, 1), 3) - 1]):
        chosen = {role: random.choice(ours[role]) for role in here.to_move}
        if chosen and _differs(here, there, chosen):
            return Divergence(facts, tuple(chosen.items()))
    return None


def _differs(here: Position, there: Position, chosen: dict[str, str]) -> bool:
    """Whether actions lead to different positions, or are illegal together in one game only."""
    try:
        return _facts_after(here, chosen) != _facts_after(there, chosen)
    except NotDecided:
        return False


def _facts_after(position: Position, chosen: dict[str, str]) -> frozenset[str] | None:
    """The position after actions; None if they are illegal together."""
    try:
        return position.apply(chosen).facts
    except IllegalMove:
        return None


_OUT_OF_MEMORY: Final = "its limit of memory was reached"
_NOT_PLAYED: Final = "a position was found, but the plain engine finds no difference there"


def compare(
    first: Game,
    second: Game,
    timeout: float = 120.0,
    workers: int | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> list[Difference]:
    """Finds, for each ruling on which two games of one rulebook differ, a position at which they diverge.

    Each ruling is compared alone: the first game against the first game with the value that the second has.

    Args:
        first: A game.
        second: The same game under another edition or with other rulings.
        timeout: In seconds: two thirds for the solver and its checks, and what is left for random games.
        workers: The number of processes; None for one for each core.
        progress: Called with a line of text after each answer.

    Returns:
        A difference for each ruling that differs, in the order of the rulebook. One without a position says that there is none,
        or why that is not decided.

    Raises:
        WrongUsage: They are not the same game with the same seats and the same board, or no position was found and the start
            breaks an invariant.
    """
    if first.id != second.id or first.seats != second.seats or first.configuration.board != second.configuration.board:
        raise WrongUsage("compare needs two editions of one game, with the same seats and the same board")
    end = time.monotonic() + timeout
    differing = [r for n, r in first.book.rulings.items() if first.options[n] != second.options[n]]
    known: dict[str, Difference] = {}
    try:
        _look_for(first, second, differing, known, timeout, end, workers, progress)
    except TimeIsOver:
        if not known:
            raise
    return [known.get(r.name) or _open(first, second, r, TOO_SHORT) for r in differing]


def _look_for(
    first: Game,
    second: Game,
    differing: Sequence[Ruling],
    known: dict[str, Difference],
    timeout: float,
    end: float,
    workers: int | None,
    progress: Callable[[str], None],
) -> None:
    """Adds a difference for each ruling; ``end``: the end of the time by :func:`time.monotonic`."""
    many = too_many(first.ruleset)
    deadline = end - timeout / 3
    _at_once(first, second, differing, known, many is None, deadline)
    search = _Search(first, second, differing, known, timeout, progress)
    questions, checks = search.jobs(many, deadline)
    search.run(ProcessPool(questions, workers, deadline))
    # nothing rests on a program by which they part: that is played
    open_ = {r.name for r in differing} - known.keys() - search.undecided.keys()
    search.run(ProcessPool([job for job in checks if search.place[job.name][0].name in open_], workers, deadline))
    undecided = search.undecided
    _in_games(first, second, [r for r in differing if r.name in undecided], known, end, workers)
    for ruling in differing:
        if ruling.name not in known:
            known[ruling.name] = _nothing(first, second, ruling, undecided.get(ruling.name), end)


class _Search:
    """The search for positions at which two games diverge, for each ruling alone.

    Attributes:
        known: The differences found, by ruling.
        undecided: The reasons why a ruling is not decided, by ruling.
        place: For each job its ruling, and the number of its scenario.
    """

    def __init__(
        self,
        first: Game,
        second: Game,
        differing: Sequence[Ruling],
        known: dict[str, Difference],
        timeout: float,
        progress: Callable[[str], None],
    ) -> None:
        self.known, self.undecided = known, dict[str, str]()
        self.place: dict[str, tuple[Ruling, int]] = {}
        self._first, self._second, self._differing = first, second, differing
        self._too_slow, self._progress = f"{2 * timeout / 3:.3g} s were not enough", progress

    def jobs(
        self, many: str | None, deadline: float
    ) -> tuple[list[Job[Divergence | None]], list[Job[Divergence | None]]]:
        """The jobs that look for a divergence, and those that check the programs behind the answer "none".

        ``many``: why the game is too large for this; None if it is not. ``deadline``: by :func:`time.monotonic`, when
        the rulings that are left stay undecided.
        """
        questions: list[Job[Divergence | None]] = []
        checks: list[Job[Divergence | None]] = []
        first = self._first
        for ruling in (r for r in self._differing if r.name not in self.known):
            if not many and time.monotonic() > deadline:
                self.undecided[ruling.name] = self._too_slow
                continue
            other = self._other(ruling)
            possible = many or _scenarios(first, other)
            if isinstance(possible, str):
                self.undecided[ruling.name] = possible
                continue
            for place, scenario in enumerate(possible):
                for jobs, call in ((questions, divergence), (checks, check)):
                    name = f"{ruling.name} {place} {call.__name__}"
                    self.place[name] = (ruling, place)
                    jobs.append(Job(name, partial(call, first.ruleset, other.ruleset, scenario)))
            if unseen(first.ruleset, other.ruleset) is None:
                # which scenarios are left out, too: the plain engine plays by both
                name = f"{ruling.name} games"
                self.place[name] = (ruling, len(possible))
                checks.append(Job(name, partial(diverging_position, first, other, positions=CHECKED)))
            if not one_at_a_time(first.ruleset):
                self.place[ruling.name] = (ruling, 0)
                questions.append(Job(ruling.name, partial(several_pending, first.ruleset)))
        return questions, checks

    def run(self, pool: ProcessPool[Divergence | None]) -> None:
        """Runs jobs, and adds their answers to `known` and `undecided`."""
        reasons = {TIMEOUT: self._too_slow, OUT_OF_MEMORY: _OUT_OF_MEMORY}
        for answer in pool:
            ruling, place = self.place[answer.name]
            self._progress(f"{ruling.name}: {len(self.known)} of {len(self._differing)} rulings with a difference")
            if answer.failure is not None:
                self.undecided[ruling.name] = reasons.get(answer.failure, answer.failure)
            elif answer.value is not None:
                difference = _replay(self._first, self._other(ruling), ruling, answer.value)
                if difference is None:
                    self.undecided[ruling.name] = _NOT_PLAYED
                    continue
                self.known[ruling.name] = difference
                # of several scenarios the first one counts, whichever is answered first
                for name, (same, later) in self.place.items():
                    if same is ruling and later > place:
                        pool.cancel(name)

    def _other(self, ruling: Ruling) -> Game:
        return _with_ruling(self._first, ruling.name, self._second.options[ruling.name])


def _scenarios(first: Game, second: Game) -> list[Scenario] | str:
    """The scenarios to compare, or the reason why that is not decided."""
    try:
        return scenarios(first.ruleset, second.ruleset)
    except NotDecided as error:
        return str(error)


def _at_once(
    first: Game,
    second: Game,
    rulings: Sequence[Ruling],
    known: dict[str, Difference],
    listed: bool,
    deadline: float,
) -> None:
    """Adds the differences at the start, as many as there is time for; with ``listed`` also in the vocabulary."""
    for ruling in rulings:
        if time.monotonic() > deadline:
            break
        other = _with_ruling(first, ruling.name, second.options[ruling.name])
        difference = start_differs(first, other, ruling)
        if difference is None and listed:
            difference = vocabulary_differs(first, other, ruling, True)
        if difference is not None:
            known[ruling.name] = difference


def _in_games(
    first: Game,
    second: Game,
    rulings: Sequence[Ruling],
    known: dict[str, Difference],
    deadline: float,
    workers: int | None,
) -> None:
    """Adds divergences in random games that are found until a time of :func:`time.monotonic`."""
    others = {r.name: (r, _with_ruling(first, r.name, second.options[r.name])) for r in rulings}
    positions = SOME if too_many(first.ruleset) is None else POSITIONS
    jobs = [Job(n, partial(diverging_position, first, other, positions=positions)) for n, (_, other) in others.items()]
    for answer in ProcessPool(jobs, workers, deadline):
        ruling, other = others[answer.name]
        difference = None if answer.value is None else _replay(first, other, ruling, answer.value)
        if difference is not None:
            known[ruling.name] = difference


def _nothing(first: Game, second: Game, ruling: Ruling, undecided: str | None, end: float) -> Difference:
    """The result for a ruling without a divergence: there is none in what is compared, or it is not decided.

    What is not decided is looked at only until a time of :func:`time.monotonic`.
    """
    values = (first.options[ruling.name], second.options[ruling.name])
    if undecided and time.monotonic() > end:
        return _open(first, second, ruling, undecided)
    other = _with_ruling(first, ruling.name, values[1])
    difference = None if too_many(first.ruleset) else vocabulary_differs(first, other, ruling)
    if difference is not None:
        return difference
    rulesets = first.ruleset, other.ruleset
    refuse_false_invariants(first.evaluator, other.evaluator)
    reason = undecided or unseen(*rulesets) or next(filter(None, map(_several, rulesets)), None)
    if reason is not None:
        return _open(first, second, ruling, reason)
    return Difference(ruling, values, words=f"no position tells them apart ({LOOKED_AT})")


def _open(first: Game, second: Game, ruling: Ruling, why: str) -> Difference:
    """A ruling that is not decided."""
    values = (first.options[ruling.name], second.options[ruling.name])
    return Difference(ruling, values, words=f"not decided, because {why}", complete=False)


def _several(rules: Ruleset) -> str | None:
    """The reason why steps may have effects that are not compared, or None: rules that need several steps due at once."""
    due = {symbols.signature(step.arguments[0]) for step in rules.steps}
    if not due:
        return None
    alone = {rule for step in due for rule in rules.step_program([step], []).rules}
    if not alone.issuperset(rules.step_program(due, []).rules):
        return "some rules need several steps that are due at once"
    return None


def _with_ruling(game: Game, name: str, value: str) -> Game:
    """The game with one ruling changed."""
    return game_under(game.configuration.with_ruling(name, value))


# -- in words ------------------------------------------------------------------------------------------------------------


def _replay(first: Game, second: Game, ruling: Ruling, where: Divergence) -> Difference | None:
    """A divergence as a difference, replayed by the plain engine; None if the engine finds no difference."""
    facts, actions = where.facts, where.actions
    values = (first.options[ruling.name], second.options[ruling.name])
    try:
        here, there = first.position(facts), second.position(facts)
    except InvalidPosition:  # in one of them: the encoding thought otherwise
        return None
    if not actions:
        return _results(ruling, values, here, there)
    chosen = dict(actions)
    decisions = ", ".join(f"{r}: {a}" for r, a in actions)
    broken = [_violations_of(p, chosen) for p in (here, there)]
    if bool(broken[0]) != bool(broken[1]):
        legal = values[1] if broken[0] else values[0]
        why = "; ".join(map(str, broken[0] or broken[1]))
        words = f"{decisions}: legal with {legal}, illegal with {values[0] if broken[0] else values[1]} ({why})"
        return Difference(ruling, values, "legality", here, actions, words)
    if broken[0]:
        return None
    after = here.apply(chosen).facts, there.apply(chosen).facts
    if after[0] == after[1]:
        return None
    only = [", ".join(here.ruleset.book.sort_facts(a - b)) or "nothing more" for a, b in (after, after[::-1])]
    words = f"after {decisions}: with {values[0]} {only[0]}; with {values[1]} {only[1]}"
    return Difference(ruling, values, "outcome", here, actions, words)


def _violations_of(position: Position, chosen: Mapping[str, str]) -> list[Violation]:
    """The violations of actions that are made together: a rule may forbid only their combination."""
    given = {role: action_of(position.ruleset, action) for role, action in chosen.items()}
    by_role = explain_all(position.evaluator, position.symbols, given)
    return [violation for role in chosen for _, violation in by_role.get(role, ())]


def _results(ruling: Ruling, values: tuple[str, str], here: Position, there: Position) -> Difference | None:
    """The difference between the results of one position; None if they are equal."""
    if here.result() == there.result():
        return None
    results = [f"with {value} {_describe(p.result())}" for value, p in zip(values, (here, there), strict=True)]
    words = f"the game is over: {'; '.join(results)}"
    return Difference(ruling, values, "result", here, (), words)


def _describe(result: Result | None) -> str:
    """A result in words."""
    if result is None:
        return "it has no result"
    points = ", ".join(f"{role} has {n}" for role, n in result.points.items())
    return f"{points}, and {' and '.join(result.winners) or 'nobody'} won"
