"""Programs are grounded correctly, with as few rules as possible."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from kaiser_logic import clingo
from kaiser_logic.engine import symbols
from kaiser_logic.engine.grounding import EngineProgram, Grounding, Undecided
from kaiser_logic.rules.loader import parse_rules

RULES = """
    big(N) :- heap(N), N > 5.
    wet(X) :- rain, out(X).
    dry(X) :- out(X), not rain.
    twice(X) :- wet(X).
    here(red) :- at(red).
    there(X) :- at(X), not at(red).
    gone :- not at(_).
"""


def program(text: str = RULES, static: str = "") -> EngineProgram:
    """The rules as a program. Its inputs are the predicates that no rule derives."""
    rules = tuple(parse_rules(text))
    heads = {h.signature for rule in rules for h in rule.heads}
    read = {a.signature for rule in rules for a in (*rule.positive, *rule.negative)} - heads
    facts = tuple(map(symbols.read_symbol, static.split()))
    return EngineProgram(rules, frozenset(read) - {symbols.signature(s) for s in facts}, facts)


def atoms(facts: str, name: str, arity: int, of: EngineProgram | None = None) -> set[str]:
    """The derived atoms of one predicate, as texts."""
    found = Grounding(of or program(), map(symbols.read_symbol, facts.split())).get(name, arity)
    return set(map(symbols.text, found))


def test_derived_atoms_are_read_by_signature() -> None:
    assert atoms("heap(7)", "big", 1) == {"big(7)"}
    assert atoms("heap(3)", "big", 1) == set()
    assert atoms("rain out(cat)", "twice", 1) == {"twice(cat)"}
    assert atoms("out(cat)", "dry", 1) == {"dry(cat)"}
    assert atoms("", "gone", 0) == {"gone"}


def test_facts_that_no_rule_reads_are_left_out() -> None:
    assert atoms("heap(7) sun(1)", "sun", 1) == set()


def test_static_facts_are_part_of_the_program() -> None:
    assert atoms("out(cat)", "wet", 1, program(static="rain")) == {"wet(cat)"}


@pytest.mark.parametrize(
    ("facts", "fired"),
    [
        ("heap(7)", {"big", "gone"}),
        ("rain out(cat)", {"wet", "twice", "gone"}),
        ("out(cat)", {"dry", "gone"}),
        ("at(red)", {"here"}),
        ("at(blue)", {"there"}),
    ],
)
def test_only_rules_that_can_fire_are_grounded(facts: str, fired: set[str]) -> None:
    """Every rule costs time, even one that derives nothing. Constants in a body are compared with the facts."""
    rules = program().firing(map(symbols.read_symbol, facts.split()))
    assert {h.name for rule in rules for h in rule.heads} == fired


def test_negative_numbers_match() -> None:
    assert atoms("heap(-1)", "debt", 0, program("debt :- heap(-1).")) == {"debt"}


def test_selected_rules_are_cached_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = program()
    given = [symbols.read_symbol("heap(7)")]
    assert rules.firing(given) is rules.firing(given)
    monkeypatch.setattr("kaiser_logic.engine.grounding._VARIANTS", 1)
    rules.firing([symbols.read_symbol("rain")])
    assert len(rules._firing) == 1


@pytest.mark.parametrize("facts", ["", "at(red)"])
def test_only_the_exception_reports_what_clingo_cannot_ground(
    facts: str, capfd: pytest.CaptureFixture[str]
) -> None:
    unsafe = program("here(X) :- not at(X).")
    with pytest.raises(RuntimeError, match=r"unsafe variables in: here\(X\):-.*not at\(X\)\. 'X' is unsafe$"):
        atoms(facts, "here", 1, unsafe)
    assert capfd.readouterr() == ("", "")


def test_an_undecided_atom_is_an_error() -> None:
    open_ = Grounding(program("a :- not b. b :- not a."), [])
    with pytest.raises(Undecided):
        open_.get("a", 0)
    assert set(open_.undecided_atoms()) == {"a", "b"}
    assert Grounding(program(), [symbols.read_symbol("rain")]).undecided_atoms() == []


class _Interrupted(clingo.Observer):
    """The user interrupts the process after some ground rules."""

    def __init__(self, rules: int) -> None:
        self.left = rules

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        self.left -= 1
        if self.left < 0:
            raise KeyboardInterrupt


@pytest.mark.parametrize("rules", range(4))
def test_an_interrupt_within_an_observer_stays_an_interrupt(rules: int) -> None:
    """Two facts, then two rules: clingo's backend reports an error without a message for the facts."""
    facts = [symbols.read_symbol("q(1)"), symbols.read_symbol("q(2)")]
    with pytest.raises(KeyboardInterrupt):
        clingo.ground("p(X) :- q(X).", facts, observer=_Interrupted(rules))


def test_the_message_of_an_overflow_names_no_function_of_clingo() -> None:
    with pytest.raises(RuntimeError, match=r"^Value too large"):
        clingo.ground("{a(1..3)}. x :- #sum{1000000000,X : a(X)} > 2.", ())
