"""Splits actions into a kind and one choice for each argument (operator splitting).

An action such as ``buy(move,move(E,G,K,F,D))`` has thousands of ground instances. Where the position is open, it is a
kind and one choice for each argument instead: ``does(R,Kind)``, ``arg(R,Kind,I,Value)``. The rules stay as they are
written: each is specialised to the kind (by unification), the action's term vanishes from the atoms that carry it,
and the arguments that a rule mentions elsewhere come from ``arg``. For ``take(K)`` in transition 0, where ``enough/2``
carries the action, as all its rules hand it on:

>>> from kaiser_logic.rules.loader import parse_rules
>>> from kaiser_logic.rules.reader import read_term
>>> rules = parse_rules('''
...     enough(R,take(K)) :- candidate(R,take(K)), heap(N), K <= N.
...     enough(R,pass) :- candidate(R,pass).
...     violates(R,A,"enough") :- candidate(R,A), not enough(R,A).
...     shift(heap,taken(R),K,take) :- does(R,take(K)).
...     add(last(R)) :- does(R,_).''')
>>> take = ActionKind(7, read_term("take"), read_term("take(K)"), "")
>>> for rule, line in specialise(rules, take, 0).lines:
...     print(line)
enough__k7(R) :- does__0(R,7); heap(N); A_0 <= N; arg__0(R,7,0,A_0).
violates__k7(R,"enough") :- does__0(R,7); not enough__k7(R).
shift(heap,taken(R),A_0,take) :- does__0(R,7); arg__0(R,7,0,A_0).
add(last(R)) :- does__0(R,7).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ..errors import NotDecided
from ..lang.algebra import variables
from ..lang.printer import show_term
from ..lang.terms import Signature, Term, Var
from ..lang.unification import Binding, resolve_to_depth, unify
from ..rules.fresh import ROLE, argument, is_argument
from ..rules.predicates import CANDIDATE, DOES, VIOLATES
from ..rules.reader import is_anonymous, rule_of
from ..rules.rule import TOKEN, Occurrence, Rule
from ..rules.rulebook import ActionKind
from .carriers import ACTING, Carriers
from .evaluable_terms import separate_evaluable_terms
from .rewrite import edit, literal, substituted

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
    action: Term
    arguments: int
    lines: tuple[tuple[Rule, str], ...]
    violations: tuple[str, ...]


def numbered(kind: ActionKind) -> tuple[Term, Term, int]:
    """The kind's action and decision with its arguments named ``A_0``, ``A_1`` and so on, and their number."""
    names = variables(kind.action)
    binding: Binding = {n: Var(argument(k)) for k, n in enumerate(names)}
    return resolve_to_depth(kind.action, binding), resolve_to_depth(kind.decision, binding), len(names)


def specialise(
    rules: Sequence[Rule], kind: ActionKind, transition: int, together: Sequence[ActionKind] = ()
) -> Special:
    """The rules of a slice, specialised to one kind of action.

    Args:
        rules: The slice.
        kind: The kind.
        transition: The number of the moment.
        together: All kinds at that decision, if several roles may make it at the same time.

    Raises:
        NotDecided: A rule asks for what somebody does in a way that cannot be split.
    """
    action, _, count = numbered(kind)
    others = [numbered(k)[0] for k in together if k.index != kind.index]
    plain, carried, foreign = separate_evaluable_terms(rules, action, others if together else None)
    lines: list[tuple[Rule, str]] = []
    for said, rule in zip(rules, plain, strict=True):
        if rule.heads[0].signature not in (DOES, CANDIDATE):
            line = _Splitting(rule, carried, kind, transition, _Others(tuple(others), foreign)).line()
            if line is not None:
                if rule.heads[0].signature == VIOLATES and VIOLATES not in carried.parts:
                    raise NotDecided(
                        f"a rule is broken by another action than it is about: {rule.file}:{rule.line}"
                    )
                lines += [(said, part) for part in _apart(line, f"apart__k{kind.index}_{len(lines)}")]
    violations: tuple[str, ...] = ()
    if VIOLATES in carried.parts:
        kept = ["_" for i in range(VIOLATES[1]) if i not in carried.parts[VIOLATES]]
        violations = (literal(f"{VIOLATES[0]}__k{kind.index}__{transition}", *kept),)
    return Special(kind, action, count, tuple(lines), violations)


