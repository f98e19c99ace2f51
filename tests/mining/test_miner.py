"""The whole miner: its invariants are true, reproducible, and include those that the game lacks."""

import time
from pathlib import Path

import pytest
from support.heap_game import SCORED, variant
from support.limits import NO_END
from support.mined import TAGGED, game, positions
from support.rulebook_cases import entries

from kaiser_logic.errors import NotDecided
from kaiser_logic.evaluation.evaluator import Evaluator
from kaiser_logic.game import Game, load
from kaiser_logic.linting.lint import lint
from kaiser_logic.mining import miner
from kaiser_logic.mining.candidates import Facts
from kaiser_logic.mining.miner import Miner, Verdict, paste_invariants, prove_proposals, starts
from kaiser_logic.mining.writing import InvariantReport, ProposedInvariant
from kaiser_logic.rules.loader import parse_rules
from kaiser_logic.solving.rounds import Rounds


def bodies(report: InvariantReport) -> set[str]:
    """The bodies of the rules of the proposed invariants."""
    return {rule.partition(" :- ")[2].rstrip(".") for i in report.invariants for rule in i.rules}


def broken(made: Game, report: InvariantReport, facts: list[Facts]) -> set[str]:
    """The proposed invariants that positions break, evaluated from the printed lines."""
    evaluator = Evaluator(made.ruleset.with_rules((*made.book.rules, *parse_rules(report.lines))))
    found = {i for position in facts for i, _ in evaluator.broken_invariants(position, waive=False)}
    return found & {i.id for i in report.invariants}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["nim", "bank", "urn"])
def test_proposed_invariants_are_true(name):
    """By brute force over all reachable positions."""
    report = Miner(game(name).evaluator).run(jobs=1)
    assert report.invariants
    assert broken(game(name), report, list(positions(name))) == set()
    assert report.candidates > report.unbroken > report.new >= report.inductive >= len(report.invariants)


@pytest.mark.slow
def test_invariants_do_not_depend_on_the_number_of_processes():
    runs = [game("nim").invariants(games=8, seed=3, jobs=jobs) for jobs in (1, 2)]
    assert runs[0] == runs[1]


@pytest.mark.slow
def test_accepted_invariants_are_not_proposed_again(tmp_path):
    folder = variant(tmp_path, {})
    made = load(folder)
    first = made.invariants(jobs=1)
    assert first.invariants
    last = folder / "invariants.lp"
    last.write_text(paste_invariants(last.read_text(encoding="utf-8"), first.invariants), encoding="utf-8")
    assert lint(folder) == ()
    second = load(folder.rename(tmp_path / "second"))
    assert set(second.book.docs) >= {i.id for i in first.invariants}
    assert second.invariants(jobs=1).invariants == ()


@pytest.mark.slow
def test_unlimited_points_are_left_out(tmp_path):
    three = {"init(phase(play)).": "init(phase(play)).\nscore(R,1,three) :- does(R,take(3))."}
    report = load(variant(tmp_path, {**SCORED, **three})).invariants(jobs=1)
    assert report.invariants
    assert not any("points" in body for body in bodies(report))


@pytest.mark.slow
def test_false_invariants_of_the_game_decide_nothing(tmp_path):
    wrong = {
        "broken(heap_stated,x)  :- not heap(_).": "broken(heap_stated,x)  :- not heap(_).\n"
        "%! invariant never_five -- The heap never has five.\nbroken(never_five,x) :- heap(5)."
    }
    with pytest.raises(NotDecided, match="never_five"):
        load(variant(tmp_path, wrong)).invariants(jobs=1)


@pytest.mark.slow
def test_the_last_check_catches_faults_of_the_search(monkeypatch):
    """Even if every unbroken candidate is taken for inductive, only true ones are printed."""
    monkeypatch.setattr(miner.InductiveSet, "largest", lambda _, names: set(names))
    report = game("nim").invariants(games=2, jobs=1)
    assert broken(game("nim"), report, list(positions("nim"))) == set()


