"""Jobs run here or on other machines: the answers are the same, even if workers die."""

import os
import pickle
import signal
import time
from functools import partial
from pathlib import Path

import pytest
from support.opened import heap

from kaiser_logic.claims.parse import parse_claims
from kaiser_logic.claims.prove import prove
from kaiser_logic.engine.ruleset import unpickle_ruleset
from kaiser_logic.game import load
from kaiser_logic.rules.loader import claims_of
from kaiser_logic.solving.report import ProofReport
from kaiser_logic.workers import OUT_OF_MEMORY, TIMEOUT, Job, JobRefused, job_answers

ROOT = Path(__file__).parents[2]
TINY = Path(__file__).parents[1] / "support" / "tiny"

pytestmark = pytest.mark.filterwarnings("ignore")


def large() -> int:
    return len(bytearray(2**34))


def test_rulesets_survive_pickling():
    """Rules that were added, and are in no file, are sent too, with their places."""
    book = load("krone", players=2).ruleset
    claims, _ = claims_of(book.book)
    wider = book.with_rules((*book.book.rules, *claims))
    for rules in (book, wider):
        again = pickle.loads(pickle.dumps(rules))
        assert [r.text for r in again.rules] == [r.text for r in rules.rules]
        assert [(r.file, r.line, r.block) for r in again.rules] == [
            (r.file, r.line, r.block) for r in rules.rules
        ]
        assert pickle.loads(pickle.dumps(rules)) is again, "the second copy is the first one"
    assert len(wider.rules) > len(book.rules)


def test_other_rules_are_refused():
    rules = heap().ruleset
    assert unpickle_ruleset(rules.configuration, None, rules.mark).mark == rules.mark
    with pytest.raises(JobRefused, match="other rulebooks"):
        unpickle_ruleset(rules.configuration, None, rules.with_rules(rules.book.rules[1:]).mark)


@pytest.mark.long
def test_limits_hold_on_a_cluster(address):
    jobs = [
        Job("long", partial(time.sleep, 600)),
        Job("large", large),
        Job("wrong", partial(int, "x")),
        Job("right", partial(pow, 3, 2)),
    ]
    found = {a.name: a for a in job_answers(jobs, None, time.monotonic() + 15, address)}
    assert found["right"].value == 9
    assert found["long"].failure == TIMEOUT
    assert found["large"].failure == OUT_OF_MEMORY
    assert "invalid literal" in str(found["wrong"].failure)


class Killer:
    """Kills a worker of a cluster at the first report of progress."""

    def __init__(self, address: str) -> None:
        from distributed import Client

        with Client(address, set_as_default=False) as client:
            self._worker = min(client.run(os.getpid).values())
        self.done = False

    def __call__(self, _: str) -> None:
        if not self.done:
            self.done = True
            os.kill(self._worker, signal.SIGKILL)


def verdicts(report: ProofReport) -> list[object]:
    return [
        (p.claim, p.status, p.statement, p.notes, [(e.transition, e.replayed) for e in p.counterexamples])
        for p in report.proofs
    ]


CLAIMS = ["never heap(N), N > 12", "never heap(11), took(red), decision(red,take)", "never taken(green,2)"]


@pytest.mark.long
def test_proofs_survive_the_loss_of_a_worker(address):
    game, killer = heap(), Killer(address)
    claims = parse_claims(CLAIMS, (), game.book)
    here = prove(game.evaluator, claims=claims, workers=1)
    there = prove(game.evaluator, claims=claims, progress=killer, scheduler=address)
    assert killer.done
    assert verdicts(there) == verdicts(here)
