"""What is written, changed, forged or unknown never makes a false claim checked."""

import json
import lzma
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from support import TINY
from support.checking import settings_of
from support.heap_game import small_rulebook, variant
from support.tables import rows, values

from kaiser_logic.checker import files
from kaiser_logic.checker.declared import CHANGE, Declared
from kaiser_logic.checker.numbers import with_enough_numbers
from kaiser_logic.checker.positions import broken_at_start
from kaiser_logic.checker.program import Builder, making_rule, program_of, transitions
from kaiser_logic.checker.search import LratProof
from kaiser_logic.checker.text import Book, NotCovered, Settings, rules_of
from kaiser_logic.checker.verify import CheckReport, answer_to, verify
from kaiser_logic.rules.library import asp_folder

pytest.importorskip("pysat")

ENGINE = asp_folder() / "engine"
NIM = TINY / "nim"
CLAIM = "claimed_low :- heap(N); N > 4. broken(low,x) :- claimed_low."


def not_checked(report: CheckReport) -> set[str]:
    return {v.claim for v in report.verdicts if not v.checked}


@pytest.fixture(scope="module")
def report():
    """The report on nim, with a claim by query."""
    return verify(NIM, ENGINE, settings_of(NIM, claims=CLAIM))


@pytest.fixture
def place(report, tmp_path):
    """A folder with the rulebook and its certificate, which a test may change."""
    shutil.copytree(NIM, tmp_path / "nim")
    (tmp_path / "made").mkdir()
    for name, data in files.contents("nim", report).items():
        (tmp_path / "made" / name).write_bytes(data)
    return tmp_path


def read(place: Path, rulebook: str = "nim") -> CheckReport:
    found = files.read_folder(place / "made")
    return verify(place / rulebook, ENGINE, found.settings, found.proofs, dropped=found.dropped)


def edit(place: Path, change: Callable[[dict[str, Any]], None]) -> None:
    path = place / "made" / files.LIST
    found = json.loads(path.read_text(encoding="utf-8"))
    change(found)
    path.write_text(json.dumps(found), encoding="utf-8")


def rewrite(place: Path, old: str, new: str, file: str = "rules.lp") -> None:
    path = place / "nim" / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_all_claims_of_the_nim_are_checked(report, place):
    assert report.complete
    assert {v.claim: v.statement for v in report.verdicts}["low"] == "broken(low,x) :- claimed_low."
    assert read(place).complete


def with_rules(folder: Path, book: Path, text: str) -> CheckReport:
    """The report on a copy of a rulebook with more rules."""
    return verify(variant(folder, {}, book, text), ENGINE, settings_of(book))


TWO_PILES = "init(heap(3)). init(heap(4))."


def test_a_certificate_cannot_hide_a_start_that_breaks_a_claim(place):
    """The forgery that earlier certificates accepted: the rules of ``count`` were in the certificate."""
    rewrite(place, "init(heap(4)).", TWO_PILES)
    assert "count" in not_checked(read(place))
    assert len(not_checked(read(place))) == len(read(place).verdicts)  # everything rests on ``count``


@pytest.mark.sample(2)
@pytest.mark.parametrize(("old", "new", "lost"), rows("checker/verify", "changed"))
def test_the_certificate_of_another_rulebook_does_not_show_a_false_claim(place, old, new, lost):
    rewrite(place, old, new)
    assert lost in not_checked(read(place))
    assert lost in not_checked(verify(place / "nim", ENGINE, settings_of(NIM)))


def test_no_predicate_of_a_rulebook_has_a_name_of_the_checker(place):
    """Here ``bad`` never holds. If the checker used it, whatever breaks a claim would make the action illegal."""
    rewrite(place, ":- does(R,take(_)), took(Q), Q != R.", ":- does(R,take(_)), took(Q), Q != R, heap(0).")
    with (place / "nim" / "rules.lp").open("a", encoding="utf-8") as file:
        file.write('\nbad(x) :- heap(0), heap(1). violates(R,A,"bad") :- candidate(R,A), bad(_).\n')
    assert "one_taker" in not_checked(verify(place / "nim", ENGINE, settings_of(NIM)))


