"""Configurations: edition, rulings, seats, start tags and board, checked against the rulebook."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, product
from pathlib import Path
from typing import Any, Final, NamedTuple

from ..errors import WrongUsage
from ..notation.terms import Term
from ..rules.names import did_you_mean
from ..rules.rulebook import DEFAULT_EDITION, Rulebook

_STARTS: Final = 12
"""The largest number of combinations of start tags in `Configuration.starts`."""
ENGINES: Final = ("compiled", "clingo")
"""The ways to evaluate a given position; the first one is the default."""


@dataclass(frozen=True)
class Configuration:
    """Everything that the rules in force depend on. Immutable, hashable, cheap to send to another process.

    Attributes:
        source: The game's id, or the folder of its rulebook.
        edition: The edition whose rulings hold.
        seats: The roles clockwise.
        changed: The rulings that have another value than in the edition, by name.
        start: The start tags' values, e.g. ``(("emperor", ("red",)),)``.
        board: The facts of a board file, or empty.
        engine: The way to evaluate given positions: ``compiled``, or ``clingo``, which tests compare with it.
        board_file: The path of the board file, if it is known. It makes no difference to the rules, so it is not compared.
        book: The folder of the rulebook and a hash of its files; empty until :func:`.ruleset.ruleset_of` reads the rulebook.
    """

    source: str | Path
    edition: str
    seats: tuple[str, ...]
    changed: tuple[tuple[str, str], ...] = ()
    start: tuple[tuple[str, tuple[str, ...]], ...] = ()
    board: tuple[Term, ...] = ()
    engine: str = ENGINES[0]
    board_file: str | None = field(default=None, compare=False, repr=False)
    book: tuple[str, str] = field(default=("", ""), repr=False)

    def options(self, book: Rulebook) -> dict[str, str]:
        """The values of all rulings in force, by name."""
        changed = dict(self.changed)
        return {n: changed.get(n, r.by_edition[self.edition]) for n, r in book.rulings.items()}

    def given_facts(self, book: Rulebook) -> tuple[Term, ...]:
        """The facts that the configuration adds to the rules: seat/2, ruling/2, start/2 and board/1."""
        seats = [Term.make("seat", r, i) for i, r in enumerate(self.seats, 1)]
        rulings = [Term.make("ruling", n, _atomic(v)) for n, v in self.options(book).items()]
        start = [Term.make("start", tag, _atomic(v)) for tag, values in self.start for v in values]
        return (*seats, *rulings, *start, *(Term("board", (fact,)) for fact in self.board))

    def with_ruling(self, name: str, value: str) -> Configuration:
        """The configuration with one ruling changed."""
        return replace(self, changed=tuple(sorted({**dict(self.changed), name: value}.items())))

    def with_seats(self, book: Rulebook, seats: tuple[str, ...]) -> Configuration:
        """The configuration with other seats.

        A start tag about seats gets its default if it had the default of the old seats, or names a role that is missing.
        """
        about_seats = {name.lower() for name, tag in _tags(book).items() if tag["values"] == "seats"}
        before = dict(self.default_start(book))
        kept = {
            tag: " ".join(values)
            for tag, values in self.start
            if tag not in about_seats or (values != before.get(tag) and set(values) <= set(seats))
        }
        start = tuple(sorted((t, v) for t, v in _start_tags(book, seats, kept) if not isinstance(v, str)))
        return replace(self, seats=seats, start=start)

    def default_start(self, book: Rulebook) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """The default values of the start tags with these seats."""
        return tuple((t, v) for t, v in _start_tags(book, self.seats, {}) if not isinstance(v, str))

    def other_start(self, book: Rulebook) -> str:
        """The start tags with other values than the default, as text to append: ``, emperor=red``; empty without them."""
        default = set(self.default_start(book))
        return "".join(f", {tag}={' '.join(values)}" for tag, values in self.start if (tag, values) not in default)

    def starts(self, book: Rulebook, most: int = _STARTS) -> Iterator[Configuration]:
        """Yields this configuration, then those with other values of the start tags that have one value."""
        values = []
        for tag, chosen in self.start:
            about = next(t for name, t in _tags(book).items() if name.lower() == tag)
            allowed = self.seats if about["values"] == "seats" else tuple(map(str, about["values"]))
            values.append([(tag, chosen), *((tag, (v,)) for v in allowed if len(chosen) == 1 and (v,) != chosen)])
        return (replace(self, start=start) for start in islice(product(*values), most))


class SettingProblem(NamedTuple):
    """A wrong setting.

    Attributes:
        setting: ``edition``, ``option``, ``seats`` or ``start``.
        name: The name of an option or a start tag, in lower case; otherwise empty.
        message: The message for the user.
    """

    setting: str
    name: str
    message: str


def configure(
    book: Rulebook,
    source: str | Path,
    *,
    edition: str = DEFAULT_EDITION,
    options: Mapping[str, str] | None = None,
    seats: Sequence[str] | None = None,
    players: int | None = None,
    start: Mapping[str, Any] | None = None,
    board: tuple[Term, ...] = (),
) -> tuple[Configuration, tuple[SettingProblem, ...]]:
    """Makes a configuration from settings; a wrong setting is reported and replaced by its default.

    Args:
        book: The game's rulebook.
        source: The game's id, or the folder of the rulebook.
        edition: One of the rulebook's editions.
        options: The values of single rulings, by name.
        seats: The roles clockwise; by default the rulebook's first ones.
        players: The number of players, if no seats are given.
        start: Start tags by their names in lower case.
        board: The facts of a board file.

    Returns:
        The configuration, and the wrong settings.
    """
    source = source.absolute() if isinstance(source, Path) else source  # the current folder may change
    problems = []
    if edition not in book.editions:
        known = ", ".join(book.editions)
        problems.append(
            SettingProblem("edition", "", f"{book.id} has no edition {edition!r}; the editions are: {known}")
        )
        edition = DEFAULT_EDITION
    changed = {}
    for name, value in (options or {}).items():
        objection = _option_problem(book, name, value)
        if objection:
            problems.append(SettingProblem("option", name, objection))
        elif value != book.rulings[name].by_edition[edition]:
            changed[name] = value
    try:
        chosen = chosen_seats(book, seats, players)
    except WrongUsage as error:
        problems.append(SettingProblem("seats", "", str(error)))
        chosen = chosen_seats(book, None)
    tags: dict[str, tuple[str, ...]] = {}
    for name, values_or_problem in _start_tags(book, chosen, start or {}):
        if isinstance(values_or_problem, str):
            problems.append(SettingProblem("start", name, values_or_problem))
        else:
            tags[name] = values_or_problem
    stated = tuple(sorted(tags.items()))
    configuration = Configuration(source, edition, chosen, tuple(sorted(changed.items())), stated, board)
    return configuration, tuple(problems)


def _option_problem(book: Rulebook, name: str, value: str) -> str:
    """The message about an unknown ruling or value; empty if there is no mistake."""
    ruling = book.rulings.get(name)
    if ruling is None:
        return f"{book.id} has no ruling {name!r}; the rulings are: {', '.join(book.rulings)}"
    if value not in ruling.values:
        return f"{name} cannot be {value!r}; its values are: {', '.join(ruling.values)}"
    return ""


def chosen_seats(book: Rulebook, seats: Sequence[str] | None, players: int | None = None) -> tuple[str, ...]:
    """The given seats, or the rulebook's first roles.

    Raises:
        WrongUsage: A role does not exist or occurs twice, or the game is not for so many players.
    """
    numbers = book.manifest["players"]
    if seats is None:
        count = book.manifest["default_players"] if players is None else players
        chosen = book.roles[:count] if count in numbers else ()
    else:
        chosen = tuple(seats.split() if isinstance(seats, str) else seats)
        count = len(chosen)
    if count not in numbers or (players is not None and players != count):
        raise WrongUsage(f"{book.id} is played by {numbers[0]} to {numbers[-1]} players, not {players or count}")
    unknown = [r for r in chosen if r not in book.roles]
    if unknown or len(set(chosen)) < len(chosen):
        hint = did_you_mean(book.folder, unknown[0], book.roles) if unknown else ""
        raise WrongUsage(f"seats must be different ones of: {' '.join(book.roles)}; not: {' '.join(chosen)}{hint}")
    return chosen


def _tags(book: Rulebook) -> Mapping[str, Mapping[str, Any]]:
    """The start tags that the manifest declares."""
    return dict(book.manifest.get("tags", {}))


def _start_tags(
    book: Rulebook, seats: tuple[str, ...], given: Mapping[str, Any]
) -> Iterator[tuple[str, tuple[str, ...] | str]]:
    """Yields the values of each start tag; for a wrong value a message, and then the default values."""
    known = {name.lower(): tag for name, tag in _tags(book).items()}
    for name in given:
        if name not in known:
            yield name, f"{book.id} has no start tag {name!r}; it has: {', '.join(known) or 'none'}"
    for name, tag in known.items():
        default = seats[0] if tag["default"] == "first seat" else tag["default"]
        allowed = seats if tag["values"] == "seats" else tuple(map(str, tag["values"]))
        count = tag.get("count", 1)
        sets = {set_name.casefold(): chosen for set_name, chosen in tag.get("sets", {}).items()}
        for value in (given.get(name), default):
            if value is None:
                continue
            value = sets.get(value.casefold(), value) if isinstance(value, str) else value
            values = tuple(map(str, value)) if isinstance(value, (list, tuple)) else tuple(str(value).split())
            if len(values) == count == len(set(values)) and set(values) <= set(allowed):
                yield name, values
                break
            alternatives = f", or one of {', '.join(tag['sets'])}" if sets else ""
            yield (
                name,
                f"{name} is {tag['about']}: {count} of {' '.join(allowed)}{alternatives}; not: {value}",
            )


def _atomic(value: str) -> int | str:
    """The value of a tag or ruling in a fact: a number if it consists of digits."""
    return int(value) if value.isdigit() else value
