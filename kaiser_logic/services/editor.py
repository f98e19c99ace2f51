"""The server for editors (Language Server Protocol): findings of `lint`, hover texts, definitions.

Texts that the user has typed but not saved replace the files of the folder. Diagnostics are sent when a file of a rulebook is
opened, changed (after a short pause) or saved. Opening a rulebook in an editor means trusting it, like loading it.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import re
import shutil
import tempfile
import tomllib
from collections import Counter, defaultdict
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path
from pygls.workspace import TextDocument

from ..errors import Finding, KaiserLogicError
from ..lang.reader import lines_of
from ..linting.findings import KINDS
from ..linting.lint import lint
from ..rules.library import asp_folder
from ..rules.rulebook import RuleDoc, read_docs
from ..version import VERSION
from .protocol import Protocol
from .streams import standard_streams

if TYPE_CHECKING:
    from pygls.server import ServerErrors

_ID: Final = re.compile(r"[A-Za-z_][\w]*(?:\.[\w]+)*")
_FILES: Final = ("*.lp", "*.toml")
_NOWHERE: Final = Path("/\0")
_OFTEN: Final = (700, 10, 10)
"""The usual thresholds of the garbage collector, instead of those of a command: each check leaves cycles."""

Texts = Mapping[Path, str]
"""The texts that the user has typed but not saved, by file."""


@dataclass(frozen=True)
class Documented:
    """A documented rule and the place of its heading.

    Attributes:
        doc: Its id, statement and sources.
        path: The file.
        line: The line of the heading, from 1.
        last: The last line of the rule.
    """

    doc: RuleDoc
    path: Path
    line: int
    last: int

    @property
    def words(self) -> str:
        """The statement and the sources, as Markdown."""
        lines = [f"**{self.doc.id}** ({self.doc.kind})", "", self.doc.default_statement]
        for variant in self.doc.variants:
            rulings = ", ".join(f"{name} is {value}" for name, value in variant.rulings)
            lines += ["", f"*where {rulings}*: {variant.statement}"]
        if self.doc.why:
            lines += ["", f"*why not*: {self.doc.why}"]
        lines += [""] * bool(self.doc.sources) + [f"- {name}: {source}" for name, source in self.doc.sources.items()]
        return "\n".join(lines)


def rulebook_of(path: Path) -> Path | None:
    """The folder of the rulebook that contains a file; None if it is in none."""
    return next((folder for folder in path.parents if (folder / "game.toml").is_file()), None)


def findings(folder: Path, typed: Texts, place: Path) -> list[Finding]:
    """The findings of `lint` in a rulebook with unsaved texts. They name the files of the folder itself.

    The rulebook is copied into the folder ``place``, always to the same path: caches keep nothing of what was there before.
    """
    unsaved = {path: text for path, text in typed.items() if path.parent == folder}
    if not unsaved:
        return list(lint(folder))
    copy = place / folder.name
    shutil.rmtree(copy, ignore_errors=True)
    copy.mkdir()
    for pattern in _FILES:
        for path in folder.glob(pattern):
            shutil.copyfile(path, copy / path.name)
    for path, text in unsaved.items():
        (copy / path.name).write_text(text, encoding="utf-8")
    return [
        replace(
            one,
            file=str(folder / Path(one.file).name),
            message=one.message.replace(str(copy), str(folder)),
        )
        for one in lint(copy)
    ]


def documented_rules(folder: Path, typed: Texts) -> dict[str, Documented]:
    """The documented rules of a rulebook and of the engine's files that it uses, by id."""
    rules: dict[str, Documented] = {}
    for path in [*sorted(folder.glob("*.lp")), *_engine_files(folder)]:
        text = typed.get(path)
        if text is None:
            try:
                text = path.read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError):
                continue
        for one in _documented_in(path, text):
            rules.setdefault(one.doc.id, one)
    return rules


@lru_cache(maxsize=64)
def _documented_in(path: Path, text: str) -> tuple[Documented, ...]:
    """The documented rules of the text of a file. They are kept, because an editor asks for them at each move of the pointer."""
    docs, blocks, _ = read_docs(text, str(path))
    rules = []
    for doc in docs:
        after = [number for number, _ in blocks if number > doc.line]
        last = min(after) - 1 if after else len(lines_of(text))
        rules.append(Documented(doc, path, doc.line, last))
    return tuple(rules)


