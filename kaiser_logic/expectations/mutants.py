"""Changes of a rulebook's rules that no row, invariant or claim of its author notices.

A mutant has one small change in one rule that decides what is legal or what happens: a literal is dropped or negated, a
number or a sign differs, a rule is missing. For each mutant the rows of ``tests.toml`` are asked first. Then random games
look for a broken invariant, and at last everything is proved that the unchanged rulebook proves. Each mutant runs in a
child process with a limit of memory.
"""

from __future__ import annotations

import multiprocessing
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from typing import Final

from ..engine.invariants import whole
from ..errors import FaultyRulebook, KaiserLogicError, NotDecided
from ..evaluation.random_games import random_game
from ..game import Game, load
from ..lang.algebra import rebuilt, walk
from ..lang.graph import cone
from ..lang.printer import show_with_commas
from ..lang.reader import statement
from ..lang.terms import Aggregate, Atom, Compare, Either, Int, Literal, Op, Rule, Signature, Term
from ..rules.loader import rulebook
from ..rules.predicates import (
    ACTION,
    BOUND,
    BROKEN,
    CANDIDATE,
    COUNTS,
    EFFECTS,
    FLUENT,
    GOAL,
    TERMINAL,
    VIOLATES,
    WINNER,
)
from ..workers import Job, ProcessPool
from .rows import Row, read_rows
from .running import FAILED, OPEN, run_row

UNNOTICED, NOTICED, REFUSED = "not noticed", "noticed", "refused"
_DECIDE: Final = frozenset({CANDIDATE, VIOLATES, *EFFECTS, ("init", 1), GOAL, TERMINAL, WINNER})
"""The predicates that say what is legal, what happens and who wins. Only rules on which they depend are changed."""
_DECLARE: Final[frozenset[Signature]] = frozenset({
    FLUENT, ACTION, BROKEN, COUNTS, BOUND, ("limit", 3), ("range", 3), ("counted", 2), ("stated", 2), ("signed", 2),
    ("unit", 2), ("step", 1), ("simultaneous", 1), ("out_of_turn", 2), ("may_decide", 2), ("waived", 1), ("presumed", 1),
})  # fmt: skip
"""The predicates that declare things, or state invariants. Their rules are not changed."""
_SIGNS: Final = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "=": "!=", "!=": "="}
_OPERATIONS: Final = {"+": "-", "-": "+", "*": "+"}
_GAMES, _DECISIONS = 10, 300
"""The largest number of random games, and of decisions in all of them, in which invariants are tried."""


@dataclass(frozen=True)
class Mutant:
    """A rulebook with one rule changed.

    Attributes:
        file: The name of the file, with ``.lp``.
        line: The line of the rule.
        offset: The place of the rule in the text of the file.
        old: The rule as it is written.
        new: What stands in its place.
        what: The change in words.
    """

    file: str
    line: int
    offset: int
    old: str
    new: str
    what: str

    def write(self, source: Path, target: Path) -> Path:
        """Writes the changed rulebook to a new folder below ``target``, which has the name of its source."""
        folder = target / source.name
        shutil.copytree(source, folder)
        path = folder / self.file
        with open(path, encoding="utf-8", newline="") as file:
            text = file.read()
        text = text[: self.offset] + self.new + text[self.offset + len(self.old) :]
        path.write_text(text, encoding="utf-8")
        return folder


@dataclass(frozen=True)
class Fate:
    """What became of a mutant.

    Attributes:
        mutant: The mutant.
        status: ``noticed``, ``not noticed``, ``not decided`` or ``refused``: it breaks the contract, or is never safe.
        by: What noticed it, or why it is not decided.
    """

    mutant: Mutant
    status: str
    by: str = ""


def mutants_of(folder: Path, seed: int = 1) -> list[Mutant]:
    """All mutants of a rulebook, in an order that depends on the seed only."""
    book = rulebook(folder)
    rules = cone([rule.value for rule in book.rules], _DECIDE)
    wanted = {(rule.place.file, rule.place.line, rule.place.column) for rule in rules}
    texts: dict[str, str] = {}
    mutants: list[Mutant] = []
    for rule in book.rules:
        place = (rule.file, rule.line, rule.column)
        if rule.is_of_engine or place not in wanted or any(h.signature in _DECLARE for h in rule.heads):
            continue
        name = rule.file.rpartition("/")[2]
        if name not in texts:
            with open(folder / name, encoding="utf-8", newline="") as file:
                texts[name] = file.read()
        mutants += _mutants_of(name, rule.line, rule.column, texts[name], rule.value)
    Random(seed).shuffle(mutants)
    return mutants


def _mutants_of(name: str, line: int, column: int, text: str, rule: Rule) -> Iterator[Mutant]:
    """The mutants of one rule."""
    lines = text.split("\n")
    offset = sum(len(one) + 1 for one in lines[: line - 1]) + column - 1
    old = statement(text[offset:])
    seen = {rule}
    for new, what in _changes(rule):
        if new not in seen:
            if new is not None:
                seen.add(new)
            yield Mutant(name, line, offset, old, "" if new is None else show_with_commas(new), what)


def _changes(rule: Rule) -> Iterator[tuple[Rule | None, str]]:
    """Changed rules, with words; None if the rule is left out."""
    yield None, "left out"
    for at, literal in enumerate(rule.body):
        rest = (*rule.body[:at], *rule.body[at + 1 :])
        if rest:
            yield replace(rule, body=rest), "a literal dropped"
        for other in _negate(literal):
            yield replace(rule, body=(*rule.body[:at], other, *rule.body[at + 1 :])), "a sign changed"
    for value, what in ((1, "a number larger"), (-1, "a number smaller")):
        for number in range(sum(isinstance(part, Int) for part in walk(rule))):
            yield _rebuilt(rule, number, lambda t, by=value: _shift(t, by)), what  # type: ignore[misc]
    for number in range(sum(isinstance(part, Op) for part in walk(rule))):
        yield _rebuilt(rule, number, _other_operation), "an operation changed"


