"""A rulebook: a folder of logic programs with a manifest, read once.

The loader knows every rule's place, every documented rule's id, statement and sources, and checks the contract
that all readings rely on (docs/rulebooks.md). It evaluates nothing.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from clingo import ast

from .errors import WrongUsage
from .ir import Pattern, Rule, Signature, read_rule

_DOC = re.compile(r"^%! +(rule|invariant|board|data) +(\S+) +-- +(.*)$")
_DOC_LINE = re.compile(r"^%!   (\w+)  +(.*)$")
_DOC_MORE = re.compile(r"^%!     +(\S.*)$")
_POOL = re.compile(r"^fluent\((\w+)(?:\((.*)\))?\)(?: :- |\.$)", re.DOTALL)


class ContractError(Exception):
    """A rulebook breaks the contract. Only its author can see this."""


@dataclass(frozen=True)
class RuleDoc:
    """A documented rule.

    ``kind`` is ``rule``, ``invariant``, ``board`` or ``data``; ``why`` is the sentence's template for a
    violation; ``sources`` maps editions to places in their rulebooks.
    """

    id: str
    kind: str
    statement: str
    why: str | None
    sources: Mapping[str, str]
    file: str
    line: int


@dataclass(frozen=True)
class Ruling:
    """A point where the texts differ or are silent: its values, and the value that each edition takes."""

    name: str
    about: str
    values: Mapping[str, str]
    by_edition: Mapping[str, str]
    sources: Mapping[str, str]


@dataclass(frozen=True)
class ActionKind:
    """A kind of action: the pattern of the action, of the decision it belongs to, and the text of its sorts."""

    index: int
    decision: Pattern
    action: Pattern
    guard: str


@dataclass(frozen=True, eq=False)
class Rulebook:
    """The rules of one game, parsed; the same for all editions and numbers of players."""

    id: str
    folder: Path
    manifest: Mapping[str, Any]
    rules: tuple[Rule, ...]
    docs: Mapping[str, RuleDoc]
    rulings: Mapping[str, Ruling] = field(repr=False)

    @property
    def title(self) -> str:
        """The game's title with its author and publisher."""
        return str(self.manifest["title"])

    @property
    def roles(self) -> tuple[str, ...]:
        """The players that can take part, in the order of the default seats."""
        return tuple(self.manifest["roles"])

    @property
    def editions(self) -> Mapping[str, str]:
        """The editions, each with what it is; ``standard`` is the default."""
        return dict(self.manifest["editions"])

    @cached_property
    def fluents(self) -> frozenset[Signature]:
        """The predicates that a position consists of, also the engine's own ``next/1``."""
        found = {("next", 1)}
        for rule in self.rules:
            match = _POOL.match(rule.text)
            if match:
                found.add((match[1], _arity(match[2])))
        return frozenset(found)

    @cached_property
    def counters(self) -> Mapping[Signature, bool]:
        """The counted fluents; True where zero is stated too."""
        found = {}
        for rule in self.rules:
            for head in rule.heads:
                if head.signature in (("counted", 2), ("stated", 2)) and not rule.positive:
                    found[str(head.args[0][1]), int(head.args[1][1])] = head.name == "stated"
        return found

    @cached_property
    def units(self) -> frozenset[Signature]:
        """The fluents that stand for one piece each and come and go by gain/3 and lose/3."""
        heads = (h for r in self.rules for h in r.heads if h.signature == ("unit", 2))
        return frozenset((str(h.args[0][1]), int(h.args[1][1])) for h in heads)

    @cached_property
    def kinds(self) -> tuple[ActionKind, ...]:
        """The kinds of action that the vocabulary declares."""
        declared = [r for r in self.rules for h in r.heads if h.signature == ("action", 2)]
        return tuple(
            ActionKind(i, r.heads[0].args[0], r.heads[0].args[1], body_text(r))
            for i, r in enumerate(declared)
        )

    @cached_property
    def static(self) -> frozenset[Signature]:
        """The predicates of the rulebook that no position changes (seats among them)."""
        dynamic = set(self.fluents) - {("seat", 2)}
        dynamic |= {
            ("submitted", 2),
            ("does", 2),
            ("question", 2),
            ("made", 2),
            ("total", 2),
            ("decision", 2),
        }
        dynamic |= {("stand_in", 2), ("chosen", 3)}
        changed = True
        while changed:
            changed = False
            for rule in self.rules:
                if rule.uses & dynamic:
                    new = {h.signature for h in rule.heads} - dynamic
                    dynamic |= new
                    changed = changed or bool(new)
        heads = {h.signature for r in self.rules for h in r.heads}
        given = {("seat", 2), ("ruling", 2), ("start", 2), ("board", 1), ("number", 1)}
        return frozenset((heads | given) - dynamic)

    def doc(self, id: str) -> RuleDoc:
        """The documentation of a rule, also of the engine's own."""
        return self.docs.get(id) or ENGINE_DOCS.get(id) or RuleDoc(id, "rule", id, None, {}, "", 0)


_ENGINE: Mapping[str, tuple[str, str]] = {
    "action.unknown": ("An action is one of the game's vocabulary.", "the game knows no such action"),
    "decision.none": ("Only a role that has a decision acts.", "{R} has nothing to decide now"),
    "vocabulary": ("Every fact belongs to the game's vocabulary.", "no such fact exists in this game"),
    "count": ("A counter has one value.", "it is counted twice"),
    "limit": ("There is only so much of everything.", "there is more, or less, than there can be"),
    "seats": ("Every seat is taken by another player, clockwise from 1.", "the seats are not in order"),
}
ENGINE_DOCS: Mapping[str, RuleDoc] = {
    id: RuleDoc(id, "rule", statement, why, {}, "engine", 0) for id, (statement, why) in _ENGINE.items()
}


def body_text(rule: Rule) -> str:
    """The rule's body as text, without the final point; empty for a fact."""
    _, separator, body = rule.text.partition(" :- ")
    return body[:-1] if separator else ""


def _arity(arguments: str | None) -> int:
    """The number of arguments in the text between the brackets (of a pool's first alternative)."""
    if not arguments:
        return 0
    depth, count = 0, 1
    for c in arguments:
        if c in "([{":
            depth += 1
        elif c in ")]}":
            depth -= 1
        elif c == "," and depth == 0:
            count += 1
        elif c == ";" and depth == 0:
            break
    return count


def asp_folder() -> Path:
    """Where the rulebooks lie: inside of the installed package, or beside it in a checkout."""
    here = Path(__file__).resolve().parent
    inside = here / "asp"
    return inside if inside.is_dir() else here.parent / "asp"


def games() -> tuple[str, ...]:
    """The ids of the games that have a rulebook."""
    return tuple(sorted(p.parent.name for p in asp_folder().glob("*/game.toml")))


def parse_rules(text: str, file: str = "", blocks: Iterable[tuple[int, str | None]] = ()) -> list[Rule]:
    """Parses a logic program of ours (never a stranger's text) into rules."""
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
