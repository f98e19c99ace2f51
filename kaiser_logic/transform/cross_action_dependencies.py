"""Finds rules that depend on other candidates. Their results differ between listing and judging.

If an action is judged, it is the only candidate; if the legal actions are listed, all are. Both mean the same if everything
that a rule reads besides its own action follows from that action's candidate alone:

>>> from kaiser_logic.rules.loader import parse_rules
>>> ask = 'asked(K) :- candidate(_,take(K)). '
>>> same = 'violates(R,take(K),"few") :- candidate(R,take(K)), asked(K), heap(N), N < K.'
>>> other = 'violates(R,take(K),"most") :- candidate(R,take(K)), asked(J), J > K.'
>>> [[atom.name for _, atom in collecting(parse_rules(ask + rule))] for rule in (same, other)]
[[], ['asked']]

This is shown rule by rule: for all rules that derive an atom, every literal that depends on candidates must follow. A derivation
is well-founded, so a question that comes up again while it is being answered counts as answered. If the proof fails, the rule
is reported, although it may be harmless.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import count
from typing import Final, TypeAlias

from ..function_caches import cache_until_change
from ..lang.algebra import occurrences, walk
from ..lang.terms import Fun, Signature, Term, Var
from ..lang.unification import Binding, canonical, dereference, rename_all, solve_equations, unify_all
from ..rules.predicates import CANDIDATE, DOES, SUBMITTED, VIOLATES
from ..rules.reader import is_anonymous, rewrite_rule
from ..rules.rule import Occurrence, PlacedRule, Role, SimpleAtom, predicates_affected

_DEPTH: Final = 12
"""The largest number of rules through which an atom is followed."""
_FAR: Final = 4
"""The largest number of rules through which it is checked whether an atom can exist."""
_BY_ITS_SET: Final = frozenset({("part", 3), ("set", 1)})
"""The predicates of ``engine/sets.lp`` for a listed set, which do not depend on other listed sets."""
_LISTED: Final = ("listed", 1)
_Goal: TypeAlias = tuple[Signature, tuple[Term, ...]]


_TAGGED: Final = frozenset({CANDIDATE, DOES, SUBMITTED})
"""The predicates whose arguments are a role and an action that is a candidate or done."""


class _TooDeep(Exception):
    """A term contains itself, or is deeper than any in a rulebook."""


def violation_of_another(rules: Sequence[PlacedRule]) -> PlacedRule | None:
    """A rule by which a candidate breaks something for another role, or for another action.

    All other violations that depend on candidates depend on the action of their own role, through the rules that they read.
    Violations that do not depend on candidates are harmless.

    >>> # violates(Q,stop,"stop") :- candidate(R,stop), left(R,Q).
    """
    if _ActionDependence(rules).violation_of_another() is None:
        return None
    return _ActionDependence(list(map(_substitute_equations, rules))).violation_of_another()


class _ActionDependence:
    """The atoms that hold only if a role's action is a candidate, or done."""

    def __init__(self, rules: Sequence[PlacedRule]) -> None:
        self._rules = rules
        self._rules_by_head: dict[Signature, list[tuple[PlacedRule, Occurrence]]] = defaultdict(list)
        for rule in self._rules:
            for head in rule.heads:
                self._rules_by_head[head.signature].append((rule, head))
        self._names = count()

    def violation_of_another(self) -> PlacedRule | None:
        about_actions = _TAGGED | predicates_affected(self._rules, _TAGGED)
        for rule, head in self._rules_by_head[VIOLATES]:
            try:
                if rule.uses & about_actions and not (
                    rule.is_of_engine or self._depends_on(rule, "", rename_all(head.args[:2], ""), {}, ())
                ):
                    return rule
            except _TooDeep:
                return rule
        return None

    def _depends_on(
        self,
        rule: PlacedRule,
        suffix: str,
        tag: tuple[Term, ...],
        binding: Binding,
        above: tuple[object, ...],
    ) -> bool:
        """Whether the rule depends on the action ``tag``, directly or through other rules."""
        return any(self._depends(a.signature, rename_all(a.args, suffix), tag, binding, above) for a in rule.positive)

    def _depends(
        self,
        signature: Signature,
        args: tuple[Term, ...],
        tag: tuple[Term, ...],
        binding: Binding,
        above: tuple[object, ...],
    ) -> bool:
        """Whether an atom with these arguments holds only if ``tag`` is a candidate."""
        known = [_resolve(t, binding) for t in (*args, *tag)]
        if signature in _TAGGED:
            return known[:2] == known[2:]
        asked = signature, canonical(tuple(known))
        if asked in above or signature not in self._rules_by_head:
            return asked in above
        if len(above) > _DEPTH:
            raise _TooDeep
        for rule, head in self._rules_by_head[signature]:
            suffix = str(next(self._names))
            bound = unify_all(rename_all(head.args, suffix), args, binding)
            if bound is not None and not self._depends_on(rule, suffix, tag, bound, (*above, asked)):
                return False
        return True


