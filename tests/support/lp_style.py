"""Checks the form of logic programs: at most 80 lines (or a reason at the head) of 120 columns, no trailing blanks.

``python tests/support/lp_style.py FILE...`` prints the faults; without files it checks those of ``asp/``.
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

LINES, COLUMNS, HEAD = 80, 120, 5


def faults(name: str, text: str) -> Iterator[str]:
    lines = text.split("\n")
    head = [line for line in lines[:HEAD] if line.startswith("%")]
    if len(lines) - 1 > LINES and not any(f"{LINES} lines" in line for line in head):
        yield f"{name}:{LINES + 1}:1: more than {LINES} lines, and no reason at the head"
    excused = any(f"{COLUMNS} columns" in line for line in head)
    for number, line in enumerate(lines, 1):
        if len(line) > COLUMNS and not excused:
            yield f"{name}:{number}:{COLUMNS + 1}: more than {COLUMNS} columns"
        if line != line.rstrip():
            yield f"{name}:{number}:{len(line.rstrip()) + 1}: blanks at the end"
        if "\t" in line:
            yield f"{name}:{number}:{line.index(chr(9)) + 1}: a tab"
    if not text.endswith("\n") or text.endswith("\n\n"):
        yield f"{name}:{len(lines)}:1: one line break ends the file"


def main(files: Sequence[str]) -> int:
    paths = [Path(f) for f in files] or sorted(Path("asp").rglob("*.lp"))
    found = [fault for path in paths for fault in faults(str(path), path.read_text(encoding="utf-8"))]
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
