"""Certificates are checked, and refused where anything is not as it was."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support.proofs import report_on

import kaiser_logic as kl
from kaiser_logic.certificates.completion import Completion
from kaiser_logic.certificates.files import (
    MANIFEST,
    Manifest,
    clauses_of,
    heading,
    pack,
    read_manifest,
    rule_files,
    unpack,
)
from kaiser_logic.certificates.verify import _STATED, Verdict, check, missing, start, stated, verify
from kaiser_logic.certificates.write import covered, questions, settings_of, write
from kaiser_logic.lang.printer import show_term
from kaiser_logic.rules.library import asp_folder, folder_of
from kaiser_logic.rules.rulebook import ENGINE_DOCS
from kaiser_logic.solving import rounds
from kaiser_logic.solving.questions import Setting
from kaiser_logic.solving.report import Proof, ProofReport

pytest.importorskip("pysat")

HEAP = Path(__file__).parents[1] / "support" / "heap"


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of certificates, and the rulebook beside it."""
    place = tmp_path_factory.mktemp("certificates")
    shutil.copytree(HEAP, place / "heap")
    game = kl.load(place / "heap")
    write(game.ruleset, report_on(game), place / "made", workers=1)
    return place


@pytest.fixture
def place(written: Path, tmp_path: Path) -> Iterator[Path]:
    """The same, to be changed."""
    shutil.copytree(written, tmp_path / "copy")
    yield tmp_path / "copy"


def verdict(place: Path) -> Verdict:
    """What is found of it."""
    return verify(place / "made", place / "heap", asp_folder() / "engine", workers=1)


def changed(path: Path, change: Callable[[list[str]], list[str]]) -> None:
    """Changes the lines of a packed file."""
    before = unpack(path)
    after = change([*before])
    assert after != before
    pack(path, after)


@pytest.mark.slow
def test_all_claims_have_certificates(written: Path) -> None:
    found = verdict(written)
    assert not found.faults
    assert not found.given
    assert set(found.checked) == {p.claim for p in report_on(kl.load(HEAP)).proofs}
    assert not found.manifest.left
    assert found.steps > 100


def test_a_clause_that_is_not_in_the_program(place: Path) -> None:
    def flip(lines: list[str]) -> list[str]:
        return [*lines[:-1], " ".join(str(-int(x)) for x in lines[-1].split())]

    changed(place / "made" / "q0-0.cnf.xz", flip)
    assert any("a clause does not follow from the program" in fault for fault in verdict(place).faults)


def test_a_step_that_does_not_follow(place: Path) -> None:
    changed(place / "made" / "q0-0.lrat.xz", lambda lines: [*lines[:-3], *lines[-2:]])
    found = verdict(place)
    assert any("does not follow" in fault for fault in found.faults)
    assert "count" not in found.checked
    assert "legal action at take" in found.checked


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", ["q0.lp.xz", "q0-0.cnf.xz", "q1-0.lrat.xz", "rules.lp.xz"])
def test_a_file_that_is_missing_or_damaged(place: Path, name: str) -> None:
    path = place / "made" / name
    path.write_bytes(path.read_bytes()[:-9])
    assert any(name in fault for fault in verdict(place).faults)
    path.unlink()
    assert any(name in fault for fault in verdict(place).faults)


def test_another_program(place: Path) -> None:
    """Without the rules of a claim there is nothing to break it, but other rules number the atoms otherwise."""
    changed(place / "made" / "q0.lp.xz", lambda lines: [x for x in lines if not x.startswith("add(")])
    assert verdict(place).faults


def test_another_rulebook(place: Path) -> None:
    path = place / "heap" / "play.lp"
    path.write_text(path.read_text(encoding="utf-8") + "\n% one more line\n", encoding="utf-8")
    found = verdict(place)
    assert found.faults == ["the rulebook has changed: heap/play.lp"]
    assert not found.checked


def test_a_file_of_rules_that_is_not_named(place: Path) -> None:
    (place / "heap" / "play.lp").unlink()
    assert verdict(place).faults == ["the rulebook has changed: heap/play.lp"]


def test_a_claim_that_a_part_does_not_show(place: Path) -> None:
    path = place / "made" / MANIFEST
    listed = json.loads(path.read_text(encoding="utf-8"))
    part = listed["questions"][0]["parts"][0]
    part["claims"].remove("count")
    path.write_text(json.dumps(listed), encoding="utf-8")
    found = verdict(place)
    assert "count" not in found.checked
    assert any(fault.startswith("count is not shown: take(K)") for fault in found.faults)


