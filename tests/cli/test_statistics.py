"""Counts of what happened in recorded games, against counts by hand."""

import doctest
import xml.etree.ElementTree as ET
from collections import Counter
from pathlib import Path

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


def test_counts_agree_with_counts_by_hand(tmp_path):
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
