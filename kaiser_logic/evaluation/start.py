"""Compares the start of a game with its invariants.

From invariants that no position meets everything follows: then "no position has this property" and "no position parts two
editions" say nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..engine.configuration import Configuration, configure
from ..engine.grounding import Undecided
from ..errors import Finding, KaiserLogicError, WrongUsage
from ..lang.unification import label
from ..rules.predicates import BROKEN
from ..rules.rulebook import DEFAULT_EDITION, Rulebook
from .evaluator import Evaluator, evaluator_of

if TYPE_CHECKING:
    from ..rules.contract.survey import Survey


def broken_at_start(evaluator: Evaluator) -> tuple[tuple[str, str], ...]:
    """The invariants that the start of the game breaks, with witnesses; without those that a ruling waives."""

    def find_broken() -> tuple[tuple[str, str], ...]:
        breaches = evaluator.broken_invariants(evaluator.initial(), waive=False)
        return tuple(pair for pair in breaches if pair[0] not in evaluator.ruleset.waived)

    return evaluator.ruleset.remember("broken at start", find_broken)


def refuse_false_invariants(*evaluators: Evaluator) -> None:
    """Raises WrongUsage if the start of a game breaks one of its invariants."""
    for evaluator in evaluators:
        for invariant, witness in broken_at_start(evaluator):
            raise WrongUsage(
                f"the start of {evaluator.ruleset.id} breaks the invariant {invariant} ({witness}):"
                " it is false, so it says nothing that no valid position was found"
            )


def checks(survey: Survey) -> Iterator[Finding]:
    """The kind ``initial``, for `lint`: the start breaks an invariant, in some edition or with some number of players."""
    told: set[str] = set()
    for configuration, words in _configurations(survey.book):
        try:
            breaches = broken_at_start(evaluator_of(configuration))
        except (Undecided, KaiserLogicError, RuntimeError, OverflowError):
            continue
        for invariant, witness in breaches:
            if invariant in told:
                continue
            told.add(invariant)
            message = f"the start breaks the invariant {invariant} ({witness}){words}: nothing follows from it"
            uses = [*survey.heads(*BROKEN), *survey.heads("init", 1)]
            uses_of_it = (u for u in uses if u.atom.name == BROKEN[0] and label(u.atom.args[0]) == invariant)
            use = next(uses_of_it, uses[-1])
            yield survey.at(use.rule, "initial", message, invariant if use.atom.name == BROKEN[0] else "init")


def _configurations(book: Rulebook) -> Iterator[tuple[Configuration, str]]:
    """The standard edition with the usual number of players, the fewest and the most; then the other editions."""
    numbers = book.manifest["players"]
    usual = book.manifest["default_players"]
    for players in dict.fromkeys((usual, numbers[0], numbers[-1])):
        configuration, _ = configure(book, book.folder, players=players)
        yield configuration, "" if players == usual else f" with {players} players"
    for edition in book.editions:
        if edition != DEFAULT_EDITION:
            configuration, _ = configure(book, book.folder, edition=edition)
            yield configuration, f" in edition {edition}"
