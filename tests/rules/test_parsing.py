"""Programs read as rules: comments are not shown to clingo, and nothing moves for that."""

from __future__ import annotations

from typing import Any

import pytest
from clingo import ast

from kaiser_logic.errors import FaultyRulebook
from kaiser_logic.rules.loader import games, parse_rules, rulebook
from kaiser_logic.rules.parsing import _bare


def shown(text: str) -> str:
    """What clingo is shown."""
    bare, unread = _bare(text, "f.lp")
    assert unread is None
    return bare


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("a. % b.\nc.", "a.     \nc."),
        ("%%% a.\n%\nb.%", "      \n \nb. "),
        ('a("%x"). % "b', 'a("%x").     '),
        (r'a("\"%x\\"). % b', r'a("\"%x\\").    '),
        ('a. % b "\nc("%").', 'a.      \nc("%").'),
        ("a. %* b. % c *%\nd. % e", "a. %* b. % c *%\nd. % e"),
        ("a. % größe\nb.", "a.        \nb."),
    ],
)
def test_blanks_for_comments(text: str, bare: str) -> None:
    assert shown(text) == bare


@pytest.mark.parametrize(
    "text",
    [
        'a. % b.\nc("%", "\\"%") :- % d.\n  a; % "\n  not e.',
        "a. %* b.\n c. *% d. % e.\nf.",
        "a. %* b. %* c. *% d. *% e.",
        "%* a. *%\nb.",
    ],
)
def test_what_clingo_reads_is_the_same(text: str) -> None:
    found: list[tuple[str, Any, Any]] = []
    for program in (text, shown(text)):
        nodes: list[Any] = []
        ast.parse_string(program, nodes.append)
        found.append(
            [(str(n), n.location.begin, n.location.end) for n in nodes if n.ast_type == ast.ASTType.Rule]  # type: ignore[arg-type]
        )
    assert found[0] == found[1]
    assert found[0]


@pytest.mark.parametrize("text", ["a. %* b.\nc.", 'a("b % c).\nd.', "a. % b\nc :- d"])
def test_what_clingo_refuses_is_refused_at_the_same_place(text: str) -> None:
    messages: list[str] = []
    with pytest.raises(RuntimeError):
        ast.parse_string(text, lambda _: None, logger=lambda _, message: messages.append(message))
    with pytest.raises(FaultyRulebook) as caught:
        parse_rules(text, "f.lp")
    places = {tuple(part.partition("-")[0] for part in message.split(":")[1:3]) for message in messages}
    assert {(str(f.line), str(f.column)) for f in caught.value.findings} <= places


@pytest.mark.parametrize(
    ("text", "line", "column"), [("% ä\na. ö.", 2, 4), ('a("ä"). % "\n#include "x".', 2, 1), ("a.\x00", 1, 3)]
)
def test_what_clingo_must_not_see(text: str, line: int, column: int) -> None:
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
