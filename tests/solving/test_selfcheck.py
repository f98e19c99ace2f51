"""Each fault that is seeded into an encoding is noticed, and then nothing is proved.

The prover compares the program of a transition with the evaluation of the rules. A fault is a line that is added to the
program, or a changed rule of the encoder.
"""

import pytest
from support import SUPPORT, TINY, compared
from support.heap_game import HEAD, SCORED, SHIFT, changed, heap, variant
from support.proofs import examined, report_on
from support.tables import rows

from kaiser_logic.engine import symbols
from kaiser_logic.engine.ruleset import Ruleset
from kaiser_logic.errors import NotDecided
from kaiser_logic.evaluation.evaluator import Evaluator
from kaiser_logic.game import Game, load
from kaiser_logic.lang.reader import read_rules
from kaiser_logic.rules.loader import read_parts
from kaiser_logic.solving import encoder as encoders
from kaiser_logic.solving import questions
from kaiser_logic.solving.encoder import Encoder
from kaiser_logic.solving.games import Sample
from kaiser_logic.solving.numbers import BoundCheck
from kaiser_logic.solving.prover import Prover
from kaiser_logic.solving.questions import Setting, TransitionQuestion
from kaiser_logic.solving.whole import differs
from kaiser_logic.transform.slicing import Slicer

pytestmark = pytest.mark.by_hand

SPLIT = {SHIFT: "lose(heap,K,out) :- does(R,take(K)). gain(taken(R),K,took) :- does(R,take(K))."}
"""The same game, in which a move is a loss in one place and a gain in another."""
WAIVED = {
    **SCORED,
    HEAD: "%! invariant poor -- Nobody who has taken has points.\nbroken(poor,R) :- took(R), points(R,N), N > 0.\n"
    f"waived(poor) :- ruling(last_stone,wins).\n{HEAD}",
    "add(took(R))                 :-": "gain(points(R),500,taking) :- does(R,take(_)).\nadd(took(R)) :-",
}
"""Points without a limit, and a waived invariant that every game breaks."""


@pytest.fixture(autouse=True)
def _as_many_comparisons_as_for_users(monkeypatch):
    compared.compare(compared.ALL, monkeypatch)


def game_of(name: str) -> Game:
    """The heap game or the duel."""
    return heap() if name == "heap" else load(SUPPORT / "duel")


def without_cache(game: Game) -> Game:
    return Game(Evaluator(Ruleset(game.ruleset.book, game.ruleset.configuration)))


def games(game: Game) -> Sample:
    """The games with which the prover compares its programs."""
    return questions.games(Setting(game.ruleset))


def differs_from_rules(game: Game, label: str) -> bool:
    """Whether the comparison finds a difference between the program of a transition and the rules."""
    found = examined(game, label, pairs=games(game).pairs.get(label, ()))
    assert not (found.differences and found.reason)
    return bool(found.differences)


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("game", "label"), [("heap", "take(K)"), ("heap", "step pass_on"), ("duel", "aim"), ("duel", "step again")]
)
def test_correct_programs_do_not_differ(game, label):
    assert not differs_from_rules(game_of(game), label)


@pytest.mark.sample(2)
@pytest.mark.parametrize("changes", [SPLIT, WAIVED], ids=["split", "waived"])
def test_correct_programs_of_variants_do_not_differ(tmp_path, changes):
    assert not differs_from_rules(changed(tmp_path, changes), "take(K)")


@pytest.mark.sample(8)
@pytest.mark.parametrize(("game", "label", "line"), rows("solving/faults", "fault"))
def test_a_constraint_that_excludes_legal_moves_is_noticed(monkeypatch, game, label, line):
    encode = Prover.encode

    def damaged(self: Prover, *given: object) -> tuple[Encoder, BoundCheck]:
        encoder, bounds = encode(self, *given)
        encoder.program.add(*read_rules(line))
        return encoder, bounds

    monkeypatch.setattr(Prover, "encode", damaged)
    assert differs_from_rules(without_cache(game_of(game)), label)


def change_rules(patch: pytest.MonkeyPatch, name: str, change: object) -> None:
    """Changes the rules that a method of the encoder returns."""
    original = getattr(Encoder, name)
    patch.setattr(Encoder, name, lambda self, *given: change(original(self, *given)))


def without_frame_rules(patch: pytest.MonkeyPatch) -> None:
    change_rules(patch, "_next", lambda rules: list(rules)[:1])


def without_deletions(patch: pytest.MonkeyPatch) -> None:
    change_rules(patch, "_next", lambda rules: [r for r in rules if not any("del" in str(x) for x in r.body)])


def without_additions(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(encoders, "EFFECTS", tuple(e for e in encoders.EFFECTS if e[0] != "add"))


def without_violations(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(encoders, "VIOLATES", ("other", 3))


@pytest.mark.sample(2)
@pytest.mark.parametrize("fault", [without_frame_rules, without_deletions, without_additions, without_violations])
def test_a_fault_of_the_encoder_is_noticed(monkeypatch, fault):
    fault(monkeypatch)
    assert differs_from_rules(without_cache(heap()), "take(K)")


@pytest.mark.slow
def test_nothing_is_proved_if_a_program_differs(monkeypatch):
    without_frame_rules(monkeypatch)
    report = report_on(without_cache(heap()))
    assert all(proof.status != "proved" for proof in report.proofs)
    assert any("its encoding is not what the rules say" in note for p in report.proofs for note in p.notes)


@pytest.mark.parametrize(("missed", "took"), rows("solving/faults", "missed"))
def test_a_rule_that_every_sliced_program_lacks_is_noticed(monkeypatch, missed, took):
    original = Slicer.slice
    monkeypatch.setattr(Slicer, "slice", lambda *given: [r for r in original(*given) if not r.text.startswith(missed)])
    evaluator = Evaluator(Ruleset(heap().ruleset.book, heap().ruleset.configuration))
    rest = "decision(green,take). heap(2). phase(play). taken(red,10). seat(red,1). seat(green,2)"
    facts = frozenset(map(symbols.read_symbol, f"{rest}. {took}".split(". ")))
    assert differs(evaluator, facts, (("green", symbols.read_symbol("take(3)")),)) is not None


@pytest.mark.parametrize("rules", rows("solving/faults", "certain"))
def test_a_certain_set_is_not_decided(rules, tmp_path):
    """Encodings refuse such rules by themselves, although no rulebook with them is loaded."""
    book, _ = read_parts(variant(tmp_path, {}, TINY / "cards", rules))
    assert book is not None
    setting = Setting(Ruleset(book, load(TINY / "cards").ruleset.configuration))
    with pytest.raises(NotDecided, match="a set is more than its parts"):
        TransitionQuestion(setting, 0, setting.prover.transitions[0].label, ("laid_late",), ())()
