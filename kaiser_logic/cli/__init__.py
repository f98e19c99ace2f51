"""The command line ``kaiser-logic``.

Each command has a module of this package, which is loaded only if the command is used. Similar commands share a module. A new
command needs a line in `COMMANDS` and, in its module, two functions: ``add_NAME`` adds the command's arguments to a parser,
``NAME`` goes from the parsed arguments to the exit code.

    check             check: checks records
    check_records     their reports: of whole records, of those left by an earlier run, of what a role saw
    check_pages       their pages
    complete          complete: fills the gaps of a record
    inspect           moves, position, show, validate: looks at a position of a record; checks a position
    why               why: explains why an action is legal or illegal
    play              play: random games, and games played by hand
    console           the interface for games by hand: lines of text
    terminal          a terminal with completion, history and colours, for games by hand and for queries
    find              find: positions by property, or games that reach them
    prove             prove, invariants: proves invariants, proposes invariants
    verify            verify: checks claims and certificates without the prover
    compare           compare: the positions in which two editions differ
    grep              grep: the positions of recorded games in which a query holds
    keeping           coverage, diff-rules, statistics: the rules that recorded games use; those that other rules change; counts
    rules             rules: the rules of a game with their sources; the printed rulebook
    lint              lint, new-game: likely mistakes in a rulebook; the skeleton of a new one
    test              test: a rulebook's own tests; changes of its rules that they do not notice
    shell_completion  shell-completion: the script for completion in a shell
    simulate          simulate, perft: random games and their results; the numbers of sequences of decisions
    serve             serve, mcp, language-server: the explorer in the browser; servers for assistants and editors
    progress          the progress of long work; standard streams that are closed or full
    exit_codes        what each command's exit code says
    outputs           standard output or the file of --output, which is never one of the inputs
    common            what several commands share: arguments for games and places in records, notes
"""

from __future__ import annotations

import argparse
import errno
import importlib
import os
import sys
import time
import warnings
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final, NoReturn, TextIO

from ..errors import (
    FaultyRulebook,
    KaiserLogicError,
    NotDecided,
    UnreadableInput,
    WrongUsage,
    visible,
    visible_name,
)
from .exit_codes import INTERRUPTED, NOT_DECIDED, PIPE_CLOSED, UNUSABLE
from .progress import usable_streams

COMMANDS: Final = {
    "check": ("check", "replay records and report every fault"),
    "moves": ("inspect", "list the legal actions after a record, or after its first N moves"),
    "position": ("inspect", "print the position after a record as facts"),
    "validate": ("inspect", "report the invariants that a position breaks"),
    "why": ("why", "explain why an action is legal, or which rules it breaks"),
    "play": ("play", "play a game, or let a random legal game be played"),
    "simulate": ("simulate", "play many random games and report the results of each seat"),
    "perft": ("simulate", "count the sequences of decisions of each length"),
    "show": ("inspect", "draw the position after a record"),
    "find": ("find", "find positions by property, or games that reach them"),
    "prove": ("prove", "prove the invariants, or show how they fall"),
    "verify": ("verify", "check the claims of a game without believing the prover, or a certificate"),
    "invariants": ("prove", "propose invariants that the rulebook does not state, each proved"),
    "compare": ("compare", "show where two editions differ"),
    "diff-rules": ("keeping", "show which recorded games change under other rules, and where"),
    "grep": ("grep", "find the positions of recorded games in which a query holds"),
    "coverage": ("keeping", "report which rules recorded games use, and which they never use"),
    "statistics": ("keeping", "count lengths, results and kinds of action of recorded games, by seat"),
    "complete": ("complete", "fill the gaps of a record"),
    "rules": ("rules", "list the rules of a game with their sources, or print its rulebook"),
    "lint": ("lint", "look for mistakes in a rulebook"),
    "test": ("test", "run the tests of a rulebook, which its tests.toml contains"),
    "new-game": ("lint", "write the skeleton of a new game's rulebook"),
    "shell-completion": ("shell_completion", "write a script for completion in a shell"),
    "serve": ("serve", "serve the explorer: records in the browser"),
    "mcp": ("serve", "answer an assistant by the Model Context Protocol"),
    "language-server": ("serve", "answer an editor by the Language Server Protocol"),
}
"""The module and the description of each command, in the order of the help."""


