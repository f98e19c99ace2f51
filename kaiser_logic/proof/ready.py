"""What all questions of a proof need, made once before the first child is begun: children are forked, and have it then.

Nothing here decides anything: what is not made here each child makes for itself.
"""

from __future__ import annotations

from ..evaluation.evaluator import Evaluator
from ..rules.predicates import ADD, BROKEN, DEL, LEGAL, QUESTION, VIOLATES, WRONG
from ..rules.rule import top
from ..symbolic.domains import Domains
from ..symbolic.encoding import Encoding
from ..transform.slicing import seeds


def make_ready(evaluator: Evaluator, sorts: Domains) -> None:
    """Makes what the questions about these rules have in common.

    Args:
        evaluator: Of the rules; it finds broken invariants, compiled from then on.
        sorts: Those of the open position.
    """
    evaluator.broken(evaluator.initial(), waive=False)
    encoding = Encoding(evaluator.ruleset, sorts)
    encoding.totals.first(exact=False)
    ruleset = encoding.ruleset
    # what a rule demands of others is known from then on, whatever a slice starts from
    everything = seeds(None, None, [kind.action for kind in ruleset.book.kinds])
    ruleset.judging.slice(everything, [top(*s) for s in (VIOLATES, ADD, DEL, BROKEN, WRONG)])
    ruleset.enumerating.slice(everything, [top(*s) for s in (LEGAL, QUESTION)])
