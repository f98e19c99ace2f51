"""The list of legal actions that a player chooses from."""

from __future__ import annotations

import subprocess
import sys

import pytest

from kaiser_logic.cli.console import choices

ACTIONS = ("expand(castle,a10)", "expand(castle,a2)", "occupy(a1)", "occupy(a10)", "occupy(a2)", "pass")
MEANINGS = {"pass": "pass", "occupy(a1)": "occupies a1, in Köln"}


def offered(natural: bool = True):  # type: ignore[no-untyped-def]
    return choices(ACTIONS, lambda a: MEANINGS.get(a, f"does {a}"), lambda a: [a, "2"], natural=natural)


def test_natural_order_sorts_by_numbers() -> None:
    assert [c.action for c in offered()] == [
        "expand(castle,a2)",
        "expand(castle,a10)",
        "occupy(a1)",
        "occupy(a2)",
        "occupy(a10)",
        "pass",
    ]
    assert tuple(c.action for c in offered(natural=False)) == ACTIONS
    assert [c.number for c in offered()] == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize(
    ("typed", "number"),
    [("", 6), ("occ", 3), ("occ a1", 2), ("a2 exp", 1), ("KÖL", 1), ("castle", 2), ("xyz", 0), ("pass", 1)],
)
def test_typed_words_select_choices(typed: str, number: int) -> None:
    assert sum(choice.fits(typed) for choice in offered()) == number


def test_gains_are_computed_once_and_when_they_are_shown() -> None:
    computed: list[str] = []

    def gains(action: str) -> list[str]:
        computed.append(action)
        return ["pays 3 thalers", "gets 1 point"]

    (one,) = choices(("a",), str, gains)
    assert computed == []
    assert one.remark == one.remark == "pays 3 thalers, gets 1 point"
    assert computed == ["a"]
    assert one.kind == "a"


def test_play_imports_no_extra() -> None:
    """The plain console imports no package of the extra."""
    program = "import sys; import kaiser_logic.cli.play; print({'prompt_toolkit', 'rich'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
