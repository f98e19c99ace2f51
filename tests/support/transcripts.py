"""Pages of commands and what they print: each section of a page is a test. The package's commands run in this process.

A page is Markdown, as the documentation is (`fences`): a block ```` ```console ```` has commands and their output, and a block
below the line `` `my.game`: `` is that file. What stands above the first ``## `` is there in every section. Each section has a
folder of its own, with links to ``asp``, ``examples`` and the small rulebooks of ``support``.
A line of the error stream begins with ``! ``, and ``[1]`` at the end is an exit code other than 0. A command of the shell may
follow ``|`` or ``>``, and lines without ``kaiser-logic`` are the shell's.
"""

import io
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest
from _pytest.mark import ParameterSet

from kaiser_logic.cli import main
from support import ROOT

from .fences import Fence, commands, fences, matches, renewed, write
from .limits import NO_END

_WORDS: Final = r"""(?:'[^']*'|"(?:[^"$]|\$\([^)]*\)|\$\w)*"|\$\([^)]*\)|[^'"|<>])*"""
_LINE: Final = re.compile(rf"((?:\w+=\S+ )*)kaiser-logic({_WORDS})(<\s*\S+)?(.*)", re.S)
_SEARCHING: Final = {"find", "prove", "compare", "complete", "invariants"}


@dataclass(frozen=True)
class Section:
    """A section of a page: its title, the files of the page and its own, and its blocks."""

    page: Path
    title: str
    files: tuple[Fence, ...]
    blocks: tuple[Fence, ...]

    @property
    def marks(self) -> set[str]:
        """The set of tests that it belongs to, if it takes long."""
        return {block.set for block in self.blocks if block.set}


def sections(page: Path) -> Iterator[Section]:
    lines = page.read_text(encoding="utf-8").split("\n")
    every = fences(page)
    inside = {n for fence in every for n in range(fence.start, fence.start + len(fence.lines))}
    heads = [n for n, line in enumerate(lines) if line.startswith("## ") and n not in inside]
    shared = tuple(fence for fence in every if fence.name and fence.start < heads[0])
    for start, end in zip(heads, [*heads[1:], len(lines)], strict=True):
        here = [fence for fence in every if start < fence.start < end]
        files = (*shared, *(fence for fence in here if fence.name))
        yield Section(page, lines[start][3:], files, tuple(f for f in here if f.language == "console"))


def parameters(folder: Path) -> list[ParameterSet]:
    """The sections of all pages of a folder, for `pytest.mark.parametrize`."""
    return [
        pytest.param(one, id=f"{page.stem}: {one.title}", marks=[getattr(pytest.mark, m) for m in one.marks])
        for page in sorted(folder.glob("*.md"))
        for one in sections(page)
    ]


class Transcripts:
    """Runs the commands of a section in the current folder, and compares or writes what they print."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._patch, self._captured = monkeypatch, capsys

    def prepare(self, section: Section) -> None:
        for link, target in (("asp", "asp"), ("examples", "examples"), ("support", "tests/support")):
            Path(link).symlink_to(ROOT / target)
        for file in section.files:
            path = Path(str(file.name))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(file.text, encoding="utf-8")

    def check(self, section: Section) -> None:
        """Compares what the commands print; with KAISER_LOGIC_WRITE=1 writes it into the page."""
        for block in section.blocks:
            outputs = []
            for command in commands(block):
                outputs.append(self._output(command.line))
                if not os.environ.get("KAISER_LOGIC_WRITE"):
                    assert matches(command.expected, outputs[-1]), f"{block}: {command.line}\n{outputs[-1]}"
            if os.environ.get("KAISER_LOGIC_WRITE"):
                write(next(f for f in fences(section.page) if f.lines == block.lines), renewed(block, outputs))

    def _output(self, line: str) -> str:
        parts = _LINE.fullmatch(line)
        if parts is None:
            done = _shell(line, "")
            return _as_shown(done.stdout, done.stderr, done.returncode)
        given, rest = parts[2], parts[4].strip()
        if given.endswith(" 2") and rest[:1] == ">":
            given, rest = given[:-1], f"2{rest}"
        words = _shell(f"printf '%s\\0' {given}", "").stdout.split("\0")[:-1]
        if words and words[0] in _SEARCHING and "--timeout" not in words:
            words[1:1] = ["--timeout", f"{NO_END:.0f}"]
        with self._patch.context() as patched:
            for setting in parts[1].split():
                patched.setenv(*setting.split("=", 1))
            typed = Path(parts[3][1:].strip()).read_text(encoding="utf-8") if parts[3] else ""
            patched.setattr(sys, "stdin", io.StringIO(typed))
            code = main(words)
        out, err = self._captured.readouterr()
        assert "Traceback" not in err and "internal error" not in err, err
        if rest.startswith("2>&1"):
            out, err, rest = out + err, "", rest[4:].strip()
        if rest:
            done = _shell(f"cat {rest}", out)
            out = done.stdout + done.stderr
        return _as_shown(out, err, code)


def _shell(line: str, typed: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        line, shell=True, input=typed, capture_output=True, text=True, errors="surrogateescape", check=False
    )


def _as_shown(out: str, err: str, code: int) -> str:
    end = "" if not out or out.endswith("\n") else "\n"
    errors = "".join(f"! {line}\n" for line in err.splitlines())
    shown = f"{out}{end}{errors}" + (f"[{code}]\n" if code else "")
    return shown.replace(f"{Path.cwd()}/", "").replace(f"{ROOT}/", "")
