"""The values of each argument include all that occur in games, and exclude impossible values."""

from itertools import islice
from math import inf
from random import Random

import clingo
import pytest
from support import SUPPORT
from support.heap_game import SCORED, variant
from support.tables import rows

from kaiser_logic.engine import symbols
from kaiser_logic.game import Game, load
from kaiser_logic.lang.terms import Atom, Int, Text, Var
from kaiser_logic.play.match import random_actions
from kaiser_logic.query.columns import ANYTHING, AllColumns, Values, columns
from kaiser_logic.query.evaluation import Evaluation
from kaiser_logic.query.formula import ACTED, FactPattern, Together
from kaiser_logic.query.language import query_of
from kaiser_logic.query.vocabulary import askable
from kaiser_logic.rules.reader import read_term

TINY = [*sorted((SUPPORT / "tiny").iterdir()), *(SUPPORT / n for n in ("heap", "carts", "votes", "debts", "bids"))]
KAISER = load("kaiser", players=3)


def excluded(game: Game, moves: int, seed: int, every: int) -> list[str]:
    """The facts and legal actions of a random game that the columns exclude."""
    known, signatures = columns(game.ruleset), sorted(askable(game.book) - ACTED)
    atoms = [Atom(name, tuple(Var(f"X{k}") for k in range(arity))) for name, arity in signatures]
    evaluation = Evaluation(game.evaluator, query_of("", Together(tuple(map(FactPattern, atoms)))))
    random, position, found = Random(seed), game.initial(), []
    for number in range(moves):
        if number % every == 0:
            instances = evaluation.instances(position.symbols)
            for atom in atoms:
                values = known.columns_of(atom.signature)
                for args in (s.arguments for s in islice(instances[atom.signature], 200)):
                    if values is None or not all(
                        v.admits(symbols.term_of(a)) for v, a in zip(values, args, strict=True)
                    ):
                        found.append(f"{atom.name}({','.join(map(str, args))})")
        if not position.decisions:
            break
        actions = random_actions(position, random)
        legal = known.columns_of(("legal", 2))
        assert legal is not None
        found += [str(a) for a in actions.values() if not legal[1].admits(symbols.term_of(a))]
        position = position.apply({role: symbols.text(action) for role, action in actions.items()})
    return found


@pytest.mark.parametrize("folder", TINY, ids=lambda folder: folder.name)
def test_columns_admit_all_values_of_random_games(folder):
    if not (folder / "game.toml").is_file():
        pytest.skip("no game")
    assert excluded(load(folder), 30, 1, 1) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "players", "moves"), [("kaiser", 2, 120), ("kaiser", 4, 120), ("krone", 3, 90), ("vive", 3, 120), ("staufer", 2, 12)]
)  # fmt: skip
def test_columns_admit_all_values_of_the_large_games(name, players, moves):
    assert excluded(load(name, players=players), moves, 2, 9) == []


def test_facts_of_a_game_are_possible():
    known, position = columns(KAISER.ruleset), KAISER.initial()
    for fact in sorted(position.symbols):
        assert known.like(symbols.term_of(fact)), str(fact)


def column(known: AllColumns, name: str, arity: int, place: int) -> Values:
    found = known.columns_of((name, arity))
    assert found is not None
    return found[place]


def numbers_of(text: str) -> tuple[float, ...] | None:
    """A range of the table."""
    return tuple(map(float, text.split())) if text != "-" else None


@pytest.mark.parametrize(("which", "words", "numbers"), rows("query/columns", "column"))
def test_arguments_have_the_expected_values(which, words, numbers):
    name, arity, place = which.replace("/", " ").split()
    found, names = column(columns(KAISER.ruleset), name, int(arity), int(place)), words.strip("-").split()
    if name == "power":
        names = found.names if set(names) <= set(found.names) else names  # the rival may be among them
    if name == "decision":
        names = [w for w in names if w in found.names]
    assert (found.names, found.range, found.anything) == (names, numbers_of(numbers), False)


def test_predicates_that_never_hold_have_no_columns():
    assert columns(KAISER.ruleset).columns_of(("closed", 1)) is None
    assert columns(load("kaiser", players=2).ruleset).columns_of(("closed", 1)) is not None
    assert columns(load("krone", players=2).ruleset).columns_of(("revolted", 0)) is None


def test_structures_have_values_for_each_part():
    found = column(columns(KAISER.ruleset), "decision", 2, 1)
    assert found.admits(read_term("answer(red,throne,15)"))
    assert not found.admits(read_term("answer(red,thron,15)"))
    assert not found.admits(read_term("answer(red,15)"))
    assert dict(found.variables_of(read_term("answer(R,throne,G)")))["G"].integers == [15, 25, 35, 45]


@pytest.mark.parametrize(("fact", "place", "numbers"), rows("query/columns", "like"))
def test_facts_of_a_pattern_have_the_expected_numbers(fact, place, numbers):
    assert columns(KAISER.ruleset).like(read_term(fact), int(place)).range == numbers_of(numbers)


@pytest.mark.parametrize("fact", rows("query/columns", "impossible"))
def test_impossible_facts_have_no_values(fact):
    assert not columns(KAISER.ruleset).like(read_term(fact))


@pytest.mark.parametrize(("declaration", "possible", "impossible"), rows("query/columns", "declared"))
def test_declarations_admit_their_numbers_only(tmp_path, declaration, possible, impossible):
    changes = {"fluent(took(R))           :- player(R).": f"fluent(took(R)) :- player(R).\n{declaration}"}
    found = column(columns(load(variant(tmp_path, changes)).ruleset), "points", 2, 1)
    every = f"{possible} {impossible}".split()
    assert [n for n in every if found.has(clingo.Number(int(n)))] == possible.split()


def test_numbers_that_rules_calculate_may_be_any_number(tmp_path):
    game = load(variant(tmp_path, SCORED))
    assert column(columns(game.ruleset), "goal", 2, 1).has(clingo.Number(10**6))


def test_values_have_unions_and_intersections():
    red, three = Values(frozenset([clingo.Function("red")])), Values(frozenset([clingo.Number(3)]))
    many = Values(numbers=(0, inf))
    assert not red.intersection(three)
    assert three.intersection(many) == three
    assert red.intersection(ANYTHING) == red
    assert red.union(many).admits(Int(17))
    assert not Values(numbers=(5, 9)).intersection(Values(numbers=(10, inf)))
    assert Values(numbers=(5, 9)).union(Values(numbers=(-inf, 2))).range == (-inf, 9)


def test_the_rule_of_a_violation_is_an_id_of_a_rule():
    known = columns(KAISER.ruleset).columns_of(("violates", 3))
    assert known is not None
    assert known[2].admits(Text("actions.turn"))
    assert not known[2].admits(Text("actions.turns"))
