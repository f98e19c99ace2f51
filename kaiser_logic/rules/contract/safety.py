"""Whether clingo can ground the rules at all: unsafe variables, and whatever else it refuses before it grounds."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import clingo
from clingo import ast
from clingo.ast import ProgramBuilder

from ...errors import Finding
from ..rule import Rule
from .survey import Survey

_UNSAFE: Final = re.compile(r"<string>:(\d+):(\d+)(?:-[\d:]+)?: note: '(.+?)' is unsafe")
_OTHER: Final = re.compile(r"<string>:(\d+):(\d+)(?:-[\d:]+)?: error: (.*)")


def safety(survey: Survey) -> Iterator[Finding]:
    """The kind ``unsafe``: each variable is bound by a positive atom of the body.

    >>> # add(took(Q)) :- does(R,take(_)).
    """
    files: dict[str, list[Rule]] = defaultdict(list)
    for rule in survey.rules:
        files[rule.file].append(rule)
    for file, rules in files.items():
        path = survey.folder / Path(file).name
        for message in _refused(rules):
            variables = list(_UNSAFE.finditer(message))
            for match in variables:
                text = f"the variable {match[3]} is bound by no positive atom of the body"
                if match[3].startswith("#"):
                    text = "'_' stands where a variable must be bound: under 'not' with others, or in a head"
                yield Finding(str(path), int(match[1]), int(match[2]), "unsafe", text)
            other = None if variables else _OTHER.match(message)
            if other:
                yield Finding(str(path), int(other[1]), int(other[2]), "unsafe", other[3])


def _refused(rules: list[Rule]) -> list[str]:
    """What clingo says of the rules of a file, which stand in a part that is not grounded."""
    messages: list[str] = []
    control = clingo.Control(
        ["--warn=none"], logger=lambda _, text: messages.append(text), message_limit=1000
    )
    try:
        with ProgramBuilder(control) as builder:
            builder.add(ast.Program(rules[0].node.location, "looked_at", []))
            for rule in rules:
                builder.add(rule.node)
        control.ground([])
    except RuntimeError:
        pass
    return messages
