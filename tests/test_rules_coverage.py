"""Whether the tests would notice: every rule of Im Schatten des Kaisers fires, and no spoilt rule goes unseen.

The stored games and positions of `examples`, replayed beside the independent implementation, the table of cases for
rules and the one for invariants are made into probes: questions with the right answers. KAISER_LOGIC_MUTANTS=all
tries every mutant (some minutes) and prints the survivors; otherwise a sample is tried.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random

import clingo
import pytest
from kaiser_games import setting
from kaiser_invalid import CASES as INVALID
from kaiser_invalid import Invalid
from kaiser_positions import game, position
from oracles.kaiser import CITIES, ELECTORATES, ROLES, Kaiser
from rule_cases import Case, read_cases
from rulebook_probes import Answer, Coverage, Mutant, Probe, Question, mutants, mutated

from kaiser_logic import evaluate, symbols
from kaiser_logic.evaluate import Evaluator
from kaiser_logic.game import Game, parsed
from kaiser_logic.record import PositionBlock, Record, read
from kaiser_logic.replay import Replay
from kaiser_logic.rulebook import body_text, rulebook
from kaiser_logic.slicing import anything

TESTS = Path(__file__).parent
EXAMPLES = TESTS.parent / "examples"
BOOK = rulebook("kaiser")
SAMPLE = 40
LEAST = 0.85

Facts = frozenset[clingo.Symbol]

NEVER = {
    "vacant_by_age :- next(aging); not throne(_,_,_).": "the throne is never empty before aging; said for proofs",
}
"""Rules that cannot fire in a game, with reasons."""

TIGHT = " ".join(f"spaces({e},aristocrat,{2 if e != 'mainz' else 1})" for e in ELECTORATES)
BOARDS = [
    (4, "spaces(trier,city,3) colour(pope,pink)", None),
    (4, "spaces(trier,city,20)", None),
    (4, "spaces(wien,city,3)", ("", "spaces(wien,city,3)")),
    (4, "spaces(trier,city,21)", ("", "spaces(trier,city,21)")),
    (4, "colour(pope,green)", ("", "colour(pope,green)")),
    (4, "spaces(trier,city,1) spaces(trier,city,2)", ("board.one_value", "spaces(trier,city)")),
    (4, "colour(pope,blue) colour(pope,pink)", ("board.one_value", "colour(pope)")),
    (4, TIGHT.replace("boehmen,aristocrat,2", "boehmen,aristocrat,0"), ("board.aristocrats", "(none,none)")),
    (4, f"{TIGHT} spaces(boehmen,castle,0)", None),
    (4, " ".join(f"spaces({e},castle,0)" for e in ELECTORATES), None),
    (
        4,
        f"{TIGHT} {' '.join(f'spaces({e},castle,0)' for e in ELECTORATES)}",
        ("board.knights", "(none,none)"),
    ),
    (4, " ".join(f"spaces({e},city,0)" for e in ELECTORATES), ("board.city", "(none,none)")),
    (3, TIGHT.replace("boehmen,aristocrat,2", "boehmen,aristocrat,0"), None),
    (
        2,
        " ".join(f"spaces({e},city,{int(e == 'trier')})" for e in ELECTORATES),
        ("board.city", "(trier,boehmen)"),
    ),
]
"""Boards for so many players: what a board file says, and what is wrong with it."""


# -- questions ---------------------------------------------------------------------------------------------


def legal(facts: Facts) -> Question:
    return lambda evaluator: set(evaluator.legal(facts))


def after(facts: Facts, chosen: Mapping[str, clingo.Symbol]) -> Question:
    def question(evaluator: Evaluator) -> Answer:
        judged = evaluator.judge(facts, chosen)
        if judged.violations:
            return judged.violations
        return evaluator.settle((facts - frozenset(judged.deleted)).union(judged.added))

    return question


def violated(facts: Facts, role: str, action: clingo.Symbol) -> Question:
    return lambda evaluator: {rule for _, _, rule in evaluator.judge(facts, {role: action}).violations}


def broken(facts: Facts) -> Question:
    """Also of positions between two decisions, when something is due by itself."""
    between = any(s.name == "next" for s in facts)

    def question(evaluator: Evaluator) -> Answer:
        waived = {symbols.text(s.arguments[0]) for s in evaluator.facts("waived", 1)}
        return {invariant for invariant, _ in evaluator.broken(facts, waive=not between)} - waived

    return question


def refused(board: tuple[clingo.Symbol, ...]) -> Question:
    return lambda evaluator: evaluator.board_problem(board)


def conceivable(evaluator: Evaluator) -> Answer:
    program = evaluator.program("conceivable", lambda: {("decision", 2): [anything(2)]}, [("action", 2)])
    return set(evaluate.Grounding(program, []).get("action", 2))


def exported(facts: Facts) -> Question:
    """What a query can ask besides facts."""
    wanted = [(name, int(arity)) for name, _, arity in (e.partition("/") for e in BOOK.manifest["exports"])]

    def question(evaluator: Evaluator) -> Answer:
        everything = {("decision", 2): [anything(2)], ("next", 1): [], ("submitted", 2): []}
        grounding = evaluate.Grounding(evaluator.program("exports", lambda: everything, wanted), facts)
        return {symbols.text(s) for signature in wanted for s in grounding.get(*signature)}

    return question


def measures(oracle: Kaiser) -> set[str]:
    """What the independent implementation says to some of that."""
    found = {
        f"power({e},{r},{n})"
        for e in ELECTORATES
        if e not in oracle.closed
        for r, n in oracle._power(e).items()
    }
    for role in oracle.seats:
        found |= {f"votes({role},{oracle._votes(role)})", f"supply({role},aristocrat,{oracle._supply(role)})"}
        found |= {f"supply({role},knight,{oracle._knight_supply(role)})"}
        found |= {f"supply({role},city,{CITIES - oracle._city_number(role)})"}
    rival = oracle._rival()
    if rival is not None and rival != oracle.emperor:
        lead = oracle._votes(rival) - oracle._votes(oracle.emperor)
        others = sum(oracle._votes(r) for r in oracle.seats if r not in (rival, oracle.emperor))
        found |= {"rival_can_win"} if lead + others > 0 else set()
        found |= {"rival_must_win"} if lead - others > 0 else set()
    return found


# -- probes ------------------------------------------------------------------------------------------------


def symbols_of(found: Game, facts: frozenset[str]) -> Facts:
    return frozenset(map(found.fact, facts))


def of_record(record: Record) -> Iterator[tuple[Game, str, Question, Answer]]:
    """The record's decisions with what the independent implementation makes of them."""
    here = Replay.at(record, 0).here()
    found = here.game
    spaces = {
        (str(f.arguments[0]), str(f.arguments[1])): f.arguments[2].number
        for f in found.evaluator.facts("spaces", 3)
    }
    colours = {str(f.arguments[0]): str(f.arguments[1]) for f in found.evaluator.facts("colour", 2)}
    oracle = Kaiser.from_facts(here.facts, found.edition, found.options, spaces, colours)
    facts = here.symbols
    assert found.evaluator.initial() == facts or isinstance(record.items[0], PositionBlock)
    if not isinstance(record.items[0], PositionBlock):
        yield found, "initial", Evaluator.initial, facts
    pending: dict[str, clingo.Symbol] = {}
    for number, move in enumerate(record.moves):
        if not pending and (number < 4 or number % 2 == 0):
            expected = {(r, found.action(a)) for r, actions in oracle.legal().items() for a in actions}
            yield found, "legal", legal(facts), expected
        pending[move.role] = symbols.symbol(move.action) if move.action else found.action("pass")
        if len(pending) == len(oracle.legal()):
            oracle.apply({role: symbols.text(action) for role, action in pending.items()})
            following = symbols_of(found, oracle.facts())
            yield found, "after", after(facts, pending), following
            if number % 4 == 1:
                yield found, "valid", broken(following), set()
                between = found.evaluator.judge(facts, pending)
                unsettled = (facts - frozenset(between.deleted)).union(between.added)
                yield found, "valid", broken(unsettled), set()
            if number % 8 == 4:
                everything = exported(following)(found.evaluator)
                names = {"power", "votes", "supply"}
                names |= {"rival_can_win", "rival_must_win"} if oracle._rival() != oracle.emperor else set()
                assert {a for a in everything if a.partition("(")[0] in names} == measures(oracle)
                yield found, "exports", exported(following), everything
            facts, pending = following, {}
    result = oracle.result()
    if result:
        yield found, "outcome", lambda e: e.outcome(facts), (result[0], sorted(result[1]))


