"""The claim that in every valid position whoever decides has a legal action."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ..engine import symbols
from ..engine.ruleset import Ruleset
from ..errors import NotDecided
from ..evaluation.evaluator import Evaluator
from ..rules.pattern import variables
from ..rules.predicates import DECISION, LEGAL
from ..rules.rule import Atom
from ..rules.rulebook import ActionKind
from ..symbolic.domains import Domains
from ..symbolic.encoding import Encoding
from ..symbolic.invariants import invariants
from ..symbolic.models import decode_facts
from ..symbolic.solver import SPARSE, Solver
from ..transform.action_splitting import decisions_of, numbered
from .counterexample import Counterexample
from .numbers import decided

_EFFORT: Final = 10_000
"""So many conflicts of the solver are spent on one kind of action alone."""


def stuck(
    evaluator: Evaluator, functor: str, kinds: Sequence[ActionKind], sorts: Domains
) -> Counterexample | None:
    """A valid position in which somebody with such a decision has no legal action, or None.

    Single kinds of action come first, those with the fewest arguments: if one of them can always be done, the others
    need not be looked at, which is far easier.

    Args:
        evaluator: What plays the position again.
        functor: The decision's name.
        kinds: All kinds of action at that decision.
        sorts: Those of the open position.
    """
    ruleset = evaluator.ruleset
    single = sorted(kinds, key=lambda k: len(variables((k.action,))))
    if len(kinds) > 1 and any(
        _lost(ruleset, kinds, [kind], sorts, exact=False).decide(_EFFORT) is False for kind in single
    ):
        return None
    if _lost(ruleset, kinds, kinds, sorts, exact=False).decide() is False:
        return None
    model = _lost(ruleset, kinds, kinds, sorts, exact=True).model()
    if model is None:
        return None
    facts = decode_facts(ruleset, model)
    return Counterexample(functor, facts, (), "no legal action", _is_stuck(evaluator, facts))


def _is_stuck(evaluator: Evaluator, facts: Sequence[str]) -> bool:
    """Whether a given position confirms it: of sets of things, the open one knows only a few."""
    position = frozenset(map(symbols.read, facts))
    deciding = {str(s.arguments[0]) for s in position if symbols.signature(s) == DECISION}
    try:
        return bool(deciding - {role for role, _ in evaluator.legal(position)})
    except NotDecided:
        return False


def _lost(
    ruleset: Ruleset, kinds: Sequence[ActionKind], chosen: Sequence[ActionKind], sorts: Domains, exact: bool
) -> Solver:
    """The question for a valid position in which somebody can do nothing of the chosen kinds."""
    decisions = decisions_of(kinds)
    encoding = Encoding(ruleset, sorts)
    encoding.open(decisions, exact=exact)
    encoding.assume(invariants(ruleset).assumed, decisions, [])
    wanted = [Atom(LEGAL[0], (("v", "Role"), numbered(k)[0])) for k in chosen]
    encoding.derive(wanted, decisions, [], enumerate=True)
    encoding.name_sets(())
    encoding.add("legal(none,none) :- #false.", ":- not decision(_,_).")
    encoding.add("lost__ :- decision(Role,_), not legal(Role,_).", ":- not lost__.")
    solver = Solver(encoding.text, encoding.facts, SPARSE if exact else ())
    decided(encoding, solver.control)
    return solver