def test_a_claim_of_which_nothing_is_asked(place: Path) -> None:
    path = place / "made" / MANIFEST
    listed = json.loads(path.read_text(encoding="utf-8"))
    listed["claims"]["legal action at dawn"] = {"statement": "", "kind": "position"}
    path.write_text(json.dumps(listed), encoding="utf-8")
    assert verdict(place).faults == ["legal action at dawn is not shown: there is no question about it"]


@pytest.mark.slow
def test_totals_that_are_said_to_be_exact(place: Path) -> None:
    """A proof that uses that totals are loose is none of exact ones."""
    path = place / "made" / MANIFEST
    path.write_text(
        path.read_text(encoding="utf-8").replace('"exact": false', '"exact": true'), encoding="utf-8"
    )
    made = Completion("\n".join(unpack(place / "made" / "q0.lp.xz")))
    ((_, exact),) = made.literals("exact__", 0)
    used = (-exact,) in clauses_of(unpack(place / "made" / "q0-0.cnf.xz"))
    assert ("take(K)" in " ".join(verdict(place).faults)) == used


def test_a_start_that_breaks_a_claim(place: Path) -> None:
    """The rules as they are written are asked, and what the folder says besides."""
    changed(place / "made" / "rules.lp.xz", lambda lines: [*lines, "broken(one_phase,now)."])
    assert verdict(place).faults == ["the start breaks one_phase"]


def test_a_folder_without_certificates(tmp_path: Path) -> None:
    with pytest.raises(kl.KaiserLogicError, match="there are no certificates"):
        verify(tmp_path, HEAP, asp_folder() / "engine")
    (tmp_path / MANIFEST).write_text('{"format": 2}', encoding="utf-8")
    with pytest.raises(kl.KaiserLogicError, match="not a list of certificates"):
        verify(tmp_path, HEAP, asp_folder() / "engine")


def test_names_lead_to_no_other_folder(place: Path) -> None:
    path = place / "made" / MANIFEST
    path.write_text(path.read_text(encoding="utf-8").replace('"q0"', '"../q0"'), encoding="utf-8")
    with pytest.raises(kl.KaiserLogicError, match="not the name of a file here"):
        verdict(place)


def test_the_checker_shares_no_code_with_the_prover() -> None:
    """What it imports: the door to clingo, processes, errors."""
    code = "import sys, kaiser_logic.certificates.verify; print(*(m for m in sys.modules if m.startswith('kaiser_logic.')))"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    folders = {name.split(".")[1] for name in loaded}
    assert folders <= {"certificates", "clingo", "errors", "workers", "presenters"}


# -- what is written --------------------------------------------------------------------------------------------


def test_what_is_false_has_no_certificate(tmp_path: Path) -> None:
    """Even if the prover says that it is proved."""
    shutil.copytree(HEAP, tmp_path / "heap")
    invariants = tmp_path / "heap" / "invariants.lp"
    more = "%! invariant even -- The heap is even.\nbroken(even,x) :- heap(N), N \\ 2 = 1.\n"
    invariants.write_text(invariants.read_text(encoding="utf-8") + more, encoding="utf-8")
    play = tmp_path / "heap" / "play.lp"
    text = play.read_text(encoding="utf-8").replace(
        "not holds_at_least(K).", "N = 100, not holds_at_least(K)."
    )
    play.write_text(text, encoding="utf-8")
    game = kl.load(tmp_path / "heap")
    names = [p.claim for p in report_on(game).proofs]
    lying = ProofReport([Proof(name, "") for name in names], [])
    manifest = write(game.ruleset, lying, tmp_path / "made", workers=1)
    assert {"even", "count"} <= set(manifest.left)
    found = verify(tmp_path / "made", tmp_path / "heap", asp_folder() / "engine", workers=1)
    assert not found.faults
    assert {"even", "count"} <= set(found.given)


@pytest.mark.slow
def test_a_transition_of_a_large_game(tmp_path: Path) -> None:
    """Sums of hundreds of weights; some claims hold only with exact totals."""
    setting = Setting(kl.load("kaiser", players=2).ruleset)
    wanted = set(setting.prover.goals)
    _, jobs = questions(setting, wanted, tmp_path, ())
    one = next(job for job in jobs if job.question.about == "empire_city(E) at setup_empire_city")()
    assert not one.left
    assert [part.exact for part in one.question.parts] == [False, True]
    manifest = Manifest("kaiser", settings_of(setting.prover.theory.ruleset), "", {}, (), {}, {})
    found = check(tmp_path, one.question, manifest)
    assert not found.faults
    assert found.claims == wanted


