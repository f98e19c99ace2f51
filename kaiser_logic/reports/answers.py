"""The answers to a query as one page: the query, and each position with its board, reasons and facts."""

from __future__ import annotations

from collections.abc import Sequence

from ..drawing.image import pictured
from ..drawing.page import page
from ..drawing.svg.pen import escaped
from ..game import Found, Game
from ..records.tags import record_of


def render(game: Game, query: str, words: str, found: Found, origins: Sequence[str], presupposed: str) -> str:
    """The page of a query's answers.

    Args:
        game: The game.
        query: The query.
        words: The query in English.
        found: The answers.
        origins: For each answer whether the position is reachable, and how.
        presupposed: The players, edition and invariants that the answers assume.
    """
    title = words[:1].upper() + words[1:] if words else query
    more = "there is no other (proved)" if found.exhausted else ""
    notes = ". ".join(filter(None, (found.note, found.reason, more)))
    body = [
        f'<header><h1>{escaped(title)}</h1><span class="soft">{escaped(game.book.title)}, {escaped(presupposed)}</span>',
        f"</header><main><p><code>{escaped(query)}</code></p>",
        f"<p>{escaped(notes)}</p>" if notes else "",
    ]
    for number, (position, origin) in enumerate(zip(found.positions, origins, strict=True)):
        picture, _ = pictured(position, None, "auto", None)
        why = [*found.because[number : number + 1], *found.differs[number : number + 1]]
        words_of = "".join(f"<p>{escaped(text)}</p>" for text in why if text)
        body.append(
            f'<section class="card"><h2>{escaped(picture.title)}</h2>{words_of}<p class="soft">{escaped(origin)}</p>'
            f'<div class="frame">{picture.svg("inline")}</div>'
            f"<details><summary>as a record</summary><pre>{escaped(str(record_of(position)))}</pre></details></section>"
        )
    return page(f"{query} · {game.id}", "".join([*body, "</main>"]))
