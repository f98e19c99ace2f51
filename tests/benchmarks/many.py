"""Many positions at once: random games, legal actions, what it costs to build and to load; beside plain Python.

Nothing is kept beforehand: circuits are built in a folder of their own, by child processes.
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
"""So many random games are played by plain Python."""
SOME = 400
"""Of so many of the positions plain Python lists the legal actions."""


class Many(NamedTuple):
    """What a batch of a game takes.

    Attributes:
        game: Which, and how many play.
        by: By what: circuits or the compiled rules.
        plain: Seconds of plain Python for a random game.
        lanes: Seconds of the batch for a random game, with each number of lanes.
        one: Seconds of plain Python for the legal actions of a position.
        many: Seconds of the batch for them.
        built: Seconds for building, all processes together; nothing where there are no circuits.
        loaded: Seconds for loading what was built.
        memory: Megabytes at most, of this process or of one that builds, whichever has more.
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
    """Random games by the independent implementation; sorted lists of what is legal, as it gives them."""
    random = Random(seed)
    for _ in range(games):
        game = independent(initial)
        while legal := game.legal():
            game.apply({role: random.choice(actions) for role, actions in legal.items()})


def measured(game_id: str, players: int, times: int = 3) -> Many:
    """All of a game in this process, which has done nothing else and whose cache is empty."""
    game = kl.load(game_id, players=players)
    initial = game.initial()
    here, there = clock(), children()
    batch: Any = game.batch()
    batch.store.need(whole=True)
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
start = time.process_time(); batch = game.batch(); batch.store.need(whole=True); print(time.process_time() - start)
"""


def row(game_id: str, players: int, folder: str) -> Many:
    """What a batch of a game takes: measured in a process of its own, loaded in another one."""
    cache = f"{folder}/{game_id}{players}"
    name, by, whole, lanes, *rest = json.loads(run(("-c", _MEASURED.format(game_id, players)), cache))
    found = Many(name, by, whole, tuple(lanes), *rest)
    print(found, file=sys.stderr, flush=True)
    return found._replace(loaded=float(run(("-c", _LOADED.format(game_id, players)), cache)))


def shown(found: Many) -> list[str]:
    """The cells of its line."""
    games = [f"{ratio(found.plain / seconds)} ({seconds * 1000:.2f} ms)" for seconds in found.lanes]
    store = [f"{found.built:.0f} s", f"{found.loaded:.2g} s"] if found.built else ["", ""]
    listed = f"{ratio(found.one / found.many)} ({found.many * 1e6:.1f} µs)"
    plain, one, memory = f"{found.plain * 1000:.0f} ms", f"{found.one * 1e6:.0f} µs", f"{found.memory:.0f} MB"
    return [found.game, found.by, plain, *games, one, listed, *store, memory]


HEAD = (
    "game", "by", "a random game, plain", *[f"batch of {lanes:,}: times plain" for lanes in LANES],
    "legal actions, plain", f"batch of {POSITIONS:,}: times plain", "built in", "loaded in", "memory",
)  # fmt: skip
