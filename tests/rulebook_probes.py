"""Which rules of a rulebook fire, and what changes if one is spoilt.

A probe is a question to an evaluator with the answer that is right: found by an independent implementation, or
written down in a table. While `Covering` is at work every grounding notes which rules fire in it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import clingo

from kaiser_logic import evaluate
from kaiser_logic.evaluate import Evaluator, Grounding, Program
from kaiser_logic.game import Game
from kaiser_logic.generated import all_rules
from kaiser_logic.ir import Rule
from kaiser_logic.rulebook import Rulebook, body_text, parse_rules

# -- coverage ----------------------------------------------------------------------------------------------


@dataclass
class Coverage:
    """The rules (their numbers in the rulebook) that fired, and atoms that grounding left open."""

    book: Rulebook
    fired: set[int] = field(default_factory=set)
    undecided: set[str] = field(default_factory=set)
    groundings: int = 0
    _programs: dict[int, tuple[Program, Program]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._number = {id(rule): i for i, rule in enumerate(self.book.rules)}

    def extended(self, program: Program) -> Program:
        """The program with a rule ``fired__(I) :- body`` for each rule of the rulebook that has a body."""
        known = self._programs.get(id(program))
        if known is None or known[0] is not program:
            text = "\n".join(
                f"fired__({self._number[id(rule)]}) :- {body_text(rule)}."
                for rule in program.rules
                if id(rule) in self._number and body_text(rule)
            )
            more = Program((*program.rules, *parse_rules(text)), program.inputs, program.static)
            known = self._programs[id(program)] = program, more
        return known[1]

    @contextmanager
    def noting(self) -> Iterator[set[int]]:
        """While this lasts every grounding is noted; what fired is in the set afterwards."""
        coverage, before, here = self, evaluate.Grounding, set[int]()

        class Covering(Grounding):
            def __init__(self, program: Program, facts: evaluate.Symbols) -> None:
                super().__init__(coverage.extended(program), facts)
                coverage.groundings += 1
                here.update(s.arguments[0].number for s in self.get("fired__", 1))
                if coverage.groundings % 7 == 0:  # costly; over all groundings of a run it sees each program
                    coverage.undecided.update(self.undecided())

        evaluate.Grounding = Covering  # type: ignore[misc]
        try:
            yield here
        finally:
            evaluate.Grounding = before  # type: ignore[misc]
            self.fired |= here


# -- probes ------------------------------------------------------------------------------------------------

Answer = Any
Question = Callable[[Evaluator], Answer]


@dataclass(frozen=True, eq=False)
class Probe:
    """A question to the evaluator of a game, the right answer, and the rules that fire on the way."""

    game: Game
    about: str
    question: Question
    answer: Answer
    fired: frozenset[int] = frozenset()

    def passes(self, evaluator: Evaluator) -> bool:
        """Whether the evaluator gives this answer; whatever it stumbles over is another one."""
        try:
            return bool(self.question(evaluator) == self.answer)
        except Exception:
            return False


# -- mutants -----------------------------------------------------------------------------------------------

_SWAPPED = {"<=": "<", "<": "<=", ">=": ">", ">": ">=", "!=": "=", "=": "!="}
_COMPARISON = re.compile(r"(?<= )(<=|>=|!=|<|>|=)(?= )")


@dataclass(frozen=True)
class Mutant:
    """A rule of the rulebook (its number) and the text that stands in its place; empty: nothing."""

    number: int
    how: str
    text: str

    @property
    def is_safe(self) -> bool:
        """Whether clingo takes the rule."""
        control = clingo.Control(["--warn=none"], logger=lambda *_: None)
        try:
            control.add("base", [], self.text)
            control.ground([("base", [])])
        except RuntimeError:
            return False
        return True

    def rules(self, book: Rulebook) -> tuple[Rule, ...]:
        """The rulebook's rules with this one changed."""
        old = book.rules[self.number]
        blocks = [(0, old.block)] if old.block else ()
        changed = parse_rules(self.text, old.file, blocks) if self.text else ()
        return (*book.rules[: self.number], *changed, *book.rules[self.number + 1 :])


def mutants(number: int, rule: Rule) -> Iterator[Mutant]:
    """A rule dropped; a literal dropped, negated, or its comparison swapped.

    Some are unsafe, which makes them no rules. Rules that only enumerate more are left out: what is too much is
    judged illegal.
    """
    yield Mutant(number, "drop the rule", "")
    literals = [str(literal) for literal in rule.node.body]
    head = str(rule.node.head)
    for at, literal in enumerate(literals):
        changes: list[tuple[str, list[str]]] = [] if evaluate.is_enumeration(rule) else [("drop", [])]
        if re.match(r"(not )?[a-z_]\w*", literal) and "{" not in literal and ":" not in literal:
            changes.append(("negate", [literal[4:] if literal.startswith("not ") else f"not {literal}"]))
        for match in _COMPARISON.finditer(literal):
            before = literal[: match.start()]
            if "{" not in before or "}" in before:  # not inside an aggregate
                changes.append(("swap", [before + _SWAPPED[match[1]] + literal[match.end() :]]))
        for how, instead in changes:
            body = "; ".join([*literals[:at], *instead, *literals[at + 1 :]])
            yield Mutant(number, f"{how} {literal!r}", f"{head} :- {body}." if body else f"{head}.")


_DECLARING = {"action", "counted", "stated", "unit", "limit", "range", "fluent"}


def mutated(game: Game, mutant: Mutant) -> Evaluator:
    """The game's evaluator, its rulebook spoilt."""
    original = game.book
    evaluator = Evaluator(original, game.evaluator.given)
    rules = mutant.rules(original)
    book = Rulebook(original.id, original.folder, original.manifest, rules, original.docs, original.rulings)
    evaluator.book = book
    old = original.rules[mutant.number]
    if any(head.name in _DECLARING for head in old.heads):  # what the engine generates depends on it
        evaluator.rules = all_rules.__wrapped__(book)
    else:
        evaluator.rules = (*rules, *evaluator.rules[len(original.rules) :])
    return evaluator