def collecting(rules: Sequence[PlacedRule]) -> list[tuple[PlacedRule, SimpleAtom]]:
    """The rules for violations that may depend on another candidate, each with the atom that does.

    ``rules`` are all rules, also the generated ones: candidates may be counted, and a total read. Rulebooks do not read what the
    judge's rules derive.
    """
    rules = [rule for rule in rules if rule.role is not Role.JUDGE]
    if not any(True for _ in _Collecting(rules).rules_found()):
        return []
    solved = {_substitute_equations(rule): rule for rule in rules}
    return [(solved[rule], atom) for rule, atom in _Collecting(list(solved)).rules_found()]


class _Collecting:
    """The rules that depend on candidates, by their heads.

    Attributes:
        dependent: The predicates that depend on candidates.
    """

    def __init__(self, rules: Sequence[PlacedRule]) -> None:
        """All rules of a rulebook, with those of the engine's files that it uses."""
        self._heads: dict[Signature, list[tuple[PlacedRule, Occurrence]]] = defaultdict(list)
        for rule in rules:
            for head in rule.heads:
                self._heads[head.signature].append((rule, head))
        self._rules = [r for r in rules if not any(h.signature == CANDIDATE for h in r.heads)]
        self.dependent = predicates_affected(self._rules, [CANDIDATE])
        self._rules_by_head: dict[Signature, list[tuple[PlacedRule, Occurrence]]] = defaultdict(list)
        for rule in self._rules:
            for head in rule.heads if rule.uses & self.dependent else ():
                self._rules_by_head[head.signature].append((rule, head))
        self._names = count()

    def rules_found(self) -> Iterator[tuple[PlacedRule, SimpleAtom]]:
        """The rules with an atom that may belong to another action."""
        for rule, head in self._rules_by_head[VIOLATES]:
            if rule.is_of_engine:
                continue
            tag, known = head.args[:2], list[_Goal]()
            for atom, goal in self._dependent_literals(rule, ""):
                try:
                    follows = self._follows(goal, _rename_arguments(rule, tag, ""), known, {}, ())
                except _TooDeep:
                    follows = False
                if not follows:
                    yield rule, atom
                    break
                if atom in rule.positive:
                    known.append(goal)

    def _dependent_literals(self, rule: PlacedRule, suffix: str) -> Iterator[tuple[SimpleAtom, _Goal]]:
        """The literals of a rule that depend on candidates: first the candidates themselves, last the negated ones."""
        atoms = [a for a in (*rule.positive, *rule.negative, *rule.inner) if a.signature in self.dependent]
        for atom in sorted(atoms, key=lambda a: (a.signature != CANDIDATE, a not in rule.positive)):
            yield atom, (atom.signature, _rename_arguments(rule, atom.args, suffix))

    def _follows(
        self,
        goal: _Goal,
        tag: tuple[Term, ...],
        known: Sequence[_Goal],
        binding: Binding,
        above: tuple[object, ...],
    ) -> bool:
        """Whether an atom holds with the only candidate ``tag`` exactly if it holds with all candidates."""
        signature, args = goal
        if signature not in self.dependent or self._is_implied(goal, tag, known, binding, 0):
            return True
        if signature in _BY_ITS_SET and all(r.is_of_engine for r, _ in self._rules_by_head[signature]):
            return self._is_implied((_LISTED, args[:1]), tag, known, binding, 0)
        asked = signature, canonical(tuple(_resolve(t, binding) for t in (*args, *tag)))
        if signature == CANDIDATE or len(above) > _DEPTH:
            return False
        return asked in above or all(
            self._by_rule(rule, head, args, tag, known, binding, (*above, asked))
            for rule, head in self._rules_by_head[signature]
        )

    def _by_rule(
        self,
        rule: PlacedRule,
        head: Occurrence,
        args: tuple[Term, ...],
        tag: tuple[Term, ...],
        known: Sequence[_Goal],
        binding: Binding,
        above: tuple[object, ...],
    ) -> bool:
        """Whether all literals of a rule that depend on candidates follow, where it derives such an atom."""
        suffix = str(next(self._names))
        # other literals of the rule may restrict what could be anything: it is an unknown, but certain value here
        args = tuple(self._with_unknown(_resolve(arg, binding)) for arg in args)
        bound = unify_all(_rename_arguments(rule, head.args, suffix), args, binding)
        if bound is None:
            return True
        known, reading = list(known), list(self._dependent_literals(rule, suffix))
        asked = [goal for atom, goal in reading if goal[0] == CANDIDATE and atom in rule.positive]
        if any(not self._is_implied(g, tag, known, bound, 0) and not self._possible(g, bound, 0) for g in asked):
            return True
        for atom, goal in reading:
            if not self._follows(goal, tag, known, bound, above):
                return False
            if atom in rule.positive:
                known.append(goal)
        return True

    def _with_unknown(self, term: Term) -> Term:
        """The term with a new variable for each that may match anything."""
        if isinstance(term, Fun):
            return Fun(term.name, tuple(map(self._with_unknown, term.args)))
        starred = isinstance(term, Var) and term.name.startswith("*")
        return Var(f"?{next(self._names)}") if starred else term

    def _possible(self, goal: _Goal, binding: Binding, depth: int) -> bool:
        """Whether rules can derive an atom at all, by the terms in their heads; an atom without rules may be a fluent."""
        signature, args = goal
        if depth > _FAR or signature not in self._heads:
            return True
        for rule, head in self._heads[signature]:
            suffix = str(next(self._names))
            bound = unify_all(_rename_arguments(rule, head.args, suffix), args, binding)
            goals = [(a.signature, _rename_arguments(rule, a.args, suffix)) for a in rule.positive]
            if bound is not None and all(self._possible(g, bound, depth + 1) for g in goals):
                return True
        return False

    def _is_implied(
        self, goal: _Goal, tag: tuple[Term, ...], known: Sequence[_Goal], binding: Binding, depth: int
    ) -> bool:
        """Whether an atom holds for the action alone: it is its candidate, is known, or follows from such atoms by a rule."""
        signature, args = goal
        given = [tag] if signature == CANDIDATE else [theirs for s, theirs in known if s == signature]
        if any(_covers(args, theirs, binding) for theirs in given):
            return True
        if depth > _DEPTH:
            return False
        for rule, head in self._rules_by_head[signature]:
            if len(rule.positive) < len(rule.value.body) or any(
                a.signature not in self.dependent for a in rule.positive
            ):
                continue
            suffix = str(next(self._names))
            bound = unify_all(_rename_arguments(rule, head.args, suffix), args, binding)
            if bound is None or any(not _own(v, suffix) for v in bound.keys() - binding.keys()):
                continue
            joined = [_resolve(Var(f"{name}~{suffix}"), bound) for name in _joining(rule)]
            if any(isinstance(x, Var) and x.name.startswith("*") for x in walk(tuple(joined))):
                continue  # several literals speak of the same thing, which is not any
            goals = [g for _, g in self._dependent_literals(rule, suffix)]
            if all(self._is_implied(g, tag, known, bound, depth + 1) for g in goals):
                return True
        return False


