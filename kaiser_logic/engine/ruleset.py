"""The evaluate reading: a given position, one grounding, everything a fact.

An :class:`Evaluator` belongs to one game with its edition, seats and board. It cuts a program for each kind of
question once, keeps it as clingo's syntax tree, and answers each question with a :class:`Grounding` of its own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

import clingo

from ..errors import NotDecided
from ..evaluation.verdict import Judgement
from ..notation.terms import Term
from ..rules.generated import all_rules
from ..rules.pattern import Pattern, Signature, anything, canonical, unify, unify_all
from ..rules.predicates import ADD, BROKEN, DECISION, DEL, NEXT, SUBMITTED, VIOLATES
from ..rules.rule import Rule, top
from ..rules.rulebook import ActionKind, Rulebook
from ..transform.slicing import Slicer, anywhere, seeds
from . import symbols
from .grounding import Grounding, Program, Symbols, Undecided
from .symbols import as_pattern

__all__ = [
    "Evaluator",
    "Grounding",
    "Judgement",
    "Program",
    "Symbols",
    "Undecided",
    "as_pattern",
    "is_enumeration",
]

_SEEDS: tuple[Signature, ...] = (SUBMITTED, NEXT, DECISION)
_LAZY: frozenset[Signature] = frozenset(
    {("fluent", 1), ("action", 2), ("board_fact", 1), ("board_broken", 2)}
)
_LEGAL, _TOO_MANY, _CONCEALS, _INSTEAD = ("legal", 2), ("too_many", 2), ("conceals", 2), ("instead", 2)
_OFFERED = ("offered", 2)
_NOT_OFFERED = frozenset({("declared", 2), ("claims", 3)})
"""What only matters for an action that is not offered: why not."""


class Evaluator:
    """Answers questions about given positions of one game under one edition, with its seats and board."""

    def __init__(self, book: Rulebook, given: Symbols) -> None:
        """``given``: the facts seat/2, ruling/2, start/2 and board/1."""
        self.book = book
        self.given = tuple(given)
        self.rules = all_rules(book)
        self._programs: dict[Any, Program] = {}
        self._kinds: dict[clingo.Symbol, ActionKind | None] = {}
        self._reading: dict[str, frozenset[tuple[Signature, tuple[Pattern, ...]]]] = {}
        self._patterns: dict[Signature, list[tuple[Pattern, ...]]] = {}
        self._matches: dict[tuple[Signature, tuple[Pattern, ...]], list[int]] = {}

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
        """The rules that can ever fire: nothing static speaks against them, and what they need has such rules too."""
        static = {s: {str(f) for f in facts} for s, facts in self.static.items()}
        rules = [r for r in self.rules if self._possible(r, static)]
        derived = {h.signature for r in self.rules for h in r.heads} - set(static)
        while True:
            missing = derived - {h.signature for r in rules for h in r.heads}
            kept = [r for r in rules if not any(a.signature in missing for a in r.positive)]
            if len(kept) == len(rules):
                return kept
            rules = kept

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
        self,
        key: Any,
        seeds: Callable[[], Mapping[Signature, Any]],
        outputs: Sequence[Signature],
        without: frozenset[Signature] = frozenset(),
    ) -> Program:
        """The program for a kind of question, cut at its first use."""
        found = self._programs.get(key)
        if found is None:
            slicer = self.enumerating if _LEGAL in outputs else self.judging
            rules = tuple(slicer.slice(seeds(), [top(*o) for o in outputs], without))
            found = self._programs[key] = self.complete(rules)
        return found

    def complete(self, rules: tuple[Rule, ...]) -> Program:
        """The program of these rules with the static facts they read."""
        wanted: dict[Signature, set[tuple[Pattern, ...]]] = defaultdict(set)
        for rule in rules:
            for signature, pattern in self._reads(rule):
                wanted[signature].add(pattern)
        stated = sorted(wanted.keys() & self.static.keys())
        static = tuple(s for signature in stated for s in self._matching(signature, wanted[signature]))
        return Program(rules, frozenset(wanted).difference(stated), static)

    def _reads(self, rule: Rule) -> frozenset[tuple[Signature, tuple[Pattern, ...]]]:
        """The patterns of a rule's body; most rules stand in several programs."""
        found = self._reading.get(rule.text)
        if found is None:
            body = (*rule.positive, *rule.negative, *rule.inner)
            found = self._reading[rule.text] = frozenset((a.signature, canonical(a.args)) for a in body)
        return found

    def _matching(self, signature: Signature, patterns: set[tuple[Pattern, ...]]) -> list[clingo.Symbol]:
        """The static facts that match one of the patterns."""
        facts = self.static[signature]
        if anything(signature[1]) in patterns or len(facts) < 8:
            return list(facts)
        places = set().union(*(self._places(signature, p) for p in patterns))
        return [facts[i] for i in sorted(places)]

    def _places(self, signature: Signature, pattern: tuple[Pattern, ...]) -> list[int]:
        """Which of the static facts of a predicate match a pattern."""
        found = self._matches.get((signature, pattern))
        if found is None:
            known = self._patterns.get(signature)
            if known is None:
                known = [tuple(map(symbols.value_pattern, f.arguments)) for f in self.static[signature]]
                self._patterns[signature] = known
            found = [i for i, fact in enumerate(known) if unify_all(pattern, fact, {}) is not None]
            self._matches[signature, pattern] = found
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
        decisions = {_kind_of(s.arguments[1]) for s in facts if symbols.signature(s) == DECISION}
        program = self.program(
            ("legal", frozenset(decisions)),
            lambda: seeds(map(_shape, decisions)),
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
        grounding = Grounding(self.program("view", anywhere, [_CONCEALS, _INSTEAD]), facts)
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
        given = (*facts, *self.submissions(submitted))
        grounding = Grounding(self.judge_program(submitted.values(), offered=True), given)
        if len(grounding.get(*_OFFERED)) < len(submitted):
            grounding = Grounding(self.judge_program(submitted.values()), given)
        violations = (s.arguments for s in grounding.get(*VIOLATES))
        return Judgement(
            tuple(sorted((symbols.text(r), a, symbols.text(v)) for r, a, v in violations)),
            tuple(s.arguments[0] for s in grounding.get(*ADD)),
            tuple(s.arguments[0] for s in grounding.get(*DEL)),
        )

    def judge_program(self, actions: Symbols, offered: bool = False) -> Program:
        """The program that judges actions of these kinds; a smaller one suffices for what is offered."""
        same = {k.index: k for action in actions for k in self._alike(self.kind(action))}.values()
        return self.program(
            ("judge", frozenset(k.index for k in same), offered),
            lambda: seeds(None, (), [k.action for k in same]),
            [VIOLATES, ADD, DEL, *([_OFFERED] if offered else [])],
            _NOT_OFFERED if offered else frozenset(),
        )

    def _alike(self, kind: ActionKind | None) -> list[ActionKind]:
        """All kinds whose actions look the same (the same action may belong to several decisions)."""
        return self._by_shape[canonical((kind.action,))] if kind else []

    @cached_property
    def _by_shape(self) -> dict[tuple[Pattern, ...], list[ActionKind]]:
        found: dict[tuple[Pattern, ...], list[ActionKind]] = defaultdict(list)
        for kind in self.book.kinds:
            found[canonical((kind.action,))].append(kind)
        return found

    @staticmethod
    def submissions(submitted: Mapping[str, clingo.Symbol]) -> list[clingo.Symbol]:
        """The facts submitted/2."""
        return [clingo.Function("submitted", [symbols.symbol(Term(r)), a]) for r, a in submitted.items()]

    def step(self, facts: frozenset[clingo.Symbol]) -> frozenset[clingo.Symbol]:
        """The next position, where something is due by itself."""
        due = [s.arguments[0] for s in facts if symbols.signature(s) == NEXT]
        kinds = frozenset(_kind_of(d) for d in due)
        program = self.program(
            ("step", kinds),
            lambda: seeds((), map(_shape, kinds)),
            [ADD, DEL],
        )
        grounding = Grounding(program, facts)
        deleted = {s.arguments[0] for s in grounding.get(*DEL)}
        return (facts - deleted).union(s.arguments[0] for s in grounding.get(*ADD))

    def settle(self, facts: frozenset[clingo.Symbol]) -> frozenset[clingo.Symbol]:
        """The position after all that happens by itself."""
        for _ in range(10_000):
            if facts.isdisjoint(self._steps):
                return facts
            facts = self.step(facts)
        raise Undecided("what happens by itself does not end")

    @cached_property
    def _steps(self) -> frozenset[clingo.Symbol]:
        """The facts that say that something is due by itself."""
        return frozenset(clingo.Function("next", [s.arguments[0]]) for s in self.facts("step", 1))

    def initial(self) -> frozenset[clingo.Symbol]:
        """The position at the start of the game."""
        start = frozenset(s.arguments[0] for s in self.facts("init", 1)) | frozenset(self.facts("seat", 2))
        return self.settle(start)

    def outcome(self, facts: frozenset[clingo.Symbol]) -> tuple[dict[str, int], list[str]] | None:
        """Points and winners of a finished game, or None."""
        outputs = [("terminal", 0), ("goal", 2), ("winner", 1)]
        program = self.program("outcome", anywhere, outputs)
        grounding = Grounding(program, facts)
        if not grounding.get("terminal", 0):
            return None
        points = {symbols.text(s.arguments[0]): s.arguments[1].number for s in grounding.get("goal", 2)}
        return points, [symbols.text(s.arguments[0]) for s in grounding.get("winner", 1)]

    def broken(self, facts: frozenset[clingo.Symbol], waive: bool = True) -> list[tuple[str, str]]:
        """The invariants that a position breaks, with witnesses; those waived by a ruling left out."""
        vocabulary = self.program("vocabulary", anywhere, [("fluent", 1)])
        numbers = [clingo.Function("number", [clingo.Number(n)]) for n in symbols.numbers(facts) if n >= 0]
        known = {s.arguments[0] for s in Grounding(vocabulary, numbers).get("fluent", 1)}
        known |= set() if waive else self._steps
        strange = sorted(symbols.text(f) for f in facts if f not in known)
        if strange:
            return [("vocabulary", f) for f in strange]
        start = anywhere if waive else lambda: seeds(None, None)
        program = self.program(("broken", waive), start, [BROKEN])
        waived = {symbols.text(s.arguments[0]) for s in self.facts("waived", 1)} if waive else set()
        found = (s.arguments for s in Grounding(program, facts).get(*BROKEN))
        return sorted((symbols.text(i), symbols.text(w)) for i, w in found if symbols.text(i) not in waived)

    def board_problem(self, board: Symbols) -> tuple[str, str] | None:
        """What is wrong with a board file's facts: a rule's id (empty: no such fact) and a witness; or None."""
        facts = list(board)
        numbers = [clingo.Function("number", [clingo.Number(n)]) for n in symbols.numbers(facts) if n >= 0]
        program = self.program("board", anywhere, [("board_fact", 1), ("board_broken", 2)])
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


def _kind_of(symbol: clingo.Symbol) -> tuple[str, int]:
    return symbol.name, len(symbol.arguments)


def _shape(kind: tuple[str, int]) -> Pattern:
    name, arity = kind
    return ("f", name, tuple(("v", f"A{k}") for k in range(arity))) if arity else ("c", name)
