"""The names of claims that are proved for every game are reserved."""

import pytest
from support.heap_game import variant

from kaiser_logic.errors import FaultyRulebook
from kaiser_logic.game import load
from kaiser_logic.rules.predicates import ALWAYS, CLAIMS, ENUMERATION, RANGE
from kaiser_logic.rules.rulebook import ENGINE_DOCS

FILES = 'files = ["vocabulary", "play", "invariants"]'


def test_all_reserved_names_are_known():
    of_positions = {id for id in ENGINE_DOCS if "." not in id}
    assert {*ALWAYS, RANGE, ENUMERATION, *of_positions} == CLAIMS


@pytest.mark.parametrize("name", sorted(CLAIMS))
def test_a_claim_with_a_reserved_name_is_refused(tmp_path, name):
    """Its verdict would replace that of the claim with this name."""
    folder = variant(tmp_path, {FILES: f'{FILES}\nclaims = ["claims"]'})
    text = f"%! claim {name} -- Nobody takes three.\nwrong({name},R) :- does(R,take(3)).\n"
    (folder / "claims.lp").write_text(text, encoding="utf-8")
    with pytest.raises(FaultyRulebook, match=f"called {name}"):
        load(folder)
