"""Counters with negative values stay within their range, below and above."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.proofs import examined

from kaiser_logic.game import load

FOLDER = Path(__file__).parents[1] / "support" / "debts"


def statuses(folder: Path, old: str = "", new: str = "") -> dict[str, str]:
    """The verdicts on all claims of the game with another line."""
    target = folder / "debts"
    target.mkdir()
    for file in FOLDER.iterdir():
        text = file.read_text(encoding="utf-8")
        (target / file.name).write_text(text.replace(old, new) if old else text, encoding="utf-8")
    return {p.claim: p.status for p in load(target).prove().proofs}


@pytest.mark.slow
def test_a_signed_counter_may_become_negative(tmp_path: Path) -> None:
    assert set(statuses(tmp_path).values()) == {"proved"}


@pytest.mark.slow
@pytest.mark.parametrize("limit", ["N+K > 2", "N+K < -2"])
def test_a_counter_that_leaves_its_range_is_found(limit: str, tmp_path: Path) -> None:
    found = statuses(tmp_path, limit, "N > K+9")
    assert found["vocabulary"] == "falls"
    assert "proved" not in found.values() or found["count"] != "falls"


@pytest.mark.slow
def test_an_unsigned_counter_may_not_become_negative(tmp_path: Path) -> None:
    found = statuses(tmp_path, "signed(debt,2).", "stated(debt,2).")
    assert found["count"] == "falls" or found["vocabulary"] == "falls"


@pytest.mark.slow
def test_a_counter_without_a_lower_end_is_not_decided(tmp_path: Path) -> None:
    found = statuses(
        tmp_path,
        "fluent(debt(R,-2..2))    :- player(R).",
        "fluent(debt(R,-N)) :- player(R), number(N).\nfluent(debt(R,N)) :- player(R), number(N).",
    )
    assert found["calm"] != "proved"
    assert "falls" not in {found["count"], found["vocabulary"]}


# -- counters without ends -------------------------------------------------------------------------------------------

ENDLESS = (
    "fluent(debt(R,-2..2))    :- player(R).",
    "fluent(debt(R,-N)) :- player(R), number(N).\nfluent(debt(R,N)) :- player(R), number(N).",
)
FREE = (
    ('violates(R,borrow(K),"turn.few") :- candidate(R,borrow(K)), debt(R,N), N+K > 2.', ""),
    ('violates(R,borrow(K),"turn.more") :- candidate(R,borrow(K)), debt(R,N), N+K < -2.', ""),
    ("%! rule turn.few -- Nobody owes more than two.\n%!   why       too much\n", ""),
    ("%! rule turn.more -- Nobody is owed more than two.\n%!   why       too little\n", ""),
)
"""Changes that remove the rules against large debts."""
CALM = "broken(calm,R)           :- debt(R,3)."


def endless(folder: Path, *lines: str, bound: int = 3) -> dict[str, tuple[str, str]]:
    """The verdicts on all claims, with the first note, if debts have no ends and these lines define ``calm``."""
    target = folder / "debts"
    target.mkdir()
    for file in FOLDER.iterdir():
        text = file.read_text(encoding="utf-8")
        for old, new in (ENDLESS, *FREE, (CALM, "\n".join(lines))):
            assert file.suffix != ".lp" or old in text, old
            text = text.replace(old, new)
        if file.name == "game.toml":
            text = text.replace("default_players = 2", f"default_players = 2\nbound = {bound}")
        (target / file.name).write_text(text, encoding="utf-8")
    return {p.claim: (p.status, " ".join(p.notes[:1])) for p in load(target).prove().proofs}


@pytest.mark.sample(6)
@pytest.mark.parametrize(
    "lines",
    [
        ("broken(calm,R) :- player(R), not debt(R,_).",),
        ("broken(calm,R) :- player(R), #count{ Q : debt(Q,_) } != 2.",),
        ("broken(calm,R) :- debt(R,N), most(M), N >= M.", "most(M) :- seat(_,M), M > 2."),  # which is never
        ("broken(calm,R) :- most(M), debt(R,M).", "most(M) :- seat(_,M), M > 2."),
    ],
)
def test_what_is_never_compared_may_have_any_value(lines: tuple[str, ...], tmp_path: Path) -> None:
    assert {status for status, _ in endless(tmp_path, *lines).values()} == {"proved"}


@pytest.mark.sample(10)
@pytest.mark.parametrize(
    ("line", "bound", "status"),
    [
        ("broken(calm,R) :- debt(R,N), N < -10.", 3, "falls"),  # a larger bound is taken
        ("broken(calm,R) :- debt(R,N), N < -10.", 12, "falls"),
        ("broken(calm,R) :- debt(R,N), N <= -4.", 3, "falls"),  # one leads there
        ("broken(calm,R) :- debt(R,N), N <= -5.", 3, "falls"),
        ("broken(calm,R) :- debt(R,-7).", 3, "falls"),
        ("broken(calm,R) :- debt(R,-7).", 9, "falls"),
        ("broken(calm,R) :- debt(R,N), N > 10.", 3, "falls"),
        ("broken(calm,R) :- debt(R,N), N > 10.", 12, "falls"),
        ("broken(calm,R) :- debt(R,N), N >= 4.", 3, "falls"),
        ("broken(calm,R) :- debt(R,N), N >= 5.", 3, "falls"),
        ("broken(calm,R) :- debt(R,7).", 3, "falls"),
        ("broken(calm,R) :- debt(R,N), debt(Q,N+9), R != Q.", 3, "falls"),
        ("broken(calm,R) :- debt(R,N), debt(Q,M), N < M-20.", 3, "undecided"),
        ("broken(calm,x) :- #sum{ N,R : debt(R,N) } < -30.", 3, "undecided"),
        ("broken(calm,R) :- debt(R,N), N < -1000.", 3, "undecided"),  # so large a one is not
        ("broken(calm,R) :- debt(R,N), N*N > 400.", 3, "undecided"),
        ("broken(calm,R) :- debt(R,N), N < M-40, seat(R,M).", 3, "falls"),
    ],
)
def test_what_a_number_without_an_end_is_compared_with_is_looked_at(
    line: str, bound: int, status: str, tmp_path: Path
) -> None:
    """Each of these falls in a long game."""
    found, note = endless(tmp_path, line, bound=bound)["calm"]
    assert found == status
    assert status == "falls" or "it depends on" in note


def test_a_change_beyond_the_bound_is_not_decided(tmp_path: Path) -> None:
    """From -50 to above 0 in one move: no position that is looked at shows it."""
    folder = tmp_path / "debts"
    folder.mkdir()
    for file in FOLDER.iterdir():
        text = file.read_text(encoding="utf-8")
        for old, new in (ENDLESS, *FREE, (CALM, "broken(calm,R) :- debt(R,N), N = 1, deep(R).")):
            text = text.replace(old, new)
        text = text.replace(
            "add(decision(Q,turn))    :-",
            "fluent(deep(R)) :- player(R).\nadd(deep(R)) :- does(R,borrow(-1)), debt(R,N), N < -1.\n"
            "gain(debt(R),5,leap) :- does(R,borrow(0)), deep(R).\nadd(decision(Q,turn))    :-",
        )
        (folder / file.name).write_text(text, encoding="utf-8")
    assert {p.claim: p.status for p in load(folder).prove().proofs}["calm"] != "proved"


@pytest.mark.slow
def test_a_limit_of_what_has_no_end_is_not_proved(tmp_path: Path) -> None:
    """Eleven of a limit of ten: no position that is looked at has so many."""
    line = (
        "broken(calm,R) :- player(R), not debt(R,_).\nlimit(all,0,10).\ncounts(all,debt(R),N) :- debt(R,N)."
    )
    found = endless(tmp_path, line)
    assert "proved" not in {found[claim][0] for claim in ("limit", "calm")}
    assert "all counts debt" in found["limit"][1]


@pytest.mark.slow
def test_what_loses_more_than_any_bound_falls_of_nothing() -> None:
    """Points without an end below, of which a thousand go at once: the position after it is valid."""
    found = {p.claim: p.status for p in load(FOLDER.parent / "points").prove(jobs=1).proofs}
    assert "falls" not in found.values()
    assert found["count"] == "undecided"


def test_a_change_beyond_what_is_looked_at_is_seen_without_the_claim_of_the_vocabulary() -> None:
    """From 1,002 a thousand are lost: then there are two. No position that is looked at shows it."""
    found = examined(load(FOLDER.parent / "points"), "burn", "two")
    assert found.trouble
    assert "beyond" in (found.reason or "")
