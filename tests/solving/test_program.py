"""A program that is grounded in parts minimises correctly and accepts rules that come later."""

from itertools import product
from random import Random

import clingo
import pytest

from kaiser_logic.lang.reader import read_rules
from kaiser_logic.solving.build import ChoiceRule, atom
from kaiser_logic.solving.program import PROBING, REFUTING, SEARCHING, SolverProgram

_LIMIT = 10_000


def chosen(count: int) -> tuple[SolverProgram, list[clingo.Symbol]]:
    """A program that chooses any of the facts p(K,N), none(K) and named(K,x), and these facts."""
    program = SolverProgram({})
    lines = [f"{name}({k},{n})" for k in range(count) for name, n in (("p", -k), ("p", 2 * k + 1), ("named", "x"))]
    facts = [clingo.parse_term(text) for text in [*lines, *(f"none({k})" for k in range(count))]]
    terms = [head for text in facts for one in read_rules(f"{text}.") for head in one.heads]
    program.add(ChoiceRule(tuple((term, ()) for term in terms), ()))
    return program, facts


@pytest.mark.parametrize("seed", range(8))
def test_the_minimum_is_that_of_weak_constraints(seed):
    program, facts = chosen(4)
    random = Random(seed)
    texts = [f":- {', '.join(f'not {fact}' for fact in random.sample(list(map(str, facts)), 3))}." for _ in range(6)]
    program.add(*(rule for text in texts for rule in read_rules(text)))
    program.ground()
    program.minimise({("p", 2): 1, ("none", 1): None, ("named", 2): 1})
    best, proved = program.best([], _LIMIT)
    assert best is not None
    assert proved
    whole = clingo.Control(["--opt-mode=optN", "--warn=none"])
    weak = ":~ p(K,N). [|N|,p,K,N] :~ none(K). [1,none,K] :~ named(K,N). [|N|,named,K,N]"
    whole.add("base", [], "\n".join([f"{{ {'; '.join(map(str, facts))} }}.", *texts, weak]))
    whole.ground([("base", [])])
    costs: list[int] = []
    whole.solve(on_model=lambda model: costs.append(model.cost[0]))
    assert sum(cost(fact) for fact in best) == costs[-1]


def cost(fact: clingo.Symbol) -> int:
    if fact.name == "none":
        return 1
    number = fact.arguments[-1]
    return abs(number.number) if number.type is clingo.SymbolType.Number else 0


def test_later_rules_read_earlier_atoms():
    program, facts = chosen(2)
    program.ground()
    program.extend(*read_rules("seen(p(0,0)). other :- p(K,N), not seen(p(K,N)). :- not other."))
    found, model = program.decide([(fact, False) for fact in facts if fact.name == "p" and fact != facts[1]], _LIMIT)
    assert found
    assert facts[1] in model
    with pytest.raises(AssertionError, match="come after they are read"):
        program.extend(*read_rules("p(7,7)."))


# The answer does not depend on the heuristic, also if one follows another in the same program.
ATOMS = tuple(f"p{n}" for n in range(7))


@pytest.mark.parametrize("seed", range(20))
def test_heuristics_agree_with_brute_force(seed):
    random = Random(seed)
    clauses = [[(a, random.random() < 0.5) for a in random.sample(ATOMS, 3)] for _ in range(28)]
    program = SolverProgram({})
    program.add(*(ChoiceRule(((atom(a), ()),)) for a in ATOMS))
    bodies = (", ".join(f"{'not ' if holds else ''}{a}" for a, holds in clause) for clause in clauses)
    program.add(*read_rules("\n".join(f"#false :- {body}." for body in bodies)))
    program.ground()
    positions = [dict(zip(ATOMS, values, strict=True)) for values in product((True, False), repeat=len(ATOMS))]
    models = [p for p in positions if all(any(p[a] == holds for a, holds in c) for c in clauses)]
    for name, value in product(ATOMS, (True, False)):
        for heuristic in (REFUTING, PROBING, SEARCHING):
            answer, found = program.decide([(clingo.Function(name), value)], 10_000, heuristic)
            assert answer is any(p[name] is value for p in models)
            if answer:
                assert {a: clingo.Function(a) in found for a in ATOMS} in models
