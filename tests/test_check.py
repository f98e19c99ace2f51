"""Checking records: every kind of fault, and what is no fault."""

import json
import pickle
import re
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from played import ELECTION, HEAD, VOTE, game_at, opening, played

import kaiser_logic as kl
from kaiser_logic.errors import UnreadableInput, WrongUsage
from kaiser_logic.notation.reading import build_record, parse_record
from kaiser_logic.play.playout import random_actions, weights
from kaiser_logic.records import replay as replay_module
from kaiser_logic.records.checking import Report, check, check_many
from kaiser_logic.records.replay import FaultyRecord, OnIllegal, Replay


def report(text: str, on_illegal: OnIllegal = "stop") -> Report:
    """The check of a record given as text."""
    return check(parse_record(text, "my.game"), on_illegal)


def rules(found: Report) -> list[str]:
    """The rules of all faults."""
    return [fault.rule for fault in found.faults]


# --- legal records --------------------------------------------------------------------------------


def test_a_whole_game_is_legal() -> None:
    record = parse_record(played(), "my.game")
    found = check(record)
    assert found.ok
    assert found.moves == found.judged == len(record.moves)
    assert found.result is not None
    assert found.final is not None
    assert found.result.winners == record.result
    assert (
        str(found) == f"my.game: {found.moves} moves, all legal, won by {' and '.join(found.result.winners)}"
    )


def test_a_record_may_stop_at_any_point() -> None:
    found = report(HEAD + "red: empire_city(boehmen)")
    assert found.ok
    assert found.final is not None
    assert found.final.to_move == ("green",)
    assert str(found) == "my.game: 1 moves, all legal, unfinished"
    assert report(HEAD).ok


def test_reports_survive_pickling() -> None:
    found = report(HEAD + "red: pass\n")
    assert pickle.loads(pickle.dumps(found)) == found


def test_the_public_functions() -> None:
    assert kl.check is check
    assert kl.check_many is check_many
    assert {"load", "read", "Position", "IllegalMove"} <= set(dir(kl))
    with pytest.raises(AttributeError):
        kl.nothing  # noqa: B018


# --- illegal moves --------------------------------------------------------------------------------


def test_all_broken_rules_of_a_move_are_reported() -> None:
    found = report(HEAD + "green: buy(doctor,none)\nred: empire_city(boehmen)\n")
    assert rules(found) == ["actions.buy.thalers", "actions.buy.unused", "actions.turn"]
    assert (found.moves, found.judged) == (2, 1)
    fault = found.faults[0]
    assert (fault.line, fault.column, fault.role, fault.action) == (2, 1, "green", "buy(doctor,none)")
    assert "thalers(green,0)" in fault.facts
    assert fault.statement
    assert set(fault.sources) == {"nl", "it"}
    assert hash(fault)


def test_a_fault_is_a_line() -> None:
    lines = str(report(HEAD + "  green: pass")).splitlines()
    assert len(lines) == 1
    assert re.fullmatch(r"my\.game:2:3: green: pass: actions\.turn: .+ \[nl: .+; it: .+\]", lines[0])


def test_a_fault_without_place() -> None:
    fault = check(build_record({"Game": "kaiser"}, parse_record(HEAD + "red: pass").items)).faults[0]
    assert str(fault).startswith("2:1: red: pass: actions.turn: ")


@pytest.mark.parametrize(
    ("moves", "rule"),
    [
        ("red: nonsense(1,f(x))", "action.unknown"),
        ("red: empire_city(nowhere)", "action.unknown"),
        ("red: ?", "record.unknown"),
        ("red: empire_city(?)", "record.unknown"),
        ("white: empire_city(trier)", "record.role"),
        ("green: empire_city(trier)", "setup.empire_city"),
    ],
)
def test_kinds_of_illegal_moves(moves: str, rule: str) -> None:
    assert rule in rules(report(HEAD + moves))


def test_a_decision_that_is_not_pending_is_no_ones() -> None:
    assert rules(report('[Game "krone"] chance: reveal(crown)')) == ["people.reveal"]


def test_a_move_after_the_end() -> None:
    found = report(
        ELECTION + "green: vote(rival) yellow: vote(rival) green: vote(rival) red: nonsense", "skip"
    )
    assert rules(found) == ["record.over", "record.over"]


# --- after an illegal move ------------------------------------------------------------------------


