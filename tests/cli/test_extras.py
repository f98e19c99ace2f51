"""Without an extra the commands that need it name it."""

import subprocess
import sys

import pytest
from support.heap_game import FOLDER
from support.mutants import TINY


@pytest.mark.parametrize(
    ("package", "extra", "command"),
    [
        ("llvmlite", "batch", f"simulate {FOLDER} --engine batch"),
        ("llvmlite", "batch", f"perft {FOLDER} 1 --engine batch"),
        ("pysolvers", "certify", f"prove {TINY / 'nim'} --certify made"),
        ("uvicorn", "web", "serve"),
        ("shtab", "terminal", "shell-completion bash"),
        ("mcp", "mcp", "mcp"),
        ("pygls", "lsp", "language-server"),
        ("distributed", "distributed", f"prove {TINY / 'nim'} --scheduler tcp://a:1"),
    ],
)
def test_the_error_names_the_extra(run, monkeypatch, package, extra, command):
    monkeypatch.setitem(sys.modules, package, None)
    outcome = run(*command.split())
    assert outcome.code == 2
    assert f"kaiser-logic[{extra}]" in outcome.err


def test_random_games_need_no_extra(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "llvmlite", None)
    assert run("simulate", str(FOLDER), "--games", "3").code == 0


def test_play_imports_no_extra():
    """The plain console imports no package of the extra."""
    program = "import sys; import kaiser_logic.cli.play; print({'prompt_toolkit', 'rich'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
