"""The commands ``serve``, ``mcp`` and ``language-server``: the explorer, and servers for assistants and editors."""

from __future__ import annotations

import argparse
import webbrowser
from importlib.util import find_spec
from pathlib import Path
from socket import gethostname
from typing import TYPE_CHECKING, Final

from ..errors import WrongUsage
from ..notation.reading import read_text
from ..notation.sources import source_of
from .common import FILE_AT, add_flag, add_option, file_at, natural, print_note
from .exit_codes import DONE

if TYPE_CHECKING:
    from ..explorer.server import InitialRecord


_NEEDED: Final = ("starlette", "uvicorn")
_PORT: Final = 8642


def add_serve(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``serve``."""
    add_option(parser, "file", "FILE[@N]", f"what to show first: {FILE_AT}", nargs="?")
    add_flag(parser, "--browser", "open the page in the browser, too")
    add_option(parser, "--host", "H", "where to listen (127.0.0.1: this machine only)", default="127.0.0.1")
    add_option(parser, "--port", "P", f"the port ({_PORT}; 0: any that is free)", type=natural, default=_PORT)


def serve(args: argparse.Namespace) -> int:
    """Serves the explorer until it is interrupted."""
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        raise WrongUsage(f"the explorer needs {' and '.join(missing)}: pip install 'kaiser-logic[web]'")
    if args.port > 65535:
        raise WrongUsage(f"{args.port} is no port: from 0 to 65535")
    from ..explorer.server import LOOPBACK, listening, run

    given = None if args.file is None else _initial_record(args.file)
    bound = listening(args.host, args.port)
    name, port = bound.getsockname()[:2]
    if name not in LOOPBACK:
        print_note(f"everybody who reaches {name} can use this server, and what it computes: see docs/use/explorer.md")
    shown = f"[{args.host}]" if ":" in args.host else args.host
    print_note(f"the explorer: http://{shown}:{port}/ (Ctrl-C ends it)")
    if args.browser:
        webbrowser.open(f"http://{shown}:{port}/")
    run(bound, {*LOOPBACK, args.host.lower(), gethostname().lower()}, given)
    return DONE


def _initial_record(text: str) -> InitialRecord:
    """The record that is opened at the start, with the board file that it names."""
    from ..explorer.server import InitialRecord
    from ..records.tags import board_path

    file, at = file_at(text)
    source = source_of(file)
    record = source.record()
    if at is not None:
        record.line(at)
    board = None if record.board is None else read_text(board_path(record))
    return InitialRecord(source.text, Path(source.name).name, at, board)


# -- mcp -----------------------------------------------------------------------------------------------------
#
# The command mcp, which answers an assistant by the Model Context Protocol.


def add_mcp(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``mcp``."""
    parser.epilog = (
        "It speaks on standard input and output: an assistant starts it. Its tools only read. docs/use/assistants.md"
    )


def mcp(args: argparse.Namespace) -> int:
    """Answers until the input ends."""
    if find_spec("mcp") is None:
        raise WrongUsage("this needs the package mcp: pip install 'kaiser-logic[mcp]'")
    from ..services.assistant import run

    run()
    return DONE


# -- language server -----------------------------------------------------------------------------------------
#
# The command language-server, which answers an editor by the Language Server Protocol.


def add_language_server(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``language-server``."""
    parser.epilog = "It speaks on standard input and output: an editor starts it. docs/write/editors.md"


def language_server(args: argparse.Namespace) -> int:
    """Answers until the input ends."""
    if find_spec("pygls") is None:
        raise WrongUsage("this needs the package pygls: pip install 'kaiser-logic[lsp]'")
    from ..services.editor import run

    return run()
