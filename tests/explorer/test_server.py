"""The explorer's server: its addresses, called without a network, and the process."""

import json
import re
import signal
import socket
from pathlib import Path
from typing import Any

import pytest
from support import ROOT

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from support.places import place
from support.served import Reply, call, interrupted, within

from kaiser_logic.drawing.svg.pen import NAMES
from kaiser_logic.errors import WrongUsage
from kaiser_logic.explorer.server import application, colours, listening

PAGE = ROOT / "kaiser_logic" / "explorer" / "page"


def get(path: str) -> Reply:
    app = application()

    async def work() -> Reply:
        return await call(app, "GET", path, {})

    return within(app, work)


def test_the_page_and_its_parts_are_served():
    page = get("/")
    assert page.status == 200
    assert page.headers["content-type"].startswith("text/html")
    named = re.findall(r'(?:src|href)="(/[^"]+)"', page.body.decode())
    assert named
    for path in named:
        assert get(path).status == 200


def test_scripts_import_only_files_of_the_page():
    for script in PAGE.glob("*.js"):
        for module in re.findall(r'from "([^"]+)"', script.read_text(encoding="utf-8")):
            assert (PAGE / module.removeprefix("./")).is_file()
    for part in PAGE.iterdir():
        text = part.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"https?://|//[a-z]+\.[a-z]", text), part


def test_the_page_needs_no_unsafe_policy():
    html = (PAGE / "index.html").read_text(encoding="utf-8")
    assert not re.search(r"\son\w+=|\sstyle=|<style|<script(?! type=\"module\" src)", html)


@pytest.mark.parametrize(
    "path", ["/page/../server.py", "/page/x", "/etc/passwd", "/page/%2e%2e%2fserver.py", "/ask/games"]
)
def test_other_paths_are_not_served(path):
    assert get(path).status in (404, 405)


@pytest.mark.slow
def test_questions_are_answered_without_a_network():
    app = application()
    json_type = {"content-type": "application/json"}

    async def work() -> list[Reply]:
        here = place("games/four-players.game", 60)
        bodies: list[tuple[str, Any]] = [("legal", here), ("nonsense", {}), ("legal", {"tags": 1})]
        replies = [
            await call(app, "POST", f"/ask/{name}", json_type, json.dumps(body).encode()) for name, body in bodies
        ]
        for broken in (b"", b"{", b"\xff\xfe", b"[" * 100_000, b"NaN"):
            replies.append(await call(app, "POST", "/ask/legal", json_type, broken))
        return replies

    legal, unknown, wrong, *broken = within(app, work)
    assert legal.status == 200
    assert legal.json["roles"][0]["role"] == "blue"
    assert unknown.status == 404
    assert wrong.status == 422
    assert all(reply.status == 422 and reply.json["error"] for reply in broken)


def test_colours_exist_for_both_themes():
    css = colours()
    for name in NAMES:
        assert css.count(f"--kl-{name}:") == 4
    assert 'data-theme="dark"' in css


def test_invalid_addresses_are_refused():
    with listening("127.0.0.1", 0) as bound:
        assert bound.getsockname()[0] == "127.0.0.1"
    for host in ("no such host", "203.0.113.1"):
        with pytest.raises(WrongUsage, match="cannot listen at"):
            listening(host, 0)


def connected(port: int, question: str, body: bytes, length: int | None = None) -> socket.socket:
    """A connection that has sent a question, or the part of it that ``body`` is."""
    found = socket.create_connection(("127.0.0.1", port), 60)
    size = len(body) if length is None else length
    head = f"POST /ask/{question} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
    expecting = "Expect: 100-continue\r\n" if length is not None else ""
    found.sendall(f"{head}{expecting}Content-Length: {size}\r\n\r\n".encode())
    if length is not None:
        assert found.recv(100).startswith(b"HTTP/1.1 100")  # the server waits for the body
    found.sendall(body)
    return found


def test_broken_connections_leave_no_traceback():
    with interrupted() as (_, port):
        for _ in range(3):
            connected(port, "legal", b'{"tags"', 1000).close()
        with connected(port, "legal", b"{}") as whole:  # by then the server has noticed the others
            assert whole.recv(100).startswith(b"HTTP/1.1 422")


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="whether a child works is seen in /proc")
def test_ctrl_c_ends_pending_questions_without_a_traceback():
    with interrupted() as (process, port):
        data = {"tags": [["Game", "vive"]], "query": "king(red,_), not king(red,_)"}
        asked = connected(port, "find", json.dumps(data).encode())
        waiting = connected(port, "legal", b'{"tags"', 1000)
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        while not children.read_text():
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        for connection in (asked, waiting):
            with connection:
                assert connection.recv(100).startswith(b"HTTP/1.1 503")


def test_ctrl_c_twice_leaves_no_traceback():
    with interrupted() as (process, port):
        half = socket.create_connection(("127.0.0.1", port), 60)
        half.sendall(b"GET / HTTP/1.1\r\nHost:")
        with connected(port, "legal", b"{}") as whole:
            assert whole.recv(100).startswith(b"HTTP/1.1 422")
        process.send_signal(signal.SIGINT)
        with half:
            assert half.recv(100) == b""  # the server has noticed the first one
