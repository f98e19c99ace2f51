"""The standard streams of the server for assistants: requests of JSON-RPC, one on each line.

The package ``mcp`` passes over what it cannot read, so an assistant would wait for an answer for ever. Here each such line is
answered with an error that repeats the id of the request.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import Any, BinaryIO, Final

import anyio.to_thread
from mcp_types import CallToolRequestParams
from mcp_types.jsonrpc import INVALID_PARAMS, INVALID_REQUEST, PARSE_ERROR, jsonrpc_message_adapter

from ..answers.question_reader import read_json, unknown
from ..errors import WrongUsage
from ..notation.syntax import MAX_BYTES

MOST_BYTES: Final = 2 * MAX_BYTES
"""The largest size of a line."""

_KEYS: Final = ("jsonrpc", "id", "method", "params")
_CALL: Final = tuple(one.alias or name for name, one in CallToolRequestParams.model_fields.items())
_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[][{}:,]|[^][{}:,"\s]+')


class MessageLines:
    """The lines of two streams, in the form that the package ``mcp`` wants. Reading answers what is no request."""

    def __init__(self, source: BinaryIO, target: BinaryIO) -> None:
        """``source`` is read, ``target`` is written."""
        self._source, self._target = source, target

    def __aiter__(self) -> MessageLines:
        return self

    async def __anext__(self) -> str:
        while line := await self._line():
            refusal = refusal_of(line)
            if refusal is None:
                return line.decode()
            if refusal:
                await self.write(json.dumps(refusal) + "\n")
                await self.flush()
        raise StopAsyncIteration

    async def _line(self) -> bytes:
        """The next line; of a line that is too long, the beginning without a line break."""
        read = partial(self._source.readline, MOST_BYTES + 1)
        line = rest = await anyio.to_thread.run_sync(read, abandon_on_cancel=True)
        while len(rest) > MOST_BYTES and not rest.endswith(b"\n"):
            rest = await anyio.to_thread.run_sync(read, abandon_on_cancel=True)
        return line

    async def write(self, text: str) -> None:
        """Writes a line."""
        await anyio.to_thread.run_sync(self._target.write, text.encode("utf-8", "replace"))

    async def flush(self) -> None:
        """Sends what is written."""
        await anyio.to_thread.run_sync(self._target.flush)


def refusal_of(line: bytes) -> dict[str, Any] | None:
    """The error for a line that is no request; empty for a blank line; None for a request.

    >>> refusal_of(b'{"jsonrpc": "2.0", "id": 7, "method": "tools/list", "parms": {}}')["error"]["message"]
    "no key 'parms'; did you mean 'params'?"
    """
    if not line.strip():
        return {}
    try:
        _check(line)
    except _Refusal as error:
        return {
            "jsonrpc": "2.0",
            "id": id_of(line),
            "error": {"code": error.code, "message": str(error)[:500]},
        }
    return None


class _Refusal(Exception):
    """The reason why a line is no request, with its code in JSON-RPC."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


def _check(line: bytes) -> None:
    """Raises a refusal if a line is no request that the package ``mcp`` can read."""
    if len(line) > MOST_BYTES:
        raise _Refusal(INVALID_REQUEST, f"a request has at most {MOST_BYTES // 2**20} MB")
    try:
        data = read_json(line.decode())
        json.dumps(data, ensure_ascii=False).encode()
    except UnicodeDecodeError as error:
        raise _Refusal(PARSE_ERROR, f"this is not UTF-8: {error.reason}") from None
    except UnicodeEncodeError:
        half = "a text contains half a character: a surrogate without its other half"
        raise _Refusal(PARSE_ERROR, half) from None
    except WrongUsage as error:
        raise _Refusal(PARSE_ERROR, str(error)) from None
    if not isinstance(data, dict):
        raise _Refusal(INVALID_REQUEST, "a request is one object, on one line")
    if "method" in data:
        _check_keys(data)
    try:
        jsonrpc_message_adapter.validate_json(line, by_name=False)
    except (ValueError, RecursionError) as error:
        reasons = error.errors() if hasattr(error, "errors") else [{"msg": str(error)}]
        raise _Refusal(INVALID_REQUEST, f"this is no request: {reasons[0]['msg']}") from None


def _check_keys(data: Mapping[str, Any]) -> None:
    """Raises a refusal if a request has a key that is not read, or an id of a wrong type."""
    for key in data:
        if key not in _KEYS:
            raise _Refusal(INVALID_REQUEST, unknown("key", key, _KEYS))
    if "id" in data and (isinstance(data["id"], bool) or not isinstance(data["id"], int | str)):
        raise _Refusal(INVALID_REQUEST, "an id is a text or a whole number")
    params = data.get("params")
    if data["method"] == "tools/call" and isinstance(params, dict):
        for key in params:
            if key not in _CALL:
                raise _Refusal(INVALID_PARAMS, unknown("parameter", key, _CALL))


def id_of(line: bytes) -> Any:
    """The id of a request, also of one that is no JSON; None if none is seen.

    >>> id_of(b'{"method": "x", "params": [{"id": 3}], "id": "a"')
    'a'
    """
    depth, before = 0, ["", "", ""]
    for match in _TOKEN.finditer(line.decode("utf-8", "replace")):
        token = match[0]
        depth += (token in "[{") - (token in "]}")
        before = [*before[1:], token]
        if depth == 1 and before[:2] == ['"id"', ":"]:
            with suppress(WrongUsage):
                id = read_json(token)
                return id if isinstance(id, int | float | str) else None
    return None
