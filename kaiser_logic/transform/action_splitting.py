"""Actions split into kind and arguments, mechanically (operator splitting).

An action such as ``buy(move,move(E,G,K,F,D))`` has thousands of ground instances. Where the position is open, it is a
kind and one choice for each argument instead: ``does(R,Kind)``, ``arg(R,Kind,I,Value)``. The rules stay as they are
written: each is specialised to the kind (by unification), the action's term vanishes from the atoms that carry it,
and the arguments that a rule mentions elsewhere come from ``arg``. For ``take(K)`` in transition 0, where ``enough/2``
carries the action, as all its rules hand it on:

>>> from kaiser_logic.rules.loader import parse_rules
>>> rules = parse_rules('''
...     enough(R,take(K)) :- question(R,take(K)), heap(N), K <= N.
...     enough(R,pass) :- question(R,pass).
...     violates(R,A,"enough") :- question(R,A), not enough(R,A).
...     shift(heap,taken(R),K,take) :- does(R,take(K)).
...     add(last(R)) :- does(R,_).''')
>>> take = ActionKind(7, ("c", "take"), ("f", "take", (("v", "K"),)), "")
>>> for rule, line in specialise(rules, take, 0).lines:
...     print(line)
enough__k7(R) :- does__0(R,7); heap(N); A_0 <= N; arg__0(R,7,0,A_0).
violates__k7(R,"enough") :- does__0(R,7); not enough__k7(R).
shift(heap,taken(R),A_0,take) :- does__0(R,7); arg__0(R,7,0,A_0).
add(last(R)) :- does__0(R,7).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from ..errors import NotDecided
from ..rules.pattern import Pattern, Signature, Substitution, anonymous, show, substitute, unify, variables
from ..rules.predicates import DOES, QUESTION, SUBMITTED, VIOLATES
from ..rules.reader import rule_of
from ..rules.rule import TOKEN, Atom, Occurrence, Rule
from ..rules.rulebook import ActionKind
from .rewrite import edit, literal

_ACTING: Final = (SUBMITTED, DOES, QUESTION)
_COUNTING: Final = (("shift", 4), ("change", 2), ("gain", 3), ("lose", 3), ("touched", 1))

_APART: Final = 3
"""So many groups of arguments that have nothing to do with one another are looked at one by one."""


@dataclass(frozen=True)
class Special:
    """The rules for one kind of action.

    Attributes:
        kind: The kind.
        action: Its pattern, with the arguments ``A_0``, ``A_1`` and so on.
        arguments: Their number.
        lines: Pairs of a rule and its specialised text.
        violations: The atoms that say that the action breaks a rule.
    """

    kind: ActionKind
    action: Pattern
    arguments: int
    lines: tuple[tuple[Rule, str], ...]
    violations: tuple[str, ...]


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
    carriers = Carriers(rules, action)
    lines: list[tuple[Rule, str]] = []
    for rule in rules:
        if rule.heads[0].signature not in (DOES, QUESTION):
            line = _Splitting(rule, carriers, kind.index, transition, count).line()
            if line is not None:
                lines += [(rule, part) for part in _apart(line, f"apart__k{kind.index}_{len(lines)}")]
    violations: tuple[str, ...] = ()
    if VIOLATES in carriers.parts:
        kept = ["_" for i in range(VIOLATES[1]) if i not in carriers.parts[VIOLATES]]
        violations = (literal(f"{VIOLATES[0]}__k{kind.index}__{transition}", *kept),)
    return Special(kind, action, count, tuple(lines), violations)


class Carriers:
    """The predicates whose arguments hold the action or a compound part of it.

    A predicate carries only if all its rules hand the part on; where one builds such a term itself, as a place or a
    counter may look like an action, the term stays.

    Attributes:
        parts: For each such predicate the positions of these arguments, each with the part of the action's pattern.
        roles: The position of the role that acts, for those predicates that have it.
    """

    def __init__(self, rules: Sequence[Rule], action: Pattern) -> None:
        """Spreads the action from bodies to heads, retracts what a rule contradicts, until nothing does."""
        self._rules = rules
        self._banned = {(signature, i) for signature in _COUNTING for i in range(signature[1])}
        self.parts: dict[Signature, dict[int, Pattern]]
        self.roles: dict[Signature, int]
        while True:
            self.parts = {signature: {1: action} for signature in _ACTING}
            self.roles = dict.fromkeys(_ACTING, 0)
            self.spread()
            if not self.retract():
                break

    def spread(self) -> None:
        """Follows the action from body to head until nothing new carries it."""
        grows = True
        while grows:
            about = (rule for rule in self._rules if self.allow(rule))
            grows = any([self._follow(rule, head) for rule in about for head in rule.heads])

    def retract(self) -> bool:
        """Bans the positions where a rule puts a term of its own, and says whether there are any."""
        wrong = {
            (head.signature, i)
            for rule in self._rules
            for head in rule.heads
            if head.signature not in _ACTING
            for i, part in self.parts.get(head.signature, {}).items()
            if (i, part) not in self._handed(rule, head) and self.allow(rule)
        }
        wrong |= {position for rule in self._rules if self.allow(rule) for position in self._apart(rule)}
        self._banned |= wrong
        return bool(wrong)

    def _apart(self, rule: Rule) -> Iterator[tuple[Signature, int]]:
        """Where a rule asks under ``not``, or in a sum, for another term than the part of the action that it is about."""
        held = [term for atom in rule.positive for term, _ in self.carried(atom)]
        for atom in (*rule.negative, *rule.inner):
            if atom.signature not in _ACTING:
                for i in self.parts.get(atom.signature, {}):
                    if atom.args[i] not in held and not anonymous(atom.args[i]):
                        yield atom.signature, i

    def carried(self, atom: Atom) -> Iterator[tuple[Pattern, Pattern]]:
        """The atom's arguments that hold a part of the action, each with that part."""
        for position, part in self.parts.get(atom.signature, {}).items():
            yield atom.args[position], part

    def allow(self, rule: Rule) -> bool:
        """Whether the rule can be about this kind of action at all."""
        held = (pair for atom in rule.positive for pair in self.carried(atom))
        return all(unify(arg, part, {}) is not None for arg, part in held)

    def _follow(self, rule: Rule, head: Occurrence) -> bool:
        """Notes what a rule hands on to its head, and says whether that is new."""
        known = self.parts.get(head.signature, {})
        new = False
        for i, part in self._handed(rule, head):
            if i not in known and (head.signature, i) not in self._banned:
                known[i] = part
                new = True
        if new:
            self.parts[head.signature] = known
            acting = (a.args[self.roles[a.signature]] for a in rule.positive if a.signature in self.roles)
            role = next((r for r in acting if r in head.args), None)
            if role is not None:
                self.roles.setdefault(head.signature, head.args.index(role))
        return new

    def _handed(self, rule: Rule, head: Occurrence) -> list[tuple[int, Pattern]]:
        """What the rule hands on in its head: the argument's position and the part of the action."""
        held = [pair for atom in rule.positive for pair in self.carried(atom)]
        found = ((i, _part(arg, term, part)) for term, part in held for i, arg in enumerate(head.args))
        return [(i, part) for i, part in found if part is not None]


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


