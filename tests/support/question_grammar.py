"""Questions for the servers, made from valid ones: most are valid, some have one part that is changed.

A seed determines the questions. `refused_by_reader` says whether an answer is that of the strict reader, the first check.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

from support import EXAMPLES
from support.places import GAMES, place
from support.tables import rows

Question: TypeAlias = tuple[str, dict[str, Any]]

_CHANGED = 0.4
"""The share of questions in which one part is changed."""
_FIRST_CHECK = re.compile(
    r"no argument '|is missing$|must be (a text|a list|an object|a whole)|entries: at most|contains half a"
)
_JUNK: tuple[Any, ...] = (
    None, True, 0, -1, 1.5, 2**31, 10**30, "", " ", "x", "red", "f(?)", "f(" * 300, "1..9", "#script(lua)", "\ud800", "\u202ea",
    "a" * 5000, "9" * 400, [], [[]], [None], ["pass"], {}, {"a": {}}, [["red", "pass"]], "köln", "-1", "not x", ",", "%", '"',
    "\0",
)  # fmt: skip


def refused_by_reader(error: str) -> bool:
    return _FIRST_CHECK.search(error) is not None


PLACES = {name.partition("/")[0].replace("games", "kaiser"): (name, moves) for name, moves in GAMES}
TAGS = [["Game", "kaiser"]]
START = '[Game "kaiser"]\n'
GIVEN: dict[str, dict[str, Any]] = {
    "-": {}, "tags": {"tags": TAGS}, "text": {"text": START}, "record": {"record": START}, "game": {"game": "kaiser"},
    "heap": {"game": "heap"},
}  # fmt: skip
"""What a question has beside its arguments; or a place in a game: all of it, its `facts`, or these as a `text`."""


def asked(given: str, data: str) -> Any:
    """The whole question of a row."""
    its = json.loads(data)
    if not isinstance(its, dict):
        return its
    game, _, part = given.partition(" ")
    whole = GIVEN[given] if given in GIVEN else place(*PLACES[game])
    less, more = its.pop("facts-", []), its.pop("facts+", [])
    facts = [*(fact for fact in whole.get("facts", []) if fact not in less), *more]
    text = "".join(f"{fact}. " for fact in facts) + its.pop("text+", "")
    parts = {"facts": {"tags", "facts"}, "text": {"tags"}}.get(part, whole.keys())
    its = {k: (EXAMPLES / v[1:]).read_text("utf-8", "replace") if str(v)[:1] == "@" else v for k, v in its.items()}
    return (
        {**{k: whole[k] for k in parts}, **({"facts": facts} if "facts" in parts else {})}
        | ({"text": text} if part == "text" else {})
        | its
    )


def questions(of: str, count: int, seed: int) -> Iterator[Question]:
    """Questions of the page or of the assistant: those of the rows that are answered, changed or not."""
    random = Random(seed)
    valid = [row.values[1:4] for row in rows("answers/questions", "answered") if row.values[0] == of]
    for _ in range(count):
        kind, given, data = random.choice(valid)
        yield kind, _perhaps_changed(asked(given, data), random)


def editor_messages(folder: Path, count: int, seed: int) -> Iterator[dict[str, Any]]:
    """Messages of an editor about the files of a rulebook, after the session has begun. Requests have an id."""
    random = Random(seed)
    files = sorted(path for path in folder.iterdir() if path.suffix in (".lp", ".toml"))
    for number in range(count):
        method, params, *asks = random.choice([*_of_editor(random.choice(files), random)])
        message = {"method": method, "params": _perhaps_changed(params, random)}
        if random.random() < 0.03:
            message[random.choice(["method", "params", "jsonrpc", "x"])] = random.choice(_JUNK)
        yield {**message, "id": number} if asks else message


def _of_editor(path: Path, random: Random) -> Iterator[tuple[Any, ...]]:
    """Messages about a file: a method, what it is about, and True if it is a request."""
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines() or [""]

    def somewhere() -> dict[str, int]:
        number = random.randrange(len(lines) + 1)
        width = len(lines[number]) if number < len(lines) else 0
        return {"line": number, "character": random.randrange(width + 2)}

    other = ["http://x/y", "untitled:1", path.parent.as_uri(), f"{path.as_uri()}.gone"]
    uri = {"uri": random.choice(other) if random.random() < 0.1 else path.as_uri()}
    its = {"textDocument": uri}
    opened = _changed_term(text, random) if random.random() < 0.5 else text
    item = {"uri": path.as_uri(), "languageId": "clingo", "version": 1, "text": opened}
    yield "textDocument/didOpen", {"textDocument": item}
    start, end = sorted((somewhere() for _ in range(2)), key=lambda one: (one["line"], one["character"]))
    change: dict[str, Any] = {"text": random.choice(["", "x", "heap", ".", "%", "\n", "😀", "r(X) :- X"])}
    change |= {"range": {"start": start, "end": end}} if random.random() < 0.8 else {}
    changed = {"textDocument": {**uri, "version": random.randrange(9)}, "contentChanges": [change]}
    yield from (("textDocument/didChange", changed),) * 2
    yield from (("textDocument/didSave", its), ("textDocument/didClose", its))
    yield "textDocument/documentSymbol", its, True
    for kind in ("hover", "hover", "hover", "definition", "definition", "completion"):
        yield f"textDocument/{kind}", {**its, "position": somewhere()}, True
    yield "workspace/symbol", {"query": random.choice(["", "take", path.stem])}, True
    watched = {"changes": [{"uri": path.as_uri(), "type": random.randrange(1, 4)}]}
    yield "workspace/didChangeWatchedFiles", watched
    yield "workspace/didDeleteFiles", {"files": [{"uri": path.as_uri()}]}
    settings = random.choice([{}, {"kaiser-logic": {"x": 1}}])
    yield "workspace/didChangeConfiguration", {"settings": settings}
    yield "$/cancelRequest", {"id": random.randrange(2000)}
    yield "$/setTrace", {"value": random.choice(["off", "messages", "verbose"])}
    yield "workspace/executeCommand", {"command": "x", "arguments": []}, True


# -- changes -------------------------------------------------------------------------------------------------


def _perhaps_changed(data: dict[str, Any], random: Random) -> dict[str, Any]:
    if random.random() >= _CHANGED:
        return data
    if random.random() < 0.15:
        return {**data, random.choice(["claim", "Facts", "fact", "role ", "seed", "x"]): random.choice(_JUNK)}
    if not data:
        return data
    key = random.choice(list(data))
    if random.random() < 0.1:
        return {name: value for name, value in data.items() if name != key}
    return {**data, key: _changed(data[key], random)}


def _changed(value: Any, random: Random) -> Any:
    """A value with one change, mostly deep inside."""
    if random.random() < 0.12:
        return random.choice(_JUNK)
    if isinstance(value, str):
        return _changed_term(value, random)
    if isinstance(value, bool | None):
        return random.choice(_JUNK)
    if isinstance(value, int):
        return value + random.choice([-1, 1, 7, 10**6])
    if isinstance(value, dict):
        if not value:
            return {"x": 1}
        key = random.choice(list(value))
        return {**value, key: _changed(value[key], random)}
    some = list(value)
    at = random.randrange(len(some) + 1)
    if not some or random.random() < 0.15:
        return [*some[:at], *some[at : at + 1], *some[at:]]
    at = min(at, len(some) - 1)
    if random.random() < 0.2:
        return some[:at] + some[at + 1 :]
    return [*some[:at], _changed(some[at], random), *some[at + 1 :]]


def _changed_term(text: str, random: Random) -> str:
    """A text with one word, number or letter changed."""
    words = list(re.finditer(r"\w+", text))
    if not words or random.random() < 0.2:
        at = random.randrange(len(text) + 1)
        return text[:at] + random.choice("(),?Xé :\n0\u202e") + text[at:]
    word = random.choice(words)
    other = random.choice(words)[0]
    if word[0].isdigit():
        other = str(random.choice([0, 1, 2, 5, 99, 2**31, 10**12]))
    return text[: word.start()] + random.choice([other, word[0][:-1], word[0] + "a"]) + text[word.end() :]
