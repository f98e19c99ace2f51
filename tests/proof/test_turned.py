"""Questions put about one seat: the same verdicts as about all, and none where seats are not the same."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import clingo
import pytest
from proof.test_kept import HEAD
from proof.test_together import FAULTS, goals_of, of, pair_of, settled, statuses
from support.heap_game import FOLDER, variant
from support.opened import changed, heap, transition
from support.thinned import thinned

from kaiser_logic.game import Game, load
from kaiser_logic.proof import induction, together
from kaiser_logic.proof.induction import Induction
from kaiser_logic.proof.obligations import goal_atom
from kaiser_logic.proof.question import Question
from kaiser_logic.proof.turned import TURNED, turns
from kaiser_logic.symbolic.domains import domains
from kaiser_logic.symbolic.invariants import invariants
from kaiser_logic.symbolic.turning import Seats

pytestmark = pytest.mark.slow

TOOK = "add(took(R))                 :- does(R,take(_))."
ENOUGH = 'violates(R,take(K),"take.enough") :- candidate(R,take(K)), heap(N), not holds_at_least(K).'
LOSES = "shift(heap,taken(R),K,taken) :- does(R,take(K))."


def luck(body: str) -> dict[str, str]:
    """An invariant of which only some seats can be the reason that it falls."""
    return {HEAD: f"%! invariant luck -- It is so.\nbroken(luck,x) :- heap(7), took(R), {body}.\n{HEAD}"}


UNLIKE: dict[str, dict[str, str]] = {
    "a role named": luck("R = blue"),
    "by its number": luck("seat(R,2)"),
    "by its order": luck("player(Q), R < Q"),
    "the last in order": luck("R = #max { Q : player(Q) }"),
    "the last one": luck("last(R)"),
    "who sits before": luck("before(_,R)"),
    "by a table": luck("lucky(R)") | {"amount(1..3).": "amount(1..3). lucky(blue)."},
    "by a count": luck("1 = #count { Q : player(Q), R <= Q }"),
    "an effect of one": {LOSES: f"{LOSES} lose(heap,1,bonus) :- does(R,take(_)), last(R)."},
    "a rule for one": {
        ENOUGH: f"{ENOUGH[:-1]}, lucky(R).",
        "amount(1..3).": "amount(1..3). lucky(red).",
    },
    "one forgets": {TOOK: f"{TOOK[:-1]}, R != green. "},
}
"""Faults of the heap game that one seat alone has: what is asked of the first one only is not true of all."""


def three(folder: Path, changes: dict[str, str]) -> Game:
    """The heap game with other lines, for three players."""
    return load(variant(folder, changes), players=3)


def label(game: Game, *, turned: bool) -> list[str]:
    """The transitions whose program turns, or does not."""
    found = {}
    for name, step in of(game).items():
        step.write(invariants(game.ruleset).assumed, [goals_of(game, step)])
        assert step._turned is not None
        found[name] = step._turned.turn is not None
    return [name for name, turns in found.items() if turns == turned]


def test_the_seats_of_a_game_turn() -> None:
    assert label(heap(), turned=True) == ["take(K)"]
    assert label(load(FOLDER, players=3), turned=True) == ["take(K)"]


@pytest.mark.parametrize("changes", UNLIKE.values(), ids=UNLIKE)
def test_seats_that_are_not_alike_do_not_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changes: dict[str, str]
) -> None:
    """And what only one of them does is found, as it is without turning."""
    game = three(tmp_path, changes)
    assert "take(K)" in label(game, turned=False)
    found = statuses(game)
    assert any(status == "falls" for _, status, _ in found)
    asked_of_all(monkeypatch)
    assert statuses(load(tmp_path / "heap", players=3)) == found


def asked_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """Questions are put about all seats from now on."""
    for module in (together, induction):
        monkeypatch.setattr(module, "turned", lambda question, *_: question)


@pytest.mark.parametrize("changes", thinned(FAULTS, 3), ids=range(len(FAULTS)))
def test_the_verdicts_are_those_about_all_seats(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changes: dict[str, str]
) -> None:
    game = three(tmp_path, changes)
    found = statuses(game)
    asked_of_all(monkeypatch)
    assert statuses(load(tmp_path / "heap", players=3)) == found


def test_what_is_not_the_same_for_all_would_be_proved_of_the_first_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So it matters that such programs are not said to turn: here everything is."""
    game = changed(tmp_path, UNLIKE["a role named"])
    monkeypatch.setattr(Seats, "_says_the_same", lambda _: True)
    monkeypatch.setattr(Seats, "_closed", lambda *_: True)
    assert ("luck", "falls") not in [(claim, status) for claim, status, _ in statuses(game)]


