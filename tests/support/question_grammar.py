"""Questions for the servers, made from valid ones: most are valid, some have one part that is changed.

A seed determines the questions. `refused_by_reader` says whether an answer is that of the strict reader, the first check.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

from support.places import EXAMPLES, GAMES, facts_of, opened_record, place

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
_QUERIES = ("decision(R,_)", "not decision(red,_)", "seat(R,1)", "count{R : seat(R,_)} = 4", "")


def refused_by_reader(error: str) -> bool:
    return _FIRST_CHECK.search(error) is not None


def page_questions(count: int, seed: int) -> Iterator[Question]:
    random = Random(seed)
    for _ in range(count):
        name, moves = random.choice(GAMES)
        at = random.randrange(moves + 1)
        kind, data = random.choice(_PAGE)(place(name, at), name, at, random)
        yield kind, _perhaps_changed(data, random)


def tool_questions(count: int, seed: int) -> Iterator[Question]:
    """Questions of an assistant. Those about all positions are about the heap game, which is small."""
    random = Random(seed)
    for _ in range(count):
        kind, data = random.choice(_TOOLS)(random)
        yield kind, _perhaps_changed(data, random)


# -- valid questions -----------------------------------------------------------------------------------------


def _move(name: str, at: int, random: Random) -> list[str]:
    moves = opened_record(name)["moves"]
    return list(moves[at] if random.random() < 0.7 and at < len(moves) else random.choice(moves))


def _role(here: dict[str, Any], random: Random) -> str:
    deciding = [fact[9:].partition(",")[0] for fact in here["facts"] if fact.startswith("decision(")]
    return random.choice(deciding or ["red"])


def _touch(here: dict[str, Any], name: str, at: int, random: Random) -> Question:
    actions = [_move(name, at, random)[1] for _ in range(random.randrange(4))]
    return "touch", {**here, "role": _role(here, random), "actions": actions}


def _why_not(here: dict[str, Any], name: str, at: int, random: Random) -> Question:
    layout = opened_record(name)["game"]["layouts"][0]
    return "whynot", {**here, "role": _role(here, random), "area": random.choice(list(layout["areas"]))}


def _edit(here: dict[str, Any], name: str, at: int, random: Random) -> Question:
    facts = list(here["facts"])
    if random.random() < 0.7:
        facts[random.randrange(len(facts))] = _changed_term(random.choice(facts), random)
    return "edit", {"tags": here["tags"], "text": ". ".join(facts) + "."}


def _spots(here: dict[str, Any], name: str, at: int, random: Random) -> Question:
    fact, _, rest = random.choice(here["facts"]).partition("(")
    slots: list[Any] = rest[:-1].split(",") if rest and "(" not in rest else []
    if slots and random.random() < 0.6:
        slots[random.randrange(len(slots))] = None
    return "spots", {**facts_of(here), "name": fact, "slots": slots}


def _boards(here: dict[str, Any], name: str, at: int, random: Random) -> Question:
    states = [{"facts": here["facts"]} for _ in range(random.randrange(1, 3))]
    return "boards", {"tags": here["tags"], "states": states, "before": None}


def _query(here: dict[str, Any], name: str, at: int, random: Random) -> Question:
    query = random.choice([*_QUERIES, random.choice(here["facts"])])
    return "query", {"tags": here["tags"], "query": query, "cursor": random.randrange(len(query) + 1)}


def _start(here: dict[str, Any], name: str, at: int, random: Random) -> Question:
    return "start", {"tags": here["tags"][:1], "moves": random.randrange(6), "seed": random.randrange(99)}


def _open(here: dict[str, Any], name: str, at: int, random: Random) -> Question:
    files = [path for path in (EXAMPLES / "faults").glob("*.game") if path.stat().st_size < 3000]
    text = random.choice(sorted(files)).read_bytes().decode("utf-8", "replace")
    return "open", {"text": text, "illegal": random.choice(["stop", "skip", "force"])}


def _grep(here: dict[str, Any], name: str, at: int, random: Random) -> Question:
    moves = opened_record(name)["moves"][: random.randrange(4)]
    return "grep", {"text": _HEAP, "query": _heap_query(random), "line": random.choice([None, [], moves])}


_PAGE: tuple[Callable[[dict[str, Any], str, int, Random], Question], ...] = (
    _touch, _why_not, _edit, _spots, _boards, _query, _start, _open, _grep,
    lambda here, name, at, random: ("legal", here),
    lambda here, name, at, random: ("legend", here),
    lambda here, name, at, random: ("palette", here),
    lambda here, name, at, random: ("trays", facts_of(here)),
    lambda here, name, at, random: ("queries", {"tags": here["tags"]}),
    lambda here, name, at, random: ("line", {**here, "moves": [_move(name, at, random)]}),
    lambda here, name, at, random: ("random", {**here, "moves": 2, "seed": random.randrange(99)}),
    lambda here, name, at, random: ("why", {**here, "role": _role(here, random), "move": _move(name, at, random)[1]}),
    lambda here, name, at, random: ("preview", {**here, **dict(zip(("role", "action"), _move(name, at, random), strict=True))}),
    lambda here, name, at, random: ("example", {"file": name}),
    lambda here, name, at, random: ("examples", {}),
)  # fmt: skip

_HEAP = '[Game "heap"]\nred: take(3)\ngreen: take(2)\n'


def _record(random: Random) -> str:
    if random.random() < 0.6:
        return _HEAP
    name, _ = random.choice(GAMES)
    lines = (EXAMPLES / name).read_text(encoding="utf-8").splitlines()
    return "\n".join(lines[: random.randrange(12, 40)]) + "\n"


def _heap_query(random: Random) -> str:
    return random.choice(
        [
            "heap(1)",
            "heap(N), N < 4",
            "taken(red,N), took(green)",
            "heap(0), took(R)",
            "not took(R), seat(R,1)",
        ]
    )


_TOOLS: tuple[Callable[[Random], Question], ...] = (
    lambda random: ("games", {}),
    lambda random: ("rules", {"game": random.choice(["kaiser", "krone", "heap"]), "rule": random.choice(["", "take", "tile"])}),
    lambda random: ("legal", {"record": _record(random), "moves": random.choice([None, 0, 1])}),
    lambda random: ("why", {"record": _HEAP, "role": random.choice(["red", "green"]), "action": f"take({random.randrange(5)})"}),
    lambda random: ("check", {"record": _record(random), "on_illegal": random.choice(["stop", "skip", "force"])}),
    lambda random: ("grep", {"record": _record(random), "query": _heap_query(random), "context": random.randrange(2)}),
    lambda random: ("find", {"game": "heap", "query": _heap_query(random), "count": random.randrange(1, 3), "seconds": 5}),
    lambda random: ("prove", {"game": "heap", "claims": [f"never {_heap_query(random)}"], "seconds": 5}),
    lambda random: ("compare", {"game": "heap", "first": "standard", "second": "standard", "seconds": 5}),
)  # fmt: skip


# -- messages of editors -------------------------------------------------------------------------------------


def editor_messages(folder: Path, count: int, seed: int) -> Iterator[dict[str, Any]]:
    """Messages of an editor about the files of a rulebook, after the session has begun. Requests have an id."""
    random = Random(seed)
    files = sorted(path for path in folder.iterdir() if path.suffix in (".lp", ".toml"))
    for number in range(count):
        method, params, asks = random.choice(_EDITOR)(random.choice(files), random)
        message = {"method": method, "params": _perhaps_changed(params, random)}
        if random.random() < 0.03:
            message[random.choice(["method", "params", "jsonrpc", "x"])] = random.choice(_JUNK)
        yield {**message, "id": number} if asks else message


EditorMessage: TypeAlias = tuple[str, dict[str, Any], bool]


def _document(path: Path, random: Random) -> dict[str, Any]:
    other = ["http://x/y", "untitled:1", path.parent.as_uri(), f"{path.as_uri()}.gone"]
    return {"uri": random.choice(other) if random.random() < 0.1 else path.as_uri()}


def _at(path: Path, random: Random) -> dict[str, Any]:
    lines = path.read_text(encoding="utf-8").splitlines() or [""]
    number = random.randrange(len(lines) + 1)
    width = len(lines[number]) if number < len(lines) else 0
    return {"line": number, "character": random.randrange(width + 2)}


def _span(path: Path, random: Random) -> dict[str, Any]:
    ends = sorted((_at(path, random) for _ in range(2)), key=lambda one: (one["line"], one["character"]))
    return {"start": ends[0], "end": random.choice(ends)}


def _opened(path: Path, random: Random) -> EditorMessage:
    text = path.read_text(encoding="utf-8")
    text = _changed_term(text, random) if random.random() < 0.5 else text
    item = {"uri": path.as_uri(), "languageId": "clingo", "version": 1, "text": text}
    return "textDocument/didOpen", {"textDocument": item}, False


def _typed(path: Path, random: Random) -> EditorMessage:
    text = random.choice(["", "x", "heap", ".", "%", "\n", "😀", "r(X) :- X"])
    change = {"text": text} if random.random() < 0.2 else {"range": _span(path, random), "text": text}
    version = {**_document(path, random), "version": random.randrange(9)}
    return "textDocument/didChange", {"textDocument": version, "contentChanges": [change]}, False


def _of_file(kind: str, asks: bool) -> Callable[[Path, Random], EditorMessage]:
    return lambda path, random: (f"textDocument/{kind}", {"textDocument": _document(path, random)}, asks)


def _of_place(kind: str) -> Callable[[Path, Random], EditorMessage]:
    return lambda path, random: (
        f"textDocument/{kind}",
        {"textDocument": _document(path, random), "position": _at(path, random)},
        True,
    )


_EDITOR: tuple[Callable[[Path, Random], EditorMessage], ...] = (
    _opened, _typed, _typed, _of_file("didSave", False), _of_file("didClose", False), _of_file("documentSymbol", True),
    *[_of_place(kind) for kind in ("hover", "hover", "hover", "definition", "definition", "completion")],
    lambda path, random: ("workspace/symbol", {"query": random.choice(["", "take", path.stem])}, True),
    lambda path, random: (
        "workspace/didChangeWatchedFiles", {"changes": [{"uri": path.as_uri(), "type": random.randrange(1, 4)}]}, False
    ),
    lambda path, random: ("workspace/didDeleteFiles", {"files": [{"uri": path.as_uri()}]}, False),
    lambda path, random: (
        "workspace/didChangeConfiguration", {"settings": random.choice([{}, {"kaiser-logic": {"x": 1}}])}, False
    ),
    lambda path, random: ("$/cancelRequest", {"id": random.randrange(2000)}, False),
    lambda path, random: ("$/setTrace", {"value": random.choice(["off", "messages", "verbose"])}, False),
    lambda path, random: ("workspace/executeCommand", {"command": "x", "arguments": []}, True),
)  # fmt: skip


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
        return (
            text[:at]
            + random.choice(["(", ")", ",", "?", "X", "é", " ", ":", "\n", "0", "\u202e"])
            + text[at:]
        )
    word = random.choice(words)
    other = random.choice(words)[0]
    if word[0].isdigit():
        other = str(random.choice([0, 1, 2, 5, 99, 2**31, 10**12]))
    return text[: word.start()] + random.choice([other, word[0][:-1], word[0] + "a"]) + text[word.end() :]
