"""Counters with negative values stay within their range, below and above."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.proofs import examined, statuses

from kaiser_logic.game import Game, load

pytestmark = pytest.mark.by_hand

FOLDER = Path(__file__).parents[1] / "support" / "debts"


ENDLESS = (
    "fluent(debt(R,-2..2))    :- player(R).",
    "fluent(debt(R,-N)) :- player(R), number(N).\nfluent(debt(R,N)) :- player(R), number(N).",
)
"""A change that removes the ends of the range of debts."""
FREE = (
    ('violates(R,borrow(K),"turn.few") :- candidate(R,borrow(K)), debt(R,N), N+K > 2.', ""),
    ('violates(R,borrow(K),"turn.more") :- candidate(R,borrow(K)), debt(R,N), N+K < -2.', ""),
    ("%! rule turn.few -- Nobody owes more than two.\n%!   why       too much\n", ""),
    ("%! rule turn.more -- Nobody is owed more than two.\n%!   why       too little\n", ""),
)
"""Changes that remove the rules against large debts."""
CALM = "broken(calm,R)           :- debt(R,3)."


def debts(folder: Path, *changes: tuple[str, str]) -> Game:
    """The game of debts with other lines; a missing line is an error."""
    target = folder / "debts"
    target.mkdir()
    found = set()
    for file in FOLDER.iterdir():
        text = file.read_text(encoding="utf-8")
        for old, new in changes:
            if old in text:
                text = text.replace(old, new)
                found.add(old)
        (target / file.name).write_text(text, encoding="utf-8")
    assert found == {old for old, _ in changes}
    return load(target)


def verdicts(folder: Path, *changes: tuple[str, str]) -> dict[str, str]:
    """The verdicts on all claims of the game with other lines."""
    return statuses(debts(folder, *changes).prove())


@pytest.mark.slow
def test_a_signed_counter_may_become_negative(tmp_path: Path) -> None:
    assert set(verdicts(tmp_path).values()) == {"proved"}


@pytest.mark.slow
@pytest.mark.parametrize("limit", ["N+K > 2", "N+K < -2"])
def test_a_counter_that_leaves_its_range_is_found(limit: str, tmp_path: Path) -> None:
    found = verdicts(tmp_path, (limit, "N > K+9"))
    assert found["vocabulary"] == "falls"
    assert "proved" not in found.values() or found["count"] != "falls"


@pytest.mark.slow
def test_an_unsigned_counter_may_not_become_negative(tmp_path: Path) -> None:
    found = verdicts(tmp_path, ("signed(debt,2).", "stated(debt,2)."))
    assert found["count"] == "falls" or found["vocabulary"] == "falls"


@pytest.mark.slow
def test_a_counter_without_a_lower_end_is_not_decided(tmp_path: Path) -> None:
    found = verdicts(tmp_path, ENDLESS)
    assert found["calm"] != "proved"
    assert "falls" not in {found["count"], found["vocabulary"]}


# -- counters without ends -------------------------------------------------------------------------------------------


def endless(folder: Path, *lines: str, bound: int = 3) -> dict[str, tuple[str, str]]:
    """The verdicts on all claims, with the first note, if debts have no ends and these lines define ``calm``."""
    bounded = ("default_players = 2", f"default_players = 2\nbound = {bound}")
    game = debts(folder, ENDLESS, *FREE, (CALM, "\n".join(lines)), bounded)
    return {p.claim: (p.status, " ".join(p.notes[:1])) for p in game.prove().proofs}


@pytest.mark.sample(6)
@pytest.mark.parametrize(
    "lines",
    [
        ("broken(calm,R) :- player(R), not debt(R,_).",),
        ("broken(calm,R) :- player(R), #count{ Q : debt(Q,_) } != 2.",),
        ("broken(calm,R) :- debt(R,N), most(M), N >= M.", "most(M) :- seat(_,M), M > 2."),  # this is never so
        ("broken(calm,R) :- most(M), debt(R,M).", "most(M) :- seat(_,M), M > 2."),
    ],
)
def test_claims_about_numbers_that_are_never_compared_are_proved(
    lines: tuple[str, ...], tmp_path: Path
) -> None:
    assert {status for status, _ in endless(tmp_path, *lines).values()} == {"proved"}


@pytest.mark.sample(10)
@pytest.mark.parametrize(
    ("line", "bound", "status"),
    [
        ("broken(calm,R) :- debt(R,N), N < -10.", 3, "falls"),  # the prover takes a larger bound
        ("broken(calm,R) :- debt(R,N), N < -10.", 12, "falls"),
        ("broken(calm,R) :- debt(R,N), N <= -4.", 3, "falls"),  # one move leads there
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
        ("broken(calm,R) :- debt(R,N), N < -1000.", 3, "undecided"),  # no bound is as large as that
        ("broken(calm,R) :- debt(R,N), N*N > 400.", 3, "undecided"),
        ("broken(calm,R) :- debt(R,N), N < M-40, seat(R,M).", 3, "falls"),
    ],
)
def test_comparisons_of_endless_numbers_are_refuted_or_not_decided(
    line: str, bound: int, status: str, tmp_path: Path
) -> None:
    """A long game breaks each of these invariants."""
    found, note = endless(tmp_path, line, bound=bound)["calm"]
    assert found == status
    assert status == "falls" or "it depends on" in note


def test_a_change_beyond_the_bound_is_not_decided(tmp_path: Path) -> None:
    """A move leads from -50 to a positive number. No examined position shows this."""
    calm = (CALM, "broken(calm,R) :- debt(R,N), N = 1, deep(R).")
    leap = (
        "add(decision(Q,turn))    :-",
        "fluent(deep(R)) :- player(R).\nadd(deep(R)) :- does(R,borrow(-1)), debt(R,N), N < -1.\n"
        "gain(debt(R),5,leap) :- does(R,borrow(0)), deep(R).\nadd(decision(Q,turn))    :-",
    )
    assert verdicts(tmp_path, ENDLESS, *FREE, calm, leap)["calm"] != "proved"


@pytest.mark.slow
def test_a_limit_for_endless_counters_is_not_proved(tmp_path: Path) -> None:
    """Eleven would exceed the limit of ten. No examined position has as many."""
    line = (
        "broken(calm,R) :- player(R), not debt(R,_).\nlimit(all,0,10).\ncounts(all,debt(R),N) :- debt(R,N)."
    )
    found = endless(tmp_path, line)
    assert "proved" not in {found[claim][0] for claim in ("limit", "calm")}
    assert "all counts debt" in found["limit"][1]


@pytest.mark.slow
def test_a_large_loss_of_an_endless_counter_refutes_nothing() -> None:
    """The counter has no lower end and loses a thousand at once. The position afterwards is valid."""
    found = statuses(load(FOLDER.parent / "points").prove(jobs=1))
    assert "falls" not in found.values()
    assert found["count"] == "undecided"


def test_a_change_beyond_the_bound_is_noticed_without_the_claim_about_the_vocabulary() -> None:
    """A loss of a thousand leads from 1,002 to 2. No examined position shows this."""
    found = examined(load(FOLDER.parent / "points"), "burn", "two")
    assert found.trouble
    assert "beyond" in (found.reason or "")
