"""Certificates are checked, and any change of a certificate or of the rulebook is reported."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from support.proofs import report_on

import kaiser_logic as kl
from kaiser_logic.certificates.completion import Completion
from kaiser_logic.certificates.files import (
    FORMAT,
    MANIFEST,
    Manifest,
    clauses_of,
    goals_of,
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
def certified(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a rulebook and its certificates."""
    place = tmp_path_factory.mktemp("certificates")
    shutil.copytree(HEAP, place / "heap")
    game = kl.load(place / "heap")
    write(game.ruleset, report_on(game), place / "made", workers=1)
    return place


@pytest.fixture
def place(certified: Path, tmp_path: Path) -> Iterator[Path]:
    """A copy of the certified folder, which a test may change."""
    shutil.copytree(certified, tmp_path / "copy")
    yield tmp_path / "copy"


def verdict(place: Path) -> Verdict:
    """The verdict on the certificates of a folder."""
    return verify(place / "made", place / "heap", asp_folder() / "engine", workers=1)


def edit(path: Path, change: Callable[[list[str]], list[str]]) -> None:
    """Changes the lines of a packed file. The change must have an effect."""
    before = unpack(path)
    after = change([*before])
    assert after != before
    pack(path, after)


@contextmanager
def edited_list(place: Path) -> Iterator[dict[str, Any]]:
    """The list of certificates, which is written again afterwards."""
    path = place / "made" / MANIFEST
    listed = json.loads(path.read_text(encoding="utf-8"))
    yield listed
    path.write_text(json.dumps(listed), encoding="utf-8")


@pytest.mark.slow
def test_all_claims_have_certificates(certified: Path) -> None:
    found = verdict(certified)
    assert not found.faults
    assert not found.given
    assert set(found.checked) == {p.claim for p in report_on(kl.load(HEAP)).proofs}
    assert not found.manifest.left
    assert found.steps > 100


def test_a_clause_that_does_not_follow_from_the_program_is_reported(place: Path) -> None:
    def flip(lines: list[str]) -> list[str]:
        return [*lines[:-1], " ".join(str(-int(x)) for x in lines[-1].split())]

    edit(place / "made" / "q0-0.cnf.xz", flip)
    assert any("a clause does not follow from the program" in fault for fault in verdict(place).faults)


def test_a_missing_proof_step_is_reported_and_its_claims_are_not_checked(place: Path) -> None:
    edit(place / "made" / "q0-0.lrat.xz", lambda lines: [*lines[:-3], *lines[-2:]])
    found = verdict(place)
    assert any("does not follow" in fault for fault in found.faults)
    assert "count" not in found.checked
    assert "legal action at take" in found.checked


@pytest.mark.sample(2)
@pytest.mark.parametrize("name", ["q0.lp.xz", "q0-0.cnf.xz", "q1-0.lrat.xz", "rules.lp.xz"])
def test_a_missing_or_damaged_file_is_reported(place: Path, name: str) -> None:
    path = place / "made" / name
    path.write_bytes(path.read_bytes()[:-9])
    assert any(name in fault for fault in verdict(place).faults)
    path.unlink()
    assert any(name in fault for fault in verdict(place).faults)


def test_a_changed_program_is_reported(place: Path) -> None:
    """Without rules that add facts nothing breaks a claim, but the atoms have other numbers than in the clauses."""
    edit(place / "made" / "q0.lp.xz", lambda lines: [x for x in lines if not x.startswith("add(")])
    assert verdict(place).faults


def test_a_changed_rulebook_is_reported(place: Path) -> None:
    path = place / "heap" / "play.lp"
    path.write_text(path.read_text(encoding="utf-8") + "\n% one more line\n", encoding="utf-8")
    found = verdict(place)
    assert found.faults == ["the rulebook has changed: heap/play.lp"]
    assert not found.checked


def test_a_missing_file_of_rules_is_reported(place: Path) -> None:
    (place / "heap" / "play.lp").unlink()
    assert verdict(place).faults == ["the rulebook has changed: heap/play.lp"]


def test_a_claim_that_a_part_leaves_out_is_not_shown(place: Path) -> None:
    with edited_list(place) as listed:
        listed["questions"][0]["parts"][0]["claims"].remove("count")
    found = verdict(place)
    assert "count" not in found.checked
    assert any(fault.startswith("count is not shown: take(K)") for fault in found.faults)


def test_a_claim_without_a_question_is_not_shown(place: Path) -> None:
    with edited_list(place) as listed:
        listed["claims"]["legal action at dawn"] = {"statement": "", "kind": "position"}
    assert verdict(place).faults == ["legal action at dawn is not shown: there is no question about it"]


