"""How often each documented rule occurs in random games: what it changes, and what it forbids.

Beside each rule that says a change or a violation stands one more, with the same body, that says which documented rule it
belongs to: for ``gain(stones(R),N,taken) :- does(R,take(N)).`` of the rule *take*

    acts__("take") :- does(R,take(N)).

These are asked at each decision: what is forbidden of all that comes into question, and what acts when the decision is
carried out and in each step that then happens by itself.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from .. import clingo
from ..engine import symbols
from ..engine.compiled import changed, derived
from ..engine.configuration import Configuration
from ..engine.ruleset import Ruleset
from ..errors import NotDecided
from ..evaluation.evaluator import Evaluator, evaluator_of
from ..lang.terms import Atom, Place, Signature, Text
from ..lang.terms import Rule as Value
from ..lang.unification import most_general_term
from ..position import Position
from ..rules.predicates import DECISION, DUE, EFFECTS, LEGAL, VIOLATES
from ..rules.reader import rule_from
from ..rules.rule import Rule
from ..transform.slicing import seeds
from ..workers import Job, Pool
from .playout import playout

_ACTS: Final[Signature] = ("acts__", 1)
_FORBIDS: Final[Signature] = ("forbids__", 1)
_SHARED: Final = frozenset({("enter", 1), ("score", 3)})
"""Of the engine's files: what becomes a change."""
_CHUNK: Final = 4
"""So many games are gone through by one process."""
Choices = Mapping[str, clingo.Symbol]


@dataclass(frozen=True)
class Occurrence:
    """How often a documented rule occurs.

    Attributes:
        rule: Its id.
        acts: At how many moves and steps it changes something.
        forbids: At how many decisions it forbids something that comes into question.
        games: In how many games it does either.
    """

    rule: str
    acts: int
    forbids: int
    games: int


class Watch:
    """The rules in force with what tells which of them occur.

    Attributes:
        rules: The documented rules that change or forbid anything, in the rulebook's order.
    """

    def __init__(self, ruleset: Ruleset) -> None:
        """Of the rules in force."""
        values = (
            Value(Atom(name, (Text(rule.block or ""),)), rule.value.body)
            for rule in ruleset.book.rules
            for name, _ in _said(rule, ruleset)
        )
        watching = [rule_from(value, Place(line=line)) for line, value in enumerate(dict.fromkeys(values), 1)]
        self._ruleset = ruleset.with_rules((*ruleset.book.rules, *watching))
        self._engine = ruleset.configuration.engine
        blocks = {rule.block for rule in ruleset.book.rules if any(_said(rule, ruleset))}
        self.rules = tuple(id for id, doc in ruleset.book.docs.items() if id in blocks and doc.kind == "rule")

    def forbidden(self, position: Position) -> set[str]:
        """The rules that forbid something that comes into question."""
        kinds = frozenset(symbols.signature(s.arguments[1]) for s in position.symbols if _is(s, DECISION))
        start = partial(seeds, list(map(most_general_term, kinds)))
        program = self._ruleset.program(("forbids", kinds), start, [LEGAL, _FORBIDS])
        return {_name(s) for s in derived(program, position.symbols, (), self._engine).get(*_FORBIDS)}

    def acting(self, evaluator: Evaluator, position: Position, taken: Choices) -> Iterator[set[str]]:
        """The rules that act when a decision is carried out, and in each step after it."""
        ruleset, facts = self._ruleset, position.symbols
        kinds = {k.index: k for action in taken.values() for k in ruleset.alike(ruleset.kind(action))}
        start = partial(seeds, None, (), [k.action for k in kinds.values()])
        program = ruleset.program(("acts", frozenset(kinds)), start, [_ACTS])
        found = derived(program, facts, ruleset.submissions(taken), self._engine)
        yield {_name(s) for s in found.get(*_ACTS)}
        judged = evaluator.judge(facts, taken)
        facts = changed(facts, judged.deleted, judged.added)
        while not facts.isdisjoint(evaluator.ruleset.steps):
            due = frozenset(symbols.signature(s.arguments[0]) for s in facts if _is(s, DUE))
            pending = frozenset(symbols.signature(s.arguments[1]) for s in facts if _is(s, DECISION))
            start = partial(seeds, list(map(most_general_term, pending)), list(map(most_general_term, due)))
            program = ruleset.program(("acts", due, pending), start, [_ACTS])
            yield {_name(s) for s in derived(program, facts, (), self._engine).get(*_ACTS)}
            facts = evaluator.step(facts)


def _said(rule: Rule, ruleset: Ruleset) -> Iterable[Signature]:
    """What is to be said where a rule's body holds."""
    heads = {h.signature for h in rule.heads}
    if rule.block is None or not rule.positive or heads <= ruleset.book.static:
        return ()
    acts = bool(heads & (_SHARED | set(EFFECTS)))
    return (*([_ACTS] if acts else []), *([_FORBIDS] if VIOLATES in heads else []))


def _is(symbol: clingo.Symbol, signature: Signature) -> bool:
    return symbols.signature(symbol) == signature


def _name(symbol: clingo.Symbol) -> str:
    return symbol.arguments[0].string


def occurrences(
    evaluator: Evaluator,
    games: int,
    seed: int,
    jobs: int | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> list[Occurrence]:
    """How often each documented rule that changes or forbids something occurs in random games, in the rulebook's order.

    The games are those of :func:`.playing.played`, gone through once more, one position after the other.

    Args:
        evaluator: What plays.
        games: How many.
        seed: Which ones.
        jobs: How many processes; by default one for each core.
        progress: Told how many games have been gone through.

    Raises:
        NotDecided: A game cannot be played to its end.
    """
    configuration = evaluator.ruleset.configuration
    parts = [range(first, min(first + _CHUNK, games)) for first in range(0, games, _CHUNK)]
    calls = [Job(str(part), partial(_counted, configuration, seed, part)) for part in parts]
    found: Counter[tuple[str, str]] = Counter()
    for number, answer in enumerate(Pool(calls, jobs or os.cpu_count(), memory=None), 1):
        if answer.value is None:
            raise NotDecided(str(answer.failure))
        found.update(answer.value)
        progress(f"rules: {min(number * _CHUNK, games)}/{games}")
    rules = _watch(evaluator).rules
    return [Occurrence(id, *(found[id, what] for what in ("acts", "forbids", "games"))) for id in rules]


def _watch(evaluator: Evaluator) -> Watch:
    """The watch of rules in force, made once in a process."""
    return evaluator.ruleset.remember("watch", lambda: Watch(evaluator.ruleset))


def _counted(configuration: Configuration, seed: int, numbers: range) -> Counter[tuple[str, str]]:
    """What occurs in some games, by rule."""
    evaluator = evaluator_of(configuration)
    watch = _watch(evaluator)
    counts: Counter[tuple[str, str]] = Counter()
    for number in numbers:
        met: set[str] = set()
        for position, taken in playout(evaluator, seed, number):
            if not taken:
                continue
            forbidden = watch.forbidden(position)
            counts.update((id, "forbids") for id in forbidden)
            met |= forbidden
            for acting in watch.acting(evaluator, position, taken):
                counts.update((id, "acts") for id in acting)
                met |= acting
        counts.update((id, "games") for id in met)
    return counts
