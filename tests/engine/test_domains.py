"""The vocabulary determines the actions of a kind and the values of their arguments."""

from __future__ import annotations

import clingo
from support.opened import heap

from kaiser_logic.engine import symbols
from kaiser_logic.engine.domains import argument_domains, kind_actions

RULES = heap().ruleset


def test_actions_of_a_kind_and_values_of_their_arguments() -> None:
    (kind,) = RULES.book.kinds
    assert list(map(symbols.text, kind_actions(RULES, kind))) == ["take(1)", "take(2)", "take(3)"]
    (values,) = argument_domains(RULES, kind)
    assert values == [clingo.Number(n) for n in (1, 2, 3)]
