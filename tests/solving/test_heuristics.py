"""The answer of a program does not depend on the heuristic, also if one heuristic follows another in the same program."""

from itertools import product
from random import Random

import pytest

from kaiser_logic import clingo
from kaiser_logic.lang.reader import read_rules
from kaiser_logic.solving.build import ChoiceRule, atom
from kaiser_logic.solving.program import PROBING, REFUTING, SEARCHING, SolverProgram

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
    positions = [
        dict(zip(ATOMS, values, strict=True)) for values in product((True, False), repeat=len(ATOMS))
    ]
    models = [p for p in positions if all(any(p[a] == holds for a, holds in c) for c in clauses)]
    for name, value in product(ATOMS, (True, False)):
        for heuristic in (REFUTING, PROBING, SEARCHING):
            answer, found = program.decide([(clingo.Function(name), value)], 10_000, heuristic)
            assert answer is any(p[name] is value for p in models)
            if answer:
                assert {a: clingo.Function(a) in found for a in ATOMS} in models
