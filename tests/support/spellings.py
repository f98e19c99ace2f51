"""Equivalent variants of a rulebook: other names of variables, another order, rules split in two or inlined."""

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
"""Names that the package gives its own variables, or might give them."""


@cache
def names() -> tuple[str, ...]:
    """Everything that looks like a variable in the sources of the package, and similar names."""
    found = set(LOOKALIKES)
    for path in Path(kaiser_logic.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found |= {w for w in _WORD.findall(node.value) if len(w) < 9}
    return tuple(sorted(found))


def variables(text: str) -> list[str]:
    return list(dict.fromkeys(t for t in _TOKEN.findall(text) if not t.startswith('"')))


def renamed_variables(rule: str, random: Random) -> str:
    """A rule with other, distinct names for its variables."""
    own = variables(rule)
    pool = LOOKALIKES if random.random() < 0.7 else names()
    new = dict(zip(own, random.sample(pool, len(own)), strict=True))
    return _TOKEN.sub(lambda match: new.get(match[0], match[0]), rule)


_RULE = re.compile(r'(?:"[^"]*"|\.\.|[^".])+\.(?=\s|$)')
_ATOM = re.compile(r"([a-z]\w*)(?:\((.*)\))?")
_MARKS = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}


def split(text: str) -> tuple[list[str], list[str]]:
    """The comments of a program, one on each line, and its rules."""
    lines = text.splitlines()
    comments = [line for line in lines if line.startswith("%")]
    return comments, [r.strip() for r in _RULE.findall(" ".join(line for line in lines if line not in comments))]


def program(text: str, random: Random) -> str:
    """A program with the variables of each rule renamed; its comments come first."""
    comments, rules = split(text)
    return "\n".join([*comments, *(renamed_variables(r, random) for r in rules)]) + "\n"


def variant(text: str, random: Random, inlined: tuple[str, ...] = ()) -> str:
    """A random equivalent variant of a program, with its variables renamed.

    ``inlined``: predicates whose positive literals are replaced by the bodies of their rules::

        w(P) :- helps(P,Q), mark(Q).            w(P) :- does(P0,lend(Q0,_)), P = P0, Q = Q0, mark(Q).
        helps(P,Q) :- does(P,lend(Q,_)).    =>  helps(P,Q) :- does(P,lend(Q,_)).
    """
    comments, rules = split(text)
    if random.random() < 0.6:
        rules = [new for rule in rules for new in _inline(rule, rules, inlined)]
    if random.random() < 0.7:
        rules = [new for n, rule in enumerate(rules) for new in _in_two(rule, n, random)]
    if random.random() < 0.8:
        rules = [_reordered(rule, random) for rule in rules]
    if random.random() < 0.8:
        random.shuffle(rules)
    return "\n".join([*comments, *(renamed_variables(r, random) for r in rules)]) + "\n"


def parts(text: str, mark: str = ",") -> list[str]:
    """The parts of a text, split at a mark outside of brackets and strings."""
    found, depth, quoted = [""], 0, False
    for sign in text:
        quoted ^= sign == '"'
        depth += 0 if quoted else _MARKS.get(sign, 0)
        if sign == mark and not depth and not quoted:
            found.append("")
        else:
            found[-1] += sign
    return [x.strip() for x in found]


def _head_and_body(rule: str) -> tuple[str, list[str]]:
    """The head and the literals of a rule; None if a literal has a condition."""
    head, _, body = rule.removesuffix(".").partition(":-")
    if not body or len(parts(body, ":")) > 1 or len(parts(body, ";")) > 1:
        return head.strip(), []
    return head.strip(), parts(body)


def _reordered(rule: str, random: Random) -> str:
    head, body = _head_and_body(rule)
    return f"{head} :- {', '.join(random.sample(body, len(body)))}." if body else rule


def _in_two(rule: str, number: int, random: Random) -> list[str]:
    """A rule with two atoms or more in its body, split in two: some of the atoms become a new predicate."""
    head, body = _head_and_body(rule)
    atoms = [literal for literal in body if _ATOM.fullmatch(literal)]
    if len(atoms) < 2 or random.random() < 0.4:
        return [rule]
    taken = random.sample(atoms, random.choice((1, len(atoms))))
    own = variables(", ".join(taken))
    part = f"part_{number}" + (f"({','.join(own)})" if own else "")
    rest = [part, *(literal for literal in body if literal not in taken)]
    return [f"{part} :- {', '.join(taken)}.", f"{head} :- {', '.join(rest)}."]


def _inline(rule: str, rules: list[str], inlined: tuple[str, ...]) -> list[str]:
    """A rule with the first atom of such a predicate replaced, once by each of the predicate's rules."""
    head, body = _head_and_body(rule)
    for i, literal in enumerate(body):
        atom = _ATOM.fullmatch(literal)
        if not atom or atom[1] not in inlined:
            continue
        found = []
        for n, other in enumerate(rules):
            defined, conditions = _head_and_body(_apart(other, n))
            one = _ATOM.fullmatch(defined)
            if one and one[1] == atom[1]:
                equal = [f"{a} = {b}" for a, b in zip(parts(atom[2]), parts(one[2]), strict=True) if a != "_"]
                found.append(f"{head} :- {', '.join([*body[:i], *conditions, *equal, *body[i + 1 :]])}.")
        return found
    return [rule]


def _apart(rule: str, number: int) -> str:
    """A rule with variables that no other rule has."""
    return _TOKEN.sub(lambda match: match[0] if match[0][0] in '"_' else f"{match[0]}q{number}", rule)