@pytest.mark.parametrize(("effect", "least", "other"), values("checker/verify", "effect"))
def test_a_sum_with_two_limits_follows_gains_and_losses(place, effect, least, other):
    """The amounts that count are those of the gains and losses, whatever the limits and other measures are."""
    rewrite(place, "limit(stones,4,4).", f"limit(stones,{least},5). {other}")
    rewrite(place, "shift(heap,taken(R),K,taken)", effect)
    report = verify(place / "nim", ENGINE, settings_of(NIM))
    verdict = {v.claim: v for v in report.verdicts}["limit"]
    assert not verdict.checked
    assert verdict.example is not None


@pytest.mark.parametrize("claims", [None, *rows("checker/verify", "foreign")])
def test_the_rules_of_a_certificate_define_only_its_own_claims(place, claims):
    """The first ones are its own."""
    write_claims(place, "wrong(taken,x) :- does(_,take(9)).")
    own = [f"{h} :- heap(9)." for h in ("broken(low,x)", "claimed_l__joined0", "claimed_l__apart1", "claimed_l__0")]
    edit(place, lambda found: found.update(claims=[claims] if claims else own))
    assert bool(read(place).uncovered) == bool(claims)


COPY = "aux_h :- heap(4). aux_h :- heap(3). aux_h__n :- seat(red,1). broken(mine,x) :- not aux_h."


def test_no_claim_by_query_adds_to_what_the_checker_makes(place):
    """The forgery that earlier checkers accepted: here ``mine`` never seems broken next, and so ``full`` was checked."""
    rewrite(place, "init(heap(4)).", "init(heap(4)). broken(full,x) :- heap(0).")
    report = verify(place / "nim", ENGINE, settings_of(NIM, claims=COPY))
    assert "'__'" in report.uncovered
    assert not report.verdicts
    report = verify(place / "nim", ENGINE, settings_of(NIM, claims=COPY.replace("__n", "_n")))
    assert not_checked(report) >= {"full", "mine"}


def test_no_claim_by_query_is_added_where_rules_read_what_is_broken(place):
    rewrite(place, "init(heap(4)).", "init(heap(4)). violates(R,A,x) :- candidate(R,A), broken(_,x).")
    settings = settings_of(NIM, claims="broken(low,x) :- heap(9).")
    assert "may not define this" in verify(place / "nim", ENGINE, settings).uncovered


def test_a_claim_by_query_is_printed_as_its_rules_and_not_as_a_heading(place):
    """A certificate may give another rule for a claim of which the rulebook has a heading."""
    rewrite(place, "init(heap(4)).", "init(heap(4)).\n%! claim low -- Nobody decides about two.\n%!   never  heap(2)\n")
    edit(place, lambda found: found.update(claims=["broken(low,x) :- heap(9).", "broken(low,y) :- heap(8)."]))
    said = {v.claim: v.statement for v in read(place).verdicts}["low"]
    assert said == "broken(low,x) :- heap(9). broken(low,y) :- heap(8)."


FORGED = "broken(low,x) :- %*\nbroken(low,x) :- heap(N); N < 4. *% heap(9). % broken(low,x) :- heap(0)."


def test_only_rules_of_claims_are_printed_each_on_a_line(place):
    """A comment could show another rule than the one that is checked."""
    edit(place, lambda found: found.update(claims=FORGED.split("\n")))
    found = read(place)
    assert [*files.lines_about(found.settings)][-1] == "claim: broken(low,x) :- heap(9)."
    written = json.loads(files.contents("nim", found)[files.LIST])
    assert written["claims"] == ["broken(low,x) :- heap(9)."]
    edit(place, lambda found: found.update(claims=["broken(low,x) :- 1 = ."]))
    assert not any("claim" in line for line in files.lines_about(read(place).settings))


