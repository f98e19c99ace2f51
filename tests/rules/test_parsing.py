"""A program is read as clingo reads it: its rules stand at the same places, and its faults are found there."""

from __future__ import annotations

from typing import Any

import pytest
from clingo import ast

from kaiser_logic.errors import FaultyRulebook
from kaiser_logic.rules.loader import games, parse_rules, rulebook
from kaiser_logic.rules.rulebook import read_docs


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("a. %* b.\nc.", 1, 4),
        ('a("b % c).\nd.', 1, 3),
        ("a. % b\nc :- d", 2, 7),
        ("a.\x0cb.", 1, 3),
        ("a.\n b.\x0b", 2, 4),
        ("a :-\x0cb.", 1, 5),
    ],
)
def test_what_clingo_refuses_is_refused(text: str, line: int, column: int) -> None:
    with pytest.raises(RuntimeError):
        ast.parse_string(text, lambda _: None, logger=lambda *_: None)
    with pytest.raises(FaultyRulebook) as caught:
        parse_rules(text, "f.lp")
    assert (caught.value.findings[0].line, caught.value.findings[0].column) == (line, column)


def test_all_faults_of_a_program_are_reported_at_once() -> None:
    with pytest.raises(FaultyRulebook) as caught:
        parse_rules("a :- b c.\nd.\n{ e }.\n-f :- a.\n#show d/0.\ng :- @h() = 1.")
    assert [(f.line, f.column, f.what) for f in caught.value.findings] == [
        (1, 8, "syntax"), (3, 1, "choice"), (4, 1, "negation"), (5, 1, "directive"), (6, 6, "script"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "line", "column"), [("% ä\na. ö.", 2, 4), ('a("ä"). % "\n#include "x".', 2, 1), ("a.\x00", 1, 3)]
)
def test_characters_and_includes_that_clingo_must_not_see_are_refused(
    text: str, line: int, column: int
) -> None:
    with pytest.raises(FaultyRulebook) as caught:
        parse_rules(text, "f.lp")
    (finding,) = caught.value.findings
    assert (finding.line, finding.column) == (line, column)


@pytest.mark.sample(2)
@pytest.mark.parametrize("game", games())
def test_every_file_of_a_game_is_read_as_clingo_reads_it(game: str) -> None:
    for path in sorted(rulebook(game).folder.glob("*.lp")):
        nodes: list[Any] = []
        ast.parse_string(path.read_text(encoding="utf-8"), nodes.append)
        expected = [(str(n), n.location.begin.line) for n in nodes if n.ast_type == ast.ASTType.Rule]
        text = path.read_text(encoding="utf-8")
        assert [(rule.text, rule.line) for rule in parse_rules(text)] == expected


def test_headings_in_comments_are_none_and_the_others_keep_their_lines() -> None:
    text = "% a \x0c%! rule x -- X.\n%*\n%! rule y -- Y.\n*%\r\n%! rule z -- Z.\r\nz(1).\n"
    docs, blocks, wrong = read_docs(text, "f.lp")
    assert ([doc.id for doc in docs], blocks, wrong) == (["z"], [(5, "z")], [])