def _negate(literal: Literal) -> Iterator[Literal]:
    """The literal with another sign."""
    match literal:
        case Atom(_, _, sign) | Either(_, sign):
            yield replace(literal, sign=0 if sign else 1)
        case Compare(_, op, _, _):
            yield replace(literal, op=_SIGNS[op])
        case Aggregate(_, _, guards, _) if guards:
            yield replace(literal, guards=((_SIGNS[guards[0][0]], guards[0][1]), *guards[1:]))


def _shift(term: Term, by: int) -> Term | None:
    return Int(term.value + by) if isinstance(term, Int) and term.value + by >= 0 else None


def _other_operation(term: Term) -> Term | None:
    return replace(term, sign=_OPERATIONS[term.sign]) if isinstance(term, Op) and term.sign in _OPERATIONS else None


def _rebuilt(rule: Rule, number: int, change: Callable[[Term], Term | None]) -> Rule:
    """The rule with the term of this number changed, among the terms for which ``change`` gives a term."""
    places = count()

    def at_place(term: Term) -> Term:
        other = change(term)
        return term if other is None or next(places) != number else other

    return rebuilt(rule, at_place)


# -- what notices a mutant -----------------------------------------------------------------------------------


def examine(
    folder: Path,
    number: int,
    *,
    seed: int = 1,
    timeout: float = 60.0,
    jobs: int | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> Iterator[Fate]:
    """Changes a rulebook and yields what became of each change, in a fixed order.

    Args:
        folder: The folder of the rulebook.
        number: The number of mutants that load.
        seed: The seed of the order.
        timeout: The seconds for each search and proof of a mutant.
        jobs: The number of processes; by default one for each core.
        progress: Called with a message after each mutant.

    Raises:
        WrongUsage: The rulebook has no ``tests.toml``.
    """
    rows = read_rows(folder)
    proved = frozenset(p.claim for p in load(folder).prove(timeout=timeout, jobs=jobs).proofs if p.status == "proved")
    waiting: dict[int, Fate] = {}
    loaded = next_one = 0
    with tempfile.TemporaryDirectory(prefix="kaiser-logic-") as place:
        mutants = mutants_of(folder, seed)
        jobs_to_do = (
            Job(str(i), partial(_fate, mutant, folder, Path(place) / str(i), rows, proved, timeout))
            for i, mutant in enumerate(mutants)
        )
        for answer in ProcessPool(jobs_to_do, jobs):
            index = int(answer.name)
            fate = answer.value or Fate(mutants[index], OPEN, answer.reason)
            waiting[index] = fate
            while next_one in waiting:
                fate = waiting.pop(next_one)
                next_one += 1
                loaded += fate.status != REFUSED
                progress(f"mutants: {loaded}/{number}")
                yield fate
                if loaded == number:
                    return


def _fate(
    mutant: Mutant, source: Path, place: Path, rows: Sequence[Row], proved: frozenset[str], timeout: float
) -> Fate:
    """What becomes of a mutant. It runs in a process of its own, whose proofs start further processes."""
    getattr(multiprocessing.current_process(), "_config", {})["daemon"] = False
    folder = mutant.write(source, place)
    try:
        rulebook(folder)
    except FaultyRulebook as error:
        return Fate(mutant, REFUSED, str(error.findings[0].message))
    undecided = ""
    for row in rows:
        outcome = run_row(replace(row, folder=folder), timeout)
        if outcome.status == FAILED:
            return Fate(mutant, NOTICED, f"{row.name}: {outcome.message}")
        if outcome.status == OPEN:
            undecided = f"{row.name}: {outcome.message}"
    try:
        game = load(folder)
        if by := _broken_in_games(game, proved) or _falls(game, proved, timeout):
            return Fate(mutant, NOTICED, by)
    except NotDecided as error:
        undecided = str(error)
    except KaiserLogicError as error:
        return Fate(mutant, NOTICED, str(error))
    return Fate(mutant, OPEN if undecided else UNNOTICED, undecided)


def _broken_in_games(game: Game, proved: frozenset[str]) -> str:
    """The invariant that random games break, though the unchanged rulebook keeps it, in words; empty if they break none."""
    random, decisions = Random(1), 0
    for _ in range(_GAMES):
        for pair, after in random_game(game.evaluator, random):
            decisions += bool(pair.actions)
            if broken := proved.intersection(name for name, _ in game.evaluator.broken_invariants(after, waive=False)):
                return f"random games break the invariant {min(broken)}"
            if decisions >= _DECISIONS:
                return ""
    return ""


def _falls(game: Game, proved: frozenset[str], timeout: float) -> str:
    """The claim that falls, though the unchanged rulebook keeps it, in words; empty if all are proved.

    Raises:
        NotDecided: No claim falls, and one is not decided.
    """
    proofs = [
        proof
        for proof in game.prove(timeout=timeout, jobs=1).proofs
        if not proved.isdisjoint((proof.claim, whole(proof.claim)))
    ]
    for proof in proofs:
        if proof.status == "falls":
            return f"prove: {proof.claim} falls"
    for proof in proofs:
        if proof.status != "proved":
            raise NotDecided(f"prove: {proof.claim}: {'; '.join(proof.notes)}")
    return ""
