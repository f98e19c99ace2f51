"""`kaiser-logic grep`: the positions of recorded games in which a query holds, one after the other."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from support import ROOT

import kaiser_logic as kl
from kaiser_logic.cli import main
from kaiser_logic.records.replay import Replay

GAMES = ROOT / "examples" / "games"
QUESTIONS = (
    "thalers(R,N), N > 9", "phase(over)", "emperor(R), not elector(_,R,_,_)", "legal(_,pass)",
    "count{R : thalers(R,0)} >= 2",
)  # fmt: skip


def positions(path: Path) -> Iterator[tuple[int, kl.Position]]:
    record = kl.read(path)
    for moves in range(len(record.moves) + 1):
        replay = Replay.at(record, moves)
        if not replay.pending:
            yield moves, replay.here()


@pytest.mark.sample(3)
@pytest.mark.parametrize("query", QUESTIONS)
def test_answers_are_those_at_each_position(query, capsys):
    path = GAMES / "unfinished.game"
    wanted = [f"{path}@{moves}" for moves, position in positions(path) if position.query(query)]
    code = main(["grep", query, str(path), "--format", "json", "--jobs", "1"])
    printed = [json.loads(line)["place"] for line in capsys.readouterr().out.splitlines()]
    assert (code, printed) == (0 if wanted else 1, wanted)


def test_from_python():
    (result,) = kl.grep("round(2)", GAMES / "unfinished.game")
    assert result.positions > len(result.matches) > 0
    assert result.matches[0].place.startswith(str(GAMES / "unfinished.game@"))
    (one,) = kl.grep("round(2)", GAMES / "unfinished.game", first=True)
    assert one.matches == result.matches[:1]
