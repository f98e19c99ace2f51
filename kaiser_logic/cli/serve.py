"""The command serve: the explorer in the browser."""

from __future__ import annotations

import argparse
from importlib.util import find_spec
from socket import gethostname
from typing import Final

from ..errors import WrongUsage
from .common import natural, print_note

_NEEDED: Final = ("starlette", "uvicorn")
_PORT: Final = 8642


def add_serve(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``serve``."""
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

    bound = listening(args.host, args.port)
    name, port = bound.getsockname()[:2]
    if name not in LOOPBACK:
        print_note(
            f"everybody who reaches {name} can use this server, and what it computes: see docs/use/explorer.md"
        )
    shown = f"[{args.host}]" if ":" in args.host else args.host
    print_note(f"the explorer: http://{shown}:{port}/ (Ctrl-C ends it)")
    run(bound, {*LOOPBACK, args.host.lower(), gethostname().lower()})
    return 0


COMMANDS: Final = {"serve": add_serve}
"""What adds the arguments of each command."""
