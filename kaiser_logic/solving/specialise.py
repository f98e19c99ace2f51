"""Operator splitting by partial evaluation: the rules for one action schema, whose arguments are chosen one by one.

The action is a term with variables, ``take(A0)``; ``arg__(0,V)`` says that the value V is chosen for A0. Starting from
``submitted(R,take(A0))``, each predicate gets versions, one for each way in which parts of the action occur in its arguments. A
version has only the other arguments. Before:

    enough(R,take(K)) :- submitted(R,take(K)), heap(N), K <= N.
    violates(R,A,"enough") :- submitted(R,A), not enough(R,A).

After:

    enough_2__v0(R) :- submitted_2__v0(R); heap(N); A0 <= N; arg__(0,A0).
    violates_3__v0(R,"enough") :- submitted_2__v0(R); not enough_2__v0(R).

Why it is right. Exactly one value is chosen for each argument. A version of p/n is a tuple of n parts, each a subterm of
the action or `OPEN`. ``p__v(t)`` means p of the full tuple: the parts under the chosen values, and t at the open places.
*Every atom of p in the least model of the rules is an atom of some version, and conversely*. The proof is by induction over
strata, and over derivations within one: a body atom ``p(s)`` of a rule holds iff for some version its full tuple equals s and
the atom of the version holds. So the rule is replaced by one rule for each choice of versions for its body atoms, under the most
general unifier of all s with the full tuples (A0, A1, ... are variables like others), with ``arg__(i,Ai)`` for each Ai in
the tuples: this is the definition of the full tuple. All versions use the same A0, A1, ..., as there is one action. The head
goes to the version with those parts of the action that it has; its other arguments stay open, which is right for any choice of
parts. The set of versions grows until no rule derives a new one. It is finite, as parts are subterms of the action.

A negated atom, and atoms in aggregates, need all versions at once. ``not p(s)`` becomes ``not`` of each version whose
parts s has literally; a version that does not unify with s is left out. If a version is neither, and in aggregates, the versions
of p are joined: ``p__all(full) :- p__v(t), arg__(..)`` for each version.

Predicates of a structure that is made of chosen arguments are derived for this structure alone (`follow_structures`): if a body
reads ``cost(pay(A0,A1),N)``, and rules compute the cost of every payment from its parts, only the cost of this payment and of
its parts is derived. This is partial evaluation from the top down; the versions are made from the bottom up.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import product
from typing import Final, TypeAlias

from ..errors import NotDecided
from ..lang.algebra import (
    Fresh,
    is_ground,
    occurrences,
    rebuilt_literal,
    rebuilt_term,
    rename_apart,
    substitute_term,
    variables,
)
from ..lang.terms import ANY, Atom, Fun, Int, Literal, Rule, Signature, Term, Var
from ..lang.unification import resolve, unify, unify_all
from .build import atom, head_of

OPEN: Final = None
"""An argument of a version that is no part of the action."""
Adornment: TypeAlias = tuple[Term | None, ...]
ARG: Final = "arg__"
_MOST: Final = 400
"""The largest number of versions of a predicate."""
_PLAIN: Final = frozenset({("add", 1), ("del", 1), ("gain", 3), ("lose", 3), ("shift", 4), ("wrong", 2)})
"""The results: their predicates have no versions."""


def number_variables(action: Term, *more: Term) -> tuple[tuple[str, ...], dict[str, Term]]:
    """The names of an action's variables in order, and for each the variable A0__, A1__, ... of its chosen value."""
    names = variables(action, *more)
    return names, {name: Var(f"A{k}__") for k, name in enumerate(names)}


