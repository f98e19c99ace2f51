"""Finds the rules that no printed text says and on which a verdict relies: only those that take part in its derivation.

:class:`Reliance` asks the program of each question a second time, with the rules of :mod:`..transform.rule_usage`. They follow
the answer to the rules that fired for it, and to the static facts that these read.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from .. import clingo
from ..engine import symbols
from ..engine.assumptions import docs_of_kind
from ..engine.compiled import derive, facts_of
from ..engine.grounding import EngineProgram, Facts
from ..engine.ruleset import Ruleset
from ..lang.graph import least_model
from ..lang.terms import Signature, Text
from ..rules import predicates
from ..rules.rule import PlacedRule
from ..rules.rulebook import ASSUMED, SILENT
from ..transform.rule_usage import ASKED, USED, usage_rules
from .explanation import permitting

_INIT: Signature = ("init", 1)


@dataclass
class Reliance:
    """Collects the rules on which verdicts under one set of rules rely.

    Attributes:
        rules: The rules in force.
        wanted: The ids of the rules in question.
        ids: Those that took part.
    """

    rules: Ruleset
    wanted: frozenset[str]
    ids: set[str] = field(default_factory=set)

    def judgement(self, facts: Facts, judged: Mapping[str, clingo.Symbol], *, effects: bool = False) -> None:
        """Follows the verdict on actions, by role; ``effects``: also what they change."""
        if any(self.rules.kind(action) is None for action in judged.values()):
            return
        program = self.rules.judge_program(judged.values())
        asked = [clingo.Function(ASKED[0], s.arguments) for s in self.rules.submissions(judged)]
        outputs = (predicates.ADD, predicates.DEL) if effects else ()
        self._follow(program, outputs, facts, [*self.rules.submissions(judged), *asked], violations=True)

    def step(self, facts: Facts) -> None:
        """Follows the steps that are due."""
        due = [symbols.signature(symbols.arguments(s)[0]) for s in facts_of(facts, predicates.DUE)]
        self._follow(self.rules.step_program(due), (predicates.ADD, predicates.DEL), facts)

    def outcome(self, facts: Facts) -> None:
        """Follows the points and the winners."""
        outputs = (predicates.TERMINAL, predicates.GOAL, predicates.WINNER)
        self._follow(self.rules.outcome_program, outputs, facts)

    def start(self) -> None:
        """Follows the first position."""
        program = EngineProgram((), frozenset(), self.rules.facts(*_INIT))
        self._follow(program, (_INIT,), frozenset())

    def _follow(
        self,
        program: EngineProgram,
        outputs: Iterable[Signature],
        facts: Facts,
        more: Collection[clingo.Symbol] = (),
        violations: bool = False,
    ) -> None:
        """Adds the rules that take part in the answers of a program."""
        sought = (program, self.wanted, tuple(outputs), violations)
        made, possible = self.rules.remember(
            ("usage rules", *sought), lambda: self._rules_followed(program, tuple(outputs), violations)
        )
        if not possible <= self.ids:
            asking = self.rules.remember(("usage", *sought), lambda: self._asking(program, made))
            answers = derive(asking, facts, tuple(more), self.rules.configuration.engine)
            self.ids |= {symbols.text(id) for id in answers.sole_arguments(*USED)}

    def _rules_followed(
        self, program: EngineProgram, outputs: tuple[Signature, ...], violations: bool
    ) -> tuple[tuple[PlacedRule, ...], frozenset[str]]:
        """The rules that follow the answers of a program, and the ids that they can find."""
        judging = (r for r in program.rules if not any(h.signature in predicates.SELECTING for h in r.heads))
        made = usage_rules((*judging, *self._static), self.wanted, outputs, violations=violations)
        heads = (head for rule in made for head in rule.heads if head.signature == USED)
        return made, frozenset(id.text for head in heads for id in head.args if isinstance(id, Text))

    def _asking(self, program: EngineProgram, made: tuple[PlacedRule, ...]) -> EngineProgram:
        """A program together with the rules that follow its answers."""
        static = dict.fromkeys((*program.static, *self.rules.complete(made).static))
        rules = (*_rules_needed(program.rules, made), *made)
        return EngineProgram(rules, program.inputs | {ASKED}, tuple(static), outputs=frozenset({USED}))

    @property
    def _static(self) -> list[PlacedRule]:
        """The rules that derive static facts."""
        known = self.rules.book.static
        return self.rules.remember(
            "static rules",
            lambda: [r for r in self.rules.rules if r.heads and all(h.signature in known for h in r.heads)],
        )


def _rules_needed(rules: Sequence[PlacedRule], by: Iterable[PlacedRule]) -> list[PlacedRule]:
    """The rules on which others depend."""
    clauses: list[tuple[Signature, tuple[Signature, ...]]] = [(read, ()) for rule in by for read in rule.uses]
    clauses += ((read, (head.signature,)) for rule in rules for head in rule.heads for read in rule.uses)
    needed = least_model(clauses)
    return [rule for rule in rules if any(head.signature in needed for head in rule.heads)]


# -- one verdict ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Unsaid:
    """What no printed text says and a verdict relies on.

    Attributes:
        assumed: The ids of rules, and the names of rulings, that are made up.
        readings: Those that fill a gap of a text.
    """

    assumed: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()


def relied_on(rules: Ruleset, facts: Facts, judged: Mapping[str, clingo.Symbol], rulings: Iterable[str] = ()) -> Unsaid:
    """What the verdict on actions relies on, in the order of the rulebook.

    Args:
        rules: The rules in force.
        facts: The position.
        judged: The actions, by role.
        rulings: The rulings that decide a violation. Those that permit a legal action are found here.
    """
    rulings = (*rulings, *permitting(rules, facts, judged))
    kinds = {kind: docs_of_kind(rules, kind) for kind in (ASSUMED, SILENT)}
    reliance = Reliance(rules, frozenset().union(*kinds.values()))
    if reliance.wanted:
        reliance.judgement(facts, judged)
    decided = {kind: [n for n in rulings if rules.texts.ruling_kind(rules.book.rulings[n]) == kind] for kind in kinds}
    assumed, readings = (
        (*(id for id in docs if id in reliance.ids), *dict.fromkeys(decided[kind])) for kind, docs in kinds.items()
    )
    return Unsaid(assumed, readings)
