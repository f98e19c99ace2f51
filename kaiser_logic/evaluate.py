"""The evaluate reading: a given position, one grounding, everything a fact.

An :class:`Evaluator` belongs to one game with its edition, seats and board. It cuts a program for each kind of
question once, keeps it as clingo's syntax tree, and answers each question with a fresh control: the program, the
position's facts through the backend, ground, read the atoms by signature.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import clingo
from clingo.ast import ProgramBuilder

from . import symbols
from .errors import NotDecided
from .generated import all_rules
from .ir import Atom, Pattern, Rule, Signature, canonical, unify, unify_all
from .rulebook import ActionKind, Rulebook
from .slicing import Slicer, anything, top
from .terms import Term, Value

_SEEDS: tuple[Signature, ...] = (("submitted", 2), ("next", 1), ("decision", 2))
_LAZY: frozenset[Signature] = frozenset(
    {("fluent", 1), ("action", 2), ("board_fact", 1), ("board_broken", 2)}
)
_DECISION, _NEXT, _SUBMITTED = ("decision", 2), ("next", 1), ("submitted", 2)
_LEGAL, _TOO_MANY, _CONCEALS, _INSTEAD = ("legal", 2), ("too_many", 2), ("conceals", 2), ("instead", 2)
_VARIANTS = 500
Symbols = Iterable[clingo.Symbol]


class Undecided(Exception):
    """Grounding left an atom open: the rulebook is not stratified. Only its author can see this."""


@dataclass(frozen=True)
class Program:
    """A slice ready to be grounded: its rules, and which facts it reads."""

    rules: tuple[Rule, ...]
    inputs: frozenset[Signature]
    static: tuple[clingo.Symbol, ...]
    _firing: dict[frozenset[Signature], tuple[Rule, ...]] = field(
        default_factory=dict, compare=False, repr=False
    )

    def firing(self, given: frozenset[Signature]) -> tuple[Rule, ...]:
        """The rules that can fire where only these predicates are given: each costs time, even if in vain."""
        found = self._firing.get(given)
        if found is None:
            known = given | {symbols.signature(s) for s in self.static}
            kept: set[int] = set()
            grows = True
            while grows:
                new = [
                    i
                    for i, rule in enumerate(self.rules)
                    if i not in kept and all(a.signature in known for a in rule.positive)
                ]
                kept.update(new)
                known |= {h.signature for i in new for h in self.rules[i].heads}
                grows = bool(new)
            if len(self._firing) >= _VARIANTS:
                self._firing.clear()
            found = self._firing[given] = tuple(self.rules[i] for i in sorted(kept))
        return found


class Grounding:
    """A grounded program. Keeps its control alive: reading atoms of a collected control crashes."""

    def __init__(self, program: Program, facts: Symbols) -> None:
        """Grounds the program over the facts."""
        inputs, signature = program.inputs, symbols.signature
        read = [symbol for symbol in facts if signature(symbol) in inputs]
        self._control = clingo.Control(["--warn=none"])
        with ProgramBuilder(self._control) as builder:
            for rule in program.firing(frozenset(map(signature, read))):
                builder.add(rule.node)
        with self._control.backend() as backend:
            for symbol in (*program.static, *read):
                backend.add_rule([backend.add_atom(symbol)])
        self._control.ground([("base", [])])

    def get(self, name: str, arity: int) -> list[clingo.Symbol]:
        """The atoms of a predicate; all must be facts."""
        found = []
        for atom in self._control.symbolic_atoms.by_signature(name, arity):
            if not atom.is_fact:
                raise Undecided(str(atom.symbol))
            found.append(atom.symbol)
        return found

    def undecided(self) -> list[str]:
        """All atoms that are no facts (for tests: there must be none)."""
        return [str(a.symbol) for a in self._control.symbolic_atoms if not a.is_fact]


@dataclass(frozen=True)
class Judgement:
    """What was found of submitted actions: violations (role, action, rule id), and what they change."""

    violations: tuple[tuple[str, clingo.Symbol, str], ...]
    added: tuple[clingo.Symbol, ...]
    deleted: tuple[clingo.Symbol, ...]


class Evaluator:
    """Answers questions about given positions of one game under one edition, with its seats and board."""

    def __init__(self, book: Rulebook, given: Symbols) -> None:
        """``given``: the facts seat/2, ruling/2, start/2 and board/1."""
        self.book = book
        self.given = tuple(given)
        self.rules = all_rules(book)
        self._programs: dict[Any, Program] = {}
        self._kinds: dict[clingo.Symbol, ActionKind | None] = {}
        self._same: dict[ActionKind, tuple[ActionKind, ...]] = {}
        self._as_pattern: dict[clingo.Symbol, tuple[Pattern, ...]] = {}

    # -- what never changes ----------------------------------------------------------------------------------

    @cached_property
    def static(self) -> Mapping[Signature, tuple[clingo.Symbol, ...]]:
        """All facts that no position changes, by signature."""
        numbered = {("number", 1)} | _LAZY
        wanted = self.book.static - numbered
        rules = tuple(r for r in self.rules if r.heads and all(h.signature in wanted for h in r.heads))
        rules = tuple(r for r in rules if not r.uses & numbered)
        inputs = frozenset(symbols.signature(s) for s in self.given)
        grounding = Grounding(Program(rules, inputs, ()), self.given)
        return {(n, k): tuple(grounding.get(n, k)) for n, k in sorted(wanted)}

    def facts(self, name: str, arity: int) -> tuple[clingo.Symbol, ...]:
        """The static facts of a predicate."""
        return self.static.get((name, arity), ())

    @cached_property
    def _possible_rules(self) -> list[Rule]:
        static = {s: {str(f) for f in facts} for s, facts in self.static.items()}
        return [r for r in self.rules if self._possible(r, static)]

    @cached_property
    def enumerating(self) -> Slicer:
        """Cuts programs that list what comes into question."""
        return Slicer(self._possible_rules, _SEEDS)

    @cached_property
    def judging(self) -> Slicer:
        """Without the rulebook's enumeration of what comes into question: that has been submitted."""
        rules = self._possible_rules
        return Slicer([r for r in rules if not is_enumeration(r)], _SEEDS)

    @staticmethod
    def _possible(rule: Rule, static: Mapping[Signature, set[str]]) -> bool:
        """Whether no static literal of the rule speaks against it; static rules themselves are left out."""
        if rule.heads and all(h.signature in static for h in rule.heads):
            return False
        for atom in rule.positive:
            facts = static.get(atom.signature)
            if facts is None or any(a[0] != "c" for a in atom.args):
                continue
            text = f"{atom.name}({','.join(a[1] for a in atom.args)})" if atom.args else atom.name
            if text not in facts:
                return False
        return True

    # -- programs --------------------------------------------------------------------------------------------

    def program(
        self, key: Any, seeds: Callable[[], Mapping[Signature, Any]], outputs: Sequence[Signature]
    ) -> Program:
        """The program for a kind of question, cut at its first use."""
        found = self._programs.get(key)
        if found is None:
            slicer = self.enumerating if _LEGAL in outputs else self.judging
            rules = tuple(slicer.slice(seeds(), [top(*o) for o in outputs]))
            found = self._programs[key] = self.complete(rules)
        return found

    def complete(self, rules: tuple[Rule, ...]) -> Program:
        """The program of these rules with the static facts they read."""
        uses: set[Signature] = set().union(*(r.uses for r in rules)) if rules else set()
        wanted: dict[Signature, set[tuple[Pattern, ...]]] = {s: set() for s in uses if s in self.static}
        for rule in rules:
            for atom in (*rule.positive, *rule.negative, *rule.inner):
                if atom.signature in wanted:
                    wanted[atom.signature].add(canonical(atom.args))
        static = tuple(
            s for signature in sorted(wanted) for s in self._matching(signature, wanted[signature])
        )
        return Program(rules, frozenset(uses - set(self.static)), static)

    def _matching(self, signature: Signature, patterns: set[tuple[Pattern, ...]]) -> list[clingo.Symbol]:
        """The static facts that match one of the patterns."""
        facts = self.static[signature]
        if anything(signature[1]) in patterns or len(facts) < 8:
            return list(facts)
        known = self._static_patterns
        return [f for f in facts if any(unify_all(p, known(f), {}) is not None for p in patterns)]

    def _static_patterns(self, fact: clingo.Symbol) -> tuple[Pattern, ...]:
        found = self._as_pattern.get(fact)
        if found is None:
            found = self._as_pattern[fact] = tuple(map(symbols.value_pattern, fact.arguments))
        return found

    def kind(self, action: clingo.Symbol) -> ActionKind | None:
        """The kind an action belongs to (the first that matches), or None."""
        if action not in self._kinds:
            if len(self._kinds) > 100_000:
                self._kinds.clear()
            pattern = as_pattern(symbols.value(action))
            matches = (k for k in self.book.kinds if unify(k.action, pattern, {}) is not None)
            self._kinds[action] = next(matches, None)
        return self._kinds[action]

    # -- questions -------------------------------------------------------------------------------------------

    def legal(self, facts: frozenset[clingo.Symbol]) -> list[tuple[str, clingo.Symbol]]:
        """All legal actions, each with its role; NotDecided where the rulebook says that they are too many."""
        decisions = {_kind_of(s.arguments[1]) for s in facts if symbols.signature(s) == _DECISION}
        program = self.program(
            ("legal", frozenset(decisions)),
            lambda: {_DECISION: [(("v", "R"), _shape(d)) for d in decisions], _NEXT: [], _SUBMITTED: []},
            [_LEGAL, _TOO_MANY],
        )
        grounding = Grounding(program, facts)
        for s in grounding.get(*_TOO_MANY):
            role, most = map(symbols.text, s.arguments)
            raise NotDecided(
                f"{role} has more than {most} actions to choose from: they are not listed, only judged"
            )
        return [(symbols.text(s.arguments[0]), s.arguments[1]) for s in grounding.get(*_LEGAL)]

    def view(self, facts: frozenset[clingo.Symbol], role: str) -> frozenset[clingo.Symbol]:
        """The facts that a role sees, and what it knows in place of those that it does not see."""
        everything = lambda: {_DECISION: [anything(2)], _NEXT: [], _SUBMITTED: []}  # noqa: E731
        grounding = Grounding(self.program("view", everything, [_CONCEALS, _INSTEAD]), facts)
        hidden, known = (
            {s.arguments[1] for s in grounding.get(*signature) if symbols.text(s.arguments[0]) == role}
            for signature in (_CONCEALS, _INSTEAD)
        )
        return (facts - hidden) | known

    def judge(self, facts: frozenset[clingo.Symbol], submitted: Mapping[str, clingo.Symbol]) -> Judgement:
        """Judges the submitted actions, and says what they would change."""
        unknown = [(r, a, "action.unknown") for r, a in submitted.items() if self.kind(a) is None]
        if unknown:
            return Judgement(tuple(unknown), (), ())
        grounding = Grounding(self.judge_program(submitted.values()), (*facts, *self.submissions(submitted)))
        violations = (s.arguments for s in grounding.get("violates", 3))
        return Judgement(
            tuple(sorted((symbols.text(r), a, symbols.text(v)) for r, a, v in violations)),
            tuple(s.arguments[0] for s in grounding.get("add", 1)),
            tuple(s.arguments[0] for s in grounding.get("del", 1)),
        )

    def judge_program(self, actions: Symbols) -> Program:
        """The program that judges actions of these kinds."""
        same = {k.index: k for action in actions for k in self._alike(self.kind(action))}.values()
        return self.program(
            ("judge", frozenset(k.index for k in same)),
            lambda: {
                _SUBMITTED: [(("v", "Role"), k.action) for k in same],
                _NEXT: [],
                _DECISION: [anything(2)],
            },
            [("violates", 3), ("add", 1), ("del", 1)],
        )

    def _alike(self, kind: ActionKind | None) -> tuple[ActionKind, ...]:
        """All kinds whose actions look the same (the same action may belong to several decisions)."""
        if kind is None:
            return ()
        found = self._same.get(kind)
        if found is None:
            shape = canonical((kind.action,))
            found = self._same[kind] = tuple(k for k in self.book.kinds if canonical((k.action,)) == shape)
        return found

    @staticmethod
    def submissions(submitted: Mapping[str, clingo.Symbol]) -> list[clingo.Symbol]:
        """The facts submitted/2."""
        return [clingo.Function("submitted", [symbols.symbol(Term(r)), a]) for r, a in submitted.items()]

    def step(self, facts: frozenset[clingo.Symbol]) -> frozenset[clingo.Symbol]:
        """The next position, where something is due by itself."""
        due = [s.arguments[0] for s in facts if symbols.signature(s) == _NEXT]
        kinds = frozenset(_kind_of(d) for d in due)
        program = self.program(
            ("step", kinds),
            lambda: {_NEXT: [(_shape(k),) for k in kinds], _SUBMITTED: [], _DECISION: []},
            [("add", 1), ("del", 1)],
        )
        grounding = Grounding(program, facts)
        deleted = {s.arguments[0] for s in grounding.get("del", 1)}
        return (facts - deleted).union(s.arguments[0] for s in grounding.get("add", 1))

    def settle(self, facts: frozenset[clingo.Symbol]) -> frozenset[clingo.Symbol]:
        """The position after all that happens by itself."""
        for _ in range(10_000):
            if not any(symbols.signature(s) == _NEXT for s in facts):
                return facts
            facts = self.step(facts)
        raise Undecided("what happens by itself does not end")

    def initial(self) -> frozenset[clingo.Symbol]:
        """The position at the start of the game."""
        start = frozenset(s.arguments[0] for s in self.facts("init", 1)) | frozenset(self.facts("seat", 2))
        return self.settle(start)

    def outcome(self, facts: frozenset[clingo.Symbol]) -> tuple[dict[str, int], list[str]] | None:
        """Points and winners of a finished game, or None."""
        outputs = [("terminal", 0), ("goal", 2), ("winner", 1)]
        program = self.program(
            "outcome", lambda: {_DECISION: [anything(2)], _NEXT: [], _SUBMITTED: []}, outputs
        )
        grounding = Grounding(program, facts)
        if not grounding.get("terminal", 0):
            return None
        points = {symbols.text(s.arguments[0]): s.arguments[1].number for s in grounding.get("goal", 2)}
        return points, [symbols.text(s.arguments[0]) for s in grounding.get("winner", 1)]

    def broken(self, facts: frozenset[clingo.Symbol], waive: bool = True) -> list[tuple[str, str]]:
        """The invariants that a position breaks, with witnesses; those waived by a ruling left out."""
        everything = lambda: {_DECISION: [anything(2)], _NEXT: [], _SUBMITTED: []}  # noqa: E731
        vocabulary = self.program("vocabulary", everything, [("fluent", 1)])
        numbers = [clingo.Function("number", [clingo.Number(n)]) for n in symbols.numbers(facts) if n >= 0]
        known = {s.arguments[0] for s in Grounding(vocabulary, numbers).get("fluent", 1)}
        known |= (
            {clingo.Function("next", [s.arguments[0]]) for s in self.facts("step", 1)} if not waive else set()
        )
        strange = sorted(symbols.text(f) for f in facts if f not in known)
        if strange:
            return [("vocabulary", f) for f in strange]
        if not waive:
            everything = lambda: {_DECISION: [anything(2)], _NEXT: [anything(1)], _SUBMITTED: []}  # noqa: E731
        program = self.program(("broken", waive), everything, [("broken", 2)])
        waived = {symbols.text(s.arguments[0]) for s in self.facts("waived", 1)} if waive else set()
        found = (s.arguments for s in Grounding(program, facts).get("broken", 2))
        return sorted((symbols.text(i), symbols.text(w)) for i, w in found if symbols.text(i) not in waived)

    def board_problem(self, board: Symbols) -> tuple[str, str] | None:
        """What is wrong with a board file's facts: a rule's id (empty: no such fact) and a witness; or None."""
        facts = list(board)
        numbers = [clingo.Function("number", [clingo.Number(n)]) for n in symbols.numbers(facts) if n >= 0]
        everything = lambda: {_DECISION: [anything(2)], _NEXT: [], _SUBMITTED: []}  # noqa: E731
        program = self.program("board", everything, [("board_fact", 1), ("board_broken", 2)])
        grounding = Grounding(program, numbers)
        known = {s.arguments[0] for s in grounding.get("board_fact", 1)}
        for fact in facts:
            if fact not in known:
                return "", symbols.text(fact)
        for s in sorted(grounding.get("board_broken", 2)):
            return symbols.text(s.arguments[0]), symbols.text(s.arguments[1])
        return None


def is_enumeration(rule: Rule) -> bool:
    """Whether the rule enumerates what comes into question."""
    return any(h.signature == ("question", 2) for h in rule.heads) and not rule.file.startswith("engine")


def as_pattern(value: Value) -> Pattern:
    """The pattern that only this value matches."""
    if isinstance(value, int) or not value.args:
        return ("c", str(value))
    return ("f", value.name, tuple(as_pattern(a) for a in value.args))


def _kind_of(symbol: clingo.Symbol) -> tuple[str, int]:
    return symbol.name, len(symbol.arguments)


def _shape(kind: tuple[str, int]) -> Pattern:
    name, arity = kind
    return ("f", name, tuple(("v", f"A{k}") for k in range(arity))) if arity else ("c", name)


def outputs_of(names: Iterable[Atom]) -> list[Signature]:
    """The signatures of atoms."""
    return [a.signature for a in names]
