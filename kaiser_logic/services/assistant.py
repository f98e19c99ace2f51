"""The server for assistants (Model Context Protocol): eight tools, which only read.

A child process with limits of memory and time answers each request, as for the explorer's pages.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Annotated, Any, Final

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations
from pydantic import Field

from .. import __version__
from ..explorer.worker_pool import WorkerPool
from .answers import MOST_POSITIONS, NOT_DECIDED
from .questions import MOST_SECONDS, QUESTIONS

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

Game = Annotated[str, Field(description="A game's id, as `games` lists it.")]
Edition = Annotated[
    str, Field(description="An edition of the game, as `games` lists it. By default: standard.")
]
Record = Annotated[
    str,
    Field(
        description="The text of a record: tags, then moves `role: action`. Without moves it is the start."
    ),
]
Moves = Annotated[
    int | None,
    Field(description="The number of moves of the record to replay. By default all of them.", ge=0),
]
Board = Annotated[str, Field(description="The text of the board file, if the record's tag Board names one.")]
Players = Annotated[
    int, Field(description="The number of players. With 0, the default number of the game.", ge=0)
]
Options = Annotated[
    dict[str, str] | None,
    Field(description="Values for single rulings, by the name of the ruling, as `games` lists them."),
]
Seconds = Annotated[
    int,
    Field(description=f"The time limit in seconds, at most {MOST_SECONDS}.", ge=1, le=MOST_SECONDS),
]

Answer = dict[str, Any]


class Assistant:
    """The tools. Each asks a child process."""

    def __init__(self, pool: WorkerPool) -> None:
        """``pool``: the child processes."""
        self._pool = pool

    async def games(self) -> Answer:
        """The games, each with its numbers of players, editions, rulings with their values, roles and start tags."""
        return await self._ask("games")

    async def rules(
        self,
        game: Game,
        rule: Annotated[
            str,
            Field(
                description="A rule's id, or words of its id or statement. Then the answer includes the sources."
            ),
        ] = "",
        edition: Edition = "",
    ) -> Answer:
        """The rules of a game: all ids and statements, or the rules that contain some words, with their sources in the editions.

        A source 'assumed' or 'silent' means that the rule is an interpretation, and is not in the printed text.
        """
        return await self._ask("rules", game=game, rule=rule, edition=edition)

    async def legal(self, record: Record, moves: Moves = None, board: Board = "") -> Answer:
        """The position at a place of a record, the roles that decide there, and their legal actions; the result if the game
        is over.
        """  # noqa: D205
        return await self._ask("legal", record=record, moves=moves, board=board)

    async def why(
        self,
        record: Record,
        role: Annotated[str, Field(description="The role that acts.")],
        action: Annotated[str, Field(description="The action as a term, such as `buy(pope,hold)`.")],
        moves: Moves = None,
        board: Board = "",
    ) -> Answer:
        """Why an action is legal at that place, or all rules that it breaks, with the facts and the sources."""
        return await self._ask("why", record=record, role=role, action=action, moves=moves, board=board)

    async def check(
        self,
        record: Record,
        on_illegal: Annotated[
            str,
            Field(description="After an illegal move: stop, skip (leave it out) or force (carry it out)."),
        ] = "stop",
        board: Board = "",
    ) -> Answer:
        """Checks a recorded game: all faults with line, rule, reason and source; `ok` if there are none; the result."""
        return await self._ask("check", record=record, on_illegal=on_illegal, board=board)

    async def find(
        self,
        game: Game,
        query: Annotated[
            str,
            Field(
                description="Facts of the game's vocabulary separated by commas, such as `emperor(red), thalers(red,0)`."
            ),
        ],
        players: Players = 0,
        edition: Edition = "",
        options: Options = None,
        count: Annotated[
            int, Field(description="The largest number of positions.", ge=1, le=MOST_POSITIONS)
        ] = 1,
        seconds: Seconds = 60,
    ) -> Answer:
        """Valid positions in which a query holds. Verdicts: 'found'; 'none' (proved for these players, edition and rulings);
        'not decided'.

        A position that is found breaks no invariant. That does not mean that a game reaches it.
        """  # noqa: D205
        given = {"players": players, "edition": edition, "options": options or {}}
        return await self._ask("find", game=game, query=query, count=count, seconds=seconds, **given)

    async def prove(
        self,
        game: Game,
        claims: Annotated[
            list[str] | None, Field(description="Claims such as `never emperor(R), held(R,rival,1)`.")
        ] = None,
        invariants: Annotated[
            list[str] | None,
            Field(
                description="Names of invariants of the rulebook. If neither is given: all claims and invariants."
            ),
        ] = None,
        players: Players = 0,
        edition: Edition = "",
        options: Options = None,
        seconds: Seconds = 60,
    ) -> Answer:
        """Proves claims and invariants for all positions and moves. Each is 'proved', 'falls' (with a counterexample) or
        'not decided'.

        All invariants of a game take minutes, so name one, or a claim.
        """  # noqa: D205
        given = {"players": players, "edition": edition, "options": options or {}}
        return await self._ask(
            "prove", game=game, claims=claims or [], invariants=invariants or [], seconds=seconds, **given
        )

    async def compare(
        self,
        game: Game,
        first: Annotated[str, Field(description="An edition.")],
        second: Annotated[str, Field(description="Another edition.")],
        players: Players = 0,
        options: Options = None,
        seconds: Seconds = 60,
    ) -> Answer:
        """Where two editions differ: for each ruling 'different' with a position and a move, 'same', or 'not decided'."""
        given = {"players": players, "options": options or {}}
        return await self._ask("compare", game=game, first=first, second=second, seconds=seconds, **given)

    async def _ask(self, name: str, **data: Any) -> Answer:
        """The answer of the child process; ToolError with its message if it reports an error."""
        given = {key: value for key, value in data.items() if value is not None}
        message = json.dumps({"ask": name, "data": given}).encode("utf-8", "replace")
        status, body = await self._pool.ask(name, message)
        answer: Answer = json.loads(body)
        if status == 200:
            return answer
        if answer.get("open"):
            return {"verdict": NOT_DECIDED, "reason": str(answer["error"]).removeprefix("not decided: ")}
        raise ToolError(str(answer["error"]))


def server() -> MCPServer[Any]:
    """The server with its tools. When it ends, its child processes end."""
    pool = WorkerPool(questions=QUESTIONS, table=f"{__package__}.questions")

    @asynccontextmanager
    async def lifespan(_: MCPServer[Any]) -> AsyncIterator[None]:
        try:
            yield
        finally:
            await pool.end()

    found: MCPServer[Any] = MCPServer(
        "kaiser-logic", version=__version__, instructions=INSTRUCTIONS, lifespan=lifespan, log_level="WARNING"
    )
    tools = Assistant(pool)
    for name in QUESTIONS:
        call = getattr(tools, name)
        about = " ".join((call.__doc__ or "").split())
        found.add_tool(
            call,
            name=name,
            description=about + _OPEN,
            annotations=ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False),
        )
    return found


def run() -> None:
    """Answers requests on the standard streams until they are closed."""
    server().run("stdio")
