"""Loads rulebooks from their folders: the manifest, the rules with their places, the documentation lines.

The loader refuses a rulebook that breaks the contract (:mod:`.contract`), and reports all its mistakes at once.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from ..cache import Store, key_of
from ..errors import FaultyRulebook, Finding, WrongUsage
from ..function_caches import cache_until_change
from .fresh import rename_variables, renamed_doc
from .library import asp_folder, folder_of, game_named, games, look_at, texts_of
from .places import toml_error
from .reader import (
    PACKED,
    cache_rules,
    cached_rules,
    parse_rules,
    rule_store,
    rules_and_findings,
    unpack_rules,
)
from .rule import PlacedRule, Role
from .rulebook import Rulebook, RuleDoc, Ruling, means, read_docs

__all__ = ["asp_folder", "game_named", "games", "parse_rules", "read_rulebook", "rulebook"]

_ALWAYS: Final = frozenset({"legal", "judge", "change", "position", "open_sets"})
"""The engine's files that a manifest cannot name: every game has them, or only the tool uses them."""
_SOUND: Final = "sound"
"""The entry of the store that says that the rulebook keeps the contract."""


@cache_until_change(16)
def _rulebook(folder: Path, thorough: bool) -> Rulebook:
    return read_rulebook(folder, thorough=thorough)


def rulebook(game_id: str | Path) -> Rulebook:
    """Loads the rulebook of a game, or the one in a folder.

    A folder is trusted like a program: never take one from a stranger, nor from a record's tag.

    Raises:
        WrongUsage: There is no such rulebook.
        FaultyRulebook: The rulebook breaks the contract.
    """
    if isinstance(game_id, Path):
        if not (game_id / "game.toml").is_file():
            raise WrongUsage(f"{game_id} is not a rulebook: it has no game.toml")
        absolute = game_id.absolute()
        look_at(absolute)
        try:
            return _rulebook(absolute, True)
        except FaultyRulebook as error:
            shown = (replace(f, file=f.file.replace(str(absolute), str(game_id), 1)) for f in error.findings)
            raise FaultyRulebook(shown) from None
    folder = folder_of(game_id)
    shipped = folder.parent == asp_folder()
    if not shipped:
        look_at(folder)
    book = _rulebook(folder, not shipped)
    if book.id != game_id:
        message = f"the game's id is '{book.id}': its folder must have the same name to be found"
        raise FaultyRulebook([Finding(str(folder / "game.toml"), 1, 1, "manifest", message)])
    return book


_ROLES: Final = {"judge": Role.JUDGE, "change": Role.CHANGE, "position": Role.POSITION}
"""The roles of rules in files of the engine."""


# -- the engine's files -------------------------------------------------------------------------------------------


def shared_files() -> tuple[str, ...]:
    """The engine's files that a manifest can name."""
    return tuple(name for name in _engine_files() if name not in _ALWAYS)


@cache_until_change(16)
def engine_rules(name: str) -> tuple[PlacedRule, ...]:
    """The rules of one of the engine's files."""
    text, file = _engine_text(name), f"engine/{name}.lp"
    rules = cached_rules(_engine_store(), file, lambda: parse_rules(text, file, read_docs(text, file)[1]))
    return tuple(replace(rule, role=_ROLES.get(name, Role.ENGINE)) for rule in rules)


@cache_until_change(1)
def _engine_store() -> Store | None:
    """The store of the rules of the engine's files."""
    return rule_store(*map(_engine_text, _engine_files()))


def _engine_files() -> list[str]:
    return sorted(p.stem for p in (asp_folder() / "engine").glob("*.lp"))


@cache_until_change(16)
def engine_docs(name: str) -> tuple[RuleDoc, ...]:
    """The documented rules of one of the engine's files."""
    return tuple(read_docs(_engine_text(name), f"engine/{name}.lp")[0])


def _engine_text(name: str) -> str:
    return (asp_folder() / "engine" / f"{name}.lp").read_text(encoding="utf-8")


# -- rulebooks ---------------------------------------------------------------------------------------------------


def read_rulebook(folder: Path, *, thorough: bool = True) -> Rulebook:
    """Reads a rulebook from its folder.

    Args:
        folder: The folder of its files.
        thorough: Whether the drawing, the claims and the phrases are checked, too.

    Raises:
        FaultyRulebook: The rulebook breaks the contract.
    """
    store = None if thorough else rule_store(*_texts(folder))
    sound = store is not None and store.get(_SOUND, bool) is True
    book, findings = read_parts(folder, store if sound else None)
    if book is not None and not findings and not sound:
        from .contract import faults
        from .contract.survey import Survey

        findings = faults(Survey(book))
        if thorough and not findings:
            findings = further_faults(book)
            from .names import known_names
            from .phrases import phrases

            phrases(folder)
            known_names(folder)
    if findings or book is None:
        raise FaultyRulebook(sorted(findings))
    if store is not None and not sound:
        cache_rules(store, book.rules)
        store.store(_SOUND, True)
    return with_plain_variables(book)


def with_plain_variables(book: Rulebook) -> Rulebook:
    """A rulebook without variables that could be the tool's (:mod:`.fresh`)."""
    rules = tuple(map(rename_variables, book.rules))
    docs = {id: renamed_doc(doc) for id, doc in book.docs.items()}
    return replace(book, rules=rules, docs=docs)


def _texts(folder: Path) -> Iterator[str]:
    """Yields all texts on which a rulebook depends, each file's name before its text: the key of its store."""
    for path in sorted([folder / "game.toml", *folder.glob("*.lp")]):
        text, findings = _text(path)
        yield path.name
        yield text if not findings else "unreadable"
    yield from shared_files()


