"""The rules and kinds of action that recorded games use, and those that they never use.

The lines that apply are looked for when a decision is carried out, in each step after it, and at the end. Violations are
evaluated at each decision, for all candidates.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

from .. import clingo
from ..engine import symbols
from ..engine.ruleset import action_of
from ..evaluation.rule_lines import Line, rule_lines
from ..game import load
from ..lang.unification import functor
from ..notation.record import Record
from ..notation.sources import Source
from ..rules.loader import rulebook
from ..upward import ShownInNotebooks
from .each_record import each_record
from .replay import Replay
from .tags import Paths, files_in, sources_of

APPLIES: Final = "applies"
FORBIDS: Final = "forbids"


@dataclass(frozen=True)
class RuleUse:
    """The number of uses of a rule in recorded games.

    Attributes:
        rule: Its id.
        applies: The number of moves, steps and ends at which it applies, that is, at which a telling line of it applies.
        forbids: The number of decisions at which it forbids a candidate.
        lines: The number of its lines that some record uses.
        of: The number of its lines that have a marker.
        records: The number of records that use it.
        first: The first place where it is used, as ``FILE@N``; empty if there is none.
    """

    rule: str
    applies: int = 0
    forbids: int = 0
    lines: int = 0
    of: int = 0
    records: int = 0
    first: str = ""


@dataclass(frozen=True)
class Coverage(ShownInNotebooks):
    """The coverage of a game's rules by recorded games.

    Attributes:
        game: The game's id.
        rules: The documented rules that can apply or forbid an action, in the rulebook's order.
        uncounted: The other documented rules: on limits, drawings and static facts.
        idle: The lines of these rules that no record uses, as ``FILE:LINE: TEXT``.
        actions: The number of occurrences of each kind of action, such as ``move/2``.
        records: The number of records that were replayed.
        moves: The number of their legal moves.
        unreadable: Why some records could not be read.
        partial: The faults that ended the replay of a record.
        foreign: The number of records of other games, which were left out.
    """

    game: str
    rules: tuple[RuleUse, ...]
    uncounted: tuple[str, ...]
    idle: tuple[str, ...]
    actions: dict[str, int]
    records: int = 0
    moves: int = 0
    unreadable: tuple[str, ...] = ()
    partial: tuple[str, ...] = ()
    foreign: int = 0

    @property
    def never(self) -> tuple[str, ...]:
        """The rules that no record uses."""
        return tuple(use.rule for use in self.rules if not use.records)

    def as_json(self) -> dict[str, Any]:
        """The coverage as a JSON object."""
        return {
            **{name: list(value) if isinstance(value, tuple) else value for name, value in self.__dict__.items()},
            "rules": [dict(use.__dict__) for use in self.rules],
            "never": list(self.never),
        }


@dataclass
class _RecordUses:
    """The rules and actions that one record uses."""

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    lines: set[Line] = field(default_factory=set)
    first: dict[str, int] = field(default_factory=dict)
    actions: Counter[str] = field(default_factory=Counter)
    moves: int = 0
    fault: str = ""
    foreign: bool = False


def coverage(
    source: str | Path, paths: Paths, *, jobs: int = 1, progress: Callable[[str], None] = lambda _: None
) -> Coverage:
    """Finds the rules and kinds of action of a game that its records use.

    Args:
        source: The game's id, or a folder with its rulebook.
        paths: Files and directories. A directory stands for all ``*.game`` files in it and below. Records of other games are
            left out.
        jobs: The number of processes.
        progress: Called with a text that contains the number of records done so far.

    Raises:
        WrongUsage: There is no such game.
    """
    book = rulebook(source)
    counts: Counter[tuple[str, str]] = Counter()
    signatures = filter(None, (functor(kind.action) for kind in book.kinds))
    actions: Counter[str] = Counter({f"{name}/{arity}": 0 for name, arity in signatures})
    records: Counter[str] = Counter()
    first: dict[str, str] = {}
    lines: set[Line] = set()
    replayed: list[_RecordUses] = []
    unreadable: list[str] = []
    foreign = 0
    work = partial(_uses_of, source=source)
    for file, uses in each_record(work, sources_of(files_in(paths)), jobs, "not replayed", progress):
        if isinstance(uses, str):
            unreadable.append(uses)
            continue
        if uses.foreign:
            foreign += 1
            continue
        replayed.append(uses)
        counts += uses.counts
        actions.update(uses.actions)
        lines |= uses.lines
        for rule, moves in uses.first.items():
            records[rule] += 1
            first.setdefault(rule, f"{file}@{moves}")
    marked = rule_lines(load(source).ruleset).all
    of, used = Counter(id for id, _ in marked), Counter(id for id, _ in lines)
    counted = [id for id, doc in book.docs.items() if doc.kind == "rule" and (id in of or id in records)]
    return Coverage(
        book.id,
        tuple(
            RuleUse(r, counts[r, APPLIES], counts[r, FORBIDS], used[r], of[r], records[r], first.get(r, ""))
            for r in counted
        ),
        tuple(id for id, doc in book.docs.items() if doc.kind == "rule" and id not in counted),
        tuple(f"{rule.file}:{rule.line}: {rule.text}" for line, rule in marked.items() if line not in lines),
        dict(actions),
        len(replayed),
        sum(uses.moves for uses in replayed),
        tuple(unreadable),
        tuple(uses.fault for uses in replayed if uses.fault),
        foreign,
    )


def _uses_of(one: Source, source: str | Path) -> _RecordUses:
    """The rules and actions that a record uses, if it is of this game."""
    record = one.record()
    if record.game_id != rulebook(source).id:
        return _RecordUses(foreign=True)
    return _replay_uses(record.with_rules(source))


def _replay_uses(record: Record) -> _RecordUses:
    """The rules and actions that a record uses, up to its first illegal move."""
    uses, replay = _RecordUses(), Replay(record)
    replay.run(0)
    taken: dict[str, clingo.Symbol] = {}
    for number, move in enumerate(record.moves):
        position = replay.position
        if replay.stopped or position is None:
            break
        if not replay.pending:
            taken = {}
            forbidden, lines = rule_lines(position.ruleset).forbidden(position.symbols)
            _note(uses, forbidden, FORBIDS, number)
            uses.lines |= lines
        replay.run(number + 1)
        if replay.stopped or move.action is None:
            break
        action = action_of(position.ruleset, move.action)
        taken[move.role] = action
        uses.moves += 1
        name, arity = symbols.signature(action)
        uses.actions[f"{name}/{arity}"] += 1
        if len(taken) == len(position.decisions):
            documented = rule_lines(position.ruleset)
            applying = list(documented.acting(position.evaluator, position.symbols, taken))
            end = documented.ending(applying[-1][1])
            for lines in (*(lines for lines, _ in applying), end):
                _note(uses, {id for id, _ in lines & documented.telling}, APPLIES, number + 1)
                uses.lines |= lines
    if replay.stopped:
        uses.fault = next((str(f) for f in replay.faults if f.rule != "record.assert"), "")
    return uses


def _note(uses: _RecordUses, rules: set[str], what: str, moves: int) -> None:
    """Counts the rules that are used after a number of moves; ``what``: `APPLIES` or `FORBIDS`."""
    uses.counts.update((rule, what) for rule in rules)
    for rule in rules:
        uses.first.setdefault(rule, moves)
