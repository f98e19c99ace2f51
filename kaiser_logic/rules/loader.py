"""Rulebooks read from their folders: the manifest, the rules with their places, the documentation lines.

The loader refuses what breaks the contract that all readings rely on (:mod:`.contract`), with everything that is wrong.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from clingo import ast

from ..errors import FaultyRulebook, Finding, WrongUsage
from .contract import faults
from .contract.manifest import Manifest
from .contract.survey import Survey
from .documentation import read_docs
from .library import asp_folder, folder_of, game_named, games
from .phrases import phrases
from .places import toml_error
from .reader import read_rule
from .rule import Rule
from .rulebook import Rulebook, RuleDoc, Ruling

__all__ = ["asp_folder", "game_named", "games", "parse_rules", "read_rulebook", "rulebook"]

_ALWAYS: Final = frozenset({"legal", "judge", "change", "position", "open_sets"})
"""The engine's files that no rulebook asks for."""
_QUIET: Final = re.compile(r'"(?:[^"\\\n]|\\.)*"|%\*.*?\*%|%[^\n]*', re.DOTALL)
"""Texts and comments."""
_UNREAD: Final = re.compile(r"#include\b|[^\t\n\r\x20-\x7e]")
_MESSAGE: Final = re.compile(r"<string>:(\d+):(\d+)(?:-[\d:]+)?: error: (.*)")


@lru_cache(maxsize=16)
def _rulebook(folder: Path, thorough: bool) -> Rulebook:
    return read_rulebook(folder, thorough=thorough)


def rulebook(game_id: str | Path) -> Rulebook:
    """The rulebook of a game, or in a folder of one's own.

    A folder is trusted like a program: never take one from a stranger, nor from a record's tag.

    Raises:
        WrongUsage: There is none.
        FaultyRulebook: It breaks the contract.
    """
    if isinstance(game_id, Path):
        if not (game_id / "game.toml").is_file():
            raise WrongUsage(f"{game_id} is no rulebook: it has no game.toml")
        there = game_id.absolute()
        try:
            return _rulebook(there, True)
        except FaultyRulebook as error:
            shown = (replace(f, file=f.file.replace(str(there), str(game_id), 1)) for f in error.findings)
            raise FaultyRulebook(shown) from None
    folder = folder_of(game_id)
    shipped = folder.parent == asp_folder()
    book = _rulebook(folder, not shipped)
    if book.id != game_id:
        message = f"the game's id is '{book.id}': its folder must have the same name to be found"
        raise FaultyRulebook([Finding(str(folder / "game.toml"), 1, 1, "manifest", message)])
    return book


# -- programs ----------------------------------------------------------------------------------------------------


def parse_rules(text: str, file: str = "", blocks: Iterable[tuple[int, str | None]] = ()) -> list[Rule]:
    """The rules of a logic program of ours (never a stranger's text).

    Args:
        text: The program.
        file: The file that the rules are said to be from.
        blocks: From which line on the rules belong to which documented rule; None ends a block.

    Raises:
        FaultyRulebook: It cannot be read, or has something else than rules.
    """
    rules, findings = _parsed(text, file, file, blocks)
    if findings:
        raise FaultyRulebook(findings)
    return rules


def _parsed(
    text: str, file: str, path: str, blocks: Iterable[tuple[int, str | None]]
) -> tuple[list[Rule], list[Finding]]:
    """The rules of a program, and what cannot be read or is no rule."""
    nodes: list[Any] = []
    messages: list[str] = []
    unread = _unread(text, path)
    if unread is not None:
        return [], [unread]
    try:
        ast.parse_string(text, nodes.append, logger=lambda _, message: messages.append(message))
    except (RuntimeError, ValueError) as error:
        return [], list(_syntax_errors(messages or [str(error)], path))
    starts = sorted(blocks, key=lambda b: b[0], reverse=True)
    rules, findings = [], []
    for node in nodes:
        if node.ast_type == ast.ASTType.Rule:
            line = node.location.begin.line
            block = next((id for start, id in starts if start < line), None)
            rules.append(read_rule(str(node), node, file, line, block))
        elif node.ast_type != ast.ASTType.Comment and str(node) != "#program base.":
            begin = node.location.begin
            message = f"only rules are allowed, not: {' '.join(str(node).split())[:80]}"
            findings.append(Finding(path, begin.line, begin.column, "directive", message))
    return rules, findings


def _unread(text: str, path: str) -> Finding | None:
    """What clingo must not see: it would read another file, or end the process over half a character."""
    bare = _QUIET.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)
    match = _UNREAD.search(bare)
    if match is None:
        return None
    line = text.count("\n", 0, match.start()) + 1
    column = match.start() - text.rfind("\n", 0, match.start())
    if match[0] == "#include":
        message = "only rules are allowed, not: #include; the manifest's 'files' names the programs"
        return Finding(path, line, column, "directive", message)
    return Finding(path, line, column, "syntax", f"{match[0]!r} stands outside of texts and comments")


def _syntax_errors(messages: Iterable[str], path: str) -> Iterator[Finding]:
    """What clingo could not read; that a file then ends too early is only said where nothing else is."""
    found = [m for m in map(_MESSAGE.match, messages) if m]
    for match in [m for m in found if "unexpected EOF" not in m[3]] or found[:1]:
        said = match[3].removeprefix("syntax error, ")
        said = "the rule has no end: a point is missing" if said.startswith("unexpected EOF") else said
        yield Finding(path, int(match[1]), int(match[2]), "syntax", said)
    if not found:
        yield Finding(path, 0, 0, "syntax", "; ".join(messages))


