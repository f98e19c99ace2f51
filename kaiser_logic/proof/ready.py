"""What all questions of a proof need, made once before the first child is begun: children are forked, and have it then.

Nothing here decides anything: what is not made here each child makes for itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from ..evaluation.evaluator import Evaluator
from ..rules.predicates import ADD, BROKEN, CANDIDATE, DEL, LEGAL, VIOLATES, WRONG
from ..rules.rule import top
from ..symbolic.domains import Domains
from ..symbolic.encoding import Encoding
from ..transform.slicing import seeds
from .fixed import counted
from .moves import Moves
from .numbers import clipped, cut, in_order, no_counter
from .sample import Written

_PLAYED: Final = 2
"""So many moves of each transition are judged again: what judges others of it is then compiled, or nearly so."""
_MANY: Final = 12
"""For so many questions it pays."""


def make_ready(evaluator: Evaluator, sorts: Domains) -> None:
    """Makes what the questions about these rules have in common.

    Args:
        evaluator: Of the rules; it finds broken invariants, compiled from then on.
        sorts: Those of the open position.
    """
    start = evaluator.initial()
    evaluator.broken(start, waive=False)
    encoding = Encoding(evaluator.ruleset, sorts)
    encoding.totals.first(exact=False)
    counted(evaluator, encoding.totals, start)
    _ = sorts.facts, in_order(sorts), clipped(start, sorts)
    no_counter(sorts, cut(sorts).intersection(evaluator.ruleset.book.counters))
    ruleset = encoding.ruleset
    # what a rule demands of others is known from then on, whatever a slice starts from
    everything = seeds(None, None, [kind.action for kind in ruleset.book.kinds])
    ruleset.judging.slice(everything, [top(*s) for s in (VIOLATES, ADD, DEL, BROKEN, WRONG)])
    ruleset.enumerating.slice(everything, [top(*s) for s in (LEGAL, CANDIDATE)])


def play_again(
    evaluator: Evaluator, moves: Moves, games: Iterable[Sequence[Written]], questions: int
) -> None:
    """Judges some moves of each transition again, which a child has played: what judges them is cut and compiled then.

    Args:
        evaluator: What has played them.
        moves: The claims about moves.
        games: The moves, by transition.
        questions: How many questions there are; for a few of them it does not pay.
    """
    for group in games if questions >= _MANY else ():
        for written in group[:_PLAYED]:
            pair = written.read()
            moves.judged(pair.facts, pair.actions)
            evaluator.broken(pair.facts, waive=False)
