"""Wrong rules that proofs and tests notice: see `mutants`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from games.kaiser.samples import SORTS
from games.krone.positions import board_text, random_position
from games.mutants import MUTANTS, Mutant
from oracles import kaiser, krone

from kaiser_logic.engine import symbols
from kaiser_logic.engine.domains import kind_actions
from kaiser_logic.engine.invariants import invariants
from kaiser_logic.engine.ruleset import Ruleset
from kaiser_logic.errors import KaiserLogicError
from kaiser_logic.game import Game, load
from kaiser_logic.lang.terms import Signature, Term
from kaiser_logic.lang.unification import label
from kaiser_logic.query.after import steps_named
from kaiser_logic.rules.predicates import ADD, DEL, VIOLATES, WRONG
from kaiser_logic.rules.reader import term_of
from kaiser_logic.rules.rule import PlacedRule, top
from kaiser_logic.solving.goals import ALWAYS
from kaiser_logic.solving.moves import claiming
from kaiser_logic.solving.questions import Setting, TransitionQuestion
from kaiser_logic.solving.questions import games as tried
from kaiser_logic.solving.theory import Transition, shape_of
from kaiser_logic.transform.slicing import seeds
from kaiser_logic.workers import Job, ProcessPool

LEAST_BY_PROOF, LEAST_BY_TESTS = 0.6, 0.95


def noticed(mutant: Mutant, folder: Path, deadline: float = float("inf")) -> str:
    """The first invariant or claim of a mutated rulebook that falls, in the words of ``prove``; empty if none does.

    It examines only transitions that use a changed rule. The deadline is for measurements.
    """
    game = load(mutant.write(folder), players=mutant.players)
    ruleset = claiming(game.evaluator).ruleset
    before = claiming(load(mutant.game, players=mutant.players).evaluator).ruleset
    data = {s for s in ruleset.static if ruleset.static[s] != before.static.get(s)}
    setting = Setting(game.ruleset)
    concerned = {t.label for t in setting.prover.transitions if _concerned(ruleset, before, t, data)}
    goals = (*invariants(ruleset).assumed, *ALWAYS, *setting.moves.docs)
    jobs = [
        Job(f"{n} {t.label}", TransitionQuestion(setting, n, t.label, goals))
        for n, t in enumerate(setting.prover.transitions)
        if t.label in concerned
    ]
    for answer in ProcessPool(jobs, 1, deadline):
        fallen = [c for c, e in answer.value.broken.items() if e.replayed] if answer.value else []
        if fallen:
            return f"{answer.name}: {fallen[0]}"
    sample = tried(setting)
    return f"random games: {min(sample.broken)}" if sample.broken else ""


def _concerned(ruleset: Ruleset, before: Ruleset, transition: Transition, data: set[Signature]) -> bool:
    """Whether a rule or data on which a transition depends have changed."""
    rules, old = rules_of(ruleset, transition), rules_of(before, transition)
    return {r.text for r in rules} != {r.text for r in old} or any(r.uses & data for r in rules)


def rules_of(ruleset: Ruleset, transition: Transition) -> list[PlacedRule]:
    """The rules that a transition depends on."""
    effects = [top(*s) for s in (VIOLATES, ADD, DEL, WRONG)]
    if transition.step is not None:
        steps = steps_named(ruleset, [transition.label.removeprefix("step ")])
        return ruleset.judging.slice(seeds(None, steps), effects)
    shapes = {(shape_of(w.decision), shape_of(w.action)) for w in transition.schemas}
    every = ruleset.book.kinds
    kinds = [k for k in every if (shaped(k.decision), shaped(k.action)) in shapes] or every
    starts = (seeds([kind.decision], (), [kind.action]) for kind in kinds)
    return [rule for start in starts for rule in ruleset.judging.slice(start, effects)]


def shaped(pattern: Term) -> Term:
    """A pattern of the rulebook in the form that transitions use."""
    return shape_of(term_of(pattern))


def games_differ(mutant: Mutant, folder: Path, games: int = 6) -> bool:
    """Whether random games differ from those of the independent implementation."""
    source = mutant.write(folder)
    for seed in range(games):
        for players in (mutant.players, 2, 4):
            game = load(source, players=players)
            try:
                for position, oracle, rng in begun(mutant.game, game, seed):
                    follow(position, oracle, rng)
            except (AssertionError, KaiserLogicError):
                return True
    return False


def begun(name: str, game: Game, seed: int) -> Iterator[tuple]:
    """A whole game and games from random positions, each with that of the independent implementation."""
    rng = Random(seed)
    if name == "kaiser":
        spaces = {(e, s): n for e, ns in kaiser.BOARD.items() for s, n in zip(SORTS, ns, strict=True)}
        yield game.initial(), kaiser.Kaiser(game.seats, game.seats[0], "standard", {}, spaces, {}), rng
        return
    yield game.initial(), krone.Krone(board_text(), game.seats, game.edition, game.options), rng
    for _ in range(5):
        facts = random_position(rng, game)
        yield (
            game.position(facts),
            krone.Krone.from_facts(board_text(), facts, game.edition, game.options),
            rng,
        )


def tries(position, rng: Random) -> Iterator[tuple[str, str]]:
    """Some actions of the roles that decide, equally many of each kind, mostly illegal."""
    ruleset = position.ruleset
    for role, decision in position.decisions.items():
        kinds = [k for k in ruleset.book.kinds if label(k.decision) == decision.partition("(")[0]]
        for kind in rng.sample(kinds, min(6, len(kinds))):
            known = ruleset.remember(("tries", kind.index), lambda k=kind: kind_actions(ruleset, k))
            if known:
                yield role, symbols.text(rng.choice(known))


def follow(position, oracle, rng: Random) -> None:
    """Continues at random and compares facts, legal actions and results."""
    random_game = krone.random_game if isinstance(oracle, krone.Krone) else kaiser.random_game
    for facts, legal, chosen in random_game(oracle, rng, 400):
        assert position.facts == facts
        assert position.legal() == legal
        for role, action in tries(position, rng):
            assert position.is_legal(role, action) == (action in legal.get(role, ()))
        position = position.apply(chosen)
    assert position.facts == oracle.facts()
    result, expected = position.result(), oracle.result()
    assert (result and (dict(result.points), result.winners)) == expected


def test_thirty_mutants_change_one_rule_each(tmp_path: Path) -> None:
    assert len(MUTANTS) == 30
    assert len({(m.game, m.name) for m in MUTANTS}) == 30
    for number, mutant in enumerate(MUTANTS):
        mutant.write(tmp_path / str(number))
    assert sum(m.seen for m in MUTANTS) >= LEAST_BY_PROOF * len(MUTANTS)


@pytest.mark.long
@pytest.mark.parametrize("mutant", [m for m in MUTANTS if m.seen], ids=lambda m: f"{m.game}: {m.name}")
def test_prove_notices_mutants(mutant: Mutant, tmp_path: Path) -> None:
    assert noticed(mutant, tmp_path)


@pytest.mark.long
def test_games_notice_nearly_all_mutants(tmp_path: Path) -> None:
    found = [games_differ(mutant, tmp_path / str(k)) for k, mutant in enumerate(MUTANTS)]
    assert sum(found) >= LEAST_BY_TESTS * len(MUTANTS)


@pytest.mark.long
@pytest.mark.parametrize("mutant", [MUTANTS[0], MUTANTS[5]], ids=lambda m: m.game)
def test_unchanged_rulebooks_do_not_differ(mutant: Mutant, tmp_path: Path) -> None:
    assert not games_differ(replace(mutant, new=mutant.old), tmp_path, games=1)
