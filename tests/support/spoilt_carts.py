"""The carts (``carts/``), and carts that are spoilt so that what happens twice, or to nothing, is taken for once."""

from __future__ import annotations

import shutil
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from kaiser_logic.symbolic import kept, projected

FOLDER = Path(__file__).parent / "carts"
EFFECTS = ("shift(", "lose(", "gain(", "frees(", "violates(", "counts(", "carries(", "add(", "candidate(")


def faults(folder: Path, what: str = "faults") -> dict[str, list[list[str]]]:
    """The faults of a game, each with the texts that become others; ``what``: the file."""
    found = tomllib.loads((folder / f"{what}.toml").read_text(encoding="utf-8"))["fault"]
    return {f["name"]: f["changes"] for f in found}


TEMPTING = faults(FOLDER)
"""What a hasty proof would pass: texts by others."""


def known_in_part(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loads are left out of positions, as if there were too many."""
    monkeypatch.setattr(kept, "_TOO_MANY", -1)
    monkeypatch.setattr(kept, "_FEW", 11)
    monkeypatch.setattr(projected, "_VALUES", 2)


def text(folder: Path = FOLDER) -> str:
    """The rules."""
    return (folder / "rules.lp").read_text(encoding="utf-8")


def tempted(name: str, folder: Path = FOLDER, what: str = "faults") -> str:
    """The rules with one of the faults."""
    rules = text(folder)
    for old, new in faults(folder, what)[name]:
        assert old in rules, old
        rules = rules.replace(old, new)
    return rules


def mechanical(folder: Path = FOLDER, heads: tuple[str, ...] = EFFECTS) -> Iterator[tuple[str, str]]:
    """The rules with one dropped, one condition dropped, or another number or player: what was done, and the rules."""
    lines = text(folder).splitlines()
    for i, line in enumerate(lines):
        if not line.startswith(heads) or " :- " not in line:
            continue
        head, _, body = line.removesuffix(".").partition(" :- ")
        literals = _split(body)
        new = [""]
        new += [
            f"{head} :- {', '.join(literals[:k] + literals[k + 1 :])}."
            for k in range(len(literals))
            if len(literals) > 1
        ]
        new += [line.replace(",1,", ",2,", 1), line.replace(",N,", ",1,", 1), line.replace("(R", "(Q", 1)]
        new += [line.replace("out", "home", 1), line.replace("I > 0", "I > 1"), line.replace("G", "g(0)", 1)]
        for one in dict.fromkeys(new):
            if one != line:
                yield f"{line}  =>  {one}", "\n".join([*lines[:i], one, *lines[i + 1 :]]) + "\n"


def _split(body: str) -> list[str]:
    """The conditions of a rule."""
    found, depth = [""], 0
    for c in body:
        depth += {"(": 1, "{": 1, ")": -1, "}": -1}.get(c, 0)
        if c == "," and not depth:
            found.append("")
        else:
            found[-1] += c
    return [x.strip() for x in found]


def write(rules: str, folder: Path, like: Path = FOLDER) -> Path:
    """A rulebook of these rules."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(like / "game.toml", folder / "game.toml")
    (folder / "rules.lp").write_text(rules, encoding="utf-8")
    return folder
