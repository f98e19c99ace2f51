"""Whether all that is pending at once belongs to one scenario: what is compared is one action, or one decision of several.

With the engine's invariant ``one_decision`` it does. Where a rulebook does without, a valid position is looked for in
which more is pending: different decisions, or one that several roles have though only one of them is followed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ..engine.ruleset import Ruleset
from ..errors import NotDecided
from ..proof.pending import alone
from ..query.check import one_at_a_time
from ..rules.pattern import Pattern, canonical
from ..rules.predicates import broken
from ..symbolic.domains import bound_of, domains
from ..symbolic.encoding import Encoding
from ..symbolic.invariants import invariants
from ..symbolic.numbers import need
from ..symbolic.open_sets import opened
from ..symbolic.programs import solver_of
from ..symbolic.transitions import functor
from ..transform.action_splitting import decisions_of
from ..transform.rewrite import literal
from ..transform.slicing import seeds

_SEVERAL: Final = "several__"


def several_pending(ruleset: Ruleset) -> None:
    """Nothing, where it is proved that all that is pending in a valid position belongs together; for a child.

    Raises:
        NotDecided: There is a position in which it does not, or numbers without a limit leave that open.
    """
    if one_at_a_time(ruleset):
        return
    decisions = list({canonical((d,)): d for d in decisions_of(ruleset.book.kinds)}.values())
    assumed = invariants(ruleset).assumed
    rules = opened(ruleset).judging.slice(seeds(decisions), map(broken, assumed))
    bound = bound_of(ruleset.book)
    needed = need(opened(ruleset), rules, domains(ruleset, bound).fluents, bound)
    encoding = Encoding(ruleset, domains(ruleset, values=needed.values), bounded=True)
    encoding.open(decisions)
    encoding.assume(assumed, decisions, [])
    encoding.add(f"{_SEVERAL} :- #false.", f":- not {_SEVERAL}.", *_several(ruleset, decisions))
    if solver_of(encoding).model() is not None:
        raise NotDecided("several decisions may be pending at once, which is not compared")
    if needed.reason is not None:
        raise NotDecided(
            "whether several decisions may be pending at once depends on numbers without a limit "
            f"(none beyond {max(needed.values)} were looked at), for {needed.reason}"
        )


def _several(ruleset: Ruleset, decisions: list[Pattern]) -> Iterator[str]:
    """The rules for more being pending than belongs together."""
    yield f"{_SEVERAL} :- pending__(_,D), pending__(_,E), D < E."
    for decision in decisions:
        name = functor(decision)
        term = literal(name, *["_"] * (len(decision[2]) if decision[0] == "f" else 0))
        yield f"pending__(R,{name}) :- decision(R,{term})."
    for name in sorted(alone(ruleset)):
        yield f"{_SEVERAL} :- pending__(R,{name}), pending__(Q,{name}), R < Q."