def test_timeout_decides_nothing():
    with pytest.raises(NotDecided, match="too short"):
        game("nim").invariants(timeout=0.001)


# Starts of a game: one for each value of its start tags, if only the start depends on them.
def test_a_game_without_tags_has_one_start():
    assert starts(game("nim").ruleset) == ((game("nim").configuration,), "the start")


def test_each_value_of_a_tag_has_a_start(tmp_path):
    made = load(variant(tmp_path, TAGGED), players=3)
    found, covered = starts(made.ruleset)
    assert covered == "every start (First)"
    assert found[0] == made.configuration
    assert {c.start for c in found} == {(("first", (role,)),) for role in ("red", "green", "blue")}


def test_tags_used_by_other_rules_keep_their_value(tmp_path):
    later = {"heap(N), not holds_at_least(K).": "heap(N), not holds_at_least(K), not start(first,R)."}
    found, covered = starts(load(variant(tmp_path, {**TAGGED, **later})).ruleset)
    assert (len(found), covered) == (1, "the start with first red only")


def test_tags_used_by_declarations_keep_their_value(tmp_path):
    later = {"amount(1..3).": "amount(1..3).\nsimultaneous(take) :- start(first,R), seat(R,3)."}
    assert len(starts(load(variant(tmp_path, {**TAGGED, **later}), players=3).ruleset)[0]) == 1


@pytest.mark.parametrize("entry", entries(Path(__file__).with_name("starts.cases")), ids=lambda entry: entry.head)
def test_starts_that_break_assumptions_are_left_out(entry, tmp_path):
    """Invariants were once said to hold ever after such a start, although proofs assume what it breaks."""
    made = load(variant(tmp_path, {**TAGGED, **entry.lines}))
    found, covered = starts(made.ruleset)
    assert (found, covered) == ((made.configuration,), "the start with first red only")


# The last check: invariants are proved from the lines that are printed, or nothing is proposed.
def proposal(name: str, body: str, witness: str = "x") -> ProposedInvariant:
    return ProposedInvariant(name, "This holds.", "this does not hold", (f"broken({name},{witness}) :- {body}.",))


TRUE = proposal("taker_has_some", "took(X), not taken(X,_)", "X")
FALSE = proposal("never_two", "heap(2)")


def verdict(made: Game, *proposals: ProposedInvariant, timeout: float = NO_END) -> Verdict:
    return prove_proposals(made.ruleset, starts(made.ruleset)[0], proposals, time.monotonic() + timeout, 1)


@pytest.mark.slow
def test_false_invariants_are_refused():
    assert verdict(game("nim"), FALSE).refused == {"never_two"}


@pytest.mark.slow
def test_false_invariants_are_not_assumed_for_others():
    found = verdict(game("nim"), TRUE, FALSE)
    assert "never_two" in found.refused


def test_invariants_must_hold_at_every_start(tmp_path, monkeypatch):
    """The prover, which knows only the configured start, is not called."""
    monkeypatch.setattr(Rounds, "run", lambda *_: pytest.fail("this falls at a start"))
    made = load(variant(tmp_path, TAGGED))
    assert len(starts(made.ruleset)[0]) == 2
    only = proposal("the_first_begins", "heap(12), not took(_), decision(R,take), not first(R)", "R")
    assert "the_first_begins" not in {i for i, _ in made.evaluator.broken_invariants(made.evaluator.initial())}
    assert verdict(made, only).refused == {"the_first_begins"}


def test_faulty_lines_decide_nothing():
    with pytest.raises(NotDecided, match="no part of a rulebook"):
        verdict(game("nim"), proposal("typing", "heep(2)"))


def test_pasted_lines_pass_lint(tmp_path):
    folder = variant(tmp_path, {})
    last = folder / "invariants.lp"
    text = paste_invariants(last.read_text(encoding="utf-8"), [TRUE])
    assert text.endswith("broken(taker_has_some,X) :- took(X), not taken(X,_).\n")
    last.write_text(text, encoding="utf-8")
    assert lint(folder) == ()
