"""Krone & Schwert: necessary conditions of a possible position, for the oracle `krone` and used only by tests.

They were written only from the page that describes the rules in words, without knowledge of the invariants of the project.
Conditions named ``page`` are stated there (sections 1, 2 and "Always"). Conditions named ``implied`` follow from the course
of the game, as far as the position shows it: the phase, the spent action points and the pending decision. They do not
reconstruct how pieces, cards and points came about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from .krone import (
    BATTLE_VALUE,
    CARDS,
    CASTLES,
    CATHEDRALS,
    COPIES,
    EVENTS,
    FACES,
    GAME_END,
    HAND_AT_START,
    LARGE_CITIES,
    ROLES,
    SHIELDS,
    SHIELDS_AT_START,
    SMALL_CITIES,
    THRESHOLD,
    Krone,
    size_of,
    value_of,
)

Rules = Iterable[tuple[str, bool]]
"""The names of conditions, and whether each one holds."""

PHASES = ("deal", "placement", "first_round", "main", "over")


def impossible(
    board: str, facts: Iterable[str], edition: str = "standard", options: Mapping[str, str] | None = None
) -> list[str]:
    """The conditions that a position at a decision or at the end breaks; none if it may be possible."""
    stated = frozenset(facts)
    game = Krone.from_facts(board, stated, edition, options)
    if game.facts() != stated:
        return ["page.stated_once"]
    groups: tuple[Callable[[Krone], Rules], ...] = (_numbers, _always, _pending, _course)
    for group in groups:
        broken = [name for name, holds in group(game) if not holds]
        if broken:
            return broken
    return []


def _numbers(game: Krone) -> Rules:
    """The limited numbers of pieces and cards."""
    yield "page.seats", set(game.seats) <= set(ROLES) and 2 <= len(game.seats) <= 5
    yield "page.phase", game.phase in PHASES
    playing = game.phase in ("first_round", "main")
    yield "page.turn", (game.turn is not None) == playing and 0 <= game.ap <= (3 if playing else 0)
    for card, number in (*COPIES.items(), *EVENTS.items()):
        held = sum(game.hand[role][card] + game.laid[role][card] for role in game.seats)
        held += game.visits.total() if card == "papal_visit" else 0
        yield "page.cards", game.draw[card] + game.discard[card] + held == number
    yield "page.people", all(0 <= game.people[face] <= number for face, number in FACES.items())
    yield "page.shields", all(len(game._fields(role)) <= SHIELDS for role in game.seats)
    yield "page.castles", len(game.castles) <= CASTLES and len(game.cities) <= SMALL_CITIES
    yield "page.cities", len(game.large_cities) <= LARGE_CITIES and len(game.cathedrals) <= CATHEDRALS
    yield "page.points", all(number >= 0 for number in game.points.values())


def _always(game: Krone) -> Rules:
    """The conditions of the section "Always"."""
    terrain, shape = game.board.terrain, game.board.shape
    sites = [*game.castles, *game.cities, *game.large_cities, *game.large_cities.values()]
    yield "page.one_building", len(sites) == len(set(sites))
    yield "page.owned", all(field in game.owner for field in sites)
    yield "page.terrain", all(terrain[field] == "mountain" for field in game.castles)
    yield "page.terrain", all(terrain[field] == "plain" for field in sites if field not in game.castles)
    for square, octagon in game.large_cities.items():
        yield "page.large_city", shape[square] == "square" and octagon in game.board.neighbours[square]
        yield "page.large_city", game.owner.get(square) == game.owner.get(octagon)
    yield "page.cathedrals", game.cathedrals <= set(game.large_cities)
    both = [role for role in game.seats if game._owns_castle_and_city(role)]
    yield "page.king", game.king in both if game.king else not both
    over = game.phase == "over"
    if game.draw[GAME_END]:
        above = max(game.points.values()) > THRESHOLD[len(game.seats)]
        yield "page.end_phase", game.king is not None and above
    yield "page.no_points", over or game.king is not None or not any(game.points.values())
    yield "page.draw_pile", over or size_of(game.draw) > 0
    free = [field for field, kind in terrain.items() if kind != "mountain" and field not in game.owner]
    yield "page.free_field", over or bool(free)


def _pending(game: Krone) -> Rules:
    """The pending decision meets the conditions under which it began."""
    kind, turn = game.pending, game.turn
    at_rest = game.attack is None and not game.revolt and not game.drawing and not game.revealing
    yield (
        "page.laid",
        game.attack is not None or bool(game.votes) or not any(map(size_of, game.laid.values())),
    )
    yield "page.votes", not game.votes or (game.revolt and set(game.votes) == set(game.seats))
    yield "page.one_thing", (game.attack is not None) + game.revolt + game.drawing <= 1
    yield "page.revealing", (kind == "reveal") == (game.revealing > 0)
    yield "page.revealing", game.revealing <= size_of(game.people)
    if turn is None:
        yield "page.flags", at_rest and not game.attacked and not game.revolted
        yield "page.kind", kind in {"deal": ("deal",), "placement": ("place",)}.get(game.phase, ("",))
        return
    yield "page.kind", kind not in ("", "deal", "place")
    yield "page.legal", kind == "vote" or all(game.legal().values())
    if kind in ("turn", "second_field", "resettle", "tax"):
        yield "page.at_rest", at_rest
    match kind:
        case "turn":
            yield "page.turn_points", game.ap >= 1
        case "resettle":
            yield "page.resettle", len(game._fields(turn)) <= 1
        case "tax":
            yield "page.tax", turn == game.king
        case "second_field":
            more = game._has_shield(turn) and bool(game._free_fields_next_to(turn))
            yield "page.second_field", game.ap >= 1 and more
        case "vote":
            yield "page.vote", game.revolt and not game.votes
        case "draw" | "replace":
            yield "page.drawing", game.drawing
            yield "page.replace", kind == "draw" or game.rules["replacement"] == "optional"
    if game.attack is not None:
        yield from _attack(game, turn)
    if game.revolt:
        yield "page.revolt", kind in ("vote", "reveal") and game.king not in (None, turn)
        yield "page.revolt", not game.visits[game.king or ""]
        free = game.rules["leader_condition"] == "none"
        yield "page.leader", free or game._owns_castle_and_city(turn)
        yield "page.sides", not game.votes or game.votes[turn] == "sword"
        yield "page.sides", not game.votes or game.votes[game.king or ""] == "crown"
        before = game.rules["truce_in_revolt"] == "before_people"
        yield "page.truce", not before or kind == "vote" or not game._truce_laid()


def _attack(game: Krone, turn: str) -> Rules:
    """The conditions of an attack."""
    field = game.attack or ""
    defender = game.owner.get(field)
    yield "page.attack", game.phase == "main" and game.attacked and defender not in (None, turn)
    yield "page.attack", field not in game._built_on() and not game.visits[defender or ""]
    near = game.board.neighbours[field]
    yield "page.attack", any(game.owner.get(f) == turn for f in near) and game._has_shield(turn)
    laid = game.laid[turn]
    yield (
        "page.force",
        (game.pending == "defend") == (size_of(laid) > 0) and game.pending in ("force", "defend"),
    )
    yield "page.force", all(not size_of(game.laid[role]) for role in game.seats if role != turn)
    fought = value_of(laid if size_of(laid) else game.hand[turn])
    yield "page.force", fought > game._count_castles(defender or "")
    yield "page.force", all(BATTLE_VALUE[card] > 0 for card in CARDS if laid[card])


def _course(game: Krone) -> Rules:
    """What follows from any course of the game."""
    phase, turn = game.phase, game.turn
    if phase in ("deal", "placement"):
        yield from _setup(game)
    if turn is not None:
        spent = game.attacked + (game.revolt or game.revolted) + game.drawing + game.visits[turn]
        spent += game.pending == "second_field"
        yield "implied.spent", game.ap + spent <= 3
        if game.pending in ("resettle", "tax"):
            fresh = game.ap == 3 and not game.attacked and not game.revolted and not game.visits[turn]
            first = game.pending == "tax" and game.rules["first_tax"] == "optional" and game.ap <= 1
            yield "implied.fresh", fresh or first
        if game.pending == "resettle":
            yield "implied.resettled", not game._fields(turn) & game._built_on()
        yield "implied.attacked", phase == "main" or not game.attacked
    yield "implied.revolted", game.king is not None or not game.revolted
    if game.revealing and turn is not None:
        yield from _revealing(game, turn)
    if phase == "first_round" and turn is not None:
        yield from _first_round(game, turn)
    if phase == "over":
        free = [f for f, kind in game.board.terrain.items() if kind != "mountain" and f not in game.owner]
        if free:
            above = max(game.points.values()) > THRESHOLD[len(game.seats)]
            yield "implied.card_of_the_end", game.king is not None and above and not game.draw[GAME_END]


def _setup(game: Krone) -> Rules:
    """The cards and fields during the set-up."""
    yield "implied.setup", not game._built_on() and game.king is None and not size_of(game.discard)
    yield "implied.setup", game.people == FACES and not any(game.points.values()) and not +game.visits
    hands = [size_of(game.hand[role]) for role in game.seats]
    if game.phase == "deal":
        yield "implied.no_shields", not game.owner
        dealing = next((i for i, n in enumerate(hands) if n < HAND_AT_START), None)
        full = [HAND_AT_START] * (dealing or 0)
        yield "implied.dealt", dealing is not None and hands[: dealing or 0] == full
        yield "implied.dealt", not any(hands[(dealing or 0) + 1 :])
        return
    yield "implied.dealt", hands == [HAND_AT_START] * len(hands)
    fields = [len(game._fields(role)) for role in game.seats]
    yield "implied.placed", sorted(fields, reverse=True) == fields and fields[0] - fields[-1] <= 1
    yield "implied.placed", sum(fields) < SHIELDS_AT_START * len(fields)
    near = game.board.neighbours
    yield "implied.apart", not any(near[field] & set(game.owner) for field in game.owner)


def _revealing(game: Krone, turn: str) -> Rules:
    """The number of people cards that are already revealed or set aside."""
    left, opened = game.revealing, sum(FACES.values()) - size_of(game.people)
    if game.revolt:
        due = 2 * list(game.votes.values()).count("sword") + (3 if len(game.seats) == 2 else 0)
        yield "implied.revealing", left <= due <= left + opened
    elif game.drawing:
        yield "implied.unrest", game.king is not None and left <= 2 <= left + opened
    elif turn == game.king and left == 1:
        return  # a tax, or a new king
    else:
        yield "implied.incited", left <= 3 <= left + opened and game.ap <= 2


def _first_round(game: Krone, turn: str) -> Rules:
    """In the first round each player has had at most one turn."""
    yield "implied.first_king", game.king is None and not game.cathedrals
    yield "implied.first_landed", game.pending != "resettle"
    at = game.seats.index(turn)
    for i, role in enumerate(game.seats):
        fields, sites = game._fields(role), [*game.castles, *game.cities, *game.large_cities]
        built = sum(game.owner[site] == role for site in sites)
        yield "implied.first_fields", len(fields) >= SHIELDS_AT_START
        yield "implied.first_building", built <= 1
        if i == at:
            yield "implied.first_building", not built or game.ap <= 1
        elif i > at:
            hand = size_of(game.hand[role])
            untouched = len(fields) == SHIELDS_AT_START and hand == HAND_AT_START and not built
            yield "implied.first_untouched", untouched and not game.visits[role]
