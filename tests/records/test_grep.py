"""`kaiser-logic grep`: the positions of recorded games in which a query holds, as plain Python finds them in the facts."""

from __future__ import annotations

import csv
import io
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


def test_forms_of_answers(capsys: pytest.CaptureFixture[str]) -> None:
    """Values, moves around, counts, tables; the same with two processes."""
    query = "emperor(R), thalers(R,0), decision(R,turn)"
    path = str(GAMES / "four-players.game")
    assert main(["grep", query, path, "--context", "1", "--first"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        f"{path}@35: R = red",
        "    34  red: succeed(koeln,35,couple)",
        "  > 35  red: pass",
    ]
    assert main(["grep", query, str(GAMES), "--count", "--jobs", "2"]) == 0
    printed = capsys.readouterr()
    assert f"{path}: 4" in printed.out.splitlines()
    assert "in 5 of 5 records" in printed.err or "of 5 records" in printed.err
    assert main(["grep", query, path, "--format", "csv"]) == 0
    rows = list(csv.reader(io.StringIO(capsys.readouterr().out)))
    assert rows[0] == [path, "35", "R=red"]


def test_a_record_is_searched_up_to_its_fault(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = '[Game "kaiser"]\nred: empire_city(trier)\nred: pass\n[Game "vive"]\n'
    (tmp_path / "two.game").write_text(text, encoding="utf-8")
    file = str(tmp_path / "two.game")
    assert main(["grep", "empire_city(trier,_)", file]) == 2
    printed = capsys.readouterr()
    assert printed.out == f"{file}#1@1\n"
    assert "red: pass" in printed.err
    assert "records of vive are left out" in printed.err
    assert main(["grep", "no_such_thing(X)", file]) == 2
    assert main(["grep", "city(trier,_,_)", str(tmp_path / "nothing")]) == 2


def test_from_python() -> None:
    (result,) = kl.grep("round(2)", GAMES / "unfinished.game")
    assert result.positions > len(result.matches) > 0
    assert result.matches[0].place.startswith(str(GAMES / "unfinished.game@"))
    (one,) = kl.grep("round(2)", GAMES / "unfinished.game", first=True)
    assert one.matches == result.matches[:1]
