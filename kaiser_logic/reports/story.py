"""A record move by move: the changes, the events, and the faults of each move."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from ..drawing.frame import Frame, items_with_owners
from ..drawing.scene import scene, scene_of
from ..drawing.svg.canvas import pin_of
from ..drawing.text import changes_of, events
from ..engine import symbols
from ..errors import KaiserLogicError, NotDecided
from ..notation.record import Move, Record
from ..notation.sources import read
from ..notation.terms import Term, has_unknown
from ..position import Position
from ..records.checking import Report, report_of
from ..records.fault import Fault
from ..records.replay import OnIllegal, Replay
from ..rules.phrases import Phrases, phrases

_MOST_LEGAL: Final = 60
"""If a role has more legal actions, only the number of each kind is given."""


@dataclass(frozen=True)
class StoryStep:
    """One move of a record, and the position after it.

    Attributes:
        move: The move; None for the start.
        text: The move in words.
        events: The events in words.
        changes: The visible changes, one on each line.
        frame: The picture after it; None if the game has no pictures or there is no position.
        position: The position after it, or None.
        pinned: Place or item to the number of the reason that is shown there.
        tried: The frame to which an illegal move would have led; None if it is unknown, or the move is legal.
        legal: The legal actions in words, if the move is illegal; otherwise None.
        comment: The comments at this place.
    """

    move: Move | None
    text: str
    events: tuple[str, ...]
    changes: tuple[str, ...]
    frame: Frame | None
    position: Position | None
    pinned: Mapping[str, str]
    tried: Frame | None
    legal: tuple[str, ...] | None
    comment: str = ""


@dataclass(frozen=True)
class Story:
    """A whole record, move by move.

    Attributes:
        record: The record.
        report: The report of its check.
        steps: The start, and each move as far as the record was followed.
        faults: The number of moves before a fault (-1 for the tags and in variations) to the faults there.
    """

    record: Record
    report: Report
    steps: tuple[StoryStep, ...]
    faults: Mapping[int, tuple[Fault, ...]]

    @property
    def seats(self) -> tuple[str, ...]:
        """The players' roles."""
        return next((s.position.ruleset.seats for s in self.steps if s.position is not None), ())

    def words(self) -> Phrases | None:
        """The phrases of the game."""
        position = next((s.position for s in self.steps if s.position is not None), None)
        return None if position is None else phrases(position.ruleset.book.folder)


def story(record: Record | str | Path, on_illegal: OnIllegal = "stop") -> Story:
    """Replays a record and describes each move; raises the same errors as `check`."""
    record = record if isinstance(record, Record) else read(record)
    replay = Replay(record, on_illegal)
    steps: list[StoryStep] = []
    for number in range(len(record.moves) + 1):
        before = replay.position
        replay.run(number)
        if replay.moves < number:
            break
        steps.append(_step(replay, steps, before, number))
    replay.run()
    said = record.comments
    steps = [replace(one, comment=said[str(n)]) if str(n) in said else one for n, one in enumerate(steps)]
    whole = Replay(record, on_illegal) if record.variations else replay
    whole.run_all()
    report = report_of(whole)
    faults_at: dict[int, list[Fault]] = defaultdict(list)
    for fault in report.faults:
        faults_at[int(fault.place) if fault.place.isdigit() else -1].append(fault)
    faults = {at: tuple(those) for at, those in faults_at.items()}
    return Story(record, report, tuple(_explain_steps(steps, faults)), faults)


def _step(replay: Replay, steps: Sequence[StoryStep], before: Position | None, number: int) -> StoryStep:
    """The step of the last move; ``before`` is the position before it."""
    move = replay.record.moves[number - 1] if number else None
    position = replay.position
    last = steps[-1].frame if steps else None
    frame = None
    if position is not None:
        if last is not None and before is position:
            frame = Frame(last.scene, last.dealt)
        else:
            shown = scene(position)
            frame = None if shown is None else Frame.frame_of(shown, last)
    text = _move_text(move, position)
    changes: tuple[str, ...] = ()
    if before is not None and position is not None and before is not position and number:
        changes = tuple(frame.change_lines) if frame is not None else tuple(changes_of(before, position))
        happened = tuple(events(before, position))
    else:
        happened = ()
    return StoryStep(move, text, happened, changes, frame, position, {}, None, None)