SITUATIONS = [
    (
        "actions",  # the holder of the gray eminence has no tile in supply
        "- display(gray_eminence,1) + held(yellow,gray_eminence,1) finished(green) finished(blue) finished(yellow)"
        " aristocrat(pfalz,yellow,15,baron,2) aristocrat(sachsen,yellow,15,baron,2)",
        {"red": "pass"},
    ),
    (
        "enthrone",  # no tile in supply, but some on aristocrat spaces
        "+ aristocrat(koeln,green,15,baron,2) aristocrat(sachsen,green,15,baron,2)",
        {"green": "enthrone(aristocrat(koeln),15,baron)"},
    ),
    (
        "vote",  # the victorious rival has no tile but in supply
        "- aristocrat(boehmen,green,15,baron,1) aristocrat(boehmen,green,15,couple,1)",
        {"blue": "vote(rival)", "yellow": "vote(rival)"},
    ),
    (
        "vote",  # all empire cities are on the board
        "+ empire_city(koeln,1)",
        {"blue": "vote(emperor)", "yellow": "vote(emperor)"},
    ),
]
"""Rare positions, how a position of `kaiser_positions` becomes one, and an action in it."""


def of_situation(
    at: str, change: str, chosen: Mapping[str, str]
) -> Iterator[tuple[Game, str, Question, Answer]]:
    here = position(at, change)
    oracle = Kaiser.from_facts(here.facts)
    expected = {(r, here.game.action(a)) for r, actions in oracle.legal().items() for a in actions}
    yield here.game, "legal", legal(here.symbols), expected
    oracle.apply(chosen)
    actions = {role: here.game.action(action) for role, action in chosen.items()}
    yield here.game, "after", after(here.symbols, actions), symbols_of(here.game, oracle.facts())


