"""The messages of the language server: every request is answered, also one that the package ``pygls`` cannot read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import cattrs
from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.protocol import LanguageServerProtocol

_FREE: Final = ("initialize", "exit")
_TYPES: Final[dict[str, Any]] = {
    "textDocument": {"uri": str},
    "position": {"line": int, "character": int},
    "query": str,
}
"""The types of the parameters that handlers read. The package converts values of other types without a word."""

_ID: Final = "an id is a text or a whole number"

_OF_OPEN_FILES: Final = ("textDocument/didChange", "textDocument/didClose")
"""The messages of which the package takes an open file for granted."""


PIPE_CLOSED: Final = 141
"""The exit code of a process that writes to a closed pipe."""


class Protocol(LanguageServerProtocol):
    """The protocol. What is no request, or comes too early or too late, is answered with an error.

    Attributes:
        code: The exit code of the process: 1 if the editor ends the server without asking it to shut down, `PIPE_CLOSED` if it
            has closed the server's output.
    """

    code = 0

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Leaves objects as they are, because it is called for the inner ones, too; `handle_message` reads the whole."""
        return data

    def handle_message(self, message: Any) -> None:
        """Reads a message and calls its handler, or answers with an error."""
        if not isinstance(message, dict):
            self.refuse(None, types.ErrorCodes.InvalidRequest, "a message is an object")
            return
        wrong = self._wrong(message)
        if wrong is not None:
            self._refuse_message(message, *wrong)
            return
        if self.get_message_type(message.get("method", "")) is None:
            message = {"params": None, **message}
        try:
            read = super().structure_message(message)
        except JsonRpcException as error:
            self._refuse_message(message, types.ErrorCodes.InvalidParams, _reason(error))
            return
        if message.get("method") == "exit":
            self.code = 0 if self._shutdown else 1
        super().handle_message(read)

    def _wrong(self, message: dict[str, Any]) -> tuple[int, str] | None:
        """The code and the reason if a message is none of the protocol, or comes at the wrong time."""
        id, method = message.get("id"), message.get("method")
        if message.get("jsonrpc") != self.VERSION:
            return (
                types.ErrorCodes.InvalidRequest,
                f"a message has the key jsonrpc with the value {self.VERSION!r}",
            )
        if method is None:
            known = {"result", "error"} & set(message)
            return None if known else (types.ErrorCodes.InvalidRequest, "the method is missing")
        if not isinstance(method, str):
            return types.ErrorCodes.InvalidRequest, "the method must be a text"
        if "id" in message and not _is_id(id):
            return types.ErrorCodes.InvalidRequest, _ID
        if self._shutdown and method != "exit":
            return types.ErrorCodes.InvalidRequest, "the server is shutting down"
        if self._workspace is None and method not in _FREE:
            return types.ErrorCodes.ServerNotInitialized, "the editor has not sent initialize"
        params = message.get("params")
        if method == "$/cancelRequest" and not _is_id(params.get("id") if isinstance(params, dict) else None):
            return types.ErrorCodes.InvalidParams, _ID
        other = _other_type(params, _TYPES, "params")
        if other is None and method in _OF_OPEN_FILES:
            uri = _uri(params)
            other = None if uri in self.workspace.text_documents else "this file is not open"
        return None if other is None else (types.ErrorCodes.InvalidParams, other)

    def _send_data(self, data: Any) -> None:
        """Sends a message, unless nobody reads the messages any more; then the server ends with the next one."""
        try:
            super()._send_data(data)
        except BrokenPipeError:
            self.code = PIPE_CLOSED
            if self._server._stop_event is not None:
                self._server._stop_event.set()

    def _refuse_message(self, message: Mapping[str, Any], code: int, reason: str) -> None:
        """Answers a request with an error; the log of the editor shows why another message is not read."""
        method = message.get("method")
        if "id" in message or method is None:
            self.refuse(message.get("id"), code, reason)
        else:
            text = f"{str(method)[:100]}: {reason}"
            self.notify("window/logMessage", types.LogMessageParams(types.MessageType.Error, text))

    def refuse(self, id: Any, code: int, message: str) -> None:
        """Answers with an error."""
        self._send_data({"jsonrpc": self.VERSION, "id": id, "error": {"code": int(code), "message": message}})


def _is_id(value: object) -> bool:
    """Whether a value can be the id of a request."""
    return isinstance(value, int | str) and not isinstance(value, bool)


def _other_type(data: Any, wanted: Any, name: str) -> str | None:
    """The first value that has another type than wanted; None if there is none. Missing values are not looked at."""
    if isinstance(wanted, dict):
        parts = data if isinstance(data, dict) else {}
        problems = (_other_type(parts[key], one, f"{name}.{key}") for key, one in wanted.items() if key in parts)
        return next((one for one in problems if one is not None), None)
    if wanted is int and (type(data) is not int or not 0 <= data < 2**31):
        return f"{name} must be a whole number from 0 to {2**31 - 1}"
    return f"{name} must be a text" if wanted is str and not isinstance(data, str) else None


def _reason(error: BaseException) -> str:
    """The reason why a message cannot be read."""
    cause = error.__cause__
    return "; ".join(cattrs.transform_error(cause)) if cause is not None else str(error)


def _uri(params: Any) -> str | None:
    """The address of the file that parameters name; None if they name none."""
    document = params.get("textDocument") if isinstance(params, dict) else None
    uri = document.get("uri") if isinstance(document, dict) else None
    return uri if isinstance(uri, str) else None
