"""Which rules of a rulebook fire, and what changes if one is spoilt.

A probe is a question to an evaluator with the answer that is right: found by an independent implementation, or
written down in a table. While `Covering` is at work every grounding notes which rules fire in it. A `Suite` is all
probes of a game: it says which rules fire in none, and tries spoilt rules on them.
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
from kaiser_logic.engine.grounding import Grounding, Program, Symbols
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
from kaiser_logic.rules.rule import Atom, Rule
from kaiser_logic.rules.rulebook import Rulebook
from support.plain import body_of
from support.played import game_at
from support.rule_cases import Case

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
        self._number = {(rule.file, rule.line, rule.text): i for i, rule in enumerate(self.book.rules)}
        self._asked = {  # the vocabulary, as it is asked for given facts only
            rule.text: i
            for i, one in enumerate(self.book.rules)
            if any(head.signature == FLUENT for head in one.heads)
            for rule in among_given([one])
        }

    def number(self, rule: Rule) -> int | None:
        """Which rule of the rulebook it is; None for one of the engine's."""
        return self._number.get((rule.file, rule.line, rule.text), self._asked.get(rule.text))

    def extended(self, program: Program) -> Program:
        """The program with a rule ``fired__(I) :- body`` for each rule of the rulebook that has a body."""
        known = self._programs.get(id(program))
        if known is None or known[0] is not program:
            text = "\n".join(
                f"fired__({number}) :- {body_of(rule)}."
                for rule in program.rules
                if (number := self.number(rule)) is not None and rule.value.body
            )
            more = Program((*program.rules, *parse_rules(text)), program.inputs, program.static)
            known = self._programs[id(program)] = program, more
        return known[1]

    @contextmanager
    def noting(self) -> Iterator[set[int]]:
        """While this lasts every grounding is noted; what fired is in the set afterwards."""
        coverage, before, here = self, Grounding.__init__, set[int]()

        def noted(self: Grounding, program: Program, facts: Symbols) -> None:
            before(self, coverage.extended(program), facts)
            coverage.groundings += 1
            here.update(s.arguments[0].number for s in self.get("fired__", 1))
            if coverage.groundings % 7 == 0:  # costly; over all groundings of a run it sees each program
                coverage.undecided.update(self.undecided())

        Grounding.__init__ = noted  # type: ignore[method-assign]
        try:
            yield here
        finally:
            Grounding.__init__ = before  # type: ignore[method-assign]
            self.fired |= here


# -- questions ---------------------------------------------------------------------------------------------

Answer = Any
Question = Callable[[Evaluator], Answer]
Facts = frozenset[clingo.Symbol]
Asked = tuple[Game, str, Question, Answer]
"""The game, what the question is about, the question, and the right answer."""


def legal(facts: Facts) -> Question:
    """All legal actions, each with its role."""
    return lambda evaluator: set(evaluator.legal(facts))


def after(facts: Facts, chosen: Mapping[str, clingo.Symbol]) -> Question:
    """The position after the actions, and after what then happens by itself."""

    def question(evaluator: Evaluator) -> Answer:
        judged = evaluator.judge(facts, chosen)
        if judged.violations:
            return judged.violations
        return evaluator.settle((facts - frozenset(judged.deleted)).union(judged.added))

    return question


def unsettled(position: Position, chosen: Mapping[str, clingo.Symbol]) -> Facts:
    """What holds right after the actions, when something may be due by itself."""
    judged = position.evaluator.judge(position.symbols, chosen)
    return (position.symbols - frozenset(judged.deleted)).union(judged.added)


def violated(facts: Facts, role: str, action: clingo.Symbol) -> Question:
    """The rules that an action breaks."""
    return lambda evaluator: {rule for _, _, rule in evaluator.judge(facts, {role: action}).violations}


def broken(facts: Facts) -> Question:
    """The invariants that are broken; also between two decisions, when something is due by itself."""
    between = any(s.name == "due" for s in facts)

    def question(evaluator: Evaluator) -> Answer:
        waived = {symbols.text(s.arguments[0]) for s in evaluator.ruleset.facts("waived", 1)}
        found = {invariant for invariant, _ in evaluator.broken(facts, waive=not between)}
        if "vocabulary" not in found:
            found |= {invariant for invariant, _ in evaluator.broken(facts, waive=False)}
        return found - waived

    return question


def refused(board: tuple[clingo.Symbol, ...]) -> Question:
    """What is wrong with a board file's facts."""
    return lambda evaluator: evaluator.board_problem(board)


def outcome(facts: Facts) -> Question:
    """Points and winners of a finished game; the winners in any order."""

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
    """What a role knows."""
    return lambda evaluator: evaluator.view(facts, role)


def conceivable(evaluator: Evaluator) -> Answer:
    """Every action that the vocabulary knows."""
    program = evaluator.ruleset.program(
        "conceivable", lambda: {("decision", 2): [most_general(2)]}, [("action", 2)]
    )
    return set(Grounding(program, []).get("action", 2))


