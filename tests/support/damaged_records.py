"""Records with random damage, and archives that are checked with and without circuits."""

import json
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

from kaiser_logic.batch.playout import playout, record
from kaiser_logic.engine.ruleset import tags_of
from kaiser_logic.game import Game
from kaiser_logic.notation.reading import build_record
from kaiser_logic.notation.record import Assertion, Item, Literal, Move, Record
from kaiser_logic.notation.syntax import parse_user_term
from kaiser_logic.position import Position
from kaiser_logic.records import batch_filter
from kaiser_logic.records.checking import check_many
from kaiser_logic.records.tags import record_of

KINDS = (
    "other", "role", "lost", "twice", "swapped", "open", "strange", "late", "result", "unknown fact", "block", "tag",
    "unreadable", "short", "number", "comment",
)  # fmt: skip
"""The kinds of damage to a record; not all of them make it faulty."""


def damaged(played: Record, kind: str, random: Random) -> str:
    """The text of a record with one kind of damage at a random place."""
    lines = str(played).splitlines()
    first = next(n for n, line in enumerate(lines) if not line) + 1
    moves = [n for n in range(first, len(lines)) if re.match("[a-z]", lines[n])]
    at = random.choice(moves)
    role, action = lines[at].split(": ", 1)
    other = lines[random.choice(moves)].split(": ", 1)
    match kind:
        case "other":
            lines[at] = f"{role}: {other[1]}"
        case "role":
            lines[at] = f"{other[0]}: {action}"
        case "lost":
            del lines[at]
        case "twice":
            lines.insert(at, lines[at])
        case "swapped":
            after = random.choice(moves)
            lines[at], lines[after] = lines[after], lines[at]
        case "open":
            lines[at] = random.choice([f"{role}: ?", f"{role}: {action.partition('(')[0]}(?)"])
        case "strange":
            lines[at] = random.choice([f"{role}: foo(bar)", f"nobody: {action}", f"{role}: {action.partition('(')[0]}"])
        case "late":
            lines.append(lines[at])
        case "result":
            lines.insert(1, f'[Result "{random.choice(["*", "", other[0], "red green", "nobody"])}"]')
            lines = [x for n, x in enumerate(lines) if n == 1 or not x.startswith("[Result")]
        case "unknown fact":
            lines.insert(at, random.choice(["assert { foo(bar). }", "assert { not foo. }", "assert { seat(?,1). }"]))
        case "tag":
            lines.insert(1, random.choice(['[Option "foo=bar"]', '[Seats "red"]', '[Edition "none"]', '[Event "?"]']))
        case "unreadable":
            lines[at] = random.choice(["red:", "}", f"{role}: {action}(", "red: 1"])
        case "short":
            del lines[at:]
        case "block":
            lines.insert(at, "position { seat(red,1). }")
        case "comment":
            lines.insert(at, f"% {action}")
        case "number":
            lines[at] = re.sub(r"\d+", lambda m: str(int(m[0]) + random.choice([-1, 1, 1000])), lines[at])
    return "\n".join([*lines, ""])


def asserting(game: Game, seed: int, number: int, random: Random, wrong: bool) -> Record:
    """A random game with assertions about facts at some places, also between simultaneous decisions."""
    items: list[Item] = []
    for position, taken in playout(game.evaluator, seed, number):
        for role, action in taken.items():
            if random.random() < 0.3:
                literals = tuple(Literal(True, parse_user_term(f)) for f in random.sample(sorted(position.facts), 1))
                items.append(Assertion(literals))
            items.append(Move(role, parse_user_term(str(action))))
    if wrong:
        at = random.randrange(len(items))
        first = random.choice(sorted(game.initial().facts))
        items.insert(at, Assertion((Literal(random.random() < 0.5, parse_user_term(first)),)))
    return build_record(list(tags_of(game.ruleset)), tuple(items))


def from_position(game: Game, number: int, random: Random) -> Record:
    """The end of a random game from a position on, with another position block at a random place."""
    whole = list(playout(game.evaluator, 1, number))
    first, again = (random.randrange(len(whole)) for _ in range(2))
    items: list[Item] = []
    for at, (position, taken) in enumerate(whole[first:], first):
        if at == max(again, first + 1):
            items += record_of(position).items
        items += (Move(role, parse_user_term(str(action))) for role, action in taken.items())
    return record_of(whole[first][0], items)


def archive(game: Game, folder: Path, random: Random, each: int = 3) -> int:
    """Writes records of random games, with each kind of damage some times; returns how many are undamaged."""
    folder.mkdir()
    texts = [str(record(game.evaluator, 1, n)) for n in range(6)]
    right = len(texts)
    for kind in KINDS * each:
        texts.append(damaged(record(game.evaluator, 1, random.randrange(40)), kind, random))
    texts += [str(from_position(game, n, random)) for n in range(4)]
    texts += [str(asserting(game, 1, n, random, wrong=n % 2 > 0)) for n in range(8)]
    for number, text in enumerate(texts):
        (folder / f"{number:03}.game").write_text(text, encoding="utf-8")
    return right


@contextmanager
def circuits(on: bool) -> Iterator[list[int]]:
    """Turns circuits on for archives of any size, or off; the list gets the number of legal records of each part.

    It does not get the numbers of other processes.
    """
    found: list[int] = []
    real = batch_filter.ends

    def counting(records: Sequence[Record | None]) -> list[Position | None]:
        ended = real(records)
        found.append(sum(end is not None for end in ended))
        return ended

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(batch_filter, "LEAST", 0 if on else 10**12)
        patch.setattr(batch_filter, "ends", counting)
        yield found


def same_reports(folder: Path, jobs: int = 1, **how: Any) -> int:
    """Compares the reports of an archive with and without circuits; returns how many records the circuits passed."""
    outcomes = []
    for on in (False, True):
        with circuits(on) as found:
            reports = list(check_many(folder, jobs, **how))
        outcomes.append([(str(r), json.dumps(r.as_json()), r) for r in reports])
        assert on or not any(found)
    for without, with_ in zip(*outcomes, strict=True):
        assert without == with_
    return sum(found)