@pytest.mark.parametrize("question", ["take(K)", "step pass_on"])
def test_a_question_that_is_missing(place: Path, question: str) -> None:
    """What can happen is read of the rules as they are written."""
    path = place / "made" / MANIFEST
    listed = json.loads(path.read_text(encoding="utf-8"))
    listed["questions"] = [q for q in listed["questions"] if q["about"] != question]
    path.write_text(json.dumps(listed), encoding="utf-8")
    found = verdict(place)
    about = "action(take,take(_))" if question == "take(K)" else "step(pass_on)"
    assert f"count is not shown: no question is about {about}" in found.faults
    assert "count" not in found.checked


def test_the_start_before_its_steps_is_looked_at(tmp_path: Path) -> None:
    """A step is due there, which ends what the claim forbids before anybody decides."""
    rules = tmp_path / "rules.lp"
    rules.write_text(
        "init(due(deal)). init(fresh). del(due(deal)) :- due(deal). del(fresh) :- due(deal). broken(dealt,x) :- fresh.\n"
        "add(decision(red,go)) :- due(deal).\n"
    )
    assert start([rules], (), ["dealt"]).faults == ["the start breaks dealt"]


@pytest.mark.sample(4)
@pytest.mark.parametrize("game", ["kaiser", "krone", "staufer", "vive"])
def test_all_that_can_happen_is_in_question(game: str) -> None:
    """The rulebook's files as they are written list no action that no question covers."""
    setting = Setting(kl.load(game).ruleset)
    theory, transitions = setting.prover.theory, setting.prover.transitions
    files = rule_files(folder_of(game), asp_folder() / "engine")
    more = [rule.text for rule in theory.ruleset.rules if rule.file == "generated"]
    begun = start(files, [*more, *(f"{fact}." for fact in theory.ruleset.given)], ())
    coming = {show_term(schema.decision).split("(")[0] for t in transitions for schema in t.schemas}
    assert not missing(begun.declared, [c for t in transitions for c in covered(t)], coming)
    for left in transitions[::5]:
        assert missing(begun.declared, [c for t in transitions if t is not left for c in covered(t)], coming)


@pytest.mark.parametrize("kind", ["decision", "dawn"])
def test_a_claim_of_another_kind(place: Path, kind: str) -> None:
    """Nobody gets rid of the questions about steps by calling a claim one about decisions."""
    path = place / "made" / MANIFEST
    listed = json.loads(path.read_text(encoding="utf-8"))
    listed["claims"]["count"]["kind"] = kind
    path.write_text(json.dumps(listed), encoding="utf-8")
    assert verdict(place).faults == [f"count is not shown: it is not of the kind {kind}"]


# -- what the list of certificates says -------------------------------------------------------------------------


def told(place: Path, change: Callable[[dict[str, Any]], object], agreeing: bool = False) -> str:
    """Changes the list of certificates, and says what faults are found.

    Args:
        place: Where the folder is.
        change: Changes the list.
        agreeing: Whether the first lines of the programs are made to agree with it.
    """
    path = place / "made" / MANIFEST
    listed = json.loads(path.read_text(encoding="utf-8"))
    change(listed)
    path.write_text(json.dumps(listed), encoding="utf-8")
    manifest = read_manifest(place / "made")
    for question in manifest.questions if agreeing else ():
        program = place / "made" / f"{question.name}.lp.xz"
        first = heading(question, manifest.settings, manifest.supposed)
        pack(program, [first, *unpack(program)[1:]])
    return "\n".join(verdict(place).faults)


def question_about(listed: dict[str, Any], about: str) -> dict[str, Any]:
    """What the list says of one question."""
    return next(q for q in listed["questions"] if q["about"] == about)


def test_other_settings_in_the_list(place: Path) -> None:
    def seats(listed: dict[str, Any]) -> None:
        listed["settings"]["seats"].append("blue")

    def ruling(listed: dict[str, Any]) -> None:
        listed["settings"]["given"][-1] = "ruling(last_stone,loses)"

    assert told(place, seats) == "the list of certificates has other seats than its settings"
    assert "rules.lp.xz and the list of certificates have different settings" in told(place, ruling)


@pytest.mark.parametrize("agreeing", [False, True])
def test_other_settings_in_the_list_and_in_the_rules(place: Path, agreeing: bool) -> None:
    """The questions have been made with the first ones."""

    def seats(listed: dict[str, Any]) -> None:
        listed["settings"]["seats"].reverse()
        listed["settings"]["given"][:2] = ["seat(green,1)", "seat(red,2)"]

    wrong = {"seat(red,1).": "seat(green,1).", "seat(green,2).": "seat(red,2)."}
    changed(place / "made" / "rules.lp.xz", lambda lines: [wrong.get(line, line) for line in lines])
    faults = told(place, seats, agreeing)
    assert (
        "its program has other settings than the list of certificates: seat(green,2), seat(red,1)" in faults
    )
    assert ("its program's first line differ" in faults) == (not agreeing)


