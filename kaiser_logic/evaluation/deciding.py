"""Which rulings decide that an action breaks a rule: those under another value of which it would not break it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from .. import clingo
from ..engine import symbols
from ..engine.grounding import Facts, Grounding
from ..engine.ruleset import Ruleset
from ..rules.pattern import Signature, outermost
from ..rules.predicates import DECISION, FLUENT, RULING, VIOLATES, is_enumeration
from ..rules.rule import Rule
from .evaluator import evaluator_of
from .verdict import Breach


def deciding(
    rules: Ruleset, facts: Facts, judged: Mapping[str, clingo.Symbol], breach: Breach
) -> dict[str, str]:
    """The rulings that decide it, name to value in force.

    Each ruling on which the rule can depend is tried: the same action in the same position under each of its other
    values. Where the position would be none of these, the ruling is left out.

    Args:
        rules: The rules in force.
        facts: The position.
        judged: The actions, by role.
        breach: That one of them breaks a rule.
    """
    names = rules.remember(("rulings behind", breach[2]), lambda: tuple(sorted(_behind(rules, breach[2]))))
    options = rules.configuration.options(rules.book) if names else {}
    return {
        name: options[name] for name in names if _decides(rules, name, options[name], facts, judged, breach)
    }


def _decides(
    rules: Ruleset,
    name: str,
    value: str,
    facts: Facts,
    judged: Mapping[str, clingo.Symbol],
    breach: Breach,
) -> bool:
    """Whether under some other value of the ruling the action does not break the rule."""
    for other in rules.book.rulings[name].values:
        if other == value:
            continue
        under = evaluator_of(rules.configuration.ruled(name, other))
        known = _position_under(under.ruleset, name, facts)
        if known is None:
            continue
        violations = under.judge(known, judged).violations
        if breach not in violations and not any(id == "action.unknown" for _, _, id in violations):
            return True
    return False


def _position_under(rules: Ruleset, name: str, facts: Facts) -> Facts | None:
    """The position under these rules, without what is no fact by the ruling itself; None where it is none for more."""
    given = [clingo.Function("holds", [f]) for f in facts]
    numbers = {abs(n) for n in symbols.numbers(facts)}
    given += [clingo.Function("number", [clingo.Number(n)]) for n in numbers]
    known = {s.arguments[0] for s in Grounding(rules.known_program, (*facts, *given)).get(*FLUENT)}
    strange = {f for f in facts if f not in known}
    by_ruling = rules.remember("ruled facts", lambda: _ruled_facts(rules))
    return facts - strange if all(name in by_ruling.get(symbols.signature(f), ()) for f in strange) else None


def _ruled_facts(rules: Ruleset) -> dict[Signature, set[str]]:
    """The kinds of facts that are in the vocabulary only under some value of a ruling, with the rulings' names."""
    found: dict[Signature, set[str]] = {}
    for rule in rules.book.rules:
        names = {str(a.args[0][1]) for a in (*rule.positive, *rule.negative) if a.signature == RULING}
        for head in rule.heads if names else ():
            kind = outermost(head.args[0]) if head.signature == FLUENT else None
            if kind:
                found.setdefault(kind, set()).update(names)
    return found


def _behind(rules: Ruleset, id: str) -> Iterator[str]:
    """The rulings that the rules which find a violation can depend on, through predicates that are no facts."""
    text = f'"{id}"'
    pending = [r for r in rules.rules if any(h.args and h.args[-1] == ("c", text) for h in r.heads)]
    deriving = rules.remember("deriving", lambda: _deriving(rules))
    by_ruling = rules.remember("ruled facts", lambda: _ruled_facts(rules))
    seen = {*rules.book.fluents, ("submitted", 2), ("made", 2), ("does", 2), DECISION, VIOLATES}
    while pending:
        rule = pending.pop()
        for atom in (*rule.positive, *rule.negative, *rule.inner):
            if atom.signature == RULING:
                yield from (str(a[1]) for a in atom.args[:1] if a[0] == "c")
            elif atom.signature in by_ruling and atom.signature != DECISION:
                yield from by_ruling[atom.signature]
            elif atom.signature not in seen:
                seen.add(atom.signature)
                pending += deriving.get(atom.signature, ())


def _deriving(rules: Ruleset) -> dict[Signature, list[Rule]]:
    """What derives each predicate, without the enumeration of what comes into question."""
    found: dict[Signature, list[Rule]] = {}
    for rule in rules.rules:
        for signature in {h.signature for h in rule.heads} if not is_enumeration(rule) else ():
            found.setdefault(signature, []).append(rule)
    return found
