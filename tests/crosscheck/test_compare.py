"""``compare`` agrees with brute force if one rule of a tiny game is in force with only one value of a ruling."""

from collections import Counter
from pathlib import Path
from random import Random

import clingo
import pytest
from support import NAMES, TINY
from support.edits import marks, more_marks, second_decider, seedless, set_counter, two_due
from support.judge import stratified
from support.mutants import original, write
from support.plain import Plain

from kaiser_logic.comparison.compare import compare
from kaiser_logic.errors import FaultyRulebook
from kaiser_logic.game import Game, load
from kaiser_logic.position import Position

GUARDED = 1
"""The number of rules of each game that a ruling guards, besides its start."""
ADDITIONS = 2
"""The number of variants of each game that have a new rule."""
MOST = 3
"""The largest number of points, as in ``compare``."""
STEPS = 2
"""The largest number of successive steps in these games."""

_RULING = """
[rulings.guard]
about = "Whether a rule is in force."
values = { on = "it is", off = "it is not" }
standard = "on"
"""


def differs(first: Game, second: Game) -> str:
    """How two games differ: at the ``start``, in an ``action`` or in the ``result`` of a valid position. Empty if they agree."""
    last = 1 + STEPS if first.ruleset.steps else 1
    one, two = (Plain(game, MOST, last) for game in (first, second))
    shared = one.positions() & two.positions()
    here, there = (_successors_of(plain, shared) for plain in (one, two))
    if here != there:
        return "action"
    for facts in shared:
        if not any(f.name == "decision" for f in facts):
            results = [Position(game.evaluator, facts).result() for game in (first, second)]
            if results[0] != results[1]:
                return "result"
    return "start" if first.initial().symbols != second.initial().symbols else ""


def _successors_of(
    plain: Plain, positions: set[frozenset[clingo.Symbol]]
) -> dict[tuple[frozenset[clingo.Symbol], frozenset[clingo.Symbol]], frozenset[clingo.Symbol]]:
    return {key: then for key, then in plain.successors().items() if key[0] in positions}


def guarded(name: str, index: int, folder: Path) -> str:
    """Writes the game with one rule (``-1``: its start) in force with only one value of a ruling. Returns the edit."""
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


def fault_of_comparison(first: Game, second: Game, tally: Counter[str]) -> str:
    """The fault in the answer of ``compare``. Empty if it is correct."""
    (answer,) = compare(first, second, workers=1)
    expected = differs(first, second)
    tally["rulings compared"] += 1
    tally["rulings that differ"] += bool(answer.how)
    if not answer.complete and not answer.how:
        tally["rulings not decided"] += 1
        return ""
    return (
        ""
        if bool(answer.how) == bool(expected)
        else f"answer: {answer.how or 'nothing'}; truth: {expected or 'nothing'} ({answer.words})"
    )


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", NAMES)
def test_the_ruling_of_the_game_is_compared_correctly(name, tally):
    first = load(TINY / name)
    ((ruling, value),) = first.options.items()
    other = next(v for v in first.book.rulings[ruling].values if v != value)
    assert not fault_of_comparison(first, load(TINY / name, options={ruling: other}), tally)


ADDED = (seedless, marks, set_counter, two_due, second_decider, more_marks)
"""Edits that add the rule that a ruling guards."""


def added(name: str, seed: int, folder: Path) -> str:
    """Writes the game with an edit whose last rule is in force with only one value of a ruling. Returns the edits."""
    text = original(name, Random(f"added {name} {seed}"))
    new: list[int] = []
    while not new:
        text.random.choice(ADDED)(text)
        new = [i for i in text.rules if text.done and text.lines[i] in text.done[-1].rpartition("=>")[2]]
    last = new[-1]
    text.replace(last, text.lines[last].removesuffix(".") + ", ruling(guard,on).")
    text.manifest += _RULING
    write(text, folder)
    return "\n".join(text.done)


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", NAMES)
def test_a_guarded_rule_is_compared_correctly(name, tmp_path, scale, tally):
    wrong = []
    for index in range(-1, GUARDED * scale):
        rule = guarded(name, index, tmp_path / str(index))
        first, second = (load(tmp_path / str(index), options={"guard": v}) for v in ("on", "off"))
        fault = fault_of_comparison(first, second, tally)
        if fault:
            wrong.append(f"{rule}\n    {fault}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_new_guarded_rule_is_compared_correctly(name, tmp_path, scale, tally):
    wrong = []
    for seed in range(ADDITIONS * scale):
        done = added(name, seed, tmp_path / str(seed))
        try:
            first, second = (load(tmp_path / str(seed), options={"guard": v}) for v in ("on", "off"))
            if not stratified(first):
                continue
            fault = fault_of_comparison(first, second, tally)
        except (FaultyRulebook, RuntimeError):
            tally["rulings in rules that cannot be read"] += 1
            continue
        if fault:
            wrong.append(f"{done}\n    {fault}")
    assert not wrong, "\n".join(wrong)
