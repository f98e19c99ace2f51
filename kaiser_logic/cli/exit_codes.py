"""What each command's exit code says. ``--help`` and docs/reference/exit-codes.md print this table."""

from __future__ import annotations

from typing import Final

DONE: Final = 0
"""The command has done what it was asked for, and where it was asked whether something is so, the answer is the good one."""
NO: Final = 1
"""The answer is the other one: there is a fault, there is none, it falls."""
UNUSABLE: Final = 2
"""The arguments or the input are of no use."""
NOT_DECIDED: Final = 3
"""The time, the memory or the means were not enough for an answer."""
INTERRUPTED: Final = 130
PIPE_CLOSED: Final = 141

_USAGE: Final = "wrong usage"
_INPUT: Final = "unreadable input or wrong usage"
_DONE: Final = {DONE: "printed", UNUSABLE: _USAGE}
_PRINTED: Final = {DONE: "printed", UNUSABLE: _INPUT}
_OPEN: Final = "not decided"

EXIT_CODES: Final[dict[str, dict[int, str]]] = {
    "check": {DONE: "all legal", NO: "some fault", UNUSABLE: _INPUT},
    "moves": _PRINTED,
    "position": _PRINTED,
    "validate": {DONE: "valid", NO: "some invariant broken", UNUSABLE: _INPUT},
    "why": {DONE: "legal", NO: "illegal", UNUSABLE: _INPUT},
    "play": {DONE: "the record is written", UNUSABLE: _USAGE},
    "simulate": {**_DONE, NOT_DECIDED: _OPEN},
    "perft": {**_DONE, NOT_DECIDED: _OPEN},
    "show": _PRINTED,
    "find": {DONE: "found", NO: "there is none (proved)", UNUSABLE: _USAGE, NOT_DECIDED: _OPEN},
    "prove": {
        DONE: "all proved", NO: "a claim falls", UNUSABLE: _USAGE, NOT_DECIDED: "a claim is not decided, or has no certificate",
    },
    "verify": {DONE: "every claim is checked", NO: "some claim is not, or the certificate has a fault", UNUSABLE: _USAGE},
    "invariants": {DONE: "all found are printed, also if there are none", UNUSABLE: _USAGE, NOT_DECIDED: _OPEN},
    "compare": {DONE: "no difference (proved)", NO: "a difference is found", UNUSABLE: _USAGE, NOT_DECIDED: _OPEN},
    "diff-rules": {DONE: "nothing changes", NO: "some record changes", UNUSABLE: f"some record cannot be compared, or {_USAGE}"},
    "grep": {
        DONE: "the query holds somewhere", NO: "nowhere", UNUSABLE: f"some record cannot be searched to its end, or {_USAGE}",
    },
    "coverage": {DONE: "all rules are used", NO: "some are never used", UNUSABLE: f"some record cannot be read, or {_USAGE}"},
    "statistics": {DONE: "all records are counted", UNUSABLE: f"some record cannot be read, or {_USAGE}"},
    "complete": {DONE: "the gaps are filled", NO: "they cannot be filled (proved)", UNUSABLE: _INPUT, NOT_DECIDED: _OPEN},
    "rules": _DONE,
    "lint": {DONE: "clean", NO: "findings", UNUSABLE: _USAGE},
    "test": {
        DONE: "all rows pass", NO: "a row fails (or a change of the rules is not noticed)", UNUSABLE: _USAGE, NOT_DECIDED: _OPEN,
    },
    "new-game": {DONE: "written", UNUSABLE: _USAGE},
    "shell-completion": _DONE,
    "serve": {DONE: "ended (Ctrl-C)", UNUSABLE: _USAGE},
    "mcp": {DONE: "the input has ended", UNUSABLE: _USAGE},
    "language-server": {DONE: "the editor has ended it", NO: "it ended without shutdown", UNUSABLE: _USAGE},
}  # fmt: skip
"""The exit codes of each command, with what they say."""

OF_EVERY_COMMAND: Final = {
    INTERRUPTED: "interrupted (Ctrl-C)",
    PIPE_CLOSED: "the reader of the output has gone away",
}
"""The exit codes that every command may have."""


def line_of(command: str) -> str:
    """The line for a command's help.

    >>> line_of("why")
    'exit code: 0 legal, 1 illegal, 2 unreadable input or wrong usage'
    """
    return f"exit code: {', '.join(f'{code} {text}' for code, text in EXIT_CODES[command].items())}"
