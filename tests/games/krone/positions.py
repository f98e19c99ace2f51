"""Positions of Krone & Schwert for tests: made from a few facts, or at random."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from random import Random

from oracles.krone import COPIES, EVENTS, FACES, ROLES, RULINGS, THRESHOLD, Board, parse_board

from kaiser_logic.game import Game, load
from kaiser_logic.position import Position

ATTACK = """shield(a10,red) shield(a11,green) shield(a15,green) castle(a15) hand(red,leader3,1) hand(red,castle,2)
    hand(green,ambush,1) hand(green,truce,1) turn(red) ap(3) decision(red,turn)"""
"""Facts of a position of two players in which Red can attack a11."""


@cache
def board_text() -> str:
    """The pieces and joins of the rulebook, as facts."""
    facts = [
        f for name, arity in (("piece", 6), ("join", 4)) for f in load("krone").ruleset.facts(name, arity)
    ]
    return "\n".join(f"{fact}." for fact in facts)


@cache
def board(pieces: int) -> Board:
    """The board of the oracle."""
    return parse_board(board_text(), pieces)


def ring(size: int, terrain: str = "plain") -> str:
    """A board of two pieces that are one ring of octagons."""
    places = [f"piece({'ab'[i % 2]},f{i},octagon,{terrain},{2 * i},0)." for i in range(size)]
    return "\n".join([*places, *(f"border(f{i},f{(i + 1) % size})." for i in range(size))])


def facts_of(text: str) -> list[str]:
    """Facts written one after the other."""
    return re.findall(r"\w+(?:\((?:[^()]|\([^()]*\))*\))?", text)


def filled(players: Iterable[str], text: str) -> set[str]:
    """The facts of a text with the implied ones: seats, phase, points, people, and the remaining cards in the pile."""
    given = facts_of(text)
    names = {f.split("(")[0] for f in given}
    facts = set(given) | {f"seat({r},{i})" for i, r in enumerate(players, 1)}
    if "phase" not in names:
        facts.add("phase(main)")
    known = {f.split(",")[0] for f in given if f.startswith("points(")}
    facts |= {f"points({r},0)" for r in players if f"points({r}" not in known}
    if "people" not in names:
        facts |= {f"people({face},{count})" for face, count in FACES.items()}
    left = Counter({**COPIES, **EVENTS})
    for fact in given:
        match = re.fullmatch(r"(hand|laid|discard)\((?:\w+,)??(\w+),(\d+)\)", fact)
        if match:
            left[match[2]] -= int(match[3])
        match = re.fullmatch(r"visit\(\w+,(\d+)\)", fact)
        if match:
            left["papal_visit"] -= int(match[1])
    if not any(f.startswith("draw(") and f != "draw(game_end,1)" for f in given):
        facts |= {f"draw({card},{count})" for card, count in left.items() if count}
    return facts


def make(game: Game, text: str) -> Position:
    """A position of a game from a few of its facts."""
    return game.position(filled(game.seats, text))


def play(position: Position, *moves: str) -> Position:
    """The position after moves, each ``action`` of the one who decides, or ``role: action`` of several."""
    for move in moves:
        pairs = (
            dict(part.split(": ") for part in move.split("  "))
            if ": " in move
            else {position.to_move[0]: move}
        )
        position = position.apply(pairs)
    return position


def points(position: Position) -> dict[str, int]:
    """The points of all players."""
    found = (re.fullmatch(r"points\((\w+),(\d+)\)", f) for f in position.facts)
    return {m[1]: int(m[2]) for m in found if m}


def count(position: Position, fact: str) -> int:
    """The number in the fact that begins so, or 0: ``draw(castle``."""
    found = [f for f in position.facts if f.startswith((fact + ",", fact + "("))]
    return sum(int(re.findall(r"\d+", f)[-1]) for f in found)


# -- areas ---------------------------------------------------------------------------------------------------


def grown(land: Board, start: str, size: int, avoid: set[str]) -> set[str]:
    """A connected set of fields without those in ``avoid``."""
    found = {start}
    while len(found) < size:
        near = {g for f in found for g in land.neighbours[f]} - found - avoid
        found.add(min(near))
    return found


def around(land: Board, fields: set[str]) -> set[str]:
    """The fields and all their neighbours."""
    return fields | {g for f in fields for g in land.neighbours[f]}


# -- random positions ----------------------------------------------------------------------------------------


def options(rng: Random) -> dict[str, str]:
    """Random values for some rulings."""
    return {name: rng.choice(values) for name, values in RULINGS.items() if rng.random() < 0.3}


def random_game_of(rng: Random) -> Game:
    """A game with any seats, edition and rulings."""
    seats = rng.sample(ROLES, rng.randint(2, 5))
    return load("krone", edition=rng.choice(["standard", "nl"]), options=options(rng), seats=seats)


def random_position(rng: Random, game: Game) -> set[str]:
    """The facts of a random position at the start of a turn or in the middle of it."""
    pieces = len(game.seats)
    if game.options["pieces"] == "one_fewer" and pieces > 3:
        pieces -= 1
    land = board(pieces)
    facts = {"phase(main)"}
    owner = _shields(rng, game, land)
    facts |= {f"shield({f},{r})" for f, r in owner.items()}
    buildings, rich = _buildings(rng, land, owner)
    facts |= buildings
    king = rng.choice(sorted(rich)) if rich else None
    points = {r: rng.randint(0, 2 * THRESHOLD[len(game.seats)]) if king else 0 for r in game.seats}
    facts |= {f"points({r},{n})" for r, n in points.items()}
    turn = rng.choice(game.seats)
    left = rng.randint(1, 3)
    facts |= {f"turn({turn})", f"ap({left})", f"decision({turn},turn)"}
    facts |= {f"seat({r},{i})" for i, r in enumerate(game.seats, 1)}
    facts |= {f"people({face},{rng.randint(1, n)})" for face, n in FACES.items() if rng.random() < 0.9}
    if king:
        facts.add(f"king({king})")
    ending = king is not None and max(points.values()) > THRESHOLD[len(game.seats)] and rng.random() < 0.5
    facts |= set(_cards(rng, game, ending))
    used = sum(int(f[:-1].rpartition(",")[2]) for f in facts if f.startswith(f"visit({turn},"))
    if left + used > 3:
        facts = {f for f in facts if not f.startswith("ap(")} | {f"ap({3 - used})"}
    if left + used < 3 and rng.random() < 0.2:
        facts.add("attacked")
    return facts


def _shields(rng: Random, game: Game, land: Board) -> dict[str, str]:
    """Shields in patches, so that there are areas; some lowland stays free."""
    fields = sorted(land.terrain)
    free = rng.choice([1, 2, 3, 10, 30])
    lowland = [f for f in fields if land.terrain[f] != "mountain"]
    empty = set(rng.sample(lowland, min(free, len(lowland))))
    owner: dict[str, str] = {}
    roles = rng.sample(game.seats, len(game.seats) - (rng.random() < 0.3))  # the others own nothing
    most = dict.fromkeys(roles, 28)
    for field in rng.sample(fields, len(fields)):
        if field in empty:
            continue
        near = [owner[g] for g in sorted(land.neighbours[field]) if g in owner]
        role = rng.choice(near) if near and rng.random() < 0.6 else rng.choice(roles)
        if most[role]:
            most[role] -= 1
            owner[field] = role
    return owner


def _buildings(rng: Random, land: Board, owner: Mapping[str, str]) -> tuple[set[str], set[str]]:
    facts: set[str] = set()
    built: set[str] = set()
    castles, cities = set(), set()
    for field in rng.sample(sorted(owner), len(owner)):
        role = owner[field]
        if field in built or rng.random() < 0.6:
            continue
        if land.terrain[field] == "mountain":
            facts.add(f"castle({field})")
            castles.add(role)
        elif land.terrain[field] == "plain":
            other = [
                g for g in sorted(land.neighbours[field]) if _joins(land, owner, field, g) and g not in built
            ]
            if land.shape[field] == "square" and other and rng.random() < 0.7:
                octagon = rng.choice(other)
                facts.add(f"large_city({field},{octagon})")
                built.add(octagon)
                if rng.random() < 0.5:
                    facts.add(f"cathedral({field})")
            else:
                facts.add(f"city({field})")
            cities.add(role)
        else:
            continue
        built.add(field)
    for kind, most in (("large_city", 10), ("cathedral", 10)):
        found = sorted(f for f in facts if f.startswith(kind + "("))
        for fact in found[most:]:
            facts.remove(fact)
            if kind == "large_city":
                facts.discard(f"cathedral({fact[11:].split(',')[0]})")
    held = {owner[re.findall(r"\w+", f)[1]] for f in facts if "city(" in f}
    return facts, castles & held


def _joins(land: Board, owner: Mapping[str, str], field: str, other: str) -> bool:
    return (
        land.shape[other] == "octagon" and land.terrain[other] == "plain" and owner.get(other) == owner[field]
    )


def _cards(rng: Random, game: Game, ending: bool) -> Iterator[str]:
    pile = [card for card, n in COPIES.items() for _ in range(n)]
    rng.shuffle(pile)
    for role in game.seats:
        hand = Counter(pile.pop() for _ in range(rng.randint(0, 6)))
        yield from (f"hand({role},{card},{n})" for card, n in hand.items())
    if ending:
        yield "draw(game_end,1)"
    if rng.random() < 0.2 and "papal_visit" in pile:
        pile.remove("papal_visit")
        yield f"visit({rng.choice(game.seats)},1)"
    pile += [card for card, n in EVENTS.items() for _ in range(n)]
    rng.shuffle(pile)
    drawn = rng.choice([1, 2, rng.randint(1, len(pile)), len(pile)])
    yield from (f"draw({card},{n})" for card, n in Counter(pile[:drawn]).items())
    yield from (f"discard({card},{n})" for card, n in Counter(pile[drawn:]).items())