@pytest.mark.parametrize("hidden", [f":- {TURNED}.", f":- {TURNED}, does__0(R,_).", f":- {TURNED}, heap(_)."])
def test_a_contradiction_proves_nothing(monkeypatch: pytest.MonkeyPatch, hidden: str) -> None:
    usual = together.turned

    def contradictory(question: Question, *given: object) -> Question:
        found = usual(question, *given)  # type: ignore[arg-type]
        if found.turn is not None:
            found.solver.text += f"\n{hidden}"
        return found

    assert settled(heap(), "take(K)") is not None
    monkeypatch.setattr(together, "turned", contradictory)
    assert settled(heap(), "take(K)") is None


def test_a_game_turns_as_long_as_its_programs_do() -> None:
    lines, seats = ["{ decision(R,go) : seated(R) }."], Seats(["red", "blue"])
    alike = [clingo.parse_term(text) for text in ("seated(red)", "seated(blue)")]
    assert seats.turn(lines, alike) is not None
    assert seats.turn([*lines, "a :- decision(red,go)."], alike) is None
    assert seats.turn(lines, alike) is None


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_where_the_first_seat_acts_comes_first_of_all_turns(seat: int) -> None:
    game = load(FOLDER, players=3)
    step = of(game)["take(K)"]
    question = step._turning(step.questions.together(invariants(game.ruleset).assumed, ["count"], True))
    written = pair_of(game, seat)
    found = list(turns(question, step._evaluator, step._transition, written.read()))
    assert next(role for pair in found for role, _ in pair.actions) == game.ruleset.seats[0]
    assert sorted(role for pair in found for role, _ in pair.actions) == sorted(game.ruleset.seats)
    assert written.read() in found
    alone = list(turns(replace(question, turn=None), step._evaluator, step._transition, written.read()))
    assert alone == [written.read()]


# -- the first seat alone in the program -------------------------------------------------------------------------------

PASSES = {
    "action(take,take(K))      :- amount(K).": "action(take,take(K)) :- amount(K).\naction(take,pass_to(Q)) :- player(Q).\n"
    "fluent(passed(R)) :- player(R).",
    "candidate(R,take(K))          :- decision(R,take), amount(K).": "candidate(R,take(K)) :- decision(R,take), amount(K).\n"
    "candidate(R,pass_to(Q)) :- decision(R,take), player(Q).\n"
    "add(decision(Q,take)) :- does(R,pass_to(Q)).\nadd(passed(R)) :- does(R,pass_to(_)).\n"
    'violates(R,pass_to(Q),"take.enough") :- candidate(R,pass_to(Q)), passed(R).\n'
    'violates(R,pass_to(R),"take.enough") :- candidate(R,pass_to(R)).',
    "made(_,take).": "made(R,take), not passing(R).\npassing(R) :- does(R,pass_to(_)).",
}
"""Once each player may pass the turn to another one: two kinds of action at a decision that one role has."""

TWICE = {
    **PASSES,
    "add(decision(Q,take))        :- due(pass_on), took(R), left(R,Q), holds_at_least(1).": "add(decision(Q,take)) :- "
    "due(pass_on), took(R), player(Q), Q != R, holds_at_least(1).",
}
"""With two at a time it is not one role's."""

UNLIKE_PASSES: list[dict[str, str]] = [
    {**PASSES, **luck("passed(blue)")},
    {**PASSES, **luck("passed(R), last(R)")},
    {**PASSES, **luck("passed(Q), Q < R")},
    {**PASSES, **luck("passed(R)")},
    {**PASSES, **luck("passed(Q), left(R,Q)")},
]

BOTH = {
    "init(decision(R,take)) :- seat(R,1).": "init(decision(R,take)) :- player(R).\n"
    "add(both) :- does(R,take(_)), does(Q,take(_)), R != Q.",
    "fluent(took(R))           :- player(R).": "fluent(took(R)) :- player(R).\nfluent(both).\nsimultaneous(take).\n"
    "party(R,take) :- player(R).",
    HEAD: f"%! invariant alone -- They do not take at the same time.\nbroken(alone,x) :- both.\n{HEAD}",
}
"""All may take at the same time, which is one kind of action: what follows then does not follow from what one does."""