def _engine_files(folder: Path) -> list[Path]:
    """The engine's files that a rulebook uses."""
    try:
        names = tomllib.loads((folder / "game.toml").read_text(encoding="utf-8")).get("engine", ())
    except (OSError, ValueError):
        return []
    paths = [asp_folder() / "engine" / f"{name}.lp" for name in names if isinstance(name, str)]
    return [path for path in paths if path.is_file()]


def word_at(line: str, column: int) -> str:
    """The dotted name at a column (from 0) of a line; empty if there is none.

    >>> word_at('violates(R,A,"take.enough") :- x.', 17)
    'take.enough'
    """
    return next((m[0] for m in _ID.finditer(line) if m.start() <= column <= m.end()), "")


def at(rules: Mapping[str, Documented], path: Path, number: int, line: str, column: int) -> Documented | None:
    """The rule whose id is at a place; otherwise the rule to which the line (from 1) belongs."""
    rule = rules.get(word_at(line, column))
    if rule is not None and (f'"{rule.doc.id}"' in line or line.startswith("%!") or "." in rule.doc.id):
        return rule
    return next((one for one in rules.values() if one.path == path and one.line <= number <= one.last), None)


REST: Final = 0.4
"""The pause in seconds after the last change, before a rulebook is checked."""


class Editor(LanguageServer):
    """The server. It keeps the files that are open in the editor.

    Attributes:
        options: The options that the editor has sent. The server has none, so it says that it does not read them.
    """

    protocol: Protocol

    def __init__(self) -> None:
        super().__init__("kaiser-logic", VERSION, protocol_cls=Protocol)
        self._asked: Counter[Path] = Counter()
        self._tasks: set[asyncio.Task[None]] = set()
        self._one_at_a_time = asyncio.Lock()
        self._checking = ThreadPoolExecutor(1)  # each thread would keep memory of its own
        self._copies = tempfile.TemporaryDirectory(prefix="kaiser-logic-")
        self.options: object = None
        self._marked: defaultdict[Path, set[Path]] = defaultdict(set)

    # -- files ---------------------------------------------------------------------------------------------------

    def path(self, uri: str) -> Path:
        """The file of a URI; for other URIs than those of files a path that exists nowhere."""
        with suppress(ValueError):
            return Path(to_fs_path(uri) or _NOWHERE)
        return _NOWHERE

    @property
    def typed(self) -> dict[Path, str]:
        """The texts of all files that are open."""
        return {
            path: doc.source
            for uri, doc in self.workspace.text_documents.items()
            if (path := self.path(uri)) != _NOWHERE
        }

    def rules(self, path: Path) -> dict[str, Documented]:
        """The documented rules of the rulebook that contains a file."""
        folder = rulebook_of(path)
        return {} if folder is None else documented_rules(folder, self.typed)

    def rule_at(self, uri: str, position: types.Position) -> tuple[Documented | None, str]:
        """The rule at a place, and the word there; nothing if there is no such file or no such line."""
        path = self.path(uri)
        if rulebook_of(path) is None or not (path in self.typed or path.is_file()):
            return None, ""
        doc = self._document(uri, path)
        if position.line >= len(doc.lines):
            return None, ""
        place = doc.position_codec.position_from_client_units(doc.lines, position)
        line = doc.lines[place.line].rstrip("\r\n")
        return at(self.rules(path), path, place.line + 1, line, place.character), word_at(line, place.character)

    def _document(self, uri: str, path: Path) -> TextDocument:
        """A file as it stands in the editor, or on the disk: letters that cannot be read are replaced, and a file is empty."""
        if uri in self.workspace.text_documents:
            return self.workspace.get_text_document(uri)
        text = ""
        with suppress(OSError):  # it has gone since
            text = path.read_text(encoding="utf-8", errors="replace")
        return TextDocument(uri, text, position_codec=self.workspace.position_codec)

    # -- diagnostics ---------------------------------------------------------------------------------------------

    def look(self, uri: str, rest: float = 0.0) -> None:
        """Checks the rulebook of a file after a pause of ``rest`` seconds, unless it is changed in the meantime.

        The findings of a rulebook without an open file vanish, and those of a folder that is no rulebook any more.
        """
        path = self.path(uri)
        folder = rulebook_of(path)
        for gone in [one for one in self._marked if one in path.parents and one != folder]:
            self._forget(gone)
        if folder is None:
            return
        if not any(folder == rulebook_of(one) for one in self.typed):
            self._forget(folder)
            return
        self._asked[folder] += 1
        task = asyncio.get_running_loop().create_task(self._look(folder, rest))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _forget(self, folder: Path) -> None:
        """Removes the findings of a folder."""
        self._asked[folder] += 1
        self._publish(folder, {})

    async def _look(self, folder: Path, rest: float) -> None:
        """Checks a rulebook, unless another check of it is asked for meanwhile.

        A check that has begun cannot be stopped, so the next one waits for its end.
        """
        asked = self._asked[folder]
        await asyncio.sleep(rest)
        async with self._one_at_a_time:
            if self._asked[folder] != asked:
                return
            try:
                loop, place = asyncio.get_running_loop(), Path(self._copies.name)
                problems = await loop.run_in_executor(self._checking, findings, folder, self.typed, place)
            except (KaiserLogicError, OSError, ValueError) as error:
                self.window_log_message(types.LogMessageParams(types.MessageType.Error, str(error)))
                problems = []
        if self._asked[folder] != asked:
            return
        by_file: defaultdict[Path, list[Finding]] = defaultdict(list)
        for one in problems:
            by_file[Path(one.file)].append(one)
        self._publish(folder, by_file)

    def _publish(self, folder: Path, by_file: Mapping[Path, list[Finding]]) -> None:
        """Sends the findings of a rulebook, also to files that had some before and have none now."""
        for path in sorted(self._marked[folder] | set(by_file)):
            uri = from_fs_path(str(path)) or ""
            some = by_file.get(path, [])
            marks = [_diagnostic(self._document(uri, path), one) for one in some]
            self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, marks))
        self._marked[folder] = set(by_file)

    def report_server_error(self, error: Exception, source: ServerErrors) -> None:
        """Answers a message that is no JSON; tells the user of other errors."""
        if source is JsonRpcException and isinstance(error, ValueError | RecursionError):
            reason = f"this is no JSON: {' '.join(str(error).split())[:200]}"
            self.protocol.refuse(None, types.ErrorCodes.ParseError, reason)
        else:
            super().report_server_error(error, source)

    # -- options -------------------------------------------------------------------------------------------------

    def say_unread(self, where: str, options: object) -> None:
        """Tells the user that the server reads no options, if the editor has sent some."""
        if options:
            names = ", ".join(map(repr, options)) if isinstance(options, Mapping) else repr(options)
            text = f"kaiser-logic has no options, so {names[:200]} in {where} is not read"
            self.window_show_message(types.ShowMessageParams(types.MessageType.Warning, text))


