"""Splits actions into a kind and one choice for each argument (operator splitting).

An action such as ``buy(move,move(E,G,K,F,D))`` has thousands of ground instances. In an open position it is a kind and one
choice for each argument instead: ``does(R,Kind)``, ``arg(R,Kind,I,Value)``. The rules need not be rewritten for this:
each is specialised to the kind (by unification), the action's term vanishes from the atoms that hold it,
and ``arg`` gives the arguments that a rule mentions elsewhere. For ``take(K)`` in transition 0, where ``enough/2``
holds the action, because all its rules pass it on:

>>> from kaiser_logic.lang.printer import show
>>> from kaiser_logic.lang.printed import Printed
>>> from kaiser_logic.rules.loader import parse_rules
>>> from kaiser_logic.rules.reader import read_term
>>> rules = parse_rules('''
...     enough(R,take(K)) :- candidate(R,take(K)), heap(N), K <= N.
...     enough(R,pass) :- candidate(R,pass).
...     violates(R,A,"enough") :- candidate(R,A), not enough(R,A).
...     shift(heap,taken(R),K,take) :- does(R,take(K)).
...     add(last(R)) :- does(R,_).''')
>>> take = ActionKind(7, read_term("take"), read_term("take(K)"), Printed("action(take,take(K))."))
>>> for _, special in specialise(rules, take, 0).rules:
...     print(show(special))
enough__k7(R) :- does__0(R,7); heap(N); A_0 <= N; arg__0(R,7,0,A_0).
violates__k7(R,"enough") :- does__0(R,7); not enough__k7(R).
shift(heap,taken(R),A_0,take) :- does__0(R,7); arg__0(R,7,0,A_0).
add(last(R)) :- does__0(R,7).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from ..errors import NotDecided
from ..lang import terms as lang
from ..lang.algebra import occurrences, rebuilt, rebuilt_literal, substitute_term, variables
from ..lang.terms import ANY, Compare, Either, Int, Literal, Signature, Term, Var
from ..lang.unification import Binding, resolve, resolve_to_depth, unify
from ..rules.fresh import ROLE, argument, is_argument
from ..rules.predicates import CANDIDATE, DOES, VIOLATES
from ..rules.reader import is_anonymous
from ..rules.rule import Occurrence, PlacedRule
from ..rules.rulebook import ActionKind
from .action_predicates import ACTING, ActionPredicates, separate_evaluable_terms

L = TypeVar("L", bound=Literal)

_APART: Final = 3
"""The largest number of independent groups of arguments that are processed one by one."""
_DOES: Final = "does__"
_CHOSEN: Final = "arg__"


@dataclass(frozen=True)
class Special:
    """The rules for one kind of action.

    Attributes:
        kind: The kind.
        action: Its pattern, with the arguments ``A_0``, ``A_1`` and so on.
        arguments: Their number.
        rules: Pairs of a rule and its specialised form.
    """

    kind: ActionKind
    action: Term
    arguments: int
    rules: tuple[tuple[PlacedRule, lang.Rule], ...]


def number_arguments(kind: ActionKind) -> tuple[Term, Term, int]:
    """The action and the decision of a kind with the arguments ``A_0``, ``A_1`` and so on, and their number."""
    names = variables(kind.action)
    binding: Binding = {n: Var(argument(k)) for k, n in enumerate(names)}
    return resolve_to_depth(kind.action, binding), resolve_to_depth(kind.decision, binding), len(names)


def specialise(
    rules: Sequence[PlacedRule], kind: ActionKind, transition: int, together: Sequence[ActionKind] = ()
) -> Special:
    """The rules of a slice, specialised to one kind of action.

    Args:
        rules: The slice.
        kind: The kind.
        transition: The number of the transition.
        together: All kinds at that decision, if several roles may make it at the same time.

    Raises:
        NotDecided: A rule uses actions in a way that cannot be split.
    """
    action, _, count = number_arguments(kind)
    others = [number_arguments(k)[0] for k in together if k.index != kind.index]
    plain, carried, foreign = separate_evaluable_terms(rules, action, others if together else None)
    found: list[tuple[PlacedRule, lang.Rule]] = []
    for original, rule in zip(rules, plain, strict=True):
        if rule.heads[0].signature not in (DOES, CANDIDATE):
            special = _Splitting(rule, carried, kind, transition, _Others(tuple(others), foreign)).rule()
            if special is not None:
                if rule.heads[0].signature == VIOLATES and VIOLATES not in carried.parts:
                    raise NotDecided(
                        f"a rule is broken by another action than it is about: {rule.file}:{rule.line}"
                    )
                found += [
                    (original, part) for part in _split_rule(special, f"apart__k{kind.index}_{len(found)}")
                ]
    return Special(kind, action, count, tuple(found))


def _split_rule(rule: lang.Rule, name: str) -> list[lang.Rule]:
    """Splits a rule about many arguments into rules about arguments that depend on each other.

    In one rule, independent arguments would be listed in all their combinations.

    >>> from kaiser_logic.lang.printer import show
    >>> from kaiser_logic.lang.reader import read_rule
    >>> text = "ok(R) :- does__0(R,7); red(A_0); big(A_1); new(A_2)"
    >>> chosen = "arg__0(R,7,0,A_0); arg__0(R,7,1,A_1); arg__0(R,7,2,A_2)."
    >>> show(_split_rule(read_rule(f"{text}; {chosen}"), "apart__k7_0")[0])
    'apart__k7_0_0(R) :- does__0(R,7); red(A_0); arg__0(R,7,0,A_0).'
    """
    doing = next((x for x in rule.body if _is_of_one(x)), None)
    if doing is None or sum(map(_is_chosen, rule.body)) < _APART:
        return [rule]
    (role,) = variables(doing)
    head = set(variables(rule.head))
    groups: list[tuple[set[str], list[Literal]]] = []
    for literal in rule.body:
        if literal == doing:
            continue
        used = set(variables(literal)) - {role}
        linked = [g for g in groups if g[0] & used]
        groups = [g for g in groups if not g[0] & used]
        groups.append((used.union(*(g[0] for g in linked)), [*(x for g in linked for x in g[1]), literal]))
    own = [g for g in groups if not g[0] & head and any(map(_is_chosen, g[1]))]
    if len(own) < _APART:
        return [rule]
    rest = [x for g in groups if g not in own for x in g[1]]
    parts = [lang.Atom(f"{name}_{k}", (Var(role),)) for k in range(len(own))]
    rules = [lang.Rule(part, (doing, *g[1])) for part, g in zip(parts, own, strict=True)]
    return [*rules, lang.Rule(rule.head, (doing, *rest, *parts))]


def _is_of_one(literal: Literal) -> bool:
    """Whether a literal says that a role, given by a variable, acts."""
    if not isinstance(literal, lang.Atom) or literal.sign or not literal.name.startswith(_DOES):
        return False
    return isinstance(literal.args[0], Var) and literal.args[0] != ANY


def _is_chosen(literal: Literal) -> bool:
    """Whether a literal gives an argument of the action."""
    return isinstance(literal, lang.Atom) and literal.name.startswith(_CHOSEN)


@dataclass(frozen=True)
class _Actor:
    """The role whose action some atoms of a rule hold."""

    role: Term
    named: bool
    atoms: list[Occurrence]
    arguments: tuple[str, ...]


def _nobody(number: int) -> Var:
    """The variable for a role that a rule does not name."""
    return Var(f"Role_{number}_" if number else ROLE)


@dataclass(frozen=True)
class _Others:
    """The other actions of a simultaneous decision.

    Attributes:
        actions: The patterns of other kinds.
        carriers: The predicates that hold only these, with the positions of the roles.
    """

    actions: tuple[Term, ...]
    carriers: dict[Signature, int]


class _Splitting:
    """One rule, and how it is specialised to a kind of action."""

    def __init__(
        self, rule: PlacedRule, carriers: ActionPredicates, kind: ActionKind, transition: int, others: _Others
    ) -> None:
        self._rule, self._carriers = rule, carriers
        self._kind, self._transition, self._others = kind.index, transition, others
        self._action, _, count = number_arguments(kind)
        self._actors = list(self._acting(count))
        self._actor_at = {atom.number: actor for actor in self._actors for atom in actor.atoms}

    def _acting(self, count: int) -> Iterator[_Actor]:
        """The roles whose actions the rule is about: one, unless several roles act at the same time."""
        carriers, atoms_by_role = self._carriers, dict[tuple[Term, int], list[Occurrence]]()
        for atom in (a for a in self._rule.positive if a.signature in carriers.parts):
            place = carriers.roles.get(atom.signature)
            role = ANY if place is None or is_anonymous(atom.args[place]) else atom.args[place]
            atoms_by_role.setdefault((role, atom.number if role == ANY else 0), []).append(atom)
        if not carriers.together:
            role = next((role for role, _ in atoms_by_role if role != ANY), ANY)
            atoms_by_role = {(role, 0): [a for atoms in atoms_by_role.values() for a in atoms]}
        for n, ((role, _), atoms) in enumerate(atoms_by_role.items()):
            named = _nobody(n) if role == ANY else role
            yield _Actor(named, role != ANY, atoms, tuple(argument(k, n) for k in range(count)))

    def rule(self) -> lang.Rule | None:
        """The rule specialised, or None if it cannot be about this kind."""
        rule, carriers = self._rule, self._carriers
        if self._is_mixed():
            raise NotDecided(f"what several do at the same time meets in a rule: {self._where()}")
        if self._about_others():
            return None
        binding: Binding | None = {}
        for actor in self._actors:
            pairs = ((argument(k), name) for k, name in enumerate(actor.arguments))
            own: Binding = {x: Var(name) for x, name in pairs if x != name}
            for arg, part in (pair for atom in actor.atoms for pair in carriers.parts_held(atom)):
                binding = unify(arg, resolve(part, own), binding) if binding is not None else None
        if binding is None:
            return None
        if all(a.signature not in carriers.parts for a in rule.atoms):
            return rule.value
        atoms_by_role = {
            (a.role, term) for a in self._actors for x in a.atoms for term, _ in carriers.parts_held(x)
        }
        for atom in (a for a in (*rule.negative, *rule.inner) if a.signature in ACTING):
            anyone = is_anonymous(atom.args[0]) and not carriers.together
            roles = [a.role for a in self._actors] if anyone else [atom.args[0]]
            if not any((role, atom.args[1]) in atoms_by_role for role in roles):
                raise NotDecided(f"what somebody does is asked for under 'not' or in a sum: {self._where()}")
        if not rule.positive:
            return None
        # the role may be one of the action's arguments, too: what is put in its place is put everywhere
        named = {n: resolve(Var(n), binding) for n in binding if not is_argument(n)}
        found = self._without_actions(named)
        more: list[Literal] = []
        for actor in self._actors:
            role = substitute_term(actor.role, named)
            equations = list(self._role_equations(actor, role, named))
            chosen = list(self._arguments(actor, role, {*variables(found, role, *equations)}, binding))
            more += [*chosen, *([self._does(role)] if chosen and not actor.named else []), *equations]
        return _with_anonymous(lang.Rule(found.head, (*found.body, *more)))

    def _role_equations(self, actor: _Actor, role: Term, named: Mapping[str, Term]) -> Iterator[Literal]:
        """Replaces a rule's other names for the acting role, if only one role acts; atoms that name it lose the role."""
        acting = [a for a in actor.atoms if a.signature in ACTING]
        for term in dict.fromkeys(a.args[0] for a in acting):
            other = substitute_term(term, named)
            if not is_anonymous(term) and other != role:
                yield Compare(other, "=", role)

    def _is_mixed(self) -> bool:
        """Whether the rule is about several actions that may be of several kinds, this one among them."""
        others = self._others.actions
        terms = [[x.args[1] for x in a.atoms if x.signature in ACTING] for a in self._actors]
        own = [all(unify(t, self._action, {}) is not None for t in ts) for ts in terms]
        theirs = self._about_others()
        if theirs:
            return any(can and a.role not in theirs for can, a in zip(own, self._actors, strict=True))
        other = [not ts or any(all(unify(t, o, {}) is not None for t in ts) for o in others) for ts in terms]
        return len(terms) > 1 and bool(others) and any(own) and any(other)

    def _about_others(self) -> set[Term]:
        """The roles whose actions, of other kinds only, the rule needs."""
        places = self._others.carriers
        return {a.args[places[a.signature]] for a in self._rule.positive if a.signature in places}

    def _where(self) -> str:
        return f"{self._rule.file}:{self._rule.line}"

    def _does(self, role: Term, sign: int = 0) -> lang.Atom:
        return lang.Atom(f"{_DOES}{self._transition}", (role, Int(self._kind)), sign)

    def _without_actions(self, named: Mapping[str, Term]) -> lang.Rule:
        """The rule with other terms in place of variables; no atom of the result holds the action."""
        value = self._rule.value

        def replace(term: Term) -> Term:
            return named.get(term.name, term) if isinstance(term, Var) else term

        positive = iter(self._rule.positive)
        body: list[Literal] = []
        for literal in value.body:
            if isinstance(literal, lang.Atom) and not literal.sign:
                actor = self._actor_at.get(next(positive).number)
                role = substitute_term(actor.role, named) if actor is not None else None
                body.append(self._without_action(rebuilt_literal(literal, replace), role))
            else:
                body.append(self._same_name(rebuilt_literal(literal, replace, self._without_action)))
        assert isinstance(value.head, lang.Atom | Either)
        head = self._same_name(rebuilt_literal(value.head, replace, self._without_action))
        return lang.Rule(head, tuple(body))

    def _same_name(self, literal: L) -> L:
        """A literal in which the atoms of a pool still have one name."""
        if isinstance(literal, Either) and len({atom.name for atom in literal.atoms}) > 1:
            raise NotDecided(f"each atom of a pool needs a rule of its own: {self._where()}")
        return literal

    def _without_action(self, atom: lang.Atom, role: Term | None = None) -> lang.Atom:
        """An atom without the action that it holds; ``role``: the role of that action."""
        carriers = self._carriers
        dropped = carriers.parts.get(atom.signature)
        if dropped is None:
            return atom
        if atom.signature in ACTING:
            return self._does(atom.args[0] if role is None else role, atom.sign)
        place = carriers.roles.get(atom.signature) if carriers.together else None
        args = [role if role is not None and i == place else arg for i, arg in enumerate(atom.args)]
        kept = tuple([arg for i, arg in enumerate(args) if i not in dropped])
        return lang.Atom(f"{atom.name}__k{self._kind}", kept, atom.sign)

    def _arguments(self, actor: _Actor, role: Term, used: set[str], binding: Binding) -> Iterator[lang.Atom]:
        """The atoms for the arguments that the rule mentions, or for which it requires a value."""
        every = [resolve(Var(name), binding) for a in self._actors for name in a.arguments]
        for k, name in enumerate(actor.arguments):
            value = resolve(Var(name), binding)
            if value != Var(name) or name in used or every.count(value) > 1:
                place = role, Int(self._kind), Int(k), value
                yield lang.Atom(f"{_CHOSEN}{self._transition}", place)


def _with_anonymous(rule: lang.Rule) -> lang.Rule:
    """A rule with ``_`` for the variables of patterns that stand for it, or with a name for those that occur again."""
    times = Counter(name for name in occurrences(rule) if is_anonymous(Var(name)))
    if not times:
        return rule
    put = {name: ANY if n == 1 else Var(f"Any{name}_") for name, n in times.items()}
    return rebuilt(rule, lambda term: put.get(term.name, term) if isinstance(term, Var) else term)