def leads(game: Game) -> dict[str, str | None]:
    """For each transition the seat whose decisions alone are in its program."""
    found = {}
    for name, step in of(game).items():
        step.write(invariants(game.ruleset).assumed, [goals_of(game, step)])
        assert step._turned is not None
        found[name] = step._turned.lead
    return found


def test_the_first_seat_is_alone_where_one_decides_of_several_kinds(tmp_path: Path) -> None:
    assert leads(three(tmp_path, PASSES)) == {"take(K)": "red", "pass_to(Q)": "red", "step pass_on": None}
    assert leads(heap()) == {"take(K)": None, "step pass_on": None}


def test_other_seats_decide_nothing_in_its_program(tmp_path: Path) -> None:
    game = three(tmp_path, PASSES)
    step = of(game)["pass_to(Q)"]
    step.write(invariants(game.ruleset).assumed, [goals_of(game, step)])
    assert step._turned is not None
    atoms = step._turned.solver.control.symbolic_atoms
    assert {str(a.symbol.arguments[0]) for a in atoms.by_signature("decision", 2)} == {"red"}
    assert {str(a.symbol.arguments[0]) for a in atoms.by_signature("does__0", 2)} == {"red"}
    assert {str(a.symbol.arguments[0]) for a in atoms.by_signature("took", 1)} == {"red", "blue", "green"}


def test_all_of_it_is_settled(tmp_path: Path) -> None:
    game = three(tmp_path, PASSES)
    assert {status for _, status, _ in statuses(game)} == {"proved"}
    assert all(settled(game, name) is not None for name in ("take(K)", "pass_to(Q)"))


@pytest.mark.parametrize("changes", [TWICE, *UNLIKE_PASSES], ids=["twice", *range(len(UNLIKE_PASSES))])
def test_what_falls_falls_as_asked_of_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changes: dict[str, str]
) -> None:
    found = statuses(three(tmp_path, changes))
    assert {status for _, status, _ in found} != {"proved"}
    asked_of_all(monkeypatch)
    assert statuses(load(tmp_path / "heap", players=3)) == found


def falls(game: Game, label: str, goal: str) -> bool | None:
    """Whether a goal falls in the program that is asked about the first seat."""
    step = of(game)[label]
    step.write(invariants(game.ruleset).assumed, [goals_of(game, step)])
    assert step._turned is not None
    given = together.supposed(step._turned, [goal_atom(goal)], consistent=True)
    return step._turned.solver.decide(None, *given)


def test_where_several_decide_they_are_all_in_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It matters: in a program of the first seat alone what only two can do would not be possible."""
    game = three(tmp_path, BOTH)
    taking = next(label for label in of(game) if label.startswith("take"))
    assert leads(game)[taking] is None
    assert falls(game, taking, "alone") is True
    assert ("alone", "falls") in [(claim, status) for claim, status, _ in statuses(game)]
    monkeypatch.setattr("kaiser_logic.proof.turned.decided_alone", lambda *_: True)
    assert leads(game)[taking] == "red"
    assert falls(game, taking, "alone") is False


APART = {
    '"phases", "decisions", ': '"phases", ',
    "may_decide(R,take)     :- player(R), phase(play), holds_at_least(1).": "",
    "counted(taken,2).": "counted(taken,2).\nfluent(mark(1..3)).\ncounted(mark,1).\naction(take,rest).",
    "add(due(pass_on))           :- made(_,take).": "add(due(pass_on)) :- made(_,take).\n"
    "candidate(R,rest) :- decision(R,take).\nadd(mark(K)) :- does(R,take(K)), not mark(_).",
}
"""Two who decided at once could mark two numbers: the decision is one of those that one role makes alone."""


def test_one_who_decides_alone_is_the_only_one_also_where_no_seat_leads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a question says does not depend on whether it is put about one seat: nor on what was asked before."""
    game = changed(tmp_path, APART)
    step = Induction(game.evaluator, transition(game.ruleset, "take(K)"), domains(game.ruleset))
    assert not step.examine(invariants(game.ruleset).assumed, ["count"]).broken
    first = [(p.claim, p.status) for p in game.prove(jobs=1).proofs]
    with monkeypatch.context() as unturned:
        unturned.setattr(Seats, "turn", lambda *_: None)
        assert [(p.claim, p.status) for p in game.prove(jobs=1).proofs] == first
    assert [(p.claim, p.status) for p in game.prove(jobs=1).proofs] == first
