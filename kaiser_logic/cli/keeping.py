"""The commands ``coverage`` and ``diff-rules``: the rules that recorded games use, and the games that other rules change."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import WrongUsage
from .common import (
    add_flag,
    add_format,
    add_game_id,
    add_jobs,
    add_option,
    add_other_rules,
    add_records,
    align_rows,
    columns,
    other_rules,
    print_note,
    records_of,
)
from .exit_codes import DONE, NO, UNUSABLE
from .outputs import add_output, data_to, write_record
from .progress import clear, progress

if TYPE_CHECKING:
    from ..comparison.recorded import RecordDifference
    from ..records.coverage import Coverage
    from ..records.statistics import GameStatistics
    from ..records.tags import Under


# -- coverage ------------------------------------------------------------------------------------------------


def add_coverage(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``coverage``."""
    parser.epilog = (
        "A rule is used where it applies when a move is carried out, in a step or at the end,\n"
        "or where it forbids a candidate."
    )
    add_game_id(parser)
    add_records(parser)
    add_format(parser, ("text", "json"), "a table to read (default), or one JSON object")
    add_flag(parser, "--lines", "also list the lines of the rulebook that are never used")
    add_output(parser)
    add_jobs(parser, 1)


def coverage(args: argparse.Namespace) -> int:
    """Prints which rules the records use."""
    from ..records.coverage import coverage
    from ..rules.library import game_named

    uses = coverage(game_named(args.game), records_of(args), jobs=args.jobs, progress=progress())
    clear()
    for line in (*uses.unreadable, *uses.partial):
        print_note(line)
    if not uses.records:
        raise WrongUsage(f"no record of {uses.game} was replayed, so nothing is known of its rules")
    with data_to(args.output) as out:
        if args.format == "json":
            print(json.dumps(uses.as_json(), ensure_ascii=False), file=out)
        else:
            for line in _lines(uses, args.lines):
                print(line, file=out)
    _summarize_coverage(uses)
    return UNUSABLE if uses.unreadable else NO if uses.never else DONE


def _lines(uses: Coverage, idle: bool) -> Iterator[str]:
    """The lines for the rules that are used; then the rules and actions that are never used, and those that are not counted."""
    rows = [("rule", "lines", "applies", "forbids", "records", "first at")]
    rows += [
        (u.rule, f"{u.lines}/{u.of}", str(u.applies), str(u.forbids), str(u.records), u.first)
        for u in uses.rules
        if u.records
    ]
    yield from align_rows(rows)
    for title, names in (
        ("never used", uses.never),
        ("actions never done", [name for name, times in uses.actions.items() if not times]),
        ("not counted", uses.uncounted),
    ):
        if names:
            yield from ("", *columns([(title, ", ".join(names))], ""))
    if idle:
        yield from ("", "lines never used", *uses.idle)


def _summarize_coverage(uses: Coverage) -> None:
    """Prints how much of the rulebook the records use."""
    used = len(uses.rules) - len(uses.never)
    done = sum(bool(times) for times in uses.actions.values())
    print_note(
        f"{uses.records} record{'s' * (uses.records != 1)} of {uses.game}, {uses.moves} moves:"
        f" {used} of {len(uses.rules)} rules used, {done} of {len(uses.actions)} kinds of action done"
        + (f"; {uses.foreign} records of other games left out" if uses.foreign else "")
    )


# -- diff rules ----------------------------------------------------------------------------------------------


