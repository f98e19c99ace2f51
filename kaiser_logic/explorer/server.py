"""The addresses of the explorer, and the server itself: the page, its parts, and a question at each of ``/ask/NAME``."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, dataclass
from importlib.resources import files
from typing import Any, Final

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from ..drawing.svg.palette import NAMES, Palette, variables
from ..errors import WrongUsage
from .crew import Crew
from .guard import LOOPBACK, Guard
from .questions import QUESTIONS, encoded

_KINDS: Final = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "json": "application/json",
}
_BACKLOG: Final = 64


@dataclass(frozen=True)
class Given:
    """A record that the page opens by itself, where its address names none.

    Attributes:
        text: The record; empty for none.
        name: What it is called.
        at: So many moves are made.
        board: The text of its board file, or None.
    """

    text: str = ""
    name: str = ""
    at: int | None = None
    board: str | None = None


def application(
    hosts: Collection[str] = LOOPBACK, crew: Crew | None = None, given: Given | None = None
) -> Starlette:
    """The explorer as an ASGI application.

    Args:
        hosts: The names under which it may be asked for.
        crew: The children that answer; by default its own.
        given: What is opened at the start.
    """
    parts = {**_parts(), "given.json": encoded(asdict(given or Given()))}

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        app.state.crew = crew or Crew()
        app.state.ending = asyncio.Event()
        yield
        await _end(app)

    async def part(request: Request) -> Response:
        name = request.path_params.get("name", "index.html")
        found = parts.get(name)
        if found is None:
            return Response("there is no such page", 404, media_type="text/plain")
        return Response(found, media_type=_KINDS[name.rpartition(".")[2]])

    async def ask(request: Request) -> Response:
        name = request.path_params["name"]
        if name not in QUESTIONS:
            return _json(404, encoded({"error": "there is no such question"}))
        body = await _body(request)
        if body is None:
            return _json(503, encoded({"error": "the question did not come whole", "open": True}))
        try:
            data: Any = json.loads(body)
        except (ValueError, RecursionError):
            return _json(422, encoded({"error": "the question is no JSON"}))
        message = json.dumps({"ask": name, "data": data}).encode()

        async def gone() -> None:
            while (await request.receive())["type"] != "http.disconnect":
                pass

        return _json(*await request.app.state.crew.ask(name, message, gone))

    routes = [
        Route("/", part),
        Route("/page/{name}", part),
        Route("/ask/{name}", ask, methods=["POST"]),
    ]
    return Starlette(routes=routes, lifespan=lifespan, middleware=[Middleware(Guard, hosts=hosts)])


async def _body(request: Request) -> bytes | None:
    """What is asked; None where the other side has gone in the middle of it, or the server is being ended."""
    read = asyncio.ensure_future(request.body())
    ending = asyncio.ensure_future(request.app.state.ending.wait())
    try:
        await asyncio.wait([read, ending], return_when=asyncio.FIRST_COMPLETED)
        return read.result() if read.done() else None
    except ClientDisconnect:
        return None
    finally:
        read.cancel()
        ending.cancel()


async def _end(app: Starlette) -> None:
    """Answers whatever is asked or under way that the server is being ended, and ends its children."""
    app.state.ending.set()
    await app.state.crew.end()


def _json(status: int, body: bytes) -> Response:
    return Response(body, status, media_type="application/json")


def _parts() -> dict[str, bytes]:
    """All that the browser loads, by name; read once, so no request names a file."""
    folder = files(__package__) / "page"
    found = {
        entry.name: entry.read_bytes()
        for entry in folder.iterdir()
        if entry.name.rpartition(".")[2] in _KINDS
    }
    return {**found, "colours.css": colours().encode()}


def colours() -> str:
    """The colours of pictures as variables: as the viewer prefers, or as the page's attribute ``data-theme`` says."""
    chosen = [
        f':root[data-theme="{theme}"]{{{";".join(f"--kl-{name}:{Palette(theme)[name]}" for name in NAMES)}}}'
        for theme in ("light", "dark")
    ]
    return "\n".join([variables(":root"), *chosen])


def listening(host: str, port: int) -> socket.socket:
    """A socket bound to an address; WrongUsage where it cannot be. Port 0: any that is free."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        bound = socket.socket(family, kind, protocol)
        try:
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            bound.bind(address)
            bound.listen(_BACKLOG)
        except OSError:
            bound.close()
            raise
    except (OSError, UnicodeError) as error:
        raise WrongUsage(f"{host}:{port} cannot be listened at: {error}") from None
    return bound


class _Server(uvicorn.Server):
    """The server; when it is ended nobody is kept waiting, nor given up without an answer."""

    def __init__(self, config: uvicorn.Config, app: Starlette) -> None:
        super().__init__(config)
        self._app = app

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Ends the questions under way, then the server; at once, if it was interrupted twice."""
        await _end(self._app)
        await super().shutdown(sockets)
        if self.force_exit:
            await self.lifespan.shutdown()


def run(bound: socket.socket, hosts: Collection[str], given: Given | None = None) -> None:
    """Serves until it is interrupted."""
    app = application(hosts, given=given)
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        date_header=False,
        timeout_graceful_shutdown=2,
        limit_concurrency=100,
        ws="none",
        h11_max_incomplete_event_size=64 * 1024,
    )
    with suppress(KeyboardInterrupt):  # raised once more when all is ended
        _Server(config, app).run(sockets=[bound])
