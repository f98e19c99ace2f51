"""The table of exit codes: each command is in it, and the docs print it."""

from pathlib import Path

from kaiser_logic.cli import COMMANDS
from kaiser_logic.cli.exit_codes import EXIT_CODES, OF_EVERY_COMMAND

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "exit-codes.md"


def test_each_command_has_exit_codes():
    assert list(EXIT_CODES) == list(COMMANDS)
    assert all({0, 2} <= codes.keys() for codes in EXIT_CODES.values())


def test_the_page_has_the_table():
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    assert rows == [
        f"| `{command}` | {' | '.join(codes.get(code, '') for code in range(4))} |"
        for command, codes in EXIT_CODES.items()
    ]
    assert ", ".join(f"{code}: {text}" for code, text in OF_EVERY_COMMAND.items()) in PAGE.read_text()