def add_diff_rules(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``diff-rules``."""
    parser.epilog = (
        "A and B are an edition, rulings NAME=VALUE, a folder with a rulebook, or several of these separated by\n"
        "commas; 'recorded' stands for the rules that the records name. FILE@N in an answer is the position under A."
    )
    add_option(parser, "first", "A", "the rules under which the records are replayed")
    add_option(parser, "second", "B", "the rules with which A is compared, at each position of the records")
    add_records(parser)
    add_flag(parser, "--moves-only", "compare the moves that were made, not all legal actions (faster)")
    add_option(
        parser,
        "--positions",
        "DIR",
        "also write the position of each difference as a record into this folder",
    )
    add_format(parser, ("text", "json"), "lines (default), or one line of JSON for each record")
    add_output(parser)
    add_jobs(parser, 1)


def diff_rules(args: argparse.Namespace) -> int:
    """Compares the records under both rules."""
    from ..comparison import recorded

    sides = recorded.side(args.first), recorded.side(args.second)
    folder = None if args.positions is None else Path(args.positions)
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    differences: list[RecordDifference] = []
    stems: Counter[str] = Counter()
    with data_to(args.output) as out:
        for one in recorded.diff_rules(
            *sides, records_of(args), jobs=args.jobs, listing=not args.moves_only, progress=progress()
        ):
            clear()
            differences.append(one)
            if args.format == "json":
                print(json.dumps(one.as_json(), ensure_ascii=False), file=out, flush=True)
            else:
                for line in one.lines((args.first, args.second)):
                    print(line, file=out, flush=True)
            if folder is not None and one.changes:
                _write(one, sides[0], folder, stems, args.replace)
    clear()
    _summarize(differences)
    if any(one.unreadable for one in differences):
        return UNUSABLE
    return NO if any(one.changes for one in differences) else DONE


def _write(one: RecordDifference, rules: Under, folder: Path, stems: Counter[str], replace: bool) -> None:
    """Writes the position of each difference of a record; ``stems``: how many records of each name have been written."""
    from ..comparison.recorded import position_record

    assert one.path is not None
    assert one.source is not None
    stem = Path(one.path).stem
    stems[stem] += 1
    stem += f"-of-{stems[stem]}" if stems[stem] > 1 else ""
    record = one.source.record()
    for number, change in enumerate(one.changes, 1):
        text = str(position_record(record, rules, change))
        write_record(folder / f"{stem}-{number}.game", text, replace=replace)


def _summarize(differences: list[RecordDifference]) -> None:
    """Prints how many records change, and by which rules."""
    from ..comparison.recorded import tally

    count, changed = len(differences), sum(bool(one.changes) for one in differences)
    lost = sum(bool(one.unreadable) for one in differences)
    short = [one for one in differences if one.stopped]
    print_note(
        f"{changed} of {count} record{'s' * (count != 1)} change{'s' * (changed == 1 or count == 1)}"
        + (f", {lost} cannot be compared" if lost else "")
    )
    for (kind, played, action, rule), (records, times) in sorted(
        tally(differences).items(), key=lambda one: -one[1][0]
    ):
        what = f"{action} " if action else ""
        cause = f", {rule}" if rule else ""
        whether_played = " as played" if played and rule else ""
        print_note(
            f"  {what}{kind}{whether_played}{cause}: {records} record{'s' * (records > 1)}, {times} place{'s' * (times > 1)}"
        )
    if short:
        print_note(f"{len(short)} of them were compared up to a fault under the first rules: {short[0].stopped}")
    not_listed = sum(one.positions_not_listed for one in differences)
    if not_listed:
        print_note(
            f"at {not_listed} position{'s' * (not_listed > 1)} legal actions are not listed: only the moves made were compared"
        )


# -- statistics ----------------------------------------------------------------------------------------------


def add_statistics(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``statistics``."""
    add_records(parser)
    add_format(
        parser,
        ("text", "json", "svg"),
        "tables to read (default), one JSON object, or a picture",
    )
    parser.add_argument(
        "--theme",
        choices=("light", "dark", "grey"),
        default="light",
        help="the colours of a picture (default: light)",
    )
    add_output(parser)
    add_jobs(parser, 1)
    add_other_rules(parser)


def statistics(args: argparse.Namespace) -> int:
    """Prints what happened in recorded games."""
    from ..records.statistics import statistics
    from ..records.tags import Under
    from ..reports.statistics_picture import picture

    rules = other_rules(args)
    common_rules = Under(rules["game"], rules["edition"], tuple(rules["options"].items()))
    figures = statistics(records_of(args), args.jobs, common_rules, progress())
    clear()
    for line in figures.unreadable:
        print_note(line)
    if not figures.games:
        raise WrongUsage("no record could be read, so there is nothing to count")
    with data_to(args.output) as out:
        if args.format == "json":
            print(json.dumps(figures.as_json(), ensure_ascii=False), file=out)
        elif args.format == "svg":
            print(picture(figures, args.theme), file=out)
        else:
            for number, game in enumerate(figures.games):
                for line in ([""] if number else []) + _statistics_lines(game):
                    print(line, file=out)
    return UNUSABLE if figures.unreadable else DONE


def _statistics_lines(game: GameStatistics) -> list[str]:
    """The tables of one game: a column for each seat."""
    from ..reports.statistics_picture import summary

    seats = game.seats if game.seats[0].moves else game.seats[1:]
    names = [f"seat {n}" if n else "chance" for n in range(len(game.seats) - len(seats), len(game.seats))]

    def mean(total: int) -> str:
        return f"{total / game.finished:.1f}" if game.finished else "-"

    rows = [("", *names)]
    rows.append(("games won", *(str(seat.wins) for seat in seats)))
    rows.append(("points, mean", *(mean(seat.points) for seat in seats)))
    rows.append(("moves", *(str(seat.moves) for seat in seats)))
    for kind in sorted({kind for seat in seats for kind in seat.actions}):
        rows.append((kind, *(str(seat.actions.get(kind, 0)) for seat in seats)))
    return [f"{game.game}, {game.players} players: {summary(game)}", *align_rows(rows)]
