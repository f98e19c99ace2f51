"""The explorer for tests: calls of its application without a network, and the server as a process."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import pytest

from support import ROOT

needs_server = pytest.mark.skipif(
    find_spec("starlette") is None or find_spec("uvicorn") is None, reason="the extra web is not installed"
)


@dataclass(frozen=True)
class Reply:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


async def call(app: Any, method: str, path: str, headers: dict[str, str], body: bytes = b"") -> Reply:
    given = {"host": "127.0.0.1:1", **headers}
    path, _, query = path.partition("?")
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "path": path,
        "raw_path": path.encode(), "root_path": "", "scheme": "http", "query_string": query.encode(), "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 1), "headers": [(k.encode(), v.encode("latin-1")) for k, v in given.items()],
    }  # fmt: skip
    sent: list[dict[str, Any]] = []
    pending = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> dict[str, Any]:
        if pending:
            return pending.pop()
        await asyncio.Event().wait()  # the client stays connected
        raise AssertionError

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    await app(scope, receive, send)
    given = {k.decode(): v.decode() for k, v in sent[0]["headers"]}
    return Reply(sent[0]["status"], given, b"".join(m.get("body", b"") for m in sent[1:]))


def within(app: Any, work: Callable[[], Awaitable[Any]]) -> Any:
    """Runs ``work`` while an application is running."""

    async def run() -> Any:
        async with app.router.lifespan_context(app):
            return await work()

    return asyncio.run(run())


@contextmanager
def _server() -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A server process and its port. The process is killed at the end if it still runs."""
    process = subprocess.Popen(
        [sys.executable, "-m", "kaiser_logic", "serve", "--port", "0"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stderr is not None
        line = process.stderr.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
        assert found, line
        yield process, int(found[1])
    finally:
        process.kill()
        process.wait()
        assert process.stderr is not None
        process.stderr.close()


@contextmanager
def served() -> Iterator[str]:
    """The address of a server, which ends afterwards."""
    with _server() as (process, port):
        try:
            yield f"http://127.0.0.1:{port}/"
            assert process.poll() is None, "the server has ended"
        finally:
            process.terminate()
            process.wait(20)


@contextmanager
def interrupted() -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A server process and its port. Afterwards Ctrl-C must end it and its children without a message, with exit code 0."""
    with _server() as (process, port):
        yield process, port
        process.send_signal(signal.SIGINT)
        _, text = process.communicate(timeout=600)  # its children hold the standard error open while they live
        assert (process.returncode, text) == (0, "")
