"""Plants faults one by one in a copy of the tree, and says which test notices each: see `README.md`."""

import argparse
import csv
import functools
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from difflib import SequenceMatcher
from json import loads
from pathlib import Path
from queue import Queue
from random import Random
from typing import Final, NamedTuple

from coverage import CoverageData

from mutants import edits

ROOT: Final = Path(__file__).parents[2]
COPIED: Final = (
    "kaiser_logic", "asp", "tests", "docs", "examples", "pyproject.toml", "README.md", "CHANGELOG.md", "CONTRIBUTING.md",
)  # fmt: skip
COLUMNS: Final = ("seed", "file", "line", "change", "text", "noticed")
LOGIC: Final = 0.25
"""The share of mutants in logic programs."""
QUICK: Final = 4.0
"""Seconds of the tests that are run first, so that most mutants do not pay for the start of the others."""
USUAL: Final = "not slow and not long and not hypothesis"
SLOW: Final = "(slow or hypothesis) and not long and not by_hand"
KEPT: Final = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"} | {"COLUMNS": "400"}
"""What is compiled is kept: most mutants cost less than to compile the tests."""
TIME: Final = 3600
"""After so many seconds a mutant counts as noticed: it waits for something."""


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
    found = [p for g in ("asp/**/*.lp", "kaiser_logic/**/*.py") for p in sorted(ROOT.glob(g))]
    files = [f for p in found if (f := str(p.relative_to(ROOT))).startswith(tuple(only) or "")]
    both = [[m for f in files if f.endswith(end) for m in mutants_of(f)] for end in (".lp", ".py")]
    made: dict[tuple[str, str, str], Mutant] = {}
    while len(made) < number:
        logic = bool(both[0]) and (not both[1] or random.random() < LOGIC)
        mutant = random.choice(both[not logic])
        made.setdefault(mutant.name, mutant)
    return list(made.values())


class Record:
    """Which tests execute a line, and their seconds, from what `recorder` wrote."""

    def __init__(self, folder: Path) -> None:
        """Reads the files of a folder; the lines are those of the commit that was recorded. Tests that are gone do not count."""
        listed = subprocess.run(
            [sys.executable, "-m", "pytest", "--collect-only", "-q", "-m", USUAL],
            cwd=ROOT, env=KEPT, capture_output=True, text=True, check=False,
        )  # fmt: skip
        there = set(listed.stdout.splitlines())
        self._parts = list[tuple[str, CoverageData]]()
        self.seconds = dict[str, float]()
        for path in sorted(folder.glob("tests-*.json")):
            part = loads(path.read_text(encoding="utf-8"))
            self.seconds |= {test: s for test, s in part["seconds"].items() if test in there}
            self._parts.append((part["commit"], CoverageData(str(path.with_name(f"lines-{path.stem[6:]}")))))
            self._parts[-1][1].read()

    def tests(self, mutant: Mutant) -> tuple[list[str], int]:
        """The tests that may notice a mutant, those to run first in front, and how many of them execute its line.

        Those of its module and folder come first, then the quick ones. After those that execute the line come those that
        execute others of its module: it may run on import, in a child process, or be cached. No test is known to read a
        rule: all count, those with the game in their name first.
        """
        if mutant.file.endswith(".lp"):
            return self._sorted(mutant, set(self.seconds)), len(self.seconds)
        exact, near = set[str](), set[str]()
        for commit, data in self._parts:
            lines = data.contexts_by_lineno(str(ROOT / mutant.file))
            exact |= set(lines.get(_old_lines(commit, mutant.file).get(mutant.line, 0), ()))
            near |= {test for tests in lines.values() for test in tests}
        first = self._sorted(mutant, exact)
        return first + self._sorted(mutant, near - exact), len(first)

    def _sorted(self, mutant: Mutant, tests: set[str]) -> list[str]:
        stem = Path(mutant.file).stem if mutant.file.endswith(".py") else "games/test_cases.py"
        names = (stem, "games/" if mutant.file.endswith(".lp") else "", Path(mutant.file).parent.name)
        known = tests & self.seconds.keys()
        return sorted(known, key=lambda t: (*(name not in t for name in names), self.seconds[t], t))


@functools.cache
def _old_lines(commit: str, file: str) -> dict[int, int]:
    """The number that each line of a file had in a commit."""
    shown = subprocess.run(["git", "show", f"{commit}:{file}"], cwd=ROOT, capture_output=True, text=True, check=False)
    new = (ROOT / file).read_text(encoding="utf-8").splitlines()
    blocks = SequenceMatcher(None, shown.stdout.splitlines(), new, autojunk=False).get_matching_blocks()
    return {b.b + k + 1: b.a + k + 1 for b in blocks for k in range(b.size)}


