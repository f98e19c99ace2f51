"""Positions of Krone & Schwert that random games hardly reach: positions of games, disturbed.

The edits change the oracle's game: larger areas, many buildings, a nearly full board, a draw pile near the end of the
game, another king, open swords. An edit that the oracle refuses is tried again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random

from games.krone.positions import board_text
from oracles.krone import (
    CARDS,
    CASTLES,
    CATHEDRALS,
    COPIES,
    EVENTS,
    FACES,
    GAME_END,
    LARGE_CITIES,
    SHIELDS,
    SMALL_CITIES,
    THRESHOLD,
    Krone,
    size_of,
    value_of,
)
from oracles.krone_sound import impossible

Edit = Callable[[Krone, Random], None]
PILE = {**COPIES, **EVENTS}


def disturbed(game: Krone, rng: Random, tries: int = 30) -> Krone | None:
    """The game after some edits, or None if the oracle accepts none."""
    if game.turn is None:  # during the deal and the placement of shields nothing can be edited
        return None
    for _ in range(tries):
        other = game.copy()
        for edit in rng.choices(EDITS, k=rng.randint(2, 7)):
            edit(other, rng)
        _crown_somebody(other, rng)
        facts = other.facts()
        if not impossible(board_text(), facts, options=other.rules):
            return Krone.from_facts(board_text(), facts, options=other.rules)
    return None


def _crown_somebody(game: Krone, rng: Random) -> None:
    """Makes a player with a castle and a city king, if there is one. Without a king nobody has points."""
    both = [r for r in game.seats if game._owns_castle_and_city(r)]
    if game.king not in both:
        game.king = rng.choice(both) if both else None
    if game.king is None:
        game.points = dict.fromkeys(game.seats, 0)
    if game.king is None or max(game.points.values()) <= THRESHOLD[len(game.seats)]:
        del game.draw[GAME_END]


# -- edits: the board --------------------------------------------------------------------------------------------------


def patch(game: Krone, rng: Random) -> None:
    """An area grows."""
    role = rng.choice(game.seats)
    border = [rng.choice(sorted(set(game.board.shape) - game._built_on()))]
    for _ in range(rng.choice((1, 3, 8))):
        field = border.pop(rng.randrange(len(border)))
        if field != game.attack and len(game._fields(role)) < SHIELDS:
            game.owner[field] = role
        near = game.board.neighbours[field] - game._built_on()
        border = sorted({*border, *near} - game._fields(role)) or [field]


def clear(game: Krone, rng: Random) -> None:
    """Fields lose their owners: some, or all of a player without buildings."""
    bare = sorted(set(game.owner) - game._built_on() - {game.attack})
    role = rng.choice(game.seats)
    if rng.random() < 0.3:
        bare = [f for f in bare if game.owner[f] == role]
    for field in rng.sample(bare, rng.randint(0, len(bare))):
        del game.owner[field]


def fill(game: Krone, rng: Random) -> None:
    """Nearly all lowland gets an owner."""
    free = sorted(f for f in game._free_fields() if game.board.terrain[f] != "mountain")
    for field in rng.sample(free, max(0, len(free) - rng.randint(1, 3))):
        roles = [r for r in game.seats if len(game._fields(r)) < SHIELDS]
        near = [game.owner[g] for g in sorted(game.board.neighbours[field]) if game.owner.get(g) in roles]
        if roles:
            game.owner[field] = rng.choice(near or roles)


def build(game: Krone, rng: Random) -> None:
    """Many buildings."""
    terrain, shape = game.board.terrain, game.board.shape
    for field in sorted(set(game.owner) - {game.attack}):
        if field in game._built_on() or rng.random() < 0.5:
            continue
        near = sorted(game.board.neighbours[field] - game._built_on() - {game.attack})
        sites = [f for f in near if shape[f] == "octagon" and terrain[f] == "plain"]
        sites = [f for f in sites if game.owner.get(f) == game.owner[field]]
        if terrain[field] == "mountain" and len(game.castles) < CASTLES:
            game.castles.add(field)
        elif terrain[field] == "plain":
            if shape[field] == "square" and sites and len(game.large_cities) < LARGE_CITIES:
                game.large_cities[field] = rng.choice(sites)
            elif rng.random() < 0.5 and len(game.cities) < SMALL_CITIES:
                game.cities.add(field)
    for square in game.large_cities:
        if len(game.cathedrals) < CATHEDRALS and rng.random() < 0.7:
            game.cathedrals.add(square)


# -- edits: cards, people, points, the turn ----------------------------------------------------------------------------


def hands(game: Krone, rng: Random) -> None:
    """All cards are dealt anew, some to the discards."""
    if any(map(size_of, game.laid.values())):
        return
    cards = [card for card, n in PILE.items() for _ in range(n)]
    for _ in range(game.visits.total()):
        cards.remove("papal_visit")
    rng.shuffle(cards)
    kinds = rng.sample(CARDS, rng.choice((0, 2, 3)))  # many of these are in the hands
    cards.sort(key=lambda card: card in kinds and rng.random() < 0.5)
    game.draw = Counter({GAME_END: game.draw[GAME_END]})
    game.discard = Counter()
    for role in game.seats:
        kept = [cards.pop() for _ in range(rng.randint(0, 6))]
        game.hand[role] = Counter(c for c in kept if c in CARDS)
        game.discard.update(c for c in kept if c not in CARDS)
    left = rng.choice((1, 2, 5, len(cards)))
    game.draw.update(cards[:left])
    game.discard.update(cards[left:])


def late(game: Krone, rng: Random) -> None:
    """The card for the end of the game is in the pile, among about as many cards as usual."""
    if game.phase != "main" or game.king is None:
        return
    game.points[rng.choice(game.seats)] = THRESHOLD[len(game.seats)] + rng.randint(1, 5)
    game.draw[GAME_END] = 1
    wanted = rng.choice((0, 1, 19, 20, 21, 22))
    for here, there in ((game.draw, game.discard), (game.discard, game.draw)):
        kinds = [c for c in PILE for _ in range(here[c])]
        surplus = (game.draw.total() - 1 - wanted) * (1 if here is game.draw else -1)
        for card in rng.sample(kinds, min(len(kinds), max(0, surplus))):
            here[card] -= 1
            there[card] += 1


def people(game: Krone, rng: Random) -> None:
    for face, number in FACES.items():
        game.people[face] = rng.choice((0, 1, number - 3, number, rng.randint(0, number)))


def points(game: Krone, rng: Random) -> None:
    most = THRESHOLD[len(game.seats)]
    for role in game.seats:
        game.points[role] = rng.choice((0, 1, most - 1, most, most + 1))


def visits(game: Krone, rng: Random) -> None:
    """A papal visit lies before a player, or none does."""
    for role, number in list(game.visits.items()):
        game.discard["papal_visit"] += number
        del game.visits[role]
    if game.draw["papal_visit"] and game.draw.total() > 1 and rng.random() < 0.5:
        game.draw["papal_visit"] -= 1
        game.visits[rng.choice(game.seats)] += 1


def crown(game: Krone, rng: Random) -> None:
    both = [r for r in game.seats if game._owns_castle_and_city(r)]
    game.king = rng.choice(both) if both else game.king


def turn(game: Krone, rng: Random) -> None:
    """Another moment of a turn."""
    if game.pending != "turn":
        return
    game.turn = rng.choice(game.seats)
    game.ap = rng.randint(1, 3)
    game.attacked = game.phase == "main" and rng.random() < 0.2
    game.pending = rng.choice(("turn", "turn", "draw", "second_field", "tax", "vote", "resettle"))
    game.drawing = game.pending == "draw"
    if game.pending in ("tax", "resettle"):
        game.ap, game.attacked = 3, False
    elif game.pending != "turn":
        game.ap = rng.randint(game.pending == "second_field", 2)
    if game.pending == "vote":
        game.revolt = True
        game.revolted = game.rules["revolts_per_turn"] == "one"


EDITS: Sequence[Edit] = (
    patch, clear, fill, build, build, build, hands, hands, late, late, people, points, visits, crown, turn, turn,
)  # fmt: skip
"""The edits, each as often as it is wanted."""


# -- predicates of a position ------------------------------------------------------------------------------------------


def readings(game: Krone) -> dict[tuple[str, int], set[str]]:
    """The facts of each exported predicate that the oracle knows too."""
    seats = game.seats
    sizes = {field: _size(game, field) for field in game.owner}
    owned = {"castle": game._count_castles, "city": game._count_cities}
    stocks = {
        "castle": (len(game.castles), CASTLES),
        "city": (len(game.cities), SMALL_CITIES),
        "large_city": (len(game.large_cities), LARGE_CITIES),
        "cathedral": (len(game.cathedrals), CATHEDRALS),
    }
    free = game.rules["leader_condition"] == "none"
    leaders = [r for r in seats if free or game._owns_castle_and_city(r)]
    areas = sorted((n for r in seats for n in game._areas(r)), reverse=True)
    second = [n for n in areas if n < areas[0]]
    if game.rules["area_ties"] == "no_second" and areas.count(areas[0] if areas else 0) > 1:
        second = []
    open_ = {face: number - game.people[face] for face, number in FACES.items()}
    votes = {side: list(game.votes.values()).count(side) for side in FACES} if game.votes else {}
    lowland = [f for f, kind in game.board.terrain.items() if kind != "mountain"]
    return {
        ("owns", 2): {f"owns({r},{kind})" for kind, number in owned.items() for r in seats if number(r)},
        ("has_field", 1): {f"has_field({r})" for r in seats if game._fields(r)},
        ("built", 1): {f"built({f})" for f in game._built_on()},
        ("beside", 2): {f"beside({game.turn},{f})" for f in _beside(game)},
        ("protected", 1): {f"protected({r})" for r, n in game.visits.items() if n},
        ("spare", 1): {f"spare({b})" for b, (n, most) in stocks.items() if game._in_supply(n, most)},
        ("spare", 2): {f"spare({r},shield)" for r in seats if game._has_shield(r)},
        ("can_lead", 1): {f"can_lead({r})" for r in leaders},
        ("can_exceed", 2): {
            f"can_exceed({game.turn},{r})"
            for r in seats
            if game.turn not in (None, r) and value_of(game.hand[game.turn or r]) > game._count_castles(r)
        },
        ("full", 0): {"full"} if all(f in game.owner for f in lowland) else set(),
        ("size", 2): {f"size({f},{n})" for f, n in sizes.items()},
        ("largest", 1): {f"largest({areas[0]})"} if areas else set(),
        ("second", 1): {f"second({second[0]})"} if second else set(),
        ("lies_open", 2): {f"lies_open({face},{n})" for face, n in open_.items() if n},
        ("might", 2): {f"might({r},{value_of(game.hand[r])})" for r in seats},
        ("voted", 2): {f"voted({side},{n})" for side, n in votes.items()},
        ("strength", 2): {f"strength({side},{game.strength(side)})" for side in votes},
        ("cards", 2): {f"cards({r},{size_of(game.hand[r])})" for r in seats},
        ("draw_size", 1): {f"draw_size({game.draw.total()})"},
    }


def _size(game: Krone, field: str) -> int:
    """The size of the area of the field."""
    found, border = {field}, [field]
    while border:
        near = game.board.neighbours[border.pop()]
        new = {g for g in near if game.owner.get(g) == game.owner[field]} - found
        found |= new
        border += new
    return len(found)


def _beside(game: Krone) -> Iterable[str]:
    own = game._fields(game.turn) if game.turn else set[str]()
    return {g for f in own for g in game.board.neighbours[f]}


WEIGHTS: Mapping[str, float] = {"revolt": 6, "attack": 4, "draw": 4, "pass": 0.5, "decline": 0.5}


def weights(game: Krone) -> Mapping[str, float]:
    """The weights of kinds of actions, so that much happens."""
    return WEIGHTS


def met(game: Krone) -> Counter[str]:
    """The kind of decision that is pending."""
    return Counter([game.pending] if game.pending else [])
