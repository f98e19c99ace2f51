"""``prove``, claim by claim, against brute force over all valid positions: tiny games and their mutants."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from support.edits import facts_of, split
from support.exhaustive import after, choices, is_due
from support.judge import Judge, stratified
from support.mutants import NAMES, TINY, Text, mutant, original, write

from kaiser_logic.errors import FaultyRulebook
from kaiser_logic.evaluation.evaluator import Evaluator
from kaiser_logic.game import Game, load
from kaiser_logic.solving.report import Proof

pytestmark = pytest.mark.slow

MUTANTS = 24
"""So many of each tiny game."""
BANS = 6
"""So many facts are conditions of a further ban."""
WRONG = {("proved", "broken"), ("falls", "kept")}


@pytest.mark.parametrize("name", NAMES)
def test_the_tiny_games_are_sound(name: str) -> None:
    game = load(TINY / name)
    judge = Judge(game)
    report = game.prove(jobs=1)
    assert report.proved
    assert {p.claim: judge.verdict(p.claim) for p in report.proofs} == {
        p.claim: "kept" for p in report.proofs
    }


@pytest.mark.parametrize("name", NAMES)
def test_what_is_said_of_mutants_is_true(name: str, tmp_path: Path, scale: int, tally: Counter[str]) -> None:
    first, wrong, seen = NAMES.index(name), [], Counter[str]()
    for seed in range(first, first + MUTANTS * scale * len(NAMES), len(NAMES)):
        text = mutant(seed, tmp_path / str(seed))
        found = _judged(tmp_path / str(seed))
        if found is None:
            seen["mutants without rules that can be read"] += 1
            continue
        game, judge = found
        seen["mutants"] += 1
        report = game.prove(jobs=1)
        verdicts = {p.claim: judge.verdict(p.claim) for p in report.proofs if judge.knows(p.claim)}
        sound = set(verdicts.values()) == {"kept"}
        seen["claims of sound mutants"] += len(verdicts) if sound else 0
        seen["claims of sound mutants undecided"] += sound * sum(
            p.status == "undecided" for p in report.proofs
        )
        seen.update(f"claims {p.status}" for p in report.proofs)
        seen.update(f"claims truly {verdict}" for verdict in verdicts.values())
        lies = [
            f"{p.claim}: {p.status}, {verdicts.get(p.claim)} by brute force"
            for p in report.proofs
            if (p.status, verdicts.get(p.claim)) in WRONG and not _fallen_in_play(p)
        ]
        proved = {p.claim for p in report.proofs if p.status == "proved"}
        if proved and report.unproved:  # what is proved needs nothing else
            alone = Judge(
                Game(Evaluator(game.ruleset.dropping(report.unproved))), exclusive="exclusive" in proved
            )
            seen["claims proved without some that are not"] += len(proved)
            lies += [
                f"{claim}: proved, broken from a position that meets what is proved"
                for claim in sorted(proved)
                if alone.knows(claim) and alone.verdict(claim) == "broken"
            ]
        lies += [
            f"{claim}: proved, broken in a random game"
            for claim in sorted(proved & _broken_in_play(game, seed))
        ]
        if lies:
            wrong.append(_told(seed, text, lies))
    tally.update(seen)
    assert not wrong, f"{len(wrong)} of {seen['mutants']} mutants\n" + "\n".join(wrong)
    assert seen["mutants"] >= 0.7 * MUTANTS * scale
    assert seen["claims truly broken"] >= MUTANTS * scale / 2
    assert seen["claims of sound mutants undecided"] <= 0.3 * seen["claims of sound mutants"]


@pytest.mark.parametrize("name", NAMES)
def test_nobody_is_said_never_to_be_stuck_who_is(name: str, tmp_path: Path, tally: Counter[str]) -> None:
    """Mutants of what offers and forbids actions, and of when decisions may be pending; the game around them stays."""
    wrong, seen = [], Counter[str]()
    for number, text in enumerate(_stuck_mutants(name)):
        write(text, tmp_path / str(number))
        found = _judged(tmp_path / str(number))
        if found is None:
            continue
        game, judge = found
        for proof in game.prove(jobs=1).proofs:
            verdict = (
                judge.verdict(proof.claim) if proof.kind == "stuck" and judge.knows(proof.claim) else None
            )
            seen[f"decisions {verdict}, {proof.status}"] += verdict is not None
            if (proof.status, verdict) in WRONG:
                wrong.append(_told(number, text, [f"{proof.claim}: {proof.status}, {verdict}"]))
    tally.update(seen)
    assert not wrong, "\n".join(wrong)
    assert any(seen[f"decisions broken, {status}"] for status in ("falls", "undecided"))


BAN = ("%! rule more -- More is forbidden.", "%!   why       it is", "%!   standard  Nowhere")


def _stuck_mutants(name: str) -> Iterator[Text]:
    """Of a tiny game: without an offer, with decisions in more positions, with less known of these, with a further ban."""

    def fresh() -> Text:
        return original(name, Random(name))

    for line in fresh().rules:
        text = fresh()
        head, _, body = text.lines[line].rstrip(".").partition(" :- ")
        parts = split(body)
        if head.startswith(("candidate(", "broken(")):
            text.replace(line)
            yield text
        if head.startswith(("may_decide(", "violates(", "add(decision(")):
            for k in range(1, len(parts)):
                text = fresh()
                text.replace(line, f"{head.strip()} :- {', '.join(parts[:k] + parts[k + 1 :])}.")
                yield text
    for fact in Random(name).sample(facts_of(fresh()), BANS):
        for condition in (fact, f"not {fact}"):
            text = fresh()
            text.append(*BAN, f'violates(R,A,"more") :- candidate(R,A), {condition}.')
            yield text


def _fallen_in_play(proof: Proof) -> bool:
    """Whether a game breaks a claim, be it from a position that breaks another one already."""
    return proof.status == "falls" and any(
        e.origin is not None and e.origin.verdict == "reachable" for e in proof.counterexamples
    )


def _judged(folder: Path) -> tuple[Game, Judge] | None:
    """The mutant with its judge; None where its rules are unsafe, have a name without a heading, or are not stratified."""
    try:
        game = load(folder)
        if not stratified(game):
            return None
        return game, Judge(game)
    except (FaultyRulebook, RuntimeError):
        return None


def _broken_in_play(game: Game, seed: int) -> set[str]:
    """The invariants that a random game breaks."""
    random, evaluator = Random(seed), game.evaluator
    facts = evaluator.initial()
    broken = {i for i, _ in evaluator.broken(facts, waive=False)}
    for _ in range(12):
        if broken:
            break
        if is_due(facts):
            facts = evaluator.step(facts)
        else:
            ways = [
                then
                for chosen in choices(evaluator, facts)
                if (then := after(evaluator, facts, chosen)) is not None
            ]
            if not ways:
                break
            facts = random.choice(sorted(ways, key=lambda then: sorted(map(str, then))))
        broken = {i for i, _ in evaluator.broken(facts, waive=False)}
    return broken


def _told(seed: int, text: Text, lies: list[str]) -> str:
    """What it takes to see it again."""
    return "\n".join(
        [f"mutant {seed} of {text.name}", *(f"    {d}" for d in text.done), *(f"  ! {lie}" for lie in lies)]
    )