def noticing(copy: Path, mutant: Mutant, record: Record, cap: float, slow: bool) -> str:
    """The first test that fails; ``none``, if none does; ``open``, if the cap left out tests that execute the line."""
    tests, exact = record.tests(mutant)
    if slow:  # nobody recorded them: those of the same files, as far as the cap goes
        files = list(dict.fromkeys(t.partition("::")[0] for t in tests))
        return planted(copy, mutant, files, SLOW, cap)
    parts, spent = (list[str](), list[str]()), 0.0
    for test in tests:
        spent += record.seconds[test]
        if spent > cap:
            break
        parts[spent > QUICK].append(test)
    for part in parts:
        noticed = planted(copy, mutant, part, USUAL, 3 * cap) if part else "none"
        if noticed != "none":
            return noticed.replace("open", "timeout")
    return "open" if sum(map(len, parts)) < exact else "none" if exact else "no test"


def planted(copy: Path, mutant: Mutant | None, tests: list[str], marks: str, cap: float) -> str:
    """The first test that fails; ``open``, if they need more CPU than the cap, or wait."""
    path = copy / (mutant.file if mutant else "README.md")
    original = path.read_text(encoding="utf-8")
    path.write_text(mutant.mutated if mutant else original, encoding="utf-8")
    (copy / "tests.txt").write_text("\n".join(tests), encoding="utf-8")
    options = "-m pytest -q -x --no-header --tb=no -rfE -p no:cacheprovider @tests.txt -m"
    limit = functools.partial(resource.setrlimit, resource.RLIMIT_CPU, (int(cap), int(cap)))
    try:
        done = subprocess.run(
            [sys.executable, *options.split(), marks], cwd=copy, env=KEPT | {"PYTHONPATH": f"{copy}:{copy / 'tests'}"},
            capture_output=True, text=True, timeout=TIME, check=False, preexec_fn=limit,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return "open"
    finally:
        path.write_text(original, encoding="utf-8")
        for kept in path.parent.glob(f"__pycache__/{path.stem}.*"):
            kept.unlink()  # it may be as old and as long as the original
    failed = re.search(r"^(?:FAILED|ERROR) (\S.*?)(?: - .*)?$", done.stdout, re.M)
    if failed or done.returncode in (0, 5):
        return failed[1] if failed else "none"
    return "open" if done.returncode < 0 else f"exit code {done.returncode}"


def rows_of(table: Path, *noticed: str) -> list[dict[str, str]]:
    """The rows of a table, or those whose result begins with one of these words."""
    with table.open(encoding="utf-8") as file:
        return [r for r in csv.DictReader(file, delimiter="\t") if r["noticed"].startswith(noticed or "")]


def names_in(rows: list[dict[str, str]]) -> set[tuple[str, str, str]]:
    return {(r["file"], r["change"], r["text"]) for r in rows}


def main() -> None:
    """Draws mutants, or takes those of a table, and appends a row for each that the table has not yet."""
    parser = argparse.ArgumentParser(prog="python -m mutants", description=__doc__)
    add = parser.add_argument
    add("table", type=Path, help="the table, with tabs; what it has is not run again")
    add("--record", type=Path, required=True, help="the folder that the recorder wrote")
    add("--seed", type=int, default=0)
    add("--number", type=int, default=200)
    add("--only", nargs="*", default=[], help="files or folders, such as asp/krone")
    add("--again", type=Path, help="the mutants of this table, instead of new ones")
    add("--noticed", nargs="*", default=[], help="with --again: those with these results, such as none")
    add("--cap", type=float, default=80, help="seconds of CPU, as recorded, of the tests of a mutant")
    add("--jobs", type=int, default=2)
    add("--slow", action="store_true", help="the slow tests, instead of the usual ones")
    args = parser.parse_args()
    if args.again:
        wanted, only = names_in(rows_of(args.again, *args.noticed)), tuple(args.only) or ""
        files = sorted({n[0] for n in wanted if n[0].startswith(only) and (ROOT / n[0]).exists()})
        mutants = [m for f in files for m in mutants_of(f) if m.name in wanted]
    else:
        mutants = drawn(args.seed, args.number, args.only)
    if not args.table.exists():
        args.table.write_text("\t".join(COLUMNS) + "\n", encoding="utf-8")
    known, record = names_in(rows_of(args.table)), Record(args.record)
    copies = Queue[Path]()
    os.nice(10)

    def try_out(mutant: Mutant) -> None:
        copy = copies.get()
        noticed = noticing(copy, mutant, record, args.cap, args.slow)
        copies.put(copy)
        row = (str(args.seed), mutant.file, str(mutant.line), *mutant.name[1:], noticed)
        with args.table.open("a", encoding="utf-8") as out:
            out.write("\t".join(cell.replace("\t", " ") for cell in row) + "\n")

    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(args.jobs) as pool:
        for _ in range(args.jobs):
            copy = Path(tempfile.mkdtemp(dir=folder))
            for name in COPIED:
                (shutil.copytree if (ROOT / name).is_dir() else shutil.copy)(ROOT / name, copy / name)
            copies.put(copy)
        list(pool.map(try_out, (m for m in mutants if m.name not in known)))
        sure = sorted({r["noticed"] for r in rows_of(args.table, "tests/")})
        print("fails without a mutant, too:", planted(copy, None, sure, "", TIME))


if __name__ == "__main__":
    main()
