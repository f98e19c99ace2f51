"""Terms: text, order, equality, traversal."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.tables import rows

from kaiser_logic.errors import UnreadableInput
from kaiser_logic.notation.syntax import parse_term
from kaiser_logic.notation.terms import MAX_DEPTH, Term, Value, has_unknown

NAMES = st.from_regex(r"[a-z][A-Za-z0-9_]{0,8}", fullmatch=True)
NUMBERS = st.integers(-999_999_999, 999_999_999)
TERMS = st.recursive(
    NAMES.map(Term),
    lambda inner: st.builds(Term, NAMES, st.lists(inner | NUMBERS, min_size=1, max_size=4).map(tuple)),
    max_leaves=12,
)

TILE = Term.make("aristocrat", "trier", "red", 25, "baron", 1)


def nested(pairs: int) -> Term:
    term = Term("x")
    for _ in range(pairs):
        term = Term("f", (term,))
    return term


def test_terms_cannot_be_changed():
    with pytest.raises(AttributeError):
        TILE.name = "knight"


def test_terms_are_ordered_by_their_texts():
    mixed: list[Value] = [Term("b"), Term.make("a", 10), Term.make("a", 9), 7, Term("a"), Term("ab"), -3]
    assert list(map(str, sorted(mixed))) == ["-3", "7", "a", "a(10)", "a(9)", "ab", "b"]
    low, same, high = Term("a"), Term("a"), Term("b")
    assert low <= same < high > low >= same


def test_terms_cannot_be_compared_with_other_values():
    for compare in ("__lt__", "__le__", "__gt__", "__ge__"):
        assert getattr(TILE, compare)("text") is NotImplemented


def test_unknown_values_are_found_at_any_depth():
    assert has_unknown(parse_term("deal(red,f(?))"))
    assert not has_unknown(parse_term("deal(red,f(1))"))


@given(TERMS)
def test_reading_the_text_gives_the_term(term):
    assert parse_term(str(term)) == term


@given(TERMS, TERMS)
def test_order_and_equality_agree_with_texts(one, other):
    assert (one == other) == (str(one) == str(other))
    assert (one < other) == (str(one) < str(other))
    assert one != other or hash(one) == hash(other)


@pytest.mark.parametrize(("text", "value"), rows("notation/faults", "blanks"))
def test_blanks_do_not_matter(text, value):
    assert str(parse_term(text)) == value


def test_nesting_has_a_limit():
    assert parse_term(str(nested(MAX_DEPTH))) == nested(MAX_DEPTH)
    with pytest.raises(UnreadableInput, match=f"more than {MAX_DEPTH} parentheses"):
        parse_term(str(nested(MAX_DEPTH + 1)))


def test_terms_import_neither_parser_nor_solver():
    code = (
        "import sys, kaiser_logic.notation.terms, kaiser_logic.notation.syntax, kaiser_logic.notation.record; "
        "sys.exit(bool({'lark'} & sys.modules.keys()))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
