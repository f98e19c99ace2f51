"""A counterexample is confirmed only if the evaluation of its move breaks the claim."""

import pytest
from support.opened import changed, heap

from kaiser_logic.engine import symbols
from kaiser_logic.game import Game
from kaiser_logic.solving.questions import Setting, is_confirmed

FACTS = (
    "seat(red,1)",
    "seat(green,2)",
    "phase(play)",
    "heap(2)",
    "taken(red,10)",
    "took(green)",
    "decision(red,take)",
)


def replayed(game: Game, claim: str, *actions: tuple[str, str], facts: tuple[str, ...] = FACTS) -> bool:
    """Whether these actions break the claim from this position."""
    setting = Setting(game.ruleset)
    done = {role: symbols.read_symbol(action) for role, action in actions}
    return is_confirmed(
        setting.prover.theory, setting, claim, frozenset(map(symbols.read_symbol, facts)), done
    )


def test_a_move_that_breaks_the_invariant_is_confirmed(tmp_path):
    line = "del(took(Q))                 :- does(R,take(_)), took(Q), Q != R."
    mutant = changed(tmp_path, {line: ""})
    assert replayed(mutant, "one_taker", ("red", "take(1)"))
    assert not replayed(heap(), "one_taker", ("red", "take(1)"))


def test_an_illegal_action_confirms_nothing():
    assert not replayed(heap(), "vocabulary", ("red", "take(3)"))


@pytest.mark.parametrize(("heap_is", "confirms"), [(2, False), (0, True)])
def test_a_step_is_replayed(tmp_path, heap_is, confirms):
    mutant = changed(tmp_path, {"enter(over)                  :- due(pass_on), not holds_at_least(1).": ""})
    facts = (
        *(f for f in FACTS if f[:4] not in ("heap", "deci", "take")),
        f"heap({heap_is})",
        f"taken(red,{12 - heap_is})",
        "due(pass_on)",
    )
    assert replayed(mutant, "one_decision", facts=facts) == confirms
