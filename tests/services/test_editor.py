"""The server for editors (LSP), called by a real client over standard streams."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygls", reason="the extra [lsp] is not installed")

from lsprotocol import types
from pygls.lsp.client import LanguageClient
from support.heap_game import variant

ROOT = Path(__file__).parents[2]
TYPO = {"init(heap(12)).": "init(haep(12))."}


class Client(LanguageClient):
    """An editor that stores the diagnostics it receives."""

    def __init__(self) -> None:
        super().__init__("tests", "1")
        self.diagnostics: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()

        @self.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def marked(params: types.PublishDiagnosticsParams) -> None:
            self.diagnostics.put_nowait(params)

    async def open(self, path: Path) -> str:
        """Opens a file and returns its URI."""
        uri = path.as_uri()
        item = types.TextDocumentItem(uri, "clingo", 1, path.read_text(encoding="utf-8"))
        self.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return uri

    def place(
        self, path: Path, text: str, more: int = 0
    ) -> tuple[types.TextDocumentIdentifier, types.Position]:
        """The first position of a text in a file, moved by ``more`` columns."""
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
            if text in line:
                return types.TextDocumentIdentifier(path.as_uri()), types.Position(
                    number, line.index(text) + more
                )
        raise AssertionError(text)


def talk(folder: Path, ask: Callable[[Client], Awaitable[Any]]) -> Any:
    """The result of ``ask`` with a client of a new server in a folder with rulebooks."""

    async def main() -> Any:
        client = Client()
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        await client.start_io(
            sys.executable, "-m", "kaiser_logic", "language-server", cwd=folder, env=environment
        )
        root = [types.WorkspaceFolder(folder.as_uri(), "games")]
        await client.initialize_async(
            types.InitializeParams(
                types.ClientCapabilities(), root_uri=folder.as_uri(), workspace_folders=root
            )
        )
        client.initialized(types.InitializedParams())
        try:
            return await ask(client)
        finally:
            await client.shutdown_async(None)
            client.exit(None)
            await client.stop()

    return asyncio.run(main())


@pytest.mark.slow
def test_diagnostics_follow_edits(tmp_path: Path) -> None:
    play = variant(tmp_path, TYPO) / "play.lp"

    async def ask(client: Client) -> None:
        uri = await client.open(play)
        found = await client.diagnostics.get()
        assert found.uri == uri
        (finding,) = found.diagnostics
        assert finding.message == "there is no fluent 'haep'; did you mean 'heap'?"
        assert (finding.code, finding.source, finding.severity) == (
            "fluent",
            "kaiser-logic",
            types.DiagnosticSeverity.Error,
        )
        assert finding.range == types.Range(types.Position(2, 5), types.Position(2, 9))

        change = types.TextDocumentContentChangePartial(finding.range, "heap")
        version = types.VersionedTextDocumentIdentifier(2, uri)
        client.text_document_did_change(types.DidChangeTextDocumentParams(version, [change]))
        assert not (await client.diagnostics.get()).diagnostics, "edits count before they are saved"
        assert "haep" in play.read_text(encoding="utf-8")

        back = types.TextDocumentContentChangePartial(finding.range, "haep")
        version = types.VersionedTextDocumentIdentifier(3, uri)
        client.text_document_did_change(types.DidChangeTextDocumentParams(version, [back]))
        assert len((await client.diagnostics.get()).diagnostics) == 1
        client.text_document_did_save(types.DidSaveTextDocumentParams(types.TextDocumentIdentifier(uri)))
        assert len((await client.diagnostics.get()).diagnostics) == 1

    talk(tmp_path, ask)


@pytest.mark.slow
def test_hover_definition_and_symbols_of_rules(tmp_path: Path) -> None:
    play = variant(tmp_path, {}) / "play.lp"

    async def ask(client: Client) -> None:
        await client.open(play)
        named = client.place(play, '"take.enough"', 3)
        hover = await client.text_document_hover_async(types.HoverParams(*named))
        assert hover is not None
        assert isinstance(hover.contents, types.MarkupContent)
        assert hover.contents.value == (
            "**take.enough** (rule)\n\nNobody takes more than the heap holds.\n\n"
            "*why not*: the heap holds only {N}\n\n- standard: The course of the game"
        )
        inside = client.place(play, "holds_at_least(1..N)", 2)
        hover = await client.text_document_hover_async(types.HoverParams(*inside))
        assert hover is not None and "**take.enough**" in str(hover.contents), "the line belongs to this rule"
        assert (
            await client.text_document_hover_async(types.HoverParams(*client.place(play, "init(heap")))
            is None
        )

        place = await client.text_document_definition_async(types.DefinitionParams(*named))
        assert isinstance(place, types.Location)
        heading = client.place(play, "%! rule take.enough")[1]
        assert (place.uri, place.range.start) == (play.as_uri(), heading)
        assert await client.text_document_definition_async(types.DefinitionParams(*inside)) is None

        outline = await client.text_document_document_symbol_async(types.DocumentSymbolParams(named[0]))
        assert [one.name for one in outline or ()] == ["take", "take.enough", "pass_on", "ending"]
        found = await client.workspace_symbol_async(types.WorkspaceSymbolParams("stones"))
        assert [one.name for one in found or ()] == ["supply.stones"], (
            "the rule is in a file that is not open"
        )

    talk(tmp_path, ask)


@pytest.mark.slow
def test_files_outside_rulebooks_are_ignored(tmp_path: Path) -> None:
    (tmp_path / "x.lp").write_text("a :- b.\n", encoding="utf-8")

    async def ask(client: Client) -> None:
        await client.open(tmp_path / "x.lp")
        place = types.TextDocumentIdentifier((tmp_path / "x.lp").as_uri()), types.Position(0, 0)
        assert await client.text_document_hover_async(types.HoverParams(*place)) is None
        assert client.diagnostics.empty()

    talk(tmp_path, ask)