def _substitute_equations(rule: PlacedRule) -> PlacedRule:
    """A rule with its equations substituted: ``A = take(K), candidate(R,A)`` is ``candidate(R,take(K))``.

    That takes a parse of the rule, so it is done only for rules that would be reported otherwise.
    """
    value = rule.value if " = " in rule.text else None
    solved = value and solve_equations(value)
    return rule if not solved or solved is value else rewrite_rule(rule, solved)


def _rename_arguments(rule: PlacedRule, args: tuple[Term, ...], suffix: str) -> tuple[Term, ...]:
    """The arguments with fresh variables; a variable that occurs only once in the rule has a star."""
    single = _single(rule)

    def star(term: Term) -> Term:
        if isinstance(term, Var) and (is_anonymous(term) or term.name in single):
            return Var(f"*{term.name}")
        return Fun(term.name, tuple(map(star, term.args))) if isinstance(term, Fun) else term

    return rename_all(tuple(map(star, args)), suffix)


@cache_until_change(2048)
def _single(rule: PlacedRule) -> frozenset[str]:
    """The variables that occur only once in a rule."""
    return frozenset([name for name, times in Counter(occurrences(rule.value)).items() if times == 1])


@cache_until_change(2048)
def _joining(rule: PlacedRule) -> frozenset[str]:
    """The variables that occur more than once in the body of a rule."""
    return frozenset([name for name, times in Counter(occurrences(rule.value.body)).items() if times > 1])


def _own(name: str, suffix: str) -> bool:
    """Whether a variable belongs to the rule, or matches anything."""
    return name.startswith("*") or name.endswith(f"~{suffix}")


def _covers(wanted: tuple[Term, ...], there: tuple[Term, ...], binding: Binding) -> bool:
    """Whether a term matches the wanted one, whose variables may match anything."""
    return all(_fits(_resolve(w, binding), _resolve(t, binding)) for w, t in zip(wanted, there, strict=True))


def _fits(wanted: Term, there: Term) -> bool:
    if wanted == there or (isinstance(wanted, Var) and wanted.name.startswith("*")):
        return True
    if (
        not isinstance(wanted, Fun)
        or not isinstance(there, Fun)
        or wanted.name != there.name
        or len(wanted.args) != len(there.args)
    ):
        return False
    return all(map(_fits, wanted.args, there.args))


def _resolve(term: Term, binding: Binding, depth: int = 0) -> Term:
    """The term under the binding, fully resolved."""
    if depth > _DEPTH:
        raise _TooDeep
    term = dereference(term, binding)
    if not isinstance(term, Fun):
        return term
    return Fun(term.name, tuple(_resolve(a, binding, depth + 1) for a in term.args))