@pytest.mark.slow
def test_wrongly_exact_totals_are_reported_where_the_proof_uses_loose_ones(place: Path) -> None:
    """A proof that uses loose totals is no proof for exact ones."""
    path = place / "made" / MANIFEST
    path.write_text(
        path.read_text(encoding="utf-8").replace('"exact": false', '"exact": true'), encoding="utf-8"
    )
    made = Completion("\n".join(unpack(place / "made" / "q0.lp.xz")))
    ((_, exact),) = made.literals("exact__", 0)
    used = (-exact,) in clauses_of(unpack(place / "made" / "q0-0.cnf.xz"))
    assert ("take(K)" in " ".join(verdict(place).faults)) == used


def test_a_start_that_breaks_a_claim_is_reported(place: Path) -> None:
    """The checker reads the rules as they are written and the further rules in the folder of certificates."""
    edit(place / "made" / "rules.lp.xz", lambda lines: [*lines, "broken(one_phase,now)."])
    assert verdict(place).faults == ["the start breaks one_phase"]


def test_a_folder_without_certificates_is_refused(tmp_path: Path) -> None:
    with pytest.raises(kl.KaiserLogicError, match="there are no certificates"):
        verify(tmp_path, HEAP, asp_folder() / "engine")
    (tmp_path / MANIFEST).write_text(f'{{"format": {FORMAT}}}', encoding="utf-8")
    with pytest.raises(kl.KaiserLogicError, match="not a list of certificates"):
        verify(tmp_path, HEAP, asp_folder() / "engine")


@pytest.mark.parametrize("key", ["left", "rulebook"])
def test_a_list_of_certificates_with_a_list_in_the_place_of_a_table_is_refused(place: Path, key: str) -> None:
    with edited_list(place) as listed:
        listed[key] = ["x"]
    with pytest.raises(kl.KaiserLogicError, match="not a list of certificates"):
        verdict(place)


def test_lines_of_packed_files_end_at_line_feeds_only(tmp_path: Path) -> None:
    lines = ['p("a\x85b\x0cc").', "", "q."]
    pack(tmp_path / "x", lines)
    assert unpack(tmp_path / "x") == lines


def test_names_of_files_cannot_lead_to_another_folder(place: Path) -> None:
    path = place / "made" / MANIFEST
    path.write_text(path.read_text(encoding="utf-8").replace('"q0"', '"../q0"'), encoding="utf-8")
    with pytest.raises(kl.KaiserLogicError, match="not the name of a file here"):
        verdict(place)


def test_the_checker_shares_no_code_with_the_prover() -> None:
    """It imports only the interface to clingo, processes and errors."""
    code = "import sys, kaiser_logic.certificates.verify; print(*(m for m in sys.modules if m.startswith('kaiser_logic.')))"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    folders = {name.split(".")[1] for name in loaded}
    assert folders <= {"certificates", "clingo", "errors", "workers", "presenters"}


# -- writing certificates ------------------------------------------------------------------------------------


def test_a_false_claim_gets_no_certificate(tmp_path: Path) -> None:
    """This holds even if the prover reports it as proved."""
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
def test_a_transition_of_kaiser_is_certified(tmp_path: Path) -> None:
    """Its sums have hundreds of weights, and some claims hold only with exact totals."""
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
def test_a_missing_question_is_reported(place: Path, question: str) -> None:
    """The checker reads from the rules as they are written which actions and steps there are."""
    with edited_list(place) as listed:
        listed["questions"] = [q for q in listed["questions"] if q["about"] != question]
    found = verdict(place)
    about = "action(take,take(_))" if question == "take(K)" else "step(pass_on)"
    assert f"count is not shown: no question is about {about}" in found.faults
    assert "count" not in found.checked


def test_the_start_is_checked_before_its_steps(tmp_path: Path) -> None:
    """A step that is due at the start removes what the claim forbids before anybody decides."""
    rules = tmp_path / "rules.lp"
    rules.write_text(
        "init(due(deal)). init(fresh). del(due(deal)) :- due(deal). del(fresh) :- due(deal). broken(dealt,x) :- fresh.\n"
        "add(decision(red,go)) :- due(deal).\n"
    )
    assert start([rules], (), ["dealt"]).faults == ["the start breaks dealt"]


