"""Every kind of fact with what can stand in it, read off the vocabulary: each argument apart, never all combinations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod
from typing import Final

from .. import clingo
from ..engine.grounding import Grounding
from ..engine.ruleset import Ruleset
from ..rules.parsing import parse_rules
from ..rules.pattern import Signature
from ..rules.predicates import DUE, FLUENT
from ..rules.rule import TOKEN, Rule
from ..symbolic.domains import apart, bound_of

_LISTED: Final = 1_500
"""More values than these are not listed; they can be typed."""


@dataclass
class Slot:
    """An argument of a kind of fact.

    Attributes:
        label: What it is, after the sort that the vocabulary draws it from.
        values: What can stand there, in order.
        open: Whether there is more than is listed: a number without limit, or too much to list.
        place: Whether it says where on the board the fact lies.
    """

    label: str
    values: list[clingo.Symbol]
    open: bool = False
    place: bool = False

    @property
    def numeric(self) -> bool:
        """Whether only numbers stand there."""
        return bool(self.values) and all(v.type is clingo.SymbolType.Number for v in self.values)


def vocabulary(rules: Ruleset) -> dict[Signature, list[Slot]]:
    """Every kind of fact with its arguments, without seats, which are the game's, and without steps."""
    declared = [(rule, head) for rule in rules.rules for head in rule.heads if head.signature == FLUENT]
    found: dict[Signature, list[Slot]] = {}
    numbers = [clingo.Function("number", [clingo.Number(n)]) for n in range(bound_of(rules.book) + 1)]
    for rule, head in declared:
        text = rule.argument(head, 0)
        name, parts = _parts(text)
        if ";" in text:  # several facts in one: they are not many
            facts = [s.arguments[0] for s in Grounding(rules.complete((rule,)), numbers).get(*FLUENT)]
            parts = [""] * (len(facts[0].arguments) if facts else 0)
            values: list[list[clingo.Symbol] | None]
            values = [[fact.arguments[k] for fact in facts] for k in range(len(parts))]
            if not facts:
                continue
        else:
            values = _values(rules, rule, parts, numbers)
        slots = found.setdefault((name, len(values)), [Slot("", []) for _ in values])
        for slot, part, fresh in zip(slots, parts, values, strict=True):
            slot.label = slot.label or _sort(rule, part)
            slot.open |= fresh is None or f"number({part})" in {x.text for x in rule.literals}
            slot.values = sorted({*slot.values, *(fresh or ())})
    given = {s.name for s in rules.facts("seat", 2)}
    return {key: found[key] for key in sorted(found) if key[0] not in given and key != DUE}


def _parts(text: str) -> tuple[str, list[str]]:
    """The name of a term, and its arguments as they are written."""
    name, bracket, _ = text.partition("(")
    parts, depth, start = [], 0, len(name) + 1
    for match in TOKEN.finditer(text) if bracket else ():
        depth += (match[0] == "(") - (match[0] == ")")
        if (match[0] == "," and depth == 1) or (match[0] == ")" and not depth):
            parts.append(text[start : match.start()])
            start = match.end()
    return name, parts


def _values(
    rules: Ruleset, rule: Rule, parts: list[str], numbers: list[clingo.Symbol]
) -> list[list[clingo.Symbol] | None]:
    """What can stand at each argument, whatever the others are; None where that is too much to list."""
    groups = apart(rule)

    def body(used: set[str]) -> str:
        literals = [x for names, texts in groups if names & used or not names for x in texts]
        return " :- " + "; ".join(literals) if literals else ""

    used = [{t for t in TOKEN.findall(part) if t[0].isupper()} for part in parts]
    sizes = [f"size__({k},{v.lower()},{v}){body({v})}." for k, names in enumerate(used) for v in names]
    counted: dict[tuple[int, str], int] = {}
    for s in _ground(rules, sizes, numbers, "size__", 3):
        key = s.arguments[0].number, s.arguments[1].name
        counted[key] = counted.get(key, 0) + 1
    few = [prod(counted.get((k, v.lower()), 0) for v in names) <= _LISTED for k, names in enumerate(used)]
    lines = [f"value__({k},{part}){body(used[k])}." for k, part in enumerate(parts) if few[k]]
    found: list[list[clingo.Symbol] | None] = [[] if fine else None for fine in few]
    for s in _ground(rules, lines, numbers, "value__", 2):
        listed = found[s.arguments[0].number]
        if listed is not None:
            listed.append(s.arguments[1])
    return found


def _ground(
    rules: Ruleset, lines: list[str], numbers: list[clingo.Symbol], name: str, arity: int
) -> Iterator[clingo.Symbol]:
    if lines:
        yield from Grounding(rules.complete(tuple(parse_rules("\n".join(lines)))), numbers).get(name, arity)


def _sort(rule: Rule, part: str) -> str:
    """What an argument is: the name of the sort that the vocabulary draws it from; a number where it counts."""
    if ".." in part or f"number({part})" in {x.text for x in rule.literals}:
        return "number"
    for atom in rule.positive:
        if len(atom.args) == 1 and rule.argument(atom, 0) == part:
            return atom.name.replace("_", " ")
    return ""
