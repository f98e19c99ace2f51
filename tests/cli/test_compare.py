"""The command compare, on the heap game with a second edition."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.commands import Run
from support.heap_game import ENOUGH, INDIFFERENT, MISERE, variant


@pytest.fixture
def heap(tmp_path: Path) -> str:
    """The folder of the heap game with a second edition."""
    return str(variant(tmp_path, MISERE))


def test_a_difference_has_a_position(run: Run, heap: str) -> None:
    outcome = run("compare", heap, "--editions", "standard,misere", "--jobs", "1")
    assert outcome.code == 1
    head, *rest = outcome.out.splitlines()
    assert head == "last_stone: standard wins, misere loses. Whether the last stone wins."
    assert any("position {" in line for line in rest)


def test_an_edition_equals_itself(run: Run, heap: str) -> None:
    outcome = run("compare", heap, "--editions", "misere,misere")
    assert (outcome.code, outcome.out) == (0, "last_stone: the same in both (loses)\n")


@pytest.mark.slow
def test_a_ruling_on_which_the_editions_agree(run: Run, heap: str) -> None:
    outcome = run(
        "compare", heap, "--editions", "standard,standard", "--other", "last_stone=loses", "--jobs", "1"
    )
    assert outcome.code == 1
    assert outcome.out.startswith("last_stone: standard wins, --other loses.")


@pytest.mark.slow
def test_rulings_that_differ_only_together_are_not_decided(run: Run, tmp_path: Path) -> None:
    second = 'about = "Ones."\nvalues = { plain = "as before", odd = "none is taken" }\nstandard = "plain"\nmisere = "odd"'
    both = 'violates(R,take(1),"take") :- candidate(R,take(1)), ruling(last_stone,loses), ruling(ones,odd).'
    changes = {
        **INDIFFERENT,
        "[editions]\n": '[editions]\nmisere = "no ones, if both"\n',
        'standard = "wins"': f'standard = "wins"\nmisere = "loses"\n\n[rulings.ones]\n{second}',
        ENOUGH: f"{ENOUGH}\n{both}",
    }
    game = str(variant(tmp_path, changes))
    outcome = run("compare", game, "--editions", "standard,misere", "--jobs", "1")
    assert outcome.code == 3
    assert outcome.out.count("no position tells them apart") == 2
    assert outcome.out.endswith("A difference that needs several rulings together is not found.\n")


@pytest.mark.parametrize("other", ["last_stone", "last_stone=draws", "first_stone=wins"])
def test_a_ruling_of_the_second_edition_is_checked(run: Run, heap: str, other: str) -> None:
    outcome = run("compare", heap, "--editions", "standard,standard", "--other", other)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err


@pytest.mark.parametrize("editions", ["standard", "standard,latin", "standard,misere,standard", ""])
def test_two_editions_are_named(run: Run, heap: str, editions: str) -> None:
    outcome = run("compare", heap, "--editions", editions)
    assert (outcome.code, outcome.out) == (2, "")
    assert outcome.err
