"""Without an extra the commands that need it name it."""

import sys

import pytest
from support import TINY
from support.heap_game import FOLDER
from support.tables import rows
from support.tool import tool


@pytest.mark.parametrize(("package", "extra", "command"), rows("cli/commands", "extra"))
def test_the_error_names_the_extra(run, monkeypatch, package, extra, command):
    monkeypatch.setitem(sys.modules, package, None)
    outcome = run(*command.replace("HEAP", str(FOLDER)).replace("NIM", str(TINY / "nim")).split())
    assert outcome.code == 2
    assert f"kaiser-logic[{extra}]" in outcome.err


def test_random_games_need_no_extra(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "llvmlite", None)
    assert run("simulate", str(FOLDER), "--games", "3").code == 0


def test_play_imports_no_extra():
    """The plain console imports no package of the extra."""
    program = "import sys; import kaiser_logic.cli.play; print({'prompt_toolkit', 'rich'} & set(sys.modules))"
    assert tool(program, python="-c").stdout == "set()\n"