def strange(facts: Facts) -> Question:
    """Those of the facts that are not of the vocabulary; other invariants aside."""
    return lambda evaluator: {witness for name, witness in evaluator.broken(facts) if name == "vocabulary"}


def symbols_of(game: Game, facts: frozenset[str]) -> Facts:
    """The facts as clingo's symbols."""
    return frozenset(map(symbols.read, facts))


def choices(game: Game, actions: Mapping[str, tuple[str, ...]]) -> set[tuple[str, clingo.Symbol]]:
    """Legal actions, found elsewhere, as the answer to `legal`."""
    return {(role, symbols.read(action)) for role, found in actions.items() for action in found}


def of_case(case: Case, at: Position) -> Asked:
    """The rules that a case's action breaks; the case's own is among them, or not."""
    question = violated(at.symbols, case.role, symbols.read(case.action))
    answer = question(at.evaluator)
    assert (case.rule in answer) == case.bites
    return game_at(at), "case", question, answer


# -- probes ------------------------------------------------------------------------------------------------


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
    """The game's evaluator that grounds: which rules fire is seen there only."""
    return evaluator_of(replace(game.configuration, engine="clingo"))


def mutated(game: Game, mutant: Mutant) -> Evaluator:
    """The game's evaluator, its rulebook spoilt."""
    original = game.book
    rules = mutant.rules(original)
    book = replace(original, rules=rules)
    spoilt = Ruleset(book, game.configuration)
    old = original.rules[mutant.number]
    if not any(head.name in _DECLARING for head in old.heads):  # else what the engine generates depends on it
        spoilt.rules = (*rules, *game.ruleset.rules[len(original.rules) :])
    return Evaluator(spoilt)


def _can_be_equal(one: Atom, other: Atom) -> bool:
    """Whether two rules' atoms can be the same."""
    return (
        one.signature == other.signature
        and unify_all(one.args, rename_all(other.args, "other"), {}) is not None
    )


def _added(rule: Rule) -> list[Atom]:
    """What a rule adds to the position that follows, as atoms of that position.

    >>> # add(due(crown)) :- does(R,A), builds(R,A,_).     due(crown)
    """
    terms = [head.args[0] for head in rule.heads if head.signature == ("add", 1)]
    return [Atom(label(term), arguments(term)) for term in terms if not isinstance(term, Var)]


# -- all of a game -----------------------------------------------------------------------------------------

THOROUGH = os.environ.get("KAISER_LOGIC_MUTANTS") == "all"
"""Whether every mutant is tried, on more probes (some minutes); otherwise a sample."""
SAMPLE = 120
ROUNDS = 500
"""Rules that read one another come to an end within so many rounds, on all boards of the games."""


def _spread(probes: list[Probe], rng: Random, most: int) -> list[Probe]:
    """So many of the probes, of different games, and twice as many of the game with most of them: those cost less."""
    mixed = rng.sample(probes, len(probes))
    seen: Counter[int] = Counter()
    turns = {probe: seen.update([id(probe.game)]) or seen[id(probe.game)] for probe in mixed}
    by_games = sorted(mixed, key=turns.__getitem__)[:most]  # of each game one, and so on
    usual, _ = max(seen.items(), key=lambda item: item[1], default=(0, 0))
    return by_games + [probe for probe in mixed if id(probe.game) == usual][: 2 * most]


_DEMAND = {"fluent": "vocabulary", "counts": "limit", "limit": "limit"}
"""The engine's own invariants that are made of such rules."""
_UNMOVED = {"board", "land", "actions", "fluents", "initial"}
"""What probes are about that show what no move changes."""
_ASIDE = {*_UNMOVED, "invalid", "valid"}
"""What probes are about that tell nothing of the course of a game."""