def _diagnostic(doc: TextDocument, finding: Finding) -> types.Diagnostic:
    """A finding at its place in a file, up to the end of the word there."""
    lines = doc.lines
    line = min(max(finding.line - 1, 0), max(len(lines) - 1, 0))
    text = lines[line].rstrip("\n") if lines else ""
    column = min(max(finding.column - 1, 0), len(text))
    end = column + max(len(word_at(text[column:], 0)), 1)
    places = [
        doc.position_codec.position_to_client_units(lines, types.Position(line, min(c, len(text))))
        for c in (column, end)
    ]
    kind = KINDS.get(finding.what)
    level = types.DiagnosticSeverity.Error if kind is None or kind.refuses else types.DiagnosticSeverity.Warning
    return types.Diagnostic(
        types.Range(*places), finding.message, severity=level, code=finding.what, source="kaiser-logic"
    )


def _location(rule: Documented) -> types.Location:
    start = types.Position(rule.line - 1, 0)
    return types.Location(from_fs_path(str(rule.path)) or "", types.Range(start, types.Position(rule.line, 0)))


def _follow_files(editor: Editor) -> None:
    """Adds the handlers of what happens to files."""

    @editor.feature(types.TEXT_DOCUMENT_DID_OPEN)
    async def on_open(params: types.DidOpenTextDocumentParams) -> None:
        editor.look(params.text_document.uri)

    @editor.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    async def on_change(params: types.DidChangeTextDocumentParams) -> None:
        editor.look(params.text_document.uri, REST)

    @editor.feature(types.TEXT_DOCUMENT_DID_SAVE)
    async def on_save(params: types.DidSaveTextDocumentParams) -> None:
        editor.look(params.text_document.uri)

    @editor.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    async def on_close(params: types.DidCloseTextDocumentParams) -> None:
        editor.look(params.text_document.uri)

    @editor.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def changed_on_disk(params: types.DidChangeWatchedFilesParams) -> None:
        for one in params.changes:
            editor.look(one.uri)

    @editor.feature(
        types.WORKSPACE_DID_DELETE_FILES,
        types.FileOperationRegistrationOptions(
            [types.FileOperationFilter(types.FileOperationPattern("**/*"), scheme="file")]
        ),
    )
    async def on_delete(params: types.DeleteFilesParams) -> None:
        for one in params.files:
            editor.look(one.uri)


