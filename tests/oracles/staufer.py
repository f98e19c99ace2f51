"""Die Staufer: an independent implementation. The attribute `pending` is the kind of the decision, empty at the end.

Numbers in comments are sections of the page. "The page is silent" marks questions that the page leaves open.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import ClassVar

from .base import CHANCE, Oracle, facts_in, rulings, split

REGIONS = ("augsburg", "aachen", "strasbourg", "nijmegen", "palermo", "milano")
SUPPLY = "supply"
TILES = ("t1", "t2", "t3", "t4", "t5", "t6")
FIGURES = ("envoy", "noble")
STRENGTH = {"envoy": 1, "noble": 2}

ORANGE = ("vp2", "vp3", "vp4", "vp5", "envoy1", "envoy2", "envoy3", "noble1")
TURQUOISE = ("first", "swap", "nomove", "cheap", "stay")
CHESTS = (*ORANGE, *TURQUOISE, "brown", "violet")
PATTERN_JOBS = ("opposite", "beside", "apart", "three", "triangle", "four")
SEAT_JOBS = ("threes", "fours", "fives", "all", "pairs", "series")
JOB_SORTS = (REGIONS, PATTERN_JOBS, SEAT_JOBS)
REGION_JOB_POINTS = {1: 12, 2: 6}
SEAT_NUMBER = {"threes": 3, "fours": 4, "fives": 5}

PRIVILEGES = "1 2 5 8 11 14"
ROUNDS = 5
CHANCE_KINDS = ("place", "tile", "row_a", "row_b", "row_c", "lay", "job", "draw", "reveal")


BOARD = Path(__file__).with_name("staufer_board.lp").read_text(encoding="utf-8")
"""The board of section 4 of the page, as facts."""


@dataclass(frozen=True)
class Board:
    offices: dict[str, dict[int, tuple[int, bool]]]  # region: {seat: (its number, only for nobles)}
    worth: dict[str, dict[int, int]]  # point tile: {rank: points}
    spaces: dict[int, dict[str, int]]  # supply space: {figure: number}
    chests: dict[str, int]
    conditions: dict[str, int]
    steps: dict[int, int]  # C tiles: the number of tiles for each number of steps
    cards: tuple[int, ...]  # privilege 1: the points of the cards in play, top first
    patterns: dict[str, frozenset[int]]
    values: dict[str, dict[int, int]]
    figures: dict[str, int]  # the number for each player
    at_court: dict[str, int]  # the number at court at the start
    brown: tuple[int, ...]  # the points for 0, 1, 2 ... brown chests


@cache
def parse_board(text: str, players: int) -> Board:
    """The board of the page. If the text has facts with some functor, they replace all facts with this functor (section 6)."""
    facts: dict[str, list[tuple[str, ...]]] = {}
    for given in (BOARD, text):
        changed = [*facts_in(given)]
        facts |= {name: [row for functor, row in changed if functor == name] for name, _ in changed}

    def read(name: str) -> list[tuple[str, ...]]:
        """The facts with this functor for this number of players, without the range of players."""
        if name not in ("office", "worth", "space", "cards"):
            return facts[name]
        return [row[2:] for row in facts[name] if int(row[0]) <= players <= int(row[1])]

    offices: dict[str, dict[int, tuple[int, bool]]] = {region: {} for region in REGIONS}
    for region, seat, number, kind in read("office"):
        offices[region][int(seat)] = (int(number), kind == "noble")
    worth: dict[str, dict[int, int]] = {tile: {} for tile in TILES}
    for tile, rank, value in read("worth"):
        worth[tile][int(rank)] = int(value)
    spaces: dict[int, dict[str, int]] = {}
    for space, figure, count in read("space"):
        spaces.setdefault(int(space), {})[figure] = int(count)
    steps_of: dict[str, set[int]] = {job: set() for job in PATTERN_JOBS}
    for job, step in read("pattern"):
        steps_of[job].add(int(step))
    values: dict[str, dict[int, int]] = {job: {} for job in (*PATTERN_JOBS, *SEAT_JOBS)}
    for job, number, value in read("value"):
        values[job][int(number)] = int(value)
    cards = sorted((int(number), int(value)) for number, value in read("card"))
    ((used,),) = read("cards")
    brown = sorted((int(number), int(value)) for number, value in read("brown"))
    return Board(
        offices={region: dict(sorted(seats.items())) for region, seats in offices.items()},
        worth=worth,
        spaces=dict(sorted(spaces.items())),
        chests={chest: int(count) for chest, count in read("chests")},
        conditions={condition: int(count) for condition, count in read("condition")},
        steps={int(number): int(count) for number, count in read("steps")},
        cards=tuple(value for _, value in cards[-int(used) :]),
        patterns={job: frozenset(steps) for job, steps in steps_of.items()},
        values=values,
        figures={figure: int(count) for figure, count, _ in read("figures")},
        at_court={figure: int(count) for figure, _, count in read("figures")},
        brown=(0, *(value for _, value in brown)),
    )


# The possible payments in one area, by the number of figures that are due there: e is an envoy, n a noble.
PAYMENT = {0: ("x",), 1: ("e", "n"), 2: ("ee", "en", "nn")}


@cache
def payments(due: tuple[int, ...], envoys: int, nobles: int) -> tuple[str, ...]:
    """All payments of the figures that are due in the six areas with these numbers of envoys and nobles."""
    found: list[str] = []
    for laid in product(*(PAYMENT[count] for count in due)):
        text = "".join(laid)
        if text.count("e") <= envoys and text.count("n") <= nobles:
            found.append(f"pay({','.join(laid)})")
    return tuple(found)


def most_layouts(pattern: frozenset[int], figures: Sequence[int]) -> int:
    """The largest number of disjoint layouts of the pattern with these numbers of own figures at the ring's places."""

    def most(turn: int, left: tuple[int, ...]) -> int:
        if turn == len(left):
            return 0
        places = {(turn + step) % len(left) for step in pattern}
        return max(
            times + most(turn + 1, tuple(n - times * (place in places) for place, n in enumerate(left)))
            for times in range(min(left[place] for place in places) + 1)
        )

    return most(0, tuple(figures))


