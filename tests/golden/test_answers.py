"""What the tool answers is what the tables hold: a fast part always, more with ``-m slow``, the rest by the command."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from golden.answers import rows
from golden.questions import NOT_YET, ROOT, TABLES
from golden.table import TABLES as FOLDER
from golden.table import differences, kept

FAST = {
    "rules": 1,
    "check": 16,
    "moves": 37,
    "position": 37,
    "why": 31,
    "show": 43,
    "perft": 24,
    "find-kaiser": 7,
}
"""Of these tables each so many'th command is asked always."""
SLOW = {
    **dict.fromkeys(("check", "moves", "position", "why", "perft"), 1),
    **dict.fromkeys(("find-kaiser", "find-krone", "find-staufer", "find-vive"), 1),
    **dict.fromkeys(("compare-kaiser", "prove-kaiser-2"), 1),
    "show": 2,
}
"""With ``-m slow``."""


def test_every_table_is_written_but_those_that_are_named() -> None:
    assert [name for name in TABLES if not kept(name)] == [name for name in TABLES if name in NOT_YET]


def test_every_file_is_a_table() -> None:
    assert {path.stem for path in FOLDER.iterdir()} <= set(TABLES)


def test_every_row_answers_a_command_that_is_asked() -> None:
    assert [r for name in TABLES if not name.startswith("why") for r in _stale(name)] == []


def _stale(name: str) -> list[str]:
    asked = set(TABLES[name]())
    return [row.command for row in kept(name) if row.command not in asked]


@pytest.mark.sample(2)
@pytest.mark.parametrize(("name", "nth"), FAST.items())
def test_a_sample_is_answered_as_before(name: str, nth: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    _same(name, _commands(name)[nth // 2 :: nth])


@pytest.mark.slow
@pytest.mark.parametrize(("name", "nth"), SLOW.items())
def test_all_is_answered_as_before(name: str, nth: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    _same(name, _commands(name)[nth // 2 :: nth])


def _commands(name: str) -> list[str]:
    """A table's commands, in its order."""
    return list(dict.fromkeys(row.command for row in kept(name)))


def _same(name: str, commands: Sequence[str]) -> None:
    assert commands
    wanted = set(commands)
    before = [row for row in kept(name) if row.command in wanted]
    found = list(differences(before, (row for command in commands for row in rows(command))))
    assert not found, "\n".join(map(str, found))
