"""A rulebook knows what it declares: tested on the heap game."""

import pytest
from support.heap_game import ACTION, FOLDER, changed_book, variant
from support.tables import rows

from kaiser_logic.errors import FaultyRulebook
from kaiser_logic.lang.printer import show_literal, show_term
from kaiser_logic.rules.loader import read_rulebook
from kaiser_logic.rules.predicates import OUTPUTS
from kaiser_logic.rules.rulebook import misread, provenance

HEAP = read_rulebook(FOLDER)


@pytest.mark.parametrize(("declared", "signature"), rows("rules/rules", "fluents"))
def test_fluents_can_be_declared_in_several_forms(declared, signature, tmp_path):
    book = changed_book(tmp_path, {"fluent(phase(play;over)).": declared})
    assert (signature[:-2], int(signature[-1])) in book.fluents
    assert book.fluents - {("calm", 0)} == HEAP.fluents


def test_kinds_of_action_are_read_with_their_conditions(tmp_path):
    actions = "action(take,(take(1);pass)). action(D,give(K)) :- p(D,K), K > 1."
    book = changed_book(tmp_path, {ACTION: actions})
    shown = [(k.index, *map(show_term, (k.decision, k.action)), *map(show_literal, k.sorts)) for k in book.kinds]
    assert shown[1:] == [(1, "D", "give(K)", "p(D,K)", "K > 1")]
    assert shown[0][1] == "take"


def test_predicates_that_no_position_changes_are_static():
    assert {("player", 1), ("left", 2), ("amount", 1), ("action", 2), ("limit", 3)} <= HEAP.static
    dynamic = {("heap", 1), ("holds_at_least", 1), ("violates", 3), ("add", 1), ("goal", 2), ("broken", 2)}
    assert HEAP.static.isdisjoint(dynamic)


def test_answers_about_a_position_are_never_static(tmp_path):
    """Static facts are given only to rules that read them, so a question for one would have no answer."""
    declared = (
        "goal(R,I) :- seat(R,I). winner(red). weight(take(1),2). conceals(red,heap(1)). instead(red,x). terminal."
    )
    more = "too_many(red,1). pickable(red,x,1)."
    book = changed_book(tmp_path, {"amount(1..3).": f"amount(1..3). {declared} {more}"})
    assert book.static.isdisjoint(OUTPUTS)


# The source of a rule says which texts state it, which are silent and what is assumed.
@pytest.mark.parametrize(("text", "parts"), rows("rules/rules", "provenance"))
def test_a_source_is_read_in_parts(text, parts):
    assert ["|".join(part) for part in provenance(text)] == parts.split("; ")
    assert not list(misread(text))


@pytest.mark.parametrize("text", rows("rules/rules", "misplaced"))
def test_a_misplaced_mark_is_found(text):
    assert list(misread(text)) == [text]


def test_a_rulebook_with_a_misplaced_mark_is_refused(tmp_path):
    changes = {"%!   standard  The end\nadd(": "%!   standard  The end, silent\nadd("}
    with pytest.raises(FaultyRulebook, match="'The end, silent' cannot be read as a source"):
        read_rulebook(variant(tmp_path, changes))
