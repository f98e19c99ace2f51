"""What is pointed at on the board: what an action would do, why nothing can be done there, and what the marks mean."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from .. import clingo
from ..drawing.events import events
from ..drawing.frame import Frame
from ..drawing.scene import Item, Scene, scene
from ..drawing.svg.sorts import FRAMES
from ..engine import symbols
from ..engine.typed import action_of
from ..errors import NotDecided, WrongUsage
from ..position import Position
from ..records.replay import Replay
from ..rules.phrases import phrases
from .actions import kind_of
from .boards import frame_of
from .state import State, strings, term_of, text_of

_FIRST: Final = 2_000
"""Of more legal actions than these only so many are varied."""
_JUDGED: Final = 120
"""So many actions at most are judged for one place;"""
_SHOWN: Final = 8
"""so many are told: of each kind one for each rule, those first that break least."""
_LINES: Final = 16
_SHAPELESS: Final = frozenset({"action.unknown", "decision.other"})
"""Rules that say nothing about a place: the action is none, or another's turn."""


def preview(data: Mapping[str, Any]) -> dict[str, Any]:
    """What a legal action changes, with all that follows from it by itself: on the board, and in words."""
    replay = State.of(data).replay()
    position = replay.here()
    role, action = text_of(data, "role"), action_of(position.ruleset, text_of(data, "action"))
    if role not in position.to_move:
        raise WrongUsage(f"{role[:40]} has nothing to decide here")
    judgement = position.evaluator.judge(position.symbols, {role: action})
    if judgement.violations:
        raise WrongUsage("this is not legal: ask why")
    facts = (position.symbols - frozenset(judgement.deleted)).union(judgement.added)
    after = Position(position.evaluator, facts)
    if position.to_move == (role,):
        after = position.successor(judgement)
    before = frame_of(position, data.get("deal"))
    shown = scene(after)
    happened = events(position, after)
    lines: list[str] = []
    if before is not None and shown is not None:
        frame = Frame.after(shown, before)
        lines = frame.change_lines
        happened += _vacated(frame, before)
    return {"changes": lines[:_LINES], "more": max(0, len(lines) - _LINES), "events": happened}


def _vacated(after: Frame, before: Frame) -> Iterator[str]:
    """The places of a name that are empty now, such as the seat of an elector: where they are always seen."""
    shown = after.scene
    for place, (area, kind) in before.dealt.areas.items():
        text = shown.say(f"place({kind})")
        seen = shown.geometry.outlines.get(kind) in FRAMES and not text.startswith("place(")
        if seen and place in before.dealt.placed and place not in after.dealt.placed:
            yield f"{text[:1].upper()}{text[1:]} of {shown.area_called(area)} falls vacant"


def why_not(data: Mapping[str, Any]) -> dict[str, Any]:
    """What could be meant by whoever points at something at which nothing legal can be done, and why it cannot.

    The legal actions, or those that the page names, with what is pointed at in the place of another such thing.
    """
    replay = State.of(data).replay()
    position = replay.here()
    role = text_of(data, "role")
    if role not in position.ruleset.roles:
        raise WrongUsage(f"{role[:40]} takes no part in this game")
    frame = frame_of(position, data.get("deal"))
    if frame is None:
        return {"actions": []}
    try:
        legal = set(replay.legal().get(role, ()))
    except NotDecided:
        legal = set()
    named = strings(data.get("actions", []), "actions", 5_000)
    swaps = list(_swaps(frame.scene, text_of(data, "area", ""), text_of(data, "item", "")))
    words = phrases(position.ruleset.book.folder)
    groups: dict[str, dict[str, None]] = {}
    for text in sorted(set(named) & legal or legal)[:_FIRST]:
        for varied in _varied(symbols.read(text), swaps):
            if (text := symbols.text(varied)) not in legal:
                groups.setdefault(kind_of(position.ruleset, words, text), {})[text] = None
    examples: dict[tuple[str, tuple[str, ...]], str] = {}
    for kind, action in _spread({kind: list(some) for kind, some in groups.items()}, _JUDGED):
        broken = _broken(position, role, action)
        if broken and not {*broken} & _SHAPELESS:
            examples.setdefault((kind, broken), action)
    chosen = sorted(examples, key=lambda key: len(key[1]))[:_SHOWN]
    return {
        "actions": [
            _reason(replay, role, examples[key]) | {"said": words.action(examples[key])} for key in chosen
        ]
    }


def _broken(position: Position, role: str, action: str) -> tuple[str, ...]:
    """The rules that an action breaks."""
    judgement = position.evaluator.judge(position.symbols, {role: symbols.read(action)})
    return tuple(dict.fromkeys(rule for _, _, rule in judgement.violations))


def _reason(replay: Replay, role: str, action: str) -> dict[str, Any]:
    """An illegal action with the first rule that it breaks."""
    violations, _ = replay.judge(role, term_of(action))
    return {"action": action, "rule": violations[0].rule, "message": violations[0].message}


def _swaps(shown: Scene, area: str, item: str) -> Iterator[tuple[clingo.Symbol, clingo.Symbol]]:
    """What stands in an action for another thing of the kind, and what would for the one that is pointed at."""
    if area in shown.geometry.layout().areas:
        mine = _names(shown, area)
        for other in shown.geometry.layout().areas:
            theirs = _names(shown, other)
            if other != area and len(theirs) == len(mine):
                yield from zip(theirs, mine, strict=True)
    for items in [*shown.panels.values(), *(box.items for box in shown.boxes)]:
        yield from _among(items, item.partition(" ")[2])


def _names(shown: Scene, area: str) -> list[clingo.Symbol]:
    """What an area is called in actions: as itself, or as what its title names."""
    return [symbols.read(name) for name in dict.fromkeys([area, shown.subjects.get(area, area)])]


def _among(items: Sequence[Item], key: str) -> Iterator[tuple[clingo.Symbol, clingo.Symbol]]:
    """The same of an item: its arguments for those of the other items of its kind."""
    mine = next((item for item in items if item.key == key), None)
    for other in items if mine else ():
        if mine and other.kind == mine.kind and other.key != key:
            pairs = zip(other.args, mine.args, strict=False)
            yield from ((symbols.read(a), symbols.read(b)) for a, b in pairs if a != b and not b.isdigit())


def _varied(
    action: clingo.Symbol, swaps: Sequence[tuple[clingo.Symbol, clingo.Symbol]]
) -> Iterator[clingo.Symbol]:
    """An action with one of its terms replaced, wherever that stands."""
    inside = set(_subterms(action))
    for old, new in swaps:
        if old in inside:
            yield _replaced(action, old, new)


def _subterms(term: clingo.Symbol) -> Iterator[clingo.Symbol]:
    yield term
    if term.type is clingo.SymbolType.Function:
        for part in term.arguments:
            yield from _subterms(part)


def _replaced(term: clingo.Symbol, old: clingo.Symbol, new: clingo.Symbol) -> clingo.Symbol:
    if term == old:
        return new
    if term.type is not clingo.SymbolType.Function or not term.arguments:
        return term
    return clingo.Function(term.name, [_replaced(part, old, new) for part in term.arguments], term.positive)


def _spread(groups: Mapping[str, Sequence[str]], most: int) -> list[tuple[str, str]]:
    """So many of several lists, in turns, each with the name of its list."""
    found: list[tuple[str, str]] = []
    for row in range(max(map(len, groups.values()), default=0)):
        found += [(name, group[row]) for name, group in groups.items() if row < len(group)]
        if len(found) >= most:
            break
    return found[:most]
