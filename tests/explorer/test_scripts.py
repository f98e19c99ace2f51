"""The page's scripts when answers come late or out of order: the programs of `scripts.md`, run by Node."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from support import ROOT
from support.fences import fences, matches, write

NODE = shutil.which("node")
HERE = Path(__file__).parent
PAGE = HERE / "scripts.md"
FENCES = fences(PAGE)
NAMED = {fence.name: fence.text for fence in FENCES if fence.name}
PROGRAMS = [fence for fence in FENCES if fence.language == "js" and not fence.name]
HEAD = """import {$, asked, settled} from "./stage.js";
const report = all => all.forEach(one => console.log(JSON.stringify(one)));
"""


@pytest.mark.skipif(NODE is None, reason="there is no Node to run the page's scripts in")
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda fence: f"line {fence.start}")
def test_programs_report_what_the_page_says(program, tmp_path):
    shutil.copytree(ROOT / "kaiser_logic" / "explorer" / "page", tmp_path / "page")
    shutil.copy(HERE / "stage.js", tmp_path)
    (tmp_path / "package.json").write_text('{"type":"module"}')
    first, _, text = program.text.partition("\n")
    (tmp_path / "program.js").write_text(HEAD + NAMED.get(first.removeprefix("// with "), "") + text)
    done = subprocess.run([str(NODE), "program.js"], cwd=tmp_path, capture_output=True, text=True, check=False)
    expected = next(fence for fence in FENCES if fence.start > program.start)
    if os.environ.get("KAISER_LOGIC_WRITE"):
        here = fences(PAGE)
        at = next(n for n, fence in enumerate(here) if fence.lines == program.lines)
        write(here[at + 1], done.stdout.splitlines())
        return
    assert matches(expected.lines, done.stdout), done.stderr + done.stdout
