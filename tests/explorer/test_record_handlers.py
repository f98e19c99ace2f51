"""Records that are opened, started and continued."""

from typing import Any

import pytest
from support import EXAMPLES, TINY
from support.places import GAMES, opened_record, place
from support.written import inserted

from kaiser_logic.answers.handlers import games
from kaiser_logic.errors import WrongUsage
from kaiser_logic.explorer.boards import boards
from kaiser_logic.explorer.record_handlers import (
    begin_record,
    examples,
    open_record,
    played_on,
    rearrange_record,
    start_game,
    went_on,
    write_record,
)
from kaiser_logic.notation.reading import parse_record
from kaiser_logic.notation.sources import read
from kaiser_logic.records.replay import Replay
from kaiser_logic.rules.library import SEARCH_PATH


@pytest.mark.sample(2)
@pytest.mark.parametrize(("name", "moves"), GAMES)
def test_steps_lead_to_the_positions_of_the_record(name, moves):
    record = read(EXAMPLES / name)
    for number in (0, 1, moves, len(record.moves)):
        assert set(place(name, number)["facts"]) == Replay.at(record, number).here().facts
    assert opened_record(name)["steps"][-1]["over"]
    assert opened_record(name)["result"].startswith("won by")
    assert opened_record(name)["faults"] == []


@pytest.mark.sample(2)
@pytest.mark.parametrize(("name", "moves"), GAMES)
def test_steps_say_their_part_of_the_game_and_the_points(name, moves):
    record = read(EXAMPLES / name)
    steps = opened_record(name)["steps"]
    assert len({step["part"] for step in steps}) > 2
    result = Replay.at(record, len(record.moves)).here().result()
    assert result is not None and steps[-1]["points"] == result.points


def test_long_records_are_fetched_in_parts():
    first = start_game({"tags": [["Game", "krone"]], "moves": 30, "seed": 5})
    facts: set[str] = set()
    for step in first["steps"]:
        facts = (facts - set(step["minus"])) | set(step["plus"])
    here = {"tags": first["tags"], "facts": sorted(facts), "pending": first["steps"][-1]["pending"]}
    more = played_on({**here, "moves": 10, "seed": 6})["steps"]
    assert len(more) >= 10
    assert more == played_on({**here, "moves": 10, "seed": 6})["steps"]
    made = [[step["role"], step["action"]] for step in more]
    answer = went_on({**here, "moves": made})
    assert (answer["steps"], answer["faults"]) == (more, [])


def test_moves_are_made_from_a_place():
    here = place("games/four-players.game", 60)
    record = read(EXAMPLES / "games/four-players.game")
    made = [[move.role, str(move.action)] for move in record.moves[60:63]]
    answer = went_on({**here, "moves": made})
    assert [step["action"] for step in answer["steps"]] == [action for _, action in made]
    facts = set(here["facts"])
    for step in answer["steps"]:
        facts = (facts - set(step["minus"])) | set(step["plus"])
    assert facts == Replay.at(record, 63).here().facts
    refused = went_on({**here, "moves": [made[0], ["red", "vote(rival)"]]})
    assert len(refused["steps"]) == 1
    assert refused["faults"][0]["moves"] == 1


def test_simultaneous_decisions_wait_for_each_other():
    name = "vive/random-4.game"
    number = next(n for n, step in enumerate(opened_record(name)["steps"]) if step["pending"])
    here = place(name, number)
    assert here["pending"]
    move = opened_record(name)["moves"][number]
    answer = went_on({**here, "moves": [move]})
    after = place(name, number + 1)
    facts = (set(here["facts"]) - set(answer["steps"][0]["minus"])) | set(answer["steps"][0]["plus"])
    assert facts == set(after["facts"])
    assert answer["steps"][0]["pending"] == after["pending"]


BOARDED = (EXAMPLES / "games" / "small-board.game").read_text(encoding="utf-8")
BOARD = (EXAMPLES / "games" / "boards" / "small.lp").read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_board_file_is_sent_with_its_record():
    answer = open_record({"text": BOARDED, "board": BOARD})
    assert answer["board"] == BOARD
    assert answer["faults"] == []
    assert set(_last(answer)) == Replay.at(read(EXAMPLES / "games" / "small-board.game")).here().facts
    other = open_record({"text": BOARDED, "board": BOARD.replace("aristocrat,3", "aristocrat,9")})
    assert other["board"] != BOARD
    with pytest.raises(WrongUsage, match="names none"):
        open_record({"text": '[Game "kaiser"]', "board": BOARD})