class Specialised:
    """The rules, specialised to one action schema.

    Attributes:
        rules: The result.
        versions: The versions of each predicate that has any.
    """

    def __init__(self, rules: Iterable[Rule], start: Signature, known: Adornment, structures: bool = False) -> None:
        """Of rules.

        Args:
            rules: All rules.
            start: The predicate that says what is done.
            known: Its version: what is done is in it a term with the variables that `number_variables` gives.
            structures: Whether only what is done and its structures are parts, but no single value.
        """
        wholes = [whole for whole in known if whole is not OPEN]
        parts = (part for whole in wholes for part in _subterms(whole))
        self._parts = dict.fromkeys(p for p in parts if not structures or isinstance(p, Fun) or p in wholes)
        self._compound = [p for p in self._parts if isinstance(p, Fun) and variables(p)]
        leaves = variables(*wholes)
        self._chosen = {name: int(name[1:-2]) for name in leaves}
        self.versions: dict[Signature, list[Adornment]] = {start: [known]}
        self._joined: dict[Signature, None] = {}
        self._start = start
        taken = set(self._chosen)
        own = [r if taken.isdisjoint(variables(r)) else rename_apart(r, *map(Var, leaves)) for r in rules]
        self._uses = {id(r): {a.signature for _, a in _positive(r)} for r in own}
        self._own = own
        self._grow()
        self.rules = tuple(dict.fromkeys(self._all()))

    def name(self, signature: Signature, version: Adornment) -> str:
        """The name of a version's predicate."""
        if all(part is OPEN for part in version):
            return signature[0]
        # with the number of arguments: what is left of p/2 and of p/3 may have as many
        return f"{signature[0]}_{signature[1]}__v{self.versions[signature].index(version)}"

    def terms_in_place(self, x: Atom, leaf: Var) -> list[Term]:
        """What an atom of a join (``p__all``) has where the versions of the predicate have a chosen value."""
        terms: list[Term] = []
        for signature in self._joined:
            if (f"{signature[0]}__all", signature[1]) != x.signature:
                continue
            for version in self.versions[signature]:
                parts = [part if part is not OPEN else ANY for part in version]
                binding = unify_all(tuple(parts), tuple(_name_blanks(t, x) for t in x.args))
                if binding is not None and leaf.name in variables(*parts):
                    terms.append(resolve(leaf, binding))
        return terms

    # -- which versions there are --------------------------------------------------------------------------------

    def _grow(self) -> None:
        """Adds versions until no rule derives a new one."""
        growing = True
        while growing:
            growing = False
            for r in self._own:
                if self._uses[id(r)].isdisjoint(self.versions):
                    continue
                for head, binding, _ in self._cases(r):
                    version = self._version_of(head_of(r).signature, head, binding)
                    known = self.versions.get(head_of(r).signature)
                    if known is None:
                        if all(part is OPEN for part in version):
                            continue
                        known = self.versions[head_of(r).signature] = []
                    if version not in known:
                        known.append(version)
                        growing = True
                    if len(known) > _MOST:
                        raise NotDecided(f"too many shapes of {head_of(r).name}")
            # a predicate with a version may have rules without any
            for r in self._own:
                known = self.versions.get(head_of(r).signature)
                if known is not None:
                    for head, binding, _ in self._cases(r):
                        version = self._version_of(head_of(r).signature, head, binding)
                        if version not in known:
                            known.append(version)
                            growing = True

    def _version_of(self, signature: Signature, args: Sequence[Term], binding: dict[str, Term]) -> Adornment:
        """The version of a head: the parts of the action in its arguments, literally or under the binding of the rule."""
        if signature in _PLAIN:
            return (OPEN,) * len(args)
        return tuple(self._part(a, binding) for a in args)

    def _part(self, term: Term, binding: dict[str, Term]) -> Term | None:
        if term in self._parts and self._is_of_action(term):
            return term
        if isinstance(term, Fun) and any(name in self._chosen for name in variables(term)):
            same = (p for p in self._compound if substitute_term(p, binding) == term)
            return next(same, OPEN)
        return OPEN

    def _is_of_action(self, term: Term) -> bool:
        """Whether a term has only variables of chosen values. A number does not count as a part."""
        return not isinstance(term, Int) and all(name in self._chosen for name in variables(term))

    def _cases(self, r: Rule) -> Iterator[tuple[tuple[Term, ...], dict[str, Term], dict[int, Adornment]]]:
        """For each choice of versions for a rule's atoms: the head's arguments, the binding, and each atom's version by place."""
        places = [(k, a) for k, a in _positive(r) if a.signature in self.versions]
        if not places:
            yield head_of(r).args, {}, {}
            return
        for chosen in product(*(list(self.versions[a.signature]) for _, a in places)):
            binding: dict[str, Term] | None = {}
            for (_, a), version in zip(places, chosen, strict=True):
                for s, part in zip(a.args, version, strict=True):
                    if part is not OPEN and binding is not None:
                        binding = unify(part, s, binding)
            if binding is None:
                continue
            resolved = self._orient(r, binding)
            head = tuple(substitute_term(a, resolved) for a in head_of(r).args)
            yield head, resolved, {k: version for (k, _), version in zip(places, chosen, strict=True)}

    def _orient(self, r: Rule, binding: dict[str, Term]) -> dict[str, Term]:
        """The binding of all variables: see `orient`."""
        names = {*variables(r), *self._chosen, *variables(*binding.values())}
        return orient(names, self._chosen, binding)

    # -- the rules -----------------------------------------------------------------------------------------------

    def _all(self) -> Iterator[Rule]:
        for r in self._own:
            yield from self._emit(r)
        for signature in list(self._joined):
            for version in self.versions[signature]:
                yield self._joining(signature, version)

    def _emit(self, r: Rule) -> Iterator[Rule]:
        for head, binding, chosen in self._cases(r):
            body: list[Literal] = []
            needed: dict[str, None] = {}
            for k, x in enumerate(r.body):
                version = chosen.get(k)
                if version is not None and isinstance(x, Atom):
                    args = tuple(
                        substitute_term(a, binding) for a, part in zip(x.args, version, strict=True) if part is OPEN
                    )
                    body.append(Atom(self.name(x.signature, version), args))
                    needed.update(dict.fromkeys(n for part in version if part is not OPEN for n in variables(part)))
                else:
                    body += self._other(_substitute(x, binding))
            signature = head_of(r).signature
            whole: Adornment = (OPEN,) * len(head)
            if signature in self.versions:
                whole = self._version_of(signature, head, binding)
                # where the rule applies it may be that a part of what is done is a certain one
                needed.update(dict.fromkeys(n for part in whole if part is not OPEN for n in variables(part)))
            args = tuple(a for a, part in zip(head, whole, strict=True) if part is OPEN)
            new_head = Atom(self.name(signature, whole), args)
            yield self._close(Rule(new_head, tuple(body), r.place, r.id), binding, needed)

    def _close(self, r: Rule, binding: dict[str, Term], needed: Iterable[str]) -> Rule:
        """The rule with an ``arg__`` atom for each chosen variable that its atoms' versions have, or that it has itself."""
        names = dict.fromkeys([*needed, *(n for n in variables(r) if n in self._chosen)])
        values = {name: binding.get(name, Var(name)) for name in names}
        there = Counter(occurrences(r, *values.values()))
        # some value is chosen: by itself that says nothing
        given = ((n, v) for n, v in values.items() if v != Var(n) or there[n] > 1)
        more = tuple(atom(ARG, Int(self._chosen[name]), value) for name, value in given)
        return Rule(r.head, (*r.body, *more), r.place, r.id)

    def _other(self, x: Literal) -> list[Literal]:
        """A literal other than a positive atom, under the binding, with versions in the place of predicates."""
        if not isinstance(x, Atom):
            return [self._bridge(x)]
        if x.signature not in self.versions:
            return [x]
        literals: list[Literal] = []
        if x.sign == 1:
            for version in self.versions[x.signature]:
                binding: dict[str, Term] | None = {}
                same = True
                for s, part in zip(x.args, version, strict=True):
                    if part is not OPEN and binding is not None:
                        same = same and s == part
                        binding = unify(part, _name_blanks(s, x), binding)
                if binding is None:
                    continue
                if not same:
                    return [self._bridge(x)]
                args = tuple(s for s, part in zip(x.args, version, strict=True) if part is OPEN)
                literals.append(Atom(self.name(x.signature, version), args, 1))
            return literals
        return [self._bridge(x)]

    def _bridge(self, x: Literal) -> Literal:
        """A literal whose predicates with versions are replaced by their joins (``p__all``)."""

        def name_join(a: Atom) -> Atom:
            if a.signature not in self.versions or self.versions[a.signature] == [(OPEN,) * len(a.args)]:
                return a
            self._joined.setdefault(a.signature)
            return Atom(f"{a.name}__all", a.args, a.sign)

        return rebuilt_literal(x, lambda t: t, name_join)

    def _joining(self, signature: Signature, version: Adornment) -> Rule:
        """The rule by which a version contributes to the join ``p__all``."""
        fresh = Fresh(*(part for part in version if part is not OPEN))
        full = tuple(fresh.take("Y") if part is OPEN else part for part in version)
        args = tuple(t for t, part in zip(full, version, strict=True) if part is OPEN)
        body = (Atom(self.name(signature, version), args),)
        one = Rule(Atom(f"{signature[0]}__all", full), body)
        return self._close(one, {}, [n for part in version if part is not OPEN for n in variables(part)])


