"""Asks the three servers mixed questions for a time, all at once, and prints their memory and open files meanwhile.

``PYTHONPATH=tests python tests/by_hand/soak.py MINUTES``. Exit code: 1 if a server has printed something or has left a process.
"""

import json
import os
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from typing import Any

import psutil
from support.heap_game import FOLDER, variant
from support.question_grammar import editor_messages, questions
from support.raw_editor import RawEditor
from support.served import interrupted

from kaiser_logic.answers.questions import QUESTIONS as ASSISTANT
from kaiser_logic.explorer.questions import QUESTIONS as EXPLORER

SELDOM = 25
"""Of long questions, one of so many is asked; more would leave no time for the quick ones."""
PAUSE = 0.1
"""The seconds between two messages to one server."""


def endless_questions(of: str, table: Any) -> Iterator[tuple[str, Any]]:
    """Questions of the page or of the assistant without end."""
    every = enumerate(one for seed in count() for one in questions(of, 100, seed))
    return ((kind, data) for number, (kind, data) in every if not table[kind].long or number % SELDOM == 0)


def ask_page(port: int, kind: str, data: Any) -> None:
    """Waits for the page's answer; 504 if it is "too long", which depends on how busy the machine is."""
    body, headers = json.dumps(data).encode(), {"Content-Type": "application/json"}
    try:
        urllib.request.urlopen(urllib.request.Request(f"http://127.0.0.1:{port}/ask/{kind}", body, headers)).close()
    except urllib.error.HTTPError as error:
        assert error.code in (422, 503, 504), (error.code, kind, data)


def ask_tool(server: Any, id: int, method: str, params: Any) -> None:
    """Waits for the answer of the assistant's server."""
    data = {"jsonrpc": "2.0", "id": id, "method": method, "params": params}
    server.stdin.write(json.dumps(data).encode() + b"\n")
    server.stdin.flush()
    while json.loads(server.stdout.readline()).get("id") != id:
        pass


def size(process: psutil.Process, number: int) -> str:
    """The number of messages to a server, its memory and open files, and the memory of its children."""
    inner = [child.memory_info().rss >> 20 for child in process.children(recursive=True)]
    return f"{number} messages, {process.memory_info().rss >> 20} MB, {process.num_fds()} files, children {inner} MB"


def main(minutes: float) -> int:
    os.environ["KAISER_LOGIC_GAMES"] = str(FOLDER.parent)
    place = Path(tempfile.mkdtemp())
    folder, known, numbers = variant(place, {}), set[psutil.Process](), [0, 0, 0]
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
    begun = told = time.monotonic()
    with interrupted() as (page, port), ThreadPoolExecutor() as threads:
        assistant, editor = RawEditor(place, "mcp"), RawEditor(place)
        ask_tool(assistant.process, 0, "initialize", hello)
        editor.start(place)
        servers = [psutil.Process(pid) for pid in (page.pid, assistant.process.pid, editor.process.pid)]

        def use(server: int, messages: Iterator[Any], ask: Callable[..., object]) -> None:
            for message in messages:
                ask(message)
                numbers[server] += 1
                time.sleep(PAUSE)
                if time.monotonic() - begun > 60 * minutes:
                    return

        def tool(named: Any) -> None:
            ask_tool(assistant.process, numbers[1] + 1, "tools/call", {"name": named[0], "arguments": named[1]})

        typing = (one for seed in count() for one in editor_messages(folder, 40, seed))
        work = [
            threads.submit(use, 0, endless_questions("explorer", EXPLORER), lambda question: ask_page(port, *question)),
            threads.submit(use, 1, endless_questions("assistant", ASSISTANT), tool),
            threads.submit(use, 2, typing, lambda m: editor.answer(m) if "id" in m else editor.send(m)),
        ]
        while not all(one.done() for one in work):
            time.sleep(1)
            known |= {child for one in servers for child in one.children(recursive=True)}
            if time.monotonic() - told > 60:
                told = time.monotonic()
                print(f"{(told - begun) / 60:.0f} min:", *map(size, servers, numbers), sep="\n  ", flush=True)
        for one in work:
            one.result()
        editor.answer({"id": "end", "method": "shutdown"})
        editor.send({"method": "exit"})
        ends = [editor.end(), assistant.end()]
    left = [one for one in known if one.is_running()]
    print(f"{numbers} messages; the ends of the editor's and the assistant's server: {ends}; processes left: {left}")
    return int(ends != [(0, b"")] * 2 or bool(left))


if __name__ == "__main__":
    raise SystemExit(main(float(sys.argv[1])))
