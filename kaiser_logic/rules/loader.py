"""Rulebooks read from their folders: the manifest, the rules with their places, the documentation lines.

The loader checks the contract that all readings rely on (docs/write/rulebooks.md), as far as a rule's form can break it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

from clingo import ast

from ..errors import WrongUsage
from .reader import read_rule
from .rule import Rule
from .rulebook import Rulebook, RuleDoc, Ruling

_DOC = re.compile(r"^%! +(rule|invariant|board|data) +(\S+) +-- +(.*)$")
_DOC_LINE = re.compile(r"^%!   (\w+)  +(.*)$")
_DOC_MORE = re.compile(r"^%!     +(\S.*)$")


class ContractError(Exception):
    """A rulebook breaks the contract. Only its author can see this."""


def asp_folder() -> Path:
    """Where the rulebooks lie: inside of the installed package, or beside it in a checkout."""
    here = Path(__file__).resolve().parents[1]
    inside = here / "asp"
    return inside if inside.is_dir() else here.parent / "asp"


def games() -> tuple[str, ...]:
    """The ids of the games that have a rulebook."""
    return tuple(sorted(p.parent.name for p in asp_folder().glob("*/game.toml")))


def parse_rules(text: str, file: str = "", blocks: Iterable[tuple[int, str | None]] = ()) -> list[Rule]:
    """The rules of a logic program of ours (never a stranger's text).

    Args:
        text: The program.
        file: The file that the rules are said to be from.
        blocks: From which line on the rules belong to which documented rule; None ends a block.

    Raises:
        ContractError: It has something else than rules.
    """
    nodes: list[Any] = []
    ast.parse_string(text, nodes.append)
    starts = sorted(blocks, key=lambda b: b[0], reverse=True)
    rules = []
    for node in nodes:
        if node.ast_type == ast.ASTType.Rule:
            line = node.location.begin.line
            block = next((id for start, id in starts if start < line), None)
            rules.append(read_rule(str(node), node, file, line, block))
        elif node.ast_type not in (ast.ASTType.Program, ast.ASTType.Comment):
            raise ContractError(f"{file}: only rules are allowed, not: {node}")
    return rules


@lru_cache(maxsize=16)
def engine_rules(name: str) -> tuple[Rule, ...]:
    """The rules of one of the engine's own files."""
    text = _engine_text(name)
    return tuple(parse_rules(text, f"engine/{name}.lp", _read_docs(text, f"engine/{name}.lp")[1]))


@lru_cache(maxsize=16)
def engine_docs(name: str) -> tuple[RuleDoc, ...]:
    """The documented rules of one of the engine's own files; an id in such a file is the same in all games."""
    return tuple(_read_docs(_engine_text(name), f"engine/{name}.lp")[0])


def _engine_text(name: str) -> str:
    path = asp_folder() / "engine" / f"{name}.lp"
    if not path.is_file():
        raise ContractError(f"the engine has no rules named {name!r}")
    return path.read_text(encoding="utf-8")


def _read_docs(text: str, file: str) -> tuple[list[RuleDoc], list[tuple[int, str | None]]]:
    """The documented rules of a file, and from which line on each reaches."""
    docs: list[RuleDoc] = []
    blocks: list[tuple[int, str | None]] = []
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
        elif not _DOC_LINE.match(line) and not _DOC_MORE.match(line):
            raise ContractError(f"{file}:{number}: cannot read this documentation line: {line}")
    return docs, blocks


def read_rulebook(folder: Path) -> Rulebook:
    """Reads a rulebook from its folder; ContractError where it breaks the contract."""
    manifest = tomllib.loads((folder / "game.toml").read_text(encoding="utf-8"))
    rules: list[Rule] = []
    docs: dict[str, RuleDoc] = {}
    for name in manifest["files"]:
        file = f"{folder.name}/{name}.lp"
        text = (folder / f"{name}.lp").read_text(encoding="utf-8")
        found, blocks = _read_docs(text, file)
        for doc in found:
            if doc.id in docs:
                raise ContractError(f"{file}:{doc.line}: rule {doc.id} is documented twice")
            docs[doc.id] = doc
        rules += parse_rules(text, file, blocks)
    for name in manifest.get("engine", ()):
        rules += engine_rules(name)
        for doc in engine_docs(name):
            docs.setdefault(doc.id, doc)
    rulings = {
        name: Ruling(
            name, r["about"], r["values"], {e: r[e] for e in manifest["editions"]}, r.get("source", {})
        )
        for name, r in manifest.get("rulings", {}).items()
    }
    book = Rulebook(manifest["id"], folder, manifest, tuple(rules), docs, rulings)
    _check(book)
    return book


def _check(book: Rulebook) -> None:
    """The contract: every id in a head, of a violation, a decision, an invariant, is documented."""
    first = {("board_broken", 2), ("broken", 2)}
    for rule in book.rules:
        for head in rule.heads:
            if not head.args:
                continue
            kind, text = head.args[0 if head.signature in first else -1][:2]
            if kind != "c" or not (str(text).startswith('"') or head.signature in first):
                continue
            id = str(text).strip('"')
            if id not in book.docs:
                raise ContractError(f"{rule.file}:{rule.line}: {id} has no documentation")


@lru_cache(maxsize=16)
def rulebook(game_id: str | Path) -> Rulebook:
    """The rulebook of a game, or in a folder of one's own; WrongUsage where there is none.

    A folder is trusted like a program: never take one from a stranger, nor from a record's tag.
    """
    if isinstance(game_id, Path):
        if not (game_id / "game.toml").is_file():
            raise WrongUsage(f"{game_id} is no rulebook: it has no game.toml")
        return read_rulebook(game_id)
    if game_id not in games():
        raise WrongUsage(f"there is no game {game_id!r}; the games are: {', '.join(games())}")
    return read_rulebook(asp_folder() / game_id)
