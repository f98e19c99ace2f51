"""Compares this version with a checkout of another one: the CPU times of whole commands.

Each version has its own folders for caches. To measure what an edit of a rulebook costs, the program and the rulebooks are
copied, and one condition is replaced by an equivalent one.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import kaiser_logic as kl

from .one import record_of
from .timing import ROOT, children, least, run, spent

EDITS = {
    "one condition of the next contest edited": ("electors.lp", "nth(E,J), I <= J, open(E)", "nth(E,J), J >= I, open(E)"),
    "one of who may place a gray eminence edited": (
        "electors.lp", "held(R,gray_eminence,_), spare", "held(R,gray_eminence,N), N > 0, spare",
    ),
}  # fmt: skip
"""Edits of rulebooks: the file, a text in it, and an equivalent text."""
CLI = ("-m", "kaiser_logic")
PROVE = (*CLI, "prove", "kaiser", "--jobs", "1")
COMPARE = (*CLI, "compare", "kaiser", "--editions", "nl,it", "--jobs", "1")


def rows(other: Path, folder: str) -> Iterator[list[str]]:
    """The times of each command in both versions, and their ratio."""
    file = Path(folder) / "beside.game"
    file.write_text(str(record_of(kl.load("kaiser", players=4))), encoding="utf-8")
    check = (*CLI, "check", str(file))

    def took(root: Path, arguments: tuple[str, ...], cache: str = "off", times: int = 1) -> float:
        code = f"{folder}/bytecode{'' if root != other else '.other'}"
        end = int(arguments == COMPARE)  # the editions differ
        return least(lambda: run(arguments, cache, root, code, end), times, clock=children)

    def cells(what: str, here: float, there: float) -> list[str]:
        return [what, f"{here:.2f} s", f"{there:.2f} s", f"{here / there:.2f}"]

    took(ROOT, check), took(other, check)
    there = took(other, check, times=7)
    yield cells("`check` of a record, no cache", took(ROOT, check, times=7), there)
    cache = f"{folder}/beside"
    took(ROOT, check, cache)
    yield cells("`check` of a record, everything cached", took(ROOT, check, cache, times=7), there)
    there = min(took(other, COMPARE), took(other, COMPARE))
    yield cells("`compare kaiser --editions nl,it`", min(took(ROOT, COMPARE), took(ROOT, COMPARE)), there)
    there = took(other, PROVE)
    yield cells("`prove kaiser`, no cache", took(ROOT, PROVE), there)
    yield from (cells(f"`prove kaiser`, {what}", seconds, there) for what, seconds in edited(folder))


def edited(folder: str) -> Iterator[tuple[str, float]]:
    """The times of proofs after each edit; the proofs before the edit are cached."""
    copy = Path(folder) / "copy"
    for name in ("kaiser_logic", "asp"):
        shutil.copytree(ROOT / name, copy / name, symlinks=False)

    def proved() -> float:
        return spent(lambda: run(PROVE, f"{folder}/proofs", copy, f"{folder}/bytecode.copy"), children)

    proved()
    yield "nothing changed", proved()
    for what, (name, old, new) in EDITS.items():
        file = copy / "asp" / "kaiser" / name
        text = file.read_text(encoding="utf-8")
        assert text.count(old) == 1, name
        file.write_text(text.replace(old, new), encoding="utf-8")
        yield what, proved()
        file.write_text(text, encoding="utf-8")


HEAD = ("`--jobs 1`, four players", "this version", "the other", "ratio")
