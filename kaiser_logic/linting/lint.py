"""All checks of one rulebook, in stages: what cannot be read, then the contract, then what is likely to be a mistake."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final, TypeAlias

from ..errors import FaultyRulebook, Finding, WrongUsage
from ..presenters import CHECKS as FURTHER
from ..rules.contract import faults
from ..rules.contract.documented import sentences
from ..rules.contract.survey import Survey
from ..rules.library import folder_of, game_named
from ..rules.loader import claims_of, drawing_rules, picture_rules, read_parts, with_plain_variables
from ..rules.phrases import phrases as read_phrases
from .rule_checks import (
    aimless,
    bounds,
    collected,
    effects,
    ending,
    engine_needs,
    exported,
    grounded,
    idle_steps,
    judging,
    measures,
    repeated,
    uncompiled,
    unlisted,
    unused,
)
from .text_checks import cells, conditions, headings, phrases, waived

Check: TypeAlias = Callable[[Survey], Iterator[Finding]]

CHECKS: Final[tuple[Check, ...]] = (
    engine_needs,
    unused,
    exported,
    unlisted,
    repeated,
    idle_steps,
    aimless,
    ending,
    effects,
    judging,
    collected,
    measures,
    bounds,
    sentences,
    conditions,
    headings,
    waived,
    phrases,
    cells,
)
"""What is checked besides the contract."""


def lint(game: str | os.PathLike[str]) -> tuple[Finding, ...]:
    """All mistakes and likely mistakes of a rulebook; empty for a clean one.

    Args:
        game: A folder with a rulebook, or a game's id.

    Returns:
        The findings by file and line. Where files cannot be read, only that; otherwise everything.

    Raises:
        WrongUsage: There is no such rulebook.
    """
    named = game_named(os.fspath(game))
    folder = folder_of(named) if isinstance(named, str) else named
    if not (folder / "game.toml").is_file():
        raise WrongUsage(f"{folder} is not a rulebook: it has no game.toml")
    return tuple(sorted(set(findings(folder, FURTHER))))


def findings(
    folder: Path, besides: Iterable[Callable[[Survey], Iterable[Finding]]] = ()
) -> Iterator[Finding]:
    """All findings of a folder, unordered; ``besides``: further checks of a rulebook without faults."""
    book, unreadable = read_parts(folder)
    if book is None:
        yield from unreadable
        return
    try:
        drawing = [*drawing_rules(book), *picture_rules(book)]
        claims, claimed = claims_of(book)
        read_phrases.cache_clear()
        read_phrases(folder)
    except FaultyRulebook as error:
        unreadable += error.findings
    if unreadable:
        yield from unreadable
        return
    survey = Survey(book, drawing, claims, claimed)
    found = faults(survey, thorough=True)
    yield from found
    for check in CHECKS:
        yield from check(survey)
    if not found:
        read = Survey(with_plain_variables(book), drawing, claims, claimed)
        yield from grounded(read)
        yield from uncompiled(read)
        for further in besides:
            yield from further(survey)
