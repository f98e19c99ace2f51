"""A real browser for tests: Chromium without a window, controlled through its pipe, without other packages."""

import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest

CHROMIUM = next((p for p in map(shutil.which, ("chromium", "chromium-browser", "google-chrome")) if p), None)
needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
_FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
    " --disable-component-update --disable-sync --disable-dev-shm-usage --hide-scrollbars --remote-debugging-pipe"
)

_KEYS: dict[str, tuple[int, str | None]] = {"Enter": (13, "\r"), "Tab": (9, None), "Escape": (27, None)}
"""Keys with an effect of their own: code and text."""


class Browser:
    """One page in a browser.

    Attributes:
        requests: The addresses that the page has requested.
        errors: The errors of its scripts.
    """

    def __init__(self, reader: int, writer: int) -> None:
        self._in, self._out = os.fdopen(reader, "rb"), os.fdopen(writer, "wb")
        self._read = bytearray()
        self._number = 0
        self._session: str | None = None
        self.requests: list[str] = []
        self.errors: list[str] = []
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.ask(f"{domain}.enable")

    def ask(self, method: str, **params: Any) -> Any:
        """Sends a command of the devtools protocol, and returns its answer."""
        self._number += 1
        request = {"id": self._number, "method": method, "params": params}
        request |= {"sessionId": self._session} if self._session else {}
        self._out.write(json.dumps(request).encode() + b"\0")
        self._out.flush()
        while True:
            message = self._next()
            if message.get("id") == request["id"]:
                assert "error" not in message, message
                return message["result"]

    def _next(self) -> Any:
        while (end := self._read.find(b"\0")) < 0:
            piece = self._in.read1(1 << 20)
            assert piece, "the browser has ended"
            self._read += piece
        message = json.loads(self._read[:end])
        del self._read[: end + 1]
        match message.get("method"):
            case "Network.requestWillBeSent":
                self.requests.append(message["params"]["request"]["url"])
            case "Runtime.exceptionThrown":
                self.errors.append(json.dumps(message["params"]["exceptionDetails"]))
            case "Log.entryAdded":
                self.errors.append(message["params"]["entry"]["text"])
        return message

    def close(self) -> None:
        self._in.close()
        self._out.close()

    def size(self, width: int, height: int) -> None:
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def open(self, url: str, ready: str = "document.readyState==='complete'") -> None:
        self.ask("Page.navigate", url=url)
        for _ in range(600):
            if self.value(f"(()=>{{try{{return {ready}}}catch(e){{return false}}}})()"):
                return
            time.sleep(0.05)
        raise AssertionError(f"the page did not become ready: {self.errors}")

    def value(self, expression: str) -> Any:
        found = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def key(self, name: str, shift: bool = False) -> None:
        code, text = _KEYS.get(name, (0, name if len(name) == 1 else None))
        for kind in ("keyDown", "keyUp"):
            self.ask(
                "Input.dispatchKeyEvent",
                type=kind,
                key=name,
                windowsVirtualKeyCode=code,
                modifiers=8 if shift else 0,
                **({"text": text} if text and kind == "keyDown" else {}),
            )

    def type(self, text: str) -> None:
        self.ask("Input.insertText", text=text)

    def click(self, selector: str) -> None:
        self.value(f"document.querySelector({json.dumps(selector)}).click()")

    def focus(self, selector: str) -> None:
        self.value(f"document.querySelector({json.dumps(selector)}).focus()")

    def blur(self) -> None:
        """Takes the focus from the element that has it, so that single keys work."""
        self.value("document.activeElement.blur()")

    def text(self, selector: str) -> Any:
        return self.value(f"document.querySelector({json.dumps(selector)}).textContent")

    def shows(self, selector: str, text: str) -> None:
        """Waits until an element contains a text."""
        self.wait(f"document.querySelector({json.dumps(selector)}).textContent.includes({json.dumps(text)})")

    def reads(self, expression: str, value: str) -> None:
        """Waits until an expression has a value."""
        self.wait(f"{expression}==={json.dumps(value)}")

    def wait(self, expression: str) -> None:
        for _ in range(1200):
            if self.value(f"(()=>{{try{{return !!({expression})}}catch(e){{return false}}}})()"):
                return
            time.sleep(0.05)
        raise AssertionError(f"never true: {expression}; {str(self.errors)[:2000]}")


@contextmanager
def browser() -> Iterator[Browser]:
    assert CHROMIUM is not None
    to_child, ours_out = os.pipe()
    ours_in, from_child = os.pipe()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = f'exec "{CHROMIUM}" {_FLAGS} --user-data-dir="{profile}" 3<&{to_child} 4>&{from_child}'
        process = subprocess.Popen(
            ["/bin/bash", "-c", command],
            pass_fds=(to_child, from_child),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_child)
        os.close(from_child)
        try:
            page = Browser(ours_in, ours_out)
            yield page
            with suppress(AssertionError):  # it may end before it answers
                page.ask("Browser.close")
        finally:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            page.close()
