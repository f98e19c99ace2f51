"""The command ``shell-completion``: a script that completes commands, options, games and files."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any, Final

from ..errors import WrongUsage
from .common import add_option
from .exit_codes import DONE

_SHELLS: Final = ("bash", "zsh", "fish")
_EPILOG: Final = """\
bash   kaiser-logic shell-completion bash > ~/.local/share/bash-completion/completions/kaiser-logic
zsh    kaiser-logic shell-completion zsh > DIR/_kaiser-logic        (DIR: a folder of $fpath)
fish   kaiser-logic shell-completion fish > ~/.config/fish/completions/kaiser-logic.fish

Needs the extra [terminal] to write the script; the script needs nothing."""


def add_shell_completion(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``shell-completion``."""
    parser.epilog = _EPILOG
    add_option(parser, "shell", "SHELL", ", ".join(_SHELLS), choices=_SHELLS)


def shell_completion(args: argparse.Namespace) -> int:
    """Prints the script."""
    if find_spec("shtab") is None:
        raise WrongUsage("this needs the package shtab: pip install 'kaiser-logic[terminal]'")
    import shtab

    from . import whole_parser

    parser = whole_parser()
    for action in _actions(parser):
        _complete(action, shtab.FILE, shtab.DIRECTORY)
    print(shtab.complete(parser, args.shell, root_prefix="kaiser_logic"))
    return DONE


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """The arguments of a parser and of its commands."""
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from _actions(command)


def _complete(action: Any, file: object, folder: object) -> None:
    """Marks an argument as a game, a file or a folder, by its metavar."""
    from ..rules.library import games

    metavar = action.metavar if isinstance(action.metavar, str) else ""
    words = set(re.findall(r"[A-Z]+", metavar))
    if "GAME" in words and action.choices is None:
        action.choices = games()
    elif "FILE" in words:
        action.complete = file
    elif words & {"DIR", "FOLDER"}:
        action.complete = folder
