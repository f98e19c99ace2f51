"""Short forms of the results of proofs, for tests."""

from collections.abc import Sequence

from kaiser_logic.engine.invariants import invariants
from kaiser_logic.evaluation.random_games import Written
from kaiser_logic.game import Game
from kaiser_logic.rules.predicates import ALWAYS, ENUMERATION
from kaiser_logic.solving.positions import Answer
from kaiser_logic.solving.prover import TransitionVerdicts
from kaiser_logic.solving.questions import PositionQuestion, Setting, TransitionQuestion
from kaiser_logic.solving.report import ProofReport
from kaiser_logic.solving.rounds import Rounds


def report_on(game: Game, *wanted: str) -> ProofReport:
    return Rounds(game.ruleset).run(wanted, workers=1)


def statuses(report: ProofReport) -> dict[str, str]:
    return {proof.claim: proof.status for proof in report.proofs}


def examined(game: Game, label: str, *goals: str, pairs: Sequence[Written] = ()) -> TransitionVerdicts:
    """The verdicts at one transition, without comparison games: of these claims, or of all invariants."""
    setting = Setting(game.ruleset)
    found = setting.prover.transitions
    number = next(n for n, t in enumerate(found) if t.label == label)
    asked = goals or (*invariants(game.ruleset).assumed, *ALWAYS, *([] if found[number].step else [ENUMERATION]))
    return TransitionQuestion(setting, number, label, tuple(asked), tuple(pairs))()


def of_positions(game: Game, claim: str) -> Answer:
    """The verdict on a claim about positions; of several with this name, the first that is not proved."""
    setting = Setting(game.ruleset)
    names = [name for name, _ in setting.prover.about_positions]
    found = [PositionQuestion(setting, n, claim)() for n, name in enumerate(names) if name == claim]
    assert found, f"{claim} is no claim about positions alone, as {', '.join(sorted(set(names)))} are"
    return next((f for f in found if f.verdict != "proved"), found[0])