def _apart(line: str, name: str) -> list[str]:
    """A line about many arguments in lines about those that have to do with one another.

    Joined in one rule, arguments that are independent of one another would be listed in all their combinations.

    >>> text = "ok(R) :- does__0(R,7); red(A_0); big(A_1); new(A_2)"
    >>> chosen = "arg__0(R,7,0,A_0); arg__0(R,7,1,A_1); arg__0(R,7,2,A_2)."
    >>> _apart(f"{text}; {chosen}", "apart__k7_0")[0]
    'apart__k7_0_0(R) :- does__0(R,7); red(A_0); arg__0(R,7,0,A_0).'
    """
    rule = rule_of(line)
    acting = next((a for a in rule.positive if a.name.startswith("does__") and a.args[0][0] == "v"), None)
    if acting is None or line.count("arg__") < _APART:
        return [line]
    role = rule.argument(acting, 0)
    head = {t for h in rule.heads for t in TOKEN.findall(rule.part(h.start, h.end)) if _is_variable(t)} | {
        "_"
    }
    doing = rule.part(acting.start, acting.end)
    groups: list[tuple[set[str], list[str]]] = []
    for found in rule.literals:
        if found.text == doing:
            continue
        used = {t for t in TOKEN.findall(found.text) if _is_variable(t)} - {role}
        linked = [g for g in groups if g[0] & used]
        groups = [g for g in groups if not g[0] & used]
        groups.append((used.union(*(g[0] for g in linked)), [*(x for g in linked for x in g[1]), found.text]))
    own = [g for g in groups if not g[0] & head and any("arg__" in x for x in g[1])]
    if len(own) < _APART:
        return [line]
    rest = [x for g in groups if g not in own for x in g[1]]
    lines = [f"{name}_{k}({role}) :- {doing}; {'; '.join(g[1])}." for k, g in enumerate(own)]
    heads = "; ".join(rule.part(h.start, h.end) for h in rule.heads)
    whole = "; ".join([doing, *rest, *(f"{name}_{k}({role})" for k in range(len(own)))])
    return [*lines, f"{heads} :- {whole}."]