def _read_options(editor: Editor) -> None:
    """Adds the handlers of the start and of options."""

    @editor.feature(types.INITIALIZED)
    async def on_initialize(_: types.InitializedParams) -> None:
        editor.say_unread("initializationOptions", editor.options)
        files = editor.client_capabilities.workspace
        if files is None or files.did_change_watched_files is None:
            return
        if files.did_change_watched_files.dynamic_registration:
            watched = types.DidChangeWatchedFilesRegistrationOptions(
                [types.FileSystemWatcher(f"**/{pattern}") for pattern in _FILES]
            )
            name = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
            some = types.RegistrationParams([types.Registration("files", name, watched)])
            await editor.client_register_capability_async(some)

    @editor.feature(types.INITIALIZE)
    def initialize(params: types.InitializeParams) -> None:
        editor.options = params.initialization_options

    @editor.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    def on_configure(params: types.DidChangeConfigurationParams) -> None:
        settings = params.settings if isinstance(params.settings, Mapping) else {}
        editor.say_unread("the configuration", settings.get("kaiser-logic"))


def server() -> Editor:
    """The server with all its handlers."""
    editor = Editor()
    _follow_files(editor)
    _read_options(editor)

    @editor.feature(types.TEXT_DOCUMENT_HOVER)
    def hover(params: types.HoverParams) -> types.Hover | None:
        rule, _ = editor.rule_at(params.text_document.uri, params.position)
        return None if rule is None else types.Hover(types.MarkupContent(types.MarkupKind.Markdown, rule.words))

    @editor.feature(types.TEXT_DOCUMENT_DEFINITION)
    def definition(params: types.DefinitionParams) -> types.Location | None:
        rule, word = editor.rule_at(params.text_document.uri, params.position)
        return None if rule is None or rule.doc.id != word else _location(rule)

    @editor.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def outline(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        path = editor.path(params.text_document.uri)
        return [
            types.DocumentSymbol(
                name=rule.doc.id,
                kind=types.SymbolKind.Function if rule.doc.kind == "rule" else types.SymbolKind.Property,
                range=types.Range(types.Position(rule.line - 1, 0), types.Position(rule.last, 0)),
                selection_range=_location(rule).range,
                detail=rule.doc.default_statement,
            )
            for rule in editor.rules(path).values()
            if rule.path == path
        ]

    @editor.feature(types.WORKSPACE_SYMBOL)
    def symbols(params: types.WorkspaceSymbolParams) -> list[types.WorkspaceSymbol]:
        folders = {folder for path in editor.typed if (folder := rulebook_of(path)) is not None}
        for root in editor.workspace.folders.values():
            folders |= {path.parent for path in editor.path(root.uri).rglob("game.toml")}
        return [
            types.WorkspaceSymbol(_location(rule), rule.doc.id, types.SymbolKind.Function, container_name=folder.name)
            for folder in sorted(folders)
            for rule in documented_rules(folder, editor.typed).values()
            if params.query.lower() in rule.doc.id.lower()
        ]

    return editor


def run() -> int:
    """Answers requests on the standard streams until they are closed. Returns the exit code."""
    if not os.environ.get("KAISER_LOGIC_DEBUG"):
        logging.getLogger("pygls").setLevel(logging.CRITICAL)  # its answers say what was wrong
    gc.set_threshold(*_OFTEN)
    serving = server()
    with standard_streams() as streams:
        serving.start_io(*streams)
    return serving.protocol.code