def read_parts(folder: Path, store: Store | None = None) -> tuple[Rulebook | None, list[Finding]]:
    """Reads a rulebook as far as possible.

    Args:
        folder: The folder of its files.
        store: The store with the rules of its files, if these are known to keep the contract.

    Returns:
        The rulebook, None if the manifest cannot be read; and findings about the files that cannot be read.
    """
    path = folder / "game.toml"
    text, findings = _text(path)
    try:
        manifest = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        findings.append(toml_error(path, error))
    if findings:
        return None, findings
    if store is None:
        from .contract.manifest import Manifest

        findings += Manifest(path, text, manifest, shared_files()).findings()
    if findings:
        return None, findings
    rules: list[PlacedRule] = []
    docs: dict[str, RuleDoc] = {}
    for name in manifest["files"]:
        findings += _add_file(folder, name, rules, docs, store)
    for name in manifest.get("engine", ()):
        rules += engine_rules(name)
        for doc in engine_docs(name):
            docs.setdefault(doc.id, doc)
    rulings = {
        name: Ruling(name, r["about"], means(r["values"]), {e: r[e] for e in manifest["editions"]}, r.get("source", {}))
        for name, r in manifest.get("rulings", {}).items()
    }
    contents = key_of(*(part for pair in texts_of(folder) for part in pair))
    return Rulebook(manifest["id"], folder, manifest, tuple(rules), docs, rulings, contents), findings


def label(folder: Path, name: str) -> str:
    """The label of a file of a rulebook; it differs from the labels of the engine's files, whatever the folder is called.

    >>> label(Path("games/heap"), "play"), label(Path("games/engine"), "change")
    ('heap/play.lp', './engine/change.lp')
    """
    return f"{'./' if folder.name.startswith(('engine', 'generated')) else ''}{folder.name}/{name}.lp"


def _add_file(
    folder: Path, name: str, rules: list[PlacedRule], docs: dict[str, RuleDoc], store: Store | None = None
) -> Iterator[Finding]:
    """Adds the rules and headings of a file, and yields findings about their form."""
    path, file = folder / f"{name}.lp", label(folder, name)
    text, findings = _text(path)
    docs_read, blocks, wrong = read_docs(text, file)
    for line in wrong:
        message = "this documentation line cannot be read: %! KIND ID -- STATEMENT, then %!, three blanks, a name"
        findings.append(Finding(str(path), line, 1, "documentation", message))
    for doc in docs_read:
        if doc.id in docs:
            first = f"{docs[doc.id].file}:{docs[doc.id].line}"
            message = f"{doc.kind} {doc.id} is documented twice: also at {first}"
            findings.append(Finding(str(path), doc.line, 1, "twice", message))
        docs[doc.id] = doc
    if store is not None:
        docs_read = store.get(file, PACKED)
        if docs_read is not None:
            rules += unpack_rules(docs_read, file)
            return
    added, problems = rules_and_findings(text, file, str(path), blocks)
    rules += added
    yield from (*findings, *problems)


def drawing_rules(book: Rulebook) -> list[PlacedRule]:
    """The rules of a rulebook's drawing, if it has one; FaultyRulebook if they cannot be read."""
    name = book.manifest.get("drawing")
    return [] if name is None else _read_besides(book, [name])


def picture_rules(book: Rulebook) -> list[PlacedRule]:
    """The rules of a rulebook's picture, if it has one; FaultyRulebook if they cannot be read."""
    return _read_besides(book, book.manifest.get("picture", ()))


def _read_besides(book: Rulebook, names: Iterable[str]) -> list[PlacedRule]:
    """The rules of programs of the folder that are read on top of the rulebook."""
    rules: list[PlacedRule] = []
    faulty: list[Finding] = []
    for name in names:
        path = book.folder / f"{name}.lp"
        text, findings = _text(path)
        added, problems = rules_and_findings(text, label(book.folder, name), str(path), ())
        rules += added
        faulty += [*findings, *problems]
    if faulty:
        raise FaultyRulebook(faulty)
    return list(map(rename_variables, rules))


def claims_of(book: Rulebook) -> tuple[list[PlacedRule], dict[str, RuleDoc]]:
    """The rules and headings of a rulebook's claims; FaultyRulebook if they cannot be read."""
    rules: list[PlacedRule] = []
    docs = dict(book.docs)
    findings = [f for name in book.manifest.get("claims", ()) for f in _add_file(book.folder, name, rules, docs)]
    if findings:
        raise FaultyRulebook(findings)
    own = {id: renamed_doc(doc) for id, doc in docs.items() if id not in book.docs}
    return list(map(rename_variables, rules)), own


def further_faults(book: Rulebook) -> list[Finding]:
    """The mistakes in a rulebook's drawing, picture and claims."""
    try:
        drawing = [*drawing_rules(book), *picture_rules(book)]
        claims, docs = claims_of(book)
    except FaultyRulebook as error:
        return list(error.findings)
    if not drawing and not claims and not docs:
        return []
    from .contract import faults
    from .contract.survey import Survey

    survey = Survey(book, drawing, claims, docs)
    return faults(survey)


def _text(path: Path) -> tuple[str, list[Finding]]:
    """The text of a file, and a finding if it cannot be read."""
    try:
        return path.read_text(encoding="utf-8"), []
    except UnicodeDecodeError as error:
        line = path.read_bytes()[: error.start].count(b"\n") + 1
        return "", [Finding(str(path), line, 1, "syntax", "this is not UTF-8")]
    except OSError as error:
        return "", [Finding(str(path), 0, 0, "file", f"cannot be read: {error.strerror}")]