def test_another_ruling_in_the_list_and_in_the_rules(place: Path) -> None:
    def ruling(listed: dict[str, Any]) -> None:
        listed["settings"]["given"][-1] = "ruling(last_stone,loses)"

    def loses(lines: list[str]) -> list[str]:
        return [line.replace("ruling(last_stone,wins)", "ruling(last_stone,loses)") for line in lines]

    changed(place / "made" / "rules.lp.xz", loses)
    assert "its program's first line differ" in told(place, ruling)
    assert not verdict(place).checked


@pytest.mark.parametrize("more", ["ruling(a,b) :- phase(play).", "#const wins = loses."])
def test_settings_beside_the_facts(place: Path, more: str) -> None:
    changed(place / "made" / "rules.lp.xz", lambda lines: [*lines, more])
    (fault,) = verdict(place).faults
    assert "different settings" in fault or "something other than rules" in fault


@pytest.mark.parametrize("claim", ["one_taker", "count", "legal action at take"])
def test_a_claim_in_other_words(place: Path, claim: str) -> None:
    def other(listed: dict[str, Any]) -> None:
        listed["claims"][claim]["statement"] = "Red always wins."

    assert told(place, other) == f"{claim} is not shown: it is stated in other words"
    assert "Red" not in verdict(place).stated[claim]


def test_a_claim_that_nobody_states(place: Path) -> None:
    def other(listed: dict[str, Any]) -> None:
        listed["claims"]["winner"] = listed["claims"].pop("one_taker")

    assert "winner is not shown" in (faults := told(place, other))
    assert "the rulebook does not state it" in faults


def test_claims_are_stated_as_the_prover_states_them() -> None:
    """The checker has a table of its own."""
    own = dict(rounds._STATEMENTS)
    own |= {"bound of": own.pop("bound"), "legal action at": own.pop("stuck")}
    assert {**own, **{c: ENGINE_DOCS[c].statement for c in ("vocabulary", "count", "limit")}} == _STATED


@pytest.mark.parametrize("game", ["kaiser", "krone", "staufer", "vive"])
def test_headings_are_read_as_the_rulebook_reads_them(game: str) -> None:
    book = kl.load(game).ruleset.book
    files = rule_files(folder_of(game), asp_folder() / "engine")
    docs = {d.id: d.statement for d in book.docs.values() if d.kind in ("invariant", "claim")}
    assert docs
    assert stated(files, docs) == docs


@pytest.mark.parametrize("agreeing", [False, True])
@pytest.mark.parametrize(("kept", "left"), [("take(K)", "step pass_on"), ("step pass_on", "take(K)")])
def test_a_question_that_covers_what_another_did(place: Path, kept: str, left: str, agreeing: bool) -> None:
    def dropped(listed: dict[str, Any]) -> None:
        question_about(listed, kept)["covers"] += question_about(listed, left)["covers"]
        listed["questions"] = [q for q in listed["questions"] if q["about"] != left]

    assert f"{kept}: a question of the kind" in told(place, dropped, agreeing)
    assert "count" not in verdict(place).checked


@pytest.mark.parametrize(
    ("about", "covers", "fault"),
    [
        ("take(K)", ["action(give,give(K))"], "its program is about take, which it does not cover"),
        ("take(K)", ["action(take,take(K))", "action(take,stop)"], "about one thing, and it covers several"),
        ("step pass_on", ["step(deal)"], "its program is about pass_on, which it does not cover"),
        ("step pass_on", ["step(pass_on)", "step(deal)"], "about one thing, and it covers several"),
        ("step pass_on", ["step("], "what it covers cannot be read"),
        ("legal action at take", ["step(pass_on)"], "a question of the kind position covers no step"),
    ],
)
def test_what_a_question_covers_is_what_is_pending_in_it(
    place: Path, about: str, covers: list[str], fault: str
) -> None:
    def other(listed: dict[str, Any]) -> None:
        question_about(listed, about)["covers"] = covers

    assert f"{about}: {fault}" in told(place, other, agreeing=True).replace(
        "its program is about one", "about one"
    )


def test_what_the_questions_suppose_is_not_hidden(place: Path) -> None:
    assert "its program's first line differ" in told(place, lambda listed: listed["supposed"].clear())