def _apart(line: str, name: str) -> list[str]:
    """A line about many arguments in lines about those that have to do with one another.

    Joined in one rule, arguments that are independent of one another would be listed in all their combinations.

    >>> text = "ok(R) :- does__0(R,7); red(A_0); big(A_1); new(A_2)"
    >>> chosen = "arg__0(R,7,0,A_0); arg__0(R,7,1,A_1); arg__0(R,7,2,A_2)."
    >>> _apart(f"{text}; {chosen}", "apart__k7_0")[0]
    'apart__k7_0_0(R) :- does__0(R,7); red(A_0); arg__0(R,7,0,A_0).'
    """
    rule = rule_of(line)
    acting = next(
        (a for a in rule.positive if a.name.startswith("does__") and isinstance(a.args[0], Var)), None
    )
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


@dataclass(frozen=True)
class _Actor:
    """The role whose action some atoms of a rule carry.

    Attributes:
        role: The role, as text.
        named: Whether the rule names it.
        atoms: The atoms.
        arguments: What the action's arguments are called.
    """

    role: str
    named: bool
    atoms: list[Occurrence]
    arguments: tuple[str, ...]


def _nobody(number: int) -> str:
    """The name for a role that a rule does not name."""
    return f"Role_{number}_" if number else ROLE


@dataclass(frozen=True)
class _Others:
    """The other actions of a simultaneous decision.

    Attributes:
        actions: The patterns of other kinds.
        carriers: The predicates that carry only these, with the positions of the roles.
    """

    actions: tuple[Term, ...]
    carriers: dict[Signature, int]


