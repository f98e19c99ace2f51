"""The server for assistants (MCP), called by a real client over standard streams."""

import json
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from support import ROOT

pytest.importorskip("mcp", reason="the extra [mcp] is not installed")

import anyio
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp_types import CallToolRequestParams

from kaiser_logic.services.assistant import Assistant
from kaiser_logic.services.lines import refusal_of

HEAP = str(Path(__file__).parents[1] / "support")
TOOLS = ["games", "rules", "legal", "why", "check", "grep", "find", "prove", "compare"]
START = '[Game "heap"]\n\n'


def talk(ask: Callable[[Client], Awaitable[Any]]) -> Any:
    """The result of ``ask`` with a client of a new server, which also serves the heap game."""
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "kaiser_logic", "mcp"],
        env={"KAISER_LOGIC_GAMES": HEAP, "PYTHONPATH": str(ROOT), "KAISER_LOGIC_CACHE": "off"},
    )

    async def main() -> Any:
        async with Client(stdio_client(server)) as client:
            return await ask(client)

    return anyio.run(main)


async def tool(client: Client, name: str, **arguments: Any) -> dict[str, Any]:
    found = await client.call_tool(name, arguments)
    assert not found.is_error, found
    assert isinstance(found.structured_content, dict)
    return found.structured_content


async def wrong(client: Client, name: str, **arguments: Any) -> str:
    found = await client.call_tool(name, arguments)
    assert found.is_error, found
    return str(found.content[0].text)


@pytest.mark.slow
def test_tools_are_listed():
    async def ask(client: Client) -> Any:
        return (await client.list_tools()).tools, client.instructions

    found, instructions = talk(ask)
    assert [one.name for one in found] == TOOLS
    for one in found:
        assert "The verdict 'not decided' is not 'no'" in one.description
        assert one.annotations.read_only_hint is True
        assert one.input_schema["additionalProperties"] is False
    assert "Never report it as an answer" in instructions


@pytest.mark.slow
def test_every_tool_answers():
    """What the answers have: `answers/questions.cases`."""
    record = START + "red: take(3)\n"
    query = "decision(red,take), not after(red,take(1),heap(_))"
    asked: dict[str, dict[str, Any]] = {
        "games": {}, "rules": {"game": "heap"}, "legal": {"record": record},
        "why": {"record": record, "role": "green", "action": "take(2)"}, "check": {"record": record},
        "grep": {"record": record, "query": "heap(9)"}, "find": {"game": "heap", "query": query},
        "prove": {"game": "heap", "invariants": ["heap_stated"]},
        "compare": {"game": "heap", "first": "standard", "second": "standard"},
    }  # fmt: skip

    async def ask(client: Client) -> dict[str, Any]:
        return {name: await tool(client, name, **arguments) for name, arguments in asked.items()}

    found = talk(ask)
    assert list(found) == TOOLS
    assert (found["prove"]["verdict"], found["compare"]["verdict"]) == ("proved", "same")
    assert (found["find"]["verdict"], found["find"]["asked"]["query"]) == ("not decided", query)
    assert found["find"]["reason"] and "positions" not in found["find"]


class Unanswered:
    """In place of the child processes: a question that has no answer, for instance because its child has died."""

    async def ask(self, name: str, message: bytes) -> tuple[int, bytes]:
        return 503, b'{"error": "not decided: the child has died", "open": true}'


def test_no_answer_is_not_decided():
    """It is a verdict, not an error."""
    asked = CallToolRequestParams(name="find", arguments={"game": "heap", "query": "heap(1)"})
    answer = anyio.run(Assistant(Unanswered()).call_tool, None, asked)
    assert not answer.is_error
    assert answer.structured_content == {
        "verdict": "not decided",
        "reason": "the child has died",
        "asked": {"game": "heap", "query": "heap(1)"},
    }


