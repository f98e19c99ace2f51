"""Open positions of the heap game, for tests of what reads them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

import clingo

from kaiser_logic.engine import symbols
from kaiser_logic.engine.ruleset import Ruleset
from kaiser_logic.game import Game, load
from kaiser_logic.symbolic.domains import domains
from kaiser_logic.symbolic.encoded_transition import EncodedTransition
from kaiser_logic.symbolic.encoding import Encoding
from kaiser_logic.symbolic.invariants import invariants
from kaiser_logic.symbolic.transitions import Transition, transitions
from kaiser_logic.transform.action_splitting import decisions_of
from support.heap_game import FOLDER, variant


@cache
def heap(**options: str) -> Game:
    """The heap game."""
    return load(FOLDER, options=options or None)


def changed(folder: Path, changes: Mapping[str, str]) -> Game:
    """The heap game with other lines."""
    return load(variant(folder, changes))


PIGEONS = """fluent(at(P,H)) :- P = 1..7, H = 1..6.
broken(heap_stated,(P,Q)) :- at(P,H), at(Q,H), P < Q.
broken(heap_stated,P) :- at(P,H), at(P,I), H < I.
"""
"""Rules by which seven pigeons are in six holes, each in one at most, alone: that not all of them are takes many conflicts."""


def transition(ruleset: Ruleset, label: str) -> Transition:
    """One of the game's transitions."""
    return next(t for t in transitions(ruleset, domains(ruleset)) if t.label == label)


def before(
    ruleset: Ruleset, label: str, exact: bool = True, legal: bool = True
) -> tuple[Encoding, EncodedTransition]:
    """An open position that meets the invariants, and a transition out of it."""
    kinds, step = (found := transition(ruleset, label)).kinds, found.step
    decisions, steps = decisions_of(kinds), [step] if step is not None else []
    encoding = Encoding(ruleset, domains(ruleset))
    encoding.open(decisions, steps, exact)
    encoding.assume(invariants(ruleset).assumed, decisions, steps)
    return encoding, encoding.act(kinds, legal) if kinds else encoding.step(steps)


def reachable(game: Game) -> list[frozenset[clingo.Symbol]]:
    """All positions of legal games in which somebody decides."""
    start = game.initial()
    found, pending = {start}, [start]
    while pending:
        position = pending.pop()
        for role, actions in position.legal().items():
            for action in actions:
                after = position.apply({role: action})
                if after not in found:
                    found.add(after)
                    pending.append(after)
    return sorted((p.symbols for p in found if p.decisions), key=lambda facts: sorted(map(str, facts)))


def fixed(encoding: Encoding, facts: Iterable[clingo.Symbol]) -> list[str]:
    """The assumptions by which the first position is this one."""
    there = set(facts)
    fluents = [f for f in encoding.domains.fluents if f.name != "seat"]
    return [f"{'' if f in there else 'not '}{symbols.text(f)}" for f in fluents]
