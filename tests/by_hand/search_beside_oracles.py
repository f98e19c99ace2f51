"""`kaiser-logic grep` beside plain Python: random games of the independent implementations, five questions for each game.

``python tests/by_hand/search_beside_oracles.py GAME GAMES FOLDER`` plays the games, writes a record of each into the folder,
asks the questions by the command, and prints a line for each: the places, whether both agree, and the seconds.
It ends with 1 where they differ.
"""

from __future__ import annotations

import random
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import TypeAlias

sys.path.insert(0, str(Path(__file__).parents[1]))
from support.independent import independent

import kaiser_logic as kl
from kaiser_logic.rules.loader import rulebook

Moment: TypeAlias = tuple[frozenset[str], Mapping[str, tuple[str, ...]]]


def terms(facts: Iterable[str], name: str) -> Iterator[list[str]]:
    """The arguments of the facts of a name that have no brackets in them."""
    for fact in facts:
        if (match := re.fullmatch(rf"{name}\(([^()]*)\)", fact)) is not None:
            yield match[1].split(",")


def numbers(facts: Iterable[str], name: str) -> dict[str, int]:
    """A number for each role, from facts such as ``points(red,3)``."""
    return {role: int(number) for role, number in terms(facts, name)}


def decides(facts: Iterable[str], kind: str) -> int:
    """How many roles have to decide about this."""
    return sum(found == [role, kind] for found in terms(facts, "decision") for role in found[:1])


def acts(legal: Mapping[str, tuple[str, ...]], name: str) -> bool:
    """Whether an action of the name is legal for anybody."""
    return any(action.split("(")[0] == name for actions in legal.values() for action in actions)


QUESTIONS: dict[str, dict[str, Callable[[Moment], bool]]] = {
    "kaiser": {
        "emperor(R), thalers(R,0), not elector(_,R,_,_)": lambda m: any(
            numbers(m[0], "thalers")[r] == 0 and all(e[1] != r for e in terms(m[0], "elector"))
            for (r,) in terms(m[0], "emperor")
        ),
        "elector(E,R,35,couple), city(E,Q,2), Q != R": lambda m: any(
            e == c[0] and c[2] == "2" and c[1] != r and (age, rank) == ("35", "couple")
            for e, r, age, rank in terms(m[0], "elector")
            for c in terms(m[0], "city")
        ),
        "sum{N,R : points(R,N)} > 100": lambda m: sum(numbers(m[0], "points").values()) > 100,
        "legal(_,pass), round(N), N > 3": lambda m: (
            acts(m[1], "pass") and any(int(n) > 3 for (n,) in terms(m[0], "round"))
        ),
        "phase(over), count{R : points(R,N), N > 40} = 0": lambda m: (
            ["over"] in terms(m[0], "phase") and all(n <= 40 for n in numbers(m[0], "points").values())
        ),
    },
    "krone": {
        "king(R), shield(F,R), castle(F), not decision(R,_)": lambda m: any(
            r == owner and [f] in terms(m[0], "castle") and all(d[0] != r for d in terms(m[0], "decision"))
            for (r,) in terms(m[0], "king")
            for f, owner in terms(m[0], "shield")
        ),
        "count{R : points(R,N), N >= 5} >= 2": lambda m: (
            sum(n >= 5 for n in numbers(m[0], "points").values()) >= 2
        ),
        "legal(_,pass)": lambda m: acts(m[1], "pass"),
        "decision(R,K), points(R,N), points(Q,M), M > N+3": lambda m: any(
            n > numbers(m[0], "points").get(d[0], 10**9) + 3
            for d in terms(m[0], "decision")
            for n in numbers(m[0], "points").values()
        ),
        "phase(over)": lambda m: ["over"] in terms(m[0], "phase"),
    },
    "staufer": {
        "count{R : points(R,N), N > 10} >= 2": lambda m: (
            sum(n > 10 for n in numbers(m[0], "points").values()) >= 2
        ),
        "decision(R,K), points(R,0)": lambda m: any(
            numbers(m[0], "points").get(d[0]) == 0 for d in terms(m[0], "decision")
        ),
        "legal(_,pass)": lambda m: acts(m[1], "pass"),
        "round(2), sum{N,R : points(R,N)} < 20": lambda m: (
            ["2"] in terms(m[0], "round") and sum(numbers(m[0], "points").values()) < 20
        ),
        "phase(over)": lambda m: ["over"] in terms(m[0], "phase"),
    },
    "vive": {
        "points(R,N), points(Q,M), M > N+20": lambda m: (
            bool(p := numbers(m[0], "points").values()) and max(p) > min(p) + 20
        ),
        "legal(_,stop)": lambda m: acts(m[1], "stop"),
        "count{R : decision(R,_)} >= 2": lambda m: len({d[0] for d in terms(m[0], "decision")}) >= 2,
        "sum{N,R : points(R,N)} > 30, decision(Q,_)": lambda m: (
            sum(numbers(m[0], "points").values()) > 30 and any(terms(m[0], "decision"))
        ),
        "phase(over)": lambda m: ["over"] in terms(m[0], "phase"),
    },
}


def play(name: str, seed: int) -> tuple[str, list[tuple[int, Moment]]]:
    """A random game with any seats: its record, and each position with the number of moves before it."""
    rng = random.Random(seed)
    players = rng.choice(rulebook(name).manifest["players"])
    game = kl.load(name, players=players)
    oracle = independent(game.initial(), "")
    lines, course = [f'[Game "{name}"]', f'[Seats "{" ".join(game.seats)}"]'], []
    head = len(lines)
    for facts, legal, chosen in import_module(f"oracles.{name}").random_game(oracle, rng):
        course.append((len(lines) - head, (facts, legal)))
        lines += [f"{role}: {action}" for role, action in chosen.items()]
    course.append((len(lines) - head, (oracle.facts(), oracle.legal())))
    return "\n".join([*lines, ""]), course


def main(name: str, games: int, folder: Path) -> int:
    """Plays, asks and compares."""
    folder.mkdir(parents=True, exist_ok=True)
    wanted: dict[str, list[str]] = {question: [] for question in QUESTIONS[name]}
    positions = 0
    for seed in range(games):
        record, course = play(name, seed)
        path = folder / f"{seed:05}.game"
        path.write_text(record, encoding="utf-8")
        positions += len(course)
        for question, holds in QUESTIONS[name].items():
            wanted[question] += [f"{path}@{moves}" for moves, moment in course if holds(moment)]
    print(f"{name}: {games} games, {positions} positions", flush=True)
    worst = 0
    for question, places in wanted.items():
        before = time.monotonic()
        command = ["kaiser-logic", "grep", question, str(folder)]
        printed = subprocess.run(command, capture_output=True, text=True, check=False)
        seconds = time.monotonic() - before
        given = [line.split(": ")[0] for line in printed.stdout.splitlines()]
        same = list(dict.fromkeys(given)) == places and printed.returncode == (0 if places else 1)
        worst |= not same
        print(
            f"{len(places):7} places, {'the same' if same else 'DIFFERENT'}, {seconds:5.1f} s: {question}",
            flush=True,
        )
        if not same:
            print(printed.stderr[-500:], sorted(set(given) ^ set(places))[:5])
    return worst


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])))
