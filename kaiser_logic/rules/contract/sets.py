"""Checks that rules read the sets in actions by their parts only.

In proofs, circuits and gaps each role has a name for the set that it chooses. Two names are never equal, although two roles may
choose equal sets. So no rule may depend on whether two sets are the same term. A predicate that depends only on the parts of a
set is the same for equal sets; rules may join it with others.

A name is no term ``none`` or ``with(N,C,Z)`` either. So no rule may have such a term, or any other, where a set stands: only
variables (`_term_in_place`). Where sets stand, `_places` follows from the predicates of sets through all rules, from body to
head, from head to body, and from one literal to another that has the same variable.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Set
from itertools import product
from typing import Final, TypeAlias

from ...errors import Finding
from ...lang.algebra import is_ground, is_simple, occurrences, substitute_term, variables
from ...lang.normal import normal
from ...lang.printer import show_term
from ...lang.terms import ANY, Aggregate, Atom, Compare, Fun, Literal, Refused, Rule, Signature, Term, Var
from ...lang.unification import label, match, resolve, solve_equations, unify, unify_all
from ..predicates import (
    ADD,
    CANDIDATE,
    DEL,
    DOES,
    GAIN,
    LOSE,
    SHIFT,
    SUBMITTED,
    VIOLATES,
    WEIGHT,
)
from ..rule import PlacedRule as Written
from .survey import Survey

_SET: Final = "#Set"
_PICK: Final[Signature] = ("pick", 2)
_GIVEN: Final = (CANDIDATE, SUBMITTED, DOES, _PICK)
_PARTS: Final = frozenset({("listed", 1), ("set", 1), ("part", 3), _PICK})
_UNOWNED: Final = _PARTS - {_PICK}
"""Predicates of all sets, whoever named them."""
_ACTIONS: Final[dict[Signature, int]] = {
    **dict.fromkeys([CANDIDATE, SUBMITTED, DOES, ("action", 2), VIOLATES], 1),
    WEIGHT: 0,
}
"""The predicates of actions: which argument of each is an action."""
_ORDERED: Final = frozenset({"#min", "#max"})
_DEPTH: Final = 8
"""The number of levels of a term with a set that is deeper than any rule needs."""
_EFFECTS: Final = frozenset({ADD, DEL, GAIN, LOSE, SHIFT})

_Pattern: TypeAlias = tuple[Term, ...]


def compared_sets(survey: Survey) -> Iterator[Finding]:
    """The kind ``sets``: no rule writes, compares, stores or counts the sets of actions; it reads their parts.

    >>> # add(tie) :- does(red,lay(M)), does(green,lay(M)).     add(laid(R,M)) :- does(R,lay(M)).
    """
    if "sets" not in survey.book.manifest.get("engine", ()):
        return
    for use in survey.read[_PICK]:
        if any(head.signature != CANDIDATE for head in use.rule.heads):
            message = "only a rule for candidate reads pick/2, as all sets are listed there alone: read pickable(R,C,N)"
            yield survey.at(use.rule, "sets", message, _PICK[0])
    places = _Places([*(r for r in survey.book.rules if not r.is_of_engine), *survey.claims])
    for written, fault in places.faults():
        yield survey.at(written, "sets", f"{fault}: sets are read by their parts, part(M,C,N)")
    rules = [] if places.nesting else list(places.rules())
    yield from _check_lists(survey)
    patterns = _patterns(_seeds(survey), [one for _, one in rules])
    for written, one in rules:
        fault = _two_atoms(one, patterns, places.owned)
        if fault:
            yield survey.at(written, "sets", f"{fault}: sets are compared by their parts, part(M,C,N)")


def _check_lists(survey: Survey) -> Iterator[Finding]:
    """Rules for listed/1 that need more than a candidate, and actions whose sets no rule lists: there a set would be unknown.

    >>> # listed(M) :- candidate(_,lay(M)), phase(lay).     action(go,lay(M)) :- set(M).  without that rule
    """
    listed: list[tuple[Term, Term]] = []
    for use in (u for u in survey.heads("listed", 1) if not u.rule.is_of_engine):
        body = use.rule.value.body
        only = body[0] if len(body) == 1 and isinstance(body[0], Atom) else None
        if only is None or (only.signature, only.sign) != (CANDIDATE, 0):
            message = "a rule for listed/1 reads candidate(_,Action) alone, as what it does not list is no set"
            yield survey.at(use.rule, "sets", message, "listed")
        elif isinstance(only.args[0], Var) and only.args[0].name not in variables(use.atom, only.args[1]):
            listed.append((use.atom.args[0], only.args[1]))
    for use in survey.heads("action", 2):
        action = use.atom.args[1]
        for one in {a.args[0] for a in _atoms(use.rule.value.body) if a.signature == ("set", 1)}:
            pairs = ((m, match(pattern, action)) for m, pattern in listed if isinstance(m, Var))
            if not any(binding is not None and binding.get(m.name) == one for m, binding in pairs):
                message = (
                    f"no rule lists this set, by listed({show_term(one)}) of each candidate(_,{show_term(action)})"
                )
                yield survey.at(use.rule, "sets", message, label(action))


def _seeds(survey: Survey) -> dict[Signature, set[_Pattern]]:
    """The patterns of atoms with an action that names sets; ``#SetK``, no name in a rulebook, stands for the set K."""
    patterns: dict[Signature, set[_Pattern]] = defaultdict(set)
    for kind in survey.book.kinds:
        names = [name for a in kind.drawn_from("set") for name in variables(a)]
        other: dict[str, Term] = dict.fromkeys(variables(kind.action), ANY)
        pattern = substitute_term(kind.action, other | {n: Var(f"{_SET}{k}") for k, n in enumerate(names)})
        for signature in _GIVEN if names else ():
            patterns[signature].add((ANY, Var(_SET) if signature == _PICK else pattern))
    return patterns


