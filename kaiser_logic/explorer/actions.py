"""Legal actions by kind, and what they touch on the board."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ..drawing.frame import Frame
from ..drawing.scene import scene_of
from ..engine import symbols
from ..engine.ruleset import Ruleset
from ..engine.typed import action_of
from ..errors import NotDecided, WrongUsage
from ..play.playout import gains, weights
from ..rules.pattern import Pattern
from ..rules.phrases import Phrases, phrases
from .boards import frame_of, touched
from .state import State, strings, text_of

_MOST_TOUCHED: Final = 64
"""So many actions at most are tried out for one answer."""


def legal(data: Mapping[str, Any]) -> dict[str, Any]:
    """The legal actions of all who have still to decide, by kind; the result where the game is over."""
    replay = State.of(data).replay()
    position = replay.here()
    words = phrases(position.ruleset.book.folder)
    result = position.result()
    if result is not None:
        points = [[role, words.phrase(role), number] for role, number in result.points.items()]
        names = " and ".join(map(words.phrase, result.winners))
        summary = f"won by {names}" if names else result.summary
        return {"roles": [], "result": {"said": summary, "points": points, "winners": result.winners}}
    waiting = [role for role in position.to_move if role not in replay.pending]
    try:
        found = replay.legal()
    except NotDecided as error:
        roles = [_role(words, role, position.decisions[role], [], str(error)) for role in waiting]
        return {"roles": roles, "result": None}
    given = weights(position)
    total = sum(given.get(action, 1) for action in found.get("chance", ())) if given else 0
    roles = []
    for role in waiting:
        groups: dict[str, list[dict[str, Any]]] = {}
        for action in found[role]:
            one: dict[str, Any] = {"action": action, "said": words.action(action)}
            if role == "chance" and total:
                one["odds"] = [given.get(action, 1), total]
            groups.setdefault(kind_of(position.ruleset, words, action), []).append(one)
        listed = [{"kind": kind, "actions": actions} for kind, actions in groups.items()]
        roles.append(_role(words, role, position.decisions[role], listed))
    return {"roles": roles, "result": None}


def _role(words: Phrases, role: str, decision: str, groups: list[Any], note: str = "") -> dict[str, Any]:
    question = f"decision({role},{decision})"
    asked = words.drawn(question)
    return {
        "role": role,
        "said": words.phrase(role),
        "decision": asked if asked != question else decision,
        "groups": groups,
        "note": note,
    }


def kind_of(rules: Ruleset, words: Phrases, action: str) -> str:
    """What all actions of a kind have in common, in words: the names that its pattern has."""
    kind = rules.kind(symbols.read(action))
    if kind is None:
        return action.partition("(")[0]
    parts = [words.phrase(name).replace("_", " ") for name in _names(kind.action)]
    return " · ".join(dict.fromkeys(parts))


def _names(pattern: Pattern) -> list[str]:
    """The names of functions and constants in a pattern, in the order of reading."""
    if pattern[0] == "v":
        return []
    inner = pattern[2] if pattern[0] == "f" else ()
    return [str(pattern[1]), *(name for part in inner for name in _names(part))]


def touches(data: Mapping[str, Any]) -> dict[str, Any]:
    """What each of some actions touches, takes and gives at once: tried out one by one, and only looked at."""
    replay = State.of(data).replay()
    position = replay.here()
    role = text_of(data, "role")
    if role not in position.ruleset.roles:
        raise WrongUsage(f"{role[:40]} takes no part in this game")
    before = frame_of(position, data.get("deal"))
    if before is None:
        return {"touches": {}}
    found: dict[str, dict[str, Any]] = {}
    for text in strings(data.get("actions"), "actions", _MOST_TOUCHED):
        action = action_of(position.ruleset, text)
        judgement = position.evaluator.judge(position.symbols, {role: action})
        facts = (position.symbols - frozenset(judgement.deleted)).union(judgement.added)
        shown = scene_of(position.ruleset, facts) if facts != position.symbols else None
        found[text] = (
            {"areas": [], "from": [], "to": [], "items": [], "moves": []}
            if shown is None
            else touched(before, Frame.after(shown, before))
        )
        if role in position.ruleset.seats:
            found[text]["gains"] = ", ".join(gains(position, role, action))
    return {"touches": found}
