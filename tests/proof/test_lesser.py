"""Lesser programs: what is impossible in them is impossible in the whole, whatever the program is."""

from __future__ import annotations

from random import Random

import clingo
import pytest

from kaiser_logic.proof.lesser import between, lesser, loosened
from kaiser_logic.symbolic.solver import Solver

pytestmark = pytest.mark.slow

LEVELS, VALUES = 5, 3


def program(random: Random) -> list[str]:
    """A random program: choices, rules level by level, some with ``not`` and sums, and constraints."""
    lines = [f"{{ c{k}(1..{VALUES}) }}." for k in range(4)]
    names = [f"c{k}" for k in range(4)]

    def literal(variable: str = "X") -> str:
        return f"{random.choice(names)}({variable})"

    for level in range(LEVELS):
        new = []
        for k in range(2):
            name = f"p{level}_{k}"
            for _ in range(random.randint(1, 2)):
                body = [literal()]
                if random.random() < 0.5:
                    body.append(f"not {literal()}")
                if random.random() < 0.4:
                    body.append(f"{literal('Y')}; X != Y")
                if random.random() < 0.2:
                    body.append(f"1 < #count {{ Z : {literal('Z')} }}")
                lines.append(f"{name}(X) :- {'; '.join(body)}.")
            new.append(name)
        names += new
    lines += [f"broken({random.choice('ab')},X) :- {literal()}; not {literal()}." for _ in range(4)]
    lines += [":- broken(a,_).", ":- broken(b,_)."]
    lines += [f":- {literal()}; {literal('Y')}; X < Y." for _ in range(2)]
    return lines


def possible(lines: list[str], atom: str, facts: list[clingo.Symbol]) -> bool:
    found = Solver("\n".join(lines), facts).decide(None, atom)
    assert found is not None
    return found


@pytest.mark.parametrize("seed", range(60))
def test_what_is_impossible_there_is_impossible_in_the_whole(seed: int) -> None:
    random = Random(seed)
    lines = program(random)
    whole = Solver("\n".join(lines), ())
    names = [f"p{LEVELS - 1}_{k}" for k in range(2)]
    opened = random.sample([f"p{level}_{k}" for level in range(LEVELS - 1) for k in range(2)], 2)
    looser, facts = loosened(lines, opened, whole.control.symbolic_atoms)
    for name in names:
        for value in range(1, VALUES + 1):
            atom = f"{name}({value})"
            held = possible(lines, atom, [])
            assert possible(lesser(lines, [name])[0], atom, []) or not held
            assert possible(looser, atom, facts) or not held
            assert possible(lesser(looser, [name])[0], atom, facts) or not held


def test_programs_that_differ_are_among_them() -> None:
    """Else the test above could not fail."""
    smaller, excluded = 0, 0
    for seed in range(60):
        lines = program(Random(seed))
        name = f"p{LEVELS - 1}_0"
        kept = lesser(lines, [name])[0]
        smaller += len(kept) < len(lines)
        excluded += sum(not possible(kept, f"{name}({v})", []) for v in range(1, VALUES + 1))
    assert smaller > 30
    assert excluded > 20


def test_a_rule_for_what_is_read_is_never_lost() -> None:
    lines = [
        "{ c(1..2) }.",
        "p(X) :- c(X).",
        "p(X) :- d(X).",
        "{ d(X) : e(X) } 1 :- f.",
        "{ f }.",
        "e(3).",
        "q(X) :- not p(X), g(X).",
    ]
    assert set(lesser(lines, ["q"])[0]) == set(lines)
    assert lesser(lines, ["c"])[0] == ["{ c(1..2) }."]


@pytest.mark.parametrize(
    ("constraint", "kept"),
    [
        (":- p(1).", False),  # p(X) is more than p(1)
        (":- p(X), X > 1.", False),
        (":- p(_).", True),
    ],
)
def test_only_what_follows_from_a_constraint_is_kept_for_it(constraint: str, kept: bool) -> None:
    lines = ["{ c(1..2) }.", "{ d(1..2) }.", "p(X) :- c(X); X < 2.", "p(X) :- d(X).", constraint]
    found = lesser(lines, ["c"])[0]
    assert (":- c(X); X < 2." in found) is kept
    assert ":- d(X)." not in found


def test_what_is_asked_besides_brings_nothing_of_its_own() -> None:
    lines = ["{ c(1..2) }.", "{ d(1..2) }.", "p(X) :- c(X).", "one__0 :- met__0(X).", "met__0(X) :- p(X)."]
    lines += ["one__1 :- met__1(X).", "met__1(X) :- d(X); p(X)."]
    found, own = lesser(lines, ["p"], ["one__0", "one__1"])
    assert own == ["one__0"]
    assert set(found) == {lines[0], lines[2], lines[3], lines[4]}


def test_what_two_predicates_read_first() -> None:
    lines = [
        "one__0 :- part__0.",
        "part__0 :- bill(X); own(X).",
        "two__0 :- bill(X); fine(X).",
        "bill(X) :- fare(X).",
    ]
    lines += ["own(X) :- fine(X).", "fine(X) :- c(X).", "fare(X) :- c(X).", "{ c(1) }."]
    assert between(lines, "one__0", "two__0") == {"bill"}


def test_what_is_open_may_be_anything_that_it_can_be() -> None:
    lines = ["{ c(1..2) }.", "p(X) :- c(X).", "p(3).", "q(X) :- p(X), not c(X)."]
    whole = Solver("\n".join(lines), ())
    opened, facts = loosened(lines, ["p"], whole.control.symbolic_atoms)
    assert [possible(lines, f"q({k})", []) for k in (1, 2, 3)] == [False, False, True]
    assert [possible(opened, f"q({k})", facts) for k in (1, 2, 3)] == [True, True, True]
    assert not Solver("\n".join([*opened, ":- p(3)."]), facts).decide()
