"""The command serve: the explorer in the browser."""

from __future__ import annotations

import argparse
import webbrowser
from importlib.util import find_spec
from pathlib import Path
from socket import gethostname
from typing import TYPE_CHECKING, Final

from ..errors import WrongUsage
from ..notation.reading import read, read_text
from .common import FILE_AT, file_at, natural, print_note

if TYPE_CHECKING:
    from ..explorer.server import Given

_NEEDED: Final = ("starlette", "uvicorn")
_PORT: Final = 8642


def add_serve(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``serve``."""
    parser.add_argument("file", metavar="FILE[@N]", nargs="?", help=f"open at the start {FILE_AT}")
    parser.add_argument("--browser", action="store_true", help="open the page in the browser, too")
    parser.epilog = "exit code: 0 ended (Ctrl-C), 2 wrong usage"
    parser.add_argument(
        "--host", metavar="H", default="127.0.0.1", help="where to listen (127.0.0.1: this machine only)"
    )
    parser.add_argument(
        "--port", metavar="P", type=natural, default=_PORT, help=f"the port ({_PORT}; 0: any that is free)"
    )
    parser.set_defaults(run=serve)


def serve(args: argparse.Namespace) -> int:
    """Serves the explorer until it is interrupted."""
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        raise WrongUsage(
            f"the explorer needs {' and '.join(missing)}: pip install 'kaiser-logic[web]' brings what it needs"
        )
    if args.port > 65535:
        raise WrongUsage(f"{args.port} is no port: from 0 to 65535")
    from ..explorer.guard import LOOPBACK
    from ..explorer.server import listening, run

    given = None if args.file is None else _given(args.file)
    bound = listening(args.host, args.port)
    name, port = bound.getsockname()[:2]
    if name not in LOOPBACK:
        print_note(
            f"everybody who reaches {name} can use this server, and what it computes: see docs/use/explorer.md"
        )
    shown = f"[{args.host}]" if ":" in args.host else args.host
    print_note(f"the explorer: http://{shown}:{port}/ (Ctrl-C ends it)")
    if args.browser:
        webbrowser.open(f"http://{shown}:{port}/")
    run(bound, {*LOOPBACK, args.host.lower(), gethostname().lower()}, given)
    return 0


def _given(text: str) -> Given:
    """The record that is opened at the start, with the board file that it names."""
    from ..explorer.server import Given
    from ..records.tags import board_path

    file, at = file_at(text)
    record = read(file)
    board = None if record.board is None else read_text(board_path(record))
    return Given(read_text(file), Path(file).name, at, board)


COMMANDS: Final = {"serve": add_serve}
"""What adds the arguments of each command."""
