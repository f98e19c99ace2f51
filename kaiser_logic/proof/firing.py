"""Which rules of a move fire, by the rules as they are written: what a check of encodings has met, and what it has not.

For each rule by which an action breaks a rule, or by which something changes, there is one more with the same body:

    fires__(3) :- does(R,take(K)).              % beside  shift(heap,taken(R),K,taken) :- does(R,take(K)).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ..engine import symbols
from ..engine.grounding import Grounding, Program
from ..engine.ruleset import Ruleset
from ..rules.loader import parse_rules
from ..rules.predicates import EFFECTS, NEXT, VIOLATES
from ..rules.rule import Rule
from .sample import Pair

_FIRES: Final = ("fires__", 1)
SAID: Final = frozenset({VIOLATES, *EFFECTS})
"""What is to be met: what breaks a rule, and what changes something."""


def telling(rules: Iterable[Rule]) -> list[Rule]:
    """The rulebook's own rules among these by which an action breaks a rule, or by which something changes."""
    return [r for r in rules if r.cuts and r.heads and any(h.signature in SAID for h in r.heads)]


class Firing:
    """Which rules fire."""

    def __init__(self, ruleset: Ruleset) -> None:
        """Of the rules in force."""
        self._ruleset = ruleset

    def at(self, pair: Pair) -> frozenset[str]:
        """The rules that fire at a position and a move, legal or not, or a step: their texts."""
        ruleset = self._ruleset
        if pair.actions:
            actions = dict(pair.actions)
            plain = ruleset.judge_program(actions.values())
            given = ruleset.submissions(actions)
        else:
            due = (symbols.signature(s.arguments[0]) for s in pair.facts if symbols.signature(s) == NEXT)
            plain, given = ruleset.step_program(due), []
        rules, program = self._marked(plain)
        found = Grounding(program, (*pair.facts, *given)).get(*_FIRES)
        return frozenset(rules[s.arguments[0].number].text for s in found)

    def _marked(self, plain: Program) -> tuple[list[Rule], Program]:
        """The rules that are looked at, and a program that says which of them fire."""

        def made() -> tuple[list[Rule], Program]:
            rules = telling(plain.rules)
            lines = (f"{_FIRES[0]}({k}) :- {rule.body}." for k, rule in enumerate(rules))
            return rules, self._ruleset.complete((*plain.rules, *parse_rules("\n".join(lines))))

        return self._ruleset.remember(("firing", plain.rules), made)