def main(argv: Sequence[str] | None = None, began: float | None = None) -> int:
    """Runs a command and returns its exit code. No input leads to a traceback.

    Args:
        argv: The arguments after the program's name; by default the process's own.
        began: When the process began, by :func:`time.monotonic`; by default now.
    """
    with usable_streams():
        return _main(sys.argv[1:] if argv is None else list(argv), time.monotonic() if began is None else began)


def _main(arguments: list[str], began: float) -> int:
    try:
        code = _run(arguments, began)
        sys.stdout.flush()
    except SystemExit as exit_:  # argparse has printed the reason
        return exit_.code if isinstance(exit_.code, int) else UNUSABLE
    except KeyboardInterrupt:
        _wipe()
        print("kaiser-logic: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        _discard_output()
        return PIPE_CLOSED
    except Exception as error:
        _wipe()
        return _report_error(error)
    finally:
        _wipe()
    return code


def _wipe() -> None:
    """Erases the line of progress, if there is one."""
    module = sys.modules.get(f"{__name__}.progress")
    if module is not None:
        with suppress(OSError, ValueError):
            module.clear()


def _run(arguments: list[str], began: float) -> int:
    command = next((word for word in arguments if not word.startswith("-")), None)
    if command is not None and command not in COMMANDS:
        from ..rules.places import nearest

        hint = nearest(command[:100], COMMANDS) or "; 'kaiser-logic --help' lists the commands"
        raise WrongUsage(f"there is no command '{visible_name(command)[:100]}'{hint}")
    args = _parser(command).parse_args(arguments)
    args.began = began
    if args.command is None:
        _parser(None).print_help(sys.stderr)
        return UNUSABLE
    with warnings.catch_warnings():
        warnings.showwarning = _say_warning
        if getattr(args, "output", None) is not None:
            from .outputs import check_output

            check_output(args)
        return int(args.run(args))


class _ArgumentParser(argparse.ArgumentParser):
    """A parser whose errors are safe on a terminal. An argument may be a file name, which a shell's pattern has inserted."""

    def error(self, message: str) -> NoReturn:
        """Prints the error and exits."""
        super().error(visible_name(message))


class _Once(argparse.Action):
    """Stores a value. An option that is given twice is an error, as one of its values would be ignored; so is an empty value."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        """Stores the value."""
        if option_string is not None:
            if values == "":
                parser.error(f"{option_string} has an empty value")
            given = vars(parser).setdefault("given", set())
            if self.dest in given:
                parser.error(f"{option_string} is given twice")
            given.add(self.dest)
        setattr(namespace, self.dest, values)


class _NoOption(str):
    """An argument after ``--``, which is no option whatever it looks like."""


class _Command(_ArgumentParser):
    """The parser of one command. Options may stand between other arguments; ``--`` ends them."""

    _mixing = False

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.register("action", None, _Once)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        """Parses the command's arguments. The method that mixes options and arguments calls this one again."""
        if self._mixing:
            return super().parse_known_args(args, namespace)
        if "--" in args:
            end = args.index("--")
            args = [*args[:end], *map(_NoOption, args[end + 1 :])]
        self._mixing = True
        try:
            namespace_read, rest = self.parse_known_intermixed_args(args, namespace)
        finally:
            self._mixing = False
        if rest:
            self.error(f"too many arguments, or an unknown option: {' '.join(rest)}")
        return namespace_read, rest

    def _parse_optional(self, arg_string: str) -> Any:
        return None if isinstance(arg_string, _NoOption) else super()._parse_optional(arg_string)


def _say_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Prints a warning as one line on standard error."""
    print("kaiser-logic: warning:", visible(" ".join(str(message).split())), file=sys.stderr)


def whole_parser() -> argparse.ArgumentParser:
    """The parser of all commands with all their arguments."""
    return _parser(*COMMANDS)


def _parser(*wanted: str | None) -> argparse.ArgumentParser:
    """The parser of all commands; only the wanted commands have their arguments."""
    from ..version import VERSION
    from .exit_codes import line_of

    parser = _ArgumentParser(
        prog="kaiser-logic",
        description="Executable rulebooks of board games: legal moves, their reasons, checks of records.",
        epilog="'kaiser-logic COMMAND --help' says more about a command.",
        allow_abbrev=False,
        formatter_class=_plain,
    )
    parser.add_argument("--version", action="version", version=f"kaiser-logic {VERSION}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands", parser_class=_Command)
    for name, (module, about) in COMMANDS.items():
        command = commands.add_parser(
            name,
            help=about,
            description=f"{about[0].upper()}{about[1:]}.",
            allow_abbrev=False,
            formatter_class=_help_formatter,
        )
        if name in wanted:
            functions, word = importlib.import_module(f".{module}", __name__), name.replace("-", "_")
            getattr(functions, f"add_{word}")(command)
            command.set_defaults(run=getattr(functions, word))
            command.epilog = "\n".join(filter(None, (line_of(name), command.epilog)))
    return parser


def _plain(prog: str) -> argparse.HelpFormatter:
    """A help formatter with a given width: argparse's own computes the width for each argument, which is slow."""
    return argparse.HelpFormatter(prog, width=_width())


def _help_formatter(prog: str) -> argparse.HelpFormatter:
    """The help formatter of a command, whose epilog keeps its lines."""
    return argparse.RawDescriptionHelpFormatter(prog, width=_width())


def _width() -> int:
    """The width of help, computed as argparse does."""
    with suppress(KeyError, ValueError):
        if (columns := int(os.environ["COLUMNS"])) > 0:
            return columns - 2
    with suppress(AttributeError, OSError, ValueError):
        return (os.get_terminal_size(sys.__stdout__.fileno()).columns or 80) - 2  # type: ignore[union-attr]
    return 78


def _report_error(error: Exception) -> int:
    """Prints an error as a line, and returns the exit code."""
    if os.environ.get("KAISER_LOGIC_DEBUG") and not isinstance(error, KaiserLogicError):
        raise error
    match error:
        case NotDecided():
            message, code = f"kaiser-logic: not decided: {error}", NOT_DECIDED
        case UnreadableInput():
            message, code = str(error), UNUSABLE
        case FaultyRulebook():
            message, code = str(error), UNUSABLE
        case KaiserLogicError():
            message, code = f"kaiser-logic: {error}", UNUSABLE
        case OSError(errno=errno.EMFILE | errno.ENFILE):
            message, code = f"kaiser-logic: there are not enough open files{_files_allowed()}", UNUSABLE
        case OSError(strerror=str(reason), filename=str(name)):
            message, code = f"kaiser-logic: {visible_name(name)}: {reason}", UNUSABLE
        case OSError():
            _discard_output()
            message, code = f"kaiser-logic: {error.strerror or error}", UNUSABLE
        case MemoryError():
            message, code = "kaiser-logic: there is not enough memory", UNUSABLE
        case _:
            text = " ".join(f"{type(error).__name__}: {error}".split())
            message, code = f"kaiser-logic: internal error: {text}", UNUSABLE
    print(visible(message), file=sys.stderr)
    return code


def _files_allowed() -> str:
    """The end of a message: the number of files that this process may have open."""
    try:
        import resource

        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    except (ImportError, OSError):  # loading the module needs an open file, too
        return ": ulimit -n says how many there may be"
    return f": ulimit -n allows {soft}"


def _discard_output() -> None:
    """Discards the remaining output: its reader has gone."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
    except (OSError, ValueError):
        pass
