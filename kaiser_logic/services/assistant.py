"""The server for assistants (Model Context Protocol): eight tools, which only read.

A child process with limits of memory and time answers each request, as for the explorer's pages.
"""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    TextContent,
    Tool,
    ToolAnnotations,
)

from ..answers import questions
from ..answers.handlers import NOT_DECIDED
from ..answers.question_reader import Handler, schema, unknown
from ..answers.questions import QUESTIONS
from ..answers.worker_pool import WorkerPool
from ..version import VERSION
from .lines import MessageLines
from .streams import standard_streams

_OPEN: Final = (
    " The verdict 'not decided' is not 'no'. It means that the time, the memory or the abilities of the tool were not"
    " enough. It says nothing about the game. Never report it as an answer."
)
INSTRUCTIONS: Final = (
    "The rules of board games as a program: which actions are legal, why others are not, which positions are possible, what"
    ' always holds. Begin with `games`. A record is a text: tags such as [Game "kaiser"] and [Seats "red green"], then'
    " moves, one `role: action` on each line. A record with tags alone is the start of the game. The answers depend on the"
    " rules as they are encoded. Cite the ids and sources of the rules that an answer names, and say what it assumes"
    " (players, edition, rulings)." + _OPEN
)

Answer = dict[str, Any]


class Assistant:
    """The tools. Each asks a child process, which reads the arguments (`Handler`)."""

    def __init__(self, pool: WorkerPool) -> None:
        """``pool``: the child processes."""
        self._pool = pool

    async def list_tools(self, _: Any, __: Any) -> ListToolsResult:
        """The tools with the schemas of their arguments."""
        return ListToolsResult(tools=[_tool(name, one.handler(questions.__name__)) for name, one in QUESTIONS.items()])

    async def call_tool(self, _: Any, params: CallToolRequestParams) -> CallToolResult:
        """The answer of a tool. An error is a sentence for the assistant, so that it can ask again."""
        if params.name not in QUESTIONS:
            return _result_of({"error": unknown("tool", params.name, QUESTIONS)}, wrong=True)
        message = json.dumps({"ask": params.name, "data": params.arguments or {}}).encode()
        status, body = await self._pool.ask(params.name, message)
        answer: Answer = json.loads(body)
        if status != 200 and answer.get("open"):
            asked = {**(params.arguments or {}), "record": None, "board": None}
            return _result_of(
                {
                    "verdict": NOT_DECIDED,
                    "reason": str(answer["error"]).removeprefix("not decided: "),
                    "asked": {key: value for key, value in asked.items() if value is not None},
                }
            )
        return _result_of(answer, wrong=status != 200)


def _tool(name: str, handler: Handler[Any]) -> Tool:
    about = " ".join((handler.__doc__ or "").split())
    return Tool(
        name=name,
        description=about + _OPEN,
        input_schema=schema(handler.kind),
        annotations=ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False),
    )


def _result_of(answer: Answer, *, wrong: bool = False) -> CallToolResult:
    """An answer as data and as text; of an error only its sentence."""
    if wrong:
        return CallToolResult(content=[TextContent(text=str(answer["error"]))], is_error=True)
    text = json.dumps(answer, ensure_ascii=False)
    return CallToolResult(content=[TextContent(text=text)], structured_content=answer)


def server() -> Server[Any]:
    """The server with its tools. When it ends, its child processes end."""
    pool = WorkerPool(questions.__name__)

    @asynccontextmanager
    async def lifespan(_: Server[Any]) -> AsyncIterator[None]:
        try:
            yield
        finally:
            await pool.end()

    tools = Assistant(pool)
    return Server(
        "kaiser-logic",
        version=VERSION,
        instructions=INSTRUCTIONS,
        lifespan=lifespan,
        on_list_tools=tools.list_tools,
        on_call_tool=tools.call_tool,
    )


async def _serve() -> None:
    serving = server()
    with standard_streams() as (source, target):
        lines = MessageLines(source, target)
        async with stdio_server(lines, lines) as (reading, writing):  # type: ignore[arg-type]
            await serving.run(reading, writing, serving.create_initialization_options())


def run() -> None:
    """Answers requests on the standard streams until they are closed; BrokenPipeError if nobody reads the answers."""
    logging.basicConfig(level=logging.ERROR)
    gone = False
    try:
        anyio.run(_serve)
    except* BrokenPipeError:
        gone = True
    if gone:
        raise BrokenPipeError
