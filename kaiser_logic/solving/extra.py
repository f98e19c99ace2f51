"""Extra invariants, which are in no rulebook: which of them a position breaks, and whether they hold in every game.

They are written like the invariants of a rulebook, ``broken(Name,Witness) :- ...``, and may define predicates of their own.
"""

from __future__ import annotations

from ..engine.grounding import Facts
from ..engine.invariants import names_of
from ..engine.ruleset import Ruleset
from ..errors import WrongUsage
from ..evaluation.evaluator import Evaluator
from ..lang.unification import CONSTANTS, label
from ..rules.loader import parse_rules
from ..rules.predicates import BROKEN
from ..rules.rule import PlacedRule
from .rounds import Rounds


def with_extra(ruleset: Ruleset, text: str) -> tuple[Ruleset, tuple[str, ...]]:
    """The rules in force with more invariants, and the names of these.

    Args:
        ruleset: The rules in force.
        text: A logic program. Its rules may define only ``broken/2`` with new names, and new predicates.

    Raises:
        FaultyRulebook: The program cannot be read.
        WrongUsage: It defines an invariant or a predicate that the rulebook defines.
    """
    rules = parse_rules(text, "invariants")
    heads = [head for rule in rules for head in rule.heads]
    names, taken = names_of(rules), names_of(ruleset.rules)
    known = {name for rule in ruleset.rules for name in _spoken(rule)}
    for head in heads:
        if head.signature == BROKEN:
            if not isinstance(head.args[0], CONSTANTS) or label(head.args[0]) in taken:
                raise WrongUsage(f"{label(head.args[0])} is no name for an invariant that is new")
        elif head.signature in known:
            raise WrongUsage(f"the rulebook defines {head.name}/{len(head.args)} already")
    return ruleset.with_rules((*ruleset.book.rules, *rules)), names


def excluding(evaluator: Evaluator, text: str, facts: Facts, timeout: float, jobs: int | None = None) -> str | None:
    """The first extra invariant that a position breaks and that holds in every game; None if there is none.

    Such an invariant shows that no game leads to the position.

    Args:
        evaluator: The plain engine under the rules in force.
        text: The extra invariants: see :func:`with_extra`.
        facts: The facts of the position.
        timeout: The time limit of the proof, in seconds. If the position breaks none of them, there is no proof.
        jobs: The number of processes; None for one for each core.
    """
    ruleset, names = with_extra(evaluator.ruleset, text)
    wider = Evaluator(ruleset)
    broken = [n for n in dict.fromkeys(i for i, _ in wider.broken_invariants(facts, waive=False)) if n in names]
    if not broken:
        return None
    report = Rounds(ruleset).run(broken, timeout, jobs)
    return next((p.claim for p in report.proofs if p.claim in broken and p.status == "proved"), None)


def _spoken(rule: PlacedRule) -> set[tuple[str, int]]:
    return {h.signature for h in rule.heads} | set(rule.uses)
