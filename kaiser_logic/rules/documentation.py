r"""The documentation lines of a program, such as those above a rule on taking stones.

>>> docs, blocks, wrong = read_docs("%! rule take -- In turn.\n%!   why  not {R}'s turn\na.", "f.lp")
>>> docs[0].id, docs[0].why, blocks, wrong
('take', "not {R}'s turn", [(1, 'take')], [])
"""

from __future__ import annotations

import re
from typing import TypeAlias

from .rulebook import RuleDoc

_DOC = re.compile(r"^%! +(rule|invariant|board|data|claim) +(\S+) +-- +(.*)$")
_DOC_LINE = re.compile(r"^%!   (\w+)  +(.*)$")
_DOC_MORE = re.compile(r"^%!     +(\S.*)$")

Blocks: TypeAlias = list[tuple[int, str | None]]
"""From which line on the rules belong to which documented rule; None ends a block."""


def read_docs(text: str, file: str) -> tuple[list[RuleDoc], Blocks, list[int]]:
    """The documented rules of a file, how far each reaches, and the lines that cannot be read.

    Args:
        text: The program.
        file: The file that the rules are said to be from.
    """
    docs: list[RuleDoc] = []
    blocks: Blocks = []
    wrong: list[int] = []
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        if not line.startswith("%!"):
            if line.startswith("% --"):
                blocks.append((number, None))
            continue
        match = _DOC.match(line)
        if match:
            fields, last = {"": match[3].strip()}, ""
            for following in lines[number:]:
                detail, more = _DOC_LINE.match(following), _DOC_MORE.match(following)
                if detail:
                    last = detail[1]
                    fields[last] = detail[2].strip()
                elif more:
                    fields[last] += " " + more[1].strip()
                else:
                    break
            statement, why = fields.pop(""), fields.pop("why", None)
            docs.append(RuleDoc(match[2], match[1], statement, why, fields, file, number))
            blocks.append((number, match[2]))
        elif not docs or (not _DOC_LINE.match(line) and not _DOC_MORE.match(line)):
            wrong.append(number)
    return docs, blocks, wrong
