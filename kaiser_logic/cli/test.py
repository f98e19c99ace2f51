"""The command ``test``: asks a rulebook what its own ``tests.toml`` wants to know."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from ..errors import visible_name
from .common import (
    add_format,
    add_jobs,
    add_option,
    add_seed,
    add_timeout,
    positive,
    print_note,
    rulebooks_named,
)
from .exit_codes import DONE, NO, NOT_DECIDED
from .outputs import add_output, data_to
from .progress import clear, progress


def add_test(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``test``."""
    parser.epilog = "docs/write/tests.md says how tests.toml is written."
    add_option(parser, "games", "GAME|FOLDER", "a rulebook with tests.toml: its folder, or a game's id", nargs="+")
    add_option(
        parser,
        "--mutants",
        "N",
        "change the rules in N ways, one at a time, and list the changes that no test notices",
        type=positive,
    )
    add_seed(parser, "the choice of changes, with --mutants")
    add_format(
        parser,
        ("text", "json", "junit"),
        "one line for each row that does not pass (default), one line of JSON for each row, or JUnit XML",
    )
    add_output(parser)
    add_jobs(parser)
    add_timeout(parser, 60.0)


def test(args: argparse.Namespace) -> int:
    """Asks for all rows of the rulebooks, then for their mutants."""
    from ..expectations.reports import as_json, junit
    from ..expectations.rows import FILE, read_rows
    from ..expectations.running import FAILED, OPEN, PASSED, rulebook_folder, run_row

    folders = list(dict.fromkeys(rulebook_folder(name) for name in rulebooks_named(args.games)))
    if any(Path(name).is_file() for name in args.games):  # a hook names changed files
        folders = [folder for folder in folders if (folder / FILE).is_file() or _left_out(folder)]
        if not folders:
            return DONE
    rows = [row for folder in folders for row in read_rows(folder)]
    outcomes = []
    tell = progress()
    with data_to(args.output) as out:
        for number, row in enumerate(rows, 1):
            tell(f"rows: {number}/{len(rows)}: {row.name}")
            outcome = run_row(row, args.timeout)
            outcomes.append(outcome)
            clear()
            if args.format == "text" and outcome.status != PASSED:
                print(outcome, file=out)
            elif args.format == "json":
                print(json.dumps(as_json(outcome)), file=out)
        if args.format == "junit":
            print(junit(outcomes), end="", file=out)
    counts = {status: sum(one.status == status for one in outcomes) for status in (PASSED, FAILED, OPEN)}
    print_note(", ".join(f"{count} {status}" for status, count in counts.items()))
    code = NO if counts[FAILED] else NOT_DECIDED if counts[OPEN] else DONE
    if args.mutants is None or code:
        return code
    codes = [_mutants(folder, args) for folder in folders]
    return NO if NO in codes else max(codes)


def _left_out(folder: Path) -> bool:
    """Notes that a rulebook without tests is left out; False."""
    print_note(f"{visible_name(str(folder))}: left out: it has no tests.toml")
    return False


def _mutants(folder: Path, args: argparse.Namespace) -> int:
    """Prints the changes of a rulebook that nothing notices."""
    from ..expectations.mutants import NOTICED, REFUSED, UNNOTICED, examine
    from ..expectations.running import OPEN

    tell = progress()
    fates = []
    for fate in examine(folder, args.mutants, seed=args.seed, timeout=args.timeout, jobs=args.jobs, progress=tell):
        clear()
        fates.append(fate)
        mutant = fate.mutant
        place = f"{folder / mutant.file}:{mutant.line}"
        if fate.status in (UNNOTICED, OPEN):
            why = f" ({fate.by})" if fate.by else ""
            print(f"{place}: {fate.status}: {mutant.what}{why}")
            print(f"  - {' '.join(mutant.old.split())}")
            print(f"  + {' '.join(mutant.new.split()) or '(nothing)'}", flush=True)
    counts = {status: sum(f.status == status for f in fates) for status in (NOTICED, UNNOTICED, OPEN, REFUSED)}
    loaded = len(fates) - counts[REFUSED]
    print_note(
        f"{folder}: {loaded} changes: {counts[NOTICED]} noticed, {counts[UNNOTICED]} not noticed,"
        f" {counts[OPEN]} not decided; {counts[REFUSED]} more are no rulebooks"
    )
    return NO if counts[UNNOTICED] else NOT_DECIDED if counts[OPEN] else DONE
