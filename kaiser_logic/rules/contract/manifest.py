"""Checks of the manifest ``game.toml``: its keys, their types, and the names in their values."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from ...errors import Finding
from ...lang.reader import lines_of
from ...lang.terms import LARGEST
from ...lang.unification import CONSTANTS, label
from ..places import nearest
from ..predicates import PUBLIC, RULING
from ..rulebook import UNREADABLE, means, misread
from .survey import Survey

_NAME: Final = re.compile(r"[a-z]\w*", re.ASCII)
_EXPORT: Final = re.compile(r"_*[a-z]\w*/\d+", re.ASCII)
_KEYS: Final = {
    "id": "a name", "title": "a text", "roles": "names", "players": "numbers", "default_players": "a number",
    "files": "texts", "editions": "a table of texts",
    "engine": "texts", "drawing": "a text", "picture": "texts", "exports": "texts", "bound": "a number", "tags": "a table",
    "rulings": "a table", "claims": "texts", "parts_of_turn": "names",
}  # fmt: skip
_REQUIRED: Final = ("id", "title", "roles", "players", "default_players", "files", "editions")
_RULING: Final = {"about": "a text", "values": "a table of texts", "source": "a table of texts"}
_KEYS_BESIDE_EDITIONS: Final = frozenset({*_RULING, "why", "never", "some"})
_TAG: Final = {
    "about": "a text", "values": '"seats" or a list', "default": "a value", "count": "a number",
    "sets": "a table of texts",
}  # fmt: skip


def _is_list(value: Any, of: Callable[[Any], bool]) -> bool:
    return isinstance(value, list) and bool(value) and all(map(of, value)) and len(set(value)) == len(value)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= LARGEST


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and _NAME.fullmatch(value) is not None and value != "not"


def _is_constant(value: str) -> bool:
    """Whether a value of a ruling or tag is read in a fact as it is written: a name, or a number of at most nine digits."""
    return _is_name(value) or re.fullmatch("0|[1-9][0-9]{0,8}", value) is not None


_IS: Final[Mapping[str, Callable[[Any], bool]]] = {
    "a name": _is_name,
    "a text": _is_text,
    "a number": _is_number,
    "names": lambda v: _is_list(v, _is_name),
    "texts": lambda v: v == [] or _is_list(v, _is_text),
    "numbers": lambda v: isinstance(v, list) and bool(v) and all(map(_is_number, v)) and v == sorted(v),
    "a table": lambda v: isinstance(v, dict) and all(isinstance(x, dict) for x in v.values()),
    "a table of texts": lambda v: isinstance(v, dict) and bool(v) and all(map(_is_text, v.values())),
    '"seats" or a list': lambda v: v == "seats" or _is_list(v, lambda x: _is_text(x) or _is_number(x)),
    "a value": lambda v: _is_text(v) or _is_number(v) or _is_list(v, lambda x: _is_text(x) or _is_number(x)),
}


_RECORD_TAGS: Final = frozenset({"game", "edition", "option", "seats", "players", "board", "engine", "result"})
"""Names that a start tag cannot have, in lower case: tags of all records, and settings."""
_TAG_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


class Manifest:
    """Checks one manifest; each finding is placed at its key."""

    def __init__(self, path: Path, text: str, content: Mapping[str, Any], shared: Sequence[str]) -> None:
        """``text`` and ``content`` are the file's; ``shared`` are the engine's files that a manifest can name."""
        self.path = path
        self.content = content
        self._lines = lines_of(text)
        self._shared = shared

    def findings(self) -> Iterator[Finding]:
        """The kinds ``manifest``, ``file``, ``drawing`` and ``engine``.

        >>> # players = 2     [edition]     default_players = 5     files = ["vocabulary", "paly"]
        """
        mistakes = [*self._keys("", self.content, _KEYS, _REQUIRED)]
        yield from mistakes
        if not mistakes:
            yield from self._players()
            yield from self._files()
            yield from self._rulings()
            yield from self._tags()

    def _keys(
        self, table: str, content: Mapping[str, Any], kinds: Mapping[str, str], required: Sequence[str]
    ) -> Iterator[Finding]:
        missing = [key for key in required if key not in content]
        for key in missing:
            hint = nearest(key, (k for k in content if k not in kinds))
            yield self._at(table, "", "manifest", f"{self._place_of(table)} lacks '{key}', {kinds[key]}{hint}")
        for key, value in content.items():
            if key not in kinds:
                message = f"{self._place_of(table)} has no key '{key}'{nearest(key, kinds)}"
                yield self._at(table, key, "manifest", message)
            elif not _IS[kinds[key]](value):
                yield self._wrong_type(table, key, kinds[key], value)

    def _wrong_type(self, table: str, key: str, wanted: str, value: Any) -> Finding:
        """The finding for a value of the wrong type.

        In a table of texts it is placed at the first value that is not a text. Such a key may belong to the manifest itself.
        """
        strange = [k for k, v in value.items() if not _is_text(v)] if isinstance(value, dict) else []
        if wanted == "a table of texts" and strange:
            inner = strange[0]
            below = key if not table else f"{table}.{key}"
            message = f"[{below}] is to be {wanted}: '{inner}' is {_short(value[inner])}"
            if inner in _KEYS:
                message = (
                    f"'{inner}' stands below [{below}], and is read as a part of it: write it above the first [table]"
                )
            return self._at(below, inner, "manifest", message)
        of = " (all different)" if wanted in ("names", "texts") else ""
        if "number" in wanted and not isinstance(value, str):
            of = f" (from 0 to {LARGEST})"
        return self._at(table, key, "manifest", f"'{key}' is to be {wanted}{of}, not {_short(value)}")

    def _players(self) -> Iterator[Finding]:
        content = self.content
        roles, players = content["roles"], content["players"]
        if "chance" in roles:
            yield self._at("", "roles", "manifest", "'chance' is a role of every game and must not be listed")
        if PUBLIC in roles:
            message = f"'{PUBLIC}' is who sees only what everybody sees, and no role"
            yield self._at("", "roles", "manifest", message)
        if players[-1] > len(roles) or players[0] < 1:
            message = f"from {players[0]} to {players[-1]} players, with {len(roles)} roles"
            yield self._at("", "players", "manifest", message)
        if content["default_players"] not in players:
            message = f"{content['default_players']} is not one of the numbers of players {_short(players)}"
            yield self._at("", "default_players", "manifest", message)
        for edition in content["editions"]:
            yield from self._name("editions", edition, "an edition", "a name such as en_us")
            if edition in _KEYS_BESIDE_EDITIONS:
                message = (
                    f"'{edition}' cannot name an edition: it is a key of rulings or headings, beside those of editions"
                )
                yield self._at("editions", edition, "manifest", message)
        if "standard" not in content["editions"]:
            hint = nearest("standard", content["editions"])
            yield self._at("editions", "", "manifest", f"there is no edition 'standard'{hint}")
        for export in content.get("exports", ()):
            if not _EXPORT.fullmatch(export):
                message = f"'{export}' is not a predicate with its number of arguments, such as \"power/3\""
                yield self._at("", "exports", "manifest", message, f'"{export}"')

    def _files(self) -> Iterator[Finding]:
        folder = self.path.parent
        existing = sorted(p.stem for p in folder.glob("*.lp"))
        listed_files = [("files", name) for name in self.content["files"]]
        listed_files += [("claims", name) for name in self.content.get("claims", ())]
        drawing = self.content.get("drawing")
        seen = [("drawing", drawing)] if drawing is not None else []
        seen += [("picture", name) for name in self.content.get("picture", ())]
        for key, name in [*listed_files, *seen]:
            if name not in existing:
                message = f"there is no file {name}.lp in the folder{nearest(name, existing)}"
                if "/" in name or "\\" in name:
                    message = (
                        f"'{name}' is no name of a file: all files lie in the folder itself, none in folders below it"
                    )
                elif name.removesuffix(".lp") in existing:
                    message = f"files are named without .lp: '{name.removesuffix('.lp')}'"
                what = "file" if key == "files" else "drawing"
                yield self._at("", key, what, message, f'"{name}"')
        for key, name in seen:
            if name in self.content["files"]:
                yield self._at("", key, "drawing", f"a {key} must not be listed in 'files' as well")
        for name in self.content.get("claims", ()):
            if name in self.content["files"]:
                message = f"claims are not rules: {name} must not be listed in 'files' as well"
                yield self._at("", "claims", "file", message, f'"{name}"')
        for name in self.content.get("engine", ()):
            if name not in self._shared:
                message = f"there is no shared file '{name}': {', '.join(self._shared)}{nearest(name, self._shared)}"
                yield self._at("", "engine", "engine", message, f'"{name}"')

    def _rulings(self) -> Iterator[Finding]:
        editions = self.content["editions"]
        for name, ruling in self.content.get("rulings", {}).items():
            table = f"rulings.{name}"
            yield from self._name(table, "", "a ruling", "a name such as tie_break", name)
            kinds = {**_RULING, **dict.fromkeys(editions, "a text")}
            mistakes = [*self._keys(table, ruling, kinds, ["about", "values", *editions])]
            yield from mistakes
            if mistakes:
                continue
            values = means(ruling["values"])
            yield from self._constants(table, values)
            for edition in editions:
                if ruling[edition] not in values:
                    message = f"'{ruling[edition]}' is no value of this ruling{nearest(ruling[edition], values)}"
                    yield self._at(table, edition, "manifest", message)
            for edition in ruling.get("source", ()):
                if edition not in editions:
                    message = f"there is no edition '{edition}'{nearest(edition, editions)}"
                    yield self._at(table, "source", "manifest", message, edition)
            for part in (part for text in ruling.get("source", {}).values() for part in misread(text)):
                yield self._at(table, "source", "source", f"'{part}' {UNREADABLE}", part)

    def _tags(self) -> Iterator[Finding]:
        for name, tag in self.content.get("tags", {}).items():
            table = f"tags.{name}"
            same = [n for n in self.content["tags"] if n.lower() == name.lower()]
            if name.lower() in _RECORD_TAGS or not _TAG_NAME.fullmatch(name) or len(same) > 1:
                message = (
                    f"{_short(name)} cannot be a start tag: it must be a word of its own, and no tag of all records"
                )
                yield self._at(table, "", "manifest", message)
            mistakes = [*self._keys(table, tag, _TAG, ["about", "values", "default"])]
            yield from mistakes
            values = tag.get("values")
            if mistakes:
                continue
            if values != "seats":
                yield from self._constants(table, map(str, values))
            count = tag.get("count", 1)
            allowed = [str(value) for value in (self.content["roles"] if values == "seats" else values)]
            chosen = {} if tag["default"] == "first seat" and values == "seats" else {"default": tag["default"]}
            for key, value in {**chosen, **tag.get("sets", {})}.items():
                given = value if isinstance(value, list) else str(value).split()
                wrong = [str(one) for one in given if str(one) not in allowed]
                if wrong or len(given) != count:
                    message = f"{_short(value)} is not {count} of {_short(allowed)}{nearest(wrong[0], allowed) if wrong else ''}"
                    yield self._at(table, "default" if key == "default" else "sets", "manifest", message)

    def _name(self, table: str, key: str, noun: str, such: str, name: str | None = None) -> Iterator[Finding]:
        """A name that no record could hold: such as en-US, 2nd or V1."""
        name = key if name is None else name
        if not _is_name(name):
            message = (
                f"{_short(name)} cannot name {noun}: records hold {such}, a small letter and then letters, digits and _"
            )
            yield self._at(table, key, "manifest", message)

    def _constants(self, table: str, values: Iterable[str]) -> Iterator[Finding]:
        """The values that no rule could name: such as -1, 007 or a word with a capital."""
        for value in values:
            if not _is_constant(value):
                wanted = "a name such as yes, or a number from 0 to 999999999"
                message = f"{_short(value)} cannot be a value: a value is {wanted}"
                yield self._at(table, "values", "manifest", message, value)

    @staticmethod
    def _place_of(table: str) -> str:
        return f"[{table}]" if table else "the manifest"

    def _at(self, table: str, key: str, what: str, message: str, word: str = "") -> Finding:
        """A finding at a key of a table, or at a word in its value; at the head of the table if the key is empty."""
        line, column = place_in_toml(self._lines, table, key, word)
        return Finding(str(self.path), line, column, what, message)


def place_in_toml(lines: Sequence[str], table: str, key: str, word: str = "") -> tuple[int, int]:
    """The line and column of a key, of a word in its value, or of a table; the first line if it is not found.

    >>> place_in_toml(['id = "heap"', '[editions]', 'standard = "x"'], "editions", "standard")
    (3, 1)
    """
    current, head, place = "", (1, 1), None
    for number, line in enumerate(lines, 1):
        header = re.match(r"\s*\[+\s*([^\]]+?)\s*\]", line)
        if header and (place is None or not line.startswith(" ")):
            if place is not None:
                break
            current = re.sub("[\"']", "", header[1])
            if current == table or (current == key and not table):
                head = (number, line.index("[") + 1)
            continue
        if place is None and current == table and re.match(rf"\s*[\"']?{re.escape(key)}[\"']?\s*=", line) and key:
            place = (number, len(line) - len(line.lstrip()) + 1)
        if place is not None:
            if word in line:
                return (number, line.index(word) + 1) if word else place
            if number > place[0] and re.match(r"\s*\w+\s*=", line):
                break
    return place or head


def _short(value: Any) -> str:
    """A value as a message shows it."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


