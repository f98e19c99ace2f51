"""``prove`` agrees with brute force over all valid positions about each claim of tiny games and of their mutants."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from support import NAMES, TINY
from support.edits import facts_of
from support.exhaustive import after, choices, is_due
from support.judge import Judge, stratified
from support.mutants import Text, mutant, original, write
from support.spellings import parts

from kaiser_logic.errors import FaultyRulebook
from kaiser_logic.evaluation.evaluator import Evaluator
from kaiser_logic.game import Game, load
from kaiser_logic.solving.report import Proof, ProofReport

pytestmark = pytest.mark.slow

MUTANTS = 8
"""The number of mutants of each tiny game."""
BANS = 3
"""The number of facts that are conditions of a further rule that forbids actions."""
STUCK = 12
"""The largest number of variants of each tiny game in which somebody may have no legal action."""
WRONG = {("proved", "broken"), ("falls", "kept")}
"""Pairs of a verdict and the truth that contradict each other."""


@pytest.mark.parametrize("name", NAMES)
def test_all_claims_of_the_tiny_games_are_proved_and_true(name):
    game = load(TINY / name)
    judge = Judge(game)
    report = game.prove(jobs=1)
    assert report.proved
    assert {p.claim: judge.verdict(p.claim) for p in report.proofs} == {p.claim: "kept" for p in report.proofs}


@pytest.mark.parametrize("name", [*NAMES[::2], *(pytest.param(n, marks=pytest.mark.by_hand) for n in NAMES[1::2])])
def test_the_verdicts_about_mutants_are_true(name, tmp_path, scale, tally):
    wrong, seen = [], Counter[str]()
    for seed in range(MUTANTS * scale):
        text = mutant(name, seed, tmp_path / str(seed))
        game = _readable(tmp_path / str(seed))
        if game is None:
            seen["mutants without rules that can be read"] += 1
            continue
        seen["mutants"] += 1
        report = game.prove(jobs=1)
        judge = _judge(game, report)
        verdicts = {p.claim: judge.verdict(p.claim) for p in report.proofs if judge.knows(p.claim)}
        sound = set(verdicts.values()) == {"kept"}
        seen["claims of sound mutants"] += len(verdicts) if sound else 0
        seen["claims of sound mutants undecided"] += sound * sum(p.status == "undecided" for p in report.proofs)
        seen.update(f"claims {p.status}" for p in report.proofs)
        seen.update(f"claims truly {verdict}" for verdict in verdicts.values())
        faults = [
            f"{p.claim}: {p.status}, {verdicts.get(p.claim)} by brute force"
            for p in report.proofs
            if (p.status, verdicts.get(p.claim)) in WRONG and not _fallen_in_play(p)
        ]
        proved = {p.claim for p in report.proofs if p.status == "proved"}
        if proved and report.unproved:  # a proof must not rest on claims that are not proved
            alone = _judge(Game(Evaluator(game.ruleset.dropping(report.unproved))), report)
            seen["claims proved without some that are not"] += len(proved)
            faults += [
                f"{claim}: proved, broken from a position that meets what is proved"
                for claim in sorted(proved)
                if alone.knows(claim) and alone.verdict(claim) == "broken"
            ]
        faults += [
            f"{claim}: proved, broken in a random game" for claim in sorted(proved & _broken_in_play(game, seed))
        ]
        if faults:
            wrong.append(_described(seed, text, faults))
    tally.update(seen)
    assert not wrong, f"{len(wrong)} of {seen['mutants']} mutants\n" + "\n".join(wrong)
    assert seen["mutants"] >= 0.6 * MUTANTS * scale
    assert seen["claims truly broken"] >= MUTANTS * scale / 2
    assert seen["claims of sound mutants undecided"] <= 0.3 * seen["claims of sound mutants"]


@pytest.mark.parametrize("name", [*NAMES[::2], *(pytest.param(n, marks=pytest.mark.by_hand) for n in NAMES[1::2])])
def test_no_decision_without_legal_actions_is_overlooked(name, tmp_path, scale, tally):
    """Mutants of the rules that offer and forbid actions, and of the positions in which decisions may be pending."""
    wrong, seen = [], Counter[str]()
    mutants = list(_stuck_mutants(name))
    for number, text in enumerate(Random(name).sample(mutants, min(len(mutants), STUCK * scale))):
        write(text, tmp_path / str(number))
        game = _readable(tmp_path / str(number))
        if game is None:
            continue
        report = game.prove(jobs=1)
        judge = _judge(game, report)
        for proof in report.proofs:
            verdict = judge.verdict(proof.claim) if proof.kind == "stuck" and judge.knows(proof.claim) else None
            seen[f"decisions {verdict}, {proof.status}"] += verdict is not None
            if (proof.status, verdict) in WRONG:
                wrong.append(_described(number, text, [f"{proof.claim}: {proof.status}, {verdict}"]))
    tally.update(seen)
    assert not wrong, "\n".join(wrong)
    assert any(seen[f"decisions broken, {status}"] for status in ("falls", "undecided"))


BAN = ("%! rule more -- More is forbidden.", "%!   why       it is", "%!   standard  Nowhere")


def _stuck_mutants(name: str) -> Iterator[Text]:
    """Variants of a tiny game without an offer or an invariant, with fewer conditions, or with a further forbidding rule."""

    def fresh() -> Text:
        return original(name, Random(name))

    for line in fresh().rules:
        text = fresh()
        head, _, body = text.lines[line].rstrip(".").partition(" :- ")
        pieces = parts(body)
        if head.startswith(("candidate(", "broken(")):
            text.replace(line)
            yield text
        if head.startswith(("may_decide(", "violates(", "add(decision(")):
            for k in range(1, len(pieces)):
                text = fresh()
                text.replace(line, f"{head.strip()} :- {', '.join(pieces[:k] + pieces[k + 1 :])}.")
                yield text
    for fact in Random(name).sample(facts_of(fresh()), BANS):
        for condition in (fact, f"not {fact}"):
            text = fresh()
            text.append(*BAN, f'violates(R,A,"more") :- candidate(R,A), {condition}.')
            yield text


def _fallen_in_play(proof: Proof) -> bool:
    """Whether a game breaks the claim, perhaps after it has broken another one."""
    return proof.status == "falls" and any(
        e.origin is not None and e.origin.verdict == "reachable" for e in proof.counterexamples
    )


def _readable(folder: Path) -> Game | None:
    """The mutant. None if its rules are unsafe or not stratified, or lack a heading."""
    try:
        game = load(folder)
        return game if stratified(game) and Judge(game) else None
    except (FaultyRulebook, RuntimeError):
        return None


def _judge(game: Game, report: ProofReport) -> Judge:
    """The truth about the positions that proofs cover. They rest on ``exclusive`` if it is proved."""
    proved = {p.claim for p in report.proofs if p.status == "proved"}
    return Judge(game, exclusive="exclusive" in proved)


def _broken_in_play(game: Game, seed: int) -> set[str]:
    """The invariants that a random game breaks."""
    random, evaluator = Random(seed), game.evaluator
    facts = evaluator.initial()
    broken = {i for i, _ in evaluator.broken_invariants(facts, waive=False)}
    for _ in range(12):
        if broken:
            break
        if is_due(facts):
            facts = evaluator.step(facts)
        else:
            following = [
                then for chosen in choices(evaluator, facts) if (then := after(evaluator, facts, chosen)) is not None
            ]
            if not following:
                break
            facts = random.choice(sorted(following, key=lambda then: sorted(map(str, then))))
        broken = {i for i, _ in evaluator.broken_invariants(facts, waive=False)}
    return broken


def _described(seed: int, text: Text, faults: list[str]) -> str:
    """The faults of a mutant, with the edits that reproduce it."""
    return "\n".join(
        [f"mutant {seed} of {text.name}", *(f"    {d}" for d in text.done), *(f"  ! {fault}" for fault in faults)]
    )
