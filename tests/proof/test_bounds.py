"""Sums stay within their stated bounds, or a position is given in which one does not."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support.opened import changed

from kaiser_logic.errors import NotDecided
from kaiser_logic.game import Game, load
from kaiser_logic.proof import bounds
from kaiser_logic.proof.bounds import exceeding, exceeds, sums
from kaiser_logic.proof.prover import Prover
from kaiser_logic.rules.loader import asp_folder
from kaiser_logic.rules.reader import rule_of
from kaiser_logic.rules.rule import Rule
from kaiser_logic.symbolic.domains import domains

SOUND = load("kaiser")


def income(game: Game) -> Rule:
    """The rule for somebody's income."""
    (rule,) = [r for r in sums(game.ruleset) if r.heads[0].name == "income"]
    return rule


@pytest.mark.long
def test_a_bound_that_is_too_low_is_found(tmp_path: Path) -> None:
    folder = tmp_path / "kaiser"
    shutil.copytree(asp_folder() / "kaiser", folder)
    path = folder / "income.lp"
    path.write_text(path.read_text(encoding="utf-8").replace("bound(income,11+3*N)", "bound(income,8)"))
    spoilt = load(folder)
    sorts = domains(spoilt.ruleset)
    assert exceeds(spoilt.ruleset, income(spoilt), sorts) is not None
    assert exceeds(SOUND.ruleset, income(SOUND), sorts) is None


@pytest.mark.slow
@pytest.mark.sample(8)
@pytest.mark.parametrize(
    ("gathered", "most", "status"),
    [
        ("#count{ R,K : taken(R,K) }", 1, "falls"),
        ("#count{ R,K : taken(R,K) }", 3, "proved"),
        ("#max{ K : taken(_,K) }", 3, "falls"),
        ("#sum+{ K,R : taken(R,K) }", 3, "falls"),
    ],
)
@pytest.mark.parametrize("effort", [None, 0])
def test_bounds_of_all_that_is_gathered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gathered: str, most: int, status: str, effort: int | None
) -> None:
    """Also where sums are written as clauses, as that of what is hard are."""
    if effort is not None:
        monkeypatch.setattr(bounds, "_AS_IT_IS", effort)
    rule = f"bound(in_all,{most}).\nin_all(N) :- bound(in_all,M), N <= M, N = {gathered}."
    game = changed(
        tmp_path, {"stated(heap,1).": f"stated(heap,1).\n{rule}\nbroken(heap_stated,x) :- in_all(N), N < 0."}
    )
    found = {p.claim: p.status for p in Prover(game.evaluator).run(workers=1).proofs}
    assert found["bound of in_all"] == status


STATED = "stated(heap,1)."
GATHERED = "in_hand(R,N) :- player(R), bound(in_hand,M), N <= M, N = #sum{{ K : taken(R,K){more} }}."


def in_hand(folder: Path, most: int, more: str = "", facts: str = "") -> Game:
    """The heap game with what each player has as a sum, which is to have a bound."""
    rule = f"bound(in_hand,{most}). {facts}\n{GATHERED.format(more=more)}"
    return changed(folder, {STATED: f"{STATED}\n{rule}\nbroken(heap_stated,x) :- in_hand(_,N), N < 0."})


def of_hands(game: Game) -> bool:
    """Whether some sum exceeds its bound."""
    (rule,) = sums(game.ruleset)
    return exceeds(game.ruleset, rule, domains(game.ruleset)) is not None


@pytest.mark.parametrize("effort", [0, 20_000])
@pytest.mark.parametrize(("most", "falls"), [(11, True), (12, False)])
def test_a_sum_of_each_seat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int, falls: bool, effort: int
) -> None:
    monkeypatch.setattr(bounds, "_AS_IT_IS", effort)
    assert of_hands(in_hand(tmp_path, most)) == falls


UNLIKE = {
    "a role named": ("; 1,more : R = green", ""),
    "by its number": ("; 1,more : seat(R,2)", ""),
    "by its order": ("; 1,more : player(Q), Q > R", ""),
    "by a table": ("; 1,more : lucky(R)", "lucky(green)."),
}
"""What makes the sum of a seat that is not the first one larger."""


