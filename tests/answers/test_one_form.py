"""A command with ``--format json`` and an assistant give the same fields: those in the table of docs/reference/json.md."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from support import ROOT

from kaiser_logic.answers import handlers
from kaiser_logic.cli import main

RECORD = "examples/faults/many-rules.game"
MOVE = ("red", "buy(doctor,rejuvenate(elector(trier),15,couple))")


def fields_in_table() -> dict[str, set[str]]:
    """The fields of each kind of thing, as the page gives them."""
    page = (ROOT / "docs/reference/json.md").read_text(encoding="utf-8")
    rows = [line.split(" | ") for line in page.splitlines() if line.startswith("| ")]
    return {about.strip("| "): set(re.findall(r"`(\w+)`", fields)) for about, *_, fields in rows[1:]}


def printed(capsys: pytest.CaptureFixture[str], *args: str) -> Any:
    """The first object that a command prints."""
    main([*args, "--format", "json"])
    return json.loads(capsys.readouterr().out.splitlines()[0])


def asked(name: str, **data: object) -> Any:
    """The answer to a question of an assistant."""
    return getattr(handlers, name)(data)


def test_forms_are_the_same(capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    table = fields_in_table()
    text = Path(RECORD).read_text(encoding="utf-8")
    role, action = MOVE
    by_command = printed(capsys, "why", f"{RECORD}@0", f"{role}: {action}")
    answer = asked("why", record=text, moves=0, role=role, action=action)
    assert by_command["broken"] == answer["broken"]
    assert set(answer["broken"][0]) == table["a broken rule"]
    fault = printed(capsys, "check", RECORD)["faults"][0]
    assert fault == asked("check", record=text)["faults"][0]
    assert set(fault) - table["a broken rule"] == table["a fault of a record: a broken rule with its place"]
    assert {name: fault[name] for name in answer["broken"][0]} == answer["broken"][0]

    by_command = printed(capsys, "rules", "kaiser", "actions.doctor.tile")
    answer = asked("rules", game="kaiser", rule="actions.doctor.tile")
    assert by_command["rules"] == answer["rules"]
    assert set(answer["rules"][0]) == table["a rule"]
    [ruling] = printed(capsys, "rules", "kaiser", "archbishop_marriage")["rulings"]
    [kaiser] = [game for game in asked("games")["games"] if game["id"] == "kaiser"]
    assert ruling in kaiser["rulings"]
    assert set(ruling) == table["a ruling"]

    by_command = printed(capsys, "grep", "thalers(red,N)", RECORD)
    answer = asked("grep", record=text, query="thalers(red,N)")
    assert {name: by_command[name] for name in table["a match in a record"]} == {
        name: answer["matches"][0][name] for name in table["a match in a record"]
    }
