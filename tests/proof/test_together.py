"""One program for all questions about a transition: it answers each as a program of its own, and proves nothing by itself."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from pathlib import Path

import pytest
from proof.test_kept import EDITS, ENOUGH, HEAD, TAKES
from support.opened import changed, heap
from support.thinned import thinned

from kaiser_logic.game import Game, load
from kaiser_logic.proof import together
from kaiser_logic.proof.checked import LAWFUL, MATCHED
from kaiser_logic.proof.fixed import ASKED
from kaiser_logic.proof.moves import claiming
from kaiser_logic.proof.obligations import ALWAYS, COUNT, goal_atom
from kaiser_logic.proof.prover import Prover
from kaiser_logic.proof.question import UNLISTED, Question, Questions
from kaiser_logic.proof.sample import Pair
from kaiser_logic.proof.seeking import shown
from kaiser_logic.proof.together import Together, supposed
from kaiser_logic.symbolic.domains import domains
from kaiser_logic.symbolic.invariants import invariants
from kaiser_logic.symbolic.transitions import transitions

LUCK = {HEAD: f"%! invariant luck -- It is so.\nbroken(luck,x) :- heap(7), took(red).\n{HEAD}"}
FAULTS: list[dict[str, str]] = [{}, LUCK, *({old: new} for old, new in EDITS[:6])]


def of(game: Game) -> dict[str, Together]:
    """For each transition the induction step."""
    evaluator = claiming(game.evaluator)
    sorts = domains(evaluator.ruleset)
    found = {t.label: Together(evaluator, t, sorts) for t in transitions(evaluator.ruleset, sorts)}
    return {label: step for label, step in found.items() if not step.questions.followed}


def goals_of(game: Game, step: Together) -> list[str]:
    assumed = invariants(claiming(game.evaluator).ruleset).assumed
    return [*assumed, *ALWAYS, *step._moves.docs]


def joint(game: Game, step: Together) -> tuple[list[str], Question]:
    """The lemmas, and the one program."""
    goals = goals_of(game, step)
    before, question, _ = step._put(invariants(game.ruleset).assumed, [goals])
    return list(before), question


def answers_alike(game: Game, step: Together) -> None:
    """Each question has the same answer in the one program as in one of its own."""
    before, question = joint(game, step)
    for goal in goals_of(game, step):
        own = step.questions.leaving(before, [goal], exact=False).solver.decide(None, ASKED, LAWFUL)
        given = supposed(question, [goal_atom(goal)], goal != COUNT)
        assert question.solver.decide(None, *given) == own, goal
    if len(step._transition.kinds) == 1:
        alone = step.questions.listing(before, exact=False).solver
        alone.add("unlisted", f":- {ASKED}, {MATCHED}.")
        given = supposed(question, [UNLISTED], True)
        assert question.solver.decide(None, *given) == alone.decide(None, ASKED)
    assert question.solver.decide(None, *nothing(question)), "no question is in the way of another"


def nothing(question: Question) -> list[str]:
    """The assumptions by which a legal transition is asked for, wherever it leads."""
    return [f"not {ASKED}", LAWFUL, *question.supposed, *(f"not {atom}" for atom in question.chosen)]


@pytest.mark.sample(4)
@pytest.mark.parametrize("changes", FAULTS, ids=range(len(FAULTS)))
def test_each_question_is_answered_as_alone(tmp_path: Path, changes: dict[str, str]) -> None:
    game = changed(tmp_path, changes)
    for step in of(game).values():
        answers_alike(game, step)


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "label"),
    [("kaiser", "convent"), ("kaiser", "step collect"), ("kaiser", "son(E,D)"), ("krone", None)],
)
def test_each_question_of_a_game_is_answered_as_alone(name: str, label: str | None) -> None:
    game = load(name, players=2)
    steps = of(game)
    answers_alike(game, steps[label] if label else next(iter(steps.values())))


def statuses(game: Game) -> list[tuple[str, str, list[str]]]:
    report = Prover(game.evaluator).run(workers=1)
    return [(p.claim, p.status, p.notes) for p in report.proofs]


@pytest.mark.slow
@pytest.mark.parametrize("changes", thinned(FAULTS, 3), ids=range(len(FAULTS)))
def test_the_verdicts_are_those_of_questions_asked_one_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changes: dict[str, str]
) -> None:
    game = changed(tmp_path, changes)
    found = statuses(game)
    monkeypatch.setattr(Together, "settle", lambda *_: None)
    assert statuses(game) == found


def settled(game: Game, label: str) -> object:
    step = of(game)[label]
    goals = goals_of(game, step)
    general = [g for g in goals if g in ("vocabulary", "count", "limit")]
    parts = [[g for g in goals if g not in general], general]
    return step.settle(invariants(game.ruleset).assumed, parts)


def test_what_is_sound_is_settled() -> None:
    for label in of(heap()):
        assert settled(heap(), label) is not None


@pytest.mark.parametrize(
    "changes",
    [
        {ENOUGH: ""},
        {TAKES: "lose(heap,K,taken) :- does(R,take(K))."},
        {
            "candidate(R,take(K))          :- decision(R,take), amount(K).": "candidate(R,take(1)) :- decision(R,take)."
        },
    ],
    ids=["count falls", "limit falls", "the enumeration misses some"],
)
def test_what_is_not_sound_is_not_settled(tmp_path: Path, changes: dict[str, str]) -> None:
    assert settled(changed(tmp_path, changes), "take(K)") is None


@pytest.mark.sample(8)
@pytest.mark.parametrize("changes", FAULTS, ids=range(len(FAULTS)))
def test_what_is_hard_is_asked_in_programs_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changes: dict[str, str]
) -> None:
    """With the same verdicts: here nothing is seen in a moment."""
    asked: list[str] = []
    keep = Together._keep

    def noted(
        self: Together, lemmas: Sequence[str], fallen: Sequence[str], hard: Sequence[str], seen: Pair
    ) -> bool:
        asked.extend(hard)
        return keep(self, lemmas, fallen, hard, seen)

    monkeypatch.setattr(Together, "_keep", noted)
    game = changed(tmp_path, changes)
    usual = {label: settled(game, label) is not None for label in of(game)}
    few = len(asked)
    monkeypatch.setattr(together, "_BRIEF", 0)
    monkeypatch.setattr(together, "_EACH", 0)
    assert {label: settled(game, label) is not None for label in of(game)} == usual
    assert len(asked) > 2 * few


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    "hidden", [f":- {LAWFUL}.", ":- heap(_).", f":- {ASKED}.", f":- {goal_atom(COUNT)}."]
)
def test_a_contradiction_in_a_program_of_its_own_proves_nothing(
    monkeypatch: pytest.MonkeyPatch, hidden: str
) -> None:
    monkeypatch.setattr(together, "_BRIEF", 0)
    monkeypatch.setattr(together, "_EACH", 0)
    assert settled(heap(), "take(K)") is not None
    written = Questions.together

    def contradictory(
        self: Questions, lemmas: Sequence[str], goals: Sequence[str], listing: bool
    ) -> Question:
        question = written(self, lemmas, goals, listing)
        if list(goals) == [COUNT]:
            question.solver.text += f"\n{hidden}"
        return question

    monkeypatch.setattr(Questions, "together", contradictory)
    assert settled(heap(), "take(K)") is None


@pytest.mark.sample(3)
@pytest.mark.parametrize("hidden", [f":- {LAWFUL}.", ":- heap(_).", f":- {ASKED}."])
def test_a_contradiction_proves_nothing(monkeypatch: pytest.MonkeyPatch, hidden: str) -> None:
    written = Together._put

    def contradictory(self: Together, *given: object) -> object:
        before, question, key = written(self, *given)  # type: ignore[arg-type]
        question.solver.text += f"\n{hidden}"
        return before, question, key

    with monkeypatch.context() as patch:
        patch.setattr(Together, "_put", contradictory)
        assert settled(heap(), "take(K)") is None
    assert settled(heap(), "take(K)") is not None


def test_a_program_of_its_own_that_says_otherwise_than_the_rules_proves_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One more is lost there at each move, which what is asked for need not notice."""
    monkeypatch.setattr(together, "_BRIEF", 0)
    monkeypatch.setattr(together, "_EACH", 0)
    written = Questions.together

    def spoilt(self: Questions, lemmas: Sequence[str], goals: Sequence[str], listing: bool) -> Question:
        question = written(self, lemmas, goals, listing)
        if list(goals) == ["vocabulary"]:
            assert "lose__0(heap" in question.solver.text
            question.solver.text += "\nlose__0(heap,1,more) :- does__0(_,_), heap(N), N > 3."
        return question

    monkeypatch.setattr(Questions, "together", spoilt)
    assert settled(heap(), "take(K)") is None


