"""Claims about moves are proved with the invariants, or refuted by a position and a move."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.heap_game import TOOK, variant
from support.proofs import report_on
from support.tables import rows

from kaiser_logic.engine import symbols
from kaiser_logic.errors import FaultyRulebook
from kaiser_logic.game import Game, load
from kaiser_logic.solving.moves import MoveClaims, claiming

TAKEN = """% Claims.
%! claim taken -- Who takes stones has them, all others have what they had.
takes(R,K)     :- does(R,take(K)).
wrong(taken,R) :- takes(R,K), not more(taken(R),K).
wrong(taken,R) :- more(taken(R),K), not takes(R,K).
"""
IN_TURN = """% Claims.
%! claim in_turn -- The left neighbour comes next, while there are stones.
wrong(in_turn,Q) :- due(pass_on), took(R), then(decision(Q,take)), not left(R,Q).
wrong(in_turn,x) :- due(pass_on), heap(N), N > 0, then(phase(over)).
"""
FALSE = """% Claims.
%! claim two -- Nobody takes three.
wrong(two,R) :- does(R,take(K)), K > 2.
%! claim kept -- The heap keeps one stone.
wrong(kept,N) :- then(heap(N)), N < 1.
"""
LISTED = 'files = ["vocabulary", "play", "invariants"]'
STATED = "%! invariant heap_stated"
SCORING = {
    '"phases", "decisions", "end"]': '"phases", "scoring", "decisions", "end"]',
    "stated(heap,1).": "stated(heap,1;points,2).\nfluent(points(R,N)) :- player(R), number(N).",
    "init(heap(12)).": "init(heap(12)).\ninit(points(R,0)) :- player(R).",
    TOOK: f"{TOOK}\nscore(R,1,three) :- does(R,take(3)).",
    STATED: "%! invariant points_stated -- Points are stated.\n"
    f"broken(points_stated,R) :- player(R), not points(R,_).\n{STATED}",
}
POINTS = """% Claims.
%! claim points -- Three stones bring a point.
threes(R)       :- does(R,take(3)).
wrong(points,R) :- threes(R), not more(points(R),1).
wrong(points,R) :- more(points(R),N), not threes(R).
"""
COMPARED = """% Claims.
%! claim points -- Nobody passes another.
wrong(points,R) :- then(points(R,N)), then(points(Q,M)), N > M, R != Q.
"""


def claimed(folder: Path, text: str, changes: dict[str, str] | None = None) -> Game:
    """The heap game with claims."""
    listed = {LISTED: f'{LISTED}\nclaims = ["claims"]'}
    target = variant(folder, listed | (changes or {}))
    (target / "claims.lp").write_text(text, encoding="utf-8")
    return load(target)


def scoring(folder: Path, text: str) -> Game:
    """The heap game with claims and points."""
    return claimed(folder, text, SCORING)


def found(game: Game, *names: str) -> dict[str, tuple[str, list]]:
    """The verdicts on claims about moves, with the counterexamples."""
    report = report_on(game, *names)
    return {p.claim: (p.status, p.counterexamples) for p in report.proofs if p.kind == "claim"}


@pytest.mark.slow
def test_a_true_claim_is_proved(tmp_path: Path) -> None:
    assert found(claimed(tmp_path, TAKEN)) == {"taken": ("proved", [])}


@pytest.mark.slow
def test_claims_about_steps_are_proved(tmp_path: Path) -> None:
    assert found(claimed(tmp_path, IN_TURN), "in_turn") == {"in_turn": ("proved", [])}


@pytest.mark.slow
def test_false_claims_are_refuted_by_moves(tmp_path: Path) -> None:
    fallen = found(claimed(tmp_path, FALSE))
    assert {c: s for c, (s, _) in fallen.items()} == {"two": "falls", "kept": "falls"}
    for _, examples in fallen.values():
        assert all(e.replayed for e in examples)
        assert any(e.actions for e in examples)


def test_a_claim_that_a_faulty_rule_breaks_is_refuted(tmp_path: Path) -> None:
    backwards = {"took(R), left(R,Q), holds_at_least(1).": "took(R), left(Q,R), holds_at_least(1)."}
    target = claimed(tmp_path, IN_TURN, backwards).book.folder
    assert found(load(target, players=3), "in_turn")["in_turn"][0] == "falls"


@pytest.mark.slow
def test_changes_of_unlimited_numbers_are_decided(tmp_path: Path) -> None:
    assert found(scoring(tmp_path, POINTS), "points") == {"points": ("proved", [])}


@pytest.mark.slow
def test_comparisons_of_unlimited_numbers_are_not_decided(tmp_path: Path) -> None:
    assert found(scoring(tmp_path, COMPARED), "points")["points"][0] != "proved"


def test_claims_are_evaluated_for_a_given_move(tmp_path: Path) -> None:
    game = claimed(tmp_path, FALSE)
    evaluator = claiming(game.evaluator)
    moves = MoveClaims(evaluator)
    start = evaluator.initial()
    assert set(moves.docs) == {"two", "kept"}
    assert moves.judge(start, (("red", symbols.read_symbol("take(3)")),)) == [("two", "red")]
    assert moves.judge(start, (("red", symbols.read_symbol("take(2)")),)) == []
    assert moves.judge(start, (("red", symbols.read_symbol("take(4)")),)) is None


def test_a_game_without_claims_is_unchanged() -> None:
    game = load("staufer")
    assert claiming(game.evaluator) is game.evaluator
    assert not MoveClaims(game.evaluator).docs


@pytest.mark.parametrize(("rule", "what"), rows(Path(__file__).with_name("claims.cases"), "mistake"))
def test_mistakes_in_claims_are_found(tmp_path: Path, rule: str, what: str) -> None:
    with pytest.raises(FaultyRulebook) as caught:
        claimed(tmp_path, f"{TAKEN}{rule}\n")
    assert what in {f.what for f in caught.value.findings}
    assert all(f.file.endswith("claims.lp") and f.line for f in caught.value.findings)
