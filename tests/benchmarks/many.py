"""Measures batches of many positions against plain Python: random games, legal actions, building and loading circuits.

Child processes build the circuits in an empty cache folder.
"""

from __future__ import annotations

import json
import resource
import sys
from random import Random
from typing import Any, NamedTuple

from support.independent import independent

import kaiser_logic as kl

from .timing import children, clock, least, ratio, run

LANES = (2_048, 16_384)
POSITIONS = 50_000
GAMES = 20
"""The number of random games that plain Python plays."""
SOME = 400
"""The number of positions for which plain Python lists the legal actions."""


class Many(NamedTuple):
    """The cost of a batch for one game.

    Attributes:
        game: The game and the number of players.
        by: What evaluates the rules: circuits or the compiled rules.
        plain: Seconds for a random game in plain Python.
        lanes: Seconds for a random game in a batch, with each number of lanes.
        one: Seconds for the legal actions of a position in plain Python.
        many: Seconds for the legal actions of a position in a batch.
        built: Seconds for building the circuits, summed over all processes; 0 if there are no circuits.
        loaded: Seconds for loading the circuits.
        memory: Peak memory in megabytes of this process or of a child process, whichever is larger.
    """

    game: str
    by: str
    plain: float
    lanes: tuple[float, ...]
    one: float
    many: float
    built: float
    loaded: float
    memory: float


def play_plainly(initial: kl.Position, games: int, seed: int) -> None:
    """Plays random games with the independent implementation, which lists the legal actions in order."""
    random = Random(seed)
    for _ in range(games):
        game = independent(initial)
        while legal := game.legal():
            game.apply({role: random.choice(actions) for role, actions in legal.items()})


def measured(game_id: str, players: int, times: int = 3) -> Many:
    """Measures a game in this process, which must have done nothing else and have an empty cache."""
    game = kl.load(game_id, players=players)
    initial = game.initial()
    here, there = clock(), children()
    batch: Any = game.batch()
    batch.store.ensure(whole=True)
    built = clock() - here + children() - there
    batch.play(64)
    plain = least(lambda: play_plainly(initial, GAMES, 1), times) / GAMES
    lanes = tuple(least(lambda n=n: batch.play(n, 2, lanes=n), times) / n for n in LANES)  # type: ignore[misc]
    packed = batch.sample(POSITIONS, 3)
    batch.legal_numbers(packed)
    some = [independent(position) for position in packed[:: max(1, len(packed) // SOME)]]
    one = least(lambda: [position.legal() for position in some], times) / len(some)
    many = least(lambda: batch.legal_numbers(packed), times) / len(packed)
    used = max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    by = "compiled rules" if batch.refused else "circuits"
    name = f"{game_id}, {players} players"
    return Many(name, by, plain, lanes, one, many, 0 if batch.refused else built, 0, used / 1024)


_MEASURED = "import json; from tests.benchmarks.many import measured; print(json.dumps(measured({!r}, {})))"
_LOADED = """
import time, kaiser_logic as kl
game = kl.load({!r}, players={})
import kaiser_logic.batch.batch
start = time.process_time(); batch = game.batch(); batch.store.ensure(whole=True); print(time.process_time() - start)
"""


def row(game_id: str, players: int, folder: str) -> Many:
    """Measures a batch of a game in a new process, and loading its circuits in another one."""
    cache = f"{folder}/{game_id}{players}"
    name, by, whole, lanes, *rest = json.loads(run(("-c", _MEASURED.format(game_id, players)), cache))
    found = Many(name, by, whole, tuple(lanes), *rest)
    print(found, file=sys.stderr, flush=True)
    return found._replace(loaded=float(run(("-c", _LOADED.format(game_id, players)), cache)))


def shown(found: Many) -> list[str]:
    """The cells of its row."""
    games = [f"{ratio(found.plain / seconds)} ({seconds * 1000:.2f} ms)" for seconds in found.lanes]
    store = [f"{found.built:.0f} s", f"{found.loaded:.2g} s"] if found.built else ["", ""]
    listed = f"{ratio(found.one / found.many)} ({found.many * 1e6:.1f} µs)"
    plain, one, memory = f"{found.plain * 1000:.0f} ms", f"{found.one * 1e6:.0f} µs", f"{found.memory:.0f} MB"
    return [found.game, found.by, plain, *games, one, listed, *store, memory]


HEAD = (
    "game", "by", "a random game, plain", *[f"batch of {lanes:,}: times plain" for lanes in LANES],
    "legal actions, plain", f"batch of {POSITIONS:,}: times plain", "built in", "loaded in", "memory",
)  # fmt: skip
