"""Checks that rules read the sets in actions by their parts only.

In proofs, circuits and gaps each role has a name for the set that it chooses. Two names are never equal, although two roles may
choose equal sets. So no rule may depend on whether two sets are the same term. A predicate that depends only on the parts of a
set is the same for equal sets; rules may join it with others.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import product
from typing import Final, TypeAlias

from ...errors import Finding
from ...lang.algebra import is_ground, occurrences, substitute_term, variables
from ...lang.normal import normal
from ...lang.terms import ANY, Aggregate, Atom, Compare, Literal, Rule, Signature, Term, Var
from ...lang.unification import resolve, unify_all
from ..predicates import ADD, CANDIDATE, DEL, GAIN, LEGAL, LOSE, OFFERED, SHIFT, SUBMITTED
from ..rule import Occurrence
from ..rule import PlacedRule as Written
from .survey import Survey

_SET: Final = "Set__"
_PICK: Final[Signature] = ("pick", 2)
_DOES: Final[Signature] = ("does", 2)
_GIVEN: Final = (CANDIDATE, SUBMITTED, _DOES, LEGAL, OFFERED, _PICK)
_PARTS: Final = frozenset({("listed", 1), ("set", 1), ("part", 3), _PICK})
_EFFECTS: Final = frozenset({ADD, DEL, GAIN, LOSE, SHIFT})

_Pattern: TypeAlias = tuple[Term, ...]


def compared_sets(survey: Survey) -> Iterator[Finding]:
    """The kind ``sets``: no rule compares, stores or counts the sets of actions; it reads their parts.

    >>> # add(tie) :- does(red,lay(M)), does(green,lay(M)).     add(laid(R,M)) :- does(R,lay(M)).
    """
    if "sets" not in survey.book.manifest.get("engine", ()):
        return
    seeds = _seeds(survey)
    rules = [(r, one) for r in _reading(survey, seeds) for one in normal(r.value)] if seeds else []
    patterns = _patterns(seeds, [one for _, one in rules])
    for written, one in rules:
        fault = _fault(one, patterns)
        if fault:
            yield survey.at(written, "sets", f"{fault}: sets are compared by their parts, part(M,C,N)")


def _reading(survey: Survey, seeds: dict[Signature, set[_Pattern]]) -> list[Written]:
    """The rules of the rulebook that may read a set: in an atom that can name one, or through predicates of such rules."""
    own = [r for r in survey.book.rules if not r.is_of_engine]
    new = [r for r in own if any(_names_a_set(a, seeds) for a in r.atoms if a.signature in seeds)]
    readers, known = list[Written](), set[Signature]()
    while new:
        readers += new
        known.update(h.signature for r in new for h in r.heads if h.signature not in (*_PARTS, *_GIVEN))
        ids = set(map(id, readers))
        new = [r for r in own if id(r) not in ids and not known.isdisjoint(r.uses)]
    return readers


def _names_a_set(atom: Occurrence, seeds: dict[Signature, set[_Pattern]]) -> bool:
    """Whether an atom can have an action that names a set."""
    return any(unify_all(pattern, atom.args) is not None for pattern in seeds[atom.signature])


def _seeds(survey: Survey) -> dict[Signature, set[_Pattern]]:
    """The patterns of atoms with an action that names sets; the variable ``Set__K`` stands for the set K."""
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


def _atoms_about_sets(
    one: Rule, patterns: dict[Signature, set[_Pattern]]
) -> Iterator[tuple[Atom, str, Term]]:
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


def _fault(one: Rule, patterns: dict[Signature, set[_Pattern]]) -> str:
    """The mistake in a rule, in words; empty if it reads sets by their parts."""
    owned: dict[str, list[tuple[Term | None, Term]]] = defaultdict(list)
    for atom, name, term in _atoms_about_sets(one, patterns):
        owned[name].append((_owner(atom, name), term))
    for name, occurring in owned.items():
        owners = {owner for owner, _ in occurring}
        places = {term for _, term in occurring if isinstance(term, Var) and term != Var(_SET)}
        if len(occurring) > 1 and (len(owners) > 1 or None in owners or len(places) > 1):
            return f"two atoms name the set {name}"
    sets: dict[str, set[Term | None]] = defaultdict(set)
    for atom in _atoms(one.body):
        for name, _ in _variables_with_sets(atom, patterns):
            sets[name].add(_owner(atom, name))
    for x in one.body:
        if isinstance(x, Compare):
            sides = [[n for n in variables(side) if n in sets] for side in (x.left, x.right)]
            if all(sides):
                return f"the set {sides[0][0]} is compared"
        for element in x.elements if isinstance(x, Aggregate) else ():
            for name in variables(*element.terms):
                if name in sets and not sets[name] & set(element.terms):
                    return f"the set {name} is counted"
    stored = [n for h in one.heads if h.signature in _EFFECTS for n in variables(h) if n in sets]
    return f"the set {stored[0]} is stored" if stored else ""


def _owner(atom: Atom, name: str) -> Term | None:
    """The owner of the set that a variable of an atom stands for: the first argument; None if that is the set itself."""
    return atom.args[0] if len(atom.args) > 1 and atom.args[0] != Var(name) else None


def _atoms(body: tuple[Literal, ...]) -> Iterator[Atom]:
    """Yields the atoms of a body, also those in aggregates."""
    for x in body:
        if isinstance(x, Atom):
            yield x
        elif isinstance(x, Aggregate):
            for element in x.elements:
                yield from _atoms(element.condition)
