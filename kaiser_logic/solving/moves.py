"""Claims about moves: who gains how much, what does not change, who decides next.

They are written in programs beside the rules (`claims` of the manifest). ``wrong(Claim,Witness)`` follows from a position, the
actions or the step in it, and the next position: ``then(F)`` means that the fact F holds there, ``more(X,N)`` that the counter X
has N more than before. No induction is needed: a claim holds if no legal move from any valid position breaks it.

`MoveClaims` judges these claims with the plain engine, for given moves.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from .. import clingo
from ..engine import symbols
from ..engine.compiled import derive
from ..engine.ruleset import Ruleset
from ..evaluation.evaluator import Evaluator
from ..evaluation.random_games import Actions, Facts
from ..lang.terms import Signature, Term
from ..lang.unification import functor, label, most_general_term
from ..rules.loader import claims_of
from ..rules.predicates import DUE, MORE, THEN, WRONG
from ..rules.rulebook import RuleDoc
from ..transform.slicing import seeds


def claiming(evaluator: Evaluator) -> Evaluator:
    """An evaluator of the same rules together with the rulebook's claims about moves."""
    ruleset = evaluator.ruleset

    def extend() -> Evaluator:
        rules, _ = claims_of(ruleset.book)
        return Evaluator(ruleset.with_rules((*ruleset.book.rules, *rules))) if rules else evaluator

    return ruleset.remember("claiming", extend)


class MoveClaims:
    """The claims about moves of the rules in force.

    Attributes:
        docs: Their headings, by id.
    """

    def __init__(self, evaluator: Evaluator) -> None:
        """``evaluator``: its rules include the claims (`claiming`)."""
        self._evaluator = evaluator
        self._ruleset: Ruleset = evaluator.ruleset
        known = {label(h.args[0]) for r in self._ruleset.book.rules for h in r.heads if h.signature == WRONG}
        book = self._ruleset.book
        docs = self._ruleset.remember("claims", lambda: claims_of(book)[1]) if known else {}
        self.docs: Mapping[str, RuleDoc] = {id: doc for id, doc in docs.items() if id in known}
        functors = {t for t in map(functor, self._first_arguments(MORE)) if t is not None}
        self._counters = {(name, arity + 1) for name, arity in functors}

    def _first_arguments(self, signature: Signature) -> Iterator[Term]:
        """The first arguments of all body atoms of a predicate."""
        rules = self._ruleset.book.rules
        return (a.args[0] for r in rules for a in r.atoms if a.signature == signature)

    def wrong(self, before: Facts, actions: Actions, after: Facts) -> list[tuple[str, str]]:
        """The claims that a move or a step breaks, with witnesses, sorted.

        Args:
            before: The position.
            actions: The roles and their actions; empty for a step.
            after: The next position; steps may be due in it.
        """
        if not self.docs:
            return []
        ruleset = self._ruleset
        kinds = {k.index: k.action for _, a in actions for k in ruleset.same_actions(ruleset.kind(a))}
        due = frozenset(symbols.signature(s.arguments[0]) for s in before if symbols.signature(s) == DUE)
        steps = () if actions else tuple(map(most_general_term, due))
        key = "wrong", frozenset(kinds), None if actions else due
        program = ruleset.program(key, lambda: seeds(None, steps, kinds.values()), [WRONG])
        given = ruleset.submissions(dict(actions))
        given += [clingo.Function(THEN[0], [f]) for f in (after if THEN in program.inputs else ())]
        given += [clingo.Function(MORE[0], [c, clingo.Number(n)]) for c, n in self._more(before, after)]
        pairs = derive(program, frozenset(before), given, ruleset.configuration.engine).arguments(*WRONG)
        return sorted((symbols.text(claim), symbols.text(witness)) for claim, witness in pairs)

    def _more(self, before: Facts, after: Facts) -> Iterator[tuple[clingo.Symbol, int]]:
        """The changes of the counters that the claims read, without those that are 0."""
        change: dict[clingo.Symbol, int] = defaultdict(int)
        for facts, sign in ((before - after, -1), (after - before, 1)):
            for f in facts:
                if symbols.signature(f) in self._counters:
                    change[symbols.counter_of(f)] += sign * f.arguments[-1].number
        return ((counter, n) for counter, n in change.items() if n)

    def judge(self, facts: Facts, actions: Actions) -> list[tuple[str, str]] | None:
        """The claims that a move or a step breaks, where the plain engine makes it; None if it is illegal."""
        if actions:
            judged = self._evaluator.judge(facts, dict(actions))
            if judged.violations:
                return None
            return self.wrong(facts, actions, (facts - frozenset(judged.deleted)).union(judged.added))
        return self.wrong(facts, (), self._evaluator.step(facts))
