"""The fenced blocks of the documentation: reads, runs and rewrites them.

A block ```` ```console ```` has commands, each after ``$ ``, and below each its output. ``...`` on a line of its own stands for
any lines, and within a line for any characters. A block ```` ```python ```` that imports the package
is a program; the value of a line such as ``game.roles  # ('red', ...)`` is compared with its comment. A block below a
line that consists of a file's name, `` `heap/game.toml`: ``, is that file. A block after the line ``<!-- slow -->``
takes more than a second of CPU, one after ``<!-- long -->`` more than a minute.
"""

import ast
import io
import os
import re
import shlex
import stat
import subprocess
import sys
import tokenize
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path

from support import ROOT

from .limits import NO_END

_SETS = {"<!-- slow -->": "slow", "<!-- long -->": "long"}
_OPEN = re.compile(r"^```(\w*)\s*$")
_SEARCHING = re.compile(r"\bkaiser-logic (?:find|prove|compare|complete|invariants)\b")
_NAMED = re.compile(r"^`([\w./-]+)`:$")
_RUNNER = Path(__file__).with_name("run_program.py")


def documents() -> list[Path]:
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


@dataclass(frozen=True)
class Fence:
    """A fenced block: its page, its first line (from 0), its language and its lines.

    ``set`` is the set of tests of an expensive block, ``slow`` or ``long``; ``name`` is the name of a block that is a file.
    """

    document: Path
    start: int
    language: str
    lines: tuple[str, ...]
    set: str | None = None
    name: str | None = None

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n"

    def __str__(self) -> str:
        return f"{self.document.relative_to(ROOT).as_posix()}:{self.start}"


def fences(document: Path) -> list[Fence]:
    lines = document.read_text(encoding="utf-8").split("\n")
    found: list[Fence] = []
    i = 0
    while i < len(lines):
        opening = _OPEN.match(lines[i])
        if opening is None:
            i += 1
            continue
        end = lines.index("```", i + 1)
        above = [line for line in lines[max(0, i - 3) : i] if line]
        named = _NAMED.match(above[-1]) if above else None
        kind = _SETS.get(above[-1]) if above else None
        body = tuple(lines[i + 1 : end])
        found.append(Fence(document, i + 1, opening[1], body, kind, named and named[1]))
        i = end + 1
    return found


# -- commands ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Command:
    """A command as written (on several lines if a quotation continues), and its expected output."""

    written: tuple[str, ...]
    expected: tuple[str, ...]

    @property
    def line(self) -> str:
        """The command as the shell gets it."""
        return "\n".join(self.written).removeprefix("$ ")


def commands(fence: Fence) -> list[Command]:
    starts = [i for i, line in enumerate(fence.lines) if line.startswith("$ ")]
    if not starts or starts[0] != 0:
        raise ValueError(f"{fence}: a console block begins with a command")
    found = []
    for start, end in zip(starts, [*starts[1:], len(fence.lines)], strict=True):
        stop = start + 1
        while stop < end and not _closed("\n".join(fence.lines[start:stop])):
            stop += 1
        found.append(Command(fence.lines[start:stop], fence.lines[stop:end]))
    return found


def _closed(text: str) -> bool:
    try:
        shlex.split(text)
    except ValueError:
        return False
    return True


def matches(expected: tuple[str, ...], output: str) -> bool:
    """Whether the output is as expected; the docstring of this module explains ``...``."""
    parts = [
        r"(?:.*\n)*?" if line.strip() == "..." else ".*?".join(map(re.escape, line.rstrip().split("..."))) + "\n"
        for line in expected
    ]
    printed = "".join(line.rstrip() + "\n" for line in output.splitlines())
    return re.fullmatch("".join(parts), printed) is not None


# -- running -----------------------------------------------------------------------------------------------


def workshop(folder: Path, document: Path) -> dict[str, str]:
    """Prepares a folder in which a page's blocks run, with the files of the page; returns the environment."""
    for name in ("examples", "asp"):
        (folder / name).symlink_to(ROOT / name)
    for fence in fences(document):
        if fence.name is not None:
            (folder / fence.name).parent.mkdir(parents=True, exist_ok=True)
            (folder / fence.name).write_text(fence.text, encoding="utf-8")
    tools = folder / ".bin"
    tools.mkdir()
    script = tools / "kaiser-logic"
    script.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m kaiser_logic "$@"\n', encoding="utf-8")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    path = f"{tools}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    return {**os.environ, "PATH": path, "PYTHONPATH": str(ROOT), "COLUMNS": "80"}


