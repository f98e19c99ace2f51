"""Finds the assumed rules, which no printed text states, on which a verdict can rest.

A program rests on the documented rules to which its rules belong, and on those that derive the static facts that it reads. Data
that a board file replaces does not count.
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
from ..rules.rulebook import ASSUMED, RuleDoc
from . import symbols
from .ruleset import Ruleset

_PRINTED: Final[Signature] = ("printed", 1)
"""The predicate of the rulebook's data on boards and cards, which a board file can replace."""


def assumed_docs(rules: Ruleset) -> dict[str, RuleDoc]:
    """The documented rules that are assumed in the edition and that no board file replaces, by id."""
    return rules.remember("assumed docs", lambda: _assumed_docs(rules))


def _assumed_docs(rules: Ruleset) -> dict[str, RuleDoc]:
    found = {id: doc for id, doc in rules.book.docs.items() if rules.texts.kind(doc) == ASSUMED}
    if rules.configuration.board:
        found = {id: doc for id, doc in found.items() if doc.kind != "data" or not _replaced(rules, id)}
    return found


def _replaced(rules: Ruleset, id: str) -> bool:
    """Whether the printed facts of a documented rule have no effect, because the board file replaces them."""
    if not any(h.signature == _PRINTED for r in rules.book.rules if r.block == id for h in r.heads):
        return False
    without = rules.with_rules(r for r in rules.book.rules if r.block != id or not _derives(r, _PRINTED))
    signatures = (without.static.keys() | rules.static.keys()) - {_PRINTED}
    return all(set(without.facts(*s)) == set(rules.facts(*s)) for s in signatures)


def _derives(rule: Rule, signature: Signature) -> bool:
    return any(head.signature == signature for head in rule.heads)


def rests_on(rules: Ruleset, actions: Iterable[clingo.Symbol]) -> tuple[str, ...]:
    """The assumed rules that the verdict on a recorded game can rest on, in the order of the rulebook.

    Args:
        rules: The rules in force.
        actions: The actions that were judged. The start, the steps and the outcome always count.
    """
    docs = assumed_docs(rules)
    if not docs:
        return ()
    kinds = {kind.index: action for action in actions if (kind := rules.kind(action))}
    found = set(_of_game(rules)).union(*(_of_kind(rules, index, action) for index, action in kinds.items()))
    return tuple(id for id in docs if id in found)


def judged_by(rules: Ruleset, action: clingo.Symbol, violated: Collection[str] = ()) -> tuple[str, ...]:
    """The assumed rules that the verdict on one action can rest on, in the order of the rulebook.

    Args:
        rules: The rules in force.
        action: The action.
        violated: The rules that it breaks. If it is legal there are none, and all rules that can decide on it count.
    """
    docs = assumed_docs(rules)
    if not docs or rules.kind(action) is None:
        return ()
    program = rules.judge_program([action]).rules
    broken = [rule for rule in program if _derives(rule, VIOLATES) and _can_derive(rule, violated)]
    found = _documented(rules, _reached(program, broken)) | set(violated)
    return tuple(id for id in docs if id in found)


def _can_derive(rule: Rule, violated: Collection[str]) -> bool:
    """Whether a rule for violates/3 can derive one of the given violations; if none are given, whether it can derive any."""
    ids = (head.args[-1] for head in rule.heads if head.signature == VIOLATES)
    return not violated or any(
        not isinstance(id, CONSTANTS) or label(id).strip('"') in violated for id in ids
    )


def _of_kind(rules: Ruleset, index: int, action: clingo.Symbol) -> frozenset[str]:
    """The documented rules on which the judgement of a kind of action rests, given one of its actions."""
    return rules.remember(
        ("assumed of kind", index), lambda: _documented(rules, rules.judge_program([action]).rules)
    )


def _of_game(rules: Ruleset) -> frozenset[str]:
    """The documented rules on which the start, all steps and the outcome rest."""

    def find() -> frozenset[str]:
        due = [symbols.signature(step.arguments[0]) for step in rules.steps]
        beginning = [rule for rule in rules.book.rules if _derives(rule, ("init", 1))]
        parts = (rules.step_program(due).rules, rules.outcome_program.rules, beginning)
        return frozenset().union(*(_documented(rules, part) for part in parts))

    return rules.remember("assumed of game", find)


def _reached(program: Sequence[Rule], start: Iterable[Rule]) -> list[Rule]:
    """Some rules of a program and all rules on which they depend."""
    by_head: dict[Signature, list[Rule]] = defaultdict(list)
    for rule in program:
        for head in rule.heads:
            by_head[head.signature].append(rule)
    found: dict[int, Rule] = {}
    pending = list(start)
    while pending:
        rule = pending.pop()
        if id(rule) not in found:
            found[id(rule)] = rule
            pending += (needed for signature in rule.uses for needed in by_head[signature])
    return list(found.values())


def _documented(rules: Ruleset, found: Iterable[Rule]) -> frozenset[str]:
    """The documented rules to which some rules belong, and those that derive the static facts that these read."""
    static = rules.remember("static docs", lambda: _static_docs(rules))
    ids: set[str] = set()
    for rule in found:
        ids.update((rule.block,) if rule.block else (), *(static.get(s, ()) for s in rule.uses))
    return frozenset(ids)


def _static_docs(rules: Ruleset) -> Mapping[Signature, frozenset[str]]:
    """Maps each static predicate to the documented rules from which its facts follow, also through other predicates."""
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
