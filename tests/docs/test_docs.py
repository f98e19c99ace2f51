"""The commands and programs of the documentation run and print what the pages show.

With KAISER_LOGIC_WRITE=1 the tests write the output of commands into the pages and keep each ``...``. Read the
difference before you keep it, and use one process. Expensive blocks are ``slow`` or ``long``.
"""

import os
from collections.abc import Iterable

import pytest
from support import ROOT
from support import fences as pages
from support.fences import Fence

FENCES = [fence for document in pages.documents() for fence in pages.fences(document)]


WITHOUT_OUTPUT = [
    command.partition(" #")[0].strip()
    for fence in FENCES
    if fence.document == ROOT / "README.md" and fence.language == "sh"
    for command in fence.lines
    if command.startswith("kaiser-logic ") and command.split()[1] not in ("serve", "play")
]
"""The commands of README without output."""
GAPS = '[Game "kaiser"]\n[Seats "blue yellow red"]\n[Emperor "yellow"]\n\nyellow: empire_city(brandenburg)\nred: ?\n'


def as_parameters(chosen: Iterable[Fence]) -> list[object]:
    return [pytest.param(f, id=str(f), marks=[getattr(pytest.mark, f.set)] if f.set else []) for f in chosen]


@pytest.mark.sample(3)
@pytest.mark.parametrize("fence", as_parameters(f for f in FENCES if f.language == "console"))
def test_commands_print_the_output_shown(fence, tmp_path):
    environment = pages.workshop(tmp_path, fence.document)
    outputs = [pages.run_command(command.line, tmp_path, environment) for command in pages.commands(fence)]
    if os.environ.get("KAISER_LOGIC_WRITE"):
        # The blocks above may have grown, so this block is found by its lines.
        here = next(f for f in pages.fences(fence.document) if f.lines == fence.lines)
        pages.write(here, pages.renewed(fence, outputs))
        return
    for command, output in zip(pages.commands(fence), outputs, strict=True):
        assert pages.matches(command.expected, output), f"{fence}: {command.line}\n{output}"


@pytest.mark.sample(3)
@pytest.mark.parametrize("fence", as_parameters(filter(pages.is_program, FENCES)))
def test_programs_give_the_values_shown(fence, tmp_path):
    values = pages.run_program(fence, tmp_path, pages.workshop(tmp_path, fence.document))
    for line, value in pages.promised(fence.text).items():
        assert pages.matches((value,), values[line]), f"{fence}, line {line} of it: {values[line]}"


@pytest.mark.long
@pytest.mark.parametrize("line", WITHOUT_OUTPUT)
def test_commands_without_output_run(line, tmp_path):
    """Each command runs in a new process."""
    environment = pages.workshop(tmp_path, ROOT / "README.md")
    (tmp_path / "game.game").write_text(GAPS, encoding="utf-8")
    output = pages.run_command(f"{line}; echo code $?", tmp_path, environment)
    assert output.splitlines()[-1] in ("code 0", "code 1"), output
    assert "internal error" not in output


def test_pages_have_commands_and_programs():
    assert {f.document.name for f in FENCES if f.language == "console"} >= {"README.md", "asking.md"}
    programs = [f for f in FENCES if pages.is_program(f)]
    assert {f.document.name for f in programs} >= {"README.md", "rulebooks.md"}
    assert all(pages.promised(f.text) for f in programs)
