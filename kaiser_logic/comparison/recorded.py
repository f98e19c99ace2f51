"""Compares recorded games under two rule sets: moves that become legal or illegal, other effects, other results.

Each record is replayed under the first rules. Each of its positions is also judged under the second rules: the legal actions,
the move of the record, the position after it, and the winners. So a difference early in a game does not hide a later one, and
each is reported with the position in which it occurs.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Final, TypeAlias

from .. import clingo
from ..engine import symbols
from ..engine.ruleset import Ruleset, action_of
from ..errors import (
    NotDecided,
    WrongUsage,
    visible,
    visible_name,
)
from ..evaluation.explanation import explain_all
from ..evaluation.verdict import Judgement, Violation
from ..game import Game, game_under
from ..lang.terms import Signature
from ..notation.record import Move, PositionBlock, Record
from ..notation.sources import Source
from ..notation.syntax import parse_user_term
from ..notation.terms import has_unknown
from ..position import Position, seats_of
from ..records.checking import Report, check
from ..records.each_record import each_record
from ..records.replay import Replay
from ..records.tags import Paths, Under, files_in, game_of, record_of, sources_of
from ..rules.library import game_named, games
from ..upward import ShownInNotebooks

RECORDED: Final = "recorded"
"""The word for the rules that the records themselves name."""

ILLEGAL: Final = "became illegal"
LEGAL: Final = "became legal"
LEADS: Final = "leads elsewhere"
ENDS: Final = "has another result"
STARTS: Final = "has another start"
REFUSED: Final = "breaks an invariant"
KINDS: Final = (STARTS, REFUSED, ILLEGAL, LEGAL, LEADS, ENDS)
"""How a position can differ under the second rules, in the order of the comparisons."""

_SHOWN: Final = 6
"""The largest number of facts of a difference in a line."""

_Taken: TypeAlias = "dict[str, clingo.Symbol]"


@dataclass(frozen=True)
class RuleChange:
    """A difference at a position of a record, and how often the record meets one of its kind.

    Attributes:
        kind: One of `KINDS`.
        moves: The moves of the record before the position: it is ``FILE@N`` under the first rules.
        role: The role of the action; empty if the difference is not about an action.
        action: The action; empty likewise.
        played: Whether the record makes this move here.
        rule: The id of the rule that forbids the action under one of the rule sets; empty if none does.
        message: The reason in a sentence; without a rule, the difference.
        sources: For each edition the place in its rulebook.
        count: The number of such differences in the record: with this kind, name of the action and rule.
        position: The facts of the position.
    """

    kind: str
    moves: int
    role: str = ""
    action: str = ""
    played: bool = False
    rule: str = ""
    message: str = ""
    sources: Mapping[str, str] = field(default_factory=dict, hash=False)
    count: int = 1
    position: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[str, bool, str, str]:
        """The key that differences of one kind share."""
        return self.kind, self.played, self.action.partition("(")[0], self.rule

    def as_json(self) -> dict[str, Any]:
        """The difference as a JSON object."""
        return {**self.__dict__, "sources": dict(self.sources), "position": list(self.position)}


@dataclass(frozen=True)
class RecordDifference(ShownInNotebooks):
    """The changes in one record.

    Attributes:
        path: The file of the record, or None.
        changes: The differences, each sort once, in the order of the record.
        moves: The number of moves that were compared.
        positions_not_listed: The number of positions at which only the record's moves were compared, because the legal
            actions cannot be listed there.
        reports: The reports of `check` under the first and the second rules; None if nothing differs.
        stopped: Why the rest of the record was not compared; empty if all of it was.
        unreadable: Why the record cannot be read under one of the rule sets; empty if it can.
        source: The text of the record, if `diff_rules` read it and something differs.
    """

    path: str | None
    changes: tuple[RuleChange, ...] = ()
    moves: int = 0
    positions_not_listed: int = 0
    reports: tuple[Report, Report] | None = None
    stopped: str = ""
    unreadable: str = ""
    source: Source | None = field(default=None, compare=False, repr=False)

    def as_json(self) -> dict[str, Any]:
        """The differences as a JSON object."""
        return {
            "path": self.path,
            "changes": [change.as_json() for change in self.changes],
            "moves": self.moves,
            "positions_not_listed": self.positions_not_listed,
            "under": None if self.reports is None else [report.as_json() for report in self.reports],
            "stopped": self.stopped or None,
            "unreadable": self.unreadable or None,
        }

    def lines(self, names: tuple[str, str]) -> Iterator[str]:
        """The differences, one a line; ``names``: of the first and the second rules."""
        path = visible_name(self.path or "the record")
        if self.unreadable:
            yield self.unreadable
            return
        for change in self.changes:
            yield visible(f"{path}@{change.moves}: {_describe(change, names)}")
        if self.reports is not None:
            for name, report in zip(names, self.reports, strict=True):
                first = next(iter(report.faults), None)
                end = report.result.summary if report.result else "unfinished"
                verdict = f"all {report.moves} moves legal, {end}" if first is None else f"faulty: {first}"
                yield visible(f"{path}: the whole game under {name}: {verdict}")


def _describe(change: RuleChange, names: tuple[str, str]) -> str:
    """A difference in words."""
    more = change.count - 1
    often = f" (and {more} more such place{'s' * (more > 1)} in this record)" if more else ""
    sources = "; ".join(f"{edition}: {source}" for edition, source in change.sources.items())
    cited = f" [{sources}]" if sources else ""
    who = f"{change.role}: {change.action}"
    match change.kind:
        case "became illegal" | "became legal":
            played = "the move played" if change.played else "not played"
            forbidding = names[change.kind == ILLEGAL]
            return f"{who} {change.kind} ({played}): under {forbidding} {change.rule}: {change.message}{cited}{often}"
        case "leads elsewhere":
            return f"{who} leads elsewhere: {change.message}{often}"
    return f"the game {change.kind}: {change.message}{often}"


# -- the rules on both sides ---------------------------------------------------------------------------------


def side(text: str) -> Under:
    """The rules that a text names: parts separated by commas, each of which changes the rules that a record names.

    A part is an edition, a ruling ``NAME=VALUE``, a game or a folder with a rulebook, or the word ``recorded``.

    >>> side("nl,archbishop_marriage=allowed")
    Under(source=None, edition='nl', options=(('archbishop_marriage', 'allowed'),))
    """
    source: str | Path | None = None
    edition: str | None = None
    options: dict[str, str] = {}
    for part in map(str.strip, text.split(",")):
        name, is_ruling, value = part.partition("=")
        if not part:
            raise WrongUsage(f"{text!r} has an empty part: 'recorded' stands for the rules that the records name")
        if is_ruling and os.sep not in name:
            if name.strip() in options:
                raise WrongUsage(f"{text!r} names the ruling {name.strip()} twice")
            options[name.strip()] = value.strip()
        elif part == RECORDED:
            continue
        elif os.sep in part or (Path(part) / "game.toml").is_file() or part in games():
            if source is not None:
                raise WrongUsage(f"{text!r} names two rulebooks")
            source = game_named(part)
            if isinstance(source, Path) and not (source / "game.toml").is_file():
                raise WrongUsage(f"{part}: there is no rulebook in this folder")
        elif edition is None:
            edition = part
        else:
            raise WrongUsage(f"{text!r} names two editions")
    return Under(source, edition, tuple(options.items()))


# -- one record ----------------------------------------------------------------------------------------------


def difference(record: Record, first: Under, second: Under, *, listing: bool = True) -> RecordDifference:
    """Compares a record under two rule sets.

    Args:
        record: The record.
        first: The rules under which it is carried out: see :func:`side`.
        second: Those that are compared.
        listing: Whether all legal actions are compared at each position; otherwise only the moves that were made.

    Raises:
        UnreadableInput: There is no such game, or the board file is none for it.
        WrongUsage: There is no such edition or ruling.
    """
    return _RecordWalk(first.apply(record), second.apply(record), listing).run()


class _RecordWalk:
    """Replays a record under the first rules, and compares each position under the second ones."""

    def __init__(self, record: Record, other: Record, listing: bool) -> None:
        self.record, self.other, self.listing = record, other, listing
        self.replay = Replay(record)
        self.game, _ = game_of(other)
        self.found: dict[tuple[str, bool, str, str], RuleChange] = {}
        self.positions_not_listed = self.moves = 0
        self.stopped = ""

    def run(self) -> RecordDifference:
        """Replays the record, and returns the differences."""
        replay = self.replay
        position: Position | None = None
        taken: _Taken = {}
        replay.run(0)
        for number, move in enumerate(self.record.moves):
            if replay.stopped or replay.position is None:
                break
            if not replay.pending:
                self._compare_position(replay.position, number, first=position is None)
                position, taken = replay.position, {}
            assert position is not None
            action = self._compare_move(position, move, number)
            if action is None:
                replay.run(number + 1)
                break
            taken[move.role] = action
            replay.run(number + 1)
            if replay.stopped or len(taken) == len(position.decisions):
                self._compare_outcome(position, taken, number)
            self.moves = number + 1
        end = replay.position
        if end is not None and not replay.stopped and not replay.pending and self.moves == len(self.record.moves):
            self._compare_position(end, self.moves, first=position is None)
            if not end.decisions:
                self._compare_results(end)
        if replay.stopped and not self.stopped:
            self.stopped = next((str(f) for f in replay.faults if f.rule != "record.assert"), "")
        if position is None and self.stopped:
            raise WrongUsage(self.stopped)
        changes = tuple(self.found.values())
        reports = (check(self.record), check(self.other)) if changes else None
        return RecordDifference(self.record.path, changes, self.moves, self.positions_not_listed, reports, self.stopped)

    # -- what differs ------------------------------------------------------------------------------------------

    def _add(self, change: RuleChange, position: Position) -> None:
        """Adds a difference, or counts it if there was one of its sort before."""
        known = self.found.get(change.key)
        if known is not None:
            self.found[change.key] = replace(known, count=known.count + 1)
        else:
            facts = tuple(position.ruleset.book.sort_facts(position.facts))
            self.found[change.key] = replace(change, position=facts)

    def _under_second(self, position: Position) -> Position:
        """The current position under the second rules."""
        game = self.game
        if game.seats != position.ruleset.seats:
            game = self.game = game_under(game.configuration.with_seats(game.book, position.ruleset.seats))
        return Position(game.evaluator, position.symbols)

    def _compare_position(self, position: Position, number: int, *, first: bool) -> None:
        """Compares a position of the record, before its decisions are made."""
        second = self._under_second(position)
        given = bool(self.record.items) and isinstance(self.record.items[0], PositionBlock)
        if first and not given:
            there = self.game.initial()
            if there.symbols != position.symbols:
                self._add(RuleChange(STARTS, number, message=_differing(position, there)), position)
        if first:
            broken = second.broken_invariants()
            if broken:
                self._add(RuleChange(REFUSED, number, message="; ".join(map(str, broken))), position)
        if self.listing and position.decisions and not _same_listing(position, second):
            self._compare_legal(position, second, number)

    def _compare_legal(self, position: Position, second: Position, number: int) -> None:
        """Compares the legal actions."""
        try:
            here, there = position.legal(), second.legal()
        except NotDecided:
            self.positions_not_listed += 1
            return
        moves = {move.role: str(move.action) for move in self.record.moves[number : number + len(here)]}
        for role in here:
            one, other = set(here[role]), set(there.get(role, ()))
            for kind, actions, judging in ((ILLEGAL, one - other, second), (LEGAL, other - one, position)):
                for action in sorted(actions):
                    if moves.get(role) != action:  # that is looked at as a move
                        self._compare_legality(kind, position, judging, role, action, number, played=False)

    def _compare_legality(
        self,
        kind: str,
        position: Position,
        judging: Position,
        role: str,
        action: str,
        number: int,
        *,
        played: bool,
    ) -> None:
        """Adds that an action became legal or illegal, with the reason under the rules that forbid it."""
        term = parse_user_term(action)
        judgement = judging.evaluator.judge(judging.symbols, {role: action_of(judging.ruleset, term)})
        rule = judgement.violations[0][2] if judgement.violations else ""
        known = self.found.get((kind, played, term.name, rule))
        if known is not None:  # its reason is known
            self.found[known.key] = replace(known, count=known.count + 1)
            return
        reason = next(iter(judging.why(role, action)), None) if rule else None
        self._add(_change(kind, number, role, action, played, rule, reason), position)

    def _compare_move(self, position: Position, move: Move, number: int) -> clingo.Symbol | None:
        """Compares a move of the record; returns its action if it is legal under the first rules."""
        if move.action is None or has_unknown(move.action):
            self.stopped = f"the move after {visible_name(self.record.path or 'the record')}@{number} is left open"
            return None
        if move.role not in position.decisions or move.role in self.replay.pending:
            objections, _ = self.replay.judge(move.role, move.action)
            return None if objections else action_of(position.ruleset, move.action)
        alone = {move.role: action_of(position.ruleset, move.action)}
        violations = position.evaluator.judge(position.symbols, alone).violations
        second, action = self._under_second(position), str(move.action)
        there = second.evaluator.judge(second.symbols, {move.role: action_of(second.ruleset, move.action)}).violations
        if bool(violations) != bool(there):
            kind, judging = (LEGAL, position) if violations else (ILLEGAL, second)
            self._compare_legality(kind, position, judging, move.role, action, number, played=True)
        return None if violations else action_of(position.ruleset, move.action)

    def _compare_outcome(self, position: Position, taken: Mapping[str, clingo.Symbol], number: int) -> None:
        """Compares the positions after the decisions of all roles."""
        second = self._under_second(position)
        one = position.evaluator.judge(position.symbols, taken)
        other = second.evaluator.judge(second.symbols, taken)
        if one.violations or other.violations:
            if len(taken) > 1:
                self._compare_combination(position, second, taken, (one, other), number - len(taken) + 1)
            return
        if len(taken) < len(position.decisions):  # the replay was stopped by something else
            return
        here, there = position.successor(one), second.successor(other)
        if here.symbols != there.symbols:
            names = ", ".join(f"{role}: {symbols.text(action)}" for role, action in taken.items())
            role, _, action = names.partition(": ")
            before = number - len(taken) + 1
            self._add(RuleChange(LEADS, before, role, action, True, message=_differing(here, there)), position)

    def _compare_combination(
        self,
        position: Position,
        second: Position,
        taken: Mapping[str, clingo.Symbol],
        judged: tuple[Judgement, Judgement],
        number: int,
    ) -> None:
        """Compares which decisions are illegal only in combination with the other simultaneous ones."""
        joint = [_only_together(here, judgement) for here, judgement in zip((position, second), judged, strict=True)]
        for kind, forbidding, rules, others in (
            (LEGAL, position, joint[0], joint[1]),
            (ILLEGAL, second, joint[1], joint[0]),
        ):
            for role in sorted(rules.keys() - others.keys()):
                reasons = explain_all(forbidding.evaluator, forbidding.symbols, taken).get(role, ())
                reason = next((v for _, v in reasons if v.rule == rules[role]), None)
                action = symbols.text(taken[role])
                self._add(_change(kind, number, role, action, True, rules[role], reason), position)

    def _compare_results(self, position: Position) -> None:
        """Compares the results."""
        one, other = position.result(), self._under_second(position).result()
        if one != other:
            ends = [
                "unfinished" if r is None else f"{r.summary} ({', '.join(f'{n} {p}' for n, p in r.points.items())})"
                for r in (one, other)
            ]
            self._add(RuleChange(ENDS, self.moves, message=f"{ends[0]}, then {ends[1]}"), position)


def _only_together(position: Position, judged: Judgement) -> dict[str, str]:
    """For each role whose action is illegal only in combination with the others, a rule that it breaks."""
    return {
        role: rule
        for role, action, rule in reversed(judged.violations)
        if not position.evaluator.judge(position.symbols, {role: action}).violations
    }


def _change(
    kind: str, moves: int, role: str, action: str, played: bool, rule: str, reason: Violation | None
) -> RuleChange:
    if reason is None:
        return RuleChange(kind, moves, role, action, played, rule, "it is not among the legal actions")
    return RuleChange(kind, moves, role, action, played, rule, reason.message, dict(reason.sources))


def _differing(one: Position, other: Position) -> str:
    """The difference between two positions: the facts that only the second has, and those that only the first has."""
    more, less = sorted(other.facts - one.facts), sorted(one.facts - other.facts)
    changes = [*(f"+ {fact}" for fact in more[:_SHOWN]), *(f"- {fact}" for fact in less[:_SHOWN])]
    left = len(more) + len(less) - len(changes)
    return ", ".join(changes) + (f", and {left} more" if left else "")


def _same_listing(position: Position, second: Position) -> bool:
    """Whether the program that lists the legal actions here is the same under both rule sets, so that nothing can differ."""
    kinds = frozenset(symbols.signature(symbols.read_symbol(kind)) for kind in position.decisions.values())
    one, other = position.ruleset, second.ruleset
    return one.remember(("listed as by", other.mark, kinds), partial(_equal_programs, one, other, kinds))


def _equal_programs(one: Ruleset, other: Ruleset, kinds: frozenset[Signature]) -> bool:
    try:
        programs = [rules.legal_program(kinds) for rules in (one, other)]
    except NotDecided:
        return False
    texts = [sorted(rule.text for rule in program.rules) for program in programs]
    return texts[0] == texts[1] and set(programs[0].static) == set(programs[1].static)


# -- many ----------------------------------------------------------------------------------------------------


def diff_rules(
    first: str | Under,
    second: str | Under,
    paths: Paths,
    *,
    jobs: int = 1,
    listing: bool = True,
    progress: Callable[[str], None] = lambda _: None,
) -> Iterator[RecordDifference]:
    """Compares recorded games under two rule sets, record by record in their order.

    Args:
        first: The rules under which the records are carried out, as ``side`` reads them.
        second: Those that are compared.
        paths: Files, and directories for all the ``*.game`` files in them and below.
        jobs: The number of processes.
        listing: Whether all legal actions are compared; otherwise only the moves that were made.
        progress: Is called with the progress so far.
    """
    sides = [side(one) if isinstance(one, str) else one for one in (first, second)]
    work = partial(_difference, first=sides[0], second=sides[1], listing=listing)
    for name, found in each_record(work, sources_of(files_in(paths)), jobs, "not compared", progress):
        yield RecordDifference(name, unreadable=found) if isinstance(found, str) else found


def _difference(source: Source, first: Under, second: Under, listing: bool) -> RecordDifference:
    """Compares one record."""
    try:
        compared = difference(source.record(), first, second, listing=listing)
    except WrongUsage as error:
        raise WrongUsage(f"cannot be compared: {error}") from None
    return replace(compared, source=source) if compared.changes else compared


# -- all of them ---------------------------------------------------------------------------------------------


def tally(differences: Iterable[RecordDifference]) -> dict[tuple[str, bool, str, str], tuple[int, int]]:
    """Counts, for each kind of difference, the records that have it and the occurrences."""
    counts: dict[tuple[str, bool, str, str], tuple[int, int]] = {}
    for change in chain.from_iterable(one.changes for one in differences):
        records, times = counts.get(change.key, (0, 0))
        counts[change.key] = records + 1, times + change.count
    return counts


def position_record(record: Record, rules: Under, change: RuleChange) -> Record:
    """The position of a difference as a record of its own, with the move if it is about one."""
    game: Game = game_of(rules.apply(record))[0]
    terms = [parse_user_term(fact) for fact in change.position]
    seats = seats_of(terms)
    if seats != game.seats:
        game = game_under(game.configuration.with_seats(game.book, seats))
    position = Position(game.evaluator, frozenset(map(symbols.symbol, terms)))
    moves = [Move(change.role, parse_user_term(change.action))] if change.role and change.kind != LEADS else []
    return record_of(position, moves)
