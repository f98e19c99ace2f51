"""Beside another version of this repository, its checkout: whole commands, in turn, the processor's time.

What is kept between runs lies in folders of its own. For what an edit costs, the program and the rulebooks are copied and
one condition is written otherwise, which changes nothing.
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
"""In a file of the rules: what is said, and the same said otherwise."""
CLI = ("-m", "kaiser_logic")
PROVE = (*CLI, "prove", "kaiser", "--jobs", "1")
COMPARE = (*CLI, "compare", "kaiser", "--editions", "nl,it", "--jobs", "1")


def rows(other: Path, folder: str) -> Iterator[list[str]]:
    """Each command here and there, and the ratio."""
    file = Path(folder) / "beside.game"
    file.write_text(str(record_of(kl.load("kaiser", players=4))), encoding="utf-8")
    check = (*CLI, "check", str(file))

    def took(root: Path, arguments: tuple[str, ...], cache: str = "off", times: int = 1) -> float:
        code = f"{folder}/bytecode{'' if root != other else '.other'}"
        end = int(arguments == COMPARE)  # the editions differ
        return least(lambda: run(arguments, cache, root, code, end), times, clock=children)

    def line(what: str, here: float, there: float) -> list[str]:
        return [what, f"{here:.2f} s", f"{there:.2f} s", f"{here / there:.2f}"]

    took(ROOT, check), took(other, check)
    there = took(other, check, times=7)
    yield line("`check` of a record, nothing kept", took(ROOT, check, times=7), there)
    kept = f"{folder}/beside"
    took(ROOT, check, kept)
    yield line("`check` of a record, everything kept", took(ROOT, check, kept, times=7), there)
    there = min(took(other, COMPARE), took(other, COMPARE))
    yield line("`compare kaiser --editions nl,it`", min(took(ROOT, COMPARE), took(ROOT, COMPARE)), there)
    there = took(other, PROVE)
    yield line("`prove kaiser`, nothing kept", took(ROOT, PROVE), there)
    yield from (line(f"`prove kaiser`, {what}", seconds, there) for what, seconds in edited(folder))


def edited(folder: str) -> Iterator[tuple[str, float]]:
    """What proofs cost after an edit, all else kept."""
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


HEAD = ("`--jobs 1`, four players", "here", "there", "here / there")
