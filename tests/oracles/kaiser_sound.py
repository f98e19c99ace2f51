"""Im Schatten des Kaisers: necessary conditions of a possible position, for the oracle `kaiser` and used only by tests.

They were written only from the page that describes the rules in words, without knowledge of the invariants of the project.
Conditions named ``page`` are stated there: its section 1, and the limited numbers of pieces. Conditions named ``implied``
follow from the course of the game, as far as the position shows it: the phase, the round, the marks and the pending
decision. They do not reconstruct how pieces, incomes and points came about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from .kaiser import (
    ARCHBISHOPRICS,
    CARDS,
    COPIES,
    ELECTORATES,
    EMPIRE_CITIES,
    KNIGHTS,
    PURSE,
    ROLES,
    SECULAR,
    SETUP_TILES,
    SPACES,
    Kaiser,
    Tile,
    split,
)

Rules = Iterable[tuple[str, bool]]
"""The names of conditions, and whether each one holds."""

KINDS = {
    "setup": (
        "close_archbishopric", "close_secular", "setup_empire_city", "setup_elector", "setup_aristocrat", "setup_knight",
    ),
    "aging": ("succeed",),
    "descendants": ("son", "offer", "answer"),
    "actions": ("turn", "succeed"),
    "electors": ("gray", "appoint", "install", "settle"),
    "election": ("influence", "exclude", "vote", "enthrone", "retire"),
    "emperor_action": ("empire_city", "move_empire_city"),
    "over": (),
}  # fmt: skip
"""The kinds of decision in each phase."""


def impossible(
    facts: Iterable[str], edition: str = "standard", options: Mapping[str, str] | None = None
) -> list[str]:
    """The conditions that a position at a decision or at the end breaks; none if it may be possible."""
    stated = frozenset(facts)
    game = Kaiser.from_facts(stated, edition, options)
    if game.facts() != stated:
        return ["page.stated_once"]
    groups: tuple[Callable[[Kaiser], Rules], ...] = (_numbers, _times, _pending, _course)
    for group in groups:
        broken = [name for name, holds in group(game) if not holds]
        if broken:
            return broken
    return []


def _kind(game: Kaiser) -> str:
    """The kind of the pending decision; empty at the end."""
    return next((split(kind)[0] for kind in game.decisions.values()), "")


def _numbers(game: Kaiser) -> Rules:
    """The limited numbers of pieces, cards and spaces."""
    yield "page.seats", set(game.seats) <= set(ROLES) and len(game.seats) in COPIES
    yield "page.round", 1 <= game.round <= 5
    yield "page.phase", game.phase in KINDS
    yield "page.emperor", game.emperor in game.seats
    for role in game.seats:
        yield "page.thalers", 0 <= game.thalers[role] <= PURSE
        yield "page.tiles", game._supply(role) >= 0
        yield "page.knights", game._knight_supply(role) >= 0
        yield "page.cities", game._city_number(role) <= 3
    yield "page.empire_cities", game.empire_cities.total() <= EMPIRE_CITIES
    for card in CARDS:
        held = sum(game.held[role, card] for role in game.seats)
        yield "page.cards", held + game.display[card] == COPIES[len(game.seats)].get(card, 1)
    for electorate in ELECTORATES:
        closed = electorate in game.closed
        tiles, knights = len(game._at(f"aristocrat({electorate})")), [0, 0]
        for (e, space, _), n in game.knights.items():
            knights[space == "castle"] += n if e == electorate else 0
        cities = (
            sum(n for (e, _), n in game.cities.items() if e == electorate) + game.empire_cities[electorate]
        )
        for taken, sort in ((tiles + knights[0], "aristocrat"), (knights[1], "castle"), (cities, "city")):
            yield "page.spaces", taken <= (0 if closed else SPACES[electorate, sort])
        seats = [len(game._at(f"{place}({electorate})")) for place in ("elector", "gray")]
        yield "page.seats_of_electorates", max(seats) <= (0 if closed else 1)
        marks = (game.used, game.influenced, game.excluded)
        yield "page.closed", not closed or not any(electorate in mark for mark in marks)
    yield "page.gray", sum(t.place.startswith("gray") for t in game._all_tiles()) <= 1
    if game.rulings["archbishop_marriage"] == "forbidden":
        electors = filter(None, map(game._elector, ARCHBISHOPRICS))
        yield "page.archbishop", all(t.rank == "baron" for t in electors)


def _times(game: Kaiser) -> Rules:
    """What exists only in some phases."""
    phase, kind = game.phase, _kind(game)
    yield "page.closed_ones", len(game.seats) == 2 or not game.closed
    if len(game.seats) == 2:
        wanted = {"close_archbishopric": (0, 0), "close_secular": (1, 0)}.get(kind, (1, 1))
        closed = tuple(len(game.closed & set(group)) for group in (ARCHBISHOPRICS, SECULAR))
        yield "page.closed_ones", closed == wanted
    yield "page.acting", (game.acting is not None) == (phase == "actions" and kind == "succeed")
    yield "page.gray_when", phase not in ("setup", "aging", "descendants", "actions") or not _grays(game)
    round_is_on = phase not in ("setup", "aging", "descendants")
    yield "page.marks", round_is_on or not (game.finished or game.used)
    yield (
        "page.marks",
        phase in ("election", "emperor_action", "over") or not (game.influenced or game.excluded),
    )
    yield "page.used", game.used <= {"trier", "koeln", "pfalz"}
    by_trier = game.rulings["trier_cards"] == "any" and "trier" in game.used and len(game.papal) == 1
    yield "page.papal", not game.papal or by_trier
    yield "page.one_chosen", len(game.influenced) <= 1 and len(game.excluded) <= 1
    yield "page.chosen", game.influenced <= set(ARCHBISHOPRICS) and game.excluded <= set(SECULAR)
    yield "page.held", phase != "setup" or not +game.held


def _grays(game: Kaiser) -> list[Tile]:
    return [t for t in game._all_tiles() if t.place.startswith("gray")]


def _pending(game: Kaiser) -> Rules:
    """The pending decision meets the conditions of the page."""
    kinds = {split(kind)[0] for kind in game.decisions.values()}
    yield "page.decision", bool(kinds) == (game.phase != "over")
    if not kinds:
        return
    yield "page.kind", len(kinds) == 1 and kinds <= set(KINDS[game.phase])
    kind, rival = min(kinds), game._rival()
    yield "page.simultaneous", len(game.decisions) == 1 or kind == "vote"
    role, decision = next(iter(game.decisions.items()))
    args = split(decision)[1]
    yield "page.legal", all(game.legal().values())
    match kind:
        case "turn":
            yield "page.turn", role not in game.finished
        case "succeed":
            yield "page.succeed", role == game.emperor and bool(game._own(role, "aristocrat"))
        case "son":
            fits = bool(game._supply(role)) and bool(game._landings())
            yield "page.son", game._child(role) == "son" and fits
        case "offer":
            yield "page.offer", game._child(role) == "daughter"
        case "answer":
            father, place, age = args
            baron = Tile(place, role, int(age), "baron")
            asked = father != role and game.tiles[baron] > 0 and game._marriageable(baron)
            yield "page.answer", asked and game._child(father) == "daughter"
        case "gray":
            yield "page.gray_held", game.held[role, "gray_eminence"] > 0 and game._supply(role) > 0
            yield "page.gray_held", not _grays(game)
        case "appoint" | "install" | "settle":
            yield from _electors(game, kind, role, args[0])
        case "influence" | "exclude" | "vote" | "enthrone" | "retire":
            yield "page.rival", rival is not None
            yield from _election(game, kind, role, rival or "")
        case "empire_city":
            free = EMPIRE_CITIES - game.empire_cities.total()
            yield "page.empire_city", role == game.emperor and game.round <= 2 and free > 0
        case "move_empire_city":
            yield "page.move_empire_city", role == game.emperor and game.round == 3


def _electors(game: Kaiser, kind: str, role: str, electorate: str) -> Rules:
    """The decisions about the seat of an elector."""
    power = game._power(electorate)
    strongest = [r for r in game.seats if power[r] == max(power.values()) > 0]
    elector = game._elector(electorate)
    if kind == "appoint":
        yield "page.appoint", role == game.emperor and len(strongest) > 1
    elif kind == "install":
        sits = elector is not None and elector.owner == role
        yield "page.install", role in strongest and not sits and bool(game._installable(electorate, role))
    else:
        others = [r for r in strongest if r != role and not game._installable(electorate, r)]
        yield "page.settle", elector is not None and elector.owner == role and bool(others)
        full = not game._free(electorate, "aristocrat") and bool(game._pushable(electorate))
        yield "page.settle", full


def _election(game: Kaiser, kind: str, role: str, rival: str) -> Rules:
    """The decisions of the election."""
    chooser = _next_choice(game)
    if kind in ("influence", "exclude"):
        yield "page.choice", chooser == (role, kind)
        return
    yield "page.choice", chooser is None
    throne = [t.owner for t in game._at("throne")]
    if kind == "vote":
        yield "page.voters", set(game.decisions) == set(game.seats) - {game.emperor, rival}
    elif kind == "enthrone":
        yield "page.enthrone", role == game.emperor == rival and bool(game._enthronable(role))
        yield "page.enthrone", len(throne) == 1 and throne != [role]
    else:
        yield "page.retire", game.emperor == rival and role in throne and role != rival
        yield "page.retire", sorted(throne) == sorted((role, rival)) and bool(game._landings())


def _next_choice(game: Kaiser) -> tuple[str, str] | None:
    """The next choice before the vote: the role and the kind of decision."""
    for role in game._in_order():
        for card, kind, done in (
            ("church_influence", "influence", game.influenced),
            ("excommunication", "exclude", game.excluded),
        ):
            if game.held[role, card] and not done:
                return role, kind
    return None


def _course(game: Kaiser) -> Rules:
    """What follows from any course of the game."""
    phase, kind, rival = game.phase, _kind(game), game._rival()
    yield "implied.round", game.round == 1 or phase != "setup"
    yield "implied.round", game.round > 1 or phase not in ("aging", "descendants")
    yield "implied.round", phase != "over" or game.round == 5
    later = phase in ("electors", "election", "emperor_action", "over")
    yield "implied.finished", not later or game.finished == set(game.seats)
    yield (
        "implied.rival_finished",
        phase not in ("actions", "electors") or rival is None or rival in game.finished,
    )
    crowned = kind in ("enthrone", "retire") or phase in ("emperor_action", "over", "aging", "descendants")
    yield "implied.rival_emperor", rival != game.emperor or crowned
    empty = kind in ("close_archbishopric", "close_secular", "setup_empire_city")
    if kind not in ("enthrone", "retire"):
        owners = [t.owner for t in game._at("throne")]
        yield "implied.throne", owners == ([] if empty or kind == "succeed" else [game.emperor])
    yield "implied.gray", all(game.held[t.owner, "gray_eminence"] for t in _grays(game))
    for card, chosen in (("church_influence", game.influenced), ("excommunication", game.excluded)):
        holders = [r for r in game.seats if game.held[r, card]]
        yield "implied.chosen", not chosen or (bool(holders) and rival is not None)
        if later and phase not in ("electors", "election") and rival is not None:
            yield "implied.chosen", not holders or bool(chosen)
    if kind in ("influence", "exclude"):
        yield "implied.chosen_in_order", _in_order(game, kind)
    built = game.empire_cities.total()
    yield "implied.empire_cities", built <= game.round and (built >= 1) != empty
    for role in game.seats:
        yield "implied.purse", game.round > 1 or game.thalers[role] <= 7
    if game.acting is not None:
        yield "implied.acting", game.acting != game.emperor and game.acting not in game.finished
        yield "implied.killed", _can_have_aged(game, game.acting)
    if phase in ("aging", "descendants"):
        yield from _after_aging(game)
    if phase == "setup":
        yield from _setup(game, kind)


def _in_order(game: Kaiser, kind: str) -> bool:
    """Whether the choice that has been made comes before the pending one."""
    order, role = game._in_order(), next(iter(game.decisions))
    card, done = (
        ("excommunication", game.excluded) if kind == "influence" else ("church_influence", game.influenced)
    )
    holders = [r for r in game.seats if game.held[r, card]]
    if not done or not holders:
        return True
    before, now = order.index(holders[0]), order.index(role)
    return before < now or (before == now and kind == "exclude")


def _can_have_aged(game: Kaiser, role: str) -> bool:
    """Whether the player may have aged the emperor's tile in his turn."""
    koeln = "koeln" in game.used and game._rules(role, "koeln")
    trier = "trier" in game.used and game._rules(role, "trier") and not game.display["doctor"]
    return bool(game.held[role, "doctor"]) or koeln or trier


