"""Plants faults one by one in a copy of the tree, and says which test notices each: see `README.md`."""

import argparse
import csv
import functools
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from difflib import SequenceMatcher
from json import loads
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from mutants import edits

ROOT: Final = Path(__file__).parents[2]
COPIED: Final = (
    "kaiser_logic", "asp", "tests", "docs", "examples", "pyproject.toml", "README.md", "CHANGELOG.md", "CONTRIBUTING.md",
)  # fmt: skip
COLUMNS: Final = ("seed", "file", "line", "change", "text", "noticed", "seconds")
GAMES: Final = ("kaiser", "krone", "staufer", "vive")
BLACK_BOX: Final = ("tests/games/test_cases.py", "tests/cli", "tests/golden", "tests/examples")
LOGIC: Final = 0.25
"""The share of mutants in logic programs."""
BUDGET: Final = 300.0
"""Seconds of CPU of the test files that are run for a mutant, as far as more than the files that execute its line are run."""
TIME: Final = 1200.0
"""After so many seconds a mutant counts as noticed: it does not end."""


class Mutant(NamedTuple):
    """A fault: the file, its line, what is changed into what, the line as it was, and the file as it becomes."""

    file: str
    line: int
    change: str
    text: str
    mutated: str

    @property
    def name(self) -> tuple[str, str, str]:
        """What the mutant keeps when the lines of its file move."""
        return self.file, self.change, self.text


@functools.cache
def mutants_of(file: str) -> list[Mutant]:
    """All mutants of a file. Equal ones of equal lines are numbered."""
    text = (ROOT / file).read_text(encoding="utf-8")
    made, lines, seen = [], text.splitlines(), defaultdict[tuple[str, str], int](int)
    for edit in edits.python(text) if file.endswith(".py") else edits.logic(text):
        line = text.count("\n", 0, edit.start) + 1
        old, new = (" ".join(part.split())[:80] for part in (text[edit.start : edit.end], edit.new))
        shown, change = lines[line - 1].strip(), f"{edit.kind}: {old} -> {new}"
        seen[change, shown] += 1
        if seen[change, shown] > 1:
            change += f" (#{seen[change, shown]})"
        made.append(Mutant(file, line, change, shown, text[: edit.start] + edit.new + text[edit.end :]))
    return made


def drawn(seed: int, number: int, only: list[str]) -> list[Mutant]:
    """Mutants at random: a quarter in logic programs, the others in the package."""
    random = Random(seed)
    files = [str(p.relative_to(ROOT)) for g in ("asp/**/*.lp", "kaiser_logic/**/*.py") for p in sorted(ROOT.glob(g))]
    files = [f for f in files if not only or any(f.startswith(start) for start in only)]
    both = [[m for f in files if f.endswith(end) for m in mutants_of(f)] for end in (".lp", ".py")]
    made: dict[tuple[str, str, str], Mutant] = {}
    while len(made) < number:
        logic = bool(both[0]) and (not both[1] or random.random() < LOGIC)
        mutant = random.choice(both[not logic])
        made.setdefault(mutant.name, mutant)
    return list(made.values())


class Record:
    """Which test files execute a line, from what `recorder` wrote."""

    def __init__(self, folder: Path | None) -> None:
        """Reads the files of a folder; the lines are those of the commit that was recorded."""
        found = sorted(folder.glob("lines-*.json")) if folder else []
        self._parts = [loads(p.read_text(encoding="utf-8")) for p in found]
        self.seconds: defaultdict[str, float] = defaultdict(float)
        for part in self._parts:
            for file, seconds in part["seconds"].items():
                self.seconds[file] += seconds

    def tests(self, mutant: Mutant) -> list[str]:
        """Those that execute the line, the test of its module first, then quick ones; then others of its module, in a budget.

        Without a record, and for logic programs, they are those of the folder, and of what all commands print.
        """
        folder = mutant.file.split("/")[1].removesuffix(".py")
        if mutant.file.endswith(".lp"):
            return (
                ["tests/games", "-k", folder]
                if folder in GAMES
                else ["tests/games", "tests/crosscheck", "tests/evaluation"]
            )
        if not self._parts:
            return [t for t in (f"tests/{folder}", f"tests/test_{folder}.py", *BLACK_BOX) if (ROOT / t).exists()]
        exact, near = set[str](), set[str]()
        for part in self._parts:
            lines = part["lines"].get(mutant.file, {})
            exact |= set(lines.get(str(_old_line(part["commit"], mutant.file, mutant.line)), ()))
            near |= {test for tests in lines.values() for test in tests}
        first = self._sorted(mutant, exact)
        spent = sum(self.seconds[t] for t in first)
        for test in self._sorted(mutant, near - exact):
            spent += self.seconds[test]
            if spent > BUDGET:
                break
            first.append(test)
        return first

    def _sorted(self, mutant: Mutant, tests: set[str] | list[str]) -> list[str]:
        path = Path(mutant.file)
        there = [t for t in tests if (ROOT / t).exists()]
        return sorted(
            there, key=lambda t: (Path(t).stem != f"test_{path.stem}", path.parent.name not in t, self.seconds[t])
        )


