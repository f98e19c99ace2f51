"""Krone & Schwert: an independent implementation. The attribute `pending` is the kind of the decision, empty at the end."""

import math
import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import ClassVar

from .base import CHANCE, Oracle, facts_in, random_action, rulings, split

# The cards in the order of the vocabulary, with the number of copies, the battle value and the black shields.
CARDS = ("leader3", "leader4", "incite", "castle", "cathedral", "city", "ambush", "truce", "papal_visit")
COPIES = dict(zip(CARDS, (5, 3, 3, 15, 10, 15, 2, 2, 3), strict=True))
BATTLE_VALUE = dict(zip(CARDS, (3, 4, 1, 2, 3, 2, 0, 0, 1), strict=True))
BLACK_SHIELDS = dict(zip(CARDS, (1, 1, 2, 2, 1, 2, 2, 2, 2), strict=True))
EVENTS = {"city_scoring": 2, "unrest": 5}  # in the draw pile from the start; game_end is added later
GAME_END = "game_end"
LAST_CARDS = 20  # game_end is among this many last cards

FACES = {"crown": 11, "sword": 11}
# The shields are for each player.
SHIELDS, CASTLES, SMALL_CITIES, LARGE_CITIES, CATHEDRALS = 28, 26, 28, 10, 10
HAND_AT_START, SHIELDS_AT_START, ACTION_POINTS = 4, 2, 3
THRESHOLD = {2: 10, 3: 15, 4: 20, 5: 25}
MOST_SETS = 20000  # legal() does not enumerate more sets of cards


@dataclass(frozen=True)
class Board:
    shape: dict[str, str]
    terrain: dict[str, str]
    neighbours: dict[str, frozenset[str]]


def parse_board(text: str, pieces: int) -> Board:
    """Reads the facts piece/6, join/4 and border/2, and lays out the board for this number of pieces."""
    facts = [*facts_in(text)]

    def read(name: str) -> list[tuple[str, ...]]:
        return [row for functor, row in facts if functor == name]

    shift = {piece: (int(dx), int(dy)) for count, piece, dx, dy in read("join") if int(count) == pieces}
    shape: dict[str, str] = {}
    terrain: dict[str, str] = {}
    place: dict[str, tuple[int, int]] = {}
    for piece, field, form, ground, x, y in read("piece"):
        if piece in shift:
            shape[field], terrain[field] = form, ground
            place[field] = (int(x) + shift[piece][0], int(y) + shift[piece][1])

    sides: dict[str, set[str]] = {field: set() for field in shape}
    borders = read("border")
    if borders:
        for f, g in borders:
            if f in sides and g in sides:
                sides[f].add(g)
                sides[g].add(f)
    else:
        for f, (fx, fy) in place.items():
            for g, (gx, gy) in place.items():
                squared = (fx - gx) ** 2 + (fy - gy) ** 2
                shapes = {shape[f], shape[g]}
                if (squared == 2 and len(shapes) == 2) or (squared == 4 and shapes == {"octagon"}):
                    sides[f].add(g)
    return Board(shape, terrain, {field: frozenset(others) for field, others in sides.items()})


def set_text(cards: Mapping[str, int]) -> str:
    """A set of cards as a term, such as with(1,leader4,with(2,castle,none))."""
    term = "none"
    for card in reversed(CARDS):
        if cards.get(card, 0) > 0:
            term = f"with({cards[card]},{card},{term})"
    return term


def parse_set(term: str) -> Counter[str]:
    return Counter({card: int(count) for count, card in re.findall(r"with\((\d+),(\w+),", term)})


def value_of(cards: Mapping[str, int]) -> int:
    return sum(BATTLE_VALUE[card] * count for card, count in cards.items())


def value_without_highest(cards: Mapping[str, int], cancelled: int) -> int:
    """The battle value of the cards if the highest ones, in this number, are cancelled."""
    values = sorted((BATTLE_VALUE[card] for card, count in cards.items() for _ in range(count)), reverse=True)
    return sum(values[cancelled:])


def size_of(cards: Mapping[str, int]) -> int:
    return sum(cards.values())


# ---- random games