# A style is the weights of the kinds of action. Each player gets one of the styles at the start of a random game.
STYLES: tuple[Mapping[str, int], ...] = (
    {"supply": 3, "deploy": 5, "privilege": 6, "decline": 1, "keep": 4, "pass": 1},
    {"supply": 1, "deploy": 9, "privilege": 6, "decline": 1, "keep": 9, "pass": 1},
    {"supply": 6, "deploy": 4, "privilege": 3, "decline": 2, "keep": 1, "pass": 1},
)


class Staufer(Oracle):
    RULINGS: ClassVar = {
        "cheap_noble_seat": ("no", "yes"),
        "first_chest": ("later", "now"),
        "tie_shared_seat": ("left", "next_seat"),
        "b_tie_start": ("king", "next"),
        "score_order": ("a_first", "b_first"),
        "exchanges": ("each", "once"),
        "noble_pays": ("yes", "no"),
        "refill_kept_seat": ("yes", "no"),
        "empty_pile": ("reshuffle", "nothing"),
        "final_tie": ("shared", "court"),
    }
    EDITIONS: ClassVar = {"standard": {}, "de": rulings("cheap_noble_seat=yes first_chest=now")}
    FACTS: ClassVar = {
        "round": ("round", "V"),
        "phase": ("phase", "v"),
        "king": ("king", "v"),
        "acting": ("acting", "vv"),
        "place": ("places", "Kv"),  # place on the ring: region
        **{name: (name, "Kv") for name in ("row_a", "row_b", "order", "supplied", "deployed")},
        "row_c": ("row_c", "KV"),
        "tile": ("tiles", "kv"),  # region: point tile
        **{name: (name, "k") for name in ("marker", "scored", "picked", "passed")},
        "chest": ("chests", "kKkV"),
        **{name: (name, "kV") for name in ("pile", "open", "points")},
        "to_lay": ("to_lay", "kK"),
        "sits": ("sits", "kKKvv"),  # region, seat, side: role, figure
        **{name: (name, "kkV") for name in ("court", "owns", "hand")},
        "paid": ("paid", "kkkV"),  # region, role, figure
        "display": ("display", "KV"),
        "has": ("has", "kK"),
        "job": ("jobs", "kk"),
        "kept": ("kept", "kKK"),
    }

    def _clear(self, board: str) -> None:
        self.n = len(self.seats)
        self.board = parse_board(board, self.n)
        self.pending = ""
        self.trader: str | None = None  # the role that decides at `exchange`
        self.points = {}

    def _begin(self) -> None:
        self.phase, self.pending, self.round = "setup", "place", 1
        self.points.update(dict.fromkeys(self.seats, 0))
        for role, (figure, count) in product(self.seats, self.board.at_court.items()):
            self.court[role, figure] = count
        backwards = self.seats[::-1]
        self.order.update(enumerate([*self.seats, *backwards, *backwards], 1))
        self.pile.update(self.board.chests)
        for number in map(int, PRIVILEGES.split()):
            self.display[number] = self.copies(number)

    def _deciding(self) -> Mapping[str, str]:
        return {self.decider(): self.pending} if self.pending else {}

    def _take_decision(self, role: str, kind: str) -> None:
        self.pending = kind
        self.trader = role if kind == "exchange" else None

    def view(self, role: str) -> frozenset[str]:
        """The facts that a role sees. Before the end these are all but the jobs of other players."""
        # The page is silent about what `chance` sees. Here chance sees everything.
        if role == CHANCE or self.phase == "over":
            return self.facts()
        hidden = {f"job({other},{job})" for other, job in self.jobs if other != role}
        return self.facts() - hidden

    # ---- queries about a position

    def copies(self, privilege: int) -> int:
        if privilege == 1:
            return len(self.board.cards)
        return 1 if self.n == 2 else 2

    def holds(self, role: str, privilege: int) -> bool:
        return (role, privilege) in self.has

    def province(self, role: str, figure: str) -> int:
        """The number of figures of the player in the province: those that are nowhere else."""
        sitting = list(self.sits.values()).count((role, figure))
        paid = sum(self.paid[region, role, figure] for region in REGIONS)
        return self.board.figures[figure] - sitting - paid - self.court[role, figure]

    def discarded(self) -> Counter[str]:
        """The discarded chests: those that are nowhere else."""
        left = Counter(self.board.chests)
        left.subtract(self.pile)
        left.subtract(self.open)
        for counts in (self.owns, self.hand):
            for (_, chest), count in counts.items():
                left[chest] -= count
        for (_, _, chest), count in self.chests.items():
            left[chest] -= count
        return +left

    def ring(self, start: str) -> list[str]:
        regions = [self.places[number] for number in sorted(self.places)]
        at = regions.index(start)
        return regions[at:] + regions[:at]

    def places_in_order(self) -> list[tuple[str, int]]:
        """All office seats and supply spaces in the order in which chests are laid."""
        seats = [(self.places[at], seat) for at in sorted(self.places) for seat in self._seats_at(at)]
        return seats + [(SUPPLY, space) for space in self.board.spaces]

    def _seats_at(self, place: int) -> Iterable[int]:
        return self.board.offices[self.places[place]]

    def occupants(self, region: str, seat: int) -> int:
        return sum((region, seat, side) in self.sits for side in (1, 2))

    def number_of(self, region: str, seat: int) -> int:
        return self.board.offices[region][seat][0]

    def decider(self) -> str:
        if self.pending in CHANCE_KINDS:
            return CHANCE
        if self.pending == "turn":
            return self.order[min(self.order)]
        if self.pending == "bonus":
            return self._next_to_pick()
        return self._next_to_keep() if self.pending == "keep" else self.trader

    def ranking(self, region: str) -> list[str]:
        """The players who sit in the region, strongest first."""

        def key(role: str) -> tuple[int, list[tuple[int, int]], int]:
            # The player's figures by decreasing seat number, then by seat, and with the left side first.
            own = sorted(
                (-self.number_of(region, seat), seat, side, figure)
                for (where, seat, side), (who, figure) in self.sits.items()
                if where == region and who == role
            )
            strength = sum(STRENGTH[figure] for *_, figure in own)
            seats = [(number, seat) for number, seat, _, _ in own]
            left = own[0][2]  # decides if two players share their most expensive seat
            if self.rules["tie_shared_seat"] == "left":
                return -strength, seats[:1], left
            # next_seat: compare seat by seat. A player without further seats is behind, as (0, 0) comes after every seat.
            return -strength, [*seats, (0, 0)], left

        return sorted({who for (where, *_), (who, _) in self.sits.items() if where == region}, key=key)

    def region_b(self) -> str:
        """The region that the B tile of this round determines in the current position."""
        ring = self.ring(self.king)
        if self.rules["b_tie_start"] == "next":
            ring = ring[1:] + ring[:1]
        match self.row_b[self.round]:
            case "king":
                return self.king
            case "chests":
                lying = Counter(region for region, _, _ in self.chests.elements())
                return min(ring, key=lambda region: lying[region])
            case _:
                return max(ring, key=lambda region: sum(where == region for where, _, _ in self.sits))

    def _to_score(self) -> list[str]:
        a = self.row_a[self.round]
        others = sorted(self.marker - {a})
        return [a, *others] if self.rules["score_order"] == "a_first" else [*others, a]

    def scoring_now(self) -> str | None:
        return next((region for region in self._to_score() if region not in self.scored), None)

    def _to_reveal(self, region: str) -> int:
        return {"augsburg": 2, "aachen": self.n}.get(region, 0)

    def _pickers(self, region: str) -> list[str]:
        """The players who may take a chest from the bonus of the region, in order."""
        return self.ranking(region)[: 2 if region == "augsburg" else None]

    def _next_to_pick(self) -> str | None:
        pickers = self._pickers(self.scoring_now())
        return next((role for role in pickers if role not in self.picked), None)

    def _keepable(self, role: str) -> list[tuple[str, int, int]]:
        """The figures that the player may still keep with a chest."""
        if not self.owns[role, "stay"]:
            return []
        own = [at for at, (who, _) in self.sits.items() if who == role and at[0] in self.marker]
        left_first = [
            (region, seat, side)
            for region, seat, side in own
            if side == 1
            or self.sits.get((region, seat, 1)) != self.sits[region, seat, 2]
            or (region, seat, 1) in self.kept
        ]
        return [at for at in left_first if at not in self.kept]

    def _next_to_keep(self) -> str | None:
        return next((r for r in self.seats if r not in self.passed and self._keepable(r)), None)

    def _next_job(self) -> tuple[str, tuple[str, ...]] | None:
        """The player who gets the next job, and the sort of the job."""
        # The page is silent about the order. Here each player in turn gets a region job, a pattern job and a seat job.
        for role, sort in product(self.seats, JOB_SORTS):
            if not any((role, job) in self.jobs for job in sort):
                return role, sort
        return None

    def exchangeable(self, role: str) -> list[int]:
        """The privileges that the player may take for two violet chests."""
        if self.owns[role, "violet"] < 2:
            return []
        return sorted(p for p, count in self.display.items() if count and not self.holds(role, p))

    # ---- legal actions

    def weights(self) -> dict[str, int]:
        match self.pending:
            case "place":
                return {f"place({region})": 1 for region in REGIONS if region not in self.places.values()}
            case "tile":
                return {f"tile({tile})": 1 for tile in TILES if tile not in self.tiles.values()}
            case "row_a":
                return {f"row_a({region})": 1 for region in REGIONS if region not in self.row_a.values()}
            case "row_b":
                left = Counter(self.board.conditions) - Counter(self.row_b.values())
                return {f"row_b({condition})": count for condition, count in left.items()}
            case "row_c":
                tiles = Counter(self.board.steps) - Counter(self.row_c.values())
                return {f"row_c({steps})": count for steps, count in tiles.items()}
            case "lay":
                place, space = self._next_due()
                return {f"lay({place},{space},{chest})": count for chest, count in (+self.pile).items()}
            case "job":
                role, sort = self._next_job()
                dealt = {job for _, job in self.jobs}
                return {f"job({role},{job})": 1 for job in sort if job not in dealt}
            case "draw" | "reveal":
                return {f"{self.pending}({chest})": count for chest, count in (+self.pile).items()}
            case _:
                return {}

    def _next_due(self) -> tuple[str, int]:
        return next(place for place in self.places_in_order() if place in self.to_lay)

    def _actions(self, role: str, kind: str) -> list[str]:
        match kind:
            case "turn":
                return self._supplies(role) + self._deployments(role)
            case "exchange":
                return ["decline", *(f"privilege({number})" for number in self.exchangeable(role))]
            case "bonus":
                return [f"take({chest})" for chest in +self.open]
            case "keep":
                return ["pass", *(f"keep({a},{seat},{side})" for a, seat, side in self._keepable(role))]
            case _:
                return list(self.weights())

    def _members(self, role: str, place: str, space: int) -> list[str]:
        """The values of U. By the ruling first_chest one of the chests that are taken may be used at once."""
        at_once = self.rules["first_chest"] == "now" and self.chests[place, space, "first"]
        return ["usual", "first"] if self.owns[role, "first"] or at_once else ["usual"]

    def _movings(self, role: str) -> list[str]:
        """The values of M."""
        return ["walk", "nomove"] if self.owns[role, "nomove"] else ["walk"]

    def _prices(self, role: str) -> list[str]:
        """The values of K."""
        return ["full", "cheap"] if self.owns[role, "cheap"] else ["full"]

    def _supplies(self, role: str) -> list[str]:
        spaces = self.board.spaces
        filled = {space for (place, space, _), count in self.chests.items() if place == SUPPLY and count}
        pairs = [(space, space) for space in spaces]
        if self.owns[role, "swap"]:
            pairs += [(space, other) for space, other in product(spaces, filled) if other != space]
        return [f"supply({i},{j},{u})" for i, j in pairs for u in self._members(role, SUPPLY, j)]

    def _deployments(self, role: str) -> list[str]:
        actions: list[str] = []
        chests = list(product(self._movings(role), self._prices(role)))
        for region, seats in self.board.offices.items():
            for seat, figure, (moving, price) in product(seats, ("envoy", "noble", "envoys"), chests):
                for pay in self._payments(role, region, seat, figure, moving, price):
                    head = f"deploy({region},{seat},{figure},{pay},{moving},{price}"
                    actions += [f"{head},{member})" for member in self._members(role, region, seat)]
        return actions

    def _payments(self, role: str, region: str, seat: int, figure: str, moving: str, price: str) -> tuple[str, ...]:
        """All legal payments of a deployment; none if the player cannot take the seat in this way."""
        if not self._may_sit(role, region, seat, figure, cheap=price == "cheap"):
            return ()
        envoys = self.court[role, "envoy"] - {"envoy": 1, "noble": 0, "envoys": 2}[figure]
        nobles = self.court[role, "noble"] - (figure == "noble")
        if envoys < 0 or nobles < 0:
            return ()
        if self.rules["noble_pays"] == "no":
            nobles = 0
        due = self._areas_due(role, region, seat, walks=moving == "walk", cheap=price == "cheap")
        return payments(due, envoys, nobles)

    def _may_sit(self, role: str, region: str, seat: int, figure: str, cheap: bool) -> bool:
        """Whether the figure may sit there by section 2 (b), privileges 2 and 3 and the ruling on noble seats."""
        if figure == "envoys" and not self.holds(role, 3):
            return False
        occupants = self.occupants(region, seat)
        if occupants == 2 or (occupants == 1 and (figure == "envoys" or not self.holds(role, 2))):
            return False
        only_nobles = self.board.offices[region][seat][1]
        if only_nobles and figure != "noble":
            return cheap and self.rules["cheap_noble_seat"] == "yes"
        return True

    def _areas_due(self, role: str, region: str, seat: int, walks: bool, cheap: bool) -> tuple[int, ...]:
        """The numbers of figures for the first to the sixth region clockwise after this one."""
        due = [0] * 6
        for area in range(1, self._price(role, region, seat, cheap)):
            due[area - 1] += 1
        distance = self.ring(self.king).index(region)
        if walks:
            for step in self._steps_paid(role, distance):
                due[6 - distance + step - 1] += 1
        return tuple(due)

    def _price(self, role: str, region: str, seat: int, cheap: bool) -> int:
        """The price of the seat, including the figure that sits there."""
        if cheap:
            return 1
        number = 3 if self.holds(role, 4) else self.number_of(region, seat)
        return number - self.holds(role, 5)

    def _steps_paid(self, role: str, distance: int) -> list[int]:
        steps = list(range(1, distance + 1))
        if self.holds(role, 12) and distance in (1, 5):
            return []
        if self.holds(role, 10) and self.holds(role, 11):
            return []
        if self.holds(role, 10):
            return steps[-1:]
        if self.holds(role, 11):
            return steps[2:]
        return steps

    # ---- the course of the game (section 2)

    def play(self, actions: Mapping[str, str]) -> None:
        ((role, action),) = actions.items()
        name, row = split(action)
        match self.pending:
            case "turn":
                self._act(role, name, row)
            case "exchange":
                self._exchange(role, int(row[0]) if name == "privilege" else None)
            case "draw":
                self._draw(row[0])
            case "reveal":
                self.pile[row[0]] -= 1
                self.open[row[0]] += 1
                self._go_on_revealing()
            case "bonus":
                self.open[row[0]] -= 1
                self.picked.add(role)
                self.hand[role, row[0]] += 1
                self._go_on_taking(role)
            case "keep":
                self._keep(role, row)
            case "lay":
                self.pile[row[2]] -= 1
                self.chests[row[0], int(row[1]), row[2]] += 1
                self.to_lay.discard((row[0], int(row[1])))
                self._go_on_laying()
            case "job":
                self.jobs.add((row[0], row[1]))
                if self._next_job() is None:
                    self._start_actions()
            case _:
                self._set_up(row[0])

    def _set_up(self, drawn: str) -> None:
        match self.pending:
            case "place":
                self.places[len(self.places) + 1] = drawn
                if len(self.places) == len(REGIONS):
                    self.pending = "tile"
            case "tile":
                self.tiles[self.places[len(self.tiles) + 1]] = drawn
                if len(self.tiles) == len(REGIONS):
                    self.pending = "row_a"
            case "row_a":
                self.row_a[len(self.row_a) + 1] = drawn
                if len(self.row_a) == ROUNDS:
                    self.king = next(region for region in REGIONS if region not in self.row_a.values())
                    self.pending = "row_b"
            case "row_b":
                self.row_b[len(self.row_b) + 1] = drawn
                if len(self.row_b) == ROUNDS:
                    self.pending = "row_c"
            case "row_c":
                self.row_c[len(self.row_c) + 1] = int(drawn)
                if len(self.row_c) == ROUNDS - 1:
                    self.to_lay = set(self.places_in_order())
                    self._go_on_laying()

    def _fill_pile(self) -> bool:
        """Whether chance can draw. An empty pile is first filled with the discarded chests."""
        if not self.pile.total() and self.rules["empty_pile"] == "reshuffle":
            self.pile = self.discarded()
        return self.pile.total() > 0

    def _go_on_laying(self) -> None:
        if self.to_lay and self._fill_pile():
            self.pending = "lay"
            return
        self.to_lay.clear()
        if self.phase == "setup":
            self.pending = "job"
        else:
            self._end_cleanup()

    def _start_actions(self) -> None:
        self.phase, self.pending = "actions", "turn"
        self.marker = {self.row_a[self.round]}

    # ---- actions

    def _act(self, role: str, name: str, row: Sequence[str]) -> None:
        place, space = (SUPPLY, row[1]) if name == "supply" else (row[0], row[1])
        self._move_member(role, name, (place, int(space)), first=row[-1] == "first")
        self.acting = (role, name)
        if name == "supply":
            self._supply(role, int(row[0]), int(row[1]))
        else:
            region, seat, figure, pay, moving, price, _ = row
            self._deploy(role, region, int(seat), figure, split(pay)[1])
            self._use_chest(role, "nomove", moving == "nomove")
            self._use_chest(role, "cheap", price == "cheap")
            self._take_under(role, region, int(seat))
        self._go_on_taking(role)

    def _use_chest(self, role: str, chest: str, used: bool) -> None:
        """Discards a chest that is used, so that it is nowhere."""
        self.owns[role, chest] -= used

    def _move_member(self, role: str, name: str, taken: tuple[str, int], first: bool) -> None:
        del self.order[min(self.order)]
        if first and not self.owns[role, "first"]:  # it is a chest that the player takes now
            self.chests[(*taken, "first")] -= 1
        else:
            self._use_chest(role, "first", first)
        if first:
            self.supplied = {1: role} | {row + 1: other for row, other in self.supplied.items()}
        elif name == "supply":
            self.supplied[len(self.supplied) + 1] = role
        else:
            self.deployed[3 * self.n - len(self.deployed)] = role

    def _take_under(self, role: str, place: str, space: int) -> None:
        for chest in CHESTS:
            self.hand[role, chest] += self.chests.pop((place, space, chest), 0)

    def _supply(self, role: str, space: int, chests_of: int) -> None:
        for figure, count in self.board.spaces[space].items():
            self._from_province(role, figure, count)
        self._use_chest(role, "swap", space != chests_of)
        self._take_under(role, SUPPLY, chests_of)

    def _from_province(self, role: str, figure: str, count: int) -> None:
        """Moves figures from the province to the court, as far as there are any."""
        self.court[role, figure] += min(count, self.province(role, figure))

    def _deploy(self, role: str, region: str, seat: int, figure: str, pay: Sequence[str]) -> None:
        ring = self.ring(region)
        for area, laid in zip([*ring[1:], ring[0]], pay, strict=True):
            for letter, paid in (("e", "envoy"), ("n", "noble")):
                self.court[role, paid] -= laid.count(letter)
                self.paid[area, role, paid] += laid.count(letter)
        seated = ["envoy", "envoy"] if figure == "envoys" else [figure]
        for who in seated:
            self.court[role, who] -= 1
            self.sits[region, seat, self.occupants(region, seat) + 1] = (role, who)
        if region == self.king and self.holds(role, 6):
            self.points[role] += 3 * len(seated)

    # ---- taking chests

    def _go_on_taking(self, role: str) -> None:
        """Handles the chests in hand. Unless the player decides about an exchange, the game goes on."""
        while violets := self.hand[role, "violet"]:
            put = violets if self.rules["exchanges"] == "once" else 1
            self.hand[role, "violet"] -= put
            self.owns[role, "violet"] += put
            if self.exchangeable(role):
                self.pending, self.trader = "exchange", role
                return
        for chest in CHESTS:
            self._deal_with(role, chest, self.hand.pop((role, chest), 0))
        if self.phase == "actions":
            self._end_action(role)
        else:
            self._go_on_picking()

    def _deal_with(self, role: str, chest: str, count: int) -> None:
        if chest not in ORANGE:
            self.owns[role, chest] += count
            return
        kind, number = chest[:-1], int(chest[-1])
        if kind == "vp":
            self.points[role] += number * count
        else:
            self._from_province(role, kind, number * count)
        if self.holds(role, 16):
            self.points[role] += 2 * count

    def _exchange(self, role: str, privilege: int | None) -> None:
        self.trader = None
        if privilege is not None:
            self.owns[role, "violet"] -= 2
            if privilege == 1:
                self.points[role] += self.board.cards[-self.display[1]]
            self.display[privilege] -= 1
            self.has.add((role, privilege))
        self._go_on_taking(role)

    def _end_action(self, role: str) -> None:
        if self.acting[1] == "supply":
            if self.holds(role, 7):
                self._from_province(role, "envoy", 1)
            if self.holds(role, 9):
                self.points[role] += 2
            if self.holds(role, 8) and self._fill_pile():
                self.pending = "draw"
                return
        self.acting = None
        if self.order:
            self.pending = "turn"
        else:
            self._start_scoring()

    def _draw(self, chest: str) -> None:
        role, _ = self.acting
        self.acting = (role, "drawn")
        self.pile[chest] -= 1
        self.hand[role, chest] += 1
        self._go_on_taking(role)

    # ---- scoring

    def _start_scoring(self) -> None:
        self.phase = "scoring"
        self.marker.add(self.region_b())
        self._go_on_scoring()

    def _go_on_scoring(self) -> None:
        """Scores the next region. After the last one the round ends."""
        while region := self.scoring_now():
            self._score(region)
            if self._to_reveal(region):
                self._go_on_revealing()
                return
            self.scored.add(region)
        self.scored.clear()
        if self.round == ROUNDS:
            self._finish()
        else:
            self.phase = "cleanup"
            self._go_on_keeping()

    def _score(self, region: str) -> None:
        """Gives the points and figures of a region. Chests are revealed afterwards."""
        ranking = self.ranking(region)
        for rank, role in enumerate(ranking, 1):
            if rank <= (1 if self.n == 2 else 3):
                self.points[role] += self.board.worth[self.tiles[region]][rank]
                self.points[role] += 4 - rank if self.holds(role, 14) else 0
            self.points[role] += 2 if self.holds(role, 15) else 0
            match region:
                case "strasbourg":
                    self._from_province(role, "envoy", {1: 2, 2: 1}.get(rank, 0))
                case "nijmegen":
                    self._from_province(role, "envoy", 1)
                case "palermo":
                    self.points[role] += {1: 3, 2: 1}.get(rank, 0)
                case "milano":
                    self.points[role] += 2

    def _go_on_revealing(self) -> None:
        if self.open.total() < self._to_reveal(self.scoring_now()) and self._fill_pile():
            self.pending = "reveal"
        else:
            self._go_on_picking()

    def _go_on_picking(self) -> None:
        if self.open.total() and self._next_to_pick():
            self.pending = "bonus"
            return
        self.open.clear()
        self.picked.clear()
        self.scored.add(self.scoring_now())
        self._go_on_scoring()

    # ---- clean-up

    def _go_on_keeping(self) -> None:
        if self._next_to_keep():
            self.pending = "keep"
        else:
            self._clear_seats()

    def _keep(self, role: str, row: Sequence[str]) -> None:
        if row:
            self._use_chest(role, "stay", used=True)
            self.kept.add((row[0], int(row[1]), int(row[2])))
        else:
            self.passed.add(role)
        self._go_on_keeping()

    def _clear_seats(self) -> None:
        """Steps 2 and 3: the figures that do not stay leave, and chests are due."""
        for at, (role, figure) in list(self.sits.items()):
            if at[0] in self.marker and at not in self.kept:
                del self.sits[at]
                self.court[role, figure] += self.holds(role, 13)
        for region, seat, side in list(self.sits):
            if side == 2 and (region, seat, 1) not in self.sits:
                self.sits[region, seat, 1] = self.sits.pop((region, seat, 2))
        self.kept.clear()
        self.passed.clear()
        self.to_lay = {at for at in self.places_in_order() if at[0] in self.marker or at[0] == SUPPLY}
        if self.rules["refill_kept_seat"] == "no":
            self.to_lay -= {(region, seat) for region, seat, _ in self.sits}
        self._go_on_laying()

    def _end_cleanup(self) -> None:
        """Steps 4 and 5: the king walks, and the next round begins."""
        for _ in range(self.row_c[self.round]):
            self.king = self.ring(self.king)[1]
            self._bring_home(self.king)
        self.order = dict(sorted((self.supplied | self.deployed).items()))
        self.supplied, self.deployed = {}, {}
        self.round += 1
        self._start_actions()

    def _bring_home(self, region: str) -> None:
        """Moves the figures of a payment area to the courts of their owners."""
        for role, figure in product(self.seats, FIGURES):
            self.court[role, figure] += self.paid.pop((region, role, figure), 0)

    # ---- final scoring

    def _finish(self) -> None:
        self.paid.clear()
        for role in self.seats:
            series, rest = divmod(self.owns[role, "brown"], len(self.board.brown) - 1)
            self.points[role] += series * self.board.brown[-1] + self.board.brown[rest]
        for role, job in self.jobs:
            self.points[role] += self.job_points(role, job)
        self.phase, self.pending = "over", ""

    def job_points(self, role: str, job: str) -> int:
        if job in REGIONS:
            ranking = self.ranking(job)[: 1 if self.n == 2 else 2]
            return REGION_JOB_POINTS[ranking.index(role) + 1] if role in ranking else 0
        own = [(region, seat) for (region, seat, _), (who, _) in self.sits.items() if who == role]
        values = self.board.values[job]
        if job in PATTERN_JOBS:
            in_region = Counter(region for region, _ in own)
            figures = [in_region[self.places[place]] for place in sorted(self.places)]
            return values[1] * most_layouts(self.board.patterns[job], figures)
        on_number = Counter(self.number_of(region, seat) for region, seat in own)
        match job:
            case "all":
                return values[1] * len(own)
            case "pairs":
                return values[1] * sum(count // 2 for count in on_number.values())
            case "series":
                return values[1] * min(on_number[3], on_number[4], on_number[5])
            case _:
                count, last = on_number[SEAT_NUMBER[job]], max(values)
                if count == 0:
                    return 0
                return values[min(count, last)] + 5 * max(0, count - last)

    def result(self) -> tuple[dict[str, int], tuple[str, ...]] | None:
        result = super().result()
        if result and self.rules["final_tie"] == "court":
            figures = {role: sum(self.court[role, figure] for figure in FIGURES) for role in result[1]}
            return result[0], tuple(role for role in result[1] if figures[role] == max(figures.values()))
        return result

    # ---- random games

    def _style(self, rng: random.Random, prefer: Mapping[str, float]) -> Callable[[str, Sequence[str]], str]:
        """A kind of action by the weights of a style; for a deployment a seat, and then an action."""
        styles = dict(zip(self.seats, rng.choices(STYLES, k=self.n), strict=True))

        def choose(role: str, actions: Sequence[str]) -> str:
            kinds = {action.partition("(")[0] for action in actions}
            (kind,) = rng.choices(sorted(kinds), [styles[role].get(name, 1) for name in sorted(kinds)])
            left = [action for action in actions if action.partition("(")[0] == kind]
            if kind == "deploy":
                seat = rng.choice(sorted({tuple(action.split(",", 2)[:2]) for action in left}))
                left = [action for action in left if tuple(action.split(",", 2)[:2]) == seat]
            return rng.choice(left)

        return choose
