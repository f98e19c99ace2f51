"""The command language-server: an editor answered by the Language Server Protocol."""

from __future__ import annotations

import argparse
from importlib.util import find_spec
from typing import Final

from ..errors import WrongUsage


def add_language_server(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``language-server``."""
    parser.epilog = (
        "exit code: 0 the editor has ended it, 2 wrong usage\n"
        "It speaks on standard input and output: an editor starts it. docs/write/editors.md"
    )
    parser.set_defaults(run=language_server)


def language_server(args: argparse.Namespace) -> int:
    """Answers until the input ends."""
    if find_spec("pygls") is None:
        raise WrongUsage("this needs the package pygls: pip install 'kaiser-logic[lsp]' brings what it needs")
    from ..services.editor import run

    run()
    return 0


COMMANDS: Final = {"language-server": add_language_server}
"""What adds the arguments of each command."""
