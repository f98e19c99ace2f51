"""What a game is configured with, checked against its rulebook: rulings, seats, start tags."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import WrongUsage
from ..rules.rulebook import Rulebook


def check_option(book: Rulebook, name: str, value: str) -> None:
    """WrongUsage where there is no such ruling, or it has no such value."""
    ruling = book.rulings.get(name)
    if ruling is None:
        raise WrongUsage(f"{book.id} has no ruling {name!r}; the rulings are: {', '.join(book.rulings)}")
    if value not in ruling.values:
        raise WrongUsage(f"{name} cannot be {value!r}; its values are: {', '.join(ruling.values)}")


def chosen_seats(book: Rulebook, seats: Sequence[str] | None, players: int | None = None) -> tuple[str, ...]:
    """These roles, or the rulebook's first ones; WrongUsage where they are none or so many cannot play."""
    numbers = book.manifest["players"]
    if seats is None:
        count = book.manifest["default_players"] if players is None else players
        chosen = book.roles[:count] if count in numbers else ()
    else:
        chosen = tuple(seats.split() if isinstance(seats, str) else seats)
        count = len(chosen)
    if count not in numbers or (players is not None and players != count):
        raise WrongUsage(
            f"{book.id} is played by {numbers[0]} to {numbers[-1]} players, not {players or count}"
        )
    unknown = [r for r in chosen if r not in book.roles]
    if unknown or len(set(chosen)) < len(chosen):
        raise WrongUsage(f"seats must be different ones of: {' '.join(book.roles)}; not: {' '.join(chosen)}")
    return chosen


def start_tags(
    book: Rulebook, seats: tuple[str, ...], given: Mapping[str, Any]
) -> dict[str, tuple[str, ...]]:
    """The values of all start tags, those given by their names in lower case; WrongUsage for one that cannot be."""
    tags: dict[str, tuple[str, ...]] = {}
    known = {name.lower(): tag for name, tag in book.manifest.get("tags", {}).items()}
    for name in given:
        if name not in known:
            raise WrongUsage(f"{book.id} has no start tag {name!r}; it has: {', '.join(known) or 'none'}")
    for name, tag in known.items():
        value = given.get(name)
        if value is None:
            value = seats[0] if tag["default"] == "first seat" else tag["default"]
        values = tuple(value.split()) if isinstance(value, str) else tuple(map(str, value))
        allowed = seats if tag["values"] == "seats" else tuple(map(str, tag["values"]))
        count = tag.get("count", 1)
        if len(values) != count or len(set(values)) < len(values) or not set(values) <= set(allowed):
            raise WrongUsage(f"{name} is {tag['about']}: {count} of {' '.join(allowed)}; not: {value}")
        tags[name] = values
    return tags
