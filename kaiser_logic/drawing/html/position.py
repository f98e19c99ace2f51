"""The page of one position: its board in every layout, what changed, its facts."""

from __future__ import annotations

from ...position import Position
from ...rules.phrases import phrases
from ..image import pictured
from ..scene import scene
from ..svg.pen import escaped
from .page import page

_STYLE = """
.narrow{display:none}
@media(max-width:720px){.wide{display:none}.narrow{display:block}main{padding:8px 0}.card{border-radius:0}}
"""


def render(
    position: Position, before: Position | None = None, theme: str = "light", layout: str | None = None
) -> str:
    """The position as a self-contained page, in the viewer's preferred theme whatever ``theme`` says."""
    book = position.ruleset.book
    words = phrases(book.folder)
    shown = scene(position)
    names = [layout] if layout is not None or shown is None else [one.name for one in shown.geometry.layouts]
    boards, lines = [], list[str]()
    title = book.title
    for i, name in enumerate(names):
        picture, lines = pictured(position, before, "auto", name)
        kind = "" if len(names) == 1 else "narrow" if i else "wide"
        boards.append(f'<div class="frame {kind}">{picture.svg("inline")}</div>')
        title = picture.title
    facts = "".join(f"<li>{escaped(words.fact(f))}</li>" for f in book.ordered(position.facts))
    changes = "".join(f"<li>{escaped(line)}</li>" for line in lines)
    body = f'<header><h1>{escaped(title)}</h1><span class="soft">{escaped(book.title)}</span></header><main>'
    body += "".join(boards)
    body += f'<section class="card"><h2>What changed</h2><ul>{changes}</ul></section>' if lines else ""
    body += f'<details class="card"><summary>All facts</summary><ul>{facts}</ul></details></main>'
    return page(f"{title} · {book.id}", body, _STYLE)
