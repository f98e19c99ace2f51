"""The command lint: a rulebook against the contract."""

from __future__ import annotations

import argparse
import dataclasses
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from ..errors import visible_name
from .common import add_output, data_to, print_note


def add_lint(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``lint``."""
    parser.epilog = (
        "exit code: 0 clean, 1 findings, 2 wrong usage\n"
        "Each finding is a line FILE:LINE:COLUMN: WHAT: message; docs/write/lint.md lists the kinds."
    )
    parser.add_argument(
        "games",
        metavar="GAME|FOLDER",
        nargs="+",
        help="a game's id, or a folder of one's own with a rulebook; a file stands for the rulebook that it lies in",
    )
    parser.add_argument(
        "--format",
        choices=("text", "json", "sarif"),
        default="text",
        help="a finding a line (default), a JSON object a line, or one SARIF 2.1.0 log",
    )
    add_output(parser)
    parser.set_defaults(run=lint)


def lint(args: argparse.Namespace) -> int:
    """Looks a rulebook through."""
    from ..linting.lint import lint as look_through

    findings = [finding for game in dict.fromkeys(_rulebooks(args.games)) for finding in look_through(game)]
    with data_to(args.output) as out:
        if args.format == "sarif":
            from .. import __version__
            from ..linting.sarif import sarif

            print(json.dumps(sarif(findings, __version__), indent=2, ensure_ascii=False), file=out)
        for finding in findings:
            if args.format == "text":
                print(finding, file=out)
            elif args.format == "json":
                print(json.dumps(dataclasses.asdict(finding), ensure_ascii=False), file=out)
    kinds = len({finding.what for finding in findings})
    count = f"{len(findings)} finding{'s' * (len(findings) != 1)} of {kinds} kind{'s' * (kinds != 1)}"
    print_note(count if findings else "clean")
    return int(bool(findings))


def _rulebooks(named: list[str]) -> Iterator[str]:
    """The games and folders that are meant; a file that lies in no rulebook is left out with a word."""
    for name in named:
        path = Path(name)
        if not path.is_file():
            yield name
            continue
        folder = next((place for place in path.parents if (place / "game.toml").is_file()), None)
        if folder is None:
            print_note(f"{visible_name(name)}: left out: it lies in no rulebook")
        else:
            yield str(folder) if folder != Path() else "./"


COMMANDS: Final = {"lint": add_lint}
"""What adds the arguments of each command."""