def of_case(case: Case) -> tuple[Game, str, Question, Answer]:
    options = case.details.get("option", "").split()
    at = position(
        case.at,
        case.details.get("change", ""),
        case.details.get("edition", "standard"),
        tuple((name, value) for name, _, value in (option.partition("=") for option in options)),
    )
    question = violated(at.symbols, case.role, at.game.action(case.action))
    answer = question(at.game.evaluator)
    assert (case.rule in answer) == case.bites
    return at.game, "case", question, answer


def of_invalid(case: Invalid) -> tuple[Game, str, Question, Answer]:
    at, facts = case.position()
    return at.game, "invalid", broken(facts), set(case.invariants)


def all_questions() -> Iterator[tuple[Game, str, Question, Answer]]:
    for folder in ("games", "worked", "positions"):
        for path in sorted((EXAMPLES / folder).glob("*.game")):
            yield from of_record(read(path))
    for seed in range(9):
        given = setting(seed)._replace(spaces={}, colours={})
        oracle = given.oracle()
        found = given.game(Path())
        yield found, "initial", Evaluator.initial, symbols_of(found, oracle.facts())
    for at, change, chosen in SITUATIONS:
        yield from of_situation(at, change, chosen)
    for case in read_cases(TESTS / "kaiser_rules.txt"):
        yield of_case(case)
    for invalid in INVALID:
        yield of_invalid(invalid)
    for players, text, expected in BOARDS:
        terms = tuple(map(parsed, text.split()))
        found = Game(BOOK, "standard", {}, ROLES[:players], {"emperor": ROLES[:1]}, terms)
        yield found, "board", refused(tuple(map(symbols.symbol, terms))), expected
    for players in (2, 3, 4):
        found = game(players)
        yield found, "actions", conceivable, conceivable(found.evaluator)


@cache
def probed() -> tuple[Coverage, tuple[Probe, ...]]:
    """All probes, passed once while every rule that fires is noted."""
    coverage = Coverage(BOOK)
    probes = []
    static: dict[int, frozenset[int]] = {}
    for found, about, question, answer in all_questions():
        if id(found) not in static:
            with coverage.noting() as fired:
                assert Evaluator(BOOK, found.evaluator.given).static
            static[id(found)] = frozenset(fired)
        probe = Probe(found, about, question, answer)
        with coverage.noting() as fired:
            assert question(found.evaluator) == answer, about
        probes.append(replace(probe, fired=frozenset(fired)))
    return coverage, tuple(probes)


