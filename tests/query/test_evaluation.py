"""A query has one meaning: its rules, the evaluation and an independent evaluation in the tests agree."""

from collections import Counter
from itertools import combinations
from random import Random
from typing import Any

import clingo
import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from support import NAMES, SUPPORT
from support.heap_game import FOLDER, variant
from support.plain import actions
from support.queries import Atoms, Literal, RuleId, holds, text, tiny, worlds
from support.random_queries import Vocabulary, queries
from support.tables import values

import kaiser_logic as kl
from kaiser_logic.game import load
from kaiser_logic.lang.printer import show
from kaiser_logic.lang.terms import Atom
from kaiser_logic.query.evaluation import Evaluation
from kaiser_logic.query.language import parse_query

MOST = 6
"""The largest number of points in a position."""
EXAMPLES = 40
"""The number of queries for each game. Each is asked of some positions."""


def symbol(value: Any) -> clingo.Symbol:
    if isinstance(value, RuleId):
        return clingo.String(value)
    if isinstance(value, int):
        return clingo.Number(value)
    name, *args = value if isinstance(value, tuple) else (value,)
    return clingo.Function(name, list(map(symbol, args)))


def derived(rules: list[str], atoms: Atoms) -> bool:
    """Whether clingo derives ``query`` from these atoms by the rules."""
    control = clingo.Control(["--warn=none"])
    control.add("base", [], "\n".join(rules))
    with control.backend() as backend:
        for (name, _), instances in atoms.items():
            for args in instances:
                backend.add_rule([backend.add_atom(clingo.Function(name, list(map(symbol, args))))])
    control.ground([("base", [])])
    return any(atom.is_fact for atom in control.symbolic_atoms.by_signature("query", 0))


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_all_three_evaluations_agree_on_random_queries(name):
    positions = list(worlds(name, MOST).all.items())
    all_actions = [(clingo.Function(role), action) for role in tiny(name).roles for _, action in actions(tiny(name))]

    @seed(7)
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(queries(Vocabulary(tiny(name), worlds(name, MOST))))
    def ask(query: list[Literal]) -> None:
        parsed = parse_query(text(query), tiny(name).book)
        evaluation, rules = (
            Evaluation(tiny(name).evaluator, parsed),
            list(map(show, parsed.values(Atom("query", ())))),
        )
        for facts, atoms in positions[:: max(1, len(positions) // 5)]:
            expected = holds(query, atoms)
            assert evaluation.holds(facts, all_actions) == expected, (text(query), sorted(map(str, facts)))
            assert derived(rules, atoms) == expected, (text(query), rules, sorted(map(str, facts)))

    ask()


HEAP = load(FOLDER)
POSITION = HEAP.position(
    ["seat(red,1)", "seat(green,2)", "phase(play)", "heap(2)", "taken(red,7)", "taken(green,3)", "took(red)",
     "decision(green,take)"]
)  # fmt: skip


def test_a_solution_has_the_values_the_facts_and_the_sums():
    query = parse_query("taken(R,N), N > 5, sum{M : taken(_,M)} = 10, (heap(9) ; took(R))", HEAP.book)
    found = Evaluation(HEAP.evaluator, query).solution(POSITION.symbols)
    assert found is not None
    assert {n: str(v) for n, v in found.values.items()} == {"R": "red", "N": "7"}
    assert [name for name, _ in found.facts] == ["taken", "took"]
    assert [(t, str(v)) for t, v in found.sums] == [("sum{M : taken(_,M)}", "10")]


@pytest.mark.parametrize(("query", "sums"), values("query/columns", "sums"))
def test_all_sums_are_shown(query, sums):
    """This includes sums for which the rules have fresh variables."""
    found = Evaluation(HEAP.evaluator, parse_query(query, HEAP.book)).solution(POSITION.symbols)
    assert found is not None
    assert sorted(v.number for _, v in found.sums) == sorted(sums)
    assert all(not name.startswith("_V") for name in found.values)


# A query to a given position has all values for which it holds as its answer.
def test_a_query_gives_each_combination_of_values_once():
    start = kl.load(FOLDER).initial()
    assert start.query("heap(N)") == [{"N": 12}]
    assert start.query("taken(R,N)") == []
    assert start.query("heap(N), N > 3, decision(R,D)") == [{"D": "take", "N": 12, "R": "red"}]
    assert start.query("heap(12)") == [{}]
    assert start.query("heap(11)") == []
    assert start.query("legal(R,A)") == [{"A": f"take({n})", "R": "red"} for n in (1, 2, 3)]
    assert start.query("violates(green,take(1),Rule)") == [{"Rule": "take"}]
    assert start.query("heap(_)") == [{}], "each combination once"
    assert start.query("N = count{A : legal(red,A)}") == [{"N": 3}]
    assert start.query("seat(R,_); heap(R)") == [{"R": 12}, {"R": "green"}, {"R": "red"}]


def clique(size: int) -> str:
    """A query of so many variables, each compared with each other one; they cannot be exchanged."""
    names = [f"A{n}" for n in range(size)]
    pairs = [f"{one} != {other}+{n}" for n, (one, other) in enumerate(combinations(names, 2))]
    return ", ".join([*(f"amount({name})" for name in names), *pairs])


@pytest.mark.parametrize(
    ("size", "form", "column"),
    [(4, "{}", 0), (19, "{}", 1), (19, "amount(A), not ({})", 17), (19, "count{{A0 : {}}} > 3", 12)],
)
def test_more_combinations_than_can_be_looked_at_are_refused_with_their_place(size, form, column):
    start, query = kl.load(FOLDER).initial(), form.format(clique(size))
    if not column:
        assert start.query(query)
        return
    combinations_ = r"A0, .*, A9 are compared with one another: 1,162,261,467 combinations of their values"
    with pytest.raises(kl.NotDecided, match=f"^column {column}: {combinations_}"):
        start.query(query)
    with pytest.raises(kl.NotDecided, match=f"^column {column}: {combinations_}"):
        kl.load(FOLDER).find(query + ", heap(11), heap(10)")
    with pytest.raises(kl.WrongUsage, match=f"^claim:1: column {column + 6}: {combinations_}"):
        kl.load(FOLDER).prove(claims=[f"never {query}"])


def test_queries_can_ask_for_the_result_of_every_game():
    """The rulebook does not need to export it."""
    game = kl.load(FOLDER)
    position = game.initial()
    assert position.query("terminal") == position.query("winner(R)") == []
    for role in ("red", "green") * 2:
        position = position.apply({role: "take(3)"})
    assert position.query("terminal, winner(R), goal(R,N)") == [{"N": 1, "R": "green"}]
    assert position.query("goal(R,N)") == [{"N": 0, "R": "red"}, {"N": 1, "R": "green"}]
    assert len(game.find("terminal, winner(red)")) == 1
    for name in ("kaiser", "krone", "staufer", "vive"):
        assert kl.load(name).initial().query("terminal") == []


def test_a_query_of_many_variables_that_share_no_fact_is_answered():
    """Three values for each of sixty variables: nobody could list all combinations, but one is found at once."""
    game = kl.load(FOLDER)
    many = ", ".join(f"legal(red,A{n})" for n in range(60))
    with pytest.raises(kl.NotDecided, match="more than 500,000 answers"):
        game.initial().query(many)
    found = game.find_result(f"heap(12), {many}, count{{A : legal(red,A)}} > 2")
    assert found.because[0].startswith("A0 = take(1), A1 = take(1), ")
    assert found.because[0].endswith("; count{A : legal(red,A)} is 3")


def test_many_actions_are_judged_one_by_one_where_one_depends_on_another(tmp_path):
    many = {"action(vote,stay).": "action(vote,stay). action(vote,skip(K)) :- K = 1..200."}
    many["candidate(R,stay) "] = "candidate(R,skip(K)) :- decision(R,vote), K = 1..200. candidate(R,stay) "
    joint = load(variant(tmp_path, many, SUPPORT / "joint"), edition="other").initial()
    assert joint.query("violates(R,A,vote.both)") == []


def test_a_faulty_query_is_refused():
    start = kl.load(FOLDER).initial()
    with pytest.raises(kl.WrongUsage, match="did you mean 'heap'"):
        start.query("haep(N)")
    with pytest.raises(kl.UnreadableInput):
        start.query("heap(N")


def test_queries_of_many_variables_hold_where_they_have_answers():
    """A query that is divided into rules, and one whose variables are ordered, against the list of all answers."""
    random, seen = Random(1), Counter[bool]()
    position = load("kaiser").initial()
    for _ in range(20):
        names = [f"S{k}" for k in range(random.randrange(4, 7))]
        kinds = ["player({})"] * random.choice([3, 99]) + ["seat({},_)", "seat({},N)"]
        parts = [random.choice(kinds).format(name) for name in names]
        pairs = list(combinations(names, 2))
        every = random.random() < 0.4
        some = pairs if every else random.sample(pairs, random.randrange(3, len(pairs)))
        signs = ["!="] if every else ["<", "!=", "<=", "!=", "="]
        parts += [f"{one} {random.choice(signs)} {other}" for one, other in some]
        parsed = parse_query(", ".join(parts), position.ruleset.book)
        held = Evaluation(position.evaluator, parsed).holds(position.symbols)
        assert held == bool(position.query(parsed.source)), parsed.source
        seen[held] += 1
    assert min(seen[True], seen[False]) > 3, seen
