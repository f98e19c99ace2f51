"""Die Staufer: necessary conditions of a possible position, for the oracle `staufer` and used only by tests.

Conditions named ``page`` are stated in the page that describes the rules in words (its sections 1 and 6). Conditions named
``implied`` follow from the course of the game. Each group of conditions relies on the groups before it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from itertools import product
from typing import TYPE_CHECKING

from .staufer_board import (
    CHESTS,
    FIGURES,
    JOB_SORTS,
    REGIONS,
    ROLES,
    ROUNDS,
    SUPPLY,
    TILES,
)

if TYPE_CHECKING:
    from .staufer import Staufer

Rules = Iterable[tuple[str, bool]]  # the name of a condition, and whether it holds

# The kinds of decision in each phase.
PHASE_KINDS: dict[str, tuple[str, ...]] = {
    "setup": ("place", "tile", "row_a", "row_b", "row_c", "lay", "job"),
    "actions": ("turn", "exchange", "draw"),
    "scoring": ("reveal", "bonus", "exchange"),
    "cleanup": ("keep", "lay"),
    "over": ("",),
}


def faults(game: Staufer, stated: frozenset[str]) -> list[str]:
    """The conditions that this game, which was read from these facts, breaks."""
    groups: tuple[Callable[[Staufer], Rules], ...] = (_exist, _numbers, _times, _course, _phase)
    for group in groups:
        broken = [name for name, holds in group(game) if not holds]
        if broken:
            return broken
    # Reading would lose facts that are stated twice, with two numbers or for a wrong player.
    return [] if game.facts() == stated else ["page.stated_once"]


def _exist(game: Staufer) -> Rules:
    """The seats at the table, the completed set-up, and existing seats and spaces."""
    offices = game.board.offices
    yield "page.seats", set(game.seats) <= set(ROLES) and 2 <= game.n == len(set(game.seats)) <= 5
    yield "page.round", 1 <= game.round <= ROUNDS
    yield "page.phase", game.phase in PHASE_KINDS
    yield "page.points", set(game.points) == set(game.seats)
    yield "page.decision", bool(game.pending) == (game.phase != "over")
    if game.phase != "setup":
        rows = range(1, ROUNDS + 1)
        complete = (
            sorted(game.places) == list(range(1, len(REGIONS) + 1))
            and sorted(game.places.values()) == sorted(REGIONS)
            and sorted(game.tiles.values()) == sorted(TILES)
            and sorted(game.row_a) == sorted(game.row_b) == list(rows)
            and sorted(game.row_c) == list(rows)[:-1]
            and game.king is not None
            and all(sum(who == role for who, _ in game.jobs) == 3 for role in game.seats)
        )
        yield "page.setup_complete", complete
    spots = {(region, seat) for region, seats in offices.items() for seat in seats}
    taken = {(region, seat) for region, seat, _ in [*game.sits, *game.kept]}
    yield "page.seats_exist", taken <= spots
    spots |= {(SUPPLY, space) for space in game.board.spaces}
    yield "page.spaces_exist", {at[:2] for at in game.chests} | game.to_lay <= spots


def _numbers(game: Staufer) -> Rules:
    """The limited numbers of pieces and cards."""
    for role, figure in product(game.seats, FIGURES):
        yield "page.figures", game.province(role, figure) >= 0
    placed = Counter(game.pile) + Counter(game.open) + Counter(c for *_, c in game.chests.elements())
    placed += Counter(chest for _, chest in (game.owns + game.hand).elements())
    for chest in CHESTS:
        yield "page.chests", placed[chest] <= game.board.chests.get(chest, 0)
    s, d, last = len(game.supplied), len(game.deployed), 3 * game.n
    yield "page.rows_supplied", set(game.supplied) == set(range(1, s + 1))
    yield "page.rows_deployed", set(game.deployed) == set(range(last - d + 1, last + 1))
    yield "page.rows_order", set(game.order) == set(range(s + d + 1, last + 1))
    members = Counter([*game.supplied.values(), *game.deployed.values(), *game.order.values()])
    yield "page.three_members", members == dict.fromkeys(game.seats, 3)
    used = {number for _, number in game.has} | set(+game.display)
    yield "page.six_privileges", len(used) == 6
    for number in used:
        held = sum(other == number for _, other in game.has)
        yield "page.copies", held + game.display[number] == game.copies(number)
    for region, seat, side in game.sits:
        yield "page.right_beside_left", side == 1 or (region, seat, 1) in game.sits
    for (region, seat, side), (role, figure) in game.sits.items():
        free_seat = not game.board.offices[region][seat][1]
        ruling = game.rules["cheap_noble_seat"] == "yes"
        yield "page.noble_seat", figure == "noble" or free_seat or ruling
        if side == 2:
            both_envoys = figure == "envoy" and game.sits.get((region, seat, 1)) == (role, "envoy")
            yield "page.right_figure", game.holds(role, 2) or (game.holds(role, 3) and both_envoys)


def _times(game: Staufer) -> Rules:
    """What exists only in some phases."""
    phase, pending = game.phase, game.pending
    acted = phase == "actions" and pending in ("exchange", "draw")
    yield "page.acting", (game.acting is not None) == acted
    yield "page.hand", pending == "exchange" or not game.hand.total()
    yield "page.open", phase == "scoring" or not (game.open.total() or game.picked)
    yield "page.kept", pending == "keep" or not (game.kept or game.passed)
    yield "page.due", bool(game.to_lay) == (pending == "lay")
    yield "page.due_with_pile", pending != "lay" or game.pile.total() > 0
    yield "page.scored", phase == "scoring" or not game.scored
    if phase != "setup":
        a = game.row_a[game.round]
        # The page is silent here: section 6 gives no B region in `cleanup` and `over`. It follows from section 1 and
        # "all else stays as it lies". While chests are laid, the position no longer shows the B region.
        b_is_known = phase in ("scoring", "over") or pending == "keep"
        if phase == "actions":
            yield "page.marker", game.marker == {a}
        elif b_is_known:
            yield "page.marker", game.marker == {a, game.region_b()}
        else:
            yield "implied.marker", a in game.marker and len(game.marker) <= 2


def _course(game: Staufer) -> Rules:
    """What follows from the course of the game in all phases."""
    yield "implied.kind", game.pending in PHASE_KINDS[game.phase]
    yield "implied.round", game.round == 1 or game.phase != "setup"
    yield "implied.round", game.phase != "over" or game.round == ROUNDS
    yield "implied.round", game.phase != "cleanup" or game.round < ROUNDS
    if game.pending in ("lay", "draw", "reveal"):
        yield "implied.pile", game.pile.total() > 0
    for name, values in (("place", game.places), ("row_a", game.row_a), ("tile", game.tiles)):
        yield f"implied.{name}", len(set(values.values())) == len(values)
    dealt = Counter(job for _, job in game.jobs)
    yield "implied.jobs", max(dealt.values(), default=1) == 1
    for role, sort in product(game.seats, JOB_SORTS):
        own = sum((role, job) in game.jobs for job in sort)
        yield "implied.jobs", own == 1 or (own == 0 and game.phase == "setup")
    yield "implied.row_b", Counter(game.row_b.values()) <= Counter(game.board.conditions)
    yield "implied.row_c", Counter(game.row_c.values()) <= Counter(game.board.steps)
    if game.rules["noble_pays"] == "no":
        yield "implied.noble_pays", not any(figure == "noble" for *_, figure in (+game.paid))
    ring_stands = sorted(game.places.values()) == sorted(REGIONS)
    if ring_stands and len(game.row_a) == ROUNDS and set(range(1, game.round)) <= set(game.row_c):
        start = next(region for region in REGIONS if region not in game.row_a.values())
        walked = sum(game.row_c[number] for number in range(1, game.round))
        yield "implied.king", game.king == game.ring(start)[walked % len(REGIONS)]
    else:
        yield "implied.king", game.king is None


def _phase(game: Staufer) -> Rules:
    """What follows from the course of the game in the current phase."""
    rules = {"setup": _setup, "actions": _actions, "scoring": _scoring, "cleanup": _cleanup, "over": _over}
    yield from rules[game.phase](game)


def _setup(game: Staufer) -> Rules:
    done: dict[str, tuple[Mapping[int, object] | Mapping[str, object], int]] = {
        "place": (game.places, len(REGIONS)),
        "tile": (game.tiles, len(TILES)),
        "row_a": (game.row_a, ROUNDS),
        "row_b": (game.row_b, ROUNDS),
        "row_c": (game.row_c, ROUNDS - 1),
    }
    before = True  # whether the stage is before the current one
    for kind, (rows, number) in done.items():
        first = range(1, len(rows) + 1)
        keys = {game.places.get(at) for at in first} if kind == "tile" else set(first)
        yield f"implied.stage_{kind}", set(rows) == keys
        if kind == game.pending:
            yield f"implied.stage_{kind}", len(rows) < number
            before = False
        else:
            yield f"implied.stage_{kind}", len(rows) == (number if before else 0)
    if game.pending == "lay":
        order = game.places_in_order()
        yield "implied.due", set(order[len(order) - len(game.to_lay) :]) == game.to_lay
        yield "implied.laid", {at[:2] for at in +game.chests} == set(order) - game.to_lay
    elif game.pending != "job":
        yield "implied.laid", not +game.chests
    yield "implied.laid", set(game.chests.values()) <= {0, 1}
    yield "implied.jobs", not game.jobs or game.pending == "job"
    dealt = [any((role, job) in game.jobs for job in sort) for role, sort in product(game.seats, JOB_SORTS)]
    yield "implied.jobs", dealt == sorted(dealt, reverse=True) and not all(dealt)
    backwards = game.seats[::-1]
    yield "implied.start", game.order == dict(enumerate([*game.seats, *backwards, *backwards], 1))
    court = {(role, f): count for role in game.seats for f, count in game.board.at_court.items() if count}
    yield "implied.start", dict(+game.court) == court and not any(game.points.values())
    yield "implied.start", not (game.sits or +game.paid or +game.owns or game.has or game.marker)
    yield "implied.start", not game.discarded()


def _actions(game: Staufer) -> Rules:
    if game.pending == "turn":
        yield "implied.turn", bool(game.order)
        return
    assert game.acting is not None
    role, action = game.acting
    member = game.supplied.get(len(game.supplied)), game.deployed.get(3 * game.n - len(game.deployed) + 1)
    moved = member[1] if action == "deploy" else member[0]
    yield "implied.member", role in (moved, game.supplied.get(1))
    if game.pending == "draw":
        yield "implied.draw", action == "supply" and game.holds(role, 8)
    else:
        yield "implied.drawn", action != "drawn" or (game.holds(role, 8) and not game.hand.total())
        yield from _trade(game, role)


def _trade(game: Staufer, role: str) -> Rules:
    yield "implied.exchange", game.trader == role and bool(game.exchangeable(role))
    yield "implied.hand", all(who == role for who, _ in +game.hand)
    yield "implied.hand", game.rules["exchanges"] == "each" or not game.hand[role, "violet"]


def _ended_actions(game: Staufer) -> Rules:
    yield "implied.order", not game.order


def _scoring(game: Staufer) -> Rules:
    yield from _ended_actions(game)
    region = game.scoring_now()
    yield "implied.scored", region in ("augsburg", "aachen")
    if region is None:
        return
    to_score = game._to_score()
    yield "implied.scored", game.scored == set(to_score[: to_score.index(region)])
    revealed, pickers = game._to_reveal(region), game._pickers(region)
    picking = pickers[: len(game.picked)]
    yield "implied.picked", game.picked == set(picking)
    if game.pending == "reveal":
        yield "implied.reveal", game.open.total() < revealed and not game.picked
    elif game.pending == "bonus":
        yield "implied.open", 1 <= game.open.total() <= revealed - len(game.picked)
        yield "implied.bonus", len(picking) < len(pickers)
    else:
        yield "implied.open", game.open.total() <= revealed - len(game.picked)
        yield "implied.picked", bool(picking)
        yield "implied.hand", not game.hand.total()
        yield from _trade(game, picking[-1] if picking else "")


def _cleanup(game: Staufer) -> Rules:
    yield from _ended_actions(game)
    if game.pending == "lay":
        due = [at for at in game.places_in_order() if at[0] in game.marker or at[0] == SUPPLY]
        if game.rules["refill_kept_seat"] == "no":
            due = [at for at in due if (*at, 1) not in game.sits]
        yield "implied.due", set(due[len(due) - len(game.to_lay) :]) == game.to_lay
        return
    yield "implied.keep", game._next_to_keep() is not None
    deciding = game.seats.index(game.decider()) if game._next_to_keep() else 0
    for at in game.kept:
        yield "implied.kept", at in game.sits and at[0] in game.marker
        role = game.sits.get(at, ("", ""))[0]
        yield "implied.kept", role in game.seats[: deciding + 1]
        left = (*at[:2], 1)
        yield "implied.kept_left", left in game.kept or game.sits.get(left) != game.sits.get(at)
    for role in game.passed:
        yield "implied.passed", role in game.seats[:deciding] and bool(game._keepable(role))


def _over(game: Staufer) -> Rules:
    yield from _ended_actions(game)
    yield "implied.paid", not +game.paid