# -- settings ------------------------------------------------------------------------------------------------
#
# The rules read rulings with their values, and start tags, from the manifest.


def rulings(survey: Survey) -> Iterator[Finding]:
    """The kinds ``ruling`` and ``value``: ``ruling(Name,Value)`` has a ruling of the manifest and one of its values.

    >>> # goal(R,1) :- ruling(last_stnoe,wins).     goal(R,1) :- ruling(last_stone,win).
    """
    rulings = survey.book.rulings
    for use in survey.read.get(RULING, ()):
        ruling, setting = use.atom.args
        name, value = label(ruling), label(setting)
        if not isinstance(ruling, CONSTANTS):
            continue
        if name not in rulings:
            message = f"the manifest has no ruling '{name}'{nearest(name, rulings)}"
            yield survey.at(use.rule, "ruling", message, name)
        elif isinstance(setting, CONSTANTS) and value not in rulings[name].values:
            values = rulings[name].values
            message = f"the ruling '{name}' has no value '{value}'{nearest(value, values)}"
            yield survey.at(use.rule, "value", message, value)


def start_tags(survey: Survey) -> Iterator[Finding]:
    """The kind ``start``: ``start(Tag,Value)`` has a tag of the manifest, in lower case, and one of its values.

    >>> # init(turn(R)) :- start(empror,R).
    """
    tags: Mapping[str, Mapping[str, object]] = survey.book.manifest.get("tags", {})
    values_of = {name.lower(): tag["values"] for name, tag in tags.items()}
    for use in survey.read.get(("start", 2), ()):
        tag, setting = use.atom.args
        name, value = label(tag), label(setting)
        if not isinstance(tag, CONSTANTS):
            continue
        values = values_of.get(name)
        if values is None:
            message = f"the manifest has no start tag '{name}'{nearest(name, values_of)}"
            yield survey.at(use.rule, "start", message, name)
        elif isinstance(setting, CONSTANTS):
            allowed = survey.book.roles if values == "seats" else tuple(map(str, values))  # type: ignore[call-overload]
            if value not in allowed:
                message = f"the start tag '{name}' has no value '{value}'{nearest(value, allowed)}"
                yield survey.at(use.rule, "start", message, value)