def test_skip_leaves_illegal_moves_out() -> None:
    found = report(HEAD + "green: pass\nred: foo\nred: empire_city(boehmen)\nred: pass\n", "skip")
    assert rules(found) == ["actions.turn", "action.unknown", "actions.turn"]
    assert (found.judged, found.faults[-1].line) == (4, 5)
    assert found.final is not None
    assert "empire_city(boehmen,1)" in found.final.facts


def test_force_carries_illegal_moves_out() -> None:
    text = HEAD + opening() + "green: pass\nassert { finished(green). decision(red,turn). }\nred: pass\n"
    found = report(text, "force")
    assert rules(found) == ["actions.turn"]
    assert not found.faults[0].note
    assert found.final is not None
    assert "decision(blue,turn)" in found.final.facts
    assert rules(report(text, "skip")) == ["actions.turn", "record.assert"]


@pytest.mark.parametrize(
    "move", ["red: foo", "red: ?", "red: empire_city(nowhere)", "green: empire_city(trier)"]
)
def test_force_leaves_out_what_leads_to_no_position(move: str) -> None:
    found = report(f"{HEAD}{move} red: empire_city(trier) green: elector(trier)", "force")
    assert {fault.line for fault in found.faults} == {2}
    assert all(fault.column == 1 and "left out" in fault.note for fault in found.faults)
    assert "(left out: " in str(found)


def test_on_illegal_must_be_known() -> None:
    with pytest.raises(WrongUsage):
        check(parse_record(HEAD), "explode")  # type: ignore[arg-type]
    with pytest.raises(WrongUsage):
        check_many([], on_illegal="explode")  # type: ignore[arg-type]


def test_there_is_an_end_to_faults(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay_module, "MAX_FAULTS", 5)
    found = report(HEAD + "red: foo " * 9, "skip")
    assert (len(found.faults), found.judged) == (5, 5)
    assert "too many faults" in str(found.faults[-1])


# --- simultaneous decisions -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "votes", ["green: vote(rival) yellow: vote(emperor)", "yellow: vote(emperor) green: vote(rival)"]
)
def test_votes_in_any_order(votes: str) -> None:
    found = report(
        f"{ELECTION.replace(HEAD, HEAD + chr(91) + 'Result ' + chr(34) + 'green' + chr(34) + chr(93))}{votes}"
    )
    assert found.ok
    assert found.final is not None
    assert {"points(yellow,10)", "points(green,20)"} <= found.final.facts


def test_votes_given_are_no_part_of_the_position() -> None:
    text = f"{ELECTION} green: vote(rival) assert {{ decision(green,vote). round(5). }} yellow: vote(rival)"
    assert report(text).ok
    waiting = Replay.at(parse_record(text), 1)
    assert waiting.here().to_move == ("green", "yellow")
    assert waiting.legal() == {"yellow": ("vote(emperor)", "vote(rival)")}


def test_each_vote_is_judged_when_it_is_read() -> None:
    found = report(
        ELECTION + "green: vote(rival)\ngreen: vote(emperor)\nred: vote(rival)\nyellow: vote(rival)", "skip"
    )
    assert [(fault.rule, fault.role) for fault in found.faults] == [
        ("record.decided", "green"),
        ("election.vote", "red"),
    ]
    assert found.result is not None
    assert "already decided: vote(rival)" in found.faults[0].message


def test_a_forced_vote_that_leads_nowhere_is_left_out() -> None:
    found = report(ELECTION + "green: buy(pope,hold) yellow: vote(rival) green: vote(rival)", "force")
    assert {fault.role for fault in found.faults} == {"green"}
    assert all("left out" in fault.note for fault in found.faults)
    assert found.result is not None
    found = report(ELECTION + "red: pass green: vote(rival) yellow: vote(rival)", "force")
    assert all("at the same time" in fault.note for fault in found.faults)
    assert found.result is not None


# --- positions and assertions ---------------------------------------------------------------------


def test_a_position_in_the_middle_holds_from_there_on() -> None:
    found = report(f'{HEAD}[Seats "green blue"] chance: close(trier) position {{{VOTE}}} yellow: vote(rival)')
    assert found.ok
    assert found.final is not None
    assert found.final.ruleset.seats == ("red", "green", "blue", "yellow")


