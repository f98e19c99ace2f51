"""Small edits of a Python module or a logic program, each on the lines it stands on, so that lines keep their numbers."""

import ast
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final, NamedTuple


class Edit(NamedTuple):
    """A piece of a text that is replaced."""

    start: int
    end: int
    new: str
    kind: str


SWAPS: Final = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr,
}  # fmt: skip
DROPPED: Final = (ast.AugAssign, ast.Raise, ast.Continue, ast.Break, ast.Delete)


def python(text: str) -> list[Edit]:
    """An operator swapped, a constant changed, a condition negated, or a statement dropped."""
    starts = [0]
    for line in text.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line.decode()))
    lines = text.splitlines()

    def span(node: ast.AST) -> tuple[int, int]:
        row, last = lines[node.lineno - 1].encode(), lines[node.end_lineno - 1].encode()
        return (
            starts[node.lineno - 1] + len(row[: node.col_offset].decode()),
            starts[node.end_lineno - 1] + len(last[: node.end_col_offset].decode()),
        )

    def edit(node: ast.AST, new: str, kind: str) -> Edit:
        start, end = span(node)
        below = "\n" * text.count("\n", start, end)
        return Edit(start, end, f"{new[:-1]}{below})" if new[-1] == ")" else new + below, kind)

    return [edit(*made) for made in _changes(ast.parse(text))]


def _changes(tree: ast.AST) -> Iterator[tuple[ast.AST, str, str]]:
    for node in _code(tree):
        swapped = _swapped(node)
        if swapped:
            yield node, f"({swapped})", "operator"
        elif isinstance(node, ast.Constant) and isinstance(node.value, int):
            new = not node.value if isinstance(node.value, bool) else node.value + 1
            yield node, repr(new), "constant"
        if isinstance(node, ast.If | ast.While | ast.IfExp):
            yield node.test, f"(not ({ast.unparse(node.test)}))", "negated"
        elif isinstance(node, ast.comprehension):
            yield from ((test, f"(not ({ast.unparse(test)}))", "negated") for test in node.ifs)
        if isinstance(node, DROPPED) or (isinstance(node, ast.Expr) and not isinstance(node.value, ast.Constant)):
            yield node, "pass", "dropped"


def _swapped(node: ast.AST) -> str:
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in SWAPS:
        return ast.unparse(ast.Compare(node.left, [SWAPS[type(node.ops[0])]()], node.comparators))
    if isinstance(node, ast.BoolOp):
        return ast.unparse(ast.BoolOp(SWAPS[type(node.op)](), node.values))
    if isinstance(node, ast.BinOp) and type(node.op) in SWAPS:
        return ast.unparse(ast.BinOp(node.left, SWAPS[type(node.op)](), node.right))
    return ""


def _code(node: ast.AST) -> Iterator[ast.AST]:
    """What runs: no annotations, no f-strings, nothing for type checkers alone."""
    yield node
    typing = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
    if typing or isinstance(node, ast.JoinedStr):
        return
    for name, value in ast.iter_fields(node):
        if name not in {"annotation", "returns", "type_params"}:
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from _code(child)


_PIECE: Final = re.compile(
    r'%\*.*?\*%|%[^\n]*|"(?:\\.|[^"\\])*"|\.\.|[.](?=\s|\Z)|:-|[({\[]|[)}\]]|[,;]|[^%".:({\[)}\],;]+|.', re.S
)
_COMPARED: Final = re.compile(r"(?<=\s)(<=|>=|!=|<|>|=)(?=\s)")
_OTHER: Final = {"<=": "<", ">=": ">", "<": "<=", ">": ">=", "!=": "=", "=": "!="}


def logic(text: str) -> list[Edit]:
    """A rule dropped, a literal of a body dropped or negated, a comparison swapped, a number changed."""
    made: list[Edit] = []
    start, body, depth, cuts = -1, -1, 0, list[int]()
    for piece in _PIECE.finditer(text):
        word, at = piece.group(), piece.start()
        if word[0] == "%" or (start < 0 and not word.strip()):
            continue
        if start < 0:
            start, body, depth, cuts = at + len(word) - len(word.lstrip()), -1, 0, []
        depth += word in set("({[")
        depth -= word in set(")}]")
        if word == ":-":
            body, cuts = piece.end(), [piece.end()]
        elif word in {",", ";"} and not depth and body >= 0:
            cuts.append(piece.end())
        elif word == ".":
            if text[start] != "#":
                made += _of_rule(text, start, piece.end(), [*cuts, piece.end()] if body >= 0 else [])
            start = -1
        if word[0] not in '%"':
            numbers = re.finditer(r"(?<![\w])\d+(?!\w)", word)
            made += [Edit(at + m.start(), at + m.end(), str(int(m[0]) + 1), "constant") for m in numbers]
            swaps = _COMPARED.finditer(word)
            made += [Edit(at + m.start(), at + m.end(), _OTHER[m[0]], "operator") for m in swaps]
    return made


def _of_rule(text: str, start: int, end: int, cuts: list[int]) -> Iterator[Edit]:
    yield Edit(start, end, re.sub(r"[^\n]", "", text[start:end]), "rule dropped")
    for n, (left, right) in enumerate(pairwise(cuts)):
        old = text[left : right - 1]
        blank = len(old) - len(old.lstrip())
        if re.match(r"not\s", old.strip()):
            yield Edit(left + blank, left + blank + 4, "", "negated")
        elif re.match(r"[a-z]", old.strip()) and not _COMPARED.search(old):
            yield Edit(left + blank, left + blank, "not ", "negated")
        if len(cuts) > 2:
            last = n == len(cuts) - 2
            yield Edit(left - last, right - last, "\n" * text.count("\n", left, right), "literal dropped")
