"""The addresses of the explorer, called without a network."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")

from support.places import place
from support.served import Reply, call, within

from kaiser_logic.drawing.svg.palette import NAMES
from kaiser_logic.errors import WrongUsage
from kaiser_logic.explorer.server import application, colours, listening

PAGE = Path(__file__).parents[2] / "kaiser_logic" / "explorer" / "page"


def get(path: str) -> Reply:
    app = application()

    async def work() -> Reply:
        return await call(app, "GET", path, {})

    return within(app, work)  # type: ignore[no-any-return]


def test_the_page_and_its_parts_are_served() -> None:
    page = get("/")
    assert page.status == 200
    assert page.headers["content-type"].startswith("text/html")
    named = re.findall(r'(?:src|href)="(/[^"]+)"', page.body.decode())
    assert named
    for path in named:
        assert get(path).status == 200


def test_scripts_load_only_their_neighbours() -> None:
    for script in PAGE.glob("*.js"):
        for module in re.findall(r'from "([^"]+)"', script.read_text(encoding="utf-8")):
            assert (PAGE / module.removeprefix("./")).is_file()
    for part in PAGE.iterdir():
        text = part.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"https?://|//[a-z]+\.[a-z]", text), part


def test_nothing_in_the_page_needs_an_unsafe_policy() -> None:
    html = (PAGE / "index.html").read_text(encoding="utf-8")
    assert not re.search(r"\son\w+=|\sstyle=|<style|<script(?! type=\"module\" src)", html)


@pytest.mark.parametrize(
    "path", ["/page/../server.py", "/page/x", "/etc/passwd", "/page/%2e%2e%2fserver.py", "/ask/games"]
)
def test_nothing_else_is_served(path: str) -> None:
    assert get(path).status in (404, 405)


def test_questions_are_answered_without_a_network() -> None:
    app = application()
    json_type = {"content-type": "application/json"}

    async def work() -> list[Reply]:
        here = place("games/four-players.game", 60)
        bodies: list[tuple[str, Any]] = [("legal", here), ("nonsense", {}), ("legal", {"tags": 1})]
        replies = [
            await call(app, "POST", f"/ask/{name}", json_type, json.dumps(body).encode())
            for name, body in bodies
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


def test_colours_follow_the_viewer_and_the_page() -> None:
    said = colours()
    for name in NAMES:
        assert said.count(f"--kl-{name}:") == 4
    assert 'data-theme="dark"' in said


def test_an_address_that_cannot_be_is_refused() -> None:
    with listening("127.0.0.1", 0) as bound:
        assert bound.getsockname()[0] == "127.0.0.1"
    for host in ("no such host", "203.0.113.1"):
        with pytest.raises(WrongUsage, match="cannot be listened at"):
            listening(host, 0)
