"""The shell of every page: one file that loads nothing, under a content security policy that lets nothing else in."""

from __future__ import annotations

import base64
import hashlib
import json
from typing import Any, Final

from ..svg.metrics import FAMILY
from ..svg.palette import variables
from ..svg.pen import escaped

STYLE: Final = f"""
{variables(":root")}
*{{box-sizing:border-box}}
body{{margin:0;background:var(--kl-page);color:var(--kl-ink);font:14px/1.45 {FAMILY}}}
header{{display:flex;flex-wrap:wrap;gap:4px 16px;align-items:baseline;padding:10px 16px;background:var(--kl-ground);
border-bottom:1px solid var(--kl-line)}}
h1{{font-size:17px;margin:0}}h2{{font-size:15px;margin:0 0 8px}}h3{{font-size:14px;margin:10px 0 4px}}
.soft{{color:var(--kl-soft)}}
main{{max-width:1240px;margin:0 auto;padding:14px 12px}}
.card{{background:var(--kl-cell);border:1px solid var(--kl-line);border-radius:7px;padding:10px 12px;margin:0 0 12px}}
.frame{{overflow-x:auto}}
svg{{display:block;max-width:none}}
code,pre{{font-family:"DejaVu Sans Mono",monospace;font-size:12.5px;overflow-wrap:anywhere;white-space:pre-wrap}}
table{{border-collapse:collapse;width:100%}}td,th{{text-align:left;padding:3px 8px 3px 0;vertical-align:top}}
:focus-visible{{outline:3px solid var(--kl-mark);outline-offset:1px}}
@media(forced-colors:active){{svg path,svg rect,svg circle{{forced-color-adjust:none}}}}
"""
"""What all pages have in common."""


def page(title: str, body: str, style: str = "", script: str = "", data: Any = None) -> str:
    """A whole page.

    Args:
        title: Its title; escaped here.
        body: HTML, in which every foreign text is escaped already.
        style: More style, besides `STYLE`.
        script: The only script that may run, or nothing.
        data: What the script finds as JSON in the element ``data``.
    """
    sheet = STYLE + style
    policy = (
        f"default-src 'none'; style-src '{_hash(sheet)}'; base-uri 'none'; form-action 'none'; img-src data:"
    )
    policy += f"; script-src '{_hash(script)}'" if script else ""
    parts = [
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{escaped(policy)}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer">',
        f"<title>{escaped(title)}</title><style>{sheet}</style></head><body>",
        body,
    ]
    if data is not None:
        parts.append(f'<script type="application/json" id="data">{embedded(data)}</script>')
    if script:
        parts.append(f"<script>{script}</script>")
    return "\n".join([*parts, "</body></html>\n"])


def embedded(data: Any) -> str:
    """JSON that may stand in a script element: it contains no markup."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text.encode("utf-8", "replace").decode("utf-8")


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"
