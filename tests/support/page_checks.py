"""Checks of a page in the browser: contrast of texts and marks, names of controls, layout; of a picture: its texts.

Each check is a script of `page_checks.js` that returns a list of faults, so that a failing test shows the places.
"""

import re
from pathlib import Path
from typing import Any

from .browser import Browser

_PARTS = re.split(r"(?m)^// = (\w+).*\n", Path(__file__).with_suffix(".js").read_text(encoding="utf-8"))


def script(name: str, before: str = "") -> str:
    """A check as an expression; ``before``: another part that it needs."""
    parts = dict(zip(_PARTS[1::2], _PARTS[2::2], strict=True)) | {"": ""}
    return f"(()=>{{{parts[before]}{parts[name]}}})()"


_WANT_NAMES = (
    "button", "textbox", "searchbox", "combobox", "listbox", "spinbutton", "slider", "checkbox", "link", "tab",
    "tablist", "dialog", "image", "img", "group", "radiogroup", "navigation", "region", "list", "table",
)  # fmt: skip
_MAY_BE_NAMELESS = ("list", "table", "group", "region")
"""Landmarks and groups that the browser creates need no name; those with a role of ours have one."""


def pale_texts(tab: Browser) -> list[Any]:
    """Texts whose contrast is too small: text, colour, ground, ratio. It fails if it finds no texts at all."""
    found = tab.value(script("texts", "colours"))
    assert found["looked"] > 4
    return list(found["wrong"])


def pale_marks(tab: Browser) -> list[Any]:
    """Marks, borders and outlines whose contrast is too small."""
    found = tab.value(script("marks", "colours"))
    assert found["looked"] > 4
    return list(found["wrong"])


def broken_layout(tab: Browser) -> list[str]:
    """Elements that stick out of the page or overlap."""
    return list(tab.value(script("layout")))


def nameless(tab: Browser) -> list[str]:
    """The roles of controls that have no accessible name."""
    wanted = set(_WANT_NAMES) - set(_MAY_BE_NAMELESS)
    return [
        f"{node['role']['value']} {node.get('properties')}"
        for node in tab.ask("Accessibility.getFullAXTree")["nodes"]
        if not node["ignored"] and node["role"]["value"] in wanted and not node.get("name", {}).get("value")
    ]


def roleless(tab: Browser) -> list[str]:
    """Focusable elements without a role, or hidden from assistive technology."""
    return list(tab.value(script("roleless")))


def wrong_boxes(tab: Browser, svg: Path) -> list[str]:
    """Texts of a picture that touch the outline of their piece, stick out, overlap, or lie below a piece."""
    tab.open(svg.as_uri(), "document.readyState==='complete'")
    return list(tab.value(script("boxes")))
