"""The language server as a process that is asked with raw messages."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from support import ROOT


class RawEditor:
    def __init__(self, folder: Path, command: str = "language-server") -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "kaiser_logic", command],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def send(self, data: bytes | dict[str, Any]) -> None:
        if isinstance(data, dict):
            data = json.dumps({"jsonrpc": "2.0", **data}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(data), data))
        self.process.stdin.flush()

    def get(self) -> Any:
        assert self.process.stdout is not None
        size = 0
        while (line := self.process.stdout.readline()) != b"\r\n":
            assert line, "the server has ended"
            name, _, value = line.partition(b":")
            size = int(value) if name == b"Content-Length" else size
        return json.loads(self.process.stdout.read(size))

    def start(self, folder: Path) -> None:
        folders = [{"uri": folder.as_uri(), "name": "games"}]
        hello = {"processId": None, "rootUri": folder.as_uri(), "workspaceFolders": folders, "capabilities": {}}
        self.send({"id": "start", "method": "initialize", "params": hello})
        assert "result" in self.get()
        self.send({"method": "initialized", "params": {}})

    def answer(self, message: dict[str, Any]) -> tuple[Any, list[Any]]:
        """The answer to a request, and the messages before it, which are none of answers."""
        self.send(message)
        before = []
        while (got := self.get()).get("id") != message["id"]:
            before.append(got)
        return got, before

    def end(self) -> tuple[int, bytes]:
        _, text = self.process.communicate()
        return self.process.returncode, text
