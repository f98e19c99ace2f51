"""Positions of Im Schatten des Kaisers that random games hardly reach: positions of games, disturbed.

The edits change the oracle's game: they deal pieces anew, crowd them together, change ages, move cards, fill electorates,
or make it the last turn before an election. An edit that the oracle refuses is tried again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random

from oracles.kaiser import (
    ARCHBISHOPRICS,
    CARDS,
    CITIES,
    ELECTORATES,
    EMPIRE_CITIES,
    KNIGHT_SPACES,
    KNIGHTS,
    SECULAR,
    Kaiser,
    Tile,
    split,
)
from oracles.kaiser_sound import impossible

Edit = Callable[[Kaiser, Random], None]
CARRIED = ("church_influence", "excommunication", "gray_eminence", "pope", "pope")


def disturbed(game: Kaiser, rng: Random, tries: int = 30) -> Kaiser | None:
    """The game after some edits, or None if the oracle accepts none."""
    for _ in range(tries):
        other = game.copy()
        for edit in rng.choices(EDITS, k=rng.randint(2, 7)):
            edit(other, rng)
        if not impossible(other.facts(), options=other.rulings):
            return Kaiser.from_facts(other.facts(), options=other.rulings)
    return None


def _ages(game: Kaiser) -> Sequence[int]:
    return (25, 35, 45) if game.phase in ("aging", "descendants") else (15, 25, 35, 45)


def _tile(game: Kaiser, rng: Random, place: str, owner: str) -> Tile:
    archbishop = place in {f"elector({e})" for e in ARCHBISHOPRICS}
    rank = "baron" if archbishop else rng.choice(("baron", "couple"))
    return Tile(place, owner, rng.choice(_ages(game)), rank)


def _hot(game: Kaiser, rng: Random) -> list[str]:
    """The electorates where pieces crowd."""
    return rng.sample(game._open(), rng.choice((1, 1, 2, 3, 5)))


# -- edits: pieces -----------------------------------------------------------------------------------------------------


def knights(game: Kaiser, rng: Random) -> None:
    game.knights.clear()
    hot = _hot(game, rng)
    for role in rng.sample(game.seats, len(game.seats)):
        for _ in range(rng.choice((0, 1, 2, KNIGHTS, KNIGHTS))):
            free = [(e, s) for e in hot for s in KNIGHT_SPACES if game._free(e, s)]
            if free:
                game.knights[*rng.choice(free), role] += 1


def aristocrats(game: Kaiser, rng: Random) -> None:
    for tile in [t for t in game.tiles if t.place.startswith("aristocrat")]:
        del game.tiles[tile]
    hot = _hot(game, rng)
    for role in rng.sample(game.seats, len(game.seats)):
        for _ in range(rng.randint(0, game._supply(role))):
            free = [e for e in hot if game._free(e, "aristocrat")]
            if free:
                game.tiles[_tile(game, rng, f"aristocrat({rng.choice(free)})", role)] += 1


def crowd(game: Kaiser, rng: Random) -> None:
    """One electorate becomes full, of tiles and knights."""
    electorate = rng.choice(game._open())
    while game._free(electorate, "aristocrat"):
        role = rng.choice(game.seats)
        if game._knight_supply(role) and rng.random() < 0.5:
            game.knights[electorate, "aristocrat", role] += 1
        elif game._supply(role):
            game.tiles[_tile(game, rng, f"aristocrat({electorate})", role)] += 1
        elif not any(game._knight_supply(r) or game._supply(r) for r in game.seats):
            return


def electors(game: Kaiser, rng: Random) -> None:
    """Other electors, or none."""
    for electorate in rng.sample(game._open(), rng.randint(1, 4)):
        for tile in game._at(f"elector({electorate})"):
            del game.tiles[tile]
        spare = [r for r in game.seats if game._supply(r)]
        if spare and rng.random() < 0.8:
            game.tiles[_tile(game, rng, f"elector({electorate})", rng.choice(spare))] += 1


def reign(game: Kaiser, rng: Random) -> None:
    """A player's tiles are electors, as many as can be; his knights perhaps crowd where one of them is."""
    role = rng.choice(game.seats)
    for tile in [t for t in game.tiles if t.owner == role and t.place.startswith("aristocrat")]:
        del game.tiles[tile]
    for electorate in rng.sample(game._open(), len(game._open())):
        seat = f"elector({electorate})"
        if game._supply(role) and not game._rules(role, electorate):
            for tile in game._at(seat):
                del game.tiles[tile]
            game.tiles[_tile(game, rng, seat, role)] += 1
    if rng.random() < 0.5:
        own = [e for e in game._open() if game._rules(role, e)]
        for key in [k for k in game.knights if k[2] == role]:
            del game.knights[key]
        for electorate in rng.sample(own, min(1, len(own))):
            while game._knight_supply(role) and game._free(electorate, "aristocrat"):
                game.knights[electorate, "aristocrat", role] += 1


