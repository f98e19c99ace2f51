"""The explorer's server: the page, its parts, and the answers to questions at ``/ask/NAME``."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import asdict, dataclass
from importlib.resources import files
from ipaddress import ip_address
from typing import Final

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ..answers.kinds import encode
from ..answers.question_reader import read_json, unknown
from ..answers.worker_pool import WorkerPool
from ..drawing.svg.pen import NAMES, Palette, variables
from ..errors import WrongUsage
from ..notation.syntax import MAX_BYTES
from .questions import QUESTIONS

# -- guard ---------------------------------------------------------------------------------------------------
#
# The check of requests, and the headers of responses.
#
# The server is meant for the machine on which it runs. A page from elsewhere must not use it through the user's browser. The
# check of the header Host prevents this for a foreign name that has been bound to this machine's address. The checks of
# Origin and Sec-Fetch-Site prevent it across origins; also, questions are JSON, which no form can send.


MOST_BYTES: Final = MAX_BYTES + 2**20
"""The largest size of a question: that of the largest record, with room for the rest."""

HEADERS: Final[Mapping[str, str]] = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
    " img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""The headers of every response."""

LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")


class _TooLarge(Exception):
    """A question larger than `MOST_BYTES`."""


class Guard:
    """The outermost layer of the server."""

    def __init__(self, app: ASGIApp, hosts: Collection[str] = LOOPBACK) -> None:
        """``hosts`` are the names under which the server answers, without port."""
        self._app = app
        self._hosts = frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request, or refuses it with a sentence."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        headers = {key.decode("latin-1"): value.decode("latin-1") for key, value in scope["headers"]}

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                extra = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
                message = {**message, "headers": [*message.get("headers", []), *extra]}
            await send(message)

        refusal = self._refusal(scope["method"], headers) or _unread(scope["query_string"])
        if refusal is not None:
            await _refuse(send_guarded, *refusal)
            return
        await self._limit_request(scope, receive, send_guarded)

    async def _limit_request(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on, and refuses it when its body becomes too large."""
        seen, begun = 0, False

        async def receive_counted() -> Message:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > MOST_BYTES:
                raise _TooLarge
            return message

        async def send_noted(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive_counted, send_noted)
        except _TooLarge:
            if not begun:
                await _refuse(send, 413, f"a question has at most {MOST_BYTES // 2**20} MB")

    def _refusal(self, method: str, headers: Mapping[str, str]) -> tuple[int, str] | None:
        """The reason why a request is refused: status and sentence."""
        host = headers.get("host", "")
        if name_of(host) not in self._hosts and not _is_address(name_of(host)):
            return 421, "this server does not have that name: see the option --host"
        if method not in ("GET", "HEAD", "POST"):
            return 405, "only GET and POST are answered"
        if headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
            return 403, "other sites may not ask this server"
        origin = headers.get("origin")
        if origin is not None and origin.partition("://")[2] != host:
            return 403, "other sites may not ask this server"
        if method == "POST":
            if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
                return 415, "requests come as application/json"
            length = headers.get("content-length", "0")
            if not length.isdecimal() or int(length) > MOST_BYTES:
                return 413, f"a question has at most {MOST_BYTES // 2**20} MB"
        return None


def _unread(query: bytes) -> tuple[int, str] | None:
    """The reason why an address with something behind a question mark is refused; None for one without."""
    if not query:
        return None
    name = query.decode("latin-1").partition("&")[0].partition("=")[0]
    return 400, f"{name[:40]!r} in the address is not read: a question is JSON in the body of a request"


def name_of(host: str) -> str:
    """The name in a header Host, without its port.

    >>> name_of("localhost:8000"), name_of("[::1]:8000"), name_of("127.0.0.1")
    ('localhost', '::1', '127.0.0.1')
    """
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0].lower()


def _is_address(name: str) -> bool:
    """Whether a name is an IP address, which nobody can have bound to this machine."""
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


async def _refuse(send: Send, status: int, sentence: str) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": sentence.encode()})


_KINDS: Final = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "json": "application/json",
}
_BACKLOG: Final = 64


@dataclass(frozen=True)
class InitialRecord:
    """The record that the page opens if its address names none.

    Attributes:
        text: The record; empty for none.
        name: The name of its file.
        at: The place that is shown, such as ``12`` or ``12a.3``; None for the end.
        board: The text of its board file, or None.
    """

    text: str = ""
    name: str = ""
    at: str | None = None
    board: str | None = None


def application(
    hosts: Collection[str] = LOOPBACK, pool: WorkerPool | None = None, given: InitialRecord | None = None
) -> Starlette:
    """The explorer as an ASGI application.

    Args:
        hosts: The names under which it answers.
        pool: The child processes that answer; by default a new pool.
        given: The record that the page opens at first.
    """
    parts = {**_parts(), "given.json": encode(asdict(given or InitialRecord()))}

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        app.state.pool = pool or WorkerPool(f"{__package__}.questions")
        app.state.ending = asyncio.Event()
        yield
        await _end(app)

    async def part(request: Request) -> Response:
        name = request.path_params.get("name", "index.html")
        content = parts.get(name)
        if content is None:
            return Response("there is no such page", 404, media_type="text/plain")
        return Response(content, media_type=_KINDS[name.rpartition(".")[2]])

    async def ask(request: Request) -> Response:
        name = request.path_params["name"]
        if name not in QUESTIONS:
            return _json(404, encode({"error": unknown("question", name, QUESTIONS)}))
        body = await _body(request)
        if body is None:
            return _json(503, encode({"error": "the request is incomplete", "open": True}))
        try:
            data = read_json(body)
        except WrongUsage as error:
            return _json(422, encode({"error": str(error)}))
        message = json.dumps({"ask": name, "data": data}).encode()

        async def wait_until_gone() -> None:
            while (await request.receive())["type"] != "http.disconnect":
                pass

        return _json(*await request.app.state.pool.ask(name, message, wait_until_gone))

    routes = [
        Route("/", part),
        Route("/page/{name}", part),
        Route("/ask/{name}", ask, methods=["POST"]),
    ]
    return Starlette(routes=routes, lifespan=lifespan, middleware=[Middleware(Guard, hosts=hosts)])


async def _body(request: Request) -> bytes | None:
    """The body of a request; None if the client has gone before its end, or the server is shutting down."""
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
    """Answers all present questions with the message that the server is shutting down, and ends the child processes."""
    app.state.ending.set()
    await app.state.pool.end()


def _json(status: int, body: bytes) -> Response:
    return Response(body, status, media_type="application/json")


def _parts() -> dict[str, bytes]:
    """The files that the browser loads, by name. They are read once, so no request can name another file."""
    folder = files(__package__) / "page"
    contents = {entry.name: entry.read_bytes() for entry in folder.iterdir() if entry.name.rpartition(".")[2] in _KINDS}
    return {**contents, "colours.css": colours().encode()}


def colours() -> str:
    """The colours of pictures as variables: the page's attribute ``data-theme``, or the viewer's preference, decides."""
    chosen = [
        f':root[data-theme="{theme}"]{{{";".join(f"--kl-{name}:{Palette(theme)[name]}" for name in NAMES)}}}'
        for theme in ("light", "dark")
    ]
    return "\n".join([variables(":root"), *chosen])


def listening(host: str, port: int) -> socket.socket:
    """A socket bound to an address; port 0 means any free port. WrongUsage if that is impossible."""
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
        raise WrongUsage(f"cannot listen at {host}:{port}: {error}") from None
    return bound


class _Server(uvicorn.Server):
    """The server. When it ends, it answers all present questions first."""

    def __init__(self, config: uvicorn.Config, app: Starlette) -> None:
        super().__init__(config)
        self._app = app

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Answers the present questions, then ends the server; at once, if it is interrupted twice."""
        await _end(self._app)
        await super().shutdown(sockets)
        if self.force_exit:
            await self.lifespan.shutdown()


def run(bound: socket.socket, hosts: Collection[str], given: InitialRecord | None = None) -> None:
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
    with suppress(KeyboardInterrupt):  # raised again when everything has ended
        _Server(config, app).run(sockets=[bound])
