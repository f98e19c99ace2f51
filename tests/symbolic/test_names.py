"""The names in an encoding: made and read in one place."""

from __future__ import annotations

import doctest

import pytest

from kaiser_logic.symbolic import names


def test_examples() -> None:
    assert doctest.testmod(names).attempted > 0
    assert doctest.testmod(names).failed == 0


@pytest.mark.parametrize(
    "name",
    [
        names.at_moment("heap", 1),
        names.at_moment("heap", 12, "__b"),
        names.of_transition("heap", 0),
        names.of_transition("heap__k3", 10, "__b"),
    ],
)
def test_what_a_name_is_a_copy_of(name: str) -> None:
    assert name != "heap"
    assert names.plain(name) == "heap"


def test_names_are_different() -> None:
    made = [
        name
        for number in (0, 1, 10)
        for mark in ("", "__b")
        for name in (names.at_moment("p", number, mark), names.of_transition("p", number, mark))
    ]
    assert len(set(made)) == len(made)


def test_choices_are_told_from_what_is_derived() -> None:
    assert names.is_choice(names.does(0))
    assert names.is_choice(names.argument(3))
    assert not names.is_choice("does")
    assert not names.is_choice(names.of_transition("add", 0))


def test_predicates_of_one_kind_are_told() -> None:
    assert names.is_of_kind("violates__k3")
    assert names.is_of_kind(names.of_transition("violates__k3", 0))
    assert not names.is_of_kind(names.of_transition("violates", 0))
