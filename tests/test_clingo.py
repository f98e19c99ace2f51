"""What clingo refuses, leaves open or interrupts reaches the user as one exception, and nothing else is printed."""

from collections.abc import Sequence

import pytest

from kaiser_logic import clingo
from kaiser_logic.engine.grounding import EngineProgram, Grounding, Undecided
from kaiser_logic.rules.loader import parse_rules


def test_only_the_exception_reports_what_clingo_cannot_ground(capfd):
    with pytest.raises(RuntimeError, match=r"unsafe"):
        clingo.ground("here(X) :- not at(X).", ())
    assert capfd.readouterr() == ("", "")


def test_an_undecided_atom_is_an_error():
    open_ = Grounding(EngineProgram(tuple(parse_rules("a :- not b. b :- not a.")), frozenset(), ()), [])
    with pytest.raises(Undecided):
        open_.get("a", 0)
    assert set(open_.undecided_atoms()) == {"a", "b"}


class _Interrupted(clingo.Observer):
    """The user interrupts the process after some ground rules."""

    def __init__(self, rules: int) -> None:
        self.left = rules

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        self.left -= 1
        if self.left < 0:
            raise KeyboardInterrupt


@pytest.mark.parametrize("rules", range(4))
def test_an_interrupt_within_an_observer_stays_an_interrupt(rules):
    """Two facts, then two rules: clingo's backend reports an error without a message for the facts."""
    facts = [clingo.Function("q", [clingo.Number(n)]) for n in (1, 2)]
    with pytest.raises(KeyboardInterrupt):
        clingo.ground("p(X) :- q(X).", facts, observer=_Interrupted(rules))


def test_the_message_of_an_overflow_names_no_function_of_clingo():
    with pytest.raises(RuntimeError, match=r"^Value too large"):
        clingo.ground("{a(1..3)}. x :- #sum{1000000000,X : a(X)} > 2.", ())
