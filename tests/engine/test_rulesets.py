"""The rules in force, one object for each configuration."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support.edits import TINY
from support.opened import changed

import kaiser_logic as kl


@pytest.mark.slow
@pytest.mark.parametrize("of_ruling", [False, True])
def test_what_is_illegal_only_together_is_not_listed(of_ruling: bool, tmp_path: Path) -> None:
    """Lists, counts and proofs took each of two moves that are illegal together for legal: nothing is decided of such rules."""
    folder = shutil.copytree(TINY / "sealed", tmp_path / "sealed")
    when = ", ruling(gift,forbidden)" if of_ruling else ""
    with (folder / "rules.lp").open("a", encoding="utf-8") as rules:
        rules.write(
            f'violates(R,show(up),"show") :- submitted(R,show(up)), submitted(Q,show(up)), R != Q{when}.\n'
        )
    game = kl.load(folder, options={"gift": "forbidden"})
    for ask in (game.initial().legal, lambda: kl.perft(game, 1), lambda: game.batch().play(2, seed=1)):
        with pytest.raises(kl.NotDecided, match="known only after an action is done"):
            ask()
    assert {proof.status for proof in game.prove(jobs=1).proofs} == {"undecided"}
    assert not game.initial().why("red", "show(up)")
    if of_ruling:
        assert kl.load(folder, options={"gift": "allowed"}).initial().legal()


@pytest.mark.parametrize(
    "read", ["touched(heap)", "change(heap,_)", "not change(heap,0)", "del(decision(R,_))"]
)
def test_what_the_engine_makes_of_what_is_done_is_not_known_before(read: str, tmp_path: Path) -> None:
    """Such a violation was listed as if nothing were done: what is illegal was legal, or the other way round."""
    took = "add(took(R))                 :- does(R,take(_))."
    game = changed(tmp_path, {took: f'{took}\nviolates(R,A,"take.enough") :- candidate(R,A), {read}.'})
    with pytest.raises(kl.NotDecided, match="known only after an action is done"):
        game.initial().legal()


@pytest.mark.parametrize("place", [1, 3])
def test_things_have_places_one_after_the_other(place: int, tmp_path: Path) -> None:
    """With a gap, or a place twice, ``legal`` listed too few sets: that the enumeration misses none was called proved."""
    folder = shutil.copytree(TINY / "cards", tmp_path / "cards")
    rules = (folder / "rules.lp").read_text(encoding="utf-8")
    changed = rules.replace("thing(shield,2,1)", f"thing(shield,{place},1)")
    assert changed != rules
    (folder / "rules.lp").write_text(changed, encoding="utf-8")
    with pytest.raises(kl.FaultyRulebook, match="places 1, 2") as caught:
        kl.load(folder)
    (finding,) = caught.value.findings
    assert (finding.what, finding.line) == ("things", 2)


def test_of_each_reading(tmp_path: Path) -> None:
    """A ruling that moves a thing: the rulebook loads under the one, and not under the other; ``lint`` looks at editions."""
    folder = shutil.copytree(TINY / "cards", tmp_path / "cards")
    rules = (folder / "rules.lp").read_text(encoding="utf-8")
    moved = "thing(shield,2,1) :- ruling(order,close).\nthing(shield,3,1) :- ruling(order,wide)."
    (folder / "rules.lp").write_text(rules.replace("thing(shield,2,1).", moved), encoding="utf-8")
    with (folder / "game.toml").open("a", encoding="utf-8") as manifest:
        manifest.write(
            '\n[rulings.order]\nabout = "order"\nvalues = { close = "one", wide = "other" }\nstandard = "close"\n'
        )
    assert not [f for f in kl.lint(folder) if f.what == "things"]
    assert kl.load(folder).initial()
    with pytest.raises(kl.FaultyRulebook, match="places 1, 2"):
        kl.load(folder, options={"order": "wide"})
