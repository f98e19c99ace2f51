"""Claims about moves: what is wrong with them, and what one move breaks. What is proved: `soundness/moves.cases`."""

from pathlib import Path

import pytest
from support.heap_game import variant
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
FALSE = """% Claims.
%! claim two -- Nobody takes three.
wrong(two,R) :- does(R,take(K)), K > 2.
%! claim kept -- The heap keeps one stone.
wrong(kept,N) :- then(heap(N)), N < 1.
"""
LISTED = 'files = ["vocabulary", "play", "invariants"]'


def claimed(folder: Path, text: str) -> Game:
    target = variant(folder, {LISTED: f'{LISTED}\nclaims = ["claims"]'})
    (target / "claims.lp").write_text(text, encoding="utf-8")
    return load(target)


def test_claims_are_evaluated_for_a_given_move(tmp_path):
    game = claimed(tmp_path, FALSE)
    evaluator = claiming(game.evaluator)
    moves = MoveClaims(evaluator)
    start = evaluator.initial()
    assert set(moves.docs) == {"two", "kept"}
    assert moves.judge(start, (("red", symbols.read_symbol("take(3)")),)) == [("two", "red")]
    assert moves.judge(start, (("red", symbols.read_symbol("take(2)")),)) == []
    assert moves.judge(start, (("red", symbols.read_symbol("take(4)")),)) is None


def test_a_game_without_claims_is_unchanged():
    game = load("staufer")
    assert claiming(game.evaluator) is game.evaluator
    assert not MoveClaims(game.evaluator).docs


@pytest.mark.parametrize(("rule", "what"), rows("solving/claims", "mistake"))
def test_mistakes_in_claims_are_found(tmp_path, rule, what):
    with pytest.raises(FaultyRulebook) as caught:
        claimed(tmp_path, f"{TAKEN}{rule}\n")
    assert what in {f.what for f in caught.value.findings}
    assert all(f.file.endswith("claims.lp") and f.line for f in caught.value.findings)
