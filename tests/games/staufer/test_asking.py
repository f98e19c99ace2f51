"""Die Staufer: payments are structures that are not listed. See also soundness/games.cases."""

from pathlib import Path
from random import Random

import pytest

import kaiser_logic as kl
from kaiser_logic.engine import symbols
from kaiser_logic.engine.grounding import Grounding
from kaiser_logic.game import load
from kaiser_logic.transform.slicing import position_seeds

pytestmark = pytest.mark.by_hand

EXAMPLES = Path(__file__).parents[3] / "examples" / "staufer"


@pytest.mark.parametrize("noble_pays", ["yes", "no"])
def test_possible_deployments_agree_with_legal_actions(noble_pays):
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


def test_a_missing_payment_is_completed(tmp_path):
    text = (EXAMPLES / "two-envoys.game").read_text(encoding="utf-8")
    made = "deploy(aachen,1,noble,pay(e,e,x,x,x,e),walk,full,usual)"
    assert made in text
    record = tmp_path / "gap.game"
    record.write_text(text.replace(made, "?"), encoding="utf-8")
    completion = kl.complete(kl.read(record))
    assert completion.unique
    assert str(completion.records[0].moves[-1].action) == made
