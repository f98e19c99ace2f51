"""Claims are read from a command line and from files, and faults are reported with their places."""

import pytest
from support.heap_game import heap
from support.tables import rows

from kaiser_logic.claims.parse import own_claims, parse_claims, read_claim
from kaiser_logic.errors import UnreadableInput, WrongUsage
from kaiser_logic.game import load
from kaiser_logic.lang.printer import show
from kaiser_logic.lang.terms import Atom

FILE = """# claims about the heap
low: never heap(N), N > 12   % always
alone: some heap(5),
    taken(green,2)

never heap(1), took(red), took(green)
"""


def test_claims_of_a_file_are_read(tmp_path):
    path = tmp_path / "heap.claims"
    path.write_text(FILE, encoding="utf-8")
    found = parse_claims((), [path], heap().ruleset)
    assert [(c.id, c.kind) for c in found] == [("low", "never"), ("alone", "some"), ("claim3", "never")]
    assert found[1].statement == "some heap(5), taken(green,2)"
    assert [show(r) for r in found[0].query.values(Atom("low", ()))] == ["low :- heap(N); N > 12."]


@pytest.mark.parametrize(("text", "place"), rows("claims/claims", "unreadable"))
def test_a_claim_that_cannot_be_read_is_reported_with_its_place(text, place):
    with pytest.raises(UnreadableInput) as caught:
        read_claim(text, heap().book)
    assert f"{caught.value.line}:{caught.value.column}" == place


@pytest.mark.parametrize(("text", "place"), rows("claims/claims", "file"))
def test_a_claim_of_a_file_that_cannot_be_read_is_reported_with_its_place(tmp_path, text, place):
    path = tmp_path / "heap.claims"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UnreadableInput) as caught:
        parse_claims((), [path], heap().ruleset)
    assert (caught.value.path, f"{caught.value.line}:{caught.value.column}") == (str(path), place)


def test_a_claim_with_an_unknown_predicate_is_refused():
    with pytest.raises(WrongUsage, match="heap knows no hepa"):
        read_claim("never hepa(1)", heap().book)


@pytest.mark.parametrize(("claim", "column", "message"), rows("claims/claims", "impossible"))
def test_a_claim_about_impossible_values_is_refused(tmp_path, claim, column, message):
    path = tmp_path / "heap.claims"
    path.write_text(f"# of the heap\nmine:  {claim}\n", encoding="utf-8")
    for claims, files, place in (
        ([claim], (), f"claim:1: column {column}: "),
        ((), [path], f"{path}:2: column {int(column) + 7}: "),
    ):
        with pytest.raises(WrongUsage) as caught:
            parse_claims(claims, files, heap().ruleset)
        assert str(caught.value).startswith(place + message)


def test_ids_of_claims_are_unique(tmp_path):
    path = tmp_path / "heap.claims"
    path.write_text("one_taker: never heap(12)\n", encoding="utf-8")
    with pytest.raises(WrongUsage, match="another id"):
        parse_claims((), [path], heap().ruleset)
    path.write_text("a: never heap(12)\na: never heap(11)\n", encoding="utf-8")
    with pytest.raises(WrongUsage, match="two claims are called a"):
        parse_claims((), [path], heap().ruleset)
    assert [c.id for c in parse_claims(["never heap(12)"], (), heap().ruleset)] == ["claim"]
    assert [c.id for c in parse_claims(["never heap(12)", "some heap(1)"], (), heap().ruleset)] == ["claim1", "claim2"]


def test_a_claim_without_an_id_gets_a_name_that_no_rule_has():
    rules = load("vive").ruleset
    assert "claim" in rules.book.docs
    assert [c.id for c in parse_claims(["never king(R,captive)"], (), rules)] == ["my_claim"]


def test_claims_of_the_games_are_read():
    assert {c.kind for c in own_claims(load("kaiser").book)} == {"never", "some"}
    assert own_claims(load("staufer").book) == []


@pytest.mark.parametrize("id", ["enumeration", "count", "limit", "vocabulary", "exclusive", "range"])
def test_names_of_claims_of_the_tool_are_refused(tmp_path, id):
    """A claim with such a name would get the verdict of the claim of the tool."""
    path = tmp_path / "heap.claims"
    path.write_text(f"{id}: never heap(3)\n", encoding="utf-8")
    with pytest.raises(WrongUsage, match="another id"):
        parse_claims((), [path], heap().ruleset)
