"""Prints how many code lines would go with each capability: ``python -m tests.by_hand.sizes`` in the project's folder.

Its own modules go, and those that only these import, directly or not. A module stays if anything else imports one name of it:
the figures are too small rather than too large. Code lines are no blanks, comments, docstrings or imports.
"""

import ast
import re
from pathlib import Path

CAPABILITIES = {
    "find": "cli.find query.find",
    "find --reachable": "search",
    "prove": "cli.prove claims solving.rounds mining",
    "verify, certificates": "checker cli.verify",
    "compare": "cli.compare comparison.compare comparison.divergence comparison.scenarios",
    "all about open positions": "cli.find query.find query.open_query cli.prove claims checker cli.verify solving comparison",
    "complete, check --view": "cli.complete completion",
    "circuits: batches, and what they make faster": "batch records.batch_filter records.batch_replay",
    "help about queries": "query.mistakes query.suggestions query.columns query.listing",
    "explorer": "explorer",
    "servers for assistants and editors": "services",
    "printed rules": "printing cli.rules",
    "lint, new-game, test": "linting cli.lint expectations cli.test",
    "drawings, pages": "drawing reports",
    "grep, coverage, statistics, diff-rules": "records.grep records.coverage records.statistics comparison.recorded cli.grep",
    "play": "play cli.play",
}
size, imports = {}, {}
for path in sorted(Path("kaiser_logic").rglob("*.py")):
    place, text = path.with_suffix("").parts[1:], path.read_text(encoding="utf-8")
    module = ".".join(place).removesuffix("__init__").rstrip(".")
    code = {n for n, line in enumerate(text.splitlines(), 1) if line.strip() and line.strip()[0] != "#"}
    imports[module] = {module.rpartition(".")[0]}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.level and module:
            home = ".".join([*place[: len(place) - node.level], *filter(None, [node.module])])
            imports[module] |= {home, *(f"{home}.{name.name}".strip(".") for name in node.names)}
        words = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if words or isinstance(node, ast.Import | ast.ImportFrom):
            code -= set(range(node.lineno, node.end_lineno + 1))
    size[module] = len(code)
entries = {m for m in size if m.partition(".")[0] in ("cli", "services", "explorer", "answers", "drawing")}
for table in ("__init__", "upward"):  # of public names, and of what lower layers ask of higher ones
    entries.update(re.findall(r'"([a-z_.]+)[:"]', Path(f"kaiser_logic/{table}.py").read_text(encoding="utf-8")))


def reached(cut):
    """The code lines that are imported from the entry points if some folders and modules are gone."""
    found, new = set(), entries
    while new := {m for m in new & size.keys() - found if not any(f"{m}.".startswith(f"{c}.") for c in cut)}:
        found |= new
        new = {other for m in new for other in imports[m]}
    return sum(size[m] for m in found)


print(f"{sum(size.values()):6,} all")
for name, modules in CAPABILITIES.items():
    print(f"{reached(()) - reached(modules.split()):6,} {name}")