@pytest.mark.parametrize(("more", "facts"), UNLIKE.values(), ids=UNLIKE)
def test_the_sum_of_another_seat_is_not_missed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: str, facts: str
) -> None:
    game = in_hand(tmp_path, 12, more, facts)
    if "Q > R" in more:  # the first in order: of the seats that is the second
        assert min(game.ruleset.seats) == game.ruleset.seats[1]
    monkeypatch.setattr(bounds, "_AS_IT_IS", 0)
    assert of_hands(game)


@pytest.mark.parametrize("effort", [0, 20_000])
def test_the_sum_of_somebody_without_a_seat_is_not_missed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, effort: int
) -> None:
    """Where roles stand others may stand."""
    monkeypatch.setattr(bounds, "_AS_IT_IS", effort)
    rules = (
        "holder(R) :- player(R). holder(bank). fluent(gold(R,1..3)) :- holder(R). bound(inc,2). init(gold(bank,3)).\n"
        "inc(R,N) :- holder(R), bound(inc,M), N <= M, N = #sum { K : gold(R,K) }.\n"
        "broken(heap_stated,x) :- player(R), gold(R,3). broken(heap_stated,x) :- inc(_,N), N < 0."
    )
    assert of_hands(changed(tmp_path, {STATED: f"{STATED}\n{rules}"}))


@pytest.mark.parametrize(
    ("body", "asked"),
    [
        (
            "A = #count { Q : p(Q) }; N <= M; N = #sum { K : g(R,K) }",
            "A = #count { Q : p(Q) }; M < #sum { K : g(R,K) }",
        ),
        (
            "N = #sum { K : g(R,K) }; A = #count { Q : p(Q) }; N <= M",
            "A = #count { Q : p(Q) }; M < #sum { K : g(R,K) }",
        ),
        ("N = #sum { K : g(R,K) }", "M < #sum { K : g(R,K) }"),
        ("M >= N; N = #sum { K : g(R,K) }; 0 < N; h(R)", "h(R); M < #sum { K : g(R,K) }"),
    ],
)
def test_what_the_bound_is_compared_with_is_asked(body: str, asked: str) -> None:
    rule = rule_of(f"inc(R,N) :- player(R); bound(inc,M); {body}.")
    assert exceeding(rule).partition("bound(inc,M); ")[2] == f"{asked}.".replace(" : ", ": ")


@pytest.mark.parametrize(
    "body",
    [
        "A = #count { Q : p(Q) }; N = #sum { K : g(R,K) }",
        "A = #count { Q : p(Q) }; A <= M; N = #sum { K : g(R,K) }; N <= M",
        "A = #count { Q : p(Q) }; has(R,N); N <= M",
    ],
)
def test_where_that_is_not_seen_nothing_is_decided(body: str) -> None:
    with pytest.raises(NotDecided, match="which sum"):
        exceeding(rule_of(f"inc(R,N) :- player(R); bound(inc,M); {body}."))


def ranged(folder: Path, red: int) -> Game:
    """The heap game with ranges for what each player has."""
    ranges = f"range(hand(red),0,{red}). range(hand(green),0,12).\ncounts(hand(R),taken(R),N) :- taken(R,N)."
    read = "broken(heap_stated,x) :- total(hand(_),N), N < 0."
    return changed(folder, {STATED: f"{STATED}\n{ranges}\n{read}"})