@functools.cache
def _matches(commit: str, file: str) -> dict[int, int]:
    shown = subprocess.run(["git", "show", f"{commit}:{file}"], cwd=ROOT, capture_output=True, text=True, check=False)
    new = (ROOT / file).read_text(encoding="utf-8").splitlines()
    blocks = SequenceMatcher(None, shown.stdout.splitlines(), new, autojunk=False).get_matching_blocks()
    return {b.b + k + 1: b.a + k + 1 for b in blocks for k in range(b.size)}


def _old_line(commit: str, file: str, line: int) -> int | None:
    """The number that a line had in a commit."""
    return _matches(commit, file).get(line)


def noticing(copy: Path, mutant: Mutant, tests: list[str]) -> str:
    """The first test that fails, or ``none``."""
    path = copy / mutant.file
    original = path.read_text(encoding="utf-8")
    for kept in path.parent.glob(f"__pycache__/{path.stem}.*"):  # it may be as old and as long as the mutant
        kept.unlink()
    path.write_text(mutant.mutated, encoding="utf-8")
    options = "-m pytest -q -x --no-header --tb=no -rfE -p no:cacheprovider"
    command = [sys.executable, *options.split(), *tests]
    paths = f"{copy}:{copy / 'tests'}"
    env = os.environ | {"PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1", "COLUMNS": "400"}
    try:
        done = subprocess.run(command, cwd=copy, env=env, capture_output=True, text=True, timeout=TIME, check=False)
    except subprocess.TimeoutExpired:
        return "timeout"
    finally:
        path.write_text(original, encoding="utf-8")
    failed = re.search(r"^(?:FAILED|ERROR) (\S.*?)(?: - .*)?$", done.stdout, re.M)
    return failed[1] if failed else "none" if done.returncode in (0, 5) else f"exit code {done.returncode}"


def named_in(table: Path) -> set[tuple[str, str, str]]:
    with table.open(encoding="utf-8") as file:
        return {(r["file"], r["change"], r["text"]) for r in csv.DictReader(file, delimiter="\t")}


def main() -> None:
    """Draws mutants, or takes those of a table, and appends a row for each that the table has not yet."""
    parser = argparse.ArgumentParser(prog="python -m mutants", description=__doc__)
    parser.add_argument("table", type=Path, help="the table, of values between tabs; what it has is not run again")
    parser.add_argument(
        "--record", type=Path, help="the folder that the recorder wrote; without it, the tests of the folder"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--number", type=int, default=60)
    parser.add_argument("--only", nargs="*", default=[], help="files or folders, such as kaiser_logic/lang asp/krone")
    parser.add_argument("--again", type=Path, help="the mutants of this table, instead of new ones")
    args = parser.parse_args()
    if args.again:
        only = tuple(args.only) or ("",)
        wanted = {n for n in named_in(args.again) if (ROOT / n[0]).exists() and n[0].startswith(only)}
        mutants = [m for f in sorted({n[0] for n in wanted}) for m in mutants_of(f) if m.name in wanted]
    else:
        mutants = drawn(args.seed, args.number, args.only)
    if not args.table.exists():
        args.table.write_text("\t".join(COLUMNS) + "\n", encoding="utf-8")
    known = named_in(args.table)
    record = Record(args.record)
    with tempfile.TemporaryDirectory() as folder, args.table.open("a", encoding="utf-8") as out:
        copy = Path(folder)
        for name in COPIED:
            source = ROOT / name
            (shutil.copytree if source.is_dir() else shutil.copy)(source, copy / name)
        for mutant in mutants:
            if mutant.name not in known:
                begun, tests = time.monotonic(), record.tests(mutant)
                noticed = noticing(copy, mutant, tests) if tests else "no test"
                seconds = f"{time.monotonic() - begun:.0f}"
                row = (str(args.seed), mutant.file, str(mutant.line), *mutant.name[1:], noticed, seconds)
                out.write("\t".join(cell.replace("\t", " ") for cell in row) + "\n")
                out.flush()


if __name__ == "__main__":
    main()