@pytest.mark.sample(4)
@pytest.mark.parametrize("game", ["kaiser", "krone", "staufer", "vive"])
def test_questions_cover_every_action_and_step_of_a_game(game: str) -> None:
    """If one question is left out, an action or a step is missing."""
    setting = Setting(kl.load(game).ruleset)
    theory, transitions = setting.prover.theory, setting.prover.transitions
    files = rule_files(folder_of(game), asp_folder() / "engine")
    more = [rule.text for rule in theory.ruleset.rules if rule.file == "generated"]
    begun = start(files, [*more, *(f"{fact}." for fact in theory.ruleset.given)], ())
    coming = {show_term(schema.decision).split("(")[0] for t in transitions for schema in t.schemas}
    assert not missing(begun.declared, [c for t in transitions for c in covered(t)], coming)
    for omitted in transitions[::5]:
        assert missing(
            begun.declared, [c for t in transitions if t is not omitted for c in covered(t)], coming
        )


@pytest.mark.parametrize("kind", ["decision", "dawn"])
def test_a_claim_of_a_wrong_kind_is_not_shown(place: Path, kind: str) -> None:
    """A claim about steps cannot avoid the questions about steps by another kind."""
    with edited_list(place) as listed:
        listed["claims"]["count"]["kind"] = kind
    assert verdict(place).faults == [f"count is not shown: it is not of the kind {kind}"]


# -- the manifest: the list of certificates ------------------------------------------------------------------


def faults_after(place: Path, change: Callable[[dict[str, Any]], object], agreeing: bool = False) -> str:
    """Changes the list of certificates and returns the faults that the checker then finds.

    Args:
        place: The folder.
        change: Changes the list.
        agreeing: Whether the first lines of the programs are changed to agree with the list.
    """
    with edited_list(place) as listed:
        change(listed)
    manifest = read_manifest(place / "made")
    for question in manifest.questions if agreeing else ():
        program = place / "made" / f"{question.name}.lp.xz"
        lines = unpack(program)
        first = heading(question, manifest.settings, manifest.supposed, goals_of(lines[0]))
        pack(program, [first, *lines[1:]])
    return "\n".join(verdict(place).faults)


def question_about(listed: dict[str, Any], about: str) -> dict[str, Any]:
    """The entry of the list for one question."""
    return next(q for q in listed["questions"] if q["about"] == about)


def other_ruling(listed: dict[str, Any]) -> None:
    """Changes the ruling in the list."""
    listed["settings"]["given"][-1] = "ruling(last_stone,loses)"


def test_changed_settings_in_the_list_are_reported(place: Path) -> None:
    def seats(listed: dict[str, Any]) -> None:
        listed["settings"]["seats"].append("blue")

    assert faults_after(place, seats) == "the list of certificates has other seats than its settings"
    assert "rules.lp.xz and the list of certificates have different settings" in faults_after(
        place, other_ruling
    )


@pytest.mark.parametrize("agreeing", [False, True])
def test_changed_settings_in_the_list_and_in_the_rules_are_reported(place: Path, agreeing: bool) -> None:
    """The questions still have the first settings."""

    def seats(listed: dict[str, Any]) -> None:
        listed["settings"]["seats"].reverse()
        listed["settings"]["given"][:2] = ["seat(green,1)", "seat(red,2)"]

    wrong = {"seat(red,1).": "seat(green,1).", "seat(green,2).": "seat(red,2)."}
    edit(place / "made" / "rules.lp.xz", lambda lines: [wrong.get(line, line) for line in lines])
    faults = faults_after(place, seats, agreeing)
    assert (
        "its program has other settings than the list of certificates: seat(green,2), seat(red,1)" in faults
    )
    assert ("its program's first line differ" in faults) == (not agreeing)


def test_a_changed_ruling_in_the_list_and_in_the_rules_is_reported(place: Path) -> None:
    def loses(lines: list[str]) -> list[str]:
        return [line.replace("ruling(last_stone,wins)", "ruling(last_stone,loses)") for line in lines]

    edit(place / "made" / "rules.lp.xz", loses)
    assert "its program's first line differ" in faults_after(place, other_ruling)
    assert not verdict(place).checked


@pytest.mark.parametrize("more", ["ruling(a,b) :- phase(play).", "#const wins = loses."])
def test_settings_in_other_forms_than_facts_are_reported(place: Path, more: str) -> None:
    edit(place / "made" / "rules.lp.xz", lambda lines: [*lines, more])
    (fault,) = verdict(place).faults
    assert "different settings" in fault or "something other than rules" in fault


