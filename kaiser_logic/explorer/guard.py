"""Which requests are allowed, and the headers of answers.

The server is meant for the machine it runs on. A page from elsewhere must not speak to it through the user's browser:
not by a name that was bound to this machine's address (so the header Host is looked at), not across origins (so Origin
and Sec-Fetch-Site are, and questions come as JSON, which no form can send).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from ipaddress import ip_address
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ..notation.syntax import MAX_BYTES

MOST_BYTES: Final = MAX_BYTES + 2**20
"""The largest question: a record as large as it may be, and what stands around it."""

HEADERS: Final[Mapping[str, str]] = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
    " img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""What every answer says to the browser."""

LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")


class _TooLarge(Exception):
    """A question larger than `MOST_BYTES`."""


class Guard:
    """The outermost layer of the server."""

    def __init__(self, app: ASGIApp, hosts: Collection[str] = LOOPBACK) -> None:
        """``hosts``: the names under which the server may be asked for, without port."""
        self._app = app
        self._hosts = frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request, or refuses it with a sentence."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        headers = {key.decode("latin-1"): value.decode("latin-1") for key, value in scope["headers"]}

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                extra = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
                message = {**message, "headers": [*message.get("headers", []), *extra]}
            await send(message)

        refusal = self._refusal(scope["method"], headers)
        if refusal is not None:
            await _refuse(guarded, *refusal)
            return
        await self._limited(scope, receive, guarded)

    async def _limited(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request on whose body must not become too large."""
        seen, begun = 0, False

        async def counted() -> Message:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > MOST_BYTES:
                raise _TooLarge
            return message

        async def noted(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, counted, noted)
        except _TooLarge:
            if not begun:
                await _refuse(send, 413, f"a question has at most {MOST_BYTES // 2**20} MB")

    def _refusal(self, method: str, headers: Mapping[str, str]) -> tuple[int, str] | None:
        """Why a request is refused: status and sentence."""
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
            if not length.isdigit() or int(length) > MOST_BYTES:
                return 413, f"a question has at most {MOST_BYTES // 2**20} MB"
        return None


def name_of(host: str) -> str:
    """The name in a header Host, without its port.

    >>> name_of("localhost:8000"), name_of("[::1]:8000"), name_of("127.0.0.1")
    ('localhost', '::1', '127.0.0.1')
    """
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0].lower()


def _is_address(name: str) -> bool:
    """Whether a name is an address itself: nobody else can have bound that to this machine."""
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


async def _refuse(send: Send, status: int, sentence: str) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": sentence.encode()})
