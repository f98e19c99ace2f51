"""The claim that the enumeration misses no legal action, also for structured arguments that are too many to list."""

from pathlib import Path

import pytest
from support.heap_game import SHIFT, changed
from support.proofs import examined, report_on
from support.rulebook_cases import entries

from kaiser_logic.engine import domains
from kaiser_logic.errors import NotDecided
from kaiser_logic.game import Game
from kaiser_logic.rules.predicates import ENUMERATION
from kaiser_logic.solving import positions

pytestmark = pytest.mark.slow

HANDS = entries(Path(__file__).with_name("hands.cases"))[0].lines
"""The heap game in which a player takes stones with both hands: an action's argument is a structure of two parts."""
OFFERED = "fills(Y,K), amount(K)."
LABEL = "take(hands(I,J))"


@pytest.fixture(autouse=True)
def small_limit(monkeypatch):
    """Sets the limit so low that hands are too many to list."""
    monkeypatch.setattr(positions, "LISTED", 2)


def hands(folder: Path, **changes: str) -> Game:
    """The heap game with both hands and other lines."""
    return changed(folder, {**HANDS, **changes})


def test_claims_that_need_no_list_of_structures_are_proved(tmp_path):
    report = report_on(hands(tmp_path))
    assert "enumeration" in {p.claim for p in report.proofs}
    assert {p.claim for p in report.proofs if p.status != "proved"} <= {"legal action at take"}


def test_a_counter_that_both_players_gain_is_refuted(tmp_path):
    both = {SHIFT: "shift(heap,taken(Q),K,taken) :- does(R,take(Y)), held(Y,K), player(Q)."}
    assert "count" not in examined(hands(tmp_path), LABEL).broken
    (folder := tmp_path / "both").mkdir()
    assert "count" in examined(hands(folder, **both), LABEL).broken


def test_a_missing_structure_is_found(tmp_path):
    narrow = {k: v.replace(OFFERED, "fills(Y,K), amount(K), K < 3.") for k, v in HANDS.items()}
    example = examined(changed(tmp_path, narrow), LABEL, ENUMERATION).broken[ENUMERATION]
    assert example.replayed
    assert example.actions[0][1] in ("take(hands(1,2))", "take(hands(2,1))")


def test_a_query_that_needs_the_list_is_refused_by_name(tmp_path, monkeypatch):
    monkeypatch.setattr(domains, "_LISTED", 2)
    game = hands(tmp_path)
    with pytest.raises(NotDecided, match=r"too many take\(hands\(I,J\)\)"):
        game.find("legal(red,take(_))")
    assert game.find("violates(red,take(hands(2,1)),_), heap(2)")
