"""The guard accepts and refuses requests."""

import asyncio
from typing import Any

import pytest

pytest.importorskip("starlette")

from support.served import Reply, call
from support.tables import rows

from kaiser_logic.explorer.server import HEADERS, MOST_BYTES, Guard, name_of

JSON = {"content-type": "application/json"}


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """An application that counts what it is sent."""
    message = await receive()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": str(len(message["body"])).encode()})


def asked(method: str, headers: dict[str, str], body: bytes = b"") -> Reply:
    return asyncio.run(call(Guard(echo), method, "/ask/games", headers, body))


@pytest.mark.parametrize(
    "host", ["localhost", "localhost:8642", "127.0.0.1:1", "[::1]:8642", "LOCALHOST:1", "192.168.1.7:80"]
)
def test_local_names_and_numeric_addresses_are_accepted(host):
    reply = asked("GET", {"host": host})
    assert reply.status == 200
    assert {name.lower() for name in HEADERS} <= set(reply.headers)


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost.evil.example", "", "127.0.0.1.nip.io:8642", "[evil]", "localhost@evil"]
)
def test_other_host_names_are_refused(host):
    """Somebody may have bound another name to the address of this machine (DNS rebinding)."""
    reply = asked("GET", {"host": host})
    assert reply.status == 421
    assert "content-security-policy" in reply.headers


@pytest.mark.parametrize(("headers", "status"), rows("explorer/guard", "asked"))
def test_only_the_own_page_may_ask(headers, status):
    given = dict(part.split(": ") for part in headers.replace("MORE", str(MOST_BYTES + 1)).split("; "))
    assert asked("POST", given, b"{}").status == int(status)


def test_large_questions_are_refused():
    """Also if the request states no length."""
    assert asked("POST", JSON, b" " * (MOST_BYTES + 1)).status == 413


def test_questions_in_addresses_are_refused():
    reply = asyncio.run(call(Guard(echo), "POST", "/ask/games?edition=it", JSON, b"{}"))
    assert (reply.status, reply.body) == (
        400,
        b"'edition' in the address is not read: a question is JSON in the body of a request",
    )


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "TRACE"])
def test_other_methods_are_refused(method):
    """OPTIONS too, so that no other site gets permission to ask."""
    reply = asked(method, {})
    assert reply.status == 405
    assert not any(name.startswith("access-control") for name in reply.headers)


def test_the_policy_allows_no_foreign_content():
    policy = HEADERS["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    assert "*" not in policy


def test_host_names_are_parsed():
    assert [name_of(h) for h in ("a.b:1", "[::1]", "[::1]:5", "A", "")] == ["a.b", "::1", "::1", "a", ""]