def _patterns(seeds: dict[Signature, set[_Pattern]], rules: list[Rule]) -> dict[Signature, set[_Pattern]]:
    """The patterns of all atoms that may contain a set of an action: the least fixpoint from the seeds."""
    patterns_of = defaultdict(set, {s: set(patterns) for s, patterns in seeds.items()})
    while True:
        new = [(h.signature, p) for r in rules for h in r.heads for p in _patterns_of_head(h, r, patterns_of)]
        new = [(s, p) for s, p in new if p not in patterns_of.get(s, ()) and s not in _PARTS]
        if not new:
            return patterns_of
        for signature, pattern in new:
            patterns_of[signature].add(pattern)


def _patterns_of_head(head: Atom, one: Rule, patterns: dict[Signature, set[_Pattern]]) -> Iterator[_Pattern]:
    """The patterns of the head of a rule, given those of its body."""
    carried: dict[str, set[Term]] = defaultdict(set)
    for _, name, term in _atoms_about_sets(one, patterns):
        carried[name].add(term)
    mine = [name for name in variables(head) if name in carried]
    free: dict[str, Term] = dict.fromkeys(variables(head), ANY)
    for terms in product(*(sorted(carried[name], key=str) for name in mine)) if mine else ():
        yield tuple(substitute_term(t, free | dict(zip(mine, terms, strict=True))) for t in head.args)


def _atoms_about_sets(one: Rule, patterns: dict[Signature, set[_Pattern]]) -> Iterator[tuple[Atom, str, Term]]:
    """Yields the atoms of a body that state more of a set than its existence, each with the variable of the set and its term."""
    uses = occurrences(one)
    for atom in _atoms(one.body):
        carried = _variables_with_sets(atom, patterns)
        own = {name for name, _ in carried}
        more = any(is_ground(t) or any(uses.count(v) > 1 for v in {*variables(t)} - own) for t in atom.args)
        if more or atom.signature not in _GIVEN:
            yield from ((atom, name, term) for name, term in carried)


def _variables_with_sets(atom: Atom, patterns: dict[Signature, set[_Pattern]]) -> set[tuple[str, Term]]:
    """The variables of an atom that may be bound to a set, or to a term that contains a set, each with that term."""
    pairs: set[tuple[str, Term]] = set()
    for pattern in patterns.get(atom.signature, ()):
        binding = unify_all(pattern, atom.args)
        if binding is None:
            continue
        sets = [Var(s) for s in variables(*pattern) if s.startswith(_SET)]
        for name in variables(atom):
            term = resolve(Var(name), binding)
            same = [s for s in sets if resolve(s, binding) == term]
            pairs.update((name, s) for s in same)
            if not same and any(v.startswith(_SET) for v in variables(term)):
                pairs.add((name, term))
    return pairs


