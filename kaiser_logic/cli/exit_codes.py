"""What each command's exit code says. ``--help`` and docs/reference/exit-codes.md print this table."""

from __future__ import annotations

from typing import Final

_USAGE: Final = "wrong usage"
_INPUT: Final = "unreadable input or wrong usage"
_DONE: Final = {0: "printed", 2: _USAGE}
_PRINTED: Final = {0: "printed", 2: _INPUT}
_OPEN: Final = "not decided"

EXIT_CODES: Final[dict[str, dict[int, str]]] = {
    "check": {0: "all legal", 1: "some fault", 2: _INPUT},
    "moves": _PRINTED,
    "position": _PRINTED,
    "validate": {0: "valid", 1: "some invariant broken", 2: _INPUT},
    "why": {0: "legal", 1: "illegal", 2: _INPUT},
    "play": {0: "the record is written", 2: _USAGE},
    "simulate": {**_DONE, 3: _OPEN},
    "perft": {**_DONE, 3: _OPEN},
    "show": _PRINTED,
    "find": {0: "found", 1: "there is none (proved)", 2: _USAGE, 3: _OPEN},
    "prove": {0: "all proved", 1: "a claim falls", 2: _USAGE, 3: "a claim is not decided, or has no certificate"},
    "verify": {0: "every claim is checked", 1: "some claim is not", 2: _USAGE},
    "invariants": {0: "all found are printed, also if there are none", 2: _USAGE, 3: _OPEN},
    "compare": {0: "no difference (proved)", 1: "a difference is found", 2: _USAGE, 3: _OPEN},
    "diff-rules": {0: "nothing changes", 1: "some record changes", 2: f"some record cannot be compared, or {_USAGE}"},
    "grep": {
        0: "the query holds somewhere", 1: "nowhere", 2: f"some record cannot be searched to its end, or {_USAGE}",
    },
    "coverage": {0: "all rules are used", 1: "some are never used", 2: f"some record cannot be read, or {_USAGE}"},
    "statistics": {0: "all records are counted", 2: f"some record cannot be read, or {_USAGE}"},
    "complete": {0: "the gaps are filled", 1: "they cannot be filled (proved)", 2: _INPUT, 3: _OPEN},
    "rules": _DONE,
    "lint": {0: "clean", 1: "findings", 2: _USAGE},
    "test": {0: "all rows pass", 1: "a row fails (or a change of the rules is not noticed)", 2: _USAGE, 3: _OPEN},
    "new-game": {0: "written", 2: _USAGE},
    "shell-completion": _DONE,
    "serve": {0: "ended (Ctrl-C)", 2: _USAGE},
    "mcp": {0: "the input has ended", 2: _USAGE},
    "language-server": {0: "the editor has ended it", 1: "it ended without shutdown", 2: _USAGE},
}  # fmt: skip
"""The exit codes of each command, with what they say."""

OF_EVERY_COMMAND: Final = {130: "interrupted (Ctrl-C)", 141: "the reader of the output has gone away"}
"""The exit codes that every command may have."""


def line_of(command: str) -> str:
    """The line for a command's help.

    >>> line_of("why")
    'exit code: 0 legal, 1 illegal, 2 unreadable input or wrong usage'
    """
    return f"exit code: {', '.join(f'{code} {text}' for code, text in EXIT_CODES[command].items())}"
