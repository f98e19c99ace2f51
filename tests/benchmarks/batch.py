"""Batches beside plain Python: ``python -m benchmarks.batch kaiser --players 4`` in the folder tests, after pip install.

All in one run, the processor's time, best of several; plain Python is the independent implementation in ``oracles``.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import resource
import time
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import kaiser_logic as kl


def best(call: Callable[[], object], times: int) -> float:
    """The processor's time of the quickest of some calls."""
    found = float("inf")
    for _ in range(times):
        start = time.process_time()
        call()
        found = min(found, time.process_time() - start)
    return found


def play_plainly(oracle: Callable[..., Any], start: frozenset[str], games: int, seed: int) -> None:
    """Random games by the plain implementation; sorted lists of what is legal, as it gives them."""
    random = Random(seed)
    for _ in range(games):
        game = oracle(start)
        while legal := game.legal():
            game.apply({role: random.choice(actions) for role, actions in legal.items()})


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--lanes", type=int, nargs="*", default=[2048, 16384])
    parser.add_argument("--positions", type=int, default=50_000)
    args = parser.parse_args()
    oracle = getattr(importlib.import_module(f"oracles.{args.game}"), args.game.capitalize()).from_facts
    if next(iter(inspect.signature(oracle).parameters)) == "board":
        positions = importlib.import_module(f"games.{args.game}.positions")
        oracle = partial(oracle, positions.board_text())
    game = kl.load(args.game, players=args.players)
    start, children = time.process_time(), resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    batch = game.batch()
    batch.stock.need(whole=True)
    spent = time.process_time() - start
    built = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - children
    print(f"circuits: {spent:.2f} s here, {built:.1f} s in children that build")
    print(
        f"not in circuits: {batch.refused or 'nothing'}{'; so all is native code' if batch.refused else ''}"
    )
    batch.play(64)
    games = 20
    plain = best(lambda: play_plainly(oracle, game.initial().facts, games, 1), args.times) / games
    print(f"plain Python: {1 / plain:.1f} games a second")
    for lanes in args.lanes:
        whole = best(lambda n=lanes: batch.play(n, 2, lanes=n), args.times) / lanes  # type: ignore[misc]
        print(f"batch, {lanes} lanes: {1 / whole:.0f} games a second, {plain / whole:.0f} times plain Python")
    packed = batch.sample(args.positions, 3)
    batch.legal_numbers(packed)
    some = [oracle(position.facts) for position in packed[:: max(1, len(packed) // 400)]]
    one = best(lambda: [position.legal() for position in some], args.times) / len(some)
    many = best(lambda: batch.legal_numbers(packed), args.times) / len(packed)
    total = len(batch.legal_numbers(packed)[1])
    print(f"legal(), plain Python: {1 / one:.0f} positions a second")
    print(
        f"legal_numbers, {len(packed)} positions, {total} actions: {1 / many:.0f} a second, {one / many:.0f} times"
    )
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    building = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"memory: {memory:.0f} MB, {building:.0f} MB in a child that builds")


if __name__ == "__main__":
    main()
