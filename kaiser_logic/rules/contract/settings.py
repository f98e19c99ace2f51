"""What the rules read of the manifest: rulings with their values, and start tags."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...errors import Finding
from ..places import nearest
from ..predicates import RULING
from .survey import Survey


def rulings(survey: Survey) -> Iterator[Finding]:
    """The kinds ``ruling`` and ``value``: ``ruling(Name,Value)`` has both from the manifest.

    >>> # goal(R,1) :- ruling(last_stnoe,wins).     goal(R,1) :- ruling(last_stone,win).
    """
    known = survey.book.rulings
    for use in survey.read.get(RULING, ()):
        (kind, name, *_), (other, value, *_) = use.atom.args
        if kind == "c" and name not in known:
            message = f"the manifest has no ruling '{name}'{nearest(name, known)}"
            yield survey.at(use.rule, "ruling", message, name)
        elif kind == "c" and other == "c" and value not in known[name].values:
            values = known[name].values
            message = f"the ruling '{name}' has no value '{value}'{nearest(value, values)}"
            yield survey.at(use.rule, "value", message, value)


def start_tags(survey: Survey) -> Iterator[Finding]:
    """The kind ``start``: ``start(Tag,Value)`` has a tag of the manifest, in lower case, and one of its values.

    >>> # init(turn(R)) :- start(empror,R).
    """
    tags: Mapping[str, Mapping[str, object]] = survey.book.manifest.get("tags", {})
    known = {name.lower(): tag["values"] for name, tag in tags.items()}
    for use in survey.read.get(("start", 2), ()):
        (kind, name, *_), (other, value, *_) = use.atom.args
        if kind != "c":
            continue
        values = known.get(name)
        if values is None:
            message = f"the manifest has no start tag '{name}'{nearest(name, known)}"
            yield survey.at(use.rule, "start", message, name)
        elif other == "c":
            allowed = survey.book.roles if values == "seats" else tuple(map(str, values))  # type: ignore[call-overload]
            if value not in allowed:
                message = f"the start tag '{name}' has no value '{value}'{nearest(value, allowed)}"
                yield survey.at(use.rule, "start", message, value)