def _two_atoms(one: Rule, patterns: dict[Signature, set[_Pattern]], owned_by: Set[Signature]) -> str:
    """The mistake, in words, that two atoms of a rule name one set; empty if none do."""
    owned: dict[str, list[tuple[Term | None, Term]]] = defaultdict(list)
    for atom, name, term in _atoms_about_sets(one, patterns):
        owned[name].append((_owner(atom, name, owned_by), term))
    for name, occurring in owned.items():
        owners = {owner for owner, _ in occurring}
        places = {term for _, term in occurring if isinstance(term, Var) and term != Var(_SET)}
        if len(occurring) > 1 and (len(owners) > 1 or None in owners or len(places) > 1):
            return f"two atoms name the set {name}"
    return ""


class _Places:
    """Where sets stand in the atoms of all rules.

    Attributes:
        nesting: The rules that put a set into ever deeper terms. They are faults; where their sets stand is not known.
        owned: The predicates whose first argument is the role that named the set, wherever they have one.
    """

    def __init__(self, rules: Iterable[Written]) -> None:
        """Follows sets through rules until no further place is found."""
        self.nesting: dict[int, Written] = {}
        self._patterns: dict[Signature, set[_Pattern]] = defaultdict(set)
        self._rules: dict[int, tuple[Written, list[Rule]]] = {}
        having: dict[Signature, list[Written]] = defaultdict(list)
        for r in rules:
            for signature in {a.signature for a in r.atoms}:
                having[signature].append(r)
        new: dict[Signature, set[_Pattern]] = {
            ("set", 1): {(Var(_SET),)},
            ("listed", 1): {(Var(_SET),)},
            ("part", 3): {(Var(_SET), ANY, ANY)},
            _PICK: {(ANY, Var(_SET))},
        }
        while new:
            for signature, patterns in new.items():
                self._patterns[signature] |= patterns
            changed = {id(r): r for signature in new for r in having[signature]}
            new = defaultdict(set)
            for r in changed.values():
                for signature, pattern in self._patterns_of(r):
                    if pattern not in self._patterns.get(signature, ()):
                        new[signature].add(pattern)
        self.owned: Set[Signature] = frozenset(self._patterns)
        while lost := {h.signature for _, one in self.rules() for h in one.heads if not self._passes_owner(h, one)}:
            self.owned -= lost

    def _passes_owner(self, head: Atom, one: Rule) -> bool:
        """Whether the first argument of a head is the owner of each set in it, if the predicate is among `owned`."""
        if head.signature not in self.owned:
            return True
        owners: dict[str, set[Term | None]] = defaultdict(set)
        for atom in one.body:
            if isinstance(atom, Atom) and not atom.sign:
                for name, _ in _variables_with_sets(atom, self._patterns):
                    owners[name].add(_owner(atom, name, self.owned))
        named = {name for name, _ in _variables_with_sets(head, self._patterns)}
        return all(head.args[0] in owners[name] for name in named)

    def _patterns_of(self, written: Written) -> Iterator[tuple[Signature, _Pattern]]:
        """The patterns of all atoms of a rule that have a variable of a set, or of a term with one."""
        for one in self._normal(written):
            atoms = [*one.heads, *_atoms(one.body)]
            for name, term in {pair for a in atoms for pair in _variables_with_sets(a, self._patterns)}:
                for atom in atoms:
                    if name not in variables(atom):
                        continue
                    other: dict[str, Term] = dict.fromkeys(variables(atom), ANY)
                    pattern = tuple(substitute_term(t, other | {name: term}) for t in atom.args)
                    if any(map(_is_deep, pattern)):
                        self.nesting[id(written)] = written
                        continue
                    yield atom.signature, pattern
                    if atom.signature in _ACTIONS:
                        action = pattern[_ACTIONS[atom.signature]]
                        for signature, at in _ACTIONS.items():
                            yield signature, tuple(action if k == at else ANY for k in range(signature[1]))

    def _normal(self, written: Written) -> list[Rule]:
        """The normal forms of a rule without equations; none if it has no normal form, which another check reports."""
        if id(written) not in self._rules:
            try:
                ones = [solve_equations(one) for one in normal(written.value)]
            except Refused:
                ones = []
            self._rules[id(written)] = written, ones
        return self._rules[id(written)][1]

    def faults(self) -> Iterator[tuple[Written, str]]:
        """Yields the rules that read more of a set than its parts, each with its mistake in words."""
        if self.nesting:
            first = min(self.nesting.values(), key=lambda r: (r.file, r.line))
            yield first, "a set is put into ever deeper terms"
        yield from ((written, fault) for written, one in self.rules() if (fault := self._fault(one)))

    def rules(self) -> Iterator[tuple[Written, Rule]]:
        """Yields the rules with an atom in which a set can stand, in normal form, without equations."""
        yield from ((written, one) for written, ones in self._rules.values() for one in ones)

    def _fault(self, one: Rule) -> str:
        """The mistake in a rule, in words; empty if it reads sets by their parts."""
        sets: dict[str, set[Term | None]] = defaultdict(set)
        carried: dict[str, set[Term]] = defaultdict(set)
        atoms = [*one.heads, *_atoms(one.body)]
        for atom in atoms:
            for name, term in _variables_with_sets(atom, self._patterns):
                carried[name].add(term)
                sets[name].add(_owner(atom, name, self.owned))
        for atom in atoms:
            written = self._term_in_place(atom)
            if written is not None:
                return f"{show_term(written)} stands for a set"
            uses = occurrences(*atom.args)
            twice = [n for n in uses if n in carried and uses.count(n) > 1]
            if twice:
                return f"an atom names the set {twice[0]} twice"
        for x in one.body:
            elements = x.elements if isinstance(x, Aggregate) else ()
            for literal in (x, *(y for element in elements for y in element.condition)):
                name = _compared_variable(literal, carried) if isinstance(literal, Compare) else ""
                if name:
                    return f"the set {name} is compared"
            ordered = isinstance(x, Aggregate) and x.function in _ORDERED
            for element in elements:
                for name in variables(*element.terms):
                    if name in sets and ordered:
                        return f"the set {name} is compared"
                    if name in sets and not sets[name] & set(element.terms):
                        return f"the set {name} is counted"
        stored = [n for h in one.heads if h.signature in _EFFECTS for n in variables(h) if n in sets]
        return f"the set {stored[0]} is stored" if stored else ""

    def _term_in_place(self, atom: Atom) -> Term | None:
        """A term of an atom that stands where a set does, and is no variable."""
        for pattern in sorted(self._patterns.get(atom.signature, ()), key=str):
            binding = unify_all(pattern, atom.args)
            if binding is None:
                continue
            for name in variables(*pattern):
                term = resolve(Var(name), binding)
                if not isinstance(term, Var):
                    return term
        return None