def follow_structures(
    rules: Iterable[Rule], names: Iterable[str], wanted: Iterable[Signature], given: Collection[Signature]
) -> list[Rule]:
    """The rules on which predicates depend; atoms about a chosen structure are derived for this structure alone.

    Why it is right. Let a literal have an atom p(t) in which some arguments are structures of chosen variables only.
    ``p_n__f0(rest)``, without these arguments, is derived by the rules of p with the head unified with p(t); ``arg__`` atoms give
    the values of the chosen variables. So it holds iff p(t) holds under the chosen values: each instance of a rule of p with
    such a head is an instance of a rule here, and conversely. This also holds for negated atoms and within aggregates.

    Args:
        rules: Specialised rules.
        names: The variables of chosen values, in order.
        wanted: The predicates to derive in full.
        given: The predicates that hold by other means than these rules.

    Raises:
        NotDecided: There are too many structures.
    """
    return _Followed(rules, names, given).all(wanted)


class _Followed:
    """Makes the rules of `follow_structures`, from the top down."""

    def __init__(self, rules: Iterable[Rule], names: Iterable[str], given: Collection[Signature]) -> None:
        self._names = {name: k for k, name in enumerate(names)}
        self._by: dict[Signature, list[Rule]] = {}
        for r in rules:
            self._by.setdefault(head_of(r).signature, []).append(r)
        self._given = given
        self._asked: dict[tuple[Signature, Adornment], str] = {}
        self._places: set[tuple[Signature, int]] = set()  # where structures end in constants
        self._open: dict[Signature, None] = {}

    def all(self, wanted: Iterable[Signature]) -> list[Rule]:
        """All rules on which the wanted predicates depend."""
        rules: list[Rule] = []
        self._open.update(dict.fromkeys(wanted))
        open_, asked = 0, 0
        while open_ < len(self._open) or asked < len(self._asked):
            if open_ < len(self._open):
                signature = list(self._open)[open_]
                open_ += 1
                rules += [self._specialise(r) for r in self._by.get(signature, ())]
                continue
            (signature, pattern), name = list(self._asked.items())[asked]
            asked += 1
            for r in self._by[signature]:
                one = self._rule_for(r, pattern, name)
                if one is not None:
                    rules.append(self._specialise(one))
        return list(dict.fromkeys(rules))

    def _rule_for(self, r: Rule, pattern: Adornment, name: str) -> Rule | None:
        """A rule for one pattern of a predicate; None if its head does not unify with the pattern."""
        head, own = head_of(r), variables(r)
        binding: dict[str, Term] | None = {}
        for s, part in zip(head.args, pattern, strict=True):
            if part is not OPEN and binding is not None:
                binding = unify(part, s, binding)
        if binding is None:
            return None
        full = orient([*own, *self._names], self._names, binding)
        body = [_substitute(x, full) for x in r.body]
        args = tuple(substitute_term(s, full) for s, part in zip(head.args, pattern, strict=True) if part is OPEN)
        one = Rule(Atom(name, args), tuple(body), r.place, r.id)
        there = variables(one)
        given = [n for n in self._names if n in there or full.get(n, Var(n)) != Var(n)]
        more = (atom(ARG, Int(self._names[n]), full.get(n, Var(n))) for n in given)
        return Rule(one.head, tuple(dict.fromkeys((*body, *more))), r.place, r.id)

    def _specialise(self, r: Rule) -> Rule:
        """A rule whose atoms about chosen structures have their own predicates, without ``arg__`` atoms that bind nothing."""
        body = tuple(rebuilt_literal(x, lambda t: t, self._name_of) for x in r.body)
        uses = Counter(occurrences(head_of(r), body))
        kept = [
            x
            for x in body
            if not (
                isinstance(x, Atom)
                and x.name == ARG
                and isinstance(x.args[1], Var)
                and x.args[1].name in self._names
                and uses[x.args[1].name] == 1
            )
        ]
        return Rule(r.head, tuple(kept), r.place, r.id)

    def _name_of(self, a: Atom) -> Atom:
        if a.signature not in self._by:
            return a
        pattern = tuple(
            x if self._is_chosen(x) or ((a.signature, k) in self._places and is_ground(x)) else OPEN
            for k, x in enumerate(a.args)
        )
        if a.signature in self._given or all(part is OPEN for part in pattern):
            self._open.setdefault(a.signature)
            return a
        self._places.update((a.signature, k) for k, part in enumerate(pattern) if part is not OPEN)
        key = a.signature, pattern
        if key not in self._asked and len(self._asked) >= _MOST:
            raise NotDecided(f"the rules name too many different structures in {a.name}")
        name, arity = a.signature
        new_name = self._asked.setdefault(key, f"{name}_{arity}__f{len(self._asked)}")
        return Atom(new_name, tuple(x for x, part in zip(a.args, pattern, strict=True) if part is OPEN), a.sign)

    def _is_chosen(self, term: Term) -> bool:
        """Whether a term is a structure whose variables are all chosen ones."""
        return isinstance(term, Fun) and bool(own := variables(term)) and all(n in self._names for n in own)


