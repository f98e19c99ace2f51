"""Asks every position of recorded games a query: where in an archive does it hold?

A query that mentions facts of the position is tried quickly first: if no fact of the position can be meant, nothing is
derived. A record that is at fault is searched up to its fault.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

from .. import clingo
from ..engine import symbols
from ..engine.ruleset import Ruleset
from ..engine.symbols import term_of
from ..errors import KaiserLogicError, UnreadableInput, WrongUsage, visible_name
from ..lang import terms as lang
from ..lang.algebra import is_ground
from ..lang.terms import Signature
from ..notation.record import Move, Record
from ..notation.sources import Source
from ..query.evaluation import Evaluation, PlainValue
from ..query.formula import FactPattern
from ..query.language import Query
from ..query.mistakes import read_query
from .each_record import each_record
from .replay import Replay
from .tags import Paths, Under, records_in, sources_of

_AS_RECORDED: Final = Under(None, None, ())


@dataclass(frozen=True)
class MatchingPosition:
    """A position of a recorded game in which a query holds.

    Attributes:
        record: The name of the record, such as ``games/one.game`` or ``all.game#3``.
        moves: The number of moves before the position: the N of ``FILE@N``.
        values: The values of the query's variables, one dictionary for each way in which it holds.
        before: The last moves before the position, as ``role: action``.
        after: The next moves.
    """

    record: str
    moves: int
    values: tuple[dict[str, PlainValue], ...]
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """``FILE@N``, which other commands take."""
        return f"{self.record}@{self.moves}"

    def as_json(self) -> dict[str, Any]:
        """The match as plain data."""
        return {
            "record": self.record,
            "moves": self.moves,
            "place": self.place,
            "values": list(self.values),
            "before": list(self.before),
            "after": list(self.after),
        }


@dataclass(frozen=True)
class SearchedRecord:
    """The result for one record.

    Attributes:
        record: The name of the record.
        game: The id of its game; empty if it could not be read.
        positions: The number of positions that were asked.
        matches: Those in which the query holds, in the order of the game.
        problem: Why the record was not searched to its end; empty if it was.
        unfit: Why the query is none of this game; empty if it is one.
    """

    record: str
    game: str = ""
    positions: int = 0
    matches: tuple[MatchingPosition, ...] = field(default=(), repr=False)
    problem: str = ""
    unfit: str = ""


def grep(
    query: str,
    paths: Paths,
    *,
    rules: Under = _AS_RECORDED,
    glob: str | None = None,
    context: int = 0,
    first: bool = False,
    jobs: int | None = 1,
) -> Iterator[SearchedRecord]:
    """Asks the query at every position of recorded games, and yields the result for each record, in order.

    Of a simultaneous decision only the position before it and the one after it are positions. Variations are not searched.

    Args:
        query: The query, as for ``find``. It may ask for ``legal``, ``violates``, ``after`` and exported predicates.
        paths: Records: files with one or several, compressed ones, folders.
        rules: Rules that replace those that the records name.
        glob: The files of folders and ZIP archives that are records.
        context: The number of moves before and after a position that a match repeats.
        first: Whether only the first position of each record is wanted.
        jobs: The number of processes; None for one for each core.

    Raises:
        WrongUsage: There is no record.
    """
    sources = sources_of(records_in(paths, glob))
    ask = partial(_search_record, query=query, rules=rules, context=context, first=first)
    for name, found in each_record(ask, sources, jobs or os.cpu_count() or 1, "not searched"):
        yield SearchedRecord(visible_name(name), problem=found) if isinstance(found, str) else found


def _search_record(source: Source, query: str, rules: Under, context: int, first: bool) -> SearchedRecord:
    """The result for one record."""
    replay = Replay(rules.apply(source.record()))
    try:
        return search_line(replay, query, name=source.name, context=context, first=first)
    except (UnreadableInput, WrongUsage) as error:
        return SearchedRecord(source.name, replay.record.game_id, unfit=str(error))


def search_line(replay: Replay, query: str, *, name: str = "", context: int = 0, first: bool = False) -> SearchedRecord:
    """Asks the query at every position of one record, which is replayed for it.

    Args:
        replay: The record at its start.
        query: The query.
        name: The name of the record in the answer.
        context: The number of moves before and after a position that a match repeats.
        first: Whether only the first position is wanted.

    Raises:
        UnreadableInput: The query is none.
        WrongUsage: The query is none of this game.
    """
    asked, record = _query_for(replay, query), replay.record
    positions, matches, problem = 0, [], ""
    for moves in range(len(record.moves) + 1):
        replay.run(moves)
        if replay.stopped or replay.position is None:
            problem = str(replay.faults[0]) if replay.faults else f"{name}: there is no position"
            break
        if replay.pending:
            continue
        positions += 1
        try:
            values = asked.values(replay.position.symbols)
        except KaiserLogicError as error:
            problem = f"{name}@{moves}: {error}"
            break
        if values is not None:
            matches.append(_match(name, record, moves, values, context))
            if first:
                break
    return SearchedRecord(name, record.game_id, positions, tuple(matches), problem)


def _match(
    name: str, record: Record, moves: int, values: list[dict[str, PlainValue]], context: int
) -> MatchingPosition:
    before = record.moves[max(0, moves - context) : moves]
    after = record.moves[moves : moves + context]
    return MatchingPosition(name, moves, tuple(values), tuple(map(_text, before)), tuple(map(_text, after)))


def _text(move: Move) -> str:
    return f"{move.role}: {'?' if move.action is None else move.action}"


class _Asked:
    """A query that is asked at many positions."""

    def __init__(self, replay: Replay, query: Query) -> None:
        evaluator = replay.game.evaluator
        self._evaluation = Evaluation(evaluator, query)
        self._can_hold = _screen(evaluator.ruleset, query)

    def values(self, facts: frozenset[clingo.Symbol]) -> list[dict[str, PlainValue]] | None:
        """The values of the variables for which the query holds in a position; None if it does not."""
        if not self._can_hold(facts) or not self._evaluation.holds(facts):
            return None
        return self._evaluation.plain_values(facts)


def _query_for(replay: Replay, query: str) -> _Asked:
    """The query for the game of a record; UnreadableInput or WrongUsage if it is no query of this game."""
    known: dict[str, _Asked | KaiserLogicError] = replay.game.ruleset.remember("grep", dict)
    if query not in known:
        known.clear()
        try:
            known[query] = _Asked(replay, read_query(query, replay.game.ruleset))
        except (UnreadableInput, WrongUsage) as error:
            known[query] = error
    asked = known[query]
    if isinstance(asked, KaiserLogicError):
        raise asked.with_traceback(None)
    return asked


def _screen(ruleset: Ruleset, query: Query) -> Callable[[frozenset[clingo.Symbol]], bool]:
    """Whether a query can hold, by a look at the position alone: some alternative has a fact for each fact that it mentions."""
    patterns: list[list[tuple[Signature, tuple[tuple[int, lang.Term], ...]]]] = []
    for branch in query.branches:
        facts = [part.atom for part in branch.parts if isinstance(part, FactPattern)]
        patterns.append(
            [
                (atom.signature, tuple((n, arg) for n, arg in enumerate(atom.args) if is_ground(arg)))
                for atom in facts
                if atom.signature in ruleset.book.fluents
            ]
        )

    def can_hold(facts: frozenset[clingo.Symbol]) -> bool:
        by_signature: dict[Signature, list[clingo.Symbol]] = {}
        for fact in facts:
            by_signature.setdefault(symbols.signature(fact), []).append(fact)
        return any(
            all(
                any(
                    all(term_of(fact.arguments[n]) == term for n, term in fixed)
                    for fact in by_signature.get(signature, ())
                )
                for signature, fixed in branch
            )
            for branch in patterns
        )

    return can_hold
