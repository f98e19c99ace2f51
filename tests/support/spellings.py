"""A rulebook's variables renamed at random: what it says stays the same."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from random import Random

import kaiser_logic

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|(?<![\w\'])_*[A-Z][\w\']*')
_WORD = re.compile(r"(?<![\w\'])_*[A-Z]\w{0,7}(?![\w\'])", re.ASCII)
LOOKALIKES = (
    *("A_0", "A_1", "A_0_1", "A_1_1", "A_0_2", "A_", "A0", "A0z2", "Role", "Role_", "Role_1_", "Rolez16"),
    *("N", "N_", "W", "W_", "X", "X_", "X0", "X1", "L", "M", "Rule", "Rule_", "Other_", "Other_Q", "Worked_0_"),
    *("_K", "_L", "_Q", "_A1", "_P1", "_H0", "_V0", "_Any0", "Reach_", "Least_", "K_0", "V_0", "Total_N", "__X"),
)  # fmt: skip
"""Names that the tool gives its own variables, or might."""


@cache
def names() -> tuple[str, ...]:
    """All that looks like a variable in the texts that the tool is made of, and more that might."""
    found = set(LOOKALIKES)
    for path in Path(kaiser_logic.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found |= {w for w in _WORD.findall(node.value) if len(w) < 9}
    return tuple(sorted(found))


def variables(text: str) -> list[str]:
    """The variables of a rule, each once."""
    return list(dict.fromkeys(t for t in _TOKEN.findall(text) if not t.startswith('"')))


def respelt(rule: str, random: Random) -> str:
    """A rule with other names for its variables, different ones for different ones."""
    own = variables(rule)
    pool = LOOKALIKES if random.random() < 0.7 else names()
    new = dict(zip(own, random.sample(pool, len(own)), strict=True))
    return _TOKEN.sub(lambda match: new.get(match[0], match[0]), rule)


def program(text: str, random: Random) -> str:
    """A program, one rule a line or more, with the variables of each rule renamed."""
    lines: list[str] = []
    rule = ""
    for line in text.splitlines():
        if line.startswith("%") or not line.strip():
            lines.append(line)
            continue
        rule = f"{rule} {line.strip()}".strip()
        if rule.endswith("."):
            rules = re.findall(r'(?:"[^"]*"|\.\.|[^".])+\.(?=\s|$)', rule)
            lines.append(" ".join(respelt(r.strip(), random) for r in rules))
            rule = ""
    return "\n".join(lines) + "\n"
