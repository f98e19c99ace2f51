"""Questions for the servers, made from valid ones: most are valid, some have one part that is changed.

A seed determines the questions. `refused_by_reader` says whether an answer is that of the strict reader, the first check.
"""

import re
from collections.abc import Iterator
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
        kind, data = random.choice([*_of_page(*random.choice(GAMES), random)])
        yield kind, _perhaps_changed(data, random)


def tool_questions(count: int, seed: int) -> Iterator[Question]:
    """Questions of an assistant. Those about all positions are about the heap game, which is small."""
    random = Random(seed)
    for _ in range(count):
        kind, data = random.choice([*_of_tools(random)])
        yield kind, _perhaps_changed(data, random)


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


# -- valid questions -----------------------------------------------------------------------------------------


def _of_page(name: str, most: int, random: Random) -> Iterator[Question]:
    """Each question once, at a place of a record."""
    at, opened = random.randrange(most + 1), opened_record(name)
    here, moves = place(name, at), opened["moves"]
    tags, facts = here["tags"], here["facts"]
    deciding = [fact[9:].partition(",")[0] for fact in facts if fact.startswith("decision(")]
    role = random.choice(deciding or ["red"])

    def move() -> list[str]:
        """A move of the record, mostly that of the place."""
        return list(moves[at] if random.random() < 0.7 and at < len(moves) else random.choice(moves))

    yield from (("legal", here), ("legend", here), ("palette", here), ("trays", facts_of(here)))
    yield from (("queries", {"tags": tags}), ("examples", {}), ("example", {"file": name}))
    actions = [move()[1] for _ in range(random.randrange(4))]
    yield "touch", {**here, "role": role, "actions": actions}
    area = random.choice(list(opened["game"]["layouts"][0]["areas"]))
    yield "whynot", {**here, "role": role, "area": area}
    edited = [_changed_term(f, random) if random.random() < 1 / len(facts) else f for f in facts]
    yield "edit", {"tags": tags, "text": ". ".join(edited) + "."}
    fact, _, rest = random.choice(facts).partition("(")
    slots: list[Any] = rest[:-1].split(",") if rest and "(" not in rest else []
    if slots and random.random() < 0.6:
        slots[random.randrange(len(slots))] = None
    yield "spots", {**facts_of(here), "name": fact, "slots": slots}
    states = [{"facts": facts} for _ in range(random.randrange(1, 3))]
    yield "boards", {"tags": tags, "states": states, "before": None}
    query = random.choice([*_QUERIES, random.choice(facts)])
    yield "query", {"tags": tags, "query": query, "cursor": random.randrange(len(query) + 1)}
    yield "start", {"tags": tags[:1], "moves": random.randrange(6), "seed": random.randrange(99)}
    files = [path for path in (EXAMPLES / "faults").glob("*.game") if path.stat().st_size < 3000]
    text = random.choice(sorted(files)).read_bytes().decode("utf-8", "replace")
    yield "open", {"text": text, "illegal": random.choice(["stop", "skip", "force"])}
    line = random.choice([None, [], moves[: random.randrange(4)]])
    yield "grep", {"text": _HEAP, "query": random.choice(_HEAP_QUERIES), "line": line}
    yield "line", {**here, "moves": [move()]}
    yield "random", {**here, "moves": 2, "seed": random.randrange(99)}
    yield "why", {**here, "role": role, "move": move()[1]}
    yield "preview", {**here, **dict(zip(("role", "action"), move(), strict=True))}


_HEAP = '[Game "heap"]\nred: take(3)\ngreen: take(2)\n'
_HEAP_QUERIES = (
    "heap(1)", "heap(N), N < 4", "taken(red,N), took(green)", "heap(0), took(R)", "not took(R), seat(R,1)",
)  # fmt: skip


def _of_tools(random: Random) -> Iterator[Question]:
    """Each question once: about the heap game, or the beginning of another record."""
    lines = (EXAMPLES / random.choice(GAMES)[0]).read_text(encoding="utf-8").splitlines()
    record = _HEAP if random.random() < 0.6 else "\n".join(lines[: random.randrange(12, 40)]) + "\n"
    query, of_heap = random.choice(_HEAP_QUERIES), {"game": "heap", "seconds": 5}
    game, rule = random.choice(["kaiser", "krone", "heap"]), random.choice(["", "take", "tile"])
    yield from (("games", {}), ("rules", {"game": game, "rule": rule}))
    yield "legal", {"record": record, "moves": random.choice([None, 0, 1])}
    action = f"take({random.randrange(5)})"
    yield "why", {"record": _HEAP, "role": random.choice(["red", "green"]), "action": action}
    yield "check", {"record": record, "on_illegal": random.choice(["stop", "skip", "force"])}
    yield "grep", {"record": record, "query": query, "context": random.randrange(2)}
    yield "find", {**of_heap, "query": query, "count": random.randrange(1, 3)}
    yield "prove", {**of_heap, "claims": [f"never {query}"]}
    yield "compare", {**of_heap, "first": "standard", "second": "standard"}


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