def _after_aging(game: Kaiser) -> Rules:
    """After the aging only sons are 15, at most one for each earlier father."""
    young = [t for t in game._all_tiles() if t.age == 15]
    yield "implied.young", game.phase == "descendants" or not young
    yield "implied.young", all(t.place.startswith("aristocrat") for t in young)
    if game.phase != "descendants":
        return
    role, decision = next(iter(game.decisions.items()))
    name, args = split(decision)
    father = args[0] if name == "answer" else role
    before = game._in_order()[: game._in_order().index(father)]
    for tile in young:
        yield "implied.sons", tile.owner in before and game._child(tile.owner) == "son"
    yield "implied.sons", len({t.owner for t in young}) == len(young)


def _setup(game: Kaiser, kind: str) -> Rules:
    """In the set-up each player has placed exactly the pieces of the earlier decisions."""
    yield "implied.setup_nothing", not any([*game.thalers.values(), *game.points.values(), *(+game.cities)])
    role = next(iter(game.decisions))
    order = game._in_order()
    if kind in ("close_archbishopric", "close_secular", "setup_empire_city"):
        yield "implied.setup_empty", not game._all_tiles() and not +game.knights
        yield "implied.setup_decider", role in ("chance", game.emperor)
        return
    place = order.index(role)
    laid = [r for r in order if len(game._own(r, "aristocrat"))]
    rounds = len(game._own(role, "aristocrat")) if kind != "setup_elector" else 0
    yield "implied.setup_rounds", rounds <= 2 if kind == "setup_aristocrat" else True
    yield "implied.setup_electors", kind != "setup_elector" or (not laid and not +game.knights)
    for i, other in enumerate(order):
        electors = [(t.age, t.rank) for t in game._own(other, "elector")]
        seated = other != game.emperor and (kind != "setup_elector" or i < place)
        yield "implied.setup_electors", electors == ([(45, "baron")] if seated else [])
        tiles = [(t.age, t.rank) for t in game._own(other, "aristocrat")]
        number = {"setup_elector": 0, "setup_aristocrat": rounds + (i < place)}.get(kind, 3)
        yield "implied.setup_tiles", sorted(tiles) == sorted(SETUP_TILES[:number])
        knights = KNIGHTS - game._knight_supply(other)
        yield "implied.setup_knights", knights == (kind == "setup_knight" and i < place)
    yield "implied.setup_throne", [(t.age, t.rank) for t in game._at("throne")] == [(45, "baron")]
