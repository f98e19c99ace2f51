"""Actions split into kind and arguments, mechanically.

An action such as ``buy(move,move(E,G,K,F,D))`` has thousands of ground instances. Where the position is open, it is a
kind and one choice for each argument instead: ``does(R,Kind)``, ``arg(R,Kind,I,Value)``. The rules stay as they are
written: each is specialised to the kind (by unification), the action's term vanishes from the atoms that carry it,
and the arguments that a rule mentions elsewhere come from ``arg``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import clingo

from . import symbols
from .evaluate import Evaluator, Grounding, as_pattern
from .ir import Atom, Pattern, Rule, Signature, Substitution, show, substitute, unify, variables
from .rewrite import HEAD, INNER, NEGATIVE, POSITIVE, TOKEN, Occurrence, literal, text_of
from .rulebook import ActionKind

Carried = dict[Signature, dict[int, Pattern]]


@dataclass(frozen=True)
class Special:
    """The rules for one kind of action: pairs of the rule and its specialised text, and the violations' literals."""

    kind: ActionKind
    action: Pattern
    arguments: int
    lines: tuple[tuple[Rule, str], ...]
    violations: tuple[str, ...]

    def domains(
        self, evaluator: Evaluator, sets: Iterable[clingo.Symbol] = ()
    ) -> dict[int, list[clingo.Symbol]]:
        """The values that each argument can take; those in question where it is a set."""
        actions = kind_actions(evaluator, self.kind, sets)
        found: dict[int, set[clingo.Symbol]] = {k: set() for k in range(self.arguments)}
        for action in actions:
            binding = unify(self.action, as_pattern(symbols.value(action)), {})
            if binding is None:
                continue
            for k in range(self.arguments):
                value = substitute(("v", f"A_{k}"), binding)
                found[k].add(ground(value))
        return {k: sorted(values) for k, values in found.items()}


def ground(value: Pattern) -> clingo.Symbol:
    """The symbol of a ground pattern."""
    if value[0] == "f":
        return clingo.Function(value[1], [ground(a) for a in value[2]])
    text = str(value[1])
    return clingo.Number(int(text)) if text.lstrip("-").isdigit() else clingo.Function(text)


def kind_actions(
    evaluator: Evaluator, kind: ActionKind, sets: Iterable[clingo.Symbol] = ()
) -> list[clingo.Symbol]:
    """All actions of a kind that the vocabulary knows, with these sets."""
    program = evaluator.complete(tuple(r for r in evaluator.rules if _declares(r, kind)))
    given = [clingo.Function("number", [clingo.Number(n)]) for n in range(100)]
    given += [clingo.Function("set", [name]) for name in sets]
    return [s.arguments[1] for s in Grounding(program, given).get("action", 2)]


def _declares(rule: Rule, kind: ActionKind) -> bool:
    head = rule.heads[0] if rule.heads else None
    return head is not None and head.signature == ("action", 2) and head.args == (kind.decision, kind.action)


def numbered(kind: ActionKind) -> tuple[Pattern, Pattern, int]:
    """The kind's action and decision with its arguments named ``A_0``, ``A_1`` and so on, and their number."""
    names = variables((kind.action,))
    binding: Substitution = {("v", n): ("v", f"A_{k}") for k, n in enumerate(names)}
    return substitute(kind.action, binding), substitute(kind.decision, binding), len(names)


def decisions_of(kinds: Iterable[ActionKind]) -> list[Pattern]:
    """The decisions at which such actions are done, each once."""
    return list({show(d): d for d in (numbered(k)[1] for k in kinds)}.values())


def specialise(rules: Sequence[Rule], kind: ActionKind, transition: int) -> Special:
    """The rules of a slice, specialised to one kind of action."""
    action, _, count = numbered(kind)
    carried, roles = _carried(rules, action)
    lines: list[tuple[Rule, str]] = []
    for rule in rules:
        head = rule.heads[0].signature
        if head in (("does", 2), ("question", 2)):
            continue
        line = _emit(rule, carried, roles, kind.index, transition, count)
        if line is not None:
            lines.append((rule, line))
    kept = [f"V{i}" for i in range(3) if i not in carried.get(("violates", 3), {})]
    name = f"violates__k{kind.index}" if ("violates", 3) in carried else "violates"
    violations = (
        (literal(f"{name}__{transition}", *("_" for _ in kept)),) if ("violates", 3) in carried else ()
    )
    return Special(kind, action, count, tuple(lines), violations)


def _carried(rules: Sequence[Rule], action: Pattern) -> tuple[Carried, dict[Signature, int]]:
    """The predicates whose arguments hold the action or a compound part of it, and where their role stands.

    A predicate carries only if all its rules hand the part on; where one builds such a term itself, as a place or a
    counter may look like an action, the term stays.
    """
    banned: set[tuple[Signature, int]] = {(("shift", 4), i) for i in range(4)} | {
        (("change", 2), i) for i in range(2)
    }
    banned |= {((name, 3), i) for name in ("gain", "lose") for i in range(3)} | {(("touched", 1), 0)}
    while True:
        carried: Carried = {(name, 2): {1: action} for name in ("submitted", "does", "question")}
        roles: dict[Signature, int] = dict.fromkeys(carried, 0)
        _spread(rules, carried, roles, banned)
        wrong = {
            (head.signature, i)
            for rule in rules
            for head in rule.heads
            if head.name not in ("submitted", "does", "question")
            for i in carried.get(head.signature, {})
            if not any(
                part == carried[head.signature][i] for k, part in _handed(rule, head, carried) if k == i
            )
            and _possible(rule, carried)
        }
        if not wrong:
            return carried, roles
        banned |= wrong


