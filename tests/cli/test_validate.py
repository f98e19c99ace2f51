"""The command validate."""

from __future__ import annotations

import pytest
from support.commands import Run, Write
from support.played import ELECTION, HEAD, VOTE


def test_validate_accepts_valid_positions(run: Run, write: Write) -> None:
    assert run("validate", write(ELECTION)).code == 0
    assert run("validate", write(VOTE)).code == 0
    assert run("validate", write(f"position {{{VOTE}}}"), "--game", "kaiser", "--edition", "it").code == 0


def test_validate_reports_broken_invariants(run: Run, write: Write) -> None:
    outcome = run("validate", write(VOTE + "emperor(red)."))
    assert outcome.code == 1
    assert "my.game: one_emperor: One player is emperor. (emperor)\n" in outcome.out
    outcome = run("validate", write(VOTE + "\nemperor(nobody)."))
    assert outcome.code == 1
    assert "my.game:25:1: vocabulary: " in outcome.out or "emperor(nobody)" in outcome.out


@pytest.mark.parametrize("fact", ["points(red,16).", "thalers(red,7)."])
def test_validate_reports_a_missing_counter(run: Run, write: Write, fact: str) -> None:
    assert fact in VOTE
    outcome = run("validate", write(VOTE.replace(fact, "")))
    assert outcome.code == 1
    missing = fact.partition(",")[0] + ",_)"
    assert (
        f"my.game: count: A counter has at most one value, and exactly one if it must always be stated. ({missing})"
        in outcome.out
    )


def test_validate_reports_a_missing_round(run: Run, write: Write) -> None:
    outcome = run("validate", write(VOTE.replace("round(5).", "")))
    assert outcome.code == 1
    assert "my.game: one_round: The round is one of five. (round)" in outcome.out


@pytest.mark.parametrize(
    "text",
    [
        "",
        "seat(red,1).",
        HEAD,
        "seat(red,?). round(1). empire_city(trier,1). elector(a,b,c,d).",
        "a :- b.",
        "#script (python) print(1) #end.",
        ELECTION.replace("]", '] [Edition "latin"]', 1),
        ELECTION.replace("kaiser", "chess"),
        ELECTION * 2,
    ],
)
def test_validate_refuses_other_texts(run: Run, write: Write, text: str) -> None:
    outcome = run("validate", write(text))
    assert outcome.code in ({1, 2} if text == "seat(red,1)." else {2})


def test_validate_takes_the_game_from_the_record(run: Run, write: Write) -> None:
    assert run("validate", write(ELECTION), "--players", "3").code == 2
    assert run("validate", write(ELECTION), "--edition", "it").code == 0
    assert run("validate", write(ELECTION), "--edition", "latin").code == 2


@pytest.mark.slow
def test_big_numbers_in_positions_are_judged(run: Run, write: Write) -> None:
    text = VOTE.replace("points(green,20)", "points(green,999999999)")
    assert run("validate", write(text)).code == 0
    assert run("validate", write(text.replace("(green,999999999)", "(green,-999999999)"))).code == 1
    assert run("validate", write(VOTE + "".join(f"points(red,{n})." for n in range(3000)))).code == 1