def _last(answer: Any) -> list[str]:
    facts: list[str] = []
    for step in answer["steps"]:
        facts = [fact for fact in facts if fact not in set(step["minus"])] + step["plus"]
    return facts


# -- variations and saving ---------------------------------------------------------------------------------

START = '[Game "kaiser"]\n[Seats "red green"]\n[Emperor "red"]\n\nchance: close(koeln)\n'
MAIN = f"{START}chance: close(boehmen)\n"
ONE = "% variation 1 after move 1\n% chance: close(pfalz)\n"
TWO = "% variation 2 after move 1\n% chance: close(no)\n"
ODD = "% variation 5 after move 1 of variation 4\n% chance: close(pfalz)\n"
KEPT = {
    "a note after it": f"{MAIN}\n{ONE}% Note: this was better\n",
    "a note in the middle": f"{START}{ONE}% why: the best reply\nchance: close(boehmen)\n% end\n",
    "illegal": f"{MAIN}\n{ONE.replace('pfalz', 'nowhere')}% red: pass\n",
    "the second of three": f"{MAIN}{ONE}{TWO}{ONE.replace('1 a', '3 a')}",
    "unknown parent": f"{MAIN}{ODD}{ONE}",
    "carriage returns": f"{MAIN}% note\n\n{ONE}".replace("\n", "\r"),
    "a mark": f"\ufeff{MAIN}\n{ONE}".replace("\n", "\r\n"),
    "real ones": f"{MAIN}( chance: close(pfalz) % so\n ( chance: close(no) ) )\n( chance: close(x) )\n",
    "mixed line ends, no last one": f"{START}\r\n\r\n\tchance :close( boehmen )\x0c% x\r%y",
}


@pytest.mark.parametrize("text", KEPT.values(), ids=KEPT)
def test_saving_changes_only_what_was_edited(text):
    answer = open_record({"text": text})
    assert answer["text"] == text
    assert write_record({"text": text, "lines": []})["text"] == text
    known = [["chance", "close(koeln)", ""], ["chance", "close(boehmen)", ""]]
    assert write_record({"text": text, "lines": [known]})["text"] == text
    for line in ([*known, ["red", "empire_city(mainz)", "so"]], [known[0], ["chance", "close(sachsen)", ""]]):
        saved = write_record({"text": text, "lines": [line]})["text"]
        assert inserted(text, saved)
        assert write_record({"text": saved, "lines": [line]})["text"] == saved
        again = open_record({"text": saved})
        assert len(again["variations"]) + len(again["steps"]) == len(answer["variations"]) + len(answer["steps"]) + 1


def test_variations_are_shown_with_their_faults_and_comments():
    answer = open_record({"text": KEPT["real ones"]})
    one, two, three = answer["variations"]
    assert [(v["line"], v["at"], v["name"]) for v in (one, two, three)] == [(0, 1, "1a"), (0, 1, "1b"), (1, 0, "1a.0a")]
    assert [(s["action"], s["comment"]) for s in one["steps"]] == [("close(pfalz)", "so")]
    assert (two["steps"], two["moves"]) == ([], [["chance", "close(x)"]])
    assert {fault["place"] for fault in answer["faults"]} == {"1b.0", "1a.0a.0"}


def test_a_record_that_goes_on_has_the_result_of_its_end():
    text = START.replace("\n\n", '\n[Result "*"] % so far\n\n')
    line = [["chance", "close(koeln)", ""], ["chance", "close(boehmen)", ""]]
    assert '[Result "*"] % so far' in write_record({"text": text, "lines": [line]})["text"]
    assert '[Result "red"] % so far' in write_record({"text": text, "lines": [line], "winners": ["red"]})["text"]
    assert '[Result "*"] % so far' in write_record({"text": text, "lines": [[line[1]]], "winners": ["red"]})["text"]


