"""The command mcp: an assistant answered by the Model Context Protocol."""

from __future__ import annotations

import argparse
from importlib.util import find_spec
from typing import Final

from ..errors import WrongUsage


def add_mcp(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``mcp``."""
    parser.epilog = (
        "exit code: 0 the input has ended, 2 wrong usage\n"
        "It speaks on standard input and output: an assistant starts it. Its tools only read. docs/use/assistants.md"
    )
    parser.set_defaults(run=mcp)


def mcp(args: argparse.Namespace) -> int:
    """Answers until the input ends."""
    if find_spec("mcp") is None:
        raise WrongUsage("this needs the package mcp: pip install 'kaiser-logic[mcp]' brings what it needs")
    from ..services.assistant import run

    run()
    return 0


COMMANDS: Final = {"mcp": add_mcp}
"""What adds the arguments of each command."""
