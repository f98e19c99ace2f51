"""Evaluates queries in given positions: the rules of the query over the facts of the position.

What does not follow from these facts by rules alone is given as facts, too: ``legal`` and ``violates`` as the plain engine lists
and judges, ``after`` as it makes the moves. A :class:`.goal.Goal` evaluates a query in thousands of positions of a search.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import chain, product
from math import prod
from typing import Final, TypeAlias

from .. import clingo
from ..engine import symbols
from ..engine.compiled import Derivation, derive
from ..engine.grounding import EngineProgram, Grounding
from ..engine.sets import naming_kinds
from ..engine.symbols import term_of
from ..errors import NotDecided, WrongUsage
from ..evaluation.evaluator import Evaluator
from ..lang import terms as lang
from ..lang.algebra import is_ground
from ..lang.terms import Signature, Term, Var
from ..lang.unification import match, unify
from ..rules.predicates import DECISION, LEGAL, VIOLATES
from ..rules.reader import rule_from
from ..rules.rule import top
from ..solving.theory import SEAT
from ..transform.slicing import position_seeds, seeds
from ..workers import run_job
from .actions import Submission, submissions
from .dense import too_dense_here
from .formula import (
    ACTED,
    AFTER,
    Compared,
    aggregates,
    atoms,
    inner,
    names,
)
from .language import Query, atoms_stated
from .mistakes import read_query
from .program import Branch, QueryProgram, all_of, alternatives_of, branch_of, fresh_names, order_alike

EFFORT: Final = 2_000_000
"""If a query may visit more instances of atoms than this, it is evaluated in a process with a limit of time and memory."""
_MOST: Final = 500_000
"""The largest number of answers that are listed."""
_SECONDS: Final = 20.0
"""That limit of time."""
_KNOWN: Final = 64
"""The number of queries of a game that are kept in memory."""
_ONE_BY_ONE: Final = 300
"""The largest number of actions that are judged one by one; more are judged together, if none depends on the others."""
_CALLED: Final = {signature: f"{signature[0]}__" for signature in ACTED}
"""The names of the predicates that are given as facts, which are not predicates of the rulebook."""
_HOLDS: Final[Signature] = ("query__", 0)
_ANSWER: Final = "answer__"
_SHOWN: Final = "shown__"

Violation: TypeAlias = tuple[clingo.Symbol, clingo.Symbol, clingo.Symbol]
"""A role, an action, and the rule that it breaks."""
Answering: TypeAlias = "tuple[EngineProgram, list[list[tuple[Branch, Signature]]]]"
"""A program that derives the values of variables, and for each alternative its parts with the predicates that have them."""
Facts: TypeAlias = frozenset[clingo.Symbol]
Values: TypeAlias = Mapping[str, clingo.Symbol]
"""The values of variables."""
PlainValue: TypeAlias = "int | str"
"""A number, or anything else as its text."""


@dataclass(frozen=True)
class Solution:
    """One way in which a query holds.

    Attributes:
        values: The values of its variables.
        facts: The atoms that make it true, in the order of the query.
        sums: The values of its counts and sums, with the user's text.
    """

    values: Values
    facts: tuple[tuple[str, tuple[clingo.Symbol, ...]], ...] = ()
    sums: tuple[tuple[str, clingo.Symbol], ...] = field(default=(), compare=False)


def evaluate(evaluator: Evaluator, facts: Facts, source: str) -> list[dict[str, PlainValue]]:
    """The values of the query's variables for which it holds in a position, each combination once, in order.

    Args:
        evaluator: The plain engine under the rules in force.
        facts: The facts of the position.
        source: The query.

    Returns:
        A dictionary for each solution: variables without those that begin with ``_``, numbers as int, all else as text.

    Raises:
        NotDecided: There are too many instances of atoms, or numbers that are too large.
    """
    evaluations: dict[str, Evaluation] = evaluator.ruleset.remember("asked", dict)
    if source not in evaluations:
        if len(evaluations) >= _KNOWN:
            evaluations.clear()
        evaluations[source] = Evaluation(evaluator, read_query(source, evaluator.ruleset))
    return evaluations[source].plain_values(facts)


class Evaluation:
    """Evaluates a query in given positions."""

    def __init__(self, evaluator: Evaluator, query: Query) -> None:
        """``evaluator``: the plain engine; ``query``: the query."""
        self._evaluator, self._query, self._ruleset = evaluator, query, evaluator.ruleset
        self._asked = {a.signature for a in (*query.atoms, *map(inner, query.asks(AFTER)))}
        self._derived = sorted(self._asked - self._ruleset.book.fluents - self._ruleset.static.keys() - ACTED)

    # -- programs --------------------------------------------------------------------------------------------------------

    def _program(self, rules: Iterable[lang.Rule], *outputs: Signature) -> EngineProgram:
        """The program of rules that read what the position has, with the rulebook's rules that derive the rest."""
        needed = self._ruleset.judging.slice(position_seeds(), [top(*s) for s in self._derived])
        program = self._ruleset.complete((*needed, *map(rule_from, rules)))
        return replace(program, outputs=frozenset([*outputs, *self._derived]))

    @cached_property
    def _holding(self) -> EngineProgram:
        """Derives `_HOLDS` if the query holds."""
        return self._program(self._query.values(lang.Atom(_HOLDS[0], ()), _CALLED), _HOLDS)

    @cached_property
    def _deriving(self) -> EngineProgram:
        """Derives the rulebook's predicates that the query reads."""
        return self._program(())

    @cached_property
    def _answering(self) -> Answering:
        """Derives the values of variables, for each part of each alternative; and the predicates that have them."""
        return self._program_answering(lambda part: part)

    @cached_property
    def _answering_once(self) -> Answering:
        """The same, but of variables that can be exchanged only the values in order, of which one answer is the first."""
        return self._program_answering(order_alike)

    def _program_answering(self, changed: Callable[[Branch], Branch]) -> Answering:
        rules, heads = [], []
        for k, branch in enumerate(self._query.branches):
            heads.append(list[tuple[Branch, Signature]]())
            for n, part in enumerate(map(changed, branch.components)):
                head = lang.Atom(f"{_ANSWER}{k}_{n}", tuple(part.values.values()))
                rules += QueryProgram([part], head.name, _CALLED).rules(head)
                heads[k].append((part, head.signature))
        return self._program(rules, *(head for parts in heads for _, head in parts)), heads

    @cached_property
    def _showing(self) -> tuple[EngineProgram, list[tuple[int, str, Signature, tuple[str, ...]]]]:
        """Derives the values of the counts and sums of each alternative.

        Each has the number of the alternative, the user's text, the predicate, and the variables before its value.
        """
        rules, shown = [], []
        for k, parts in enumerate(alternatives_of(self._query.formula)):
            own = all_of(map(names, parts))  # a longer alternative may give its fresh variables other names
            inside = (a for p in parts if isinstance(p, Compared) for a in aggregates(p) if a.text)
            for n, aggregate in enumerate(dict.fromkeys(inside)):
                value = Var(next(fresh_names(parts)))
                with suppress(WrongUsage):  # such as the largest of several alternatives, which has no name
                    every = branch_of((*parts, Compared(aggregate, "=", value)))
                    branch = next(c for c in every.components if value.name in c.values)
                    bound = {name: term for name, term in sorted(branch.values.items()) if name in own}
                    head = lang.Atom(f"{_SHOWN}{k}_{n}", (*bound.values(), value))
                    rules += QueryProgram([branch], head.name, _CALLED).rules(head)
                    shown.append((k, aggregate.text, head.signature, tuple(bound)))
        return self._program(rules, *(s for _, _, s, _ in shown)), shown

    # -- what is given -----------------------------------------------------------------------------------------------------

    def _facts_given(self, facts: Facts, chosen: Iterable[Submission] = ()) -> list[clingo.Symbol]:
        """What the query reads besides the facts of the position; ``chosen``: see `holds`."""
        chosen, about_actions = tuple(chosen), []
        if self._query.asks(VIOLATES):
            about_actions += [clingo.Function(_CALLED[VIOLATES], v) for v in self.violations(facts, chosen)]
        if self._query.asks(LEGAL) or self._query.asks(AFTER):
            legal = self._legal(facts, chosen)
            about_actions += [clingo.Function(_CALLED[LEGAL], pair) for pair in legal]
            about_actions += self._facts_after(facts, legal)
        return about_actions

    def _legal(self, facts: Facts, chosen: Sequence[Submission]) -> list[Submission]:
        """The legal actions; if they are too many to list, some of them."""
        try:
            listed = self._evaluator.legal(facts)
        except NotDecided:
            if not chosen:
                raise
            deciding = _deciding(facts)
            return [(r, a) for r, a in chosen if r in deciding and not self._judge(facts, r, a)]
        return [(clingo.Function(role), action) for role, action in listed]

    def _judge(
        self, facts: Facts, role: clingo.Symbol, action: clingo.Symbol
    ) -> Iterable[tuple[str, clingo.Symbol, str]]:
        return self._evaluator.judge(facts, {symbols.text(role): action}).violations

    def _facts_after(self, facts: Facts, legal: Iterable[Submission]) -> Iterator[clingo.Symbol]:
        """``after`` for the actions that the query can mean, if one role decides."""
        asked = self._query.asks(AFTER)
        if not asked or len(_deciding(facts)) != 1:
            return
        for role, action in legal:
            done = term_of(role), term_of(action)
            meant = {inner(a).signature for a in asked if _matches(a.args[:2], done, {}) is not None}
            if not meant:
                continue
            judged = self._evaluator.judge(facts, {symbols.text(role): action})
            after = self._evaluator.settle(judged.facts_after(facts))
            instances = self.instances(after)
            for fact in chain.from_iterable(instances[signature] for signature in meant):
                yield clingo.Function(_CALLED[AFTER], [role, action, fact])

    def instances(self, facts: Facts, given: Iterable[clingo.Symbol] = ()) -> dict[Signature, list[clingo.Symbol]]:
        """The atoms of each predicate that the query reads; ``given``: those that are no facts of the position."""
        atoms: dict[Signature, list[clingo.Symbol]] = defaultdict(list)
        for symbol in chain(facts, given):
            atoms[symbols.signature(symbol)].append(symbol)
        atoms |= self.derive(facts)
        atoms |= {s: list(self._ruleset.facts(*s)) for s in self._asked & self._ruleset.static.keys() - {SEAT}}
        return atoms

    def derive(self, position: Facts) -> dict[Signature, list[clingo.Symbol]]:
        """The atoms of the rulebook's predicates that the query needs and that hold in a position."""
        if not self._derived:
            return {}
        derivation = self._evaluate(self._deriving, position)
        return {s: derivation.get(*s) for s in self._derived}

    def _evaluate(self, program: EngineProgram, facts: Facts, more: Sequence[clingo.Symbol] = ()) -> Derivation:
        return derive(program, facts, more, self._ruleset.configuration.engine)

    # -- answers -----------------------------------------------------------------------------------------------------------

    def holds(self, position: Facts, chosen: Iterable[Submission] = ()) -> bool:
        """Whether the query holds in the position.

        Args:
            position: The facts of the position.
            chosen: Actions that name sets, which are judged besides those that can be enumerated.

        Raises:
            NotDecided: There are too many legal actions, or numbers that are too large.
        """
        return bool(self._evaluate(self._holding, position, self._facts_given(position, chosen)).get(*_HOLDS))

    def solution(self, position: Facts, chosen: Iterable[Submission] = ()) -> Solution | None:
        """One way in which the query holds in the position, the first by its values; None if it does not: see `holds`."""
        given = self._facts_given(position, chosen)
        answers = self._answers(self._answering_once, position, given)
        k = next((k for k, parts in enumerate(answers) if all(rows for _, rows in parts)), None)
        if k is None:
            return None
        branch = self._query.branches[k]
        own = all_of(map(names, alternatives_of(self._query.formula)[k]))
        first = dict(pair for part, rows in answers[k] for pair in zip(part.values, min(rows), strict=True))
        every = {name: first[name] for name in branch.values}
        binding = {n: v for n, v in every.items() if n in own}
        program, heads = self._showing
        shown = self._evaluate(program, position, given) if heads else None
        sums = [
            (text, values[-1])
            for number, text, head, known in heads
            for values in (shown.arguments(*head) if shown is not None and number == k else ())
            if values[:-1] == tuple(binding[name] for name in known)
        ]
        stated = self._facts_stated(branch, every, self.instances(position, given))
        return Solution(binding, stated, tuple(sums))

    def _facts_stated(
        self, branch: Branch, values: Values, instances: Mapping[Signature, Sequence[clingo.Symbol]]
    ) -> tuple[tuple[str, tuple[clingo.Symbol, ...]], ...]:
        """The facts of an alternative, given the values of its variables."""
        binding = {name: term_of(value) for name, value in values.items()}
        stated = []
        for atom in atoms_stated(branch):
            facts = instances[_CALLED.get(atom.signature, atom.name), len(atom.args)]
            met = (s for s in facts if _matches(atom.args, map(term_of, s.arguments), binding) is not None)
            stated.append((atom.name, tuple(min(met).arguments)))
        return tuple(stated)

    def _answers(
        self, answering: Answering, position: Facts, given: Sequence[clingo.Symbol]
    ) -> list[list[tuple[Branch, list[tuple[clingo.Symbol, ...]]]]]:
        """For each alternative its parts, each with the values of its variables for which it holds."""
        program, alternatives = answering
        derivation = self._evaluate(program, position, given)
        return [[(part, list(derivation.arguments(*head))) for part, head in parts] for parts in alternatives]

    def plain_values(self, position: Facts) -> list[dict[str, PlainValue]]:
        """The values of the variables for which the query holds: see `evaluate`."""
        given = self._facts_given(position)
        answers = partial(self._plain, position, given)
        if self.effort(position, given) <= EFFORT:
            return answers()
        instances = self.instances(position, given)
        if why := too_dense_here(
            self._query, lambda atom: len(instances[_CALLED.get(atom.signature, atom.name), len(atom.args)])
        ):
            raise NotDecided(why)
        answer = run_job(answers, _SECONDS)
        if answer.value is None:
            raise NotDecided("too many instances of atoms to be looked at")
        return answer.value

    def _plain(self, position: Facts, given: Sequence[clingo.Symbol]) -> list[dict[str, PlainValue]]:
        answers = set[tuple[tuple[str, clingo.Symbol], ...]]()
        for parts in self._answers(self._answering, position, given):
            each = [
                {tuple((n, v) for n, v in zip(part.values, row, strict=True) if n[0] != "_") for row in rows}
                for part, rows in parts
            ]
            if prod(map(len, each)) > _MOST:
                raise NotDecided(f"there are more than {_MOST:,} answers")
            answers |= {tuple(sorted(chain(*values))) for values in product(*each)}
        return [{name: _plain_value(value) for name, value in values} for values in sorted(answers)]

    def effort(self, position: Facts, given: Iterable[clingo.Symbol] | None = None) -> int:
        """An upper bound of the number of instances of atoms that are visited.

        Args:
            position: The facts of the position.
            given: The facts about actions, if they are known already.
        """
        instances = self.instances(position, self._facts_given(position) if given is None else given)
        return sum(prod(max(1, len(instances[s])) for s in signatures) for signatures in self._called)

    @cached_property
    def _called(self) -> list[list[Signature]]:
        """The predicates of the atoms of each part of the query that shares no variable with another."""
        return [
            [(_CALLED.get(a.signature, a.name), len(a.args)) for p in part.parts for a in atoms(p)]
            for branch in self._query.branches
            for part in branch.components
        ]

    def violations(self, position: Facts, chosen: Iterable[Submission] = ()) -> set[Violation]:
        """The violations of all actions that ``violates`` in the query can mean: role, action and rule."""
        pairs = dict.fromkeys([*(p for a in self._query.asks(VIOLATES) for p in self._actions_meant(a)), *chosen])
        if len(pairs) > _ONE_BY_ONE and not self._ruleset.not_enumerable:
            actions = list(dict.fromkeys(term_of(a) for _, a in pairs))
            rules = self._ruleset.judging.slice(seeds(None, (), actions), [top(*VIOLATES)])
            submitted = [clingo.Function("submitted", p) for p in pairs]
            atoms = Grounding(self._ruleset.complete(tuple(rules)), [*position, *submitted]).get(*VIOLATES)
            return {(s.arguments[0], s.arguments[1], s.arguments[2]) for s in atoms}
        judged = set()
        for role, action in pairs:
            for _, _, rule in self._judge(position, role, action):
                judged.add((role, action, clingo.String(rule)))
        return judged

    def _actions_meant(self, atom: lang.Atom) -> list[Submission]:
        """The roles and actions that an atom can mean, without those that name a set unless it is written out."""
        pairs, action = submissions(self._ruleset, atom), atom.args[1]
        if is_ground(action):
            return pairs
        naming = [k.action for k in naming_kinds(self._ruleset.book)]
        return [(r, a) for r, a in pairs if all(unify(k, term_of(a), {}) is None for k in naming)]


def _deciding(facts: Facts) -> set[clingo.Symbol]:
    """The roles that decide."""
    return {f.arguments[0] for f in facts if symbols.signature(f) == DECISION}


def _plain_value(value: clingo.Symbol) -> PlainValue:
    return value.number if value.type == clingo.SymbolType.Number else symbols.text(value)


def _matches(patterns: Sequence[Term], terms: Iterable[Term], binding: Mapping[str, Term]) -> dict[str, Term] | None:
    """The values of variables, extending known ones, by which patterns become terms; None if there are none."""
    return match(lang.Fun("", tuple(patterns)), lang.Fun("", tuple(terms)), binding)
