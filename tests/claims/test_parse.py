"""Claims read, from a command line and from files."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.opened import heap

from kaiser_logic.claims.parse import own_claims, parse_claims, read_claim
from kaiser_logic.errors import UnreadableInput, WrongUsage
from kaiser_logic.game import load

FILE = """# what is believed of the heap
low: never heap(N), N > 12   % always
alone: some heap(5),
    taken(green,2)

never heap(1), took(red), took(green)
"""


def test_a_file(tmp_path: Path) -> None:
    path = tmp_path / "heap.claims"
    path.write_text(FILE, encoding="utf-8")
    found = parse_claims((), [path], heap().ruleset)
    assert [(c.id, c.kind) for c in found] == [("low", "never"), ("alone", "some"), ("claim3", "never")]
    assert found[1].statement == "some heap(5), taken(green,2)"
    assert found[0].query.body == "heap(N); N > 12"


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("never heap(N), N >< 3", 1, 19),
        ("always heap(N)", 1, 1),
        ("  heap(1)", 1, 3),
        ("never heap(1),\n   heap(]", 2, 9),
    ],
)
def test_what_cannot_be_read_is_told_with_its_place(text: str, line: int, column: int) -> None:
    with pytest.raises(UnreadableInput) as caught:
        read_claim(text, heap().book)
    assert (caught.value.line, caught.value.column) == (line, column)


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("# a\nlow: never heap(N), N >< 3\n", 2, 24),
        ("# \x0cnever heap(1)\nheap(1)\n", 2, 1),
        ("heap(1)\n", 1, 1),
        ("low: heap(1)\n", 1, 1),
    ],
)
def test_and_in_a_file(tmp_path: Path, text: str, line: int, column: int) -> None:
    path = tmp_path / "heap.claims"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UnreadableInput) as caught:
        parse_claims((), [path], heap().ruleset)
    assert (caught.value.path, caught.value.line, caught.value.column) == (str(path), line, column)


def test_what_the_game_does_not_know() -> None:
    with pytest.raises(WrongUsage, match="heap knows no hepa"):
        read_claim("never hepa(1)", heap().book)


@pytest.mark.parametrize(
    ("claim", "said_so"),
    [
        ("never heap(13)", "claim:1: column 12: 13 is never argument 1 of heap(N), but 12 can be. It is 0 to 12"),
        ("never heap = 3",
         "claim:1: column 7: heap stands for no value, as it lacks an argument of heap(N): write heap(N), N = 3"),
        ("some decision(blue,_)", "claim:1: column 15: blue is never argument 1 of decision(R,"),
    ],
)  # fmt: skip
def test_what_no_position_can_have(tmp_path: Path, claim: str, said_so: str) -> None:
    with pytest.raises(WrongUsage) as caught:
        parse_claims([claim], (), heap().ruleset)
    assert str(caught.value).startswith(said_so)
    path = tmp_path / "heap.claims"
    path.write_text(f"# of the heap\nmine:  {claim}\n", encoding="utf-8")
    with pytest.raises(WrongUsage) as caught:
        parse_claims((), [path], heap().ruleset)
    place = f"{path}:2: column {int(said_so.split()[2][:-1]) + 7}:"
    assert str(caught.value).startswith(place + said_so.partition(":1: column")[2].partition(":")[2])


def test_ids_are_claims_own(tmp_path: Path) -> None:
    path = tmp_path / "heap.claims"
    path.write_text("one_taker: never heap(12)\n", encoding="utf-8")
    with pytest.raises(WrongUsage, match="another id"):
        parse_claims((), [path], heap().ruleset)
    path.write_text("a: never heap(12)\na: never heap(11)\n", encoding="utf-8")
    with pytest.raises(WrongUsage, match="two claims are called a"):
        parse_claims((), [path], heap().ruleset)
    assert [c.id for c in parse_claims(["never heap(12)"], (), heap().ruleset)] == ["claim"]
    assert [c.id for c in parse_claims(["never heap(12)", "some heap(1)"], (), heap().ruleset)] == [
        "claim1",
        "claim2",
    ]


def test_a_claim_without_an_id_is_called_like_no_rule() -> None:
    rules = load("vive").ruleset
    assert "claim" in rules.book.docs
    assert [c.id for c in parse_claims(["never king(R,captive)"], (), rules)] == ["my_claim"]


def test_the_games_own_are_read() -> None:
    assert {c.kind for c in own_claims(load("kaiser").book)} == {"never", "some"}
    assert own_claims(load("staufer").book) == []


@pytest.mark.parametrize("id", ["enumeration", "count", "limit", "vocabulary", "exclusive", "range"])
def test_the_names_of_the_claims_of_the_tool_are_taken(tmp_path: Path, id: str) -> None:
    """A claim called so would get the verdict of that claim."""
    path = tmp_path / "heap.claims"
    path.write_text(f"{id}: never heap(3)\n", encoding="utf-8")
    with pytest.raises(WrongUsage, match="another id"):
        parse_claims((), [path], heap().ruleset)