def test_a_position_drops_votes_already_given() -> None:
    found = report(
        f"{ELECTION} green: vote(rival) position {{{VOTE}}} green: vote(emperor) yellow: vote(rival)"
    )
    assert found.ok
    assert found.result is not None


def test_a_record_from_a_position_takes_seats_and_start_from_it() -> None:
    start = kl.load("kaiser", seats=["blue", "red"]).initial()
    for tags in ("", '[Seats "red green"] [Emperor "green"]'):
        found = report(f"{HEAD}{tags} position {{ {start} }} chance: close(trier)")
        assert found.ok
        assert found.final is not None
        assert found.final.ruleset.seats == ("blue", "red")


def test_an_invalid_position() -> None:
    text = VOTE.replace("emperor(blue).", "emperor(blue). emperor(red). nonsense(1).")
    found = report(f"{HEAD}position {{{text}}}")
    assert [(fault.rule, fault.facts) for fault in found.faults] == [("record.position", ("nonsense(1)",))]
    assert found.faults[0].line > 1
    assert found.final is None
    found = report(f"{HEAD}position {{{text.replace('nonsense(1).', '')}}} red: pass", "skip")
    assert len(found.faults) > 1
    assert set(rules(found)) == {"record.position"}
    assert any("one_emperor" in fault.message for fault in found.faults)
    assert found.judged == 0


def test_an_invalid_position_in_the_middle() -> None:
    text = f"{HEAD}red: empire_city(boehmen) position {{ seat(red,1). }} green: elector(trier)"
    assert rules(report(text)) == ["record.position"]
    found = report(text, "skip")
    assert (rules(found), found.judged) == (["record.position"], 2)
    assert rules(report(f"{HEAD}position {{ seat(red,?). }}")) == ["record.position"]


def test_assertions() -> None:
    text = (
        "assert { thalers(red,0). not thalers(red,7). thalers(red,7). not thalers(red,0). city(trier,red,1).}"
        " assert { foo(1). not foo(1). thalers(red,?). }\n"
        "red: empire_city(trier) assert { empire_city(trier,1). not empire_city(trier,2). }"
    )
    found = report(HEAD + text)
    assert rules(found) == ["record.assert"] * 6
    assert [fault.column for fault in found.faults[:3]] == [46, 62, 82]
    assert found.faults[0].facts == ("thalers(red,0)",)
    assert found.faults[0].absent == ("thalers(red,7)",)
    assert found.judged == 1
    assert "role" in found.faults[0].as_json()
    assert report(HEAD + "assert { }").ok


# --- tags -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "tag",
    [
        '[Edition "latin"]',
        '[Option "nothing=1"]',
        '[Option "archbishop_marriage=perhaps"]',
        '[Seats "red"]',
        '[Seats "red purple"]',
        '[Emperor "purple"]',
        '[Emperor "red green"]',
        '[Seats "red green"] [Emperor "yellow"]',
    ],
)
def test_wrong_tags(tag: str) -> None:
    found = report(f"{HEAD}{tag} red: pass")
    assert rules(found) == ["record.tag"]
    assert found.judged == 0
    assert tag.rpartition("] ")[2].strip("[]") in found.faults[0].message
    assert report(f"{HEAD}{tag} red: pass", "skip").judged == 1


def test_every_wrong_tag_is_reported() -> None:
    found = report(
        f'{HEAD}[Edition "x"] [Option "a=1"] [Option "b=2"]\n[Seats "red"] [Event "?"] [Players "9"]'
    )
    assert [(fault.line, fault.column) for fault in found.faults] == [(2, 2), (2, 16), (2, 31), (3, 2)]


def test_good_tags_count() -> None:
    text = (
        f'{HEAD}[Edition "it"] [Option "archbishop_marriage=allowed"] [Seats "blue red"] [Emperor "red"]'
        "assert { seat(blue,1). decision(chance,close_archbishopric). emperor(red). }"
    )
    found = report(text)
    assert found.ok
    assert found.final is not None
    assert (
        found.final.ruleset.configuration.edition,
        game_at(found.final).options["archbishop_marriage"],
    ) == ("it", "allowed")


def test_unknown_game() -> None:
    with pytest.raises(UnreadableInput, match=r"my\.game:1:2: there is no game 'chess'"):
        report('[Game "chess"] red: pass')


