"""The predicates whose arguments hold an action, or a part of it, and the role."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Final

from ..lang import terms as lang
from ..lang.terms import Compare, Fun, Literal, Signature, Term, Var
from ..lang.unification import unify
from ..rules.predicates import CANDIDATE, DOES, SUBMITTED
from ..rules.reader import is_anonymous, rewrite_rule
from ..rules.rule import Occurrence, PlacedRule, SimpleAtom

ACTING: Final = (SUBMITTED, DOES, CANDIDATE)
"""The predicates for actions done or submitted: the first argument is the role, the second one the action."""
_COUNTING: Final = (("shift", 4), ("change", 2), ("gain", 3), ("lose", 3), ("touched", 1))


class ActionPredicates:
    """The predicates whose arguments hold the action or a compound part of it.

    A predicate belongs to these only if all its rules pass the part on. If a rule builds such a term itself (a place or a
    counter may look like an action), the term stays.

    Attributes:
        parts: For each such predicate the positions of these arguments, each with the part of the action's pattern.
        roles: The position of the acting role, for the predicates that have it.
        together: Whether several roles may act at the same time.
        banned: The arguments of these predicates that hold no part of it.
    """

    def __init__(
        self,
        rules: Sequence[PlacedRule],
        action: Term,
        together: Sequence[PlacedRule] = (),
        banned: Collection[tuple[Signature, int]] = (),
    ) -> None:
        """Propagates the action from bodies to heads, and retracts what a rule contradicts, until nothing changes.

        Args:
            rules: The rules.
            action: The action's pattern.
            together: Whether several roles may act. Then only predicates that also pass on the role hold its action; others may
                ask for all actions.
            banned: Arguments that hold no part of this action, nor of another action that may be done at the same time.
        """
        self._rules = rules
        self.together, self._asking = bool(together), together or rules
        self._roleless: set[Signature] = set()
        self.banned = {(signature, i) for signature in _COUNTING for i in range(signature[1])} | {*banned}
        self.parts: dict[Signature, dict[int, Term]]
        self.roles: dict[Signature, int]
        while True:
            self.parts = {signature: {1: action} for signature in ACTING}
            self.roles = dict.fromkeys(ACTING, 0)
            self.spread()
            if not self.retract():
                break

    def spread(self) -> None:
        """Follows the action from body to head until no new predicate holds it."""
        grows = True
        while grows:
            about = (rule for rule in self._rules if self.allow(rule))
            grows = any([self._follow(rule, head) for rule in about for head in rule.heads])

    def retract(self) -> bool:
        """Bans the positions at which a rule has a term of its own, and says whether there are any."""
        wrong = {
            (head.signature, i)
            for rule in self._rules
            for head in rule.heads
            if head.signature not in ACTING
            for i, part in self.parts.get(head.signature, {}).items()
            if (i, part) not in self._part_in_head(rule, head, self.roles.get(head.signature))
            and self.allow(rule)
        }
        asking = (rule for rule in self._asking if self.together or self.allow(rule))
        wrong |= {position for rule in asking for position in self._arguments_apart(rule)}
        self.banned |= wrong
        other = {
            h.signature
            for rule in self._rules
            if self.allow(rule)
            for h in rule.heads
            if self._another(rule, h)
        }
        self._roleless |= other
        return bool(wrong or other)

    def _another(self, rule: PlacedRule, head: Occurrence) -> bool:
        """Whether a head may name another role than the acting one, where other heads of its predicate name that."""
        place = self.roles.get(head.signature)
        if place is None or head.signature in ACTING:
            return False
        return head.args[place] not in {self._role(a) for a in rule.positive if a.signature in self.roles}

    def _arguments_apart(self, rule: PlacedRule) -> Iterator[tuple[Signature, int]]:
        """An argument for which a rule requires, under ``not`` or in a sum, a term other than its part of the action."""
        carried_terms = [
            (self._role(atom), term) for atom in rule.positive for term, _ in self.parts_held(atom)
        ]
        terms = [term for _, term in carried_terms]
        for atom in (*rule.negative, *rule.inner):
            if atom.signature not in ACTING:
                for i in self.parts.get(atom.signature, {}):
                    term = atom.args[i]
                    if self.together:
                        same_role = [
                            t for role, t in carried_terms if role is not None and role == self._role(atom)
                        ]
                        right = bool(same_role) if is_anonymous(term) else term in same_role
                    else:
                        right = term in terms or is_anonymous(term)
                    if not right:
                        yield atom.signature, i

    def _role(self, atom: SimpleAtom) -> Term | None:
        """The role of an atom that holds an action; None if it does not name one."""
        place = self.roles.get(atom.signature)
        return None if place is None or is_anonymous(atom.args[place]) else atom.args[place]

    def parts_held(self, atom: SimpleAtom) -> Iterator[tuple[Term, Term]]:
        """The arguments of the atom that hold a part of the action, each with that part."""
        for position, part in self.parts.get(atom.signature, {}).items():
            yield atom.args[position], part

    def places(self, atom: SimpleAtom) -> list[int]:
        """The arguments of an atom that hold a part of the action, or the role."""
        role = self.roles.get(atom.signature)
        return [*self.parts.get(atom.signature, ()), *([] if role is None else [role])]

    def allow(self, rule: PlacedRule) -> bool:
        """Whether the rule can be about this kind of action at all."""
        carried_terms = (pair for atom in rule.positive for pair in self.parts_held(atom))
        return all(unify(arg, part, {}) is not None for arg, part in carried_terms)

    def _follow(self, rule: PlacedRule, head: Occurrence) -> bool:
        """Records what a rule passes on to its head, and says whether that is new."""
        known = self.parts.get(head.signature, {})
        place = self.roles.get(head.signature, self._place(rule, head))
        if self.together and (place is None or head.signature in self._roleless):
            return False
        new = False
        for i, part in self._part_in_head(rule, head, place):
            if i not in known and (head.signature, i) not in self.banned:
                known[i] = part
                new = True
        if new:
            self.parts[head.signature] = known
            if place is not None and head.signature not in self._roleless:
                self.roles.setdefault(head.signature, place)
        return new

    def _place(self, rule: PlacedRule, head: Occurrence) -> int | None:
        """The position of the role in a head; with several roles, that of the role whose action it holds."""
        for atom in rule.positive:
            if atom.signature in self.roles and atom.args[self.roles[atom.signature]] in head.args:
                place = head.args.index(atom.args[self.roles[atom.signature]])
                if not self.together or self._part_in_head(rule, head, place):
                    return place
        return None

    def _part_in_head(self, rule: PlacedRule, head: Occurrence, place: int | None) -> list[tuple[int, Term]]:
        """The part of the action in the rule's head: the position of the argument, and the part.

        If several roles act, only heads that also name the role count, at its ``place`` if that is known.
        """
        carried_terms = [
            pair
            for atom in rule.positive
            for pair in self.parts_held(atom)
            if self._names_role(atom, head, place)
        ]
        found = (
            (i, _part(arg, term, part)) for term, part in carried_terms for i, arg in enumerate(head.args)
        )
        return [(i, part) for i, part in found if part is not None]

    def _names_role(self, atom: SimpleAtom, head: Occurrence, place: int | None) -> bool:
        """Whether a head names the role of the action that an atom holds."""
        if not self.together:
            return True
        role = self._role(atom)
        return role is not None and role in (head.args if place is None else head.args[place : place + 1])


def _part(arg: Term, term: Term, pattern: Term) -> Term | None:
    """The part of the pattern in an argument of a head, if it is the whole pattern or compound."""
    if unify(term, pattern, {}) is None:
        return None
    if arg == term and (not isinstance(arg, Var) or not isinstance(pattern, Var)):
        return pattern
    if isinstance(arg, Var):
        found = _at(arg, term, pattern)
        return found if found is not None and isinstance(found, Fun) else None
    return None


def _at(variable: Term, term: Term, pattern: Term) -> Term | None:
    """The part of the pattern at the place of a variable in the term."""
    if term == variable:
        return pattern
    if isinstance(term, Fun) and isinstance(pattern, Fun) and len(term.args) == len(pattern.args):
        for x, y in zip(term.args, pattern.args, strict=True):
            found = _at(variable, x, y)
            if found is not None:
                return found
    return None


def action_predicates(
    rules: Sequence[PlacedRule], action: Term, others: Sequence[Term] | None
) -> tuple[ActionPredicates, dict[Signature, int]]:
    """The predicates for an action of one role or several; and those for other actions only, with the role's position.

    Args:
        rules: The rules.
        action: The action's pattern.
        others: The other actions that may be done at the same time; None if only one role acts. A predicate that does not
            hold one of them holds none, so a rule that reads it sees the actions of all roles.
    """
    if others is None:
        return ActionPredicates(rules, action), {}
    own = {a: _possible(rules, a) for a in (action, *others)}
    banned: set[tuple[Signature, int]] = set()
    while True:
        each = [ActionPredicates(own_rules, a, rules, banned) for a, own_rules in own.items()]
        more = banned.union(*(c.banned for c in each))
        if more == banned:
            break
        banned = more
    foreign = {s: c.roles[s] for c in each for s in c.parts if s not in each[0].parts}
    return each[0], foreign


def _possible(rules: Sequence[PlacedRule], action: Term) -> list[PlacedRule]:
    """The rules that can fire if only such an action is done."""
    derived = {h.signature for r in rules for h in r.heads}
    possible: set[Signature] = set()

    def can_hold(atom: SimpleAtom) -> bool:
        if atom.signature in ACTING:
            return unify(atom.args[1], action, {}) is not None
        return atom.signature in possible or atom.signature not in derived

    while True:
        found = [r for r in rules if all(map(can_hold, r.positive))]
        more = {h.signature for r in found for h in r.heads}
        if more <= possible:
            return found
        possible |= more


_MARK: Final = "_?"
"""The prefix of the variables for such terms in a pattern (:mod:`..rules.reader`)."""


def is_evaluable(term: Term) -> bool:
    """Whether a term contains a calculation."""
    if isinstance(term, Fun):
        return any(map(is_evaluable, term.args))
    return bool(isinstance(term, Var) and term.name.startswith(_MARK))


def move_terms_to_equations(rule: PlacedRule, places: Callable[[Occurrence], Iterable[int]]) -> PlacedRule:
    """The rule with equations for evaluable terms at these places of its atoms; unchanged if there are none.

    If an action is split, its term vanishes from the atoms that hold it. An interval, a pool or a sum says more than its
    pattern, so an equation beside the atom states it first:

    >>> from kaiser_logic.rules.reader import rule_of
    >>> move_terms_to_equations(rule_of("add(odd) :- does(R,go(N+1)); heap(N)."), lambda atom: [1] * (atom.name == "does")).text
    'add(odd) :- does(R,Worked_0_); heap(N); Worked_0_ = go((N+1)).'
    >>> move_terms_to_equations(rule_of("add(odd) :- does((red;green),pass)."), lambda atom: (0, 1)).text
    'add(odd) :- does(Worked_0_,pass); Worked_0_ = (red;green).'
    """
    if not any(is_evaluable(arg) for atom in rule.positive for arg in atom.args):
        return rule
    equations: list[Literal] = []
    body: list[Literal] = []
    positive = iter(rule.positive)
    for literal in rule.value.body:
        if isinstance(literal, lang.Atom) and not literal.sign:
            occurrence, args = next(positive), list(literal.args)
            for i in places(occurrence):
                if is_evaluable(occurrence.args[i]):
                    name = Var(f"Worked_{len(equations)}_")
                    equations.append(Compare(name, "=", args[i]))
                    args[i] = name
            literal = lang.Atom(literal.name, tuple(args))
        body.append(literal)
    if not equations:
        return rule
    found = lang.Rule(rule.value.head, (*body, *equations))
    return rewrite_rule(rule, found)


def separate_evaluable_terms(
    rules: Sequence[PlacedRule], action: Term, others: Sequence[Term] | None
) -> tuple[Sequence[PlacedRule], ActionPredicates, dict[Signature, int]]:
    """The rules with equations for evaluable terms in place of an action; the predicates, and those of other actions.

    The arguments are those of :func:`.action_predicates.action_predicates`.
    """
    while True:
        carried, foreign = action_predicates(rules, action, others)
        found = [move_terms_to_equations(rule, carried.places) for rule in rules]
        if found == list(rules):
            return rules, carried, foreign
        rules = found