def run_command(command: str, folder: Path, environment: dict[str, str]) -> str:
    """The output and the errors of a command; its ``--timeout`` never ends it."""
    if "--timeout" not in command:
        command = _SEARCHING.sub(rf"\g<0> --timeout {NO_END:.0f}", command)
    done = subprocess.run(
        command,
        shell=True,  # the commands come from our own documentation
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.stdout


def renewed(fence: Fence, outputs: list[str]) -> list[str]:
    """The block's lines with new outputs; lines that still match stay, and omitted lines stay omitted."""
    lines: list[str] = []
    for command, output in zip(commands(fence), outputs, strict=True):
        lines += [*command.written, *_merged(command.expected, [text.rstrip() for text in output.splitlines()])]
    return lines


def _merged(expected: tuple[str, ...], printed: list[str]) -> list[str]:
    """The printed lines with the old ``...``: the cheapest alignment with the expected lines.

    A changed line costs up to 2, by how much it differs; an added or removed line costs 1; lines for ``...`` cost nothing.
    """
    dots = [line.strip() == "..." for line in expected]

    @cache
    def best(i: int, j: int) -> tuple[float, str]:
        """The cost of expected[i:] and printed[j:], and the first operation: keep, skip or put a line."""
        ways: list[tuple[float, str]] = [(0.0, "end")] if i == len(expected) and j == len(printed) else []
        if i < len(expected):
            ways.append((best(i + 1, j)[0] + (0 if dots[i] else 1), "dots" if dots[i] else "skip"))
        if j < len(printed):
            inside = i < len(expected) and dots[i]
            ways.append((best(i, j + 1)[0] + (0 if inside else 1), "pass" if inside else "put"))
        if i < len(expected) and j < len(printed) and not dots[i]:
            same = matches((expected[i],), printed[j])
            alike = SequenceMatcher(None, expected[i], printed[j], autojunk=False).ratio()
            ways.append((best(i + 1, j + 1)[0] + (0 if same else 2 * (1 - alike)), "keep" if same else "change"))
        return min(ways)

    for j in range(len(printed), -1, -1):  # from the end, so that the recursion is not deep
        for i in range(len(expected), -1, -1):
            best(i, j)
    lines: list[str] = []
    i = j = 0
    while (step := best(i, j)[1]) != "end":
        lines += {"dots": expected[i : i + 1], "keep": expected[i : i + 1]}.get(step, ())
        lines += printed[j : j + 1] if step in ("put", "change") else []
        i += step in ("dots", "skip", "keep", "change")
        j += step in ("pass", "put", "keep", "change")
    return lines


def write(fence: Fence, lines: list[str]) -> None:
    page = fence.document.read_text(encoding="utf-8").split("\n")
    here = page.index("```", fence.start)
    page[fence.start : here] = lines
    fence.document.write_text("\n".join(page), encoding="utf-8")


# -- programs ----------------------------------------------------------------------------------------------


def is_program(fence: Fence) -> bool:
    return fence.language == "python" and "import kaiser_logic" in fence.text


def promised(text: str) -> dict[int, str]:
    """By line: the expected values in comments, if they begin like a literal."""
    comments = {
        token.start[0]: token.string.lstrip("# ")
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type == tokenize.COMMENT
    }
    lines = {node.end_lineno for node in ast.parse(text).body if isinstance(node, ast.Expr)}
    return {n: c for n, c in comments.items() if n in lines and (c[:1] in tuple("{[('\"<") or c.isdigit())}


def run_program(fence: Fence, folder: Path, environment: dict[str, str]) -> dict[int, str]:
    """By line: the values of the program's expressions."""
    program = folder / "program.py"
    program.write_text(fence.text, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(_RUNNER), str(program)],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise AssertionError(f"{fence}: {done.stderr}")
    return dict(ast.literal_eval(line) for line in done.stdout.splitlines())