class _Splitting:
    """One rule and how it is specialised to a kind of action."""

    def __init__(
        self, rule: Rule, carriers: Carriers, kind: ActionKind, transition: int, others: _Others
    ) -> None:
        self._rule, self._carriers = rule, carriers
        self._kind, self._transition, self._others = kind.index, transition, others
        self._action, _, count = numbered(kind)
        self._actors = list(self._acting(count))
        self._roles = {atom.start: actor.role for actor in self._actors for atom in actor.atoms}

    def _acting(self, count: int) -> Iterator[_Actor]:
        """The roles whose actions the rule is about: one, unless several roles act at the same time."""
        carriers, atoms_by_role = self._carriers, dict[tuple[str, int], list[Occurrence]]()
        for atom in (a for a in self._rule.positive if a.signature in carriers.parts):
            place = carriers.roles.get(atom.signature)
            role = "_" if place is None else self._rule.argument(atom, place)
            atoms_by_role.setdefault((role, atom.start if role == "_" else 0), []).append(atom)
        if not carriers.together:
            role = next((role for role, _ in atoms_by_role if role != "_"), "_")
            atoms_by_role = {(role, 0): [a for atoms in atoms_by_role.values() for a in atoms]}
        for n, ((role, _), atoms) in enumerate(atoms_by_role.items()):
            named = _nobody(n) if role == "_" else role
            yield _Actor(named, role != "_", atoms, tuple(argument(k, n) for k in range(count)))

    def line(self) -> str | None:
        """The rule specialised, or None where it cannot be about this kind."""
        rule, carriers = self._rule, self._carriers
        if self._mixed():
            raise NotDecided(f"what several do at the same time meets in a rule: {self._where()}")
        if self._about_others():
            return None
        binding: Binding | None = {}
        for actor in self._actors:
            pairs = ((argument(k), name) for k, name in enumerate(actor.arguments))
            own: Binding = {x: Var(name) for x, name in pairs if x != name}
            for arg, part in (pair for atom in actor.atoms for pair in carriers.carried(atom)):
                binding = unify(arg, resolve_to_depth(part, own), binding) if binding is not None else None
        if binding is None:
            return None
        if all(a.signature not in carriers.parts for a in rule.atoms):
            return rule.text
        atoms_by_role = {
            (a.role, term) for a in self._actors for x in a.atoms for term, _ in carriers.carried(x)
        }
        for atom in (a for a in (*rule.negative, *rule.inner) if a.signature in ACTING):
            anyone = is_anonymous(atom.args[0]) and not carriers.together
            roles = [a.role for a in self._actors] if anyone else [rule.argument(atom, 0)]
            if not any((role, atom.args[1]) in atoms_by_role for role in roles):
                raise NotDecided(f"what somebody does is asked for under 'not' or in a sum: {self._where()}")
        if not rule.positive:
            return None
        named = {n: show_term(resolve_to_depth(Var(n), binding)) for n in binding if not is_argument(n)}
        line = edit(rule, self._without_action, named)
        needed: list[str] = []
        for actor in self._actors:
            # the role may be one of the action's arguments, too: what is put in its place is put everywhere
            role = substituted(actor.role, named)
            alike = list(self._alike(actor, role, named))
            chosen = list(
                self._arguments(actor, role, {*TOKEN.findall("; ".join([line, role, *alike]))}, binding)
            )
            needed += [*chosen, *([self._does(role)] if chosen and not actor.named else []), *alike]
        return edit(rule_of(line), more=needed)

    def _alike(self, actor: _Actor, role: str, named: Mapping[str, str]) -> Iterator[str]:
        """That a rule's other names for a role are this one's, where only one acts: atoms that say so lose theirs."""
        acting = [a for a in actor.atoms if a.signature in ACTING]
        for text in dict.fromkeys(self._rule.argument(a, 0) for a in acting):
            other = substituted(text, named)
            if text != "_" and other != role:
                yield f"{other} = {role}"

    def _mixed(self) -> bool:
        """Whether the rule is about several actions that may be of several kinds, this one among them."""
        others = self._others.actions
        terms = [[x.args[1] for x in a.atoms if x.signature in ACTING] for a in self._actors]
        own = [all(unify(t, self._action, {}) is not None for t in ts) for ts in terms]
        theirs = self._about_others()
        if theirs:
            return any(can and a.role not in theirs for can, a in zip(own, self._actors, strict=True))
        other = [not ts or any(all(unify(t, o, {}) is not None for t in ts) for o in others) for ts in terms]
        return len(terms) > 1 and bool(others) and any(own) and any(other)

    def _about_others(self) -> set[str]:
        """The roles by whose actions, of other kinds only, the rule asks for something."""
        places = self._others.carriers
        return {
            self._rule.argument(a, places[a.signature]) for a in self._rule.positive if a.signature in places
        }

    def _where(self) -> str:
        return f"{self._rule.file}:{self._rule.line}"

    def _does(self, role: str) -> str:
        return f"does__{self._transition}({role},{self._kind})"

    def _without_action(self, atom: Occurrence) -> str | None:
        """The text of an atom that carries the action, without it."""
        carriers = self._carriers
        dropped = carriers.parts.get(atom.signature)
        if dropped is None:
            return None
        role = self._roles.get(atom.start)
        if atom.signature in ACTING:
            return self._does(self._rule.argument(atom, 0) if role is None else role)
        place = carriers.roles.get(atom.signature) if carriers.together and role is not None else None
        args = [role if i == place else self._rule.argument(atom, i) for i in range(len(atom.args))]
        kept = [str(a) for i, a in enumerate(args) if i not in dropped]
        return literal(f"{atom.name}__k{self._kind}", *kept)

    def _arguments(self, actor: _Actor, role: str, used: set[str], binding: Binding) -> Iterator[str]:
        """The atoms for the arguments that the rule mentions, or that it wants to have a certain value."""
        every = [resolve_to_depth(Var(name), binding) for a in self._actors for name in a.arguments]
        for k, name in enumerate(actor.arguments):
            value = resolve_to_depth(Var(name), binding)
            if show_term(value) != name or name in used or every.count(value) > 1:
                yield f"arg__{self._transition}({role},{self._kind},{k},{show_term(value)})"