@pytest.mark.slow
def test_a_variation_is_promoted_and_moved_and_a_part_deleted():
    """The lines of play stay, the result is that of the record's new end; what is deleted can be played again."""
    text = (EXAMPLES / "games/four-players.game").read_text(encoding="utf-8")
    moves = [[move.role, str(move.action)] for move in parse_record(text).moves]
    line = [*moves[:3], ["yellow", "elector(pfalz)"]]
    written = write_record({"text": text, "lines": [[[*move, "so"] for move in line]]})["text"]
    promoted = rearrange_record({"text": written, "line": line, "change": "promote"})
    assert [[step["role"], step["action"]] for step in promoted["steps"][1:]] == line
    assert ["Result", "*"] in promoted["tags"]
    assert [step["comment"] for step in promoted["steps"]][-1] == "so"
    again = rearrange_record({"text": promoted["text"], "line": moves, "change": "promote"})
    assert again["moves"] == moves
    assert ["Result", "red"] in again["tags"]
    deleted = rearrange_record({"text": again["text"], "line": line, "change": "delete"})
    assert (deleted["moves"], deleted["variations"], deleted["faults"]) == (moves, [], [])
    second = [*moves[:3], ["yellow", "elector(mainz)"]]
    twice = write_record({"text": written, "lines": [[[*move, "then"] for move in second]]})["text"]
    moved = rearrange_record({"text": twice, "line": second, "change": "earlier"})
    assert [one["steps"][0]["comment"] for one in moved["variations"]] == ["then", "so"]
    assert rearrange_record({"text": moved["text"], "line": second, "change": "later"})["text"] == twice
    with pytest.raises(WrongUsage, match="no variation behind"):
        rearrange_record({"text": twice, "line": second, "change": "later"})
    shorter = rearrange_record({"text": text, "line": moves[:9], "change": "delete"})
    assert (shorter["moves"], shorter["faults"]) == (moves[:8], [])
    with pytest.raises(WrongUsage, match="does not have this move"):
        rearrange_record({"text": text, "line": line, "change": "delete"})


def test_other_rules_change_only_the_tags():
    text = KEPT["a mark"]
    answer = open_record({"text": text, "edition": "it", "options": [["convent_by_choice", "yes"]]})
    assert answer["text"] == text.replace(
        '[Game "kaiser"]', '[Game "kaiser"]\r\n[Edition "it"]\r\n[Option "convent_by_choice=yes"]'
    ) or answer["text"] == text.replace(
        '[Game "kaiser"]', '[Game "kaiser"]\r\n[Option "convent_by_choice=yes"]\r\n[Edition "it"]'
    )
    begins = begin_record({"tags": [["Game", "kaiser"]], "facts": ["round(1)", "seat(red,1)"]})["text"]
    assert begins == '[Game "kaiser"]\n\nposition {\n    round(1).\n    seat(red,1).\n}\n'


# The records that come with the package.
def test_each_game_has_examples_with_a_description():
    found = {one["game"]: one["records"] for one in examples({})["examples"]}
    assert {"kaiser", "krone", "staufer", "vive"} == set(found)
    labels = [record["label"] for records in found.values() for record in records]
    assert sum(map(bool, labels)) > 0.8 * len(labels)
    assert max(map(len, labels)) < 130


# The list of games that can be played.


@pytest.mark.parametrize(("name", "_"), GAMES)
def test_players_have_different_colours_and_letters(name, _):
    game = opened_record(name)["game"]
    assert len({fill for fill, _ in game["colours"].values()}) == len(game["seats"])
    assert len(set(game["letters"].values())) == len(game["seats"])
    assert [layout["width"] for layout in game["layouts"]] == sorted(
        (layout["width"] for layout in game["layouts"]), reverse=True
    )
    assert all(len(point) == 5 for layout in game["layouts"] for point in layout["places"].values())


def test_a_game_without_pictures_is_shown_as_text(monkeypatch):
    monkeypatch.setenv(SEARCH_PATH, str(TINY))
    answer = start_game({"tags": [["Game", "nim"]]})
    assert answer["game"]["layouts"] == []
    drawn = boards({"tags": answer["tags"], "states": [{"facts": answer["steps"][0]["plus"]}], "layout": "text"})
    assert "heap(" in drawn["pictures"][0]["text"]


def test_a_faulty_rulebook_does_not_hide_the_others(monkeypatch, tmp_path):
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "game.toml").write_text("id = ", encoding="utf-8")
    monkeypatch.setenv(SEARCH_PATH, str(tmp_path))
    found = {game["id"]: game for game in games({})["games"]}
    assert found["broken"]["problem"]
    assert "problem" not in found["kaiser"]
