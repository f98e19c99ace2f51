"""The tags by which a record says under which rules it was played."""

from __future__ import annotations

from collections.abc import Iterator

from .ruleset import Ruleset


def tags_of(rules: Ruleset, board: str | None = None) -> Iterator[tuple[str, str]]:
    """The tags of a record under these rules; ``board``: its board file's name as seen from the record."""
    configuration = rules.configuration
    yield "Game", rules.id
    yield "Edition", configuration.edition
    for name, value in configuration.changed:
        yield "Option", f"{name}={value}"
    yield "Seats", " ".join(configuration.seats)
    start = dict(configuration.start)
    for name in rules.book.manifest.get("tags", {}):
        if name.lower() in start:
            yield name, " ".join(start[name.lower()])
    if board is not None:
        yield "Board", board
