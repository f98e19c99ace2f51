"""Rulebooks that the engine cannot evaluate correctly are not decided or refused."""

import pytest
from support import TINY
from support.heap_game import TOOK, changed, variant

import kaiser_logic as kl


@pytest.mark.slow
@pytest.mark.parametrize("under_ruling", [False, True])
def test_actions_that_are_illegal_only_together_are_not_listed(under_ruling, tmp_path):
    """Lists, counts and proofs would call each of two such actions legal. Nothing is decided about these rules."""
    when = ", ruling(gift,forbidden)" if under_ruling else ""
    rule = f'violates(R,show(up),"show") :- submitted(R,show(up)), submitted(Q,show(up)), R != Q{when}.'
    folder = variant(tmp_path, {}, TINY / "sealed", rule)
    game = kl.load(folder, options={"gift": "forbidden"})
    for ask in (game.initial().legal, lambda: kl.perft(game, 1), lambda: game.batch().play(2, seed=1)):
        with pytest.raises(kl.NotDecided, match="known only after an action is done"):
            ask()
    assert {proof.status for proof in game.prove(jobs=1).proofs} == {"undecided"}
    assert not game.initial().why("red", "show(up)")
    if under_ruling:
        assert kl.load(folder, options={"gift": "allowed"}).initial().legal()


@pytest.mark.parametrize("read", ["touched(heap)", "del(decision(R,_))"])
def test_effects_of_actions_cannot_forbid_candidates(read, tmp_path):
    """In a list of legal actions nothing is done, so such a rule would make illegal actions legal."""
    game = changed(tmp_path, {TOOK: f'{TOOK}\nviolates(R,A,"take.enough") :- candidate(R,A), {read}.'})
    with pytest.raises(kl.NotDecided, match="known only after an action is done"):
        game.initial().legal()


def test_what_all_actions_change_together_cannot_forbid_candidates(tmp_path):
    """Another role's action could lift the violation. Such a rulebook is refused as soon as it is read."""
    with pytest.raises(kl.FaultyRulebook, match="change/2 is what all actions change together"):
        changed(tmp_path, {TOOK: f'{TOOK}\nviolates(R,A,"take.enough") :- candidate(R,A), change(heap,_).'})


def test_places_are_checked_for_each_ruling(tmp_path):
    """A ruling moves a thing: the rulebook loads with one value and not with the other. ``lint`` examines only editions."""
    moved = "thing(shield,2,1) :- ruling(order,close).\nthing(shield,3,1) :- ruling(order,wide)."
    folder = variant(tmp_path, {"thing(shield,2,1).": moved}, TINY / "cards")
    with (folder / "game.toml").open("a", encoding="utf-8") as manifest:
        manifest.write('\n[rulings.order]\nabout = "order"\nvalues = { close = "a", wide = "b" }\nstandard = "close"\n')
    assert not [f for f in kl.lint(folder) if f.what == "things"]
    assert kl.load(folder).initial()
    with pytest.raises(kl.FaultyRulebook, match="places 1, 2"):
        kl.load(folder, options={"order": "wide"})
