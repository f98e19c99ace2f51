"""The commands verify and prove --certify, on a tiny game."""

import json
import shutil

import pytest
from support import SUPPORT, TINY
from support.heap_game import small_rulebook

from kaiser_logic.checker.verify import CheckReport, ClaimVerdict, Example
from kaiser_logic.claims import prove as proving
from kaiser_logic.cli.verify import checked_alone, disagreements
from kaiser_logic.game import load
from kaiser_logic.solving.report import Counterexample, Proof, ProofReport

pytest.importorskip("pysat")

NIM = TINY / "nim"
OTHERS = "del(took(Q))                 :- does(R,take(_)), took(Q), Q != R.\n"
"""The rule without which two players have taken last."""


def test_a_disagreement_is_reported():
    game = load(NIM)
    report = CheckReport(None, [ClaimVerdict("played_out", "")])
    facts = tuple(map(str, game.initial().facts))
    fallen = Proof("played_out", "")
    fallen.falls(Counterexample("take at take", facts, replayed=True))
    assert len(disagreements(game, report, ProofReport([fallen], []))) == 1
    fallen.counterexamples = [Counterexample("take at take", facts, replayed=False)]
    assert disagreements(game, report, ProofReport([fallen], [])) == []
    report.verdicts[0].fails("it can be broken", Example("take at take", (*facts, "due(pass_on)")))  # a step is due
    proved = [Proof("played_out", ""), Proof("vocabulary", "")]
    assert len(disagreements(game, report, ProofReport(proved, []))) == 1


def test_a_claim_that_the_checker_alone_decides_is_named():
    report = CheckReport(None, [ClaimVerdict("open", ""), ClaimVerdict("proved", ""), ClaimVerdict("lost", "")])
    report.verdicts[2].fails("it is not shown")
    proofs = [Proof(name, "") for name in ("open", "proved", "lost")]
    proofs[0].stays_open("late")
    proofs[2].stays_open("late")
    assert checked_alone(report, ProofReport(proofs, [])) == ["open"]


def wrong_about(claim: str, *examples: Counterexample) -> ProofReport:
    """What a prover says that is wrong: that a claim is proved, or falls by these counterexamples."""
    proof = Proof(claim, "")
    for example in examples:
        proof.falls(example)
    return ProofReport([proof], [])


@pytest.mark.sample(2)
@pytest.mark.parametrize("certify", [False, True])
def test_a_disagreement_is_printed_both_ways_and_fails(run, tmp_path, monkeypatch, certify):
    """A prover that is wrong: it breaks a claim that is checked, or proves one of which the checker has a counterexample."""
    shutil.copytree(NIM, tmp_path / "nim")
    arguments = ["prove", "--replace", "--certify", str(tmp_path / "made")] if certify else ["verify", "--jobs", "1"]
    facts = tuple(map(str, load(NIM).initial().facts))
    proofs = [wrong_about("one_taker"), wrong_about("one_taker", Counterexample("take at take", facts, replayed=True))]
    proofs[-1].proofs.append(late := Proof("one_phase", ""))  # assumed like the rest
    late.stays_open("late")
    proofs[-1].unproved = {"one_phase": "undecided"}
    monkeypatch.setattr(proving, "prove", lambda *_, **__: proofs.pop())
    outcome = run(*arguments, str(tmp_path / "nim"))
    assert outcome.code == 1
    said = outcome.err if certify else outcome.out
    assert "DISAGREEMENT: one_taker is checked, but the prover has a counterexample" in said
    assert ("a verdict of the prover: decision_fits" if certify else "one_phase is checked, but the prover") in said

    rules = tmp_path / "nim" / "rules.lp"
    rules.write_text(rules.read_text(encoding="utf-8").replace(OTHERS, ""), encoding="utf-8")
    outcome = run(*arguments, str(tmp_path / "nim"))
    assert outcome.code == (3 if certify else 1)
    said = outcome.err if certify else outcome.out
    assert "DISAGREEMENT: one_taker is proved by the prover, but the checker has a counterexample" in said


