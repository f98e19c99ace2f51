"""The models of the completion of a tight program are its answer sets."""

from random import Random

import pytest

from kaiser_logic import clingo
from kaiser_logic.checker.completion import TRUE, ProgramClauses
from kaiser_logic.checker.text import NotCovered

_ATOMS = "abcdef"


def answer_sets(text: str, shown: str) -> set[frozenset[str]]:
    """The answer sets of a program, restricted to these atoms."""
    control = clingo.control("0")
    control.add("base", [], text)
    control.ground([("base", [])])
    found = set()
    with control.solve(yield_=True) as handle:
        for model in handle:
            found.add(frozenset(a for a in map(str, model.symbols(atoms=True)) if a in shown.split()))
    return found


def models(made: ProgramClauses) -> set[frozenset[str]]:
    """The models of the clauses of a completion. Clingo finds these, too."""
    literals = {a: x for a in _ATOMS for _, x in made.literals(a, 0)}
    numbers = {abs(x) for x in (x for c in (*made.clauses, literals.values()) for x in c) if x != TRUE}
    lines = [f"{{ v{n} }}." for n in numbers]
    lines += [f":- {', '.join(f'not v{x}' if x > 0 else f'v{-x}' for x in c)}." for c in made.clauses if c]
    lines += [":- #true." for c in made.clauses if not c]
    found = answer_sets("\n".join(lines), " ".join(f"v{n}" for n in numbers))
    return {frozenset(a for a, x in literals.items() if x == TRUE or f"v{x}" in model) for model in found}


def program(random: Random) -> str:
    """A tight program with choices, constraints and sums: each atom depends on those before it."""
    lines = ["{ a; b }.", "#defined c/0. #defined d/0. #defined e/0. #defined f/0."]
    for _ in range(random.randint(2, 7)):
        place = random.randint(1, len(_ATOMS))
        known = _ATOMS[:place]
        body = [random.choice(["", "not "]) + a for a in random.sample(known, random.randint(0, min(3, place)))]
        if random.random() < 0.5:
            terms = "; ".join(f"{random.randint(-2, 4)},{a} : {a}" for a in known)
            body.append(
                f"{random.choice(['', 'not '])}#sum {{ {terms} }} {random.choice('<>=')} {random.randint(-1, 5)}"
            )
        head = _ATOMS[place] if place < len(_ATOMS) and random.random() < 0.8 else ""
        if head and random.random() < 0.2:
            head = f"{{ {head} }}"
        lines.append(f"{head} :- {', '.join(body)}." if body or not head else f"{head}.")
    return "\n".join(line for line in lines if line != " :- .")


@pytest.mark.parametrize("seed", range(20))
def test_models_of_the_completion_are_the_answer_sets(seed):
    random = Random(seed)
    for _ in range(15):
        text = program(random)
        assert models(ProgramClauses(text)) == answer_sets(text, " ".join(_ATOMS)), text


def test_the_completion_of_a_program_with_a_loop_has_more_models():
    """More models are safe: nothing false is proved."""
    text = "{ c }. a :- c. a :- b. b :- a."
    assert models(ProgramClauses(text)) == {*answer_sets(text, "a b c"), frozenset("ab")}


@pytest.mark.parametrize("text", ["a ; b.", "#external a.", "&p {}.", "p(X).", "#edge (1,2) : a. { a }."])
def test_a_program_without_completion_is_refused(text):
    with pytest.raises(NotCovered):
        ProgramClauses(text)