def orient(names: Iterable[str], chosen: Iterable[str], binding: dict[str, Term]) -> dict[str, Term]:
    """The binding of all variables, in which a variable that equals a chosen one is replaced by the first such one."""
    chosen = list(chosen)
    oriented = {name: resolve(Var(name), binding) for name in names}
    turned: dict[str, Term] = {}
    for name in chosen:
        term = oriented.get(name, Var(name))
        if isinstance(term, Var) and term.name != name and term.name not in turned and term.name not in chosen:
            turned[term.name] = Var(name)
    return {name: substitute_term(term, turned) for name, term in oriented.items()} if turned else oriented


def _positive(r: Rule) -> list[tuple[int, Atom]]:
    return [(k, x) for k, x in enumerate(r.body) if isinstance(x, Atom) and not x.sign]


def _name_blanks(term: Term, x: Atom) -> Term:
    """A term of a negated atom, with a fresh variable for each ``_``."""
    fresh = Fresh(x)
    return rebuilt_term(term, lambda t: fresh.take() if t == ANY else t)


def _substitute(x: Literal, binding: dict[str, Term]) -> Literal:
    return rebuilt_literal(x, lambda t: binding.get(t.name, t) if isinstance(t, Var) else t)


def _subterms(term: Term) -> Iterator[Term]:
    yield term
    for arg in term.args if isinstance(term, Fun) else ():
        yield from _subterms(arg)
