"""Edited facts: the invariants that they break, and a picture as far as they can be drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from .. import clingo
from ..engine import symbols
from ..engine.compiled.program import derived
from ..engine.ruleset import Ruleset
from ..errors import UnreadableInput, WrongUsage
from ..evaluation.verdict import Broken, InvalidPosition
from ..notation.reading import parse_position
from ..notation.record import Fact
from ..notation.terms import has_unknown
from ..records.fault import Fault, objection
from ..reports.story import pins
from ..rules.phrases import Phrases, phrases
from ..rules.rule import top
from ..transform.slicing import Slicer, position_seeds
from .boards import boards, frame_of, sheet_of
from .state import MOST_FACTS, State, requested_game, text_of
from .trays import looks_at, on_board

_MOST_LISTED: Final = 50


def edited(data: Mapping[str, Any]) -> dict[str, Any]:
    """Facts, typed: what they break as a position of the game, and how they look."""
    game = requested_game(data)
    facts = _read(text_of(data, "text"))
    words = phrases(game.book.folder)
    texts = game.book.ordered({str(fact.term) for fact in facts})
    broken: tuple[Broken, ...] = ()
    try:
        game.position_of(fact.term for fact in facts)
    except InvalidPosition as error:
        broken = error.broken
    seen = on_board(game.ruleset, frozenset(map(symbols.read, texts)))
    measured = _measures(game.ruleset, frozenset(map(symbols.read, texts))) if broken else {}
    answer = {
        "facts": texts,
        "words": [words.fact(fact) for fact in texts],
        "areas": [list(seen.get(symbols.read(fact), ())) for fact in texts],
        "pieces": [_pieces(game.ruleset, fact, texts, seen) for fact in texts],
        "broken": [_in_words(one, facts, words, measured) for one in broken[:_MOST_LISTED]],
    }
    return {**answer, **_drawn(data, texts, broken)}


def _read(text: str) -> tuple[Fact, ...]:
    """The facts of a text; UnreadableInput with the place where they cannot be read."""
    facts = parse_position(text).facts
    if len(facts) > MOST_FACTS:
        raise WrongUsage(f"no position of any game has more than {MOST_FACTS} facts")
    for fact in facts:
        if has_unknown(fact.term):
            raise UnreadableInput(f"{fact.term} contains a '?'", None, fact.line, fact.column)
    return facts


def _pieces(
    rules: Ruleset, fact: str, texts: Sequence[str], seen: Mapping[clingo.Symbol, tuple[str, ...]]
) -> list[list[str]]:
    """The pieces of the board that are a fact: area, sort, owner and label of each."""
    term = symbols.read(fact)
    if not seen.get(term):
        return []
    among = frozenset(map(symbols.read, texts))
    return [[area, *look] for area, look in looks_at(rules, term, among)]


def _measures(rules: Ruleset, facts: frozenset[clingo.Symbol]) -> dict[str, tuple[int, int, int]]:
    """The limited sums: their least and greatest values, and the value here."""
    outputs = ("limit", 3), ("total", 2)
    slicer = Slicer([*rules.judging.rules], (), rules.static)
    program = rules.remember(
        "measures",
        lambda: rules.complete(tuple(slicer.slice(position_seeds(), [top(*output) for output in outputs]))),
    )
    found = derived(program, facts, engine=rules.configuration.engine)
    totals = {a[0]: a[1].number for a in (s.arguments for s in found.get("total", 2))}
    limits = [s.arguments for s in found.get("limit", 3)]
    return {
        symbols.text(what): (least.number, most.number, totals[what])
        for what, least, most in limits
        if what in totals
    }


def _in_words(
    one: Broken, facts: tuple[Fact, ...], words: Phrases, measured: Mapping[str, tuple[int, int, int]]
) -> dict[str, Any]:
    place = next((fact for fact in facts if str(fact.term) == one.witness), None)
    message, subject = one.message, words.fact(one.witness)
    if one.invariant == "limit" and one.witness in measured:
        least, most, there = measured[one.witness]
        named = words.drawn(f"measure({one.witness})")
        subject = one.witness if named.startswith("measure(") else named
        bound = f"there are {most}" if least == most else f"there are at most {most}"
        message = f"{subject[:1].upper()}{subject[1:]}: {bound if there > most else f'there are at least {least}'}, not {there}."
        subject = one.witness
    return {
        "rule": one.invariant,
        "message": message,
        "witness": one.witness,
        "words": subject,
        "line": place.line if place else 0,
    }


def _drawn(data: Mapping[str, Any], texts: list[str], broken: tuple[Broken, ...]) -> dict[str, Any]:
    """The board of the facts, what breaks something pinned; why it cannot be drawn, where it cannot."""
    try:
        position = State.of({**data, "facts": texts, "pending": []}).position()
        frame = frame_of(position, data.get("deal"))
        if frame is None:
            return {"board": boards({**data, "states": [{"facts": texts}], "before": None})}
        faults = [
            Fault.at(None, Fact(position_term), objection("record.position", str(one), (one.witness,)))
            for one in broken[:9]
            for position_term in _fact_terms(one)
        ]
        sheet = sheet_of(data)
        return {
            "board": {"pictures": [sheet.picture(frame, pins(position, frame, faults))], **sheet.as_json()}
        }
    except Exception as error:  # whatever cannot be drawn is still judged
        return {"undrawn": str(error)[:300] or type(error).__name__}


def _fact_terms(one: Broken) -> list[Any]:
    """The witness as a term, where it is one."""
    from ..notation.syntax import parsed

    try:
        return [parsed(one.witness)]
    except WrongUsage:
        return []
