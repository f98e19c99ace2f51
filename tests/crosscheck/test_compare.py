"""``compare`` against brute force: one rule of a tiny game is in force under one value of a ruling only."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import clingo
import pytest
from support.mutants import NAMES, TINY, original, write
from support.plain import Plain

from kaiser_logic.comparison.compare import compare
from kaiser_logic.game import Game, load
from kaiser_logic.position import Position

GUARDED = 3
"""So many rules of each game, besides its own ruling and its start."""
MOST = 3
STEPS = 4

_RULING = """
[rulings.guard]
about = "Whether a rule is in force."
values = { on = "it is", off = "it is not" }
standard = "on"
"""


def differs(first: Game, second: Game) -> str:
    """How two games differ: at the ``start``, in an ``action`` or in the ``result`` of a valid position; empty: not."""
    one, two = (Plain(game, MOST, last=1 + STEPS) for game in (first, second))
    shared = one.positions() & two.positions()
    here, there = (_from(plain, shared) for plain in (one, two))
    if here != there:
        return "action"
    for facts in shared:
        if not any(f.name == "decision" for f in facts):
            results = [Position(game.evaluator, facts).result() for game in (first, second)]
            if results[0] != results[1]:
                return "result"
    return "start" if first.initial().symbols != second.initial().symbols else ""


def _from(
    plain: Plain, positions: set[frozenset[clingo.Symbol]]
) -> dict[tuple[frozenset[clingo.Symbol], frozenset[clingo.Symbol]], frozenset[clingo.Symbol]]:
    return {key: then for key, then in plain.successors().items() if key[0] in positions}


def guarded(name: str, index: int, folder: Path) -> str:
    """The game with one of its rules (``-1``: how it starts) in force under a ruling only."""
    text = original(name, Random(index))
    if index < 0:
        line = next(i for i, rule in enumerate(text.lines) if rule.startswith("init(decision("))
    else:
        fit = [
            i
            for i in text.rules
            if not text.lines[i].startswith(("init", "limit", "counts", "pickable", "listed", "picker"))
        ]
        line = Random(f"guard {name}").sample(fit, len(fit))[index % len(fit)]
    text.replace(line, text.lines[line].removesuffix(".") + ", ruling(guard,on).")
    text.manifest += _RULING
    write(text, folder)
    return text.done[0]


def agree(first: Game, second: Game, tally: Counter[str]) -> str:
    """What is wrong with what ``compare`` says; empty: nothing."""
    (said,) = compare(first, second, workers=1)
    true = differs(first, second)
    tally["rulings compared"] += 1
    tally["rulings told apart"] += bool(said.how)
    if not said.complete and not said.how:
        tally["rulings not decided"] += 1
        return ""
    return "" if bool(said.how) == bool(true) else f"said: {said.how or 'nothing'}; true: {true or 'nothing'} ({said.words})"


@pytest.mark.parametrize("name", NAMES)
def test_its_own_ruling(name: str, tally: Counter[str]) -> None:
    first = load(TINY / name)
    ((ruling, value),) = first.options.items()
    other = next(v for v in first.book.rulings[ruling].values if v != value)
    assert not agree(first, load(TINY / name, options={ruling: other}), tally)


@pytest.mark.parametrize("name", NAMES)
def test_one_rule_in_force_or_not(name: str, tmp_path: Path, scale: int, tally: Counter[str]) -> None:
    wrong = []
    for index in range(-1, GUARDED * scale):
        rule = guarded(name, index, tmp_path / str(index))
        first, second = (load(tmp_path / str(index), options={"guard": v}) for v in ("on", "off"))
        fault = agree(first, second, tally)
        if fault:
            wrong.append(f"{rule}\n    {fault}")
    assert not wrong, "\n".join(wrong)
