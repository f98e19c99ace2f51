"""The tool answers as the tables say: a sample always, more with ``-m slow``, the rest only by ``python -m tests.golden``."""

from collections.abc import Sequence

import pytest

from golden.answers import rows
from golden.questions import NOT_YET, ROOT, TABLES
from golden.table import TABLES as FOLDER
from golden.table import differences, read_table

pytestmark = pytest.mark.by_hand

FAST = {
    "rules": 1,
    "check": 16,
    "moves": 37,
    "position": 37,
    "why": 31,
    "show": 8,
    "perft": 24,
    "find-kaiser": 7,
}
"""The tables of which a sample is always asked: every n-th command."""
SLOW = {
    **dict.fromkeys(("check", "moves", "position", "why", "perft"), 1),
    **dict.fromkeys(("find-kaiser", "find-krone", "find-staufer", "find-vive"), 1),
    **dict.fromkeys(("compare-kaiser", "prove-kaiser-2"), 1),
    "show": 2,
}
"""The tables of which every n-th command is asked with ``-m slow``."""


def test_every_table_is_written_except_those_listed() -> None:
    assert [name for name in TABLES if not read_table(name)] == [name for name in TABLES if name in NOT_YET]


def test_every_file_is_a_table() -> None:
    assert {path.stem for path in FOLDER.iterdir()} <= set(TABLES)


def test_every_row_belongs_to_a_command_that_is_asked() -> None:
    assert [r for name in TABLES if not name.startswith("why") for r in _stale(name)] == []


def _stale(name: str) -> list[str]:
    commands = set(TABLES[name]())
    return [row.command for row in read_table(name) if row.command not in commands]


@pytest.mark.sample(2)
@pytest.mark.parametrize(("name", "nth"), FAST.items())
def test_the_answers_of_a_sample_are_unchanged(name: str, nth: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    _assert_unchanged(name, _commands(name)[nth // 2 :: nth])


@pytest.mark.slow
@pytest.mark.parametrize(("name", "nth"), SLOW.items())
def test_the_answers_of_whole_tables_are_unchanged(
    name: str, nth: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    _assert_unchanged(name, _commands(name)[nth // 2 :: nth])


def _commands(name: str) -> list[str]:
    return list(dict.fromkeys(row.command for row in read_table(name)))


def _assert_unchanged(name: str, commands: Sequence[str]) -> None:
    assert commands
    wanted = set(commands)
    before = [row for row in read_table(name) if row.command in wanted]
    found = list(differences(before, (row for command in commands for row in rows(command))))
    assert not found, "\n".join(map(str, found))
