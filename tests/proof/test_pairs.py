"""What an encoding wrongly excludes is seen: the plain engine makes the pairs that each program must allow.

A fault is a line that comes to every program, or a part of a line that is another one. Nothing is proved then.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import pytest
from support.opened import heap

from kaiser_logic.engine import symbols
from kaiser_logic.game import Game, load
from kaiser_logic.proof import question as questions
from kaiser_logic.proof.moves import claiming
from kaiser_logic.proof.obligations import ALWAYS
from kaiser_logic.proof.pairs import SMALL, Nearby, PairMaker, deciding, fired, joint, telling
from kaiser_logic.proof.prover import Prover
from kaiser_logic.proof.sample import Facts, Pair, sampled
from kaiser_logic.proof.together import Together
from kaiser_logic.symbolic.domains import domains
from kaiser_logic.symbolic.encoding import Encoding
from kaiser_logic.symbolic.invariants import invariants
from kaiser_logic.symbolic.solver import Solver
from kaiser_logic.symbolic.transitions import transitions

DUEL = Path(__file__).parents[1] / "support" / "duel"
TAKE, PASS_ON, AIM, AGAIN = (
    ("heap", "take(K)"),
    ("heap", "step pass_on"),
    ("duel", "aim"),
    ("duel", "step again"),
)

FAULTS: list[tuple[str, tuple[str, str], str, str]] = [
    ("a number", TAKE, "", ":- heap(7)."),
    ("a number with a mark", TAKE, "", ":- took(red), heap(3)."),
    ("a counter's value", TAKE, "", ":- taken(_,9)."),
    ("nobody has anything", TAKE, "", ":- not taken(red,_), not taken(green,_)."),
    ("an action", TAKE, "", ":- arg__0(_,0,0,2)."),
    ("an action at a position", TAKE, "", ":- arg__0(_,0,0,3), heap(3)."),
    ("the last action", TAKE, "", ":- arg__0(_,0,0,N), heap(N)."),
    ("all totals", TAKE, "", ":- total(stones,12)."),
    ("a number after it", TAKE, "", ":- heap__m1(4)."),
    ("the end", TAKE, "", ":- heap__m1(0)."),
    (
        "an illegal one too many",
        TAKE,
        "",
        'violates__k0__0(R,"take") :- does__0(R,0), heap(5), arg__0(R,0,0,3).',
    ),
    ("where something is asked", TAKE, "", ":- asked__, heap(5)."),
    ("where legal moves are meant", TAKE, "", ":- lawful__, heap(5)."),
    ("all where legal moves are meant", TAKE, "", ":- lawful__."),
    ("a loss", TAKE, "#sum { M,V,up: gain", "#sum { 1,more: heap(6), touched__0(X); M,V,up: gain"),
    ("a mark that stays", TAKE, "Q != R.", "Q < R."),
    ("before the step", PASS_ON, "", ":- heap(6)."),
    ("after the step", PASS_ON, "", ":- phase__m1(over)."),
    ("a step that does nothing", PASS_ON, "holds_at_least(1).", "holds_at_least(1); heap(N); N != 4."),
    ("aims at himself", AIM, "", ":- arg__0(R,0,0,R)."),
    ("aim at one another", AIM, "", ":- arg__0(R,0,0,Q), arg__0(Q,0,0,R), R != Q."),
    ("two aim at one", AIM, "", ":- arg__0(R,0,0,Q), arg__0(P,0,0,Q), R < P."),
    ("all aim at one", AIM, "", ":- dom(0,0,Q), #count{ R : arg__0(R,0,0,Q) } > 2."),
    ("two duck", AIM, "", ":- does__0(R,1), does__0(Q,1), R < Q."),
    ("all duck", AIM, "", ":- #count{ R : does__0(R,1) } > 2."),
    ("who is hurt aims", AIM, "", ":- hurt(R), does__0(R,0)."),
    ("two are hurt", AIM, "", ":- hurt(R), hurt(Q), R < Q."),
    ("a friend of his own", AIM, "", ":- friends(R,R)."),
    ("new friends", AIM, "", ":- friends__m1(R,Q), R != Q."),
    ("illegal to aim at oneself", AIM, "", 'violates__k0__0(R,"shot") :- does__0(R,0), arg__0(R,0,0,R).'),
    ("a variable for two", AIM, "friends(A_0_1,A_0)", "friends(A_0,A_0)"),
    ("a variable for two in a body", AIM, "arg__0(A_0,0,0,A_0_1).", "arg__0(A_0,0,0,A_0_1); A_0 = A_0_1."),
    (
        "a variable for two who are hurt",
        AIM,
        "arg__0(Role_,0,0,A_0); does",
        "arg__0(Role_,0,0,A_0); A_0 = Role_; does",
    ),
    ("a round", AGAIN, "", ":- round(2)."),
    ("the last round", AGAIN, "", ":- phase__m1(over)."),
]


def game_of(name: str) -> Game:
    return heap() if name == "heap" else load(DUEL)


def spoilt(patch: pytest.MonkeyPatch, old: str, new: str) -> list[str]:
    """From now on each program has another line; the lines that are others."""
    kept = questions.solver_of
    found: list[str] = []

    def made(encoding: Encoding, options: Sequence[str] = ()) -> Solver:
        lines = [line.replace(old, new) for line in encoding.lines] if old else [*encoding.lines]
        named = [atom for atom in ("asked__", "lawful__") if atom in new]
        if not old and all(any(atom in line for line in lines if line.startswith("{")) for atom in named):
            lines.append(new)
        found.extend(set(lines) - set(encoding.lines))
        encoding.lines = dict.fromkeys(lines)
        return kept(encoding, options)

    patch.setattr(questions, "solver_of", made)
    return found


def proved(game: Game, label: str, played: bool) -> bool:
    """Whether all is proved of a transition, together or part by part."""
    evaluator = claiming(game.evaluator)
    sorts = domains(evaluator.ruleset)
    known = transitions(evaluator.ruleset, sorts)
    pairs = sampled(evaluator, known).pairs.get(label, []) if played else []
    step = Together(evaluator, next(t for t in known if t.label == label), sorts)
    lemmas = invariants(evaluator.ruleset).assumed
    parts = [[*lemmas], [*ALWAYS]]
    if step.settle(lemmas, parts, pairs) is not None:
        return True
    findings = [step.examine(lemmas, part, pairs) for part in parts]
    assert all(f.proved or f.differs or f.broken or f.unread or f.unlisted or f.beyond for f in findings)
    return all(f.proved for f in findings)


@pytest.mark.sample(3)
@pytest.mark.parametrize("played", [True, False], ids=["games", "no games"])
@pytest.mark.parametrize("transition", [TAKE, PASS_ON, AIM, AGAIN])
def test_what_is_in_order_is_proved(transition: tuple[str, str], played: bool) -> None:
    assert proved(game_of(transition[0]), transition[1], played)


@pytest.mark.sample(7)
@pytest.mark.parametrize("played", [True, False], ids=["games", "no games"])
@pytest.mark.parametrize(("transition", "old", "new"), [f[1:] for f in FAULTS], ids=[f[0] for f in FAULTS])
def test_nothing_is_proved_of_what_excludes_too_much(
    monkeypatch: pytest.MonkeyPatch, transition: tuple[str, str], old: str, new: str, played: bool
) -> None:
    game = game_of(transition[0])
    found = spoilt(monkeypatch, old, new)
    assert not proved(game, transition[1], played)
    assert found, "the fault is in no program"


@pytest.mark.slow
def test_what_excludes_too_much_leaves_all_open(monkeypatch: pytest.MonkeyPatch) -> None:
    spoilt(monkeypatch, "", ":- heap(7).")
    report = Prover(heap().evaluator).run(workers=1)
    assert all(proof.status != "proved" for proof in report.proofs)
    assert any("its encoding is not what the rules say" in note for p in report.proofs for note in p.notes)


# -- pairs by the plain engine ---------------------------------------------------------------------------------------------


def test_joint_actions_are_legal_and_unlike_one_another() -> None:
    game = load(DUEL)
    facts = game.evaluator.initial()
    found = joint(game.evaluator, facts, deciding(facts), Random(0), 16)
    assert 4 < len(found) <= 16
    assert all(not game.evaluator.judge(facts, dict(actions)).violations for actions in found)
    said = [{role: str(action) for role, action in actions} for actions in found]
    assert any(f"aim({role})" == action for actions in said for role, action in actions.items())
    pairs = [(role, other) for role in game.ruleset.seats for other in game.ruleset.seats if role < other]
    assert any(a[r] == f"aim({q})" and a[q] == f"aim({r})" for a in said for r, q in pairs)
    assert joint(game.evaluator, facts, ["red"], Random(0), 16) == []


def test_neighbours_are_valid() -> None:
    evaluator = heap().evaluator
    start = evaluator.initial()

    def valid(facts: Facts) -> bool:
        return not evaluator.broken(facts, waive=False)

    nearby = Nearby(domains(evaluator.ruleset), evaluator.ruleset.book.counters, valid, 20)
    found = list(nearby.of(start, Random(1), 10))
    assert found
    assert start not in found
    assert all(map(valid, found))
    assert len({next(f for f in facts if f.name == "heap") for facts in found}) > 1


def test_which_rules_fire() -> None:
    evaluator = heap().evaluator
    start = evaluator.initial()
    take = fired(evaluator.ruleset, Pair(start, (("red", symbols.read("take(3)")),)))
    assert any(text.startswith("shift(heap,taken(R),K,taken)") for text in take)
    assert not any("take.enough" in text or "due(pass_on)" in text.partition(" :- ")[2] for text in take)
    late = frozenset(
        map(symbols.read, ["heap(1)", "phase(play)", "took(red)", "taken(red,11)", "due(pass_on)"])
    )
    assert any(text.startswith("add(decision(Q,take))") for text in fired(evaluator.ruleset, Pair(late)))
    assert all(text in {r.text for r in telling(evaluator.ruleset.rules)} for text in take)


def test_pairs_show_something_new_and_end() -> None:
    evaluator = heap().evaluator
    kinds = next(t for t in transitions(evaluator.ruleset, domains(evaluator.ruleset)) if t.kinds).kinds

    def valid(facts: Facts) -> bool:
        return not evaluator.broken(facts, waive=False)

    def none(_: object) -> Iterator[Pair]:
        return iter(())

    maker = PairMaker([evaluator], kinds, domains(evaluator.ruleset), valid, SMALL)
    found = list(maker.pairs([], telling(evaluator.ruleset.rules), none, Random(0)))
    assert 10 < len(found) <= SMALL.compared
    assert len(set(found)) == len(found)
    assert {f for pair in found for f in pair.facts if f.name == "heap"} >= {
        symbols.read(f"heap({n})") for n in (1, 12)
    }
    assert all(valid(pair.facts) for pair in found)