def test_no_line_of_a_certificate_looks_like_several_ones(run, tmp_path):
    run("prove", str(NIM), "--certify", str(tmp_path))
    path = tmp_path / "certificate.json"
    found = json.loads(path.read_text(encoding="utf-8"))
    found |= {"game": "nim\nlow  checked", "seats": ["red\nlow  checked"], "dropped": ["x\nlow  checked"]}
    path.write_text(json.dumps(found), encoding="utf-8")
    said = run("verify", str(tmp_path), "--rulebook", str(NIM)).out
    assert not any(line.startswith("low") for line in said.splitlines())
    shutil.copytree(NIM, tmp_path / "n\u0456m")  # with a Cyrillic letter
    path.write_text(json.dumps(found | {"game": str(tmp_path / "n\u0456m")}), encoding="utf-8")
    assert r"/n\u0456m'" in run("verify", str(tmp_path)).out
    shutil.copy(path, tmp_path / "n\u0456m")
    assert "holds a rulebook and a certificate" in run("verify", str(tmp_path / "n\u0456m")).err


def test_nothing_is_checked_of_a_game_with_a_board_file(run, tmp_path):
    """The rules for the board were left out, and what it breaks was called checked."""
    shutil.copytree(NIM, tmp_path / "nim")
    with (tmp_path / "nim" / "rules.lp").open("a", encoding="utf-8") as rules:
        rules.write("board_fact(all). add(took(R)) :- made(_,take), player(R), board(all).\n")
    (tmp_path / "board").write_text("all.\n", encoding="utf-8")
    outcome = run("verify", str(tmp_path / "nim"), "--alone", "--board", str(tmp_path / "board"))
    assert (outcome.code, "not checked: board files are not covered" in outcome.out) == (1, True)
    assert "0 of 0 claims checked" in outcome.out


def test_what_a_certificate_says_of_nothing_here_is_a_fault(run, tmp_path):
    run("prove", str(NIM), "--certify", str(tmp_path))
    path = tmp_path / "certificate.json"
    assert run("verify", str(tmp_path), "--rulebook", str(NIM)).code == 0
    found = json.loads(path.read_text(encoding="utf-8"))
    proofs = [*found["proofs"], {**found["proofs"][0], "question": "win at once"}]
    for change, fault in (
        ({"proofs": proofs}, "there is no question 'win at once'"),
        ({"clingo": "5.4"}, "clingo 5.4"),
        ({"dropped": ["count"]}, "there is no invariant 'count'"),
    ):
        path.write_text(json.dumps(found | change), encoding="utf-8")
        outcome = run("verify", str(tmp_path), "--rulebook", str(NIM))
        assert (outcome.code, f"fault: {fault}" in outcome.err) == (1, True)
    assert "--claim does not go with" in run("verify", str(tmp_path), "--claim", "never heap(0)").err
    path.write_text(f'{path.read_text(encoding="utf-8").rstrip()[:-1]}, "seats": []}}', encoding="utf-8")
    assert "'seats' stands twice" in run("verify", str(tmp_path)).err


def test_a_decision_that_several_have_undeclared_is_named_and_no_disagreement(tmp_path):
    """The prover treats it as simultaneous, and says so; the checker goes by what is declared for two players."""
    folder = small_rulebook(tmp_path, "offers", (SUPPORT / "offers.lp").read_text(encoding="utf-8"))
    manifest = (folder / "game.toml").read_text(encoding="utf-8")
    (folder / "game.toml").write_text(manifest.replace(', "decisions", "end"', ""), encoding="utf-8")
    proofs = (game := load(folder)).prove(["exclusive"], jobs=1)
    assert "Several roles may have the decision offer at once" in " ".join(proofs.given)
    verdict = ClaimVerdict("exclusive", "")
    verdict.fails("the first position breaks it", Example("start", ()))
    report = CheckReport(None, [verdict])
    assert [p.status for p in proofs.proofs] == ["proved"]
    assert disagreements(game, report, proofs) == []
    assert disagreements(game, report, ProofReport(proofs.proofs, [])) != []
