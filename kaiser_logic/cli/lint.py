"""The command lint: a rulebook against the contract."""

from __future__ import annotations

import argparse
import dataclasses
import json
from typing import Final

from .common import print_note


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
        help="a game's id, or a folder of one's own with a rulebook",
    )
    parser.add_argument(
        "--format",
        choices=("text", "json", "sarif"),
        default="text",
        help="a finding a line (default), a JSON object a line, or one SARIF 2.1.0 log",
    )
    parser.set_defaults(run=lint)


def lint(args: argparse.Namespace) -> int:
    """Looks a rulebook through."""
    from ..linting.lint import lint as look_through

    findings = [finding for game in args.games for finding in look_through(game)]
    if args.format == "sarif":
        from .. import __version__
        from ..linting.sarif import sarif

        print(json.dumps(sarif(findings, __version__), indent=2, ensure_ascii=False))
    for finding in findings:
        if args.format == "text":
            print(finding)
        elif args.format == "json":
            print(json.dumps(dataclasses.asdict(finding), ensure_ascii=False))
    kinds = len({finding.what for finding in findings})
    count = f"{len(findings)} finding{'s' * (len(findings) != 1)} of {kinds} kind{'s' * (kinds != 1)}"
    print_note(count if findings else "clean")
    return int(bool(findings))


COMMANDS: Final = {"lint": add_lint}
"""What adds the arguments of each command."""
