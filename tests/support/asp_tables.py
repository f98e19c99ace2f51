"""The tables of ``asp/README.md``: the purpose of each file, and the files that define and use each predicate.

Generated from the rules as the loader reads them; ``PYTHONPATH=.:tests python -m support.asp_tables > asp/README.md``
rewrites the page.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from kaiser_logic.lang.terms import Signature
from kaiser_logic.rules.generated import all_rules
from kaiser_logic.rules.loader import asp_folder, drawing_rules, games, parse_rules, picture_rules, rulebook
from kaiser_logic.rules.reader import rule_of
from kaiser_logic.rules.rule import PlacedRule

MOST = 7
"""Of more files than these the table has only the number."""

HEAD = """# The rulebooks' files and predicates

A folder is a game; `engine` is what all games share. docs/write/rulebooks.md explains the predicates of the engine, and the
files of a game explain their own. Generated from the rules: `PYTHONPATH=.:tests python -m support.asp_tables > asp/README.md`.

Entries of the columns "defined by" and "used by": a file's name; `generated` for the rules that the engine generates from a
vocabulary; *given* for facts of a position, a record or a question; *rulebook* for files of the games; *answer* for results
that Python reads; *query* for what `find` can ask. Of more than 7 files the table has only the number.
"""


def name(signature: Signature) -> str:
    return f"{signature[0]}/{signature[1]}"


@dataclass
class Uses:
    """The names of the files that define a predicate, and that use it (with ``engine/`` for the engine's files)."""

    defined: set[str] = field(default_factory=set)
    used: set[str] = field(default_factory=set)


def _file(rule: PlacedRule, game: str) -> str:
    return rule.file.removesuffix(".lp").removeprefix(f"{game}/")


@cache
def rules_of(game: str) -> tuple[PlacedRule, ...]:
    """All rules of a game: with those of the engine, the generated ones, and those of drawing, picture and print."""
    book = rulebook(game)
    path = book.folder / "book.lp"
    printed = parse_rules(path.read_text(encoding="utf-8"), f"{game}/book.lp") if path.is_file() else []
    return (*all_rules(book), *drawing_rules(book), *picture_rules(book), *printed)


def uses(game: str) -> dict[Signature, Uses]:
    found: dict[Signature, Uses] = defaultdict(Uses)
    for rule in rules_of(game):
        for head in rule.heads:
            found[head.signature].defined.add(_file(rule, game))
        for signature in rule.uses:
            found[signature].used.add(_file(rule, game))
    for doc in rulebook(game).docs.values():
        for _, condition in doc.reasons:
            for signature in rule_of(f"_condition :- {condition}.").uses if condition else ():
                found[signature].used.add(Path(doc.file).stem)
    return found


def engine_uses() -> dict[Signature, Uses]:
    """The files that define and use each predicate of the engine; all files of games count as one."""
    found: dict[Signature, Uses] = defaultdict(Uses)
    for game in games():
        for signature, use in uses(game).items():
            for ours, theirs in ((found[signature].defined, use.defined), (found[signature].used, use.used)):
                ours |= {f.removeprefix("engine/") if "/" in f or f == "generated" else "*rulebook*" for f in theirs}
    for rule in _engine_rules():
        for head in rule.heads:
            found[head.signature].defined.add(Path(rule.file).stem)
        for signature in rule.uses:
            found[signature].used.add(Path(rule.file).stem)
    own = {s for r in _engine_rules() for s in {*r.uses, *(h.signature for h in r.heads)}}
    return {s: u for s, u in found.items() if s in own or "generated" in u.defined}


def _engine_rules() -> list[PlacedRule]:
    paths = sorted((asp_folder() / "engine").glob("*.lp"))
    return [r for p in paths for r in parse_rules(p.read_text(encoding="utf-8"), f"engine/{p.name}")]


# -- tables ------------------------------------------------------------------------------------------------


def purpose(path: Path) -> str:
    lines = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("% "):
            break
        lines.append(line[2:].strip())
    sentence = " ".join(lines).partition(". ")[0].rstrip(".:")
    return sentence if sentence.endswith("?") else f"{sentence}."


def files_of(folder: Path) -> Iterator[str]:
    yield from ("| file | |", "|---|---|")
    for path in sorted(folder.glob("*.lp")):
        yield f"| `{path.name}` | {purpose(path)} |"


def _listed(files: set[str], otherwise: str, also: str = "") -> str:
    named = sorted(f for f in files if f.startswith("*"))
    shown = sorted(f"`{f}`" for f in files if not f.startswith("*"))
    texts = [f"{len(shown)} files"] if len(shown) > MOST else shown
    return ", ".join([*texts, *named, *([also] if also else [])]) or otherwise


def predicates_of(found: dict[Signature, Uses], exports: Iterable[str] = ()) -> Iterator[str]:
    yield from ("| predicate | arity | defined by | used by |", "|---|---|---|---|")
    for signature, use in sorted(found.items()):
        also = "*query*" if name(signature) in set(exports) else ""
        used = _listed(use.used, "*answer*", also)
        yield f"| `{signature[0]}` | {signature[1]} | {_listed(use.defined, '*given*')} | {used} |"


def readme() -> str:
    parts = [HEAD, "## engine\n", *files_of(asp_folder() / "engine"), "", *predicates_of(engine_uses()), ""]
    for game in games():
        book = rulebook(game)
        own = {
            s: u for s, u in uses(game).items() if any("/" not in f and f != "generated" for f in u.defined | u.used)
        }
        parts += [f"## {game}\n", f"{book.title}.\n", *files_of(book.folder), ""]
        parts += [*predicates_of(own, book.manifest.get("exports", ())), ""]
    return "\n".join(parts).rstrip() + "\n"


if __name__ == "__main__":
    print(readme(), end="")