def test_a_statement_is_that_of_a_file_of_the_game(place):
    heading = "%! invariant one_taker -- Nothing is wrong.\n"
    (place / "nim" / "another.lp").write_text(heading, encoding="utf-8")
    assert "Nothing" not in {v.claim: v.statement for v in read(place).verdicts}["one_taker"]


def test_a_declaration_of_many_actions_is_divided_by_values_as_they_are(place):
    r"""A variable ``A'`` is another one than ``A``, and a value's text may have ``\\``."""
    text = r'many(1..9). sort(-1). sort(1..1000). sort("\\n").'
    action = "action(take,give(A,A',A**2)) :- sort(A), many(A'), any(C). any(1)."
    with (place / "nim" / "rules.lp").open("a", encoding="utf-8") as file:
        file.write(f"\n{text} {action}\n")
    declared = Declared(Book(place / "nim", ENGINE, settings_of(NIM)))
    labels = {t.label for t in transitions(declared)}
    assert {f"give({v},A',({v}**2)) at take" for v in ("7", "-1", r'"\\n"')} <= labels


def write_claims(place: Path, text: str) -> None:
    """Gives the rulebook a file of claims."""
    rewrite(place, 'files = ["rules"]', 'files = ["rules"]\nclaims = ["claims"]', "game.toml")
    (place / "nim" / "claims.lp").write_text(text, encoding="utf-8")


@pytest.mark.parametrize("text", ["", *rows("checker/verify", "claims")])
def test_a_file_of_claims_defines_nothing_else(place, text):
    """A game is played without these files: what they add to the rules is added for the checker only."""
    write_claims(place, f"took_one(R) :- does(R,take(1)). wrong(one,R) :- took_one(R), not took_one(R). {text}")
    found = verify(place / "nim", ENGINE, settings_of(NIM))
    assert "which has another meaning" in found.uncovered if text else found.complete


@pytest.mark.parametrize("name", ["engine/sets", "../nim/rules", "/rules", "a b", ""])
def test_a_file_with_no_plain_name_is_refused(place, name):
    """The rules of ``engine/sets`` in the rulebook's own folder were taken for those of the engine, and left out."""
    (place / "nim" / "engine").mkdir()
    (place / "nim" / "engine" / "sets.lp").write_text("broken(full,x) :- heap(0).", encoding="utf-8")
    rewrite(place, 'files = ["rules"]', f'files = ["rules", "{name}"]', "game.toml")
    assert "no plain name" in verify(place / "nim", ENGINE, settings_of(NIM)).uncovered


def test_a_claim_by_query_that_is_false_is_not_checked(place):
    edit(place, lambda found: found.update(claims=["broken(low,x) :- heap(N); N < 4."]))
    assert not_checked(read(place)) >= {"low"}


@pytest.mark.parametrize("change", values("checker/verify", "settings"))
def test_settings_that_the_manifest_does_not_allow_are_refused(place, change):
    edit(place, lambda found: found.update(change))
    assert read(place).uncovered