def _move_text(move: Move | None, position: Position | None) -> str:
    """A move in words, or as it was written."""
    if move is None or move.action is None:
        return "Start" if move is None else f"{move.role}: ?"
    if position is None:
        return f"{move.role}: {move.action}"
    words = phrases(position.ruleset.book.folder)
    return f"{words.phrase(move.role)} {words.action(str(move.action))}"


def _explain_steps(steps: Sequence[StoryStep], faults: Mapping[int, Sequence[Fault]]) -> list[StoryStep]:
    """The steps; illegal moves get pins and the legal actions."""
    explained = list(steps)
    for before, those in faults.items():
        number = before + 1
        if not 0 < number < len(steps) or not any(fault.role for fault in those):
            continue
        position, step = steps[before].position, steps[number]
        if position is None:
            continue
        earlier = steps[before].frame
        if earlier is not None and step.position is position:
            move = step.move
            frame = None if move is None else frame_after(position, move.role, move.action, earlier)
            step = replace(step, pinned=pins(position, earlier, those), tried=frame)
        explained[number] = replace(step, legal=_legal(position))
    return explained


def frame_after(position: Position, role: str, action: Term | None, frame: Frame) -> Frame | None:
    """The frame after the direct effects of an illegal action; None if they are unknown or cannot be seen.

    Args:
        position: The position.
        role: The role that tried it.
        action: The action, if it is known.
        frame: The frame of the position.
    """
    if action is None or has_unknown(action) or role not in position.ruleset.roles:
        return None
    facts = position.judge({role: action}).facts_after(position.symbols)
    shown = scene_of(position.ruleset, facts) if facts != position.symbols else None
    return None if shown is None else Frame.frame_of(shown, frame)


def _legal(position: Position) -> tuple[str, ...]:
    """The legal actions of a position in words; for a role with many, the number of each kind."""
    words = phrases(position.ruleset.book.folder)
    try:
        actions_of = position.legal()
    except NotDecided as error:
        return (str(error),)
    except KaiserLogicError:
        return ()
    lines = []
    for role, actions in actions_of.items():
        name = words.phrase(role)
        if len(actions) > _MOST_LEGAL:
            kinds: dict[str, int] = defaultdict(int)
            for action in actions:
                kinds[action.partition("(")[0]] += 1
            lines += [f"{name}: {kind} ({count})" for kind, count in kinds.items()]
        else:
            lines += [f"{name} {words.action(action)} — {action}" for action in actions]
    return tuple(lines)


def pins(position: Position, frame: Frame, faults: Sequence[Fault]) -> dict[str, str]:
    """The places and items of the facts behind broken rules, each with a number.

    It is the number of the reason or, if several rules are broken, of the rule. The pieces and items of a fact are those that
    the picture rules show for this fact alone.
    """
    numbers_of: dict[str, str] = {}
    several = len(faults) > 1
    seats = position.ruleset.facts("seat", 2)
    nothing = scene_of(position.ruleset, seats)
    always = set(items_with_owners(nothing)) if nothing else set()
    visible = set(items_with_owners(frame.scene))
    for number, fault in enumerate(faults, 1):
        for reason, fact in enumerate(fault.facts, 1):
            if "_" in fact.replace("(", ",").replace(")", ",").split(","):
                continue
            shown = scene_of(position.ruleset, [*seats, symbols.read_symbol(fact)])
            for of, item in items_with_owners(shown) if shown else ():
                if item.kind != "supply" and (of, item) in visible and (of, item) not in always:
                    numbers_of.setdefault(pin_of(of, item), str(number if several else reason))
            for kind, area, look, _ in shown.pieces if shown else ():
                for place, (placed, _) in frame.dealt.placed.items():
                    if placed == look and frame.dealt.areas[place] == (area, kind):
                        numbers_of.setdefault(place, str(number if several else reason))
    return numbers_of
