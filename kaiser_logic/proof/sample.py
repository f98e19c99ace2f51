"""What random games show: invariants that they break, and pairs of a position and a move to check encodings with.

The games are few, from one seed, and limited by decisions: the same in each run, whatever else the machine does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final, TypeAlias

from .. import clingo
from ..engine import symbols
from ..engine.grounding import Grounding
from ..engine.ruleset import Ruleset
from ..errors import NotDecided
from ..evaluation.evaluator import Evaluator
from ..evaluation.origin import reached_by
from ..evaluation.verdict import Judgement
from ..rules.loader import parse_rules
from ..rules.pattern import show
from ..rules.predicates import DECISION, DUE
from ..rules.rulebook import ActionKind
from ..symbolic.transitions import Transition
from . import whole
from .counterexample import Counterexample
from .deciding import decided_by, of_these
from .pending import uncovered

Facts: TypeAlias = frozenset[clingo.Symbol]
Actions: TypeAlias = tuple[tuple[str, clingo.Symbol], ...]

_DECISIONS: Final = 100
"""So many decisions are made, in so many games at most:"""
_GAMES: Final = 25
_PAIRS: Final = 24
"""So many positions and moves of each transition are kept."""
_WHOLE: Final = 5
"""Of so many moves and steps one is compared with what all rules together say."""
_RARE: Final = 0.5
"""How often a rare kind of action is chosen where all are sought."""
_STEPS: Final = 500
"""What happens by itself between two decisions; a game in which there is more is left."""


@dataclass(frozen=True)
class Pair:
    """A position, and what is done in it; nobody does anything where a step is due."""

    facts: Facts
    actions: Actions = ()


@dataclass(frozen=True)
class Written:
    """A pair as texts, which can go from process to process."""

    facts: tuple[str, ...]
    actions: tuple[tuple[str, str], ...]

    def read(self) -> Pair:
        """The pair."""
        facts = frozenset(map(symbols.read, self.facts))
        return Pair(facts, tuple((role, symbols.read(action)) for role, action in self.actions))


@dataclass
class Sample:
    """What random games have shown.

    Attributes:
        pairs: For each transition, by its label, some of those that have been met.
        broken: For each invariant that broke how, once.
        uncovered: What was pending at once and is part of no transition.
        cut: Where the programs that are cut out of the rules say something else than all rules.
    """

    pairs: dict[str, list[Written]] = field(default_factory=dict)
    broken: dict[str, Counterexample] = field(default_factory=dict)
    uncovered: list[str] = field(default_factory=list)
    cut: list[str] = field(default_factory=list)


def transition_of(transitions: Sequence[Transition], pair: Pair, ruleset: Ruleset) -> Transition | None:
    """The transition that a pair belongs to, or None; of several by the sorts of what is done."""
    found = list(_alike(transitions, pair))
    if len(found) > 1:
        fitting = (
            t for t in found if all(any(_fits(ruleset, k, a) for k in t.kinds) for _, a in pair.actions)
        )
        return next(fitting, found[0])
    return found[0] if found else None


def _fits(ruleset: Ruleset, kind: ActionKind, action: clingo.Symbol) -> bool:
    """Whether the vocabulary has such an action of a kind."""

    def grounded() -> bool:
        guard = f", {kind.guard}" if kind.guard else ""
        rules = parse_rules(f"fits__ :- {show(kind.action)} = {symbols.text(action)}{guard}.")
        return bool(Grounding(ruleset.complete(tuple(rules)), ()).get("fits__", 0))

    return ruleset.remember(("fits", kind.index, action), grounded)


def _alike(transitions: Sequence[Transition], pair: Pair) -> Iterator[Transition]:
    """The transitions that a pair may belong to."""
    due = {s.arguments[0].name for s in pair.facts if symbols.signature(s) == DUE}
    done = [(decided_by(pair.facts, role), symbols.value_pattern(action)) for role, action in pair.actions]
    for transition in transitions:
        if transition.step is not None:
            if due == {transition.step[1]}:
                yield transition
        elif pair.actions and not due and all(of_these(transition.kinds, *each) for each in done):
            yield transition


def sampled(evaluator: Evaluator, transitions: Sequence[Transition], seed: int = 0) -> Sample:
    """Plays random games.

    Args:
        evaluator: What plays them.
        transitions: All transitions.
        seed: Of the random numbers.

    Raises:
        NotDecided: The rules do not list what is legal.
    """
    if evaluator.ruleset.unlisted:
        raise NotDecided(evaluator.ruleset.unlisted)
    found = Sample()
    met: dict[str, list[Pair]] = {}
    random = Random(seed)
    decisions = 0
    start = {name for name, _ in evaluator.broken(evaluator.initial(), waive=False)}
    last: Actions = ()
    noted = 0
    for _ in range(
        _GAMES if start <= evaluator.ruleset.waived else 0
    ):  # else no position of a game need be valid
        moves: list[tuple[str, str]] = []
        for pair, after in random_game(evaluator, random):
            decisions += bool(pair.actions)
            _note(found, met, evaluator, transitions, pair, after, tuple(moves))
            moves += ((role, symbols.text(action)) for role, action in pair.actions)
            if noted % _WHOLE == 0:
                _compare_whole(found, evaluator, pair, last)
            noted += 1
            last = pair.actions or last
            if found.broken or decisions >= _DECISIONS:
                break
        if found.broken or decisions >= _DECISIONS:
            break
    for label, pairs in met.items():
        found.pairs[label] = list(map(_written, random.sample(pairs, min(_PAIRS, len(pairs)))))
    return found


def _written(pair: Pair) -> Written:
    """A pair as texts."""
    actions = tuple((role, symbols.text(action)) for role, action in pair.actions)
    return Written(tuple(sorted(map(symbols.text, pair.facts))), actions)


def _note(
    found: Sample,
    met: dict[str, list[Pair]],
    evaluator: Evaluator,
    transitions: Sequence[Transition],
    pair: Pair,
    after: Facts,
    moves: tuple[tuple[str, str], ...],
) -> None:
    """Enters what a move shows; ``moves``: those of the game before it."""
    transition = transition_of(transitions, pair, evaluator.ruleset)
    several = uncovered(evaluator.ruleset, pair.facts)
    label = transition.label if transition is not None else several or "what is pending"
    if several is not None or transition is None:
        found.uncovered.append(several or label)
    else:
        met.setdefault(transition.label, []).append(pair)
    for name, witness in evaluator.broken(after, waive=False):
        if name in evaluator.ruleset.waived:
            continue
        text = _written(pair)
        example = Counterexample(label, text.facts, text.actions, witness, True, reached_by(moves))
        found.broken.setdefault(name, example)


def _compare_whole(found: Sample, evaluator: Evaluator, pair: Pair, last: Actions) -> None:
    """Enters where all rules together say something else of the move, and of the last one done once more here."""
    roles = {role for role, _ in pair.actions}
    again = tuple((role, action) for role, action in last if role in roles)
    for done in (pair.actions, *([again] if again else [])):
        difference = whole.differs(evaluator, pair.facts, done)
        if difference is not None:
            found.cut.append(difference)


def random_game(
    evaluator: Evaluator, random: Random, start: Facts | None = None, chosen: Counter[int] | None = None
) -> Iterator[tuple[Pair, Facts]]:
    """One random game: each move and step with the position after it.

    Args:
        evaluator: What plays it.
        random: The random numbers.
        start: Where it begins; None: at the game's start.
        chosen: How often each kind of action has been chosen, where rare ones are to be preferred.

    Raises:
        NotDecided: What is listed as legal is illegal where it is judged.
    """
    facts = evaluator.initial() if start is None else start
    steps = 0
    while True:
        actions: Actions = ()
        if any(symbols.signature(s) == DUE for s in facts):
            steps += 1
            after = evaluator.step(facts)
        else:
            steps = 0
            actions = _chosen(evaluator, facts, random, chosen)
            if not actions:
                return
            judged = evaluator.judge(facts, dict(actions))
            if judged.violations:
                raise NotDecided(_wide(actions, judged))
            after = (facts - frozenset(judged.deleted)).union(judged.added)
        yield Pair(facts, actions), after
        if steps > _STEPS:
            return
        facts = after


def _wide(actions: Actions, judged: Judgement) -> str:
    done = "; ".join(f"{role}: {symbols.text(action)}" for role, action in actions)
    return f"{done} is listed as legal and breaks {judged.violations[0][2]}"


def _chosen(
    evaluator: Evaluator, facts: Facts, random: Random, chosen: Counter[int] | None = None
) -> Actions:
    """For each who decides first a kind of action, then one of it; nothing where that cannot be listed, or ends."""
    by_role: dict[str, dict[int, list[clingo.Symbol]]] = {}
    try:
        legal = evaluator.legal(facts)
    except NotDecided:
        return ()
    for role, action in sorted(legal, key=lambda x: (x[0], symbols.text(x[1]))):
        kind = evaluator.ruleset.kind(action)
        by_role.setdefault(role, {}).setdefault(kind.index if kind else -1, []).append(action)
    deciding = {symbols.text(s.arguments[0]) for s in facts if symbols.signature(s) == DECISION}
    if deciding != set(by_role):
        return ()
    return tuple(
        (role, random.choice(kinds[_of(sorted(kinds), random, chosen)])) for role, kinds in by_role.items()
    )


def _of(kinds: Sequence[int], random: Random, chosen: Counter[int] | None) -> int:
    """One of the kinds of action; ``chosen``: as for `random_game`."""
    kind = random.choice(kinds)
    if chosen is not None:
        kind = min(kinds, key=lambda k: chosen[k]) if random.random() < _RARE else kind
        chosen[kind] += 1
    return kind
