"""Proofs where a position is known in part only."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support.limits import NO_END
from support.opened import changed, heap, reachable

from kaiser_logic.evaluation.evaluator import Evaluator
from kaiser_logic.game import Game, load
from kaiser_logic.proof import partial
from kaiser_logic.proof.known_part import PartialProgram
from kaiser_logic.proof.partial import Examined, examine
from kaiser_logic.proof.prover import Prover
from kaiser_logic.proof.sample import Pair
from kaiser_logic.rules.loader import asp_folder
from kaiser_logic.symbolic import kept, projected
from kaiser_logic.symbolic.invariants import GENERAL, invariants
from kaiser_logic.symbolic.kept import too_many
from kaiser_logic.symbolic.projected import Projected, decision_sorts
from kaiser_logic.symbolic.projection import ANY
from kaiser_logic.symbolic.transitions import Transition, transitions

pytestmark = pytest.mark.slow

DELETED = "del(took(Q))                 :- does(R,take(_)), took(Q), Q != R."


def steps(game: Game) -> dict[str, Transition]:
    return {t.label: t for t in transitions(game.ruleset, decision_sorts(game.ruleset))}


def pairs(evaluator: Evaluator, game: Game) -> list[tuple[str, Pair]]:
    """All positions and legal moves of the heap game, and what happens by itself after them."""
    found = []
    for facts in reachable(game):
        for role, action in evaluator.legal(facts):
            found.append(("take(K)", Pair(facts, ((role, action),))))
            judged = evaluator.judge(facts, {role: action})
            after = (facts - frozenset(judged.deleted)).union(judged.added)
            found.append(("step pass_on", Pair(after)))
    return found


def lost(game: Game) -> set[str]:
    """The invariants that some transition may break, from positions in which all hold."""
    names = invariants(game.ruleset).assumed
    found: set[str] = set()
    for transition in steps(game).values():
        examined = examine(game.evaluator, transition, names, frozenset(), None)
        assert examined.failure is None
        found |= {i for i, _ in examined.lost}
    return found


def lost_at(game: Game, label: str) -> frozenset[tuple[str, str]]:
    """What one transition may break."""
    names = [i for i in invariants(game.ruleset).assumed if i not in GENERAL]
    return examine(game.evaluator, steps(game)[label], names, frozenset(), None).lost


def test_no_game_that_is_small_is_known_in_part() -> None:
    assert too_many(heap().ruleset) is None


def test_persons_with_loads_are_too_many() -> None:
    game = load("vive", players=3)
    why = too_many(game.ruleset)
    assert why is not None
    assert why.startswith("there are too many ")


def test_every_move_of_every_game_is_allowed() -> None:
    game = heap()
    programs = {
        label: PartialProgram(game.evaluator, t, invariants(game.ruleset).assumed)
        for label, t in steps(game).items()
    }
    found = pairs(game.evaluator, game)
    assert len(found) > 50
    for label, pair in found:
        assert programs[label].differs(pair) is None


def test_a_program_that_forbids_a_move_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is lost is taken to be gone, however many there were."""
    game = heap()
    frame = Projected._frame
    monkeypatch.setattr(
        Projected, "_frame", lambda self, *a: (x for x in frame(self, *a) if not x.startswith("{"))
    )
    programs = {
        label: PartialProgram(game.evaluator, t, invariants(game.ruleset).assumed)
        for label, t in steps(game).items()
    }
    assert any(programs[label].differs(pair) for label, pair in pairs(game.evaluator, game))


def test_amounts_that_are_added_up_wrongly_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is gained is taken to be nothing where there is something already."""
    game = heap()
    frame = projected.frame
    monkeypatch.setattr(
        projected, "frame", lambda *a: (x for x in frame(*a) if "S > 1" not in x and "loose" not in x)
    )
    program = PartialProgram(game.evaluator, steps(game)["take(K)"], invariants(game.ruleset).assumed)
    assert program.projected.kept.tallied == {("taken", 2)}
    found = [pair for label, pair in pairs(game.evaluator, game) if label == "take(K)"]
    assert any(program.differs(pair) for pair in found)


def test_what_may_be_broken_without_a_known_witness_is_let_go_as_a_whole() -> None:
    """Else what is known to be broken for one player would be supposed not to be."""
    game = heap()
    program = PartialProgram(game.evaluator, steps(game)["take(K)"], invariants(game.ruleset).assumed)
    assert program.supposed() >= {("one_taker", "x")}
    assert program.solver.decide(None, "broken(one_taker,x)") is False
    program.let_go([("one_taker", ANY)])
    assert program.solver.decide(None, "broken(one_taker,x)") is True


def test_what_rests_on_something_is_asked_again() -> None:
    examined = Examined(supposed=frozenset({("one_taker", "x")}))
    assert examined.rests_on(frozenset({("one_taker", "x")}))
    assert examined.rests_on(frozenset({("one_taker", ANY)}))
    assert not examined.rests_on(frozenset({("one_taker", "due"), ("one_phase", ANY)}))


def test_a_transition_that_no_game_has_is_held_against_made_positions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game, names = heap(), invariants(heap().ruleset).assumed
    for transition in steps(game).values():
        assert examine(game.evaluator, transition, names, frozenset(), ()).failure is None
    monkeypatch.setattr(partial, "lifted", lambda *_: [])
    for transition in steps(game).values():
        failure = examine(game.evaluator, transition, names, frozenset(), ()).failure
        assert failure is not None
        assert "no random game" in failure


def test_what_does_not_depend_on_numbers_is_kept() -> None:
    assert "heap_stated" in invariants(heap().ruleset).assumed
    assert "one_phase" not in lost(heap())


def test_what_falls_is_never_kept(tmp_path: Path) -> None:
    """The taker before stays: two have taken last."""
    assert "one_taker" in lost(changed(tmp_path, {DELETED: ""}))


def test_prove_says_what_is_not_decided(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a copy of the game: whether there is too much to list is remembered with its rules."""
    monkeypatch.setattr(kept, "_TOO_MANY", 1)
    game = changed(tmp_path, {})
    report = Prover(game.evaluator).run(workers=1)
    statuses = {p.claim: p.status for p in report.proofs}
    assert statuses["limit"] == "undecided"
    assert "falls" not in statuses.values()
    assert not report.proved
    proved = {c for c, s in statuses.items() if s == "proved"}
    whole = {p.claim for p in Prover(game.evaluator).run(workers=1).proofs if p.status == "proved"}
    assert proved <= whole


@pytest.mark.long
def test_what_is_proved_of_a_game_with_too_much_to_list() -> None:
    """Of three players all, also what needs loads and amounts."""
    report = Prover(load("vive", players=3).evaluator).run(workers=1, timeout=NO_END)
    assert {p.claim for p in report.proofs if p.status != "proved"} == set()


@pytest.mark.long
def test_a_second_king_is_seen(tmp_path: Path) -> None:
    """A free king that moves on stays where he is, too."""
    folder = tmp_path / "vive"
    shutil.copytree(asp_folder() / "vive", folder)
    rounds = folder / "round.lp"
    line = "del(king(R,free))    :- due(king_moves), king(R,free).\n"
    assert line in rounds.read_text(encoding="utf-8")
    rounds.write_text(rounds.read_text(encoding="utf-8").replace(line, ""), encoding="utf-8")
    assert ("one_king", "two") in lost_at(load(folder, players=3), "step king_moves")
    assert ("one_king", "two") not in lost_at(load("vive", players=3), "step king_moves")