def test_boards(tmp_path: Path) -> None:
    (tmp_path / "big.lp").write_text("spaces(trier,castle,2).")
    (tmp_path / "bad.lp").write_text("king(red).")
    path = tmp_path / "my.game"
    path.write_text(f'{HEAD}[Board "big.lp"] red: empire_city(trier)')
    assert check(kl.read(path)).ok
    for board in ("bad.lp", "my.game", "missing.lp", ".", "/dev/zero", "x" * 500):
        path.write_text(f'{HEAD}[Board "{board}"] red: empire_city(trier)')
        with pytest.raises(UnreadableInput):
            check(kl.read(path))


@pytest.mark.parametrize(
    ("result", "votes", "ok"),
    [
        ("green", True, True),
        ("red", True, False),
        ("green red", True, False),
        ("*", True, False),
        ("*", False, True),
        ("green", False, False),
    ],
)
def test_results(result: str, votes: bool, ok: bool) -> None:
    moves = "green: vote(rival) yellow: vote(rival)" if votes else "green: vote(rival)"
    found = report(f'{HEAD}[Result "{result}"] position {{{VOTE}}} {moves}')
    assert rules(found) == [] if ok else ["record.result"]
    assert ok or found.faults[0].column == 2


def test_the_result_is_not_judged_after_a_stop() -> None:
    assert rules(report(f'{HEAD}[Result "red"] red: pass')) == ["actions.turn"]
    assert rules(report(f'{HEAD}[Result "red"] red: pass', "skip")) == ["actions.turn", "record.result"]


# --- FILE@N ---------------------------------------------------------------------------------------


def test_replay_at() -> None:
    record = parse_record(HEAD + opening() + f"position {{{VOTE}}} green: foo")
    count = len(record.moves) - 1
    assert Replay.at(record, 0).here() == kl.load("kaiser").initial()
    assert Replay.at(record, 1).here().to_move == ("green",)
    assert Replay.at(record, count).here().to_move == ("green", "yellow")
    with pytest.raises(FaultyRecord, match=r"green: foo: action\.unknown"):
        Replay.at(record)
    with pytest.raises(WrongUsage):
        Replay.at(record, count + 2)


# --- many -----------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of records, good and bad."""
    (tmp_path / "b").mkdir()
    texts = {
        "a.game": HEAD,
        "b/c.game": HEAD + "red: pass",
        "b/d.game": "nothing",
        "e.game": ELECTION,
        "f.txt": "no record",
        "z.game": HEAD + "red: empire_city(trier)",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "y.game").write_bytes(b"\xff\x00")
    return tmp_path


def _names(folder: Path) -> Callable[[Report], tuple[str, bool, bool]]:
    return lambda r: (str(Path(r.path or "").relative_to(folder)), r.ok, bool(r.unreadable))


@pytest.mark.parametrize("jobs", [1, 2])
def test_check_many_keeps_the_order(folder: Path, jobs: int) -> None:
    paths = [folder / "z.game", folder, folder / "missing"]
    assert [_names(folder)(found) for found in check_many(paths, jobs)] == [
        ("z.game", True, False),
        ("a.game", True, False),
        ("b/c.game", False, False),
        ("b/d.game", False, True),
        ("e.game", True, False),
        ("y.game", False, True),
        ("z.game", True, False),
        ("missing", False, True),
    ]


def test_check_many_of_one_path(folder: Path) -> None:
    assert [found.ok for found in check_many(str(folder / "a.game"), 2)] == [True]
    assert list(check_many([])) == []
    with pytest.raises(WrongUsage):
        check_many([], jobs=0)


def test_check_many_can_be_left_early(folder: Path) -> None:
    reports = check_many(folder, 2)
    assert next(reports).ok
    reports.close()  # type: ignore[attr-defined]


def test_json(folder: Path) -> None:
    for found in check_many(folder):
        text = json.dumps(found.as_json())
        assert json.loads(text)["ok"] is found.ok


# --- chance ---------------------------------------------------------------------------------------


def test_random_actions_depend_on_the_seed_only() -> None:
    start = kl.load("kaiser", players=2).initial()
    assert weights(start) == {}
    first = [random_actions(start, Random(7)) for _ in range(2)]
    assert first[0] == first[1]
    assert set(first[0]) == {"chance"}


def test_weights_of_chance() -> None:
    start = kl.load("krone", players=2).initial()
    found = weights(start)
    assert list(found) == list(start.legal()["chance"])
    assert sum(found.values()) > len(found)