def _possible(rule: Rule, carried: Carried) -> bool:
    """Whether the rule can be about this kind at all."""
    return all(
        unify(atom.args[i], pattern, {}) is not None
        for atom in rule.positive
        for i, pattern in carried.get(atom.signature, {}).items()
    )


def _handed(rule: Rule, head: Atom, carried: Carried) -> list[tuple[int, Pattern]]:
    """What the rule hands on in its head: the argument's place and the part of the action."""
    found = []
    for atom in rule.positive:
        for position, pattern in carried.get(atom.signature, {}).items():
            for i, arg in enumerate(head.args):
                part = _part(arg, atom.args[position], pattern)
                if part is not None:
                    found.append((i, part))
    return found


def _spread(
    rules: Sequence[Rule], carried: Carried, roles: dict[Signature, int], banned: set[tuple[Signature, int]]
) -> None:
    """Follows the action from body to head until nothing new carries it."""
    changed = True
    while changed:
        changed = False
        for rule in rules:
            if not _possible(rule, carried):
                continue
            for head in rule.heads:
                for i, part in _handed(rule, head, carried):
                    known = carried.setdefault(head.signature, {})
                    if i in known or (head.signature, i) in banned:
                        continue
                    known[i] = part
                    changed = True
                    for atom in rule.positive:
                        role = atom.args[roles[atom.signature]] if atom.signature in roles else None
                        if role is not None and role in head.args:
                            roles.setdefault(head.signature, head.args.index(role))
    for signature in [s for s, positions in carried.items() if not positions]:
        del carried[signature]


def _part(arg: Pattern, term: Pattern, pattern: Pattern) -> Pattern | None:
    """The part of the carried pattern that a head's argument holds, if it is the whole or compound."""
    if unify(term, pattern, {}) is None:
        return None
    if arg == term and (arg[0] != "v" or pattern[0] != "v"):
        return pattern
    if arg[0] == "v":
        found = _at(arg, term, pattern)
        return found if found is not None and found[0] == "f" else None
    return None


def _at(variable: Pattern, term: Pattern, pattern: Pattern) -> Pattern | None:
    """The part of the pattern at the place where the variable stands in the term."""
    if term == variable:
        return pattern
    if term[0] == "f" and pattern[0] == "f" and len(term[2]) == len(pattern[2]):
        for x, y in zip(term[2], pattern[2], strict=True):
            found = _at(variable, x, y)
            if found is not None:
                return found
    return None


def _emit(
    rule: Rule, carried: Carried, roles: dict[Signature, int], index: int, transition: int, count: int
) -> str | None:
    """The rule specialised, or None where it cannot be about this kind."""
    text = text_of(rule.text)
    binding: Substitution | None = {}
    role = None
    carrying = [a for a in text.atoms if a.signature in carried and a.place in (POSITIVE, INNER)]
    for atom in text.of(POSITIVE):
        for position, pattern in carried.get(atom.signature, {}).items():
            binding = unify(atom.args[position], pattern, binding) if binding is not None else None
            if role is None and atom.signature in roles:
                role = text.arg(atom, roles[atom.signature])
    if binding is None:
        return None
    if not carrying and not any(a.signature in carried for a in text.of(HEAD, NEGATIVE)):
        return rule.text
    if not text.of(POSITIVE):
        return None
    acting = "Role_" if role is None or role == "_" else role

    def change(atom: Occurrence) -> str | None:
        dropped = carried.get(atom.signature)
        if dropped is None:
            return None
        kept = [text.arg(atom, i) for i in range(len(atom.spans)) if i not in dropped]
        if atom.name in ("submitted", "does", "question"):
            return f"does__{transition}({acting},{index})"
        return literal(f"{atom.name}__k{index}", *kept)

    replaced = {
        n[1]: show(substitute(n, binding)) for n in binding if n[0] == "v" and not n[1].startswith("A_")
    }
    line = text.build(change, replaced)
    used = set(TOKEN.findall(line))
    needed = []
    for k in range(count):
        value = show(substitute(("v", f"A_{k}"), binding))
        if value != f"A_{k}" or f"A_{k}" in used or _shared(k, count, binding):
            needed.append(f"arg__{transition}({acting},{index},{k},{value})")
    if needed and acting == "Role_":
        needed.append(f"does__{transition}(Role_,{index})")
    return text_of(line).build(more=needed)


def _shared(k: int, count: int, binding: Substitution) -> bool:
    """Whether another argument has to have the same value."""
    value = substitute(("v", f"A_{k}"), binding)
    return any(substitute(("v", f"A_{j}"), binding) == value for j in range(count) if j != k)