def _is_variable(token: str) -> bool:
    return token.lstrip("_")[:1].isupper()


class _Splitting:
    """One rule and how it is specialised to a kind of action."""

    def __init__(self, rule: Rule, carriers: Carriers, kind: int, transition: int, count: int) -> None:
        self._rule, self._carriers = rule, carriers
        self._kind, self._transition, self._count = kind, transition, count
        acting = (a for a in rule.positive if a.signature in carriers.roles)
        role = next((rule.argument(a, carriers.roles[a.signature]) for a in acting), "_")
        self._role = "Role_" if role == "_" else role

    def line(self) -> str | None:
        """The rule specialised, or None where it cannot be about this kind."""
        rule, parts = self._rule, self._carriers.parts
        binding: Substitution | None = {}
        for arg, part in (pair for atom in rule.positive for pair in self._carriers.carried(atom)):
            binding = unify(arg, part, binding) if binding is not None else None
        if binding is None:
            return None
        if all(a.signature not in parts for a in rule.atoms):
            return rule.text
        held = [arg for atom in rule.positive for arg, _ in self._carriers.carried(atom)]
        for atom in (*rule.negative, *rule.inner):
            if atom.signature in _ACTING and atom.args[1] not in held:
                where = f"{rule.file}:{rule.line}"
                raise NotDecided(f"what somebody does is asked for under 'not' or in a sum: {where}")
        if not rule.positive:
            return None
        named = {n[1]: show(substitute(n, binding)) for n in binding if not n[1].startswith("A_")}
        line = edit(rule, self._without_action, named)
        needed = list(self._arguments(set(TOKEN.findall(line)), binding))
        if needed and self._role == "Role_":
            needed.append(f"does__{self._transition}(Role_,{self._kind})")
        return edit(rule_of(line), more=needed)

    def _without_action(self, atom: Occurrence) -> str | None:
        """The text of an atom that carries the action, without it."""
        dropped = self._carriers.parts.get(atom.signature)
        if dropped is None:
            return None
        if atom.signature in _ACTING:
            return f"does__{self._transition}({self._role},{self._kind})"
        kept = [self._rule.argument(atom, i) for i in range(len(atom.args)) if i not in dropped]
        return literal(f"{atom.name}__k{self._kind}", *kept)

    def _arguments(self, used: set[str], binding: Substitution) -> Iterator[str]:
        """The atoms for the arguments that the rule mentions, or that it wants to have a certain value."""
        values = [substitute(("v", f"A_{k}"), binding) for k in range(self._count)]
        for k, value in enumerate(values):
            if show(value) != f"A_{k}" or f"A_{k}" in used or values.count(value) > 1:
                yield f"arg__{self._transition}({self._role},{self._kind},{k},{show(value)})"
