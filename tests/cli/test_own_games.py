"""Games outside the package: the search path, folders as GAME, records under other rules, drawn games."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from support.commands import Run
from support.heap_game import INDIFFERENT, MISERE, STATED, variant
from support.own_games import DRAW, RECORD, own_game

import kaiser_logic as kl
from kaiser_logic.notation.reading import parse_record

ELSEWHERE = RECORD.replace("heap", "mound")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder with a record; the search path is empty."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("KAISER_LOGIC_GAMES", raising=False)
    Path("my.game").write_text(RECORD)
    Path("mound.game").write_text(ELSEWHERE)
    return tmp_path


@pytest.fixture
def listed(here: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The same folder, with a game ``mound`` on the search path after a folder that does not exist."""
    (here / "games").mkdir()
    own_game(here / "games")
    monkeypatch.setenv("KAISER_LOGIC_GAMES", os.pathsep.join(["nowhere", str(here / "games")]))
    return here


def test_a_folder_of_the_name_is_the_game(run: Run, here: Path) -> None:
    variant(here, {})
    assert run("rules", "heap", "take").code == 0
    assert run("rules", "heap/").out.startswith("Heap (an example)\n")
    assert run("play", "heap", "--random", "--seed", "1").out.startswith('[Game "heap"]')
    assert run("find", "heap", "heap(1)").code == 0


def test_games_of_the_package_come_before_folders(run: Run, here: Path) -> None:
    (here / "kaiser").mkdir()
    (here / "kaiser" / "game.toml").write_text("")
    assert run("rules", "kaiser", "setup").code == 0
    assert run("rules", "kaiser/", "setup").code == 2


def test_games_on_the_search_path_are_found(run: Run, listed: Path) -> None:
    assert "mound" in kl.games()
    assert kl.load("mound", players=3).initial().to_move == ("red",)
    assert run("check", "mound.game").code == 0
    assert run("check", "--jobs", "2", "mound.game", "mound.game").err.startswith(
        "2 records: 2 without fault\n"
    )
    assert run("why", "mound.game@1", "green: take(1)").code == 0
    assert run("position", "mound.game").code == 0
    assert run("lint", "mound").code == 0


def test_records_find_no_folder_without_the_search_path(run: Run, here: Path) -> None:
    own_game(here)
    outcome = run("check", "mound.game")
    assert outcome.code == 2
    assert outcome.out.startswith("mound.game:1:2: there is no game 'mound'; the games are: ")
    assert kl.read("mound.game").source is None


@pytest.mark.parametrize("name", ["./mound", "mound/", "..", "/tmp", "games/mound"])
def test_records_cannot_name_folders(run: Run, listed: Path, name: str) -> None:
    Path("bad.game").write_text(RECORD.replace("heap", name))
    outcome = run("check", "bad.game")
    assert outcome.code == 2 and "there is no game" in outcome.out


def test_a_folder_must_have_the_name_of_its_game(run: Run, listed: Path) -> None:
    (listed / "games" / "mound").rename(listed / "games" / "pile")
    outcome = run("rules", "pile")
    assert outcome.code == 2
    assert "game.toml:1:1: manifest: the game's id is 'mound'" in outcome.err


def test_games_of_the_package_come_before_the_search_path(listed: Path) -> None:
    (listed / "games" / "mound").rename(listed / "games" / "kaiser")
    assert kl.load("kaiser").book.folder.parent != listed / "games"


def test_the_nearest_name_is_suggested_for_unknown_games(run: Run, here: Path) -> None:
    Path("bad.game").write_text('[Game "Krone & Schwert"]\nred: pass\n')
    outcome = run("check", "bad.game")
    assert outcome.code == 2
    assert "there is no game 'Krone & Schwert'; did you mean 'krone'? the games are: " in outcome.out
    assert "kaiser (Im Schatten des Kaisers), krone (Krone & Schwert)" in outcome.out


# -- records under other rules ---------------------------------------------------------------------------------


def test_records_under_the_rules_of_a_folder(run: Run, here: Path) -> None:
    variant(here, {"amount(1..3).": "amount(1..2)."})
    outcome = run("check", "--game", "heap", "my.game", "mound.game", "--on-illegal", "skip", "--jobs", "2")
    assert outcome.code == 1
    assert outcome.out.count("action.unknown") == 8
    assert run("why", "--game", "heap", "my.game@0", "red: take(3)").code == 1
    assert run("moves", "--game", "heap", "my.game@0").out == "red: take(1)\nred: take(2)\n"
    assert run("show", "--game", "heap", "my.game@0").code == 0
    assert run("check", "--game", "nothing/", "my.game").code == 2