def ages(game: Kaiser, rng: Random) -> None:
    """Other tiles where some lie."""
    lying = [t for t in game._all_tiles() if not t.place.startswith("gray")]
    for tile in rng.sample(lying, min(len(lying), 3)):
        game._replace(tile, _tile(game, rng, tile.place, tile.owner))


def cities(game: Kaiser, rng: Random) -> None:
    game.cities.clear()
    hot = _hot(game, rng)
    for role in rng.sample(game.seats, len(game.seats)):
        for _ in range(rng.randint(0, CITIES)):
            free = [e for e in hot if game._free(e, "city")]
            if free:
                game.cities[rng.choice(free), role] += 1


def empire(game: Kaiser, rng: Random) -> None:
    game.empire_cities.clear()
    for _ in range(rng.randint(1, EMPIRE_CITIES)):
        free = [e for e in game._open() if game._free(e, "city")]
        if free:
            game.empire_cities[rng.choice(free)] += 1


def crown(game: Kaiser, rng: Random) -> None:
    """Another emperor."""
    role = rng.choice([r for r in game.seats if game._supply(r)] or [game.emperor])
    for tile in game._at("throne"):
        del game.tiles[tile]
        game.emperor = role
        game.tiles[_tile(game, rng, "throne", role)] += 1


# -- edits: cards, money, flags ----------------------------------------------------------------------------------------


def cards(game: Kaiser, rng: Random) -> None:
    """Some cards change hands: many, or some of one player."""
    for (role, card), n in list(game.held.items()):
        if card != "rival" and rng.random() < 0.5:
            game.display[card] += n
            del game.held[role, card]
    roles = rng.sample(game.seats, rng.randint(1, len(game.seats)))
    for _ in range(rng.choice((1, 3, 8))):
        shown = [c for c in CARDS if game.display[c] and c != "rival"]
        for card in rng.sample(shown, min(1, len(shown))):
            game.display[card] -= 1
            game.held[rng.choice(roles), card] += 1


def purses(game: Kaiser, rng: Random) -> None:
    for role in game.seats:
        game.thalers[role] = rng.choice((0, 1, 2, 3, 4, 5, 7, 10, 11, 12))
        game.points[role] = rng.choice((0, 1, 7, 20))


def rounds(game: Kaiser, rng: Random) -> None:
    game.round = rng.randint(1, 5)


def used(game: Kaiser, rng: Random) -> None:
    game.used = {e for e in ("trier", "koeln", "pfalz") if e not in game.closed and rng.random() < 0.3}


def chosen(game: Kaiser, rng: Random) -> None:
    """Church influence and excommunication have been used."""
    for card, group, marks in (
        ("church_influence", ARCHBISHOPRICS, game.influenced),
        ("excommunication", SECULAR, game.excluded),
    ):
        marks.clear()
        open_ = [e for e in group if e not in game.closed]
        seated = [e for e in open_ if game._elector(e)]
        if game.phase in ("election", "emperor_action") and any(game.held[r, card] for r in game.seats):
            marks.add(rng.choice(seated or open_))


def last_turn(game: Kaiser, rng: Random) -> None:
    """All others have finished, and one player continues. An election follows."""
    if set(game.decisions.values()) != {"turn"}:
        return
    (role,) = game.decisions
    game.finished = set(game.seats) - {role}
    rivals = [r for r in game.finished if r != game.emperor]
    if game.display["rival"] and rivals:
        game.display["rival"] -= 1
        game.held[rng.choice(rivals), "rival"] += 1
    for card in CARRIED:
        if game.display[card] and rng.random() < 0.7:
            game.display[card] -= 1
            game.held[rng.choice(game.seats), card] += 1


