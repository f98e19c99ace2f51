"""The scripts with which shells complete command lines."""

import shutil
import subprocess

import pytest
from support.tables import rows

from kaiser_logic.cli import COMMANDS

pytest.importorskip("shtab")
BASH = shutil.which("bash")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_has_a_script(run, shell):
    outcome = run("shell-completion", shell)
    assert (outcome.code, outcome.err) == (0, "")
    for word in (*COMMANDS, "kaiser", "krone", "on-illegal"):
        assert word in outcome.out
    program = shutil.which(shell)
    if program:
        done = subprocess.run([program, "-n"], input=outcome.out, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(BASH is None, reason="there is no bash to try the script in")
@pytest.mark.parametrize(("words", "offered"), rows("cli/commands", "completed"))
def test_bash_completes(run, tmp_path, words, offered):
    (tmp_path / "begun.game").write_text("")
    script = run("shell-completion", "bash").out
    typed = ["kaiser-logic", *words.split()]
    script += f"\nCOMP_WORDS=({' '.join(typed)})\nCOMP_CWORD={len(typed) - 1}\n"
    script += "_shtab_kaiser_logic\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n"
    done = subprocess.run(
        [str(BASH)], input=script, capture_output=True, text=True, check=False, cwd=tmp_path, timeout=600
    )
    assert offered in done.stdout.split()