def shared_files() -> tuple[str, ...]:
    """The engine's files that a manifest can ask for."""
    return tuple(sorted(p.stem for p in (asp_folder() / "engine").glob("*.lp") if p.stem not in _ALWAYS))


@lru_cache(maxsize=16)
def engine_rules(name: str) -> tuple[Rule, ...]:
    """The rules of one of the engine's own files."""
    text = _engine_text(name)
    return tuple(parse_rules(text, f"engine/{name}.lp", read_docs(text, f"engine/{name}.lp")[1]))


@lru_cache(maxsize=16)
def engine_docs(name: str) -> tuple[RuleDoc, ...]:
    """The documented rules of one of the engine's own files; an id in such a file is the same in all games."""
    return tuple(read_docs(_engine_text(name), f"engine/{name}.lp")[0])


def _engine_text(name: str) -> str:
    return (asp_folder() / "engine" / f"{name}.lp").read_text(encoding="utf-8")


# -- rulebooks ---------------------------------------------------------------------------------------------------


def read_rulebook(folder: Path, *, thorough: bool = True) -> Rulebook:
    """Reads a rulebook from its folder.

    Args:
        folder: Where its files lie.
        thorough: Whether clingo is asked too whether it can ground the rules, and drawing, claims and phrases are looked at.

    Raises:
        FaultyRulebook: It breaks the contract.
    """
    book, findings = read_parts(folder)
    if book is not None and not findings:
        findings = faults(Survey(book), thorough=thorough)
        if thorough and not findings:
            findings = further_faults(book)
            phrases(folder)
    if findings or book is None:
        raise FaultyRulebook(sorted(findings))
    return book


def read_parts(folder: Path) -> tuple[Rulebook | None, list[Finding]]:
    """A rulebook as far as it can be read, and what cannot; None where not even the manifest can."""
    path = folder / "game.toml"
    text, findings = _text(path)
    try:
        manifest = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        findings.append(toml_error(path, error))
    if findings:
        return None, findings
    findings += Manifest(path, text, manifest, shared_files()).findings()
    if findings:
        return None, findings
    rules: list[Rule] = []
    docs: dict[str, RuleDoc] = {}
    for name in manifest["files"]:
        findings += _add_file(folder, name, rules, docs)
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
    return Rulebook(manifest["id"], folder, manifest, tuple(rules), docs, rulings), findings


def _add_file(folder: Path, name: str, rules: list[Rule], docs: dict[str, RuleDoc]) -> Iterator[Finding]:
    """Adds the rules and headings of a file, and says what is wrong with their form."""
    path, file = folder / f"{name}.lp", f"{folder.name}/{name}.lp"
    text, findings = _text(path)
    found, blocks, wrong = read_docs(text, file)
    for line in wrong:
        message = (
            "this documentation line cannot be read: %! KIND ID -- STATEMENT, then %!, three blanks, a name"
        )
        findings.append(Finding(str(path), line, 1, "documentation", message))
    for doc in found:
        if doc.id in docs:
            first = f"{docs[doc.id].file}:{docs[doc.id].line}"
            message = f"{doc.kind} {doc.id} is documented twice: also at {first}"
            findings.append(Finding(str(path), doc.line, 1, "twice", message))
        docs[doc.id] = doc
    parsed, problems = _parsed(text, file, str(path), blocks)
    rules += parsed
    yield from (*findings, *problems)


def drawing_rules(book: Rulebook) -> list[Rule]:
    """The rules of a rulebook's drawing, none where it has none; FaultyRulebook where they cannot be read."""
    name = book.manifest.get("drawing")
    return [] if name is None else _read_besides(book, [name])


def picture_rules(book: Rulebook) -> list[Rule]:
    """The rules of a rulebook's picture; likewise."""
    return _read_besides(book, book.manifest.get("picture", ()))


def _read_besides(book: Rulebook, names: Iterable[str]) -> list[Rule]:
    """The rules of programs that are not the rulebook's own."""
    rules: list[Rule] = []
    faulty: list[Finding] = []
    for name in names:
        path = book.folder / f"{name}.lp"
        text, findings = _text(path)
        parsed, problems = _parsed(text, f"{book.folder.name}/{name}.lp", str(path), ())
        rules += parsed
        faulty += [*findings, *problems]
    if faulty:
        raise FaultyRulebook(faulty)
    return rules


def claims_of(book: Rulebook) -> tuple[list[Rule], dict[str, RuleDoc]]:
    """The rules and headings of a rulebook's claims; FaultyRulebook where they cannot be read."""
    rules: list[Rule] = []
    docs = dict(book.docs)
    findings = [
        f for name in book.manifest.get("claims", ()) for f in _add_file(book.folder, name, rules, docs)
    ]
    if findings:
        raise FaultyRulebook(findings)
    return rules, {id: doc for id, doc in docs.items() if id not in book.docs}


def further_faults(book: Rulebook) -> list[Finding]:
    """What is wrong with a rulebook's drawing, picture and claims."""
    try:
        drawing = [*drawing_rules(book), *picture_rules(book)]
        claims, docs = claims_of(book)
    except FaultyRulebook as error:
        return list(error.findings)
    if not drawing and not claims and not docs:
        return []
    survey = Survey(book, drawing, claims, docs)
    return faults(survey, thorough=True)


def _text(path: Path) -> tuple[str, list[Finding]]:
    """The text of a file, and why it cannot be read."""
    try:
        return path.read_text(encoding="utf-8"), []
    except UnicodeDecodeError as error:
        line = path.read_bytes()[: error.start].count(b"\n") + 1
        return "", [Finding(str(path), line, 1, "syntax", "this is not written in UTF-8")]
    except OSError as error:
        return "", [Finding(str(path), 0, 0, "file", f"cannot be read: {error.strerror}")]
