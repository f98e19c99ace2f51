"""`kaiser-logic grep`: the positions of recorded games in which a query holds, as plain Python finds them in the facts."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import kaiser_logic as kl
from kaiser_logic.cli import main
from kaiser_logic.records.replay import Replay

ROOT = Path(__file__).parents[2]
GAMES = ROOT / "examples" / "games"
THALERS = re.compile(r"thalers\((\w+),(\d+)\)")

QUESTIONS: list[tuple[str, Callable[[kl.Position], bool]]] = [
    ("thalers(R,N), N > 9", lambda p: any(int(m[2]) > 9 for m in map(THALERS.fullmatch, p.facts) if m)),
    ("phase(over)", lambda p: not p.to_move),
    (
        "emperor(R), not elector(_,R,_,_)",
        lambda p: (
            not any(
                re.match(rf"elector\(\w+,{role},", fact)
                for role in re.findall(r"emperor\((\w+)\)", " ".join(p.facts))
                for fact in p.facts
            )
        ),
    ),
    ("legal(_,pass)", lambda p: any("pass" in actions for actions in p.legal().values())),
    (
        "count{R : thalers(R,0)} >= 2",
        lambda p: sum(m[2] == "0" for m in map(THALERS.fullmatch, p.facts) if m) >= 2,
    ),
]


def positions(path: Path) -> Iterator[tuple[int, kl.Position]]:
    record = kl.read(path)
    for moves in range(len(record.moves) + 1):
        replay = Replay.at(record, moves)
        if not replay.pending:
            yield moves, replay.here()


@pytest.mark.parametrize(("query", "holds"), QUESTIONS, ids=[query for query, _ in QUESTIONS])
def test_answers_are_those_of_plain_python(
    query: str, holds: Callable[[kl.Position], bool], capsys: pytest.CaptureFixture[str]
) -> None:
    path = GAMES / "unfinished.game"
    wanted = [f"{path}@{moves}" for moves, position in positions(path) if holds(position)]
    code = main(["grep", query, str(path), "--format", "json", "--jobs", "1"])
    printed = [json.loads(line)["place"] for line in capsys.readouterr().out.splitlines()]
    assert (code, printed) == (0 if wanted else 1, wanted)


def test_from_python() -> None:
    (result,) = kl.grep("round(2)", GAMES / "unfinished.game")
    assert result.positions > len(result.matches) > 0
    assert result.matches[0].place.startswith(str(GAMES / "unfinished.game@"))
    (one,) = kl.grep("round(2)", GAMES / "unfinished.game", first=True)
    assert one.matches == result.matches[:1]