def _compared_variable(x: Compare, carried: dict[str, set[Term]]) -> str:
    """The variable that a literal compares of a set, or of an action with a set unless the other side is another action."""
    for side, other in ((x.left, x.right), (x.right, x.left)):
        for name in variables(side):
            for term in carried.get(name, ()):
                harmless = side == Var(name) and isinstance(term, Fun) and x.op in {"=", "!="} and is_simple(other)
                if not harmless or unify(term, other) is not None:
                    return name
    return ""


def _is_deep(term: Term, depth: int = _DEPTH) -> bool:
    """Whether a term has more levels than terms that stand in rules."""
    return depth == 0 or (isinstance(term, Fun) and any(_is_deep(t, depth - 1) for t in term.args))


def _owner(atom: Atom, name: str, owned: Set[Signature]) -> Term | None:
    """The owner of the set that a variable of an atom stands for: the first argument, if that is known; or None."""
    is_known = atom.signature in owned - _UNOWNED and atom.args[0] != Var(name)
    return atom.args[0] if is_known else None


def _atoms(body: tuple[Literal, ...]) -> Iterator[Atom]:
    """Yields the atoms of a body, also those in aggregates."""
    for x in body:
        if isinstance(x, Atom):
            yield x
        elif isinstance(x, Aggregate):
            for element in x.elements:
                yield from _atoms(element.condition)