EDITS: Sequence[Edit] = (
    knights, knights, aristocrats, crowd, crowd, electors, electors, reign, ages, cities, empire, crown,
    cards, cards, purses, rounds, used, chosen, chosen, last_turn, last_turn, last_turn,
)  # fmt: skip
"""The edits, each as often as it is wanted."""


# -- predicates of a position ------------------------------------------------------------------------------------------


def readings(game: Kaiser) -> dict[tuple[str, int], set[str]]:
    """The facts of each exported predicate that the oracle knows too."""
    seats, open_ = game.seats, game._open()
    power = {e: game._power(e) for e in open_}
    best = {e: {r for r in seats if n[r] == max(n.values()) > 0} for e, n in power.items()}
    child = {r: game._child(r) for r in seats}
    income = game.copy()
    income.thalers = dict.fromkeys(seats, -100)
    income._income()
    space = {(e, s) for e in open_ for s in ("aristocrat", "castle", "city") if game._free(e, s)}
    supplies = (
        ("aristocrat", game._supply),
        ("knight", game._knight_supply),
        ("city", lambda r: CITIES - game._city_number(r)),
    )
    fits = {r for r in seats if game._supply(r) and game._landings()}
    married = [t for t in game._all_tiles() if game._marriageable(t)]
    return {
        ("power", 3): {f"power({e},{r},{n})" for e, ns in power.items() for r, n in ns.items()},
        ("best", 2): {f"best({e},{r})" for e, roles in best.items() for r in roles},
        ("tied", 1): {f"tied({e})" for e, roles in best.items() if len(roles) > 1},
        ("wins", 2): {f"wins({e},{r})" for e, roles in best.items() for r in roles if len(roles) == 1},
        ("suitor", 2): {f"suitor({e},{r})" for e in ELECTORATES for r in seats if game._installable(e, r)},
        ("votes", 2): {f"votes({r},{game._votes(r)})" for r in seats},
        ("supply", 3): {f"supply({r},{piece},{left(r)})" for piece, left in supplies for r in seats},
        ("spare", 2): {f"spare({r},{piece})" for piece, left in supplies for r in seats if left(r)},
        ("room", 2): {f"room({e},{s})" for e, s in space},
        ("entry", 2): {f"entry({e},{d})" for e, d in game._landings()},
        ("income", 2): {f"income({r},{n + 100})" for r, n in income.thalers.items()},
        ("more_blue", 1): {f"more_blue({r})" for r in seats if child[r] == "son"},
        ("childless", 1): {f"childless({r})" for r in seats if child[r] is None},
        ("child_of", 2): {f"child_of({r},son)" for r in fits if child[r] == "son"}
        | {f"child_of({r},offer)" for r in seats if child[r] == "daughter"},
        ("groom", 4): {
            f"groom({r},{t.owner},{t.place},{t.age})" for t in married for r in seats if r != t.owner
        },
        **_election(game),
    }


def _election(game: Kaiser) -> dict[tuple[str, int], set[str]]:
    rival = game._rival()
    votes = {r: game._votes(r) for r in game.seats}
    voters = set(game.seats) - {rival, game.emperor} if rival else set[str]()
    held = votes[rival] - votes[game.emperor] if rival else 0
    theirs = sum(votes[r] for r in voters)
    contest = rival not in (None, game.emperor)
    return {
        ("challenger", 1): {f"challenger({rival})"} if rival else set(),
        ("voter", 1): {f"voter({r})" for r in voters},
        ("rival_can_win", 0): {"rival_can_win"} if contest and held + theirs > 0 else set(),
        ("rival_must_win", 0): {"rival_must_win"} if contest and held - theirs > 0 else set(),
    }


def weights(game: Kaiser) -> dict[str, float]:
    """The weights of kinds of actions, so that much happens: a player who acts alone finishes soon."""
    alone = len(game.finished) == len(game.seats) - 1
    return {"pass": 12.0 if alone else 0.5}


def met(game: Kaiser) -> Counter[str]:
    """The kinds of decisions that are pending, counted."""
    return Counter(split(kind)[0] for kind in game.decisions.values())
