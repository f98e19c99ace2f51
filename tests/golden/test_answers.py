"""The tool answers as the tables say: a sample always, more with ``-m slow``, the rest only by ``python -m tests.golden``."""

import pytest

from golden.answers import rows
from golden.questions import NOT_YET, ROOT, TABLES
from golden.table import TABLES as FOLDER
from golden.table import differences, read_table

pytestmark = pytest.mark.by_hand

FAST = (
    ("rules", 1),
    ("check", 16),
    ("moves", 37),
    ("position", 37),
    ("why", 93),
    ("show", 8),
    ("perft", 24),
    ("find-kaiser", 7),
)
"""The tables of which a sample is always asked: every n-th command."""
WHOLE = "check moves position why perft find-kaiser find-krone find-staufer find-vive compare-kaiser prove-kaiser-2"
SLOW = (("show", 2), *((name, 1) for name in WHOLE.split()))
"""The tables of which every n-th command is asked with ``-m slow``."""


def test_every_table_is_written_except_those_listed():
    assert [name for name in TABLES if not read_table(name)] == [name for name in TABLES if name in NOT_YET]
    assert {path.stem for path in FOLDER.iterdir()} <= set(TABLES)


def test_every_row_belongs_to_a_command_that_is_asked():
    for name in TABLES.keys() - {"why"}:
        assert {row.command for row in read_table(name)} <= set(TABLES[name]())


@pytest.mark.sample(4)
@pytest.mark.parametrize(("name", "nth"), FAST)
def test_the_answers_of_a_sample_are_unchanged(name, nth, monkeypatch):
    monkeypatch.chdir(ROOT)
    table = read_table(name)
    commands = list(dict.fromkeys(row.command for row in table))[nth // 2 :: nth]
    before = [row for row in table if row.command in commands]
    found = list(differences(before, (row for command in commands for row in rows(command))))
    assert before and not found, "\n".join(text for _, text in found)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "nth"), SLOW)
def test_the_answers_of_whole_tables_are_unchanged(name, nth, monkeypatch):
    test_the_answers_of_a_sample_are_unchanged(name, nth, monkeypatch)