@pytest.mark.parametrize("red", [12, 11])
def test_ranges_are_asked_one_by_one_where_all_at_once_are_hard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, red: int
) -> None:
    """What leaves only that of the last seat is found."""
    game, asked = ranged(tmp_path, red), list[int]()
    monkeypatch.setattr(bounds, "_TOGETHER", 0)
    plain = bounds._outside

    def told(*given: object) -> object:
        asked.append(len(list(given[3])))  # type: ignore[call-overload]
        return plain(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(bounds, "_outside", told)
    found = bounds.leaves_range(game.ruleset, domains(game.ruleset))
    assert asked == [2, 1, 1]
    assert (found is None) == (red == 12)
    assert found is None or "hand(red)" in found.witness


ENGINE = 'engine = ["table", "phases", "decisions", "end"]'
ABOUT_PENDING = {
    "decisions": ("#count{ R : decision(R,take) }", "", 1),
    "steps": ("#count{ S : due(S) }", "", 1),
    "through another rule": ("#count{ R : busy(R) }", "busy(R) :- decision(R,_).", 1),
    "through a total": (
        "#sum{ K : total(busy,K) }",
        "limit(busy,0,1). counts(busy,R,1) :- decision(R,_).",
        1,
    ),
    "steps that have no sort": ("#sum{ K,R : taken(R,K), not due(pass_on) }", "", 12),
}


@pytest.mark.parametrize(("gathered", "more", "most"), ABOUT_PENDING.values(), ids=ABOUT_PENDING)
def test_a_sum_of_what_is_pending(tmp_path: Path, gathered: str, more: str, most: int) -> None:
    """In a position in which nothing is pending it would be nothing."""
    for bound, falls in ((most, False), (most - 1, True)):
        rule = f"bound(sums,{bound}). {more}\nsums(N) :- bound(sums,M), N <= M, N = {gathered}.\n"
        (folder := tmp_path / str(bound)).mkdir()
        read = "broken(heap_stated,x) :- sums(N), N < 0."
        game = changed(folder, {STATED: f"{STATED}\n{rule}{read}"})
        assert of_hands(game) == falls


def test_a_total_of_what_is_pending_empties_no_position(tmp_path: Path) -> None:
    """Somebody decides, or something is due: in a position without either the limit would leave nothing."""
    always = "limit(busy,1,1). counts(busy,R,1) :- decision(R,_). counts(busy,S,1) :- due(S)."
    still = "counts(busy,over,1) :- phase(over)."
    game = in_hand(tmp_path, 11, facts=f"{always}\n{still}")
    assert of_hands(game)


def test_a_range_of_what_is_pending(tmp_path: Path) -> None:
    ranges = "range(busy,0,0). counts(busy,R,1) :- decision(R,_)."
    read = "broken(heap_stated,x) :- total(busy,N), N < 0."
    game = changed(tmp_path, {STATED: f"{STATED}\n{ranges}\n{read}"})
    assert bounds.leaves_range(game.ruleset, domains(game.ruleset)) is not None


def test_what_is_never_pending_at_once_is_no_counterexample(tmp_path: Path) -> None:
    """Without an invariant of the rulebook's own only the way games go says that nobody decides while a step is due."""
    changes = {
        ENGINE: 'engine = ["table", "phases", "end"]',
        "may_decide(R,take)     :- player(R), phase(play), holds_at_least(1).": "",
        STATED: f"{STATED}\nbound(sums,2).\nsums(N) :- bound(sums,M), N <= M, N = #count{{ R : decision(R,_) ; S : due(S) }}.\n"
        "broken(heap_stated,x) :- sums(N), N < 0.",
    }
    with pytest.raises(NotDecided, match="step pass_on and take at once"):
        of_hands(changed(tmp_path, changes))


@pytest.mark.parametrize("act", ["does(R,take(_))", "made(R,take)", "candidate(R,take(_))", "taking(R)"])
def test_a_sum_of_moves_is_not_decided(tmp_path: Path, act: str) -> None:
    """Nobody acts in the positions that are looked at, and the sum would never be made."""
    rules = "bound(cost,1). taking(R) :- made(R,take).\n"
    rules += f"cost(R,N) :- {act}, bound(cost,M), N <= M, N = #sum{{ K,Q : taken(Q,K) }}."
    read = "del(took(R)) :- cost(R,77), made(R,take)."
    with pytest.raises(NotDecided, match="a sum of moves"):
        of_hands(changed(tmp_path, {STATED: f"{STATED}\n{rules}\n{read}"}))
