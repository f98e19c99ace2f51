"""The command complete."""

from __future__ import annotations

import pytest
from support.commands import Run, Write
from support.played import ELECTION, HEAD

from kaiser_logic.completion import complete as completion
from kaiser_logic.notation.reading import parse_record


def test_the_only_completion(run: Run, write: Write) -> None:
    write(f"{ELECTION} green: vote(rival) yellow: ? assert {{ points(yellow,9). not points(yellow,10). }}")
    outcome = run("complete", "my.game")
    assert outcome.code == 0
    assert [str(move.action) for move in parse_record(outcome.out).moves] == ["vote(rival)", "vote(rival)"]
    assert outcome.err == "this is the only way\n"


def test_several_completions(run: Run, write: Write) -> None:
    outcome = run("complete", write(HEAD + "red: ?"))
    assert outcome.code == 0
    head, *differs = outcome.err.splitlines()
    assert head == "there is more than one way; another differs at"
    assert len(differs) == 1
    assert run("check", write(outcome.out)).code == 0


def test_no_completion(run: Run, write: Write) -> None:
    outcome = run("complete", write(HEAD + "red: ? assert { round(3). }"))
    assert (outcome.code, outcome.out) == (1, "")
    assert "the gaps cannot be filled so that everything is legal (proved)" in outcome.err


@pytest.mark.parametrize(
    ("records", "unique", "note"),
    [((HEAD,), True, "this is the only way"), ((), None, "so that everything is legal (proved")],
)
def test_the_limit_of_moves_is_said(
    run: Run,
    write: Write,
    monkeypatch: pytest.MonkeyPatch,
    records: tuple[str, ...],
    unique: bool | None,
    note: str,
) -> None:
    found = completion.Completion(tuple(map(parse_record, records)), unique, within=7)
    monkeypatch.setattr(completion, "complete", lambda *_, **__: found)
    outcome = run("complete", write(HEAD))
    assert f"{note}, with at most 7 moves between two positions" in outcome.err


def test_a_missing_file(run: Run, write: Write) -> None:
    write("")
    assert run("complete", "missing.game").code == 2
