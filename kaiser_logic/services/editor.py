"""The server for editors (Language Server Protocol): findings of `lint`, hover texts, definitions.

Diagnostics are sent when a file of a rulebook is opened, changed (after a short pause) or saved. Opening a rulebook in an
editor means trusting it, like loading it.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from pathlib import Path
from typing import Final

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path
from pygls.workspace import TextDocument

from .. import __version__
from ..errors import Finding, KaiserLogicError
from ..linting.findings import KINDS
from .rulebooks import Documented, at, documented, findings, rulebook_of, word_at

REST: Final = 0.4
"""The pause in seconds after a key, before a changed rulebook is checked."""


class Editor(LanguageServer):
    """The server, with the files that are open in the editor."""

    def __init__(self) -> None:
        super().__init__("kaiser-logic", __version__)
        self._waiting: dict[Path, asyncio.Task[None]] = {}
        self._marked: defaultdict[Path, set[Path]] = defaultdict(set)

    # -- files ---------------------------------------------------------------------------------------------------

    def path(self, uri: str) -> Path:
        """The file of a URI."""
        return Path(to_fs_path(uri) or "")

    @property
    def typed(self) -> dict[Path, str]:
        """The texts of all files that are open."""
        return {self.path(uri): doc.source for uri, doc in self.workspace.text_documents.items()}

    def rules(self, path: Path) -> dict[str, Documented]:
        """The documented rules of the rulebook that contains a file."""
        folder = rulebook_of(path)
        return {} if folder is None else documented(folder, self.typed)

    def pointed(self, uri: str, position: types.Position) -> tuple[Documented | None, str]:
        """The rule at a place, and the word there."""
        doc, path = self.workspace.get_text_document(uri), self.path(uri)
        place = doc.position_codec.position_from_client_units(doc.lines, position)
        line = doc.lines[place.line].rstrip("\n") if place.line < len(doc.lines) else ""
        return at(self.rules(path), path, place.line + 1, line, place.character), word_at(
            line, place.character
        )

    # -- diagnostics ---------------------------------------------------------------------------------------------

    def look(self, uri: str, rest: float = 0.0) -> None:
        """Checks the rulebook of a file after a pause, unless a key is pressed meanwhile."""
        folder = rulebook_of(self.path(uri))
        if folder is None:
            return
        before = self._waiting.pop(folder, None)
        if before is not None:
            before.cancel()
        self._waiting[folder] = asyncio.get_running_loop().create_task(self._look(folder, rest))

    async def _look(self, folder: Path, rest: float) -> None:
        await asyncio.sleep(rest)
        typed = self.typed
        try:
            found = await asyncio.to_thread(findings, folder, typed)
        except (KaiserLogicError, OSError) as error:
            self.window_log_message(types.LogMessageParams(types.MessageType.Error, str(error)))
            return
        by_file: defaultdict[Path, list[Finding]] = defaultdict(list)
        for one in found:
            by_file[Path(one.file)].append(one)
        for path in self._marked[folder] | set(by_file):
            uri = from_fs_path(str(path)) or ""
            doc = self.workspace.get_text_document(uri)
            marks = [_diagnostic(doc, one) for one in by_file.get(path, ())]
            self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, marks))
        self._marked[folder] = set(by_file)


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
    level = (
        types.DiagnosticSeverity.Error if kind is None or kind.refuses else types.DiagnosticSeverity.Warning
    )
    return types.Diagnostic(
        types.Range(*places), finding.message, severity=level, code=finding.what, source="kaiser-logic"
    )


def _location(rule: Documented) -> types.Location:
    start = types.Position(rule.line - 1, 0)
    return types.Location(
        from_fs_path(str(rule.path)) or "", types.Range(start, types.Position(rule.line, 0))
    )


def server() -> Editor:
    """The server with all its handlers."""
    editor = Editor()

    @editor.feature(types.TEXT_DOCUMENT_DID_OPEN)
    async def opened(params: types.DidOpenTextDocumentParams) -> None:
        editor.look(params.text_document.uri)

    @editor.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(params: types.DidChangeTextDocumentParams) -> None:
        editor.look(params.text_document.uri, REST)

    @editor.feature(types.TEXT_DOCUMENT_DID_SAVE)
    async def saved(params: types.DidSaveTextDocumentParams) -> None:
        editor.look(params.text_document.uri)

    @editor.feature(types.TEXT_DOCUMENT_HOVER)
    def hover(params: types.HoverParams) -> types.Hover | None:
        rule, _ = editor.pointed(params.text_document.uri, params.position)
        return (
            None if rule is None else types.Hover(types.MarkupContent(types.MarkupKind.Markdown, rule.words))
        )

    @editor.feature(types.TEXT_DOCUMENT_DEFINITION)
    def definition(params: types.DefinitionParams) -> types.Location | None:
        rule, word = editor.pointed(params.text_document.uri, params.position)
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
                detail=rule.doc.statement,
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
            types.WorkspaceSymbol(
                _location(rule), rule.doc.id, types.SymbolKind.Function, container_name=folder.name
            )
            for folder in sorted(folders)
            for rule in documented(folder, editor.typed).values()
            if params.query.lower() in rule.doc.id.lower()
        ]

    return editor


def run() -> None:
    """Answers requests on the standard streams until they are closed."""
    server().start_io()