def test_records_under_another_edition_or_ruling(run: Run, here: Path) -> None:
    variant(here, {})
    Path("won.game").write_text(RECORD.replace("\n", '\n[Result "green"]\n', 1))
    assert run("check", "--game", "heap", "won.game").code == 0
    outcome = run("check", "--game", "heap", "--option", "last_stone=loses", "won.game")
    assert outcome.code == 1 and "record.result" in outcome.out and "won by red" in outcome.out
    outcome = run("check", "--game", "heap", "--edition", "latin", "won.game")
    assert outcome.code == 2 and not outcome.out and "has no edition 'latin'" in outcome.err
    outcome = run("check", "--game", "heap", "--option", "first=red", "won.game")
    assert outcome.code == 2 and not outcome.out and "has no ruling 'first'" in outcome.err


FALSE = {
    STATED: f"{STATED}\nbroken(heap_stated,N) :- heap(N), N \\ 2 = 0.\nbroken(heap_stated,N) :- heap(N), N \\ 2 = 1."
}
"""Changes after which an invariant holds nowhere."""


@pytest.mark.parametrize(
    "command",
    ["find heap heap(3)", "compare heap --editions standard,misere", "complete gap.game --game heap"],
)
def test_nothing_follows_from_false_invariants(run: Run, here: Path, command: str) -> None:
    variant(here, {**FALSE, **MISERE, **(INDIFFERENT if command.startswith("compare") else {})})
    Path("gap.game").write_text(
        RECORD.partition("\n")[0]
        + "\nposition { seat(red,1). seat(green,2). heap(3). decision(red,take). }\n"
    )
    found = run(*command.split())
    assert (found.code, found.out) == (2, "")
    assert "the start of heap breaks the invariant heap_stated (12): it is false" in found.err
    assert run("find", "heap", "heap(3)", "--reachable", "9").code == 0


def test_under_changes_only_what_is_given() -> None:
    text = '[Game "kaiser"] [Edition "nl"] [Option "a=1"] [Option "b=2"]\nred: pass'
    record = parse_record(text)
    other = record.under("krone", "it", {"b": "3", "c": "4"})
    assert (other.source, other.edition, other.options) == ("krone", "it", {"a": "1", "b": "3", "c": "4"})
    assert (other.game_id, other.moves) == ("kaiser", record.moves)
    assert record.under() == record
    with pytest.raises(kl.WrongUsage, match="there is no game 'chess'"):
        kl.check(record.under("chess"))


def test_records_that_do_not_fit_the_rules_are_faulty(run: Run, here: Path) -> None:
    variant(here, {})
    Path("five.game").write_text(RECORD.replace("\n", '\n[Seats "red green blue yellow"]\n', 1))
    outcome = run("check", "--game", "heap", "five.game")
    assert outcome.code == 1
    assert "five.game:2:2: record.tag: [Seats" in outcome.out


# -- drawn games -----------------------------------------------------------------------------------------------


def test_drawn_games_are_played_and_checked(run: Run, here: Path) -> None:
    variant(here, DRAW)
    played = run("play", "heap", "--random", "--seed", "1")
    assert played.code == 0 and '[Result ""]\n' in played.out
    Path("drawn.game").write_text(played.out)
    assert run("check", "--game", "heap", "drawn.game").code == 0
    assert run("complete", "--game", "heap", "drawn.game").code == 0
    assert "a draw, nobody has won" in run("moves", "--game", "heap", "drawn.game").err


@pytest.mark.parametrize(
    ("result", "drawn", "whole", "ok"),
    [
        ("", True, True, True),
        (" ", True, True, True),
        ("*", True, True, False),
        ("red", True, True, False),
        ("", False, True, False),
        ("", True, False, False),
        ("*", True, False, True),
    ],
)
def test_results_of_drawn_games(here: Path, result: str, drawn: bool, whole: bool, ok: bool) -> None:
    folder = variant(here, DRAW if drawn else {})
    text = RECORD.replace("\n", f'\n[Result "{result}"]\n', 1)
    record = parse_record(text if whole else text.rpartition("red:")[0]).under(folder)
    assert [fault.rule for fault in kl.check(record).faults] == ([] if ok else ["record.result"])
    assert kl.complete(record).impossible is not ok


def test_the_last_move_of_a_drawn_game_is_completed(here: Path) -> None:
    text = RECORD.replace("\n", '\n[Result ""]\n', 1).replace("green: take(3)\n", "green: ?\n")
    record = parse_record(text)
    assert record.drawn
    drawn = kl.complete(record.under(variant(here, DRAW)))
    assert [str(r.moves[-1].action) for r in drawn.records] == ["take(3)"]
