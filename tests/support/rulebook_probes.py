"""Coverage and mutation testing of a rulebook: which rules fire, and whether a mutant of a rule is noticed.

A probe is a question to an evaluator with the right answer, which comes from an independent implementation or from a table.
`Coverage` records which rules fire in each grounding. A `Suite` has all probes of a game: it finds rules that fire in no
probe, and tries mutants on the probes.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import clingo
import pytest

from kaiser_logic.engine import ruleset as evaluate
from kaiser_logic.engine import symbols
from kaiser_logic.engine.compiled import program as compiled
from kaiser_logic.engine.grounding import EngineProgram, Grounding, Symbols
from kaiser_logic.engine.ruleset import Ruleset
from kaiser_logic.evaluation.evaluator import Evaluator, evaluator_of
from kaiser_logic.game import Game
from kaiser_logic.lang.printer import show, show_literal
from kaiser_logic.lang.terms import Rule as Value
from kaiser_logic.lang.terms import Var
from kaiser_logic.lang.unification import CONSTANTS, arguments, label, most_general, rename_all, unify_all
from kaiser_logic.position import Position
from kaiser_logic.rules.contract.survey import CLAIM_PREDICATES, RULEBOOK_PREDICATES, Survey
from kaiser_logic.rules.generated import among_given
from kaiser_logic.rules.loader import parse_rules
from kaiser_logic.rules.predicates import FLUENT
from kaiser_logic.rules.rule import PlacedRule, SimpleAtom
from kaiser_logic.rules.rulebook import Rulebook
from support.plain import body_of
from support.played import game_at
from support.rule_cases import Case

# -- coverage ----------------------------------------------------------------------------------------------


@dataclass
class Coverage:
    """The rules that fired, by their numbers in the rulebook, and the atoms that grounding left open."""

    book: Rulebook
    fired: set[int] = field(default_factory=set)
    undecided: set[str] = field(default_factory=set)
    groundings: int = 0
    _programs: dict[int, tuple[EngineProgram, EngineProgram]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._number = {(rule.file, rule.line, rule.text): i for i, rule in enumerate(self.book.rules)}
        self._asked = {  # the rules of the vocabulary in the form that checks given facts
            rule.text: i
            for i, one in enumerate(self.book.rules)
            if any(head.signature == FLUENT for head in one.heads)
            for rule in among_given([one])
        }

    def number(self, rule: PlacedRule) -> int | None:
        """The number of a rule in the rulebook; None for a rule of the engine."""
        return self._number.get((rule.file, rule.line, rule.text), self._asked.get(rule.text))

    def extended(self, program: EngineProgram) -> EngineProgram:
        """The program with a rule ``fired__(I) :- body`` for each rule of the rulebook that has a body."""
        known = self._programs.get(id(program))
        if known is None or known[0] is not program:
            text = "\n".join(
                f"fired__({number}) :- {body_of(rule)}."
                for rule in program.rules
                if (number := self.number(rule)) is not None and rule.value.body
            )
            more = EngineProgram((*program.rules, *parse_rules(text)), program.inputs, program.static)
            known = self._programs[id(program)] = program, more
        return known[1]

    @contextmanager
    def recording(self) -> Iterator[set[int]]:
        """Records every grounding within the context; afterwards the set has the rules that fired."""
        coverage, before, fired = self, Grounding.__init__, set[int]()

        def recorded(self: Grounding, program: EngineProgram, facts: Symbols) -> None:
            before(self, coverage.extended(program), facts)
            coverage.groundings += 1
            fired.update(s.arguments[0].number for s in self.get("fired__", 1))
            if (
                coverage.groundings % 7 == 0
            ):  # expensive; the groundings of a run are so many that each program is checked
                coverage.undecided.update(self.undecided_atoms())

        Grounding.__init__ = recorded  # type: ignore[method-assign]
        try:
            yield fired
        finally:
            Grounding.__init__ = before  # type: ignore[method-assign]
            self.fired |= fired


# -- questions ---------------------------------------------------------------------------------------------

Answer = Any
Question = Callable[[Evaluator], Answer]
Facts = frozenset[clingo.Symbol]
Asked = tuple[Game, str, Question, Answer]
"""The game, the subject of the question, the question, and the right answer."""


def legal(facts: Facts) -> Question:
    """All legal actions, each with its role."""
    return lambda evaluator: set(evaluator.legal(facts))


def after(facts: Facts, chosen: Mapping[str, clingo.Symbol]) -> Question:
    """The position after the actions and after the automatic steps that follow."""

    def question(evaluator: Evaluator) -> Answer:
        judged = evaluator.judge(facts, chosen)
        if judged.violations:
            return judged.violations
        return evaluator.settle((facts - frozenset(judged.deleted)).union(judged.added))

    return question


def unsettled(position: Position, chosen: Mapping[str, clingo.Symbol]) -> Facts:
    """The facts right after the actions, when a step may be due."""
    judged = position.evaluator.judge(position.symbols, chosen)
    return (position.symbols - frozenset(judged.deleted)).union(judged.added)


def violated(facts: Facts, role: str, action: clingo.Symbol) -> Question:
    """The rules that an action breaks."""
    return lambda evaluator: {rule for _, _, rule in evaluator.judge(facts, {role: action}).violations}


def broken(facts: Facts) -> Question:
    """The broken invariants; also between two decisions, when a step is due."""
    between = any(s.name == "due" for s in facts)

    def question(evaluator: Evaluator) -> Answer:
        waived = {symbols.text(s.arguments[0]) for s in evaluator.ruleset.facts("waived", 1)}
        found = {invariant for invariant, _ in evaluator.broken_invariants(facts, waive=not between)}
        if "vocabulary" not in found:
            found |= {invariant for invariant, _ in evaluator.broken_invariants(facts, waive=False)}
        return found - waived

    return question


def board_problem(board: tuple[clingo.Symbol, ...]) -> Question:
    """The fault in the facts of a board file."""
    return lambda evaluator: evaluator.board_problem(board)


def outcome(facts: Facts) -> Question:
    """The points and the winners of a finished game; the winners have no order."""

    def question(evaluator: Evaluator) -> Answer:
        found = evaluator.outcome(facts)
        return found and (found[0], set(found[1]))

    return question


def weights(facts: Facts) -> Question:
    """The weights of chance's actions."""

    def question(evaluator: Evaluator) -> Answer:
        everything = {("decision", 2): [most_general(2)], ("due", 1): [], ("submitted", 2): []}
        grounding = Grounding(
            evaluator.ruleset.program("weights of probes", lambda: everything, [("weight", 2)]), facts
        )
        found = (s.arguments for s in grounding.get("weight", 2))
        return {symbols.text(action): number.number for action, number in found}

    return question