@dataclass(frozen=True, eq=False)
class Suite:
    """All probes of a game, and the files of its rulebook whose rules need probes of a sort."""

    book: Rulebook
    questions: Callable[[], Iterator[Asked]]
    invariants: frozenset[str]
    boards: frozenset[str]

    @cached_property
    def probed(self) -> tuple[Coverage, tuple[Probe, ...]]:
        """All probes, passed once while every rule that fires is noted."""
        coverage = Coverage(self.book)
        probes = []
        static: set[int] = set()
        for game, about, question, answer in self.questions():
            if id(game) not in static:
                static.add(id(game))
                with coverage.noting():
                    assert Ruleset(self.book, game.configuration).static
            probe = Probe(game, about, question, answer)
            assert probe.passes(game.evaluator), about
            with coverage.noting() as fired:
                assert question(grounding_evaluator(game)) == answer, about
            probes.append(replace(probe, fired=frozenset(fired)))
        return coverage, tuple(probes)

    @cached_property
    def told_only(self) -> frozenset[int]:
        """The rules that only conditions of sentences read, or nobody in this game: no verdict depends on them."""
        survey = Survey(self.book)
        exports = {
            (name, int(arity))
            for name, _, arity in (e.partition("/") for e in self.book.manifest.get("exports", ()))
        }
        heard = (
            {u for rule in self.book.rules for u in rule.uses}
            | {*survey.wanted, *RULEBOOK_PREDICATES, *CLAIM_PREDICATES}
            | exports
        )
        return frozenset(
            n
            for n, r in enumerate(self.book.rules)
            if r.heads and not any(h.signature in heard for h in r.heads)
        )

    def silent(self) -> set[str]:
        """The rules that fire nowhere, but for those that only reasons read."""
        coverage, _ = self.probed
        return {
            rule.text
            for number, rule in enumerate(self.book.rules)
            if rule.value.body and number not in coverage.fired and number not in self.told_only
        }

    @cached_property
    def varied(self) -> tuple[Probe, ...]:
        """Probes in which together every rule fires, of few games, those of the invariants and boards aside."""
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
        """The probes that are tried on a mutant: those that the rule is about, some in which it fires, all sorts."""
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
        """The other rules that can say the same as one: where none of them fires all hangs on it."""
        heads = self.book.rules[number].heads
        return {
            i
            for i, other in enumerate(self.book.rules)
            if i != number and any(_can_be_equal(one, head) for one in heads for head in other.heads)
        }

    def _otherwise_ruled(self, rule: Rule) -> list[Probe]:
        """The probes under another value of a ruling that the rule reads, where its neighbours of the same id fire."""
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

    def _nearly(self, rule: Rule) -> list[Probe]:
        """The probes in which what the rule asks for holds in part: the rarest of what its body needs."""
        _, probes = self.probed
        found = []
        for needed in {atom.signature for atom in rule.positive}:
            makers = {i for i, r in enumerate(self.book.rules) if any(h.signature == needed for h in r.heads)}
            found.append([probe for probe in probes if makers & probe.fired])
        return min(filter(None, found), key=len, default=[])

    def _awaited(self, rule: Rule) -> list[Probe]:
        """The probes in which only this rule's own conclusion is missing for another rule that reads it, or may be."""
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

    def _makers(self, atom: Atom) -> set[int]:
        """The rules that may say an atom, or add it to the next position."""
        return {
            i
            for i, rule in enumerate(self.book.rules)
            if rule.value.body and any(_can_be_equal(atom, head) for head in (*rule.heads, *_added(rule)))
        }

    def _named(self, rule: Rule) -> list[Probe]:
        """Probes whose right answer names the rule's id."""
        _, probes = self.probed
        ids = {label(a).strip('"') for head in rule.heads for a in head.args if isinstance(a, CONSTANTS)} | {
            rule.block
        }
        ids |= {_DEMAND[head.name] for head in rule.heads if head.name in _DEMAND}
        return [
            p for p in probes if p.about in ("case", "invalid", "board") and p.answer and ids & {*p.answer}
        ]

    def kills(self, mutant: Mutant) -> bool:
        """Whether a probe notices the mutant; one without an end is noticed as not decided."""
        evaluators: dict[int, Evaluator] = {}
        for probe in self.asked(mutant):
            spoilt = evaluators.get(id(probe.game))
            if spoilt is None:
                spoilt = evaluators[id(probe.game)] = mutated(probe.game, mutant)
            if not probe.passes(spoilt):
                return True
        return False

    def told(self, mutant: Mutant) -> str:
        """The mutant in a line."""
        rule = self.book.rules[mutant.number]
        return f"{rule.file}: {mutant.how} in: {rule.text}"

    def assert_spoilt_rules_are_noticed(self, least: float, seed: int = 11) -> None:
        """At least this share of the mutants is killed; the survivors are printed.

        Which are the sample hangs on each mutant alone: an edited rule changes no other rule's part in it.
        """
        rules = [(n, r) for n, r in enumerate(self.book.rules) if n not in self.told_only]
        everything = [m for number, rule in rules for m in mutants(number, rule)]
        everything.sort(key=lambda mutant: sha256(f"{seed} {self.told(mutant)}".encode()).digest())
        tried = list(islice((m for m in everything if m.is_safe), None if THOROUGH else SAMPLE))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(compiled, "ROUNDS", ROUNDS)
            alive = [mutant for mutant in tried if not self.kills(mutant)]
        score = 1 - len(alive) / len(tried)
        report = "\n".join(
            [f"{len(tried) - len(alive)} of {len(tried)} killed: {score:.1%}", *map(self.told, alive)]
        )
        print(report)
        assert score >= least, report

    def assert_nothing_is_left_open(self) -> None:
        """Grounding made every atom a fact."""
        coverage, _ = self.probed
        assert coverage.groundings > 1000
        assert not coverage.undecided