def test_a_question_that_the_program_does_not_have_is_refused() -> None:
    (step, *_) = of(heap()).values()
    _, question = joint(heap(), step)
    for asked in ([], ["goal__(other)"], [goal_atom("count"), "other"]):
        with pytest.raises(ValueError, match="no question"):
            supposed(question, asked, True)


@pytest.mark.slow
def test_what_takes_too_long_is_not_settled(monkeypatch: pytest.MonkeyPatch) -> None:
    for effort in ("EFFORT", "_BRIEF", "_EACH", "_ALONE"):
        monkeypatch.setattr(together, effort, 0)
    assert settled(heap(), "take(K)") is None
    assert all(status == "proved" for _, status, _ in statuses(heap())), "it is asked part by part"


@pytest.mark.slow
def test_a_process_that_dies_is_made_good(monkeypatch: pytest.MonkeyPatch) -> None:
    def dies(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(Together, "settle", dies)
    assert all(status == "proved" for _, status, _ in statuses(heap()))


def test_a_question_is_written_once_and_not_sent_along() -> None:
    step = of(heap())["take(K)"]
    goals = [goals_of(heap(), step)]
    lemmas = invariants(heap().ruleset).assumed
    step.write(lemmas, goals)
    question = step._put(lemmas, goals)[1]
    assert step._put(lemmas, goals)[1] is question
    others = step._put(lemmas, [goals[0][:1]])[1]
    assert others is not question, "it is asked for something else"
    assert others.solver.text != question.solver.text
    sent = pickle.loads(pickle.dumps(step))
    assert sent._question is None
    assert sent._put(lemmas, goals)[1].solver.text == question.solver.text
    step.forget()
    assert step._put(lemmas, goals)[1] is not question


def test_a_legal_position_is_found_with_what_is_done_in_it() -> None:
    step = of(heap())["take(K)"]
    lemmas = invariants(heap().ruleset).assumed
    model = shown(step.questions.legal(lemmas))
    assert model is not None
    assert len(model) < 20, "no more is shown than is needed"
    before, question = joint(heap(), step)
    check = step._checking(question, goals_of(heap(), step), before)
    assert not list(check.given(model))
    assert check.agreed
    assert check.agreed[0].actions


def test_where_nothing_legal_is_possible_nothing_is_shown(tmp_path: Path) -> None:
    nobody = changed(
        tmp_path,
        {"init(heap(12)).": 'init(heap(12)).\nviolates(R,take(K),"take.enough") :- does(R,take(K)).'},
    )
    step = of(nobody)["take(K)"]
    assert shown(step.questions.legal(invariants(nobody.ruleset).assumed)) is None
