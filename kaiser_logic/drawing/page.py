"""Pages: the shell of every page, and the page of one position.

A page is one file that loads nothing, under a strict content security policy.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
from pathlib import Path
from typing import Final

from ..position import Position
from ..rules.phrases import phrases
from .image import picture_and_changes
from .scene import scene
from .svg.pen import FAMILY, escape, variables

STYLE: Final = f"\n{variables(':root')}\n" + Path(__file__).with_name("page.css").read_text(encoding="utf-8").replace(
    "FAMILY", FAMILY
)
"""The parts that all pages share."""


def page(title: str, body: str, style: str = "", script: str = "", data: str = "") -> str:
    """A whole page.

    Args:
        title: Its title; escaped here.
        body: The HTML of the body. The caller has escaped all texts in it.
        style: Additional style, after `STYLE`.
        script: The only script that may run, or nothing.
        data: The data for the script as JSON; it is compressed in the element ``data``.
    """
    sheet = STYLE + style
    policy = f"default-src 'none'; style-src '{_hash(sheet)}'; base-uri 'none'; form-action 'none'; img-src data:"
    policy += f"; script-src '{_hash(script)}'" if script else ""
    parts = [
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer">',
        f"<title>{escape(title)}</title><style>{sheet}</style></head><body>",
        body,
    ]
    if data:
        parts.append(f'<script type="application/gzip" id="data">{compress_text(data)}</script>')
    if script:
        parts.append(f"<script>{script}</script>")
    return "\n".join([*parts, "</body></html>\n"])


def compress_text(text: str) -> str:
    """A text, compressed by gzip, in base64. Pictures of many positions compress well."""
    return base64.b64encode(gzip.compress(text.encode("utf-8", "replace"), mtime=0)).decode("ascii")


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


# -- the page of one position -----------------------------------------------------------------------------------
#
# It shows the board in every layout, the last changes and all facts; with #board behind its address the board alone.


_LAYOUTS: Final = Path(__file__).with_name("position.css").read_text(encoding="utf-8")


def render(position: Position, before: Position | None = None, theme: str = "light", layout: str | None = None) -> str:
    """The position as a self-contained page in the viewer's preferred theme; ``theme`` has no effect."""
    book = position.ruleset.book
    words = phrases(book.folder)
    shown = scene(position)
    names = [layout] if layout is not None or shown is None else [one.name for one in shown.geometry.layouts]
    boards, lines = [], list[str]()
    title = book.title
    for i, name in enumerate(names):
        picture, lines = picture_and_changes(position, before, "auto", name)
        kind = "" if len(names) == 1 else "narrow" if i else "wide"
        boards.append(f'<div class="frame {kind}">{picture.svg("inline")}</div>')
        title = picture.title
    facts = "".join(f"<li>{escape(words.fact(f))}</li>" for f in book.sort_facts(position.facts))
    changes = "".join(f"<li>{escape(line)}</li>" for line in lines)
    body = f'<header><h1>{escape(title)}</h1><span class="soft">{escape(book.title)}</span></header><main>'
    body += f'<div id="board">{"".join(boards)}</div>'
    body += f'<section class="card"><h2>What changed</h2><ul>{changes}</ul></section>' if lines else ""
    body += f'<details class="card"><summary>All facts</summary><ul>{facts}</ul></details></main>'
    return page(f"{title} · {book.id}", body, _LAYOUTS)
