"""Die Staufer: find and complete. Payments are structures that are not listed."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import kaiser_logic as kl
from kaiser_logic.engine import symbols
from kaiser_logic.engine.grounding import Grounding
from kaiser_logic.errors import NotDecided
from kaiser_logic.game import load
from kaiser_logic.transform.slicing import position_seeds

pytestmark = pytest.mark.by_hand

EXAMPLES = Path(__file__).parents[3] / "examples" / "staufer"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("players", "query"),
    [
        (2, "decision(R,turn), not can_deploy(R,_,_)"),
        (2, "owns(red,brown,10), decision(red,turn)"),
        (2, "sits(G,S,1,R,_), sits(G,S,2,R,_), sits(G,I,1,Q,_), sits(G,I,2,Q,_), R != Q"),
        (2, "owns(R,first,5), owns(R,swap,6), owns(R,nomove,6), owns(R,cheap,5), owns(R,stay,6)"),
        (2, "sits(G,S,1,R,_), sits(G,S,2,R,_), sits(G,I,2,Q,_), I = S+1, R != Q"),
        (4, "rank(G,R,1), strength(G,R,1), rank(G,_,4)"),
    ],
)
def test_positions_by_property(players: int, query: str) -> None:
    assert load("staufer", players=players).find(query)


@pytest.mark.slow
def test_one_envoy_is_never_ahead_of_three_of_another_player() -> None:
    ahead = "rank(G,R,I), rank(G,Q,K), I < K, strength(G,R,1)"
    assert load("staufer", players=3).find(f"{ahead}, strength(G,Q,N), N >= 3") == ()
    assert load("staufer", players=3).find(ahead)


@pytest.mark.slow
def test_legal_deployments_are_refused_by_name_and_one_is_judged() -> None:
    game = load("staufer", players=2)
    with pytest.raises(NotDecided, match="too many deploy"):
        game.find("legal(R,deploy(_,_,_,_,_,_,_))")
    one = "deploy(augsburg,1,envoy,pay(e,e,x,x,x,x),walk,full,usual)"
    assert game.find(f"violates(red,{one},deploy.court), decision(red,turn)")


@pytest.mark.parametrize("noble_pays", ["yes", "no"])
def test_possible_deployments_agree_with_legal_actions(noble_pays: str) -> None:
    game = load("staufer", players=3, options={"noble_pays": noble_pays})
    program = game.ruleset.program("can_deploy", position_seeds, [("can_deploy", 3)])
    random, position, compared = Random(3), game.initial(), 0
    while position.decisions and compared < 6:
        ((role, actions),) = position.legal().items()
        deployed = [a for a in actions if a.startswith("deploy(")]
        if f"decision({role},turn)" in position.facts:
            listed = {tuple(a.partition("(")[2].split(",")[:2]) for a in deployed}
            deployable = Grounding(program, position.symbols).get("can_deploy", 3)
            assert {tuple(map(symbols.text, s.arguments[1:])) for s in deployable} == listed
            compared += 1
        position = position.apply({role: random.choice(deployed or actions)})
    assert compared == 6


def test_a_missing_payment_is_completed(tmp_path: Path) -> None:
    text = (EXAMPLES / "two-envoys.game").read_text(encoding="utf-8")
    made = "deploy(aachen,1,noble,pay(e,e,x,x,x,e),walk,full,usual)"
    assert made in text
    record = tmp_path / "gap.game"
    record.write_text(text.replace(made, "?"), encoding="utf-8")
    completion = kl.complete(kl.read(record))
    assert completion.unique
    assert str(completion.records[0].moves[-1].action) == made
