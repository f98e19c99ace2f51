"""The server for editors (LSP), as a process: the sessions of `editor.cases`.

    change FILE OLD  =>  NEW   a line of the rulebook that is another one, before the session
    start                      the session begins
    > METHOD PARAMS            a notification
    < PATTERN                  the next message of the server has these parameters (`support.patterns`)
    ? METHOD PARAMS  =>  PATTERN   a request, and its result or its error
    raw TEXT  =>  CODE         a message that is none, and the code of the error; MANY stands for many brackets
    unlink, stray NAME; end CODE   a file goes; one comes that is no text; the exit code, without an error

{FILE} and {folder} are addresses. {document FILE} is an opened file, perhaps with OLD NEW in place of a text. "at" and "more"
are the place of a text in play.lp, and {position TEXT} is it, too.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygls", reason="the extra [lsp] is not installed")

from support.heap_game import variant
from support.patterns import fits
from support.raw_editor import RawEditor
from support.tables import plain

pytestmark = pytest.mark.slow
SESSIONS = {
    part.partition("\n")[0]: [line for line in part.split("\n")[1:] if line and not line.startswith("% ")]
    for part in Path(__file__).with_name("editor.cases").read_text(encoding="utf-8").split("\n= ")[1:]
}


class Session:
    """A server, and the rulebook that its editor has open."""

    def __init__(self, folder: Path, changes: dict[str, str]) -> None:
        self.folder = variant(folder, changes)
        self.server, self.number = RawEditor(folder), 0

    def place(self, text: str, more: int = 0) -> dict[str, int]:
        """The position of a text in play.lp."""
        lines = (self.folder / "play.lp").read_text(encoding="utf-8").splitlines()
        number, line = next((n, line) for n, line in enumerate(lines) if text in line)
        return {"line": number, "character": line.index(text) + more}

    def opened(self, name: str, old: str = "", new: str = "") -> str:
        """The parameters with which a file is opened."""
        path = self.folder / f"{name}.lp"
        text = path.read_text(encoding="utf-8").replace(old or "\0", new)
        item = {"uri": path.as_uri(), "languageId": "clingo", "version": 1, "text": text}
        return json.dumps({"textDocument": item})

    def value(self, text: str) -> Any:
        """JSON of the table, with the addresses and places that it names."""
        text = re.sub(r"\{document (.*?)\}$", lambda m: self.opened(*m[1].split(" ")), text)
        text = re.sub(r"\{position (.*?)\}", lambda m: json.dumps(self.place(m[1])), text)
        for name in ("play", "vocabulary"):
            text = text.replace(f"{{{name}}}", (self.folder / f"{name}.lp").as_uri())
        found = json.loads(text.replace("{folder}", self.folder.as_uri()))
        if isinstance(found, dict) and "at" in found:
            there = {"uri": (self.folder / "play.lp").as_uri()}
            return {"textDocument": there, "position": self.place(found["at"], found.get("more", 0))}
        return found

    def step(self, line: str) -> None:
        sign, _, rest = line.partition(" ")
        rest, _, expected = rest.partition("  =>  ")
        method, _, params = rest.partition(" ")
        self.number += 1
        match sign:
            case "start":
                self.server.start(self.folder)
            case ">":
                self.server.send({"method": method, "params": self.value(params)})
            case "<":
                assert fits(self.value(rest), found := self.server.get()["params"]), found
            case "?":
                self.server.send({"id": self.number, "method": method, "params": self.value(params)})
                answer = self.server.get()
                assert answer["id"] == self.number
                found = answer.get("error", answer.get("result"))
                assert fits(self.value(expected), found), found
            case "raw":
                self.server.send(b"[" * 100_000 if rest == "MANY" else plain(rest).encode("latin-1"))
                assert self.server.get()["error"]["code"] == int(expected)
            case "unlink":
                (self.folder / rest).unlink()
            case "stray":
                (self.folder / rest).write_bytes(b"\xff\xfe")
            case "end":
                assert self.server.end() == (int(rest), b"")
            case _:
                raise ValueError(line)


@pytest.mark.parametrize("name", SESSIONS)
def test_a_session_goes_as_written(name, tmp_path):
    lines = SESSIONS[name]
    changes = [line.split(" ", 2)[2].split("  =>  ") for line in lines if line.startswith("change ")]
    session = Session(tmp_path, {old: new for old, new in changes})
    for line in lines[len(changes) :]:
        session.step(line)
    if session.server.process.poll() is None:
        session.server.process.kill()
        session.server.end()


def test_one_rulebook_is_checked_at_a_time(tmp_path):
    """Two rulebooks of one name are copied to the same place to be checked, so one check waits for the other."""
    server, words = RawEditor(tmp_path), {}
    server.start(tmp_path)
    for name, word in (("a", "haep"), ("b", "heep")):
        (tmp_path / name).mkdir()
        file = variant(tmp_path / name, {"init(heap(12)).": f"init({word}(12))."}) / "play.lp"
        words[file.as_uri()] = (word, file.read_text(encoding="utf-8"))
    for _ in range(3):
        for uri, (_, text) in words.items():
            item = {"uri": uri, "languageId": "clingo", "version": 1, "text": text}
            server.send({"method": "textDocument/didOpen", "params": {"textDocument": item}})
        for _ in words:
            found = server.get()["params"]
            assert f"'{words[found['uri']][0]}'" in found["diagnostics"][0]["message"]
    server.send({"method": "exit"})
    assert server.end() == (1, b"")


def test_the_exit_code_says_whether_the_editor_has_asked_for_the_end(tmp_path):
    server = RawEditor(tmp_path)
    server.send({"method": "exit"})
    assert server.end() == (1, b"")
    assert RawEditor(tmp_path).end() == (0, b""), "the input has ended"


@pytest.mark.parametrize("command", ["language-server", "mcp"])
def test_a_closed_output_ends_a_server_without_a_message(tmp_path, command):
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
