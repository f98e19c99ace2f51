"""The server for editors (LSP), called by a real client over standard streams."""

from __future__ import annotations

import asyncio
import json
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
from support.raw_editor import RawEditor

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
def test_one_rulebook_is_checked_at_a_time(tmp_path: Path) -> None:
    """Two rulebooks of one name are copied to the same place to be checked, so one check waits for the other."""
    wrong = {"a": "haep", "b": "heep"}
    files = {}
    for name, word in wrong.items():
        (tmp_path / name).mkdir()
        files[name] = variant(tmp_path / name, {"init(heap(12)).": f"init({word}(12))."}) / "play.lp"

    async def ask(client: Client) -> None:
        for _ in range(3):
            uris = {await client.open(file): wrong[name] for name, file in files.items()}
            for _ in uris:
                found = await client.diagnostics.get()
                (finding,) = found.diagnostics
                assert f"'{uris[found.uri]}'" in finding.message

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
def test_findings_vanish_with_their_files(tmp_path: Path) -> None:
    folder = variant(tmp_path, {})
    play, book = folder / "play.lp", folder / "vocabulary.lp"
    wrong = play.read_text(encoding="utf-8").replace(*next(iter(TYPO.items())))

    async def ask(client: Client) -> None:
        async def found() -> list[tuple[str, int]]:
            one = await client.diagnostics.get()
            return [(Path(one.uri).name, len(one.diagnostics))]

        def opened(path: Path, text: str) -> None:
            item = types.TextDocumentItem(path.as_uri(), "clingo", 1, text)
            client.text_document_did_open(types.DidOpenTextDocumentParams(item))

        def closed(path: Path) -> None:
            one = types.TextDocumentIdentifier(path.as_uri())
            client.text_document_did_close(types.DidCloseTextDocumentParams(one))

        opened(play, wrong)
        assert await found() == [("play.lp", 1)]
        closed(play)
        assert await found() == [("play.lp", 0)], "no file of the rulebook is open"
        opened(book, book.read_text(encoding="utf-8"))
        opened(play, wrong)
        assert await found() == [("play.lp", 1)]
        closed(play)
        assert await found() == [("play.lp", 0)], "the file on the disk has no mistake"
        opened(play, wrong)
        assert await found() == [("play.lp", 1)]
        (folder / "game.toml").unlink()
        event = types.FileEvent((folder / "game.toml").as_uri(), types.FileChangeType.Deleted)
        client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
        assert await found() == [("play.lp", 0)], "the folder is no rulebook any more"

    talk(tmp_path, ask)


@pytest.mark.slow
def test_every_request_is_answered(tmp_path: Path) -> None:
    play = variant(tmp_path, {}) / "play.lp"
    server = RawEditor(tmp_path)
    hello = {"processId": None, "rootUri": tmp_path.as_uri(), "capabilities": {}}
    server.send({"id": 0, "method": "workspace/symbol", "params": {"query": ""}})
    assert server.get()["error"]["message"] == "the editor has not sent initialize"
    server.send({"id": 1, "method": "initialize", "params": {**hello, "initializationOptions": {"rules": 1}}})
    assert "result" in server.get()
    server.send({"method": "initialized", "params": {}})
    assert server.get()["params"]["message"] == (
        "kaiser-logic has no options, so 'rules' in initializationOptions is not read"
    )

    def at(uri: object, line: object, character: object = 0) -> dict[str, Any]:
        return {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}

    uri = play.as_uri()
    for number, (params, reason) in enumerate(
        [
            (at(uri, 99_999), None), (at(uri, 0, 99_999), None), (at("http://x/y", 0), None), (at("untitled:1", 0), None),
            (at("http://[x", 0), None), (at("file:///nosuch/play.lp", 0), None), (at(tmp_path.as_uri(), 0), None),
            (at("file:///a%00b", 0), None), (at(uri, -1), "params.position.line must be a whole number"),
            (at(uri, 1.5), "must be a whole number"), (at(uri, 10**30), "must be a whole number"),
            (at(5, 0), "params.textDocument.uri must be a text"), ({}, "required field missing"), ([], "invalid"),
        ],
        10,
    ):  # fmt: skip
        for method in ("textDocument/hover", "textDocument/definition"):
            server.send({"id": f"{method} {number}", "method": method, "params": params})
            answer = server.get()
            assert answer["id"] == f"{method} {number}"
            assert answer.get("result") is None
            assert (reason is None) == ("error" not in answer), params
            assert reason is None or reason in answer["error"]["message"]
    server.send({"method": "textDocument/didClose", "params": {"textDocument": {"uri": uri}}})
    assert server.get()["params"]["message"] == "textDocument/didClose: this file is not open"
    for id in ([], None, {"x": 1}, 1.5):
        server.send({"method": "$/cancelRequest", "params": {"id": id}})
        assert server.get()["params"]["message"] == "$/cancelRequest: an id is a text or a whole number"
    for data, code in (
        (b"nonsense", -32700), (b"\xff\xff", -32700), (b"[" * 100_000, -32700),
        (b"[]", -32600), (b'{"jsonrpc":"2.0","id":5}', -32600),
        (b'{"id":5,"method":"shutdown"}', -32600), (b'{"jsonrpc":"2.0","id":5,"method":"no/such"}', -32601),
    ):  # fmt: skip
        server.send(data)
        assert server.get()["error"]["code"] == code, data
    server.send({"id": 3, "method": "shutdown"})
    assert server.get()["result"] is None
    server.send({"id": 4, "method": "textDocument/hover", "params": at(uri, 0)})
    assert server.get()["error"]["message"] == "the server is shutting down"
    server.send({"method": "exit"})
    assert server.end() == (0, b"")


@pytest.mark.slow
def test_the_exit_code_says_whether_the_editor_has_asked_for_the_end(tmp_path: Path) -> None:
    server = RawEditor(tmp_path)
    server.send({"method": "exit"})
    assert server.end() == (1, b"")
    assert RawEditor(tmp_path).end() == (0, b""), "the input has ended"


@pytest.mark.slow
@pytest.mark.parametrize("command", ["language-server", "mcp"])
def test_a_closed_output_ends_a_server_without_a_message(tmp_path: Path, command: str) -> None:
    pytest.importorskip("mcp", reason="the extra [mcp] is not installed")
    process = RawEditor(tmp_path, command).process
    assert process.stdin is not None and process.stdout is not None and process.stderr is not None
    process.stdout.close()
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
    params = {**hello, "processId": None, "rootUri": None}
    data = json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}).encode()
    framed = data + b"\n" if command == "mcp" else b"Content-Length: %d\r\n\r\n%b" % (len(data), data)
    process.stdin.write(framed)
    process.stdin.close()  # a server that waits for the next message notices the end only then
    assert (process.wait(), process.stderr.read()) == (141, b"")
    process.stderr.close()
