"""Runs a file statement by statement, and prints the line and the value of each expression among them."""

import ast
import sys
from pathlib import Path


def main(file: str) -> None:
    """Runs the file; each printed line is a pair: the expression's last line, its value as text."""
    names: dict[str, object] = {"__name__": "__main__"}
    for node in ast.parse(Path(file).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Expr):
            value = eval(compile(ast.Expression(node.value), file, "eval"), names)
            print((node.end_lineno, repr(value)))
        else:
            exec(compile(ast.Module([node], []), file, "exec"), names)


if __name__ == "__main__":
    main(sys.argv[1])
