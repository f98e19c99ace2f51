"""Names in queries that nothing has at their place."""

from __future__ import annotations

import pytest

from kaiser_logic.game import load
from kaiser_logic.query.hints import hints

RULES = load("kaiser", players=2).ruleset


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("held(R,rival,1), emperor(R)", []),
        ("elector(kolen,R,_,_)", ["there is no elector(...) with kolen as argument 1; did you mean 'koeln'?"]),
        ("not (elector(E,R,_,bron), points(R,3))", [
            "there is no elector(...) with bron as argument 4; did you mean 'baron'?"]),
        ("legal(R,pas)", ["the game knows no action pas; did you mean 'pass'?"]),
        ("legal(R,buy(pope))", ["the game knows no action buy with such arguments"]),
        ("after(R,pass,emperor(rot))", ["there is no emperor(...) with rot as argument 1"]),
        ("spaces(trier,castel,N)", ["there is no spaces(...) with castel as argument 2; did you mean 'castle'?"]),
        ("elector(E,yellow,_,_)", ["there is no elector(...) with yellow as argument 2"]),
    ],
)  # fmt: skip
def test_what_is_strange(query: str, said: list[str]) -> None:
    assert hints(query, RULES) == said