def view(facts: Facts, role: str) -> Question:
    """The view of a role."""
    return lambda evaluator: evaluator.view(facts, role)


def all_actions(evaluator: Evaluator) -> Answer:
    """Every action of the vocabulary."""
    program = evaluator.ruleset.program(
        "conceivable", lambda: {("decision", 2): [most_general(2)]}, [("action", 2)]
    )
    return set(Grounding(program, []).get("action", 2))


def outside_vocabulary(facts: Facts) -> Question:
    """The facts outside of the vocabulary, without regard to other invariants."""
    return lambda evaluator: {
        witness for name, witness in evaluator.broken_invariants(facts) if name == "vocabulary"
    }


def symbols_of(game: Game, facts: frozenset[str]) -> Facts:
    """The facts as clingo's symbols."""
    return frozenset(map(symbols.read_symbol, facts))


def choices(game: Game, actions: Mapping[str, tuple[str, ...]]) -> set[tuple[str, clingo.Symbol]]:
    """Legal actions from another source as the answer to `legal`."""
    return {(role, symbols.read_symbol(action)) for role, found in actions.items() for action in found}


def of_case(case: Case, at: Position) -> Asked:
    """A probe of a case: the rules that its action breaks. The case says whether its own rule is among them."""
    question = violated(at.symbols, case.role, symbols.read_symbol(case.action))
    answer = question(at.evaluator)
    assert (case.rule in answer) == case.breaks
    return game_at(at), "case", question, answer


# -- probes ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Probe:
    """A question to the evaluator of a game, the right answer, and the rules that fire."""

    game: Game
    about: str
    question: Question
    answer: Answer
    fired: frozenset[int] = frozenset()

    def passes(self, evaluator: Evaluator) -> bool:
        """Whether the evaluator gives this answer. An exception is another answer."""
        try:
            return bool(self.question(evaluator) == self.answer)
        except Exception:
            return False


# -- mutants -----------------------------------------------------------------------------------------------

_SWAPPED = {"<=": "<", "<": "<=", ">=": ">", ">": ">=", "!=": "=", "=": "!="}
_COMPARISON = re.compile(r"(?<= )(<=|>=|!=|<|>|=)(?= )")


