"""Why an action is legal or not, with the board on which the reasons are pinned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from ..drawing.frame import Frame
from ..drawing.scene import scene_of
from ..engine import symbols
from ..engine.assumptions import assumed_docs, judged_by
from ..engine.typed import action_of
from ..errors import NotDecided, UnreadableInput, WrongUsage
from ..evaluation.explanation import allows
from ..evaluation.verdict import Violation
from ..notation.record import Move
from ..notation.syntax import parse_move
from ..notation.terms import Term
from ..position import Position
from ..records.fault import Fault
from ..records.replay import Replay
from ..reports.story import pins
from ..rules.names import how_written
from ..rules.phrases import Phrases, phrases
from ..rules.rulebook import Rulebook
from .boards import frame_of, sheet_of
from .state import State, text_of

_NEAREST: Final = 5


def why(data: Mapping[str, Any]) -> dict[str, Any]:
    """An action judged: the rules that it keeps, or those that it breaks with facts, sources and rulings."""
    replay = State.of(data).replay()
    position = replay.here()
    book, words = position.ruleset.book, phrases(position.ruleset.book.folder)
    role, term = _typed(text_of(data, "move"), text_of(data, "role", ""), book)
    violations, _ = replay.judge(role, term)
    judged = action_of(position.ruleset, term)
    action = symbols.text(judged)
    docs = assumed_docs(position.ruleset)
    resting = judged_by(position.ruleset, judged, [one.rule for one in violations])
    answer: dict[str, Any] = {
        "role": role,
        "who": words.phrase(role),
        "action": action,
        "said": words.action(action),
        "legal": not violations,
        "assumed": [[id, docs[id].statement] for id in resting],
    }
    if not violations:
        found = allows(position.ruleset, position.symbols, role, action)
        rules = [
            {"rule": rule, "statement": statement, "facts": _worded(words, facts)}
            for rule, statement, facts in found
        ]
        return {**answer, "rules": rules}
    edition = position.ruleset.configuration.edition
    answer["violations"] = [_violation(book, words, one, edition) for one in violations]
    answer["near"] = _near(replay, role, term, words)
    frame = frame_of(position, data.get("deal"))
    if frame is not None:
        sheet = sheet_of(data)
        faults = [Fault.at(None, Move(role, term), one) for one in violations]
        picture = sheet.picture(frame, pins(position, frame, faults), _tried(position, role, term, frame))
        answer["board"] = {"pictures": [picture], **sheet.as_json()}
    return answer


def _typed(text: str, role: str, book: Rulebook) -> tuple[str, Term]:
    """What somebody typed: ``ROLE: ACTION``, or only the action of the role that is meant."""
    whole = text if ":" in text else f"{role}: {text}"
    try:
        move = parse_move(whole)
    except UnreadableInput as error:
        hint = how_written(book.folder, text[:200])
        raise WrongUsage(f"{text[:80]!r} is no action: {error.message}{hint}") from None
    if move.action is None or "?" in str(move.action):
        raise WrongUsage("the action must not be left open")
    return move.role, move.action


def _violation(book: Rulebook, words: Phrases, one: Violation, edition: str) -> dict[str, Any]:
    return {
        "rule": one.rule,
        "statement": one.statement,
        "message": one.message,
        "facts": _worded(words, one.facts),
        "absent": _worded(words, one.absent),
        "sources": list(one.sources.items()),
        "rulings": [
            [name, book.rulings[name].values[value], book.rulings[name].about]
            for name, value in one.rulings.items()
            if name in book.rulings
        ],
        "edition": edition,
    }


def _worded(words: Phrases, facts: Sequence[str]) -> list[list[str]]:
    """Facts as they are written, each with its words."""
    return [[fact, words.fact(fact)] for fact in facts]


def _tried(position: Position, role: str, term: Term, frame: Frame) -> Frame | None:
    """What the action would change by itself."""
    if role not in position.ruleset.roles:
        return None
    judgement = position.judge({role: term})
    facts = (position.symbols - frozenset(judgement.deleted)).union(judgement.added)
    shown = scene_of(position.ruleset, facts) if facts != position.symbols else None
    return None if shown is None else Frame.after(shown, frame)


def _near(replay: Replay, role: str, term: Term, words: Phrases) -> list[list[str]]:
    """The legal actions that differ least from one that is not: text and words."""
    try:
        found = replay.legal().get(role, ())
    except NotDecided:
        return []
    wanted = _parts(str(term))
    alike = [a for a in found if a.partition("(")[0] == term.name]
    ranked = sorted(alike, key=lambda action: (_distance(wanted, _parts(action)), action))
    return [[action, words.action(action)] for action in ranked[:_NEAREST]]


def _parts(action: str) -> list[str]:
    return action.replace("(", " ").replace(")", " ").replace(",", " ").split()


def _distance(one: Sequence[str], other: Sequence[str]) -> int:
    """In how many names two actions differ."""
    return sum(a != b for a, b in zip(one, other, strict=False)) + abs(len(one) - len(other))
