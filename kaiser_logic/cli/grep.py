"""The command ``grep``: asks every position of recorded games a query."""

from __future__ import annotations

import argparse
import csv
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..errors import WrongUsage, visible_name
from .common import (
    add_flag,
    add_format,
    add_jobs,
    add_option,
    add_other_rules,
    add_records,
    natural,
    print_note,
    records_of,
    under_of,
)
from .exit_codes import DONE, NO, UNUSABLE
from .outputs import add_output, data_to

if TYPE_CHECKING:
    from ..records.grep import MatchingPosition, SearchedRecord


def add_grep(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``grep``."""
    parser.epilog = (
        "'kaiser-logic find GAME --help-query' says how a query is written.\n"
        "Other commands take the FILE@N of an answer."
    )
    add_option(parser, "query", "QUERY", 'e.g. "emperor(R), thalers(R,0), decision(R,_)"')
    add_records(parser)
    add_flag(parser, "--first", "print only the first position of each record")
    add_flag(parser, "--count", "print the number of positions for each record, not the positions")
    add_option(parser, "--context", "N", "also print N moves before and after each position", type=natural, default=0)
    add_other_rules(parser)
    add_format(
        parser,
        ("text", "json", "csv"),
        "a line for each position and each answer of its variables (default), one line of JSON for each position, or a table",
    )
    add_output(parser)
    add_jobs(parser)


def grep(args: argparse.Namespace) -> int:
    """Searches records."""
    from ..records.grep import grep as search

    results = search(
        args.query,
        records_of(args),
        rules=under_of(args),
        context=args.context,
        first=args.first,
        jobs=args.jobs,
    )
    seen = _Seen()
    with data_to(args.output) as out:
        write = csv.writer(out, lineterminator="\n")
        for result in results:
            seen.add(result)
            if args.count:
                if result.matches or not (result.problem or result.unfit):
                    print(_count(result, args.format), file=out)
                continue
            for match in result.matches:
                if args.format == "json":
                    print(json.dumps(match.as_json(), ensure_ascii=False), file=out)
                elif args.format == "csv":
                    write.writerows(_rows(match))
                else:
                    for line in _lines(match):
                        print(line, file=out)
    return seen.code()


class _Seen:
    """What the records have shown so far."""

    def __init__(self) -> None:
        self.records = self.positions = self.matches = self.with_matches = self.problems = 0
        self.unfit: dict[str, str] = {}

    def add(self, result: SearchedRecord) -> None:
        """Counts the result for a record."""
        if result.problem:
            self.problems += 1
            print_note(result.problem)
        if result.unfit:
            if result.game not in self.unfit:
                print_note(f"{result.game}: {result.unfit}")
            self.unfit[result.game] = result.unfit
            return
        if result.game:
            self.records += 1
        self.positions += result.positions
        self.matches += len(result.matches)
        self.with_matches += bool(result.matches)

    def code(self) -> int:
        """Prints the sum, and returns the exit code."""
        if not self.records and self.unfit:
            raise WrongUsage("the query can be asked in none of these games")
        print_note(
            f"{self.matches} of {self.positions} positions, in {self.with_matches} of {self.records} records"
            + (f"; records of {', '.join(sorted(self.unfit))} are left out" if self.unfit else "")
        )
        return UNUSABLE if self.problems else DONE if self.matches else NO


def _count(result: SearchedRecord, form: str) -> str:
    """The number of positions of a record, as a line."""
    name, number = visible_name(result.record), len(result.matches)
    if form == "json":
        return json.dumps({"record": result.record, "positions": number})
    return f'"{name}",{number}' if form == "csv" else f"{name}: {number}"


def _lines(match: MatchingPosition) -> Iterator[str]:
    """The lines of a match: one for each way in which the query holds, then the moves around it."""
    place = visible_name(match.place)
    for values in match.values or ({},):
        text = ", ".join(f"{name} = {value}" for name, value in values.items())
        yield f"{place}: {text}" if text else place
    if match.before or match.after:
        start = match.moves - len(match.before)
        for number, move in enumerate(match.before, start):
            yield f"    {number}  {move}"
        for number, move in enumerate(match.after, match.moves):
            yield f"  > {number}  {move}" if number == match.moves else f"    {number}  {move}"


def _rows(match: MatchingPosition) -> Iterator[tuple[Any, ...]]:
    """The rows of a match: record, moves, and the values as NAME=VALUE."""
    for values in match.values or ({},):
        yield (
            visible_name(match.record),
            match.moves,
            *(f"{name}={value}" for name, value in values.items()),
        )