@dataclass(frozen=True)
class Mutant:
    """The number of a rule of the rulebook, and the text that replaces it; an empty text drops it."""

    number: int
    how: str
    text: str

    @property
    def is_safe(self) -> bool:
        """Whether clingo accepts the rule."""
        control = clingo.Control(["--warn=none"], logger=lambda *_: None)
        try:
            control.add("base", [], self.text)
            control.ground([("base", [])])
        except RuntimeError:
            return False
        return True

    def rules(self, book: Rulebook) -> tuple[PlacedRule, ...]:
        """The rulebook's rules with this one changed."""
        old = book.rules[self.number]
        blocks = [(0, old.block)] if old.block else ()
        changed = parse_rules(self.text, old.file, blocks) if self.text else ()
        return (*book.rules[: self.number], *changed, *book.rules[self.number + 1 :])


def mutants(number: int, rule: PlacedRule) -> Iterator[Mutant]:
    """The mutants of a rule: the rule dropped; a literal dropped, negated, or its comparison swapped.

    Some are unsafe, so they are no rules. Mutants that only list more candidates are left out, because additional candidates
    are judged illegal.
    """
    yield Mutant(number, "drop the rule", "")
    literals = [show_literal(literal) for literal in rule.value.body]
    head = show(Value(rule.value.head)).removesuffix(".")
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


def grounding_evaluator(game: Game) -> Evaluator:
    """The game's evaluator that grounds: only grounding shows which rules fire."""
    return evaluator_of(replace(game.configuration, engine="clingo"))


def mutated(game: Game, mutant: Mutant) -> Evaluator:
    """The game's evaluator with the mutant in its rulebook."""
    original = game.book
    rules = mutant.rules(original)
    book = replace(original, rules=rules)
    changed = Ruleset(book, game.configuration)
    old = original.rules[mutant.number]
    if not any(head.name in _DECLARING for head in old.heads):  # otherwise the generated rules depend on it
        changed.rules = (*rules, *game.ruleset.rules[len(original.rules) :])
    return Evaluator(changed)


def _can_be_equal(one: SimpleAtom, other: SimpleAtom) -> bool:
    """Whether the atoms of two rules can have a common instance."""
    return (
        one.signature == other.signature
        and unify_all(one.args, rename_all(other.args, "other"), {}) is not None
    )


def _added(rule: PlacedRule) -> list[SimpleAtom]:
    """The atoms that a rule adds to the next position.

    >>> # add(due(crown)) :- does(R,A), builds(R,A,_).     due(crown)
    """
    terms = [head.args[0] for head in rule.heads if head.signature == ("add", 1)]
    return [SimpleAtom(label(term), arguments(term)) for term in terms if not isinstance(term, Var)]


# -- all of a game -----------------------------------------------------------------------------------------

THOROUGH = os.environ.get("KAISER_LOGIC_MUTANTS") == "all"
"""Whether to try every mutant on more probes (some minutes) instead of a sample."""
SAMPLE = 120
ROUNDS = 500
"""Recursive rules reach their fixpoint within so many rounds, on all boards of the games."""


def _spread(probes: list[Probe], rng: Random, most: int) -> list[Probe]:
    """A sample of the probes of different games, and twice as many of the game with most probes, which cost less."""
    mixed = rng.sample(probes, len(probes))
    seen: Counter[int] = Counter()
    turns = {probe: seen.update([id(probe.game)]) or seen[id(probe.game)] for probe in mixed}
    by_games = sorted(mixed, key=turns.__getitem__)[
        :most
    ]  # one of each game, then a second one of each game, and so on
    usual, _ = max(seen.items(), key=lambda item: item[1], default=(0, 0))
    return by_games + [probe for probe in mixed if id(probe.game) == usual][: 2 * most]


_DEMAND = {"fluent": "vocabulary", "counts": "limit", "limit": "limit"}
"""The engine's invariants that are generated from rules for these predicates."""
_UNMOVED = {"board", "land", "actions", "fluents", "initial"}
"""The subjects of probes that no move changes."""
_ASIDE = {*_UNMOVED, "invalid", "valid"}
"""The subjects of probes that do not depend on the course of a game."""


