"""A record in a notebook: its page in a frame of its own, which may run its script and nothing else."""

from __future__ import annotations

from ..drawing.svg.pen import escaped
from ..notation.record import Record
from .pages import Told, render
from .story import story


def framed(record: Record) -> str:
    """The record's page in a sandboxed frame."""
    told = story(record)
    html = escaped(render([Told(told.report, told)]))
    return f'<iframe sandbox="allow-scripts" title="a record" width="100%" height="900" srcdoc="{html}"></iframe>'