@pytest.mark.slow
def test_errors_are_sentences():
    async def ask(client: Client) -> None:
        assert "there is no game '/etc'" in await wrong(client, "rules", game="/etc")
        assert "there is no game './heap'" in await wrong(client, "find", game="./heap", query="heap(1)")
        assert "1:7: expected a text in double quotes" in await wrong(client, "check", record="[Game x]")
        assert "has 0 moves, not 9" in await wrong(client, "legal", record=START, moves=9)
        assert "the board file must be in the record's folder" in await wrong(
            client, "legal", record='[Game "heap"]\n[Board "/etc/passwd"]\n'
        )
        assert "give that too" in await wrong(client, "legal", record='[Game "heap"]\n[Board "b.lp"]\n')
        assert "heap" in await wrong(client, "find", game="heap", query="haep(1)")
        assert "seconds" in await wrong(client, "find", game="heap", query="heap(1)", seconds=10_000)
        assert await wrong(client, "prove", game="heap", claim="never heap(1)") == (
            "no argument 'claim'; did you mean 'claims'?"
        )
        assert await wrong(client, "prof", game="heap") == "no tool 'prof'; did you mean 'prove'?"
        assert await tool(client, "games"), "the server still answers"

    talk(ask)


CALL = '{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"games","arguments":%s}}'


@pytest.mark.parametrize(
    ("line", "id", "message"),
    [
        (CALL % (r'"\ud800"', "{}"), "\ud800", "half a character"),
        (CALL % (4, r'{"a":"\ud800"}'), 4, "half a character"),
        (CALL % (4, '{"a":NaN}'), 4, "NaN is no number"),
        (CALL % (4, '{"a":1e999}'), 4, "1e999 is no number"),
        (CALL % (4, '{"a":' + "9" * 5000 + "}"), 4, "5000 digits"),
        (CALL % (4, '{"a":' * 300 + "1" + "}" * 300), 4, "recursion limit"),
        (CALL % (4, "[" * 100_000 + "]" * 100_000), 4, "nested too deeply"),
        (CALL % (4, '{"a":1,"a":2}'), 4, "'a' stands twice"),
        (CALL % (4, "[1]"), None, None),
        (CALL % (10**40, "{}"), None, None),
        (CALL % (1.5, "{}"), 1.5, "a text or a whole number"),
        (CALL % ("null", "{}"), None, "a text or a whole number"),
        (CALL % (4, "{}") + "}", 4, "this is not JSON"),
        ((CALL % (4, "{}")).replace("arguments", "argument"), 4, "did you mean 'arguments'?"),
        ((CALL % (4, "{}")).replace("params", "parms"), 4, "did you mean 'params'?"),
        ((CALL % (4, "{}")).replace("2.0", "1.0"), 4, "this is no request"),
        ((CALL % (4, "{}")).replace('"tools/call"', "7"), 4, "this is no request"),
        ("[" + CALL % (4, "{}") + "]", None, "one object"),
        ("7", None, "one object"),
        ("\udcff", None, "not UTF-8"),
    ],
    ids=range(20),
)  # fmt: skip
def test_no_line_remains_without_an_answer(line, id, message):
    """The server answers what JSON can hold: a request is passed on, or refused with its id."""
    found = refusal_of(line.encode("utf-8", "surrogateescape"))
    if message is None:
        assert found is None
    else:
        assert found is not None
        assert found["id"] == id
        assert message in found["error"]["message"]
    assert refusal_of(b"  \n") == {}


@pytest.mark.slow
def test_a_refused_line_does_not_stop_the_server():
    lines = [CALL % (r'"\ud800"', "{}"), "", "nonsense", CALL % (2, "{}")]
    with subprocess.Popen(
        [sys.executable, "-m", "kaiser_logic", "mcp"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    ) as server:
        assert server.stdin is not None and server.stdout is not None
        server.stdin.write("\n".join([HELLO, INITIALIZED, *lines, ""]))
        server.stdin.flush()
        answers = [json.loads(server.stdout.readline()) for _ in range(4)]
        assert (*server.communicate(), server.returncode) == ("", "", 0)
    assert {one["id"]: "error" in one for one in answers} == {0: False, "\ud800": True, None: True, 2: False}


INITIALIZED = '{"jsonrpc":"2.0","method":"notifications/initialized"}'
HELLO = (
    '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},'
    '"clientInfo":{"name":"tests","version":"1"}}}'
)