# -- tests -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", INVALID, ids=str)
def test_what_is_no_position(case: Invalid) -> None:
    at, facts = case.position()
    assert broken(facts)(at.game.evaluator) == case.invariants


def test_every_invariant_is_broken_somewhere() -> None:
    invariants = {doc.id for doc in BOOK.docs.values() if doc.kind == "invariant"}
    assert invariants | {"vocabulary", "count", "limit"} == set().union(*(c.invariants for c in INVALID))


def test_every_rule_fires() -> None:
    coverage, _ = probed()
    silent = [
        f"{rule.file}:{rule.line}: {rule.text}"
        for number, rule in enumerate(BOOK.rules)
        if body_text(rule) and number not in coverage.fired and rule.text not in NEVER
    ]
    assert not silent, "\n".join(silent)
    assert NEVER.keys() <= {rule.text for i, rule in enumerate(BOOK.rules) if i not in coverage.fired}


def test_grounding_leaves_nothing_open() -> None:
    coverage, _ = probed()
    assert coverage.groundings > 1000
    assert not coverage.undecided


@cache
def varied() -> tuple[Probe, ...]:
    """Probes in which together every rule fires, those of the invariants and boards aside."""
    coverage, probes = probed()
    rest = [probe for probe in probes if probe.about not in ("invalid", "valid", "board", "actions")]
    left, found = set(coverage.fired), []
    while rest:
        best = max(rest, key=lambda probe: len(left & probe.fired))
        if not left & best.fired:
            break
        left -= best.fired
        rest.remove(best)
        found.append(best)
    return (*found, *[probe for probe in rest if probe.about == "exports"][:8])


def asked(mutant: Mutant, thorough: bool) -> list[Probe]:
    """The probes that are tried on a mutant: first some in which the rule fires, then all sorts."""
    _, probes = probed()
    rng = Random(str(mutant.number))
    touched = [probe for probe in probes if mutant.number in probe.fired]
    rng.shuffle(touched)
    seen: Counter[int] = Counter()
    turns = {probe: seen.update([id(probe.game)]) or seen[id(probe.game)] for probe in touched}
    chosen = sorted(touched, key=turns.__getitem__)[: 40 if thorough else 8]  # of each game one, and so on
    file = Path(BOOK.rules[mutant.number].file).stem
    if file == "invariants":
        chosen += [probe for probe in probes if probe.about == "invalid"]
        valid = [probe for probe in probes if probe.about == "valid"]
        chosen += valid if thorough else rng.sample(valid, 20)
    elif file == "board":
        chosen += [probe for probe in probes if probe.about in ("board", "initial")]
    else:
        chosen += varied()
    return [*chosen, *(rng.sample(probes, 100) if thorough else ())]


def survivors(tried: list[Mutant], thorough: bool) -> list[Mutant]:
    """The mutants that no probe kills."""
    found = []
    for mutant in tried:
        evaluators: dict[int, Evaluator] = {}
        for probe in asked(mutant, thorough):
            spoilt = evaluators.get(id(probe.game))
            if spoilt is None:
                spoilt = evaluators[id(probe.game)] = mutated(probe.game, mutant)
            if not probe.passes(spoilt):
                break
        else:
            found.append(mutant)
    return found


def told(mutant: Mutant) -> str:
    rule = BOOK.rules[mutant.number]
    return f"{rule.file}:{rule.line}: {mutant.how} in: {rule.text}"


def test_spoilt_rules_are_noticed() -> None:
    everything = [m for number, rule in enumerate(BOOK.rules) for m in mutants(number, rule)]
    thorough = os.environ.get("KAISER_LOGIC_MUTANTS") == "all"
    Random(11).shuffle(everything)
    tried = list(islice((m for m in everything if m.is_safe), None if thorough else SAMPLE))
    alive = survivors(tried, thorough)
    score = 1 - len(alive) / len(tried)
    report = "\n".join([f"{len(tried) - len(alive)} of {len(tried)} killed: {score:.1%}", *map(told, alive)])
    print(report)
    assert score >= LEAST, report
