"""Wrong rules that proofs and the independent implementations notice: the table `mutants.cases`."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from games.positions import HERE
from games.tables import lines_of
from games.test_oracles import Setting, compare, disturbed, reached

from kaiser_logic.engine.invariants import invariants
from kaiser_logic.engine.ruleset import Ruleset
from kaiser_logic.errors import KaiserLogicError
from kaiser_logic.game import load
from kaiser_logic.query.after import steps_named
from kaiser_logic.rules.loader import asp_folder
from kaiser_logic.rules.predicates import ADD, ALWAYS, DEL, VIOLATES, WRONG
from kaiser_logic.rules.reader import term_of
from kaiser_logic.rules.rule import PlacedRule, top
from kaiser_logic.solving.moves import claiming
from kaiser_logic.solving.questions import Setting as Asked
from kaiser_logic.solving.questions import TransitionQuestion
from kaiser_logic.solving.questions import games as tried
from kaiser_logic.solving.theory import Transition, shape_of
from kaiser_logic.transform.slicing import seeds
from kaiser_logic.workers import Job, ProcessPool


class Mutant(NamedTuple):
    """A rulebook with a piece of one rule changed."""

    name: str
    game: str
    file: str
    players: int
    how: str
    old: str
    new: str

    def write(self, folder: Path) -> Path:
        """The mutated rulebook in a folder below this one."""
        target = folder / self.game
        shutil.copytree(asp_folder() / self.game, target)
        path = target / f"{self.file}.lp"
        text = path.read_text(encoding="utf-8")
        pattern = r"\s+".join(map(re.escape, self.old.split()))
        assert len(re.findall(pattern, text)) == 1, f"{self.name}: the rule is not in the file exactly once"
        path.write_text(re.sub(pattern, lambda _: self.new, text), encoding="utf-8")
        return target


def read_mutants() -> list[Mutant]:
    """All mutants of the table."""
    lines = list(lines_of(HERE / "mutants.cases"))
    found = []
    for head, old, new in zip(lines[::3], lines[1::3], lines[2::3], strict=True):
        name, place, how = head[2:].split(" | ")
        game, file, players = place.split()
        found.append(Mutant(name, game, file, int(players), how, old[2:], new[2:]))
    return found


MUTANTS = read_mutants()


def test_mutants_change_one_rule_each(tmp_path: Path) -> None:
    assert len({(m.game, m.name) for m in MUTANTS}) == len(MUTANTS) == 53
    for number, mutant in enumerate(MUTANTS):
        mutant.write(tmp_path / str(number))


@pytest.mark.long
@pytest.mark.parametrize(
    "mutant", [m for m in MUTANTS if m.how == "prove"], ids=lambda m: f"{m.game}: {m.name}"
)
def test_prove_notices_mutants(mutant: Mutant, tmp_path: Path) -> None:
    """An invariant or claim falls. Only transitions that use a changed rule are examined."""
    game = load(mutant.write(tmp_path), players=mutant.players)
    ruleset = claiming(game.evaluator).ruleset
    before = claiming(load(mutant.game, players=mutant.players).evaluator).ruleset
    data = {s for s in ruleset.static if ruleset.static[s] != before.static.get(s)}
    setting = Asked(game.ruleset)

    def concerned(transition: Transition) -> bool:
        rules, old = rules_of(ruleset, transition), rules_of(before, transition)
        return {r.text for r in rules} != {r.text for r in old} or any(r.uses & data for r in rules)

    goals = (*invariants(ruleset).assumed, *ALWAYS, *setting.moves.docs)
    jobs = [
        Job(f"{n} {t.label}", TransitionQuestion(setting, n, t.label, goals))
        for n, t in enumerate(setting.prover.transitions)
        if concerned(t)
    ]
    answers = (answer.value for answer in ProcessPool(jobs, 1, float("inf")))
    fallen = any(e.replayed for value in answers if value for e in value.broken.values())
    assert fallen or tried(setting).broken


def rules_of(ruleset: Ruleset, transition: Transition) -> list[PlacedRule]:
    """The rules that a transition depends on."""
    effects = [top(*s) for s in (VIOLATES, ADD, DEL, WRONG)]
    if transition.step is not None:
        steps = steps_named(ruleset, [transition.label.removeprefix("step ")])
        return ruleset.judging.slice(seeds(None, steps), effects)
    shapes = {(shape_of(w.decision), shape_of(w.action)) for w in transition.schemas}
    every = ruleset.book.kinds
    kinds = [
        k for k in every if (shape_of(term_of(k.decision)), shape_of(term_of(k.action))) in shapes
    ] or every
    starts = (seeds([kind.decision], (), [kind.action]) for kind in kinds)
    return [rule for start in starts for rule in ruleset.judging.slice(start, effects)]


@pytest.mark.long
@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda m: f"{m.game}: {m.name}")
def test_games_notice_mutants(mutant: Mutant, tmp_path: Path) -> None:
    """Random games, or games from disturbed positions, differ from those of the independent implementation."""
    source = mutant.write(tmp_path)
    with pytest.raises((AssertionError, KaiserLogicError)):
        for seed in range(60):
            rng = Random(seed)
            setting = Setting(load(source, players=(mutant.players, 2, 4)[seed % 3]))
            start = setting.game.initial() if seed < 6 else disturbed(reached(setting, rng), rng)
            compare(setting, start, rng, 600 if seed < 6 else 60, sound=False)