@dataclass(frozen=True, eq=False)
class Suite:
    """All probes of a game, and the files of its rulebook whose rules need special probes."""

    book: Rulebook
    questions: Callable[[], Iterator[Asked]]
    invariants: frozenset[str]
    boards: frozenset[str]

    @cached_property
    def probed(self) -> tuple[Coverage, tuple[Probe, ...]]:
        """All probes: each has passed once, with a record of the rules that fired."""
        coverage = Coverage(self.book)
        probes = []
        static: set[int] = set()
        for game, about, question, answer in self.questions():
            if id(game) not in static:
                static.add(id(game))
                with coverage.recording():
                    assert Ruleset(self.book, game.configuration).static
            probe = Probe(game, about, question, answer)
            assert probe.passes(game.evaluator), about
            with coverage.recording() as fired:
                assert question(grounding_evaluator(game)) == answer, about
            probes.append(replace(probe, fired=frozenset(fired)))
        return coverage, tuple(probes)

    @cached_property
    def unjudged(self) -> frozenset[int]:
        """The rules that only conditions of reasons use, or nothing in this game: no verdict depends on them."""
        survey = Survey(self.book)
        exports = {
            (name, int(arity))
            for name, _, arity in (e.partition("/") for e in self.book.manifest.get("exports", ()))
        }
        used = (
            {u for rule in self.book.rules for u in rule.uses}
            | {*survey.wanted, *RULEBOOK_PREDICATES, *CLAIM_PREDICATES}
            | exports
        )
        return frozenset(
            n
            for n, r in enumerate(self.book.rules)
            if r.heads and not any(h.signature in used for h in r.heads)
        )

    def never_fired(self) -> set[str]:
        """The rules that fire in no probe, without those that only reasons use."""
        coverage, _ = self.probed
        return {
            rule.text
            for number, rule in enumerate(self.book.rules)
            if rule.value.body and number not in coverage.fired and number not in self.unjudged
        }

    @cached_property
    def varied(self) -> tuple[Probe, ...]:
        """Probes of few games in which together every rule fires; without probes of invariants and boards."""
        coverage, probes = self.probed
        rest = [probe for probe in probes if probe.about not in _ASIDE]
        number = Counter(id(probe.game) for probe in rest)
        rest.sort(key=lambda probe: -number[id(probe.game)])
        left, found = set(coverage.fired), []
        while rest:
            best = max(rest, key=lambda probe: len(left & probe.fired))
            if not left & best.fired:
                break
            left -= best.fired
            rest.remove(best)
            found.append(best)
        return (*found, *[probe for probe in rest if probe.about == "exports"][:8])

    def asked(self, mutant: Mutant) -> list[Probe]:
        """The probes to try on a mutant: those that name the rule, some in which it fires, and some of every other kind."""
        _, probes = self.probed
        rng = Random(str(mutant.number))
        rule = self.book.rules[mutant.number]
        file = Path(rule.file).stem
        chosen = self._named(rule)
        touched = [probe for probe in probes if mutant.number in probe.fired]
        chosen += _spread(touched, rng, 40 if THOROUGH else 8)
        nearly, games = self._nearly(rule), {id(probe.game) for probe in touched}
        chosen += _spread([probe for probe in nearly if id(probe.game) in games], rng, 12 if THOROUGH else 6)
        chosen += _spread(nearly, rng, 12 if THOROUGH else 4)
        chosen += _spread(self._awaited(rule), rng, 12 if THOROUGH else 6)
        others = self._others(mutant.number)
        chosen += _spread(
            [probe for probe in touched if not others & probe.fired], rng, 12 if THOROUGH else 6
        )
        chosen += _spread(self._otherwise_ruled(rule), rng, 12 if THOROUGH else 6)
        chosen += _spread([probe for probe in touched if probe.about in ("invalid", "valid")], rng, 8)
        if file in self.invariants:
            invalid, valid = ([p for p in probes if p.about == about] for about in ("invalid", "valid"))
            chosen += [*invalid, *valid]
        elif file in self.boards:
            chosen += [probe for probe in probes if probe.about in _UNMOVED]
        else:
            chosen += self.varied
        if any(head.signature in self.book.static for head in rule.heads):
            chosen += [probe for probe in probes if probe.about in _UNMOVED]
        return list(dict.fromkeys([*chosen, *(rng.sample(probes, 100) if THOROUGH else ())]))

    def _others(self, number: int) -> set[int]:
        """The other rules that can derive the same atom. If none of them fires, the atom depends on this rule alone."""
        heads = self.book.rules[number].heads
        return {
            i
            for i, other in enumerate(self.book.rules)
            if i != number and any(_can_be_equal(one, head) for one in heads for head in other.heads)
        }

    def _otherwise_ruled(self, rule: PlacedRule) -> list[Probe]:
        """The probes under another value of a ruling that the rule uses, if other rules of the same id fire there."""
        named = {
            (label(atom.args[0]), label(atom.args[1]))
            for atom in (*rule.positive, *rule.negative)
            if atom.signature == ("ruling", 2)
            and isinstance(atom.args[0], CONSTANTS)
            and isinstance(atom.args[1], CONSTANTS)
        }
        _, probes = self.probed
        beside = {i for i, other in enumerate(self.book.rules) if other.block == rule.block}
        return [
            probe
            for probe in probes
            if beside & probe.fired and any(probe.game.options[n] != value for n, value in named)
        ]

    def _nearly(self, rule: PlacedRule) -> list[Probe]:
        """The probes in which a part of the rule's body holds: the predicate of the body that is derived least often."""
        _, probes = self.probed
        found = []
        for needed in {atom.signature for atom in rule.positive}:
            makers = {i for i, r in enumerate(self.book.rules) if any(h.signature == needed for h in r.heads)}
            found.append([probe for probe in probes if makers & probe.fired])
        return min(filter(None, found), key=len, default=[])

    def _awaited(self, rule: PlacedRule) -> list[Probe]:
        """The probes in which another rule may need only this rule's head to fire."""
        _, probes = self.probed
        found: list[Probe] = []
        for reader in self.book.rules:
            read = [a for a in reader.positive if any(_can_be_equal(a, head) for head in rule.heads)]
            others = [self._makers(a) for a in reader.positive if a not in read] if read else []
            number = self.book.rules.index(reader)
            if others := [makers for makers in others if makers]:
                found += [
                    probe
                    for probe in probes
                    if number not in probe.fired and all(makers & probe.fired for makers in others)
                ]
        return list(dict.fromkeys(found))

    def _makers(self, atom: SimpleAtom) -> set[int]:
        """The rules that may derive an atom, or add it to the next position."""
        return {
            i
            for i, rule in enumerate(self.book.rules)
            if rule.value.body and any(_can_be_equal(atom, head) for head in (*rule.heads, *_added(rule)))
        }

    def _named(self, rule: PlacedRule) -> list[Probe]:
        """The probes whose right answer names the rule's id."""
        _, probes = self.probed
        ids = {label(a).strip('"') for head in rule.heads for a in head.args if isinstance(a, CONSTANTS)} | {
            rule.block
        }
        ids |= {_DEMAND[head.name] for head in rule.heads if head.name in _DEMAND}
        return [
            p for p in probes if p.about in ("case", "invalid", "board") and p.answer and ids & {*p.answer}
        ]

    def kills(self, mutant: Mutant) -> bool:
        """Whether a probe notices the mutant. A mutant that does not terminate is noticed as not decided."""
        evaluators: dict[int, Evaluator] = {}
        for probe in self.asked(mutant):
            evaluator = evaluators.get(id(probe.game))
            if evaluator is None:
                evaluator = evaluators[id(probe.game)] = mutated(probe.game, mutant)
            if not probe.passes(evaluator):
                return True
        return False

    def described(self, mutant: Mutant) -> str:
        """The mutant as a line of text."""
        rule = self.book.rules[mutant.number]
        return f"{rule.file}: {mutant.how} in: {rule.text}"

    def assert_mutants_are_killed(self, least: float, seed: int = 11) -> None:
        """At least this share of the mutants is killed; the survivors are printed.

        Whether a mutant is in the sample depends on the mutant alone, so an edited rule does not change the rest of it.
        """
        rules = [(n, r) for n, r in enumerate(self.book.rules) if n not in self.unjudged]
        everything = [m for number, rule in rules for m in mutants(number, rule)]
        everything.sort(key=lambda mutant: sha256(f"{seed} {self.described(mutant)}".encode()).digest())
        tried = list(islice((m for m in everything if m.is_safe), None if THOROUGH else SAMPLE))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(compiled, "ROUNDS", ROUNDS)
            alive = [mutant for mutant in tried if not self.kills(mutant)]
        score = 1 - len(alive) / len(tried)
        report = "\n".join(
            [f"{len(tried) - len(alive)} of {len(tried)} killed: {score:.1%}", *map(self.described, alive)]
        )
        print(report)
        assert score >= least, report

    def assert_no_atom_is_open(self) -> None:
        """Grounding leaves no atom open."""
        coverage, _ = self.probed
        assert coverage.groundings > 1000
        assert not coverage.undecided
