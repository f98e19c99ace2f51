"""Which lines of the documented rules apply to a move, a step or an end, and which forbid a candidate.

For each line of a documented rule there is a marker rule with the same body, which names the line. For
``gain(stones(R),N,taken) :- does(R,take(N)).``, the first line of the rule *take*, the marker is

    applies__("take",0) :- does(R,take(N)).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Final, TypeAlias

from .. import clingo
from ..engine import symbols
from ..engine.compiled import derive
from ..engine.ruleset import Ruleset
from ..lang import terms as lang
from ..lang.terms import Signature
from ..lang.unification import most_general_term
from ..rules.predicates import (
    ACTION,
    BOARD_BROKEN,
    BOARD_FACT,
    BOUND,
    BROKEN,
    CANDIDATE,
    CONCEALS,
    COUNTS,
    DECISION,
    DOES,
    DUE,
    EFFECTS,
    FLUENT,
    GOAL,
    INSTEAD,
    LEGAL,
    MADE,
    NUMBER,
    PICKABLE,
    SUBMITTED,
    TERMINAL,
    VIOLATES,
    WEIGHT,
    WINNER,
)
from ..rules.reader import rule_from
from ..rules.rule import PlacedRule, predicates_affected
from ..transform.slicing import position_seeds, seeds
from .evaluator import Evaluator

_APPLIES: Final[Signature] = ("applies__", 2)
_FORBIDS: Final[Signature] = ("forbids__", 2)
_ELSEWHERE: Final = frozenset(
    {FLUENT, ACTION, BOARD_FACT, BOARD_BROKEN, BROKEN, BOUND, COUNTS, CONCEALS, INSTEAD, PICKABLE, WEIGHT}
)
"""Predicates that do not concern play: vocabulary, limits, views."""
_CHANGES: Final = frozenset({("enter", 1), ("score", 3), *EFFECTS})
"""The predicates from which changes follow."""
_HAPPENING: Final = frozenset({DOES, MADE, SUBMITTED, DUE, CANDIDATE})
_RESULT: Final = frozenset({TERMINAL, GOAL, WINNER})
Facts: TypeAlias = frozenset[clingo.Symbol]
Line: TypeAlias = tuple[str, int]
"""A line of a documented rule: the rule's id and its number among the rule's lines."""


class RuleLines:
    """The rules in force, with markers that show which of their lines apply.

    Attributes:
        all: The lines with a marker, each with its rule.
        telling: The lines that count as an application of their rule: those that read the action or the step, or that state
            a result. If a rule has none of these, all of its lines.
    """

    def __init__(self, ruleset: Ruleset, changing: bool = False) -> None:
        """The lines of the rules in force; ``changing``: only those that change something."""
        self.all: dict[Line, PlacedRule] = {}
        marked: list[PlacedRule] = []
        numbers: Counter[str] = Counter()
        for rule in ruleset.book.rules:
            marker = _marker(rule, ruleset)
            if marker is None or rule.block is None or (changing and not _changes(rule)):
                continue
            line = rule.block, numbers[rule.block]
            numbers[rule.block] += 1
            self.all[line] = rule
            head = lang.Atom(marker[0], (lang.Text(line[0]), lang.Int(line[1])))
            marked.append(rule_from(lang.Rule(head, rule.value.body)))
        self._ruleset = ruleset.with_rules((*ruleset.book.rules, *marked))
        read = predicates_affected(ruleset.book.rules, _HAPPENING)
        happening = {line for line, rule in self.all.items() if rule.uses & read or rule.heads[0].signature in _RESULT}
        busy = {id for id, _ in happening}
        self.telling = frozenset(happening | {line for line in self.all if line[0] not in busy})
        # LEGAL is among the outputs so that the candidates are listed
        self._forbidding = [LEGAL, VIOLATES, *([] if changing else [_APPLIES, _FORBIDS])]

    def forbidden(self, facts: Facts) -> tuple[set[str], set[Line]]:
        """The rules that forbid a candidate, and the lines that do so."""
        kinds = frozenset(_inner(facts, DECISION, 1))
        start = partial(seeds, list(map(most_general_term, kinds)))
        program = self._ruleset.program(("forbids", kinds), start, self._forbidding)
        derivation = derive(program, facts, (), self._ruleset.configuration.engine)
        return {symbols.text(s.arguments[2]) for s in derivation.get(*VIOLATES)}, _lines(
            [*derivation.get(*_APPLIES), *derivation.get(*_FORBIDS)]
        )

    def acting(
        self, evaluator: Evaluator, facts: Facts, taken: Mapping[str, clingo.Symbol]
    ) -> Iterator[tuple[set[Line], Facts]]:
        """The lines that apply when a decision is carried out, and in each step after it; each time with the facts afterwards."""
        ruleset = self._ruleset
        kinds = {k.index: k for action in taken.values() for k in ruleset.same_actions(ruleset.kind(action))}
        start = partial(seeds, None, (), [k.action for k in kinds.values()])
        program = ruleset.program((_APPLIES[0], frozenset(kinds)), start, [_APPLIES])
        atoms = derive(program, facts, ruleset.submissions(taken), ruleset.configuration.engine)
        facts = evaluator.judge(facts, taken).facts_after(facts)
        yield _lines(atoms.get(*_APPLIES)), facts
        while not facts.isdisjoint(evaluator.ruleset.steps):
            due, pending = frozenset(_inner(facts, DUE, 0)), frozenset(_inner(facts, DECISION, 1))
            start = partial(seeds, list(map(most_general_term, pending)), list(map(most_general_term, due)))
            program = ruleset.program((_APPLIES[0], due, pending), start, [_APPLIES])
            lines = _lines(derive(program, facts, (), ruleset.configuration.engine).get(*_APPLIES))
            facts = evaluator.step(facts)
            yield lines, facts

    def ending(self, facts: Facts) -> set[Line]:
        """The lines that apply at a position, if the game is over there."""
        if any(symbols.signature(s) == DECISION for s in facts):
            return set()
        program = self._ruleset.program("applies", position_seeds, [_APPLIES])
        return _lines(derive(program, facts, (), self._ruleset.configuration.engine).get(*_APPLIES))


def rule_lines(ruleset: Ruleset, changing: bool = False) -> RuleLines:
    """The lines of the rules in force, made once in a process; ``changing``: only those that change something."""
    return ruleset.remember(("lines", changing), lambda: RuleLines(ruleset, changing))


def _marker(rule: PlacedRule, ruleset: Ruleset) -> Signature | None:
    """The marker for a rule whose body holds; None if the rule does not affect play."""
    heads = {h.signature for h in rule.heads}
    if not heads or not rule.positive or heads <= ruleset.book.static or heads & _ELSEWHERE:
        return None
    if rule.uses & {NUMBER, FLUENT, ACTION}:
        return None
    return _FORBIDS if heads & {VIOLATES, CANDIDATE} else _APPLIES


def _changes(rule: PlacedRule) -> bool:
    return any(head.signature in _CHANGES for head in rule.heads)


def _inner(facts: Facts, signature: Signature, position: int) -> Iterator[Signature]:
    """The signatures of an argument of the facts of a predicate."""
    return (symbols.signature(s.arguments[position]) for s in facts if symbols.signature(s) == signature)


def _lines(atoms: Iterable[clingo.Symbol]) -> set[Line]:
    return {(s.arguments[0].string, s.arguments[1].number) for s in atoms}