# The weights of the kinds of action; other kinds have the weight 4. Each player gets one of the styles at the start. Most
# styles fill the board, so that games end. With the second one games reach a king and the end phase. With the last one a
# player may lose all fields.
KIND_WEIGHT = {"pass": 1, "decline": 1, "stop": 1, "none": 6, "draw": 4, "incite": 2, "papal_visit": 2}
KIND_WEIGHT |= {"expand": 14, "occupy": 12, "attack": 8, "revolt": 4}
STYLES = (
    KIND_WEIGHT,
    {**KIND_WEIGHT, "castle": 40, "city": 20, "large_city": 30, "cathedral": 60, "revolt": 8, "occupy": 6},
    {**KIND_WEIGHT, "attack": 60, "none": 20, "occupy": 20, "decline": 4},
    {"pass": 60, "draw": 2, "expand": 1, "occupy": 2, "attack": 1},
)
STYLE_WEIGHT = (6, 3, 4, 1)
FULL_HAND = 8  # with this many cards nobody draws, which limits the number of sets of cards


class Krone(Oracle):
    RULINGS: ClassVar = {
        "replacement": ("automatic", "optional"),
        "truce_in_revolt": ("before_people", "after_people"),
        "end_shuffle": ("with_laid", "without_laid"),
        "leader_condition": ("castle_and_city", "none"),
        "revolts_per_turn": ("any", "one"),
        "first_tax": ("forced", "optional"),
        "ambushes": ("each", "one"),
        "ambush_target": ("side", "protagonist"),
        "area_ties": ("next_size", "no_second"),
        "supply": ("limited", "unlimited"),
        "pieces": ("per_player", "one_fewer"),
    }
    EDITIONS: ClassVar = {
        "standard": {},
        "nl": rulings("replacement=optional truce_in_revolt=after_people end_shuffle=without_laid"),
    }
    FACTS: ClassVar = {
        **{name: (name, "v") for name in ("phase", "king", "turn", "attack")},
        **{name: (name, "") for name in ("attacked", "revolted", "revolt", "drawing")},
        "revealing": ("revealing", "V"),
        "shield": ("owner", "kv"),
        "castle": ("castles", "k"),
        "city": ("cities", "k"),
        "large_city": ("large_cities", "kv"),  # square: octagon
        "cathedral": ("cathedrals", "k"),  # squares of large cities
        "points": ("points", "kV"),
        "hand": ("hand", "okV"),
        "laid": ("laid", "okV"),
        "draw": ("draw", "kV"),
        "discard": ("discard", "kV"),
        "people": ("people", "kV"),
        "visit": ("visits", "kV"),
        "vote": ("votes", "kv"),
    }

    def _clear(self, board: str) -> None:
        pieces = len(self.seats)
        if self.rules["pieces"] == "one_fewer" and pieces >= 4:
            pieces -= 1
        self.board = parse_board(board, pieces)
        self.pending, self.ap = "", 0
        self.points = dict.fromkeys(self.seats, 0)

    def _begin(self) -> None:
        self.draw.update({**COPIES, **EVENTS})
        self.people.update(FACES)
        self.phase = self.pending = "deal"

    def _other_facts(self) -> list[str]:
        return [f"ap({self.ap})"] if self.turn else []

    def _take_fact(self, name: str, row: Sequence[str]) -> None:
        if name == "ap":
            self.ap = int(row[0])
        else:
            super()._take_fact(name, row)

    def _take_decision(self, role: str, kind: str) -> None:
        self.pending = split(kind)[0]

    # ---- queries about a position

    def _fields(self, role: str) -> set[str]:
        return {field for field, owner in self.owner.items() if owner == role}

    def _free_fields(self) -> set[str]:
        return set(self.board.shape) - set(self.owner)

    def _free_fields_next_to(self, role: str) -> set[str]:
        own = self._fields(role)
        return {field for field in self._free_fields() if self.board.neighbours[field] & own}

    def _built_on(self) -> set[str]:
        return self.castles | self.cities | set(self.large_cities) | set(self.large_cities.values())

    def _count_castles(self, role: str) -> int:
        return sum(self.owner[field] == role for field in self.castles)

    def _count_cities(self, role: str) -> int:
        return sum(self.owner[field] == role for field in [*self.cities, *self.large_cities])

    def _count_cathedrals(self, role: str) -> int:
        return sum(self.owner[square] == role for square in self.cathedrals)

    def _open_swords(self) -> int:
        return FACES["sword"] - self.people["sword"]

    def _has_shield(self, role: str) -> bool:
        return self.rules["supply"] == "unlimited" or len(self._fields(role)) < SHIELDS

    def _in_supply(self, on_board: int, pieces: int) -> bool:
        return self.rules["supply"] == "unlimited" or on_board < pieces

    def _deciding(self) -> dict[str, str]:
        match self.pending:
            case "":
                return {}
            case "deal":
                return {CHANCE: f"deal({self._seat_to_deal()})"}
            case "draw" | "reveal":
                return {CHANCE: self.pending}
            case "place":
                return {self._seat_to_place(): "place"}
            case "defend":
                return {self.owner[self.attack]: "defend"}
            case "vote":
                return dict.fromkeys(self.seats, "vote")
            case _:
                return {self.turn: self.pending}

    def _seat_to_deal(self) -> str:
        return next(role for role in self.seats if size_of(self.hand[role]) < HAND_AT_START)

    def _seat_to_place(self) -> str:
        return min(self.seats, key=lambda role: len(self._fields(role)))

    # ---- legal actions

    def weights(self) -> dict[str, int]:
        match self.pending:
            case "deal":
                role = self._seat_to_deal()
                return {f"deal({role},{card})": self.draw[card] for card in CARDS if self.draw[card]}
            case "draw":
                weights = {f"draw({card})": n for card, n in self.draw.items() if n and card != GAME_END}
                if self.draw[GAME_END] and sum(weights.values()) <= LAST_CARDS:
                    weights[f"draw({GAME_END})"] = 1
                return weights
            case "reveal":
                return {f"reveal({face})": count for face, count in self.people.items() if count}
            case _:
                return {}

    def _actions(self, role: str, kind: str) -> list[str]:
        match kind:
            case "place":
                taken = set(self.owner)
                return [f"shield({f})" for f in self._free_fields() if not self.board.neighbours[f] & taken]
            case "resettle":
                free, settled = self._free_fields(), bool(self._fields(role))
                shields = [f"shield({field})" for field in free] if settled or len(free) >= 2 else []
                return shields if settled else ["decline", *shields]
            case "tax":
                return ["tax", "decline"]
            case "turn":
                return ["pass", *self._buildings(role), *self._other_actions(role)]
            case "second_field":
                return ["stop", *(f"expand({field})" for field in self._free_fields_next_to(role))]
            case "force":
                return [f"force({set_text(cards)})" for cards in self._sets(role) if self._is_force(cards)]
            case "defend":
                most = self.hand[role]["ambush"]
                if self.rules["ambushes"] == "one":
                    most = min(1, most)
                truce = ["truce"] if self.hand[role]["truce"] else []
                return ["none", *truce, *(f"ambush({count})" for count in range(1, most + 1))]
            case "vote":
                sets = [set_text(cards) for cards in self._sets(role)]
                return [f"vote({side},{cards})" for side in self._sides(role) for cards in sets]
            case "replace":
                return ["draw", "decline"]
            case _:
                return list(self.weights())

    def _buildings(self, role: str) -> list[str]:
        if self.ap < 2:
            return []
        actions: list[str] = []
        hand, terrain, shape = self.hand[role], self.board.terrain, self.board.shape
        sites = self._fields(role) - self._built_on()
        plains = {field for field in sites if terrain[field] == "plain"}
        if hand["castle"] and self._in_supply(len(self.castles), CASTLES):
            actions += [f"castle({field})" for field in sites if terrain[field] == "mountain"]
        if hand["city"] and self._in_supply(len(self.cities), SMALL_CITIES):
            actions += [f"city({field})" for field in plains]
        if hand["city"] and self._in_supply(len(self.large_cities), LARGE_CITIES):
            squares = {field for field in plains if shape[field] == "square"}
            for square in squares:
                octagons = self.board.neighbours[square] & (plains - squares)
                actions += [f"large_city({square},{octagon})" for octagon in octagons]
        if hand["cathedral"] and self._in_supply(len(self.cathedrals), CATHEDRALS):
            own = [square for square in self.large_cities if self.owner[square] == role]
            actions += [f"cathedral({square})" for square in own if square not in self.cathedrals]
        return actions

    def _other_actions(self, role: str) -> list[str]:
        actions: list[str] = []
        hand = self.hand[role]
        actions += [card for card in ("incite", "papal_visit") if hand[card]]
        if size_of(self.draw):
            actions.append("draw")
        if self._has_shield(role):
            near = self._free_fields_next_to(role)
            actions += [f"expand({card},{field})" for card in CARDS if hand[card] for field in near]
            if self.ap >= 3:
                actions += [f"occupy({field})" for field in self._free_fields()]
            sites = set(self.owner) - self._built_on()
            actions += [f"attack({field})" for field in sites if self._can_attack(role, field)]
        if self._can_revolt(role):
            actions.append("revolt")
        return actions

    def _can_attack(self, role: str, field: str) -> bool:
        """Whether the role can attack a field that has an owner and no building."""
        defender = self.owner[field]
        return (
            self.phase != "first_round"
            and not self.attacked
            and defender != role
            and not self.visits[defender]
            and any(self.owner.get(other) == role for other in self.board.neighbours[field])
            and value_of(self.hand[role]) > self._count_castles(defender)
        )

    def _can_revolt(self, role: str) -> bool:
        return (
            self.king is not None
            and self.king != role
            and not self.visits[self.king]
            and not self.revolted
            and (self.rules["leader_condition"] == "none" or self._owns_castle_and_city(role))
        )

    def _owns_castle_and_city(self, role: str) -> bool:
        return self._count_castles(role) >= 1 and self._count_cities(role) >= 1

    def _sets(self, role: str) -> list[dict[str, int]]:
        hand = self.hand[role]
        number = math.prod(hand[card] + 1 for card in CARDS)
        if number > MOST_SETS:
            raise ValueError(f"{role} can lay {number} sets of cards: more than {MOST_SETS} are not listed")
        choices = [range(hand[card] + 1) for card in CARDS]
        return [dict(zip(CARDS, counts, strict=True)) for counts in product(*choices)]

    def _is_force(self, cards: Mapping[str, int]) -> bool:
        fighting = all(BATTLE_VALUE[card] >= 1 for card, count in cards.items() if count)
        return fighting and value_of(cards) > self._count_castles(self.owner[self.attack])

    def _sides(self, role: str) -> tuple[str, ...]:
        if role == self.turn:
            return ("sword",)
        return ("crown",) if role == self.king else ("crown", "sword")

    # ---- the course of the game

    def play(self, actions: Mapping[str, str]) -> None:
        if self.pending == "vote":
            self._votes_cast(actions)
            return
        ((role, action),) = actions.items()
        name, row = split(action)
        match self.pending:
            case "deal":
                self._deal(row[0], row[1])
            case "place":
                self._place(role, row[0])
            case "resettle":
                self._resettle(role, row[0] if name == "shield" else None)
            case "tax":
                if name == "tax":
                    self._levy_tax()
                self._go_on()
            case "turn":
                self._act(role, name, row)
            case "second_field":
                if name == "expand":
                    self.ap -= 1
                    self._put_shield(row[0], role)
                self._go_on()
            case "force":
                self._lay(role, row[0])
                self.pending = "defend"
            case "defend":
                self._defend(role, name, int(row[0]) if row else 0)
            case "draw":
                self._draw(row[0])
            case "replace" if name == "draw":
                self.pending = "draw"
            case "replace":
                self.drawing = False
                self._go_on()
            case "reveal":
                self.people[row[0]] -= 1
                self.revealing -= 1
                self._go_on()

    def _deal(self, role: str, card: str) -> None:
        self.draw[card] -= 1
        self.hand[role][card] += 1
        if all(size_of(self.hand[other]) >= HAND_AT_START for other in self.seats):
            self.phase = "placement"
            self.pending = "place"

    def _place(self, role: str, field: str) -> None:
        self._put_shield(field, role)
        if self.phase != "over" and all(len(self._fields(other)) >= SHIELDS_AT_START for other in self.seats):
            self.phase = "first_round"
            self._start_turn(self.seats[0])

    def _start_turn(self, role: str) -> None:
        self.turn = role
        self.ap = ACTION_POINTS
        self._put_aside("papal_visit", self.visits.pop(role, 0))
        if self._fields(role):
            self._start_acting()
        else:
            self.pending = "resettle"

    def _resettle(self, role: str, field: str | None) -> None:
        if field is not None:
            self._put_shield(field, role)
        if self.phase != "over" and (field is None or len(self._fields(role)) >= 2):
            self._start_acting()

    def _start_acting(self) -> None:
        self.pending = "tax" if self.turn == self.king else "turn"

    def _end_turn(self) -> None:
        number = self.seats.index(self.turn)
        self.attacked = self.revolted = False
        if number == len(self.seats) - 1:
            self.phase = "main"
        self._start_turn(self.seats[(number + 1) % len(self.seats)])

    def _go_on(self) -> None:
        if self.phase == "over":
            return
        if self.revealing:
            self.pending = "reveal"
        elif self.revolt:
            self._settle_revolt()
            self._go_on()
        elif self.drawing and self._only_events_left():
            self.drawing = False
            self._go_on()
        elif self.drawing:
            self.pending = "replace" if self.rules["replacement"] == "optional" else "draw"
        elif self.ap == 0:
            self._end_turn()
        else:
            self.pending = "turn"

    # ---- piles

    def _put_aside(self, card: str, count: int = 1) -> None:
        self.discard[card] += count
        self._refill()

    def _refill(self) -> None:
        if not size_of(self.draw):
            self._join_piles()

    def _join_piles(self) -> None:
        self.draw.update(self.discard)
        self.discard.clear()

    def _use_card(self, role: str, card: str) -> None:
        self.hand[role][card] -= 1
        self._put_aside(card)

    def _only_events_left(self) -> bool:
        return not any(self.draw[card] + self.discard[card] for card in (*CARDS, GAME_END))

    def _reveal_people(self, count: int) -> None:
        self.revealing = min(count, size_of(self.people))

    # ---- the actions of a turn

    def _act(self, role: str, name: str, row: Sequence[str]) -> None:
        match name:
            case "pass":
                self._end_turn()
            case "castle" | "city" | "large_city" | "cathedral":
                self._build(role, name, row)
            case "incite":
                self.ap -= 1
                self._use_card(role, "incite")
                self._reveal_people(3)
                self._go_on()
            case "papal_visit":
                self.ap -= 1
                self.hand[role]["papal_visit"] -= 1
                self.visits[role] += 1
                self._go_on()
            case "draw":
                self.ap -= 1
                self.drawing = True
                self.pending = "draw"
            case "expand":
                card, field = row
                self.ap -= 1
                self._use_card(role, card)
                self._put_shield(field, role)
                again = BLACK_SHIELDS[card] == 2 and self.ap >= 1 and self._has_shield(role)
                if self.phase != "over" and again and self._free_fields_next_to(role):
                    self.pending = "second_field"
                else:
                    self._go_on()
            case "occupy":
                self.ap -= 3
                self._put_shield(row[0], role)
                self._go_on()
            case "attack":
                self.ap -= 1
                self.attacked = True
                self.attack = row[0]
                self.pending = "force"
            case "revolt":
                self.ap -= 1
                self.revolted = self.rules["revolts_per_turn"] == "one"
                self.revolt = True
                self.pending = "vote"

    def _build(self, role: str, name: str, row: Sequence[str]) -> None:
        self.ap -= 2
        self._use_card(role, "city" if name == "large_city" else name)
        if name == "castle":
            self.castles.add(row[0])
        elif name == "city":
            self.cities.add(row[0])
        elif name == "large_city":
            self.large_cities[row[0]] = row[1]
        else:
            self.cathedrals.add(row[0])
        if self.king is None and self._owns_castle_and_city(role):
            self.king = role
            self._join_piles()
            if self.rules["first_tax"] == "optional":
                self.pending = "tax"
                return
            self._levy_tax()
        self._go_on()

    def _levy_tax(self) -> None:
        role = self.turn
        self.points[role] += self._count_castles(role)
        self._reveal_people(1)

    def _draw(self, card: str) -> None:
        self.draw[card] -= 1
        if card == GAME_END:
            self._finish()
            return
        if card in CARDS:
            self.hand[self.turn][card] += 1
            self.drawing = False
            self._refill()
        else:
            self._put_aside(card)
            if self.king and card == "unrest":
                self._reveal_people(2)
            elif self.king:
                for role in self.seats:
                    if role != self.king:
                        self.points[role] += self._count_cities(role)
        self._go_on()

    def _lay(self, role: str, term: str) -> None:
        cards = parse_set(term)
        self.hand[role].subtract(cards)
        self.laid[role].update(cards)

    def _discard_laid(self) -> None:
        for cards in self.laid.values():
            self.discard.update(cards)
            cards.clear()
        self._refill()

    def _take_back_laid(self) -> None:
        for role, cards in self.laid.items():
            self.hand[role].update(cards)
            cards.clear()

    def _defend(self, defender: str, name: str, ambushes: int) -> None:
        attacker, field = self.turn, self.attack
        if name == "truce":
            self._use_card(defender, "truce")
            self._take_back_laid()
        else:
            for _ in range(ambushes):
                self._use_card(defender, "ambush")
            if value_without_highest(self.laid[attacker], ambushes) > self._count_castles(defender):
                self.owner[field] = attacker
            self._discard_laid()
        self.attack = None
        self._go_on()

    # ---- revolt

    def _votes_cast(self, actions: Mapping[str, str]) -> None:
        for role, action in actions.items():
            side, term = split(action)[1]
            self.votes[role] = side
            self._lay(role, term)
        if self.rules["truce_in_revolt"] == "after_people" or not self._truce_laid():
            swords = list(self.votes.values()).count("sword")
            self._reveal_people(2 * swords + (3 if len(self.seats) == 2 else 0))
        self._go_on()

    def _truce_laid(self) -> bool:
        return any(cards["truce"] for cards in self.laid.values())

    def _settle_revolt(self) -> None:
        if self._truce_laid():
            self._put_aside("truce", sum(cards.pop("truce", 0) for cards in self.laid.values()))
            self._take_back_laid()
        elif self.strength("sword") > self.strength("crown"):
            self._leader_wins()
        else:
            self._king_wins()
        self.revolt = False
        self.votes.clear()

    def _laid_on(self, side: str, roles: Iterable[str | None]) -> Counter[str]:
        """The cards that these roles laid, if they voted for the side."""
        cards: Counter[str] = Counter()
        for role in self.seats:
            if role in roles and self.votes[role] == side:
                cards.update(self.laid[role])
        return cards

    def strength(self, side: str) -> int:
        other = "crown" if side == "sword" else "sword"
        ambushes = self._laid_on(other, self.seats)["ambush"]
        if self.rules["ambushes"] == "one":
            ambushes = min(1, ambushes)
        targets = {*self.seats} if self.rules["ambush_target"] == "side" else {self.king, self.turn}
        strength = value_without_highest(self._laid_on(side, targets), ambushes)
        strength += value_of(self._laid_on(side, set(self.seats) - targets))
        if side == "crown":
            return strength + 2 * list(self.votes.values()).count("crown")
        return strength + self._open_swords()

    def _score_cathedrals(self, side: str, protagonist: str) -> None:
        for role in self.seats:
            if self.votes[role] == side:
                self.points[role] += self._count_cathedrals(role) * (2 if role == protagonist else 1)

    def _king_wins(self) -> None:
        self._score_cathedrals("crown", self.king)
        staying = (self._open_swords() + 1) // 2
        self.people = Counter(FACES)
        self.people["sword"] -= staying
        self._discard_laid()

    def _leader_wins(self) -> None:
        leader = self.turn
        self.points[leader] += self._count_castles(leader)
        self._score_cathedrals("sword", leader)
        self.king = leader
        if self.rules["end_shuffle"] == "with_laid":
            self._discard_laid()
        if self.points[leader] > THRESHOLD[len(self.seats)] and not self.draw[GAME_END]:
            self._join_piles()
            self.draw[GAME_END] = 1
        self._discard_laid()
        self.people = Counter(FACES)
        self._reveal_people(1)

    # ---- the end

    def _put_shield(self, field: str, role: str) -> None:
        self.owner[field] = role
        if all(f in self.owner for f, terrain in self.board.terrain.items() if terrain != "mountain"):
            self._finish()

    def _areas(self, role: str) -> list[int]:
        left = self._fields(role)
        sizes: list[int] = []
        while left:
            border, size = {left.pop()}, 0
            while border:
                size += 1
                near = self.board.neighbours[border.pop()] & left
                left -= near
                border |= near
            sizes.append(size)
        return sizes

    def _finish(self) -> None:
        for role in self.seats:
            self.points[role] += self._count_castles(role) + self._count_cities(role)
            self.points[role] += self._count_cathedrals(role)
        if self.king:
            self.points[self.king] += 5
        areas = {role: self._areas(role) for role in self.seats}
        every = sorted((size for sizes in areas.values() for size in sizes), reverse=True)
        largest = every[0] if every else 0
        second = max((size for size in every if size < largest), default=0)
        if self.rules["area_ties"] == "no_second" and every.count(largest) > 1:
            second = 0
        for role, sizes in areas.items():
            self.points[role] += 5 * (largest in sizes) + 2 * (second in sizes)
        self.phase, self.pending = "over", ""
        self.turn, self.ap = None, 0
        self.attacked = self.revolted = self.drawing = False

    def _style(self, rng: random.Random, prefer: Mapping[str, float]) -> Callable[[str, Sequence[str]], str]:
        styles = dict(zip(self.seats, rng.choices(STYLES, STYLE_WEIGHT, k=len(self.seats)), strict=True))

        def choose(role: str, actions: Sequence[str]) -> str:
            full = size_of(self.hand[role]) >= FULL_HAND
            return random_action(rng, actions, styles[role] | ({"draw": 0} if full else {}), 4)

        return choose
