"""A query that cannot be read is refused with a hint at its place."""

from __future__ import annotations

import pytest

from kaiser_logic.errors import UnreadableInput
from kaiser_logic.game import load
from kaiser_logic.query.language import parse_query

BOOK = load("kaiser").book


@pytest.mark.parametrize(
    ("query", "column", "hint"),
    [
        ("Elector(koeln,red)", 8, "names begin with a small letter: write elector(...)"),
        ("emperor(R), RoundIs(3)", 20, "names begin with a small letter: write roundIs(...)"),
        ("no elector anywhere", 4, "'no A' is written not A; facts are written elector(E,R,G,K)"),
        ("Red is emperor", 5, "',' stands between two literals; facts are written emperor(R)"),
        ("emperor(R) acting(R)", 12, "',' stands between two literals; facts are written acting(R) or emperor(R)"),
        ("emperor(R). acting(R)", 13, "',' stands between two literals; facts are written"),
        ("emperor(R) AND acting(R)", 12, "'and' is written ','"),
        ("emperor(R) && acting(R)", 12, "'and' is written ','"),
        ("emperor(R) || acting(R)", 12, "either/or is written ';'"),
        ("emperor(R) not acting(R)", 12, "a comma is missing before it"),
        ("if emperor(R) then acting(R)", 4, "'if A, then B' is written not (A, not B)"),
        ("emperor(R) -> acting(R)", 13, "'if A, then B' is written not (A, not B)"),
        ("forall R: emperor(R)", 8, "'each A is B' is written not (A, not B)"),
        ("not thalers(red,N) = 0", 20, "'not' stands before a fact: negate a comparison by the opposite one"),
        ("not N = 3", 5, "'not' stands before a fact"),
        ("emperor(R), not (acting(R)), N =< 3", 33, "'at most' is written <="),
        ("thalers(red,>3)", 13, "an argument is a name, a number, a variable or _: write a variable, as in thalers(...,N)"),
        ("thalers(red,N+1)", 14, "an argument is a name, a number, a variable or _"),
        ("thalers(red,3;4)", 14, "an argument is a name, a number, a variable or _"),
        ("thalers(red,1..3)", 14, "from 1 to 3 is written N >= 1, N <= 3"),
        ('emperor("red")', 9, "names are written without quotation marks"),
        ("emperor('red')", 9, "names are written without quotation marks"),
        ("thalers(R,N), N == 3", 18, "'equal' is written ="),
        ("thalers(R,N), N => 3", 18, "'at least' is written >="),
        ("thalers(R,N), N ≤ 3", 17, "'at most' is written <="),
        ("thalers(R,N), N <> 3", 18, ""),
        ("#count{E : elector(E,_,_,_)} > 3", 1, "count, sum, min and max are written without #"),
        ("count{elector(E,R,_,_)} > 3", 23, "what is counted or summed stands before a ':'"),
        ("emperor(köln)", 10, "names have no umlauts"),
        ("!emperor(red)", 1, "'not' is written not"),
    ],
)  # fmt: skip
def test_syntax_errors_have_the_expected_hint(query: str, column: int, hint: str) -> None:
    with pytest.raises(UnreadableInput) as caught:
        parse_query(query, BOOK)
    assert caught.value.column == column
    assert f" here: {hint}" in caught.value.message or not hint