@pytest.mark.parametrize("claim", ["one_taker", "count", "legal action at take"])
def test_a_claim_with_another_statement_is_not_shown(place: Path, claim: str) -> None:
    def reword(listed: dict[str, Any]) -> None:
        listed["claims"][claim]["statement"] = "Red always wins."

    assert faults_after(place, reword) == f"{claim} is not shown: it is stated in other words"
    assert "Red" not in verdict(place).stated[claim]


def test_a_claim_that_the_rulebook_does_not_state_is_not_shown(place: Path) -> None:
    def rename(listed: dict[str, Any]) -> None:
        listed["claims"]["winner"] = listed["claims"].pop("one_taker")

    assert "winner is not shown" in (faults := faults_after(place, rename))
    assert "the rulebook does not state it" in faults


def test_claims_are_stated_as_the_prover_states_them() -> None:
    """The checker has a table of its own."""
    own = dict(rounds._STATEMENTS)
    own |= {"bound of": own.pop("bound"), "legal action at": own.pop("stuck")}
    assert {
        **own,
        **{c: ENGINE_DOCS[c].default_statement for c in ("vocabulary", "count", "limit")},
    } == _STATED


@pytest.mark.parametrize("game", ["kaiser", "krone", "staufer", "vive"])
def test_headings_are_read_as_the_rulebook_has_them(game: str) -> None:
    book = kl.load(game).ruleset.book
    files = rule_files(folder_of(game), asp_folder() / "engine")
    docs = {d.id: d.statement for d in book.docs.values() if d.kind in ("invariant", "claim")}
    assert docs
    assert stated(files, docs) == docs


@pytest.mark.parametrize("agreeing", [False, True])
@pytest.mark.parametrize(("kept", "dropped"), [("take(K)", "step pass_on"), ("step pass_on", "take(K)")])
def test_a_question_that_claims_to_cover_another_one_is_reported(
    place: Path, kept: str, dropped: str, agreeing: bool
) -> None:
    def drop(listed: dict[str, Any]) -> None:
        question_about(listed, kept)["covers"] += question_about(listed, dropped)["covers"]
        listed["questions"] = [q for q in listed["questions"] if q["about"] != dropped]

    assert f"{kept}: a question of the kind" in faults_after(place, drop, agreeing)
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
def test_a_question_that_covers_something_else_than_its_program_is_reported(
    place: Path, about: str, covers: list[str], fault: str
) -> None:
    def replace(listed: dict[str, Any]) -> None:
        question_about(listed, about)["covers"] = covers

    assert f"{about}: {fault}" in faults_after(place, replace, agreeing=True).replace(
        "its program is about one", "about one"
    )


def test_hidden_assumptions_of_the_questions_are_reported(place: Path) -> None:
    assert "its program's first line differ" in faults_after(place, lambda listed: listed["supposed"].clear())


def test_a_claim_for_which_a_program_was_not_written_is_not_checked(place: Path) -> None:
    """Somebody adds a claim to the list: without rules for ``bad__`` its proof would be about nothing."""
    manifest = read_manifest(place / "made")
    for question in manifest.questions:
        program = place / "made" / f"{question.name}.lp.xz"
        lines = unpack(program)
        goals = [goal for goal in goals_of(lines[0]) if goal != "one_taker"]
        pack(program, [heading(question, manifest.settings, manifest.supposed, goals), *lines[1:]])
    found = verdict(place)
    assert "its program was not written for the claim one_taker" in "\n".join(found.faults)
    assert "one_taker" not in found.checked


def test_a_rule_is_no_claim(place: Path) -> None:
    def added(listed: dict[str, Any]) -> None:
        listed["claims"]["take.enough"] = {"statement": "", "kind": "step"}
        for question in listed["questions"]:
            question["parts"][0]["claims"].append("take.enough")

    assert "the rulebook does not state it" in faults_after(place, added)


def test_an_empty_list_of_claims_is_a_fault(place: Path) -> None:
    def nothing(listed: dict[str, Any]) -> None:
        listed["claims"], listed["questions"] = {}, []

    assert "no claim has a certificate" in faults_after(place, nothing)


def test_the_settings_cannot_change_the_start(place: Path) -> None:
    edit(place / "made" / "rules.lp.xz", lambda lines: [*lines, "init(heap(5))."])
    assert verdict(place).faults == ["rules.lp.xz has rules for init, which only the rulebook may have"]


def test_a_program_that_reads_other_files_is_refused(place: Path) -> None:
    edit(place / "made" / "q0.lp.xz", lambda lines: [*lines, '#include "/etc/passwd".'])
    assert "it contains #include or #script" in "\n".join(verdict(place).faults)
