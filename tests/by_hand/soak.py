"""Asks the three servers mixed questions for a time, and prints their memory and open files meanwhile.

``PYTHONPATH=tests python tests/by_hand/soak.py MINUTES``. Exit code: 1 if a server has printed something or has left a process.
"""

import json
import os
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections import Counter
from itertools import count
from pathlib import Path
from typing import Any

import psutil
from support.heap_game import FOLDER, variant
from support.question_grammar import editor_messages, questions
from support.raw_editor import RawEditor
from support.served import interrupted


def ask_page(port: int, kind: str, data: Any) -> int:
    """The status of the page's answer; 504 if it is "too long", which depends on how busy the machine is."""
    body, headers = json.dumps(data).encode(), {"Content-Type": "application/json"}
    request = urllib.request.Request(f"http://127.0.0.1:{port}/ask/{kind}", body, headers)
    try:
        return int(urllib.request.urlopen(request).status)
    except urllib.error.HTTPError as error:
        return error.code


def ask_tool(server: Any, id: int, method: str, params: Any) -> None:
    """Waits for the answer of the assistant's server."""
    data = {"jsonrpc": "2.0", "id": id, "method": method, "params": params}
    server.stdin.write(json.dumps(data).encode() + b"\n")
    server.stdin.flush()
    while json.loads(server.stdout.readline()).get("id") != id:
        pass


def size(process: psutil.Process) -> str:
    """The memory and the open files of a process, with the memory of its children."""
    inner = [child.memory_info().rss >> 20 for child in process.children(recursive=True)]
    return f"{process.memory_info().rss >> 20} MB, {process.num_fds()} files, children {inner} MB"


def main(minutes: float) -> int:
    os.environ["KAISER_LOGIC_GAMES"] = str(FOLDER.parent)
    place = Path(tempfile.mkdtemp())
    folder, asked, known = variant(place, {}), 0, set[psutil.Process]()
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
    with interrupted() as (page, port):
        editor, assistant = RawEditor(place), RawEditor(place, "mcp")
        editor.start(place)
        ask_tool(assistant.process, 0, "initialize", hello)
        servers = [psutil.Process(pid) for pid in (page.pid, assistant.process.pid, editor.process.pid)]
        statuses = Counter[int]()
        begun = told = time.monotonic()
        for seed in count():
            typing = editor_messages(folder, 40, seed)
            for (kind, data), (tool, given) in zip(
                questions("explorer", 10, seed), questions("assistant", 10, seed), strict=True
            ):
                statuses[status := ask_page(port, kind, data)] += 1
                assert status in (200, 422, 503, 504), (status, kind, data)
                ask_tool(assistant.process, asked := asked + 1, "tools/call", {"name": tool, "arguments": given})
                for message in (next(typing) for _ in range(4)):
                    editor.answer(message) if "id" in message else editor.send(message)
                known |= {child for one in servers for child in one.children(recursive=True)}
            if time.monotonic() - told > 60:
                told = time.monotonic()
                print(
                    f"{(told - begun) / 60:.0f} min, {6 * asked} messages:", *map(size, servers), sep="\n  ", flush=True
                )
            if time.monotonic() - begun > 60 * minutes:
                break
        editor.answer({"id": "end", "method": "shutdown"})
        editor.send({"method": "exit"})
        ends = [editor.end(), assistant.end()]
    print(f"the statuses of the page's answers: {dict(statuses)}")
    left = [one for one in known if one.is_running()]
    print(f"the ends of the editor's and the assistant's server: {ends}; processes left: {left}")
    return int(ends != [(0, b"")] * 2 or bool(left))


if __name__ == "__main__":
    raise SystemExit(main(float(sys.argv[1])))
