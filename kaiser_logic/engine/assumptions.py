"""Finds the assumed rules, which no printed text states, on which a verdict can rest.

A program rests on the documented rules whose lines are among its rules, and on those that say the static facts that it
reads. Data that a board file replaces is not among them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from .. import clingo
from ..lang.terms import Signature
from ..lang.unification import CONSTANTS, label
from ..rules.predicates import VIOLATES
from ..rules.rule import Rule
from ..rules.rulebook import RuleDoc
from . import symbols
from .ruleset import Ruleset

_PRINTED: Final[Signature] = ("printed", 1)
"""A rulebook's own facts on boards and cards, which a board file can replace."""


def assumed_docs(rules: Ruleset) -> dict[str, RuleDoc]:
    """The documented rules that are made up in this edition and that no board file replaces, by id."""
    return rules.remember("assumed docs", lambda: _assumed_docs(rules))


def _assumed_docs(rules: Ruleset) -> dict[str, RuleDoc]:
    edition = rules.configuration.edition
    found = {id: doc for id, doc in rules.book.docs.items() if doc.assumed(edition)}
    if rules.configuration.board:
        found = {id: doc for id, doc in found.items() if doc.kind != "data" or not _replaced(rules, id)}
    return found


def _replaced(rules: Ruleset, id: str) -> bool:
    """Whether the printed facts of a documented rule change nothing, as the board file says all that they would."""
    if not any(h.signature == _PRINTED for r in rules.book.rules if r.block == id for h in r.heads):
        return False
    without = rules.with_rules(r for r in rules.book.rules if r.block != id or not _derives(r, _PRINTED))
    left, here = dict(without.static), dict(rules.static)
    for facts in (left, here):
        facts.pop(_PRINTED, None)
    return all(set(left.get(s, ())) == set(here.get(s, ())) for s in left.keys() | here.keys())


def _derives(rule: Rule, signature: Signature) -> bool:
    return any(head.signature == signature for head in rule.heads)


def rests_on(rules: Ruleset, actions: Iterable[clingo.Symbol]) -> tuple[str, ...]:
    """The assumed rules that the verdict on a recorded game can rest on, in the order of the rulebook.

    Args:
        rules: The rules in force.
        actions: The actions that were judged. What happens by itself, the beginning and the outcome are always looked at.
    """
    docs = assumed_docs(rules)
    if not docs:
        return ()
    kinds = {kind.index: action for action in actions if (kind := rules.kind(action))}
    found = set(_of_course(rules)).union(*(_of_kind(rules, index, action) for index, action in kinds.items()))
    return tuple(id for id in docs if id in found)


def judged_by(rules: Ruleset, action: clingo.Symbol, violated: Collection[str] = ()) -> tuple[str, ...]:
    """The assumed rules that the verdict on one action can rest on, in the order of the rulebook.

    Args:
        rules: The rules in force.
        action: The action.
        violated: The rules that it breaks. Where it is legal there are none, and all that decide on it count.
    """
    docs = assumed_docs(rules)
    if not docs or rules.kind(action) is None:
        return ()
    program = rules.judge_program([action]).rules
    broken = [rule for rule in program if _derives(rule, VIOLATES) and _can_derive(rule, violated)]
    found = _documented(rules, _reached(program, broken)) | set(violated)
    return tuple(id for id in docs if id in found)


def _can_derive(rule: Rule, violated: Collection[str]) -> bool:
    """Whether a rule can say that one of these rules is broken; any rule where none is named."""
    ids = (head.args[-1] for head in rule.heads if head.signature == VIOLATES)
    return not violated or any(
        not isinstance(id, CONSTANTS) or label(id).strip('"') in violated for id in ids
    )


def _of_kind(rules: Ruleset, index: int, action: clingo.Symbol) -> frozenset[str]:
    """The rules on which the judgement of a kind of action rests, given one of its actions."""
    return rules.remember(
        ("assumed of kind", index),
        lambda: _documented(rules, rules.judge_program([action]).rules),
    )


def _of_course(rules: Ruleset) -> frozenset[str]:
    """The rules on which the start, all steps and the outcome rest."""

    def made() -> frozenset[str]:
        due = [symbols.signature(step.arguments[0]) for step in rules.steps]
        beginning = [rule for rule in rules.book.rules if _derives(rule, ("init", 1))]
        parts = (rules.step_program(due).rules, rules.outcome_program.rules, beginning)
        return frozenset().union(*(_documented(rules, part) for part in parts))

    return rules.remember("assumed of course", made)


def _reached(program: Sequence[Rule], start: Iterable[Rule]) -> list[Rule]:
    """The rules of a program that some rules need, and these."""
    by_head: dict[Signature, list[Rule]] = defaultdict(list)
    for rule in program:
        for head in rule.heads:
            by_head[head.signature].append(rule)
    found: dict[int, Rule] = {}
    left = list(start)
    while left:
        rule = left.pop()
        if id(rule) not in found:
            found[id(rule)] = rule
            left += (needed for signature in rule.uses for needed in by_head[signature])
    return list(found.values())


def _documented(rules: Ruleset, found: Iterable[Rule]) -> frozenset[str]:
    """The documented rules to which some rules belong, and those that say the static facts that these read."""
    sayings = rules.remember("static docs", lambda: _static_docs(rules))
    ids: set[str] = set()
    for rule in found:
        ids.update((rule.block,) if rule.block else (), *(sayings.get(s, ()) for s in rule.uses))
    return frozenset(ids)


def _static_docs(rules: Ruleset) -> Mapping[Signature, frozenset[str]]:
    """For each static predicate the documented rules that say its facts, through one another."""
    static = [r for r in rules.book.rules if r.heads and r.heads[0].signature in rules.book.static]
    found: dict[Signature, frozenset[str]] = {}
    grows = True
    while grows:
        grows = False
        for rule in static:
            ids = frozenset((rule.block,) if rule.block else ()).union(*(found.get(s, ()) for s in rule.uses))
            for head in rule.heads:
                if not ids <= found.get(head.signature, frozenset()):
                    found[head.signature] = found.get(head.signature, frozenset()) | ids
                    grows = True
    return found
