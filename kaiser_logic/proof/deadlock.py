"""Claims about every valid position: nobody is stuck, and no sum exceeds its stated bound."""

from __future__ import annotations

from collections.abc import Sequence

from ..engine import symbols
from ..errors import NotDecided
from ..game import Game
from ..rules.pattern import show, variables
from ..rules.predicates import DECISION, NEXT, broken
from ..rules.reader import rule_of
from ..rules.rule import Atom, Rule, top
from ..rules.rulebook import ActionKind
from ..symbolic.domains import Domains
from ..symbolic.encoding import Chain
from ..symbolic.invariants import invariants
from ..symbolic.models import facts_of
from ..symbolic.solver import SPARSE, Ground, Model
from ..transform.action_splitting import decisions_of, numbered
from ..transform.slicing import seeds
from .counterexample import Counterexample

_EFFORT = 10_000
"""So many conflicts of the solver are spent on one kind of action alone."""


def stuck(game: Game, functor: str, kinds: Sequence[ActionKind], sorts: Domains) -> Counterexample | None:
    """A valid position in which somebody with such a decision has no legal action, or None.

    Single kinds of action come first, those with the fewest arguments: if one of them can always be done, the others
    need not be looked at, which is far easier.
    """
    single = sorted(kinds, key=lambda k: len(variables((k.action,))))
    if len(kinds) > 1 and any(
        _lost(game, kinds, [kind], sorts, exact=False).decide(_EFFORT) is False for kind in single
    ):
        return None
    if _lost(game, kinds, kinds, sorts, exact=False).decide() is False:
        return None
    model = _lost(game, kinds, kinds, sorts, exact=True).model()
    if model is None:
        return None
    facts = facts_of(game, model)
    return Counterexample(functor, facts, (), "no legal action", _is_stuck(game, facts))


def _is_stuck(game: Game, facts: Sequence[str]) -> bool:
    """Whether a given position confirms it: of sets of things, the open one knows only a few."""
    position = frozenset(map(symbols.read, facts))
    deciding = {str(s.arguments[0]) for s in position if (s.name, len(s.arguments)) == DECISION}
    try:
        return bool(deciding - {role for role, _ in game.evaluator.legal(position)})
    except NotDecided:
        return False


def _lost(
    game: Game, kinds: Sequence[ActionKind], chosen: Sequence[ActionKind], sorts: Domains, exact: bool
) -> Ground:
    """The question for a valid position in which somebody can do nothing of the chosen kinds."""
    decisions = decisions_of(kinds)
    chain = Chain(game.ruleset, sorts)
    chain.open(decisions, exact=exact)
    chain.assume(invariants(game.ruleset).assumed, decisions, [])
    wanted = [Atom("legal", (("v", "Role"), numbered(k)[0])) for k in chosen]
    chain.derive(wanted, decisions, [], enumerate=True)
    chain.name_sets(())
    chain.add("legal(none,none) :- #false.", ":- not decision(_,_).")
    chain.add("lost :- decision(Role,_), not legal(Role,_).", ":- not lost.")
    return Ground(chain.text, chain.facts, SPARSE if exact else ())


def sums(game: Game) -> list[tuple[str, str]]:
    """The rules whose sum has a stated bound: predicate, and the rule's text."""
    return [
        (r.heads[0].name, r.text)
        for r in game.ruleset.rules
        if r.assigned_sum and any(a.signature == ("bound", 2) for a in r.positive)
    ]


def exceeds(game: Game, text: str, sorts: Domains) -> Counterexample | None:
    """A valid position in which the sum of such a rule is larger than its bound, or None."""
    rule = _exceeding(rule_of(text))
    assumed = [i for i in invariants(game.ruleset).assumed if not _of_pending(game, i)]
    uses = [a for a in rule_of(rule).atoms if a.signature not in game.ruleset.static]
    model: Model | None = None
    for exact in (False, True):
        chain = Chain(game.ruleset, sorts)
        chain.open(exact=exact)
        chain.assume(assumed, [], [])
        chain.derive([top(*a.signature) for a in uses], [], [])
        chain.add(rule, ":- not exceeds.")
        model = Ground(chain.text, chain.facts, SPARSE if exact else ()).model()
        if model is None:
            return None
    return Counterexample("sum", facts_of(game, model or ()), (), "the sum exceeds its bound", True)


def _exceeding(rule: Rule) -> str:
    """The rule that says that a rule's sum exceeds its bound, whatever is pending."""
    bound = next(a.args[1] for a in rule.positive if a.signature == ("bound", 2))
    total = next(x for x in rule.literals if x.assigned_sum)
    limits = f"{total.assigned_sum} "
    others = (x for x in rule.literals if x.signature != NEXT and not x.text.startswith(limits))
    return f"exceeds :- {'; '.join(x.text for x in others)}; {show(bound)} < {total.text.partition('=')[2]}."


def _of_pending(game: Game, invariant: str) -> bool:
    """Whether the invariant speaks of what is pending."""
    rules = game.ruleset.judging.slice(seeds(None, None), [broken(invariant)])
    return any(u in (DECISION, NEXT) for r in rules for u in r.uses)
