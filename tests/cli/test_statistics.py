"""Counts of what happened in recorded games, against counts by hand."""

from __future__ import annotations

import doctest
import json
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path

from support.commands import Run
from support.places import EXAMPLES

import kaiser_logic as kl
from kaiser_logic.records import statistics as module
from kaiser_logic.records.statistics import spread
from kaiser_logic.reports.statistics_picture import picture


def archive(folder: Path) -> Path:
    """Random games of krone's and kaiser's examples, one cut short, one with a fault, and an unreadable text."""
    two = (EXAMPLES / "games" / "two-players.game").read_text(encoding="utf-8")
    short = "".join(line for line in two.splitlines(keepends=True)[:30] if "[Result" not in line)
    text = "\n\n".join([two, short, f"{short}\nred: nonsense\nred: pass", '[Game "kaiser"] red: ('])
    (folder / "all.game").write_text(text, encoding="utf-8")
    return folder


def test_counts_agree_with_counts_by_hand(tmp_path: Path) -> None:
    assert doctest.testmod(module).failed == 0
    found = kl.statistics(archive(tmp_path))
    assert len(found.unreadable) == 1
    (game,) = found.games
    assert (game.game, game.players, game.finished, game.unfinished, game.faulty) == ("kaiser", 2, 1, 1, 1)
    records = [kl.read(tmp_path / f"all.game#{n}") for n in (1, 2, 3)]
    records[2] = records[1]
    seats = ("chance", *(records[0].seats or ()))
    for number, role in enumerate(seats):
        moves = [m.action.name for r in records for m in r.moves if m.role == role and m.action]
        assert dict(game.seats[number].actions) == dict(sorted(Counter(moves).items()))
        assert game.seats[number].moves == len(moves)
    result = kl.check(records[0]).result
    assert result is not None
    assert [seat.wins for seat in game.seats[1:]] == [role in result.winners for role in seats[1:]]
    assert [seat.points for seat in game.seats[1:]] == [result.points[role] for role in seats[1:]]
    lengths = Counter(len(r.moves) for r in records)
    assert game.lengths == dict(sorted(lengths.items()))
    assert spread({1: 2, 4: 1, 5: 1}) == (1, 2.5, 2.75, 5)
    drawn = ET.fromstring(picture(found))
    said = [one.text for one in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert {"kaiser, 2 players", "seat 1", "buy"} <= set(said)


def test_the_command_prints_tables_json_and_a_picture(run: Run, tmp_path: Path) -> None:
    text = '[Game "kaiser"] [Seats "red green blue"]\nred: empire_city(boehmen)\n( red: pass )\n'
    file = tmp_path / "a.game"
    file.write_text(text * 3, encoding="utf-8")
    outcome = run("statistics", str(file))
    assert outcome.code == 0
    assert outcome.out.splitlines() == [
        "kaiser, 3 players: 3 records: 3 unfinished; moves: 1 to 1, median 1, mean 1.0",
        "              seat 1  seat 2  seat 3",
        "games won     0       0       0",
        "points, mean  -       -       -",
        "moves         3       0       0",
        "empire_city   3       0       0",
    ]
    assert json.loads(run("statistics", str(file), "--format", "json").out)["games"][0]["lengths"] == {"1": 3}
    assert run("statistics", str(file), "--format", "svg").out.startswith("<svg")
    assert run("statistics", str(tmp_path / "no.game")).code == 2