@pytest.mark.sample(4)
@pytest.mark.parametrize("number", range(20))
def test_a_changed_proof_shows_nothing_new(place, report, number):
    """Bits, lines and names of proofs are changed in 20 ways; a claim is checked only if a proof of it is still right."""
    paths = sorted((place / "made").glob("*.xz"))
    path = paths[number % len(paths)]
    lines = lzma.decompress(path.read_bytes()).decode().split("\n")
    kind, row = number % 5, (number * 7) % len(lines)
    if kind == 0:
        del lines[row]
    elif kind == 1:
        lines[row] = " ".join(reversed(lines[row].split()))
    elif kind == 2:
        lines[0], lines[-1] = lines[-1], lines[0]
    elif kind == 3:
        lines = lines[: len(lines) // 2]
    else:
        lines[row] = lines[row].replace("1", "-1", 1)
    changed = "\n".join(lines).encode()
    path.write_bytes(lzma.compress(changed) if number < 15 else lzma.compress(changed)[: -3 - number])
    found = read(place)
    assert not found.complete or lzma.decompress(path.read_bytes()) == changed
    assert not_checked(found) or kind in (1, 4)


def test_proofs_about_other_claims_or_questions_show_nothing(place):
    def exchange(found: dict[str, Any]) -> None:
        names = [p["question"] for p in found["proofs"]]
        for proof, name in zip(found["proofs"], [*names[1:], names[0]], strict=True):
            proof["question"] = name

    edit(place, exchange)
    assert not read(place).complete

    def claims(found: dict[str, Any]) -> None:
        for proof in found["proofs"]:
            proof["claims"] = [*proof["claims"], "one_taker", "bad", "nothing"]

    edit(place, claims)
    assert not read(place).complete


@pytest.mark.parametrize("text", ["", "[]", "{}", "null", '{"format": 3}', '{"format": 5}', "\xff", "[" * 10_000])
def test_a_damaged_list_is_refused(place, text):
    (place / "made" / files.LIST).write_bytes(text.encode("latin-1"))
    with pytest.raises(files.UnreadableInput):
        files.read_folder(place / "made")
    edited = {"format": 5, "proofs": [{"question": "x", "claims": [], "file": "../x"}]}
    (place / "made" / files.LIST).write_text(json.dumps(edited), encoding="utf-8")
    with pytest.raises(files.UnreadableInput):
        files.read_folder(place / "made")


@pytest.mark.parametrize("of", ["the list", "a proof"])
def test_a_list_with_an_unknown_key_is_refused(place, of):
    edit(place, lambda found: (found if of == "the list" else found["proofs"][0]).update(claim="bad"))
    with pytest.raises(files.UnreadableInput, match="there is no key 'claim'"):
        files.read_folder(place / "made")


@pytest.mark.parametrize("values", [(), ("red", "green"), ("red", "red"), ("purple",)])
def test_start_tags_have_values_of_the_manifest(values):
    folder = asp_folder() / "kaiser"
    settings = replace(settings_of(folder), start={"emperor": values})
    assert verify(folder, ENGINE, settings).uncovered == "the values of the start tag Emperor"


def test_dropped_invariants_are_not_assumed(place):
    """A hint may take away assumptions, not claims."""
    edit(place, lambda found: found.update(dropped=["one_decision", "9 of 9 claims checked"]))
    found = read(place)
    assert "one_decision" in {v.claim for v in found.verdicts}
    assert found.dropped == ("one_decision",)
    assert not found.complete  # the proofs are about other clauses


@pytest.mark.sample(3)
@pytest.mark.parametrize(("text", "why"), rows("checker/verify", "unclear"))
def test_what_is_not_understood_for_sure_is_not_covered(tmp_path, text, why):
    found = with_rules(tmp_path, NIM, text)
    reasons = found.uncovered or " ".join({v.why for v in found.verdicts})
    assert not any(v.checked for v in found.verdicts)
    assert why in reasons


@pytest.mark.parametrize(("lost", "text"), rows("checker/verify", "lost"))
def test_a_rule_that_breaks_a_claim_loses_it(tmp_path, lost, text):
    """Each was once called checked. A claim has the name of its game before it."""
    assert lost.split(" ", 1)[1] in not_checked(with_rules(tmp_path, TINY / lost.split()[0], text))


def test_a_sort_may_be_called_set_in_a_game_without_sets(place):
    """Its actions were once not possible in any program, so what they break was called checked."""
    rewrite(place, "amount(1..2)", "set(1..2)")
    rewrite(place, "amount(K)", "set(K)")
    rewrite(place, "%! invariant one_taker", "broken(full,x) :- heap(N), N < 4.\n%! invariant one_taker")
    found = verify(place / "nim", ENGINE, settings_of(NIM))
    assert not found.uncovered
    assert "full" in not_checked(found)


PIECES = """
spot(1..3). fluent(seat(R,I)) :- seat(R,I). fluent(piece(X)) :- spot(X). unit(piece,1). init(piece(1)).
fluent(decision(R,turn)) :- player(R). init(decision(red,turn)). action(turn,go).
%! rule turn -- Turn.
%!   why       no
%!   standard  Here
out_of_turn(turn,"turn"). candidate(R,go) :- decision(R,turn). add(decision(red,turn)) :- does(_,go).
"""


@pytest.mark.parametrize("text", rows("checker/verify", "pieces"))
def test_pieces_are_gained_and_lost_by_ones_in_a_game_without_counters_too(tmp_path, text):
    """A piece that is not there is lost, and one that is there is gained. These were once called checked."""
    folder = small_rulebook(tmp_path, "pieces", f"{PIECES}{text}\n")
    rewritten = (folder / "game.toml").read_text(encoding="utf-8").replace(', "phases", "decisions", "end"', "")
    (folder / "game.toml").write_text(rewritten, encoding="utf-8")
    found = verify(folder, ENGINE, Settings(("red", "green"), {}))
    assert not found.uncovered
    assert "count" in not_checked(found)


@pytest.mark.parametrize("text", rows("checker/verify", "numbers"))
def test_numbers_without_a_limit_run_beyond_those_that_a_rule_writes(tmp_path, text):
    points = f"fluent(points(N)) :- number(N). stated(points,1). init(points(0)). {text}"
    declared = with_enough_numbers(Declared(Book(variant(tmp_path, {}, NIM, points), ENGINE, settings_of(NIM))))
    assert declared.top > 100 + CHANGE


@pytest.mark.sample(3)
@pytest.mark.parametrize(("text", "lost"), rows("checker/verify", "changes"))
def test_a_change_stands_for_larger_ones_only_where_no_rule_tells_them_apart(tmp_path, text, lost):
    points = "fluent(points(N)) :- number(N). stated(points,1). init(points(0)). gain(points,60,x) :- due(pass_on)."
    report = with_rules(tmp_path, NIM, f"{points} {text}")
    assert not report.uncovered
    found = not_checked(report)
    assert lost in found if lost == "count" else found == {lost} - {"-"}


def test_an_action_makes_a_decision_whatever_the_sorts_say():
    """The engine's rule has no sorts, so one action may make several decisions of a role."""
    (rule,) = rules_of("action(bid(N),go(X)) :- ok(N,X).", "rules.lp")
    assert making_rule(rule) == "made(Role__,bid(N)) :- does(Role__,go(X)); decision(Role__,bid(N))."


@pytest.mark.parametrize("read", ["left(R,Q)", "1 <= #count { R,Q : left__n(R,Q) }"])
def test_no_program_reads_what_it_has_no_rule_for(read):
    with pytest.raises(NotCovered, match="no rule for it"):
        program_of(["{ a }.", f":- a, {read}."], {("left", 2)})


def test_a_rule_stays_if_a_variable_of_its_sum_has_a_value_only_by_what_a_choice_leaves_out():
    """Else R stands for all players at once, and the right number is no choice. A forged certificate could name such a rule."""
    (rule,) = rules_of("size(N) :- chosen(R), N = #count { K : taken(R,K) }.", "rules.lp")
    assert rule.weaker({("chosen", 1), ("taken", 2)}) is rule


def test_no_rule_about_a_candidate_becomes_a_choice_where_candidates_are_judged(tmp_path):
    """Alone each candidate is illegal here. One value of ``only`` for both would make one of them legal."""
    text = "only :- candidate(_,take(1)). violates(R,take(1),x) :- candidate(R,take(1)), only. "
    text += "violates(R,take(2),x) :- candidate(R,take(2)), not only."
    builder = Builder(with_enough_numbers(Declared(Book(variant(tmp_path, {}, NIM, text), ENGINE, settings_of(NIM)))))
    found = answer_to(builder, "legal action at take", [LratProof(("stuck",), [], ["1 0 0"], ("only/0",))])
    assert found.left[""].endswith("rules that may not become choices")


def test_another_engine_is_not_covered(tmp_path):
    shutil.copytree(ENGINE, tmp_path / "engine")
    path = tmp_path / "engine" / "judge.lp"
    path.write_text(path.read_text(encoding="utf-8") + "does(R,A) :- candidate(R,A).\n", encoding="utf-8")
    found = verify(NIM, tmp_path / "engine", settings_of(NIM))
    assert "judge" in found.uncovered
    assert not found.verdicts


def test_the_engine_s_own_files_are_not_among_those_of_a_game(place):
    rewrite(place, '"phases",', '"phases", "judge",', "game.toml")
    assert "which all games have" in verify(place / "nim", ENGINE, settings_of(NIM)).uncovered


def test_wrong_proofs_in_memory_show_nothing(report):
    """Each part of a proof may be wrong: core, steps, claims."""
    label, (right,) = next((a.label, a.proofs) for a in report.answers if a.proofs)
    builder = Builder(with_enough_numbers(Declared(Book(NIM, ENGINE, report.settings))), set())
    assert answer_to(builder, label, [right]).proved >= set(right.claims)
    for wrong in (
        replace(right, core=[*right.core, 10**9]),
        replace(right, core=[-1, *right.core[1:]]),
        replace(right, steps=[]),
        replace(right, steps=["1 0 0"]),
        replace(right, claims=()),
        replace(right, claims=("vocabulary", "no claim")),
        replace(right, weak=("holds_at_least/1",)),
        replace(right, weak=("add/1",)),
        replace(right, weak=("heap/1",)),
        replace(right, weak=("nothing",)),
        LratProof(right.claims, [], [f"{len(right.core) + 1} 0 0"]),
    ):
        assert not answer_to(builder, label, [wrong]).proved & set(right.claims)


CARDS = TINY / "cards"


@pytest.mark.sample(3)
@pytest.mark.parametrize(("text", "why"), rows("checker/verify", "sets"))
def test_rules_that_see_more_of_a_set_than_its_parts_are_not_covered(tmp_path, text, why):
    found = with_rules(tmp_path, CARDS, text)
    assert found.uncovered if why != "-" else not found.uncovered
    assert why == "-" or why in found.uncovered


def test_that_two_sets_are_illegal_is_no_counterexample(tmp_path):
    """Only the empty and the largest set are judged: here one card of two must be laid."""
    rule = 'violates(R,lay(M),"lay.held") :- candidate(R,lay(M)), set(M), not part(M,sword,1), hand(R,_,_).'
    found = {v.claim: v for v in with_rules(tmp_path, CARDS, rule).verdicts}
    assert not found["legal action at lay"].checked
    assert found["legal action at lay"].example is None


def test_a_list_in_which_one_set_makes_another_illegal_is_not_complete(tmp_path):
    """The set of two swords is legal if it is judged alone, and is not in the list. This was once called checked."""
    one = "has_one(R) :- candidate(R,lay(N)), part(N,sword,1)."
    text = f'{one} violates(R,lay(M),"lay.held") :- candidate(R,lay(M)), part(M,sword,2), has_one(R).'
    found = with_rules(tmp_path, CARDS, text)
    assert not_checked(found) == {"enumeration", "legal action at lay"}


RACE = TINY / "race"


@pytest.mark.parametrize(("start", "known"), [(-100, True), (0, True), (7, False)])
def test_a_start_beyond_the_numbers_of_the_vocabulary_is_seen(tmp_path, start, known):
    changes = {"points(R,N))      :-": "points(R,-N))     :-", "stated(points": "signed(points",
               "init(points(R,0))": f"init(points(R,{start}))"}  # fmt: skip
    variant(tmp_path, changes, RACE)
    declared = with_enough_numbers(Declared(Book(tmp_path / "race", ENGINE, settings_of(RACE))))
    assert ("vocabulary" in broken_at_start(Builder(declared))) is not known
