"""Vive le Roi: an independent implementation.

Cards and places are texts of the vocabulary: "courtier(boar,4)", "at(bear,1)". A person in play is a pair of its kind and
its copy number, such as ("musketeer(3)", "1"). Where the page leaves a question open, a comment that begins with "The page
is silent" states the decision.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import ClassVar

from .base import CHANCE, Oracle, facts_in, name_of, random_action, rulings, split

CLERICS = ("bishop", "cardinal")
OFFICIALS = ("general", "treasurer", "cartographer", "captain", "queen", *CLERICS)
IMMEDIATE = ("ear", "excommunication", "low_birth", "executioner")
EVENTS = ("rebellion", *IMMEDIATE, "gossip", "bandits", "recruiting", "inheritance", "extortion", "unrest")
GROUPS = ("province", "gold", "musketeer", "courtier")  # the groups are shared in this order
Person = tuple[str, str]  # the kind and the copy number
HAND = 7


@dataclass(frozen=True)
class Cards:
    """The data of the cards (part 4 of the page): a board file may change them. Points have the names of their events."""

    copies: Mapping[str, int] = field(default_factory=dict)
    ranks: Mapping[str, int] = field(default_factory=dict)
    queen_arms: str = ""
    worth: Mapping[str, int] = field(default_factory=dict)  # numbers; points of provinces, too
    takes: Mapping[str, str] = field(default_factory=dict)
    final: Mapping[str, int] = field(default_factory=dict)
    ear: int = 0
    brand: int = 0
    liberation: int = 0
    refusal: int = 0
    gossip: int = 0
    bandits: int = 0
    recruiting: int = 0
    inheritance: int = 0


# ---- terms


def arguments_of(term: str) -> tuple[str, ...]:
    return split(term)[1]


def face_value(kind: str) -> int:
    return int(arguments_of(kind)[-1])


def read_cards(text: str, cards: Cards) -> Cards:
    """The cards with the changes of a board file."""
    for name, row in facts_in(text):
        match name, row:
            case (("copies" | "worth" | "final"), (kind, number)):
                cards = replace(cards, **{name: {**getattr(cards, name), kind: int(number)}})
            case "rank", (arms, number):
                cards = replace(cards, ranks={**cards.ranks, arms: int(number)})
            case "seeks", (official, what):
                cards = replace(cards, takes={**cards.takes, official: what.replace("_", " ")})
            case "queens", (arms,):
                cards = replace(cards, queen_arms=arms)
            case "prize", (event, number):
                cards = replace(cards, **{event: int(number)})
    return cards


CARDS = read_cards(Path(__file__).with_name("vive_cards.lp").read_text(encoding="utf-8"), Cards())

# The weights of the kinds of action; other kinds have the weight 4. Each player gets one of the styles at the start. With
# the second one a player lays cards and rarely fights, and with the third one a player fights with all cards.
KIND_WEIGHT = dict.fromkeys(("play", "play_event", "event", "done"), 6) | {"church": 8, "ennoble": 8}
KIND_WEIGHT |= {"stop": 3, "yield": 2, "decline": 2}
STYLES = (
    KIND_WEIGHT,
    {**KIND_WEIGHT, "play": 30, "attack": 1, "bribe": 1, "event": 1},
    {**KIND_WEIGHT, "play": 2, "attack": 20, "bribe": 20, "duel": 8, "stop": 1},
)


class Vive(Oracle):
    RULINGS: ClassVar = {
        "last_round": ("current", "next"),
        "duel_card": ("number", "any"),
        "duel_rank": ("no", "yes"),
        "raise_must_lead": ("yes", "no"),
        "defence_from": ("home", "structure"),
        "assign": ("on_arrival", "own_turn"),
        "interrupt": ("own_turn", "card", "anybody"),
        "church_defence": ("ignore", "return", "none"),
        "ear_tie": ("tied", "all"),
        "liberator": ("any", "several"),
        "freed_king": ("next_move", "quiet_round"),
        "spoils": ("structure", "hand"),
        "event_in_middle": ("aimless", "any"),
    }
    EDITIONS: ClassVar = {
        "standard": {},
        "nl": rulings(
            "last_round=next duel_card=any raise_must_lead=no defence_from=structure interrupt=anybody"
            " ear_tie=all liberator=several freed_king=quiet_round spoils=hand event_in_middle=any"
        ),
    }
    FACTS: ClassVar = {
        **{name: (name, "v") for name in ("phase", "starter", "drawing", "ear", "exchange", "offered")},
        **{name: (name, "") for name in ("last", "decreed", "adding", "released")},
        **{name: (name, "vv") for name in ("king", "duel", "accused")},
        "taking": ("taking", "vvv"),
        "points": ("points", "kV"),
        "pile": ("pile", "kV"),
        "discard": ("discard", "kV"),
        "hand": ("hand", "okV"),
        "middle": ("middle", "kv"),
        "noble": ("nobles", "vk"),  # in structures: the owner of the noble of each arms
        "province": ("provinces", "vkk"),
        "gold": ("treasury", "ogV"),
        "person": ("persons", "okkv"),  # with their places
        "load": ("loads", "oogV"),  # the gold on persons, at any place
        "brand": ("brands", "kk"),
        "refused": ("refused", "k"),
        "rebel": ("rebels", "k"),
        "stake": ("stakes", "kkgV"),  # gold: role, last or earlier batch, kind
        "staked": ("staked", "vvmk"),  # musketeers: role, last or earlier batch
        "unplaced": ("unplaced", "ogV"),
        "waiting": ("waiting", "vmk"),  # musketeers to be placed, with their owners
        "active": ("active", "kk"),
    }

    def _clear(self, board: str) -> None:
        self.cards = read_cards(board, CARDS)
        self.limit = int(self.rules.get("limit", 0))
        self._set_empty(dict.fromkeys(self.seats, 0))

    def _begin(self) -> None:
        self._set_up()
        self._go_on(False, CHANCE)

    def _set_empty(self, points: dict[str, int]) -> None:
        """Removes all cards and everything that is pending. The points stay."""
        self._remove_facts()
        self.points = points
        self.turn: str | None = None
        self.stage = ""  # the stage of the turn: open, acted or played
        self.declined = False  # the player who was asked last has just declined; False at each decision

    def _set_up(self) -> None:
        self._set_empty(self.points)
        self.pile.update({kind: count for kind, count in self.cards.copies.items() if count})
        self.phase = "setup"

    def _other_facts(self) -> list[str]:
        return [f"turn({self.turn},{self.stage})"] if self.turn else []

    def _take_fact(self, name: str, row: Sequence[str]) -> None:
        if name == "turn":
            self.turn, self.stage = row
        else:
            super()._take_fact(name, row)

    def view(self, role: str) -> frozenset[str]:
        """The facts that a role sees, and the sizes of the hands and of the pile that it does not see."""
        # The page is silent about the names of the facts for sizes. Here they are cards(R,N) for the hand of another
        # player and pile_size(N), also if N is 0. Chance and the public see no hand.
        seen = {f for f in self.facts() if name_of(f) != "pile" and not self._hides(f, role)}
        seen |= {f"cards({other},{self.hand[other].total()})" for other in self.seats if other != role}
        return frozenset(seen | {f"pile_size({self.pile.total()})"})

    @staticmethod
    def _hides(fact: str, role: str) -> bool:
        return name_of(fact) == "hand" and arguments_of(fact)[0] != role

    # ---- queries about a position

    def _after(self, role: str) -> list[str]:
        number = self.seats.index(role)
        return [*self.seats[number + 1 :], *self.seats[:number]]

    def _in_order(self) -> list[str]:
        return [self.starter, *self._after(self.starter)]

    def _own_nobles(self, role: str) -> list[str]:
        return [arms for arms, owner in self.nobles.items() if owner == role]

    def _own_provinces(self, role: str) -> list[tuple[str, str]]:
        return [province for province, owner in self.provinces.items() if owner == role]

    def _own_persons(self, role: str, *names: str) -> dict[Person, str]:
        """The persons of a player with these names, and their places."""
        return {person: place for person, place in self.persons[role].items() if name_of(person[0]) in names}

    def _guards(self, role: str, place: str) -> list[Person]:
        musketeers = self._own_persons(role, "musketeer")
        return [person for person, where in musketeers.items() if where == place]

    def _load(self, kind: str, copy: str) -> Counter[str]:
        """The gold on a person, as a counter that may be changed."""
        return self.loads.setdefault((kind, copy), Counter())

    def _load_value(self, kind: str, copy: str) -> int:
        load = self.loads.get((kind, copy), Counter[str]())
        return sum(face_value(gold) * n for gold, n in load.items())

    def _in_play(self) -> set[Person]:
        """All persons with a copy number: in a structure, staked or to be placed."""
        return {*self.staked, *self.waiting, *(p for persons in self.persons.values() for p in persons)}

    def _new_person(self, kind: str) -> Person:
        """A person with the lowest free copy number of its kind."""
        used = self._in_play()
        return next((kind, str(c)) for c in range(1, 1000) if (kind, str(c)) not in used)

    def _has_cleric(self, role: str) -> bool:
        """Whether the player has a cleric that counts for decrees and brands."""
        return bool(self._own_persons(role, *CLERICS)) and (role, "excommunication") not in self.brands

    def _is_number(self, kind: str) -> bool:
        return name_of(kind) in (*GROUPS, *OFFICIALS)

    def _number_cards(self, role: str) -> list[str]:
        return [kind for kind, n in self.hand[role].items() if n and self._is_number(kind)]

    def _number_of(self, kind: str) -> int:
        match name_of(kind):
            case "gold" | "musketeer" | "courtier":
                return face_value(kind)
            case "noble":
                return self.cards.ranks[arguments_of(kind)[0]]
            case _:
                return self.cards.worth.get(kind, 0)

    def _duel_cards(self, role: str) -> list[str]:
        """The hand cards that a side of a duel may lay. Only the player on turn may lay a noble, if the ruling allows it."""
        # The page is silent about duel_card=any for the challenged player. Here that player still needs and lays a number card.
        numbers = self._number_cards(role)
        if role == self.turn and self.rules["duel_card"] == "any":
            numbers += [kind for kind, n in self.hand[role].items() if n and name_of(kind) == "noble"]
        return numbers

    def _targets(self, role: str, event: str) -> list[str]:
        """The terms E with which the player could use an immediate event."""
        match event:
            case "ear":
                return [f"ear({arms})" for arms in self.nobles]
            case "executioner":
                return [f"executioner({arms})" for arms, owner in self.nobles.items() if owner != role]
            case "excommunication" | "low_birth" if self._has_cleric(role):
                # The page is silent about two copies from a board file. Here nobody can have the same brand twice.
                free = [other for other in self._after(role) if (other, event) not in self.brands]
                return [f"{event}({other})" for other in free]
            case _:
                return []

    # ---- legal actions

    def weights(self) -> dict[str, int]:
        match self.decisions.get(CHANCE):
            case "deal_noble":
                free = [k for k, n in self.pile.items() if n and name_of(k) == "noble"]
            case "deal_province":
                dealt = {f"province({arms})" for arms, _ in self.provinces}
                free = [k for k, n in self.pile.items() if n and name_of(k) == "province" and k not in dealt]
            case "draw":
                return {f"draw({self.drawing},{kind})": n for kind, n in self.pile.items() if n}
            case _:
                return {}
        return {f"deal({self.drawing},{kind})": 1 for kind in free}

    def _actions(self, role: str, kind: str) -> Iterable[str]:
        hand = list(+self.hand.get(role, Counter()))  # chance has none
        match kind:
            case "turn":
                return self._turn_actions(role, hand)
            case "interrupt":
                return ["decline", *(f"event({e})" for kind in hand for e in self._targets(role, kind))]
            case "duel_card":
                return [f"card({kind})" for kind in self._duel_cards(role)]
            case "contest" | "contest_again":
                cards = [f"card({kind})" for kind in self._number_cards(role)]
                return ["decline", *cards] if kind == "contest" else cards
            case "duel_again":
                return ["again", "stop"]
            case "bid":
                return self._bids(role)
            case "obey":
                return ["free", "refuse"]
            case "answer":
                return ["accept", "ignore"]
            case "attach_ear":
                return [f"ear({arms})" for arms in self._own_nobles(role)]
            case "assign":
                # The page is silent about gold on a musketeer that is not placed yet. Here it is not allowed.
                gold, own = +self.unplaced[role], [p for p, owner in self.waiting.items() if owner == role]
                usual = [f"assign({kind},treasury)" for kind in gold] + [f"assign({k},{c},home)" for k, c in own]
                return [*usual, *self._assignments(role, gold, own)]
            case "take":
                return ["decline", *self._spoils()]
            case "activate":
                return [f"activate({official})" for _, official in self.active]
            case "gossip":
                return [f"gossip({other})" for other in self._after(role)]
            case "bandits":
                wards = [f"hand,{face_value(kind)}" for kind in hand if name_of(kind) == "musketeer"]
                wards += [f"home,{face_value(kind)},{copy}" for kind, copy in self._guards(role, "home")]
                return ["yield", *(f"ward({ward})" for ward in wards)]
            case "extortion":
                return [f"give({face_value(kind)})" for kind in +self.treasury[role]]
            case "unrest":
                return [f"discard({kind})" for kind in hand]
            case _:
                return self.weights()

    def _turn_actions(self, role: str, hand: Sequence[str]) -> Iterator[str]:
        if self.stage == "open":
            others = [arms for arms, owner in self.nobles.items() if owner != role and self._duel_cards(role)]
            yield from (f"duel({own},{other})" for own in self._own_nobles(role) for other in others)
            force, bribe = self._hand_value(role, "musketeer"), self._hand_value(role, "gold")
            for (arms, copy), owner in self.provinces.items():
                if owner != role and force > self._guard_value(owner, f"at({arms},{copy})"):
                    yield f"attack({arms},{copy})"
            for other in self._after(role):
                bribed = [person for person in self.persons[other] if bribe > self._load_value(*person)]
                yield from (f"bribe({other},{kind},{copy})" for kind, copy in bribed)
        is_king, is_captive = self.king[0] == role, self.king[1] == "captive"
        if self._has_cleric(role) and is_captive and not is_king and role not in self.refused:
            yield "church"
        if is_king and not self.decreed and not self._own_nobles(role):
            # The page is silent about equal courtiers. Here any of them may be chosen, with or without gold.
            courtiers = self._own_persons(role, "courtier")
            most = max((face_value(kind) for kind, _ in courtiers), default=0)
            highest = [f"{','.join(arguments_of(k))},{c}" for k, c in courtiers if face_value(k) == most]
            free = [arms for arms in self.cards.ranks if self.discard[f"noble({arms})"]]
            yield from (f"ennoble({courtier},{arms})" for courtier in highest for arms in free)
        for kind in hand:
            targets = self._targets(role, kind)
            yield from (f"play_event({target})" for target in targets)
            if self.rules["interrupt"] != "card":
                yield from (f"event({target})" for target in targets)
            if not targets or self.rules["event_in_middle"] == "any":
                yield f"play({kind})"
        if not hand:
            yield "end"
        if self.rules["assign"] == "own_turn":
            yield from self._assignments(role, +self.treasury[role], self._guards(role, "home"))

    def _assignments(self, role: str, gold: Iterable[str], persons: Iterable[Person]) -> Iterator[str]:
        """Gold is put on persons, and musketeers go to provinces."""
        for kind in gold:
            yield from (f"assign({kind},person({k},{c}))" for k, c in self.persons[role])
        for kind, copy in persons:
            yield from (f"assign({kind},{copy},at({a},{c}))" for a, c in self._own_provinces(role))

    def _hand_value(self, role: str, sort: str) -> int:
        return sum(n * face_value(kind) for kind, n in self.hand[role].items() if name_of(kind) == sort)

    def _guard_value(self, role: str, place: str) -> int:
        return sum(face_value(kind) for kind, _ in self._guards(role, place))

    # ---- exchanges of batches

    def _sides(self) -> tuple[str, str]:
        """The aggressor and the defender."""
        name, row = split(self.exchange)
        return self.turn, self.provinces[row[0], row[1]] if name == "attack" else row[0]

    def _strength(self, role: str) -> int:
        name, row = split(self.exchange)
        own = sum(n * face_value(kind) for (who, _, kind), n in self.stakes.items() if who == role)
        own += sum(face_value(kind) for (kind, _), (who, _) in self.staked.items() if who == role)
        if role != self._sides()[1]:
            return own
        if name == "attack":
            return own + self._guard_value(role, f"at({row[0]},{row[1]})")
        return own + self._load_value(row[1], row[2])

    def _is_ahead(self, role: str, more: int = 0) -> bool:
        """Whether the side would lead with ``more`` added to its strength. The defender also leads with equal strength."""
        aggressor, defender = self._sides()
        if role == aggressor:
            return self._strength(aggressor) + more > self._strength(defender)
        return self._strength(defender) + more >= self._strength(aggressor)

    def _places_to_add_from(self, role: str) -> list[str]:
        """The places from which the defender against an attack may add musketeers."""
        name, row = split(self.exchange)
        if name == "bribe" or role != self._sides()[1]:
            return []
        if self.rules["defence_from"] == "home":
            return ["home"]
        others = [f"at({arms},{copy})" for arms, copy in self._own_provinces(role) if (arms, copy) != row]
        return ["home", *others]

    def _still_to_add(self, role: str) -> int:
        """The value of all cards that the side could add."""
        if name_of(self.exchange) == "attack":
            places = self._places_to_add_from(role)
            structure = sum(self._guard_value(role, place) for place in places)
            return self._hand_value(role, "musketeer") + structure
        free = self.treasury[role] if role == self._sides()[1] else Counter[str]()
        return self._hand_value(role, "gold") + sum(n * face_value(kind) for kind, n in free.items())

    def _must_lead(self, role: str) -> bool:
        """Whether the side must lead after this batch."""
        # The page is silent about "only the first" with raise_must_lead=no. Here it means the first batch of the aggressor,
        # not of each side, and a later `add` needs only the card.
        first = role == self._sides()[0] and not self._has_stake(self._sides()[1])
        return first or self.rules["raise_must_lead"] == "yes"

    def _has_stake(self, role: str) -> bool:
        gold = any(n for (who, *_), n in self.stakes.items() if who == role)
        return gold or any(who == role for who, _ in self.staked.values())

    def _bids(self, role: str) -> Iterator[str]:
        attack, must_lead = name_of(self.exchange) == "attack", self._must_lead(role)
        if not must_lead or self._is_ahead(role, self._still_to_add(role)):
            suit = "musketeer" if attack else "gold"
            own = [kind for kind in +self.hand[role] if name_of(kind) == suit]
            yield from (f"add(hand,{face_value(kind)})" for kind in own)
            if not attack and role == self._sides()[1]:
                yield from (f"add(treasury,{face_value(kind)})" for kind in +self.treasury[role])
            for place in self._places_to_add_from(role):
                guards = self._guards(role, place)
                yield from (f"add(person,{face_value(kind)},{copy})" for kind, copy in guards)
        if self.adding and (not must_lead or self._is_ahead(role)):
            yield "done"
        if not self.adding and self._has_stake(self._sides()[0]):
            yield "stop"

    def _bid(self, role: str, name: str, row: Sequence[str]) -> None:
        aggressor, defender = self._sides()
        if name == "stop":
            self._settle_exchange()
            return
        if name == "done":
            self.adding = False
            self._ask(defender if role == aggressor else aggressor, "bid")
            return
        if not self.adding:
            self.adding = True
            for (who, when, kind), n in list(self.stakes.items()):
                if who == role and when == "last":
                    self.stakes[who, "earlier", kind] += n
                    del self.stakes[who, when, kind]
            self.staked.update({p: (w, "earlier") for p, (w, _) in self.staked.items() if w == role})
        match row:
            case ["hand", value] if name_of(self.exchange) == "attack":
                person = self._new_person(f"musketeer({value})")
                self.hand[role][person[0]] -= 1
                self.staked[person] = (role, "last")
            case ["person", value, copy]:
                del self.persons[role][f"musketeer({value})", copy]
                self.staked[f"musketeer({value})", copy] = (role, "last")
            case [source, value]:
                (self.hand if source == "hand" else self.treasury)[role][f"gold({value})"] -= 1
                self.stakes[role, "last", f"gold({value})"] += 1
        self._ask(role, "bid")

    def _settle_exchange(self) -> None:
        name, row = split(self.exchange)
        aggressor, defender = self._sides()
        won = self._strength(aggressor) > self._strength(defender)
        winner = aggressor if won else defender
        gold: Counter[str] = Counter()  # the last batch of the winner
        guards: list[Person] = []
        for (who, when, kind), n in self.stakes.items():
            (gold if (who, when) == (winner, "last") else self.discard)[kind] += n
        for person, (who, when) in self.staked.items():
            if (who, when) == (winner, "last"):
                guards.append(person)
            else:
                self._discard_person(who, person)
        self.stakes.clear()
        self.staked.clear()
        self.exchange = None
        if name == "attack":
            place = f"at({row[0]},{row[1]})"
            for guard in self._guards(defender, place):
                del self.persons[defender][guard]
                self._discard_person(defender, guard)
            self.provinces[row[0], row[1]] = winner
            self.persons[winner].update(dict.fromkeys(guards, place))
            return
        kind, copy = row[1:]
        self.discard.update(self.loads.pop((kind, copy), Counter()))
        self.loads[kind, copy] = gold
        if won:
            del self.persons[defender][kind, copy]
            self._join_person(aggressor, (kind, copy))

    # ---- moving cards

    def _discard_person(self, role: str, person: Person) -> None:
        """Discards a card that has left its place. The owner must place the gold that was on it."""
        self.discard[person[0]] += 1
        self._free_gold(role, person)

    def _free_gold(self, role: str, person: Person) -> None:
        self.unplaced[role].update(self.loads.pop(person, Counter()))

    def _join(self, role: str, kind: str) -> None:
        match name_of(kind):
            case "province":
                arms = arguments_of(kind)[0]
                copy = next(c for c in range(1, 1000) if (arms, str(c)) not in self.provinces)
                self.provinces[arms, str(copy)] = role
            case "noble":
                self.nobles[arguments_of(kind)[0]] = role
            case "gold":
                self.unplaced[role][kind] += 1
            case _:
                self._join_person(role, self._new_person(kind))

    def _join_person(self, role: str, person: Person) -> None:
        """Adds a person. The owner must place a musketeer, and an official acts."""
        kind = person[0]
        if name_of(kind) == "musketeer":
            self.waiting[person] = role
            return
        self.persons[role][person] = "home"
        if kind in self.cards.takes:
            self.active.add((role, kind))

    def _gain(self, points: Mapping[str, int]) -> None:
        """Adds the points of one step, and then checks the limit."""
        for role, number in points.items():
            self.points[role] += number
        if self.limit and max(self.points.values()) >= self.limit:
            # The page is silent here: part 6 says both "every other fact stays" and "in over: no turn". Here everything
            # stays, also the turn and the current event, and only the decisions are removed. In a rebellion the cards have
            # moved and wait to be placed. A brand has been laid or waits for its answer.
            self.phase = "over"

    def _free_king(self) -> None:
        self.king = (self.king[0], "free")
        self.refused.clear()

    # ---- the course of the game

    def _ask(self, role: str, kind: str) -> None:
        self.decisions[role] = kind

    def play(self, actions: Mapping[str, str]) -> None:
        (decision,) = set(self.decisions.values())
        self.decisions = {}
        in_event = self.phase == "events"
        actor = next(iter(actions))
        match decision:
            case "duel_card":
                self._show_duel({role: arguments_of(action)[0] for role, action in actions.items()})
            case "duel_again":
                if set(actions.values()) == {"again"}:
                    self.decisions = dict.fromkeys(actions, "duel_card")
                else:
                    self.duel = None
            case "contest" | "contest_again":
                laid = {role: action for role, action in actions.items() if action != "decline"}
                self._show_contest({role: arguments_of(action)[0] for role, action in laid.items()})
            case _:
                self._carry_out(decision, actor, *split(actions[actor]))
        self._go_on(in_event, actor)
        if self.phase == "over":
            self.decisions = {}

    def _carry_out(self, decision: str, role: str, name: str, row: Sequence[str]) -> None:
        match decision:
            case "deal_noble" | "deal_province":
                self.pile[row[1]] -= 1
                self._join(row[0], row[1])
                self.drawing = None
            case "draw":
                self._draw(row[0], row[1])
            case "turn":
                self._act(role, name, row)
            case "interrupt":
                self.declined = name == "decline"
                if name == "event":
                    self._use_event(role, row[0])
            case "bid":
                self._bid(role, name, row)
            case "obey":
                if name == "free":
                    self._free_king()
                    self.released = self.rules["freed_king"] == "quiet_round"
                else:
                    self.refused.add(self.turn)
                    if not self._has_cleric(role):
                        self._gain({role: self.cards.refusal})
            case "answer":
                self._answer(name)
            case "attach_ear":
                self.ear = row[0]
            case "assign":
                self._assign(role, row, self.unplaced[role])
            case "take":
                if name == "take":
                    self._take(row[0])
            case "activate":
                self._start_acting(role, row[0])
            case "gossip":
                self._gain({role: self.cards.gossip, row[0]: -self.cards.gossip})
            case "bandits":
                self._meet_bandits(role, name, row)
            case "extortion":
                self.treasury[role][f"gold({row[0]})"] -= 1
                self.discard[f"gold({row[0]})"] += 1
            case "unrest":
                self.hand[role][row[0]] -= 1
                self.discard[row[0]] += 1

    def _go_on(self, begun: bool, actor: str) -> None:
        """Goes on to the next decision or to the end.

        `begun`: whether the first event in the middle has begun; `actor`: the role that decided last.
        """
        while not self.decisions and self.phase != "over":
            if self._settle_pending():
                continue
            match self.phase:
                case "setup":
                    self._deal_next()
                case "basic":
                    self._next_in_round()
                case "favour":
                    self.phase = "events"
                case "events":
                    role = next((r for r in self._in_order() if self.middle.get(r, "") in EVENTS), None)
                    if role is None:
                        self.phase = "share"
                    elif not begun:
                        begun, actor = True, role
                        self._begin_event(role)
                    elif not self._ask_next_victim(role, actor):
                        begun = False
                        self.discard[self.middle.pop(role)] += 1
                case "share":
                    self._share_next()
                case "claim":
                    self._claim_next()
                case "refill":
                    self._start_round()

    def _settle_pending(self) -> bool:
        """Asks about cards to place, and then about officials. Returns whether there was something to settle."""
        for role in self._in_order() if self.starter else ():
            if self.unplaced[role].total() or role in self.waiting.values():
                self._ask(role, "assign")
                return True
        if self.taking:
            self._take_from_next()
            return True
        if self.active:
            role = next(iter(self.active))[0]  # all officials belong to one player
            waiting = [official for _, official in self.active]
            if len(waiting) > 1:
                self._ask(role, "activate")
            else:
                self._start_acting(role, waiting[0])
            return True
        return False

    # ---- set-up

    def _deal_next(self) -> None:
        for sort, owners in (("noble", self.nobles.values()), ("province", self.provinces.values())):
            for role in self.seats:
                if role not in owners:
                    self.drawing = role
                    self._ask(CHANCE, f"deal_{sort}")
                    return
        # The page is silent about board files with too few cards. Here the last hands are smaller.
        for role in self.seats:
            if self.hand[role].total() < HAND and self.pile.total():
                self.drawing = role
                self._ask(CHANCE, "draw")
                return
        self.king = (self.nobles[max(self.nobles, key=lambda arms: self.cards.ranks[arms])], "free")
        self._start_round_at_king()

    def _draw(self, role: str, kind: str) -> None:
        self.pile[kind] -= 1
        self.hand[role][kind] += 1
        self.drawing = None
        if self.phase == "basic" and not self.pile.total() and self.rules["last_round"] == "current":
            self.last = True
        if self.phase == "refill":
            self._refill_next([*self._after(role), role])

    # ---- phase 1

    def _start_round(self) -> None:
        """Carries out phase 4 and starts the next round."""
        role, state = self.king
        if state == "free" and not (self.released and self.rebels):
            self.king = (self._after(role)[0], state)
            self.released = False
        self._start_round_at_king()

    def _start_round_at_king(self) -> None:
        self.starter = self._after(self.king[0])[0]
        self.rebels.clear()
        self.phase = "basic"
        if not self.pile.total():
            self.last = True

    def _next_in_round(self) -> None:
        """Goes on to the next decision of the turn, to the next turn or to phase 2."""
        if self.turn is not None and self.stage != "played":
            if self.rules["interrupt"] == "anybody":
                # Before each choice of the player on turn all are asked; an event that somebody uses begins this anew.
                others = self._after(self.turn)
                left = others[others.index(self.offered) + 1 :] if self.declined and self.offered else others
                # The page is silent about players who cannot use their events. Here they are not asked.
                self.offered = next((r for r in left if self._can_interrupt(r)), None)
            self.declined = False
            self._ask(self.offered or self.turn, "interrupt" if self.offered else "turn")
            return
        order = self._in_order()
        left = order if self.turn is None else order[order.index(self.turn) + 1 :]
        self.turn, self.stage, self.decreed = None, "", False
        for role in left:
            if self.hand[role].total() or self.pile.total():
                self.turn, self.stage = role, "open"
                if self.pile.total():
                    self.drawing = role
                    self._ask(CHANCE, "draw")
                else:
                    self._next_in_round()
                return
        self.phase = "favour"
        if self.ear == "middle":
            self._start_contest()

    def _can_interrupt(self, role: str) -> bool:
        return any(n and self._targets(role, kind) for kind, n in self.hand[role].items())

    def _act(self, role: str, name: str, row: Sequence[str]) -> None:
        match name:
            case "duel":
                self.stage = "acted"
                other = self.nobles[row[1]]
                if self._number_cards(other):
                    self.duel = (row[0], row[1])
                    self._ask(role, "duel_card")
                    self._ask(other, "duel_card")
            case "attack" | "bribe":
                self.stage = "acted"
                self.exchange = f"{name}({','.join(row)})"
                self._ask(role, "bid")
            case "church":
                self._ask(self.king[0], "obey")
            case "ennoble":
                self._ennoble(role, (f"courtier({row[0]},{row[1]})", row[2]), row[3])
            case "event":
                self._use_event(role, row[0])
            case "play":
                self.stage = "played"
                self.hand[role][row[0]] -= 1
                self.middle[role] = row[0]
                if row[0] == "rebellion":
                    self.rebels.add(role)
            case "play_event":
                self.stage = "played"
                self._use_event(role, row[0])
            case "end":
                self.stage = "played"
            case "assign":
                self._assign(role, row, self.treasury[role])

    def _ennoble(self, role: str, courtier: Person, noble: str) -> None:
        self.decreed = True
        del self.persons[role][courtier]
        self._discard_person(role, courtier)
        self.discard[f"noble({noble})"] -= 1
        self._join(role, f"noble({noble})")

    def _use_event(self, role: str, event: str) -> None:
        """Carries out an immediate event from the hand."""
        kind, (target,) = split(event)
        self.hand[role][kind] -= 1
        match kind:
            case "ear":
                self.ear = target
                self._gain({self.nobles[target]: self.cards.ear})
            case "executioner":
                # The page is silent about where the card waits for the contest. Here it is discarded at once.
                self.discard[kind] += 1
                self._kill_noble(target)
            case _:
                if self.rules["church_defence"] != "none" and self._has_cleric(target):
                    self.accused = (target, kind)
                    self._ask(target, "answer")
                else:
                    self.brands.add((target, kind))
                self._gain({role: self.cards.brand})

    def _answer(self, name: str) -> None:
        role, event = self.accused
        self.accused = None
        if name == "ignore" and self.rules["church_defence"] == "return":
            role = self.offered or self.turn
        # The page is silent about a brand that returns to a player who already has it. Here the card is discarded.
        if (name == "ignore" and self.rules["church_defence"] == "ignore") or (role, event) in self.brands:
            self.discard[event] += 1
        else:
            self.brands.add((role, event))

    def _assign(self, role: str, row: Sequence[str], gold: Counter[str]) -> None:
        """Puts a waiting musketeer, one at home, or gold of these cards at its place."""
        self.waiting.pop((row[0], row[1]), None)
        if len(row) == 2:
            gold[row[0]] -= 1
        match row:
            case [gold, "treasury"]:
                self.treasury[role][gold] += 1
            case [gold, person]:
                kind, copy = arguments_of(person)
                self._load(kind, copy)[gold] += 1
            case [kind, copy, place]:
                self.persons[role][kind, copy] = place

    # ---- duels and the Ear

    def _show_duel(self, laid: Mapping[str, str]) -> None:
        numbers: list[int] = []
        for arms in self.duel:
            role = self.nobles[arms]
            self.hand[role][laid[role]] -= 1
            self.discard[laid[role]] += 1
            rank = self.cards.ranks[arms] if self.rules["duel_rank"] == "yes" else 0
            numbers.append(self._number_of(laid[role]) + rank)
        if numbers[0] != numbers[1]:
            loser = self.duel[0 if numbers[0] < numbers[1] else 1]
            self.duel = None
            self._kill_noble(loser)
        elif all(self._duel_cards(self.nobles[arms]) for arms in self.duel):
            for arms in self.duel:
                self._ask(self.nobles[arms], "duel_again")
        else:
            self.duel = None

    def _kill_noble(self, arms: str) -> None:
        del self.nobles[arms]
        self.discard[f"noble({arms})"] += 1
        if self.ear == arms:
            self.ear = "middle"
            self._start_contest()

    def _start_contest(self) -> None:
        for role in self.seats:
            if self._own_nobles(role) and self._number_cards(role):
                self._ask(role, "contest")

    def _show_contest(self, laid: Mapping[str, str]) -> None:
        for role, kind in laid.items():
            self.hand[role][kind] -= 1
            self.discard[kind] += 1
        if not laid:
            return
        most = max(map(self._number_of, laid.values()))
        highest = [role for role, kind in laid.items() if self._number_of(kind) == most]
        if len(highest) == 1:
            self._ask(highest[0], "attach_ear")
            self._gain({highest[0]: self.cards.ear})
            return
        # The page is silent about ear_tie=all. Here only the players who laid a card this time lay again.
        for role in highest if self.rules["ear_tie"] == "tied" else laid:
            if self._number_cards(role):
                self._ask(role, "contest_again")

    # ---- officials

    def _start_acting(self, role: str, official: str) -> None:
        # The page is silent about `active`. Here it means the officials that wait, without the one that acts.
        self.active.remove((role, official))
        self.taking = (role, official, role)
        self._take_from_next()

    def _take_from_next(self) -> None:
        """The official goes on to the next player from whom something can be taken."""
        role, official, at = self.taking
        for other in self._after(at):
            if other == role:
                break
            self.taking = (role, official, other)
            if self._spoils():
                self._ask(role, "take")
                return
        self.taking = None

    def _spoils(self) -> list[str]:
        """The actions with which the acting official takes something from the current player."""
        _, official, other = self.taking
        what = self.cards.takes[official]
        match what:
            case "nothing":
                return []
            case "province":
                return [f"take(province({arms},{copy}))" for arms, copy in self._own_provinces(other)]
            case "gold":
                return [f"take({kind})" for kind, n in self.treasury[other].items() if n]
        persons = self._own_persons(other, what.split()[0])
        return [
            f"take(person({kind},{copy}))"
            for (kind, copy), place in persons.items()
            if place == "home" or not what.endswith(" at home")
        ]

    def _take(self, spoil: str) -> None:
        role, _, other = self.taking
        name, row = split(spoil)
        to_hand = self.rules["spoils"] == "hand"
        if name == "province":
            if to_hand:
                del self.provinces[row[0], row[1]]
                self.hand[role][f"province({row[0]})"] += 1
            else:
                self.provinces[row[0], row[1]] = role
            for guard in self._guards(other, f"at({row[0]},{row[1]})"):
                del self.persons[other][guard]
                self.waiting[guard] = other
        elif name == "gold":
            self.treasury[other][spoil] -= 1
            if to_hand:
                self.hand[role][spoil] += 1
            else:
                self._join(role, spoil)
        else:
            person = (row[0], row[1])
            del self.persons[other][person]
            self._free_gold(other, person)
            if to_hand:
                self.hand[role][person[0]] += 1
            else:
                self._join_person(role, person)

    # ---- phase 2

    def _begin_event(self, role: str) -> None:
        musketeers = len(self._own_persons(role, "musketeer"))
        match self.middle[role]:
            case "rebellion":
                self._rebel(role)
            case "gossip":
                self._ask(role, "gossip")
            case "recruiting":
                self._gain({role: self.cards.recruiting * musketeers})
            case "inheritance":
                self._gain({role: self.cards.inheritance})

    def _rebel(self, role: str) -> None:
        first = next(other for other in self._in_order() if other in self.rebels)
        captive = self.king[1] == "captive"
        if self.last or role != first:
            return
        if len(self.rebels) > 1:
            if captive:
                self._free_king()
                self._gain(dict.fromkeys(self.rebels, self.cards.liberation))
            return
        for other in self._in_order():
            if other in self.middle and self.middle[other] not in EVENTS:
                self._join(role, self.middle.pop(other))
        if not captive:
            self.king = (role, "captive")
            self.released = False
            return
        self._free_king()
        if self.rules["liberator"] == "any":
            self._gain({role: self.cards.liberation})

    def _ask_next_victim(self, role: str, after: str) -> bool:
        """Asks the next player whom the event concerns. Returns whether there is one."""
        event = self.middle[role]
        for other in self._after(after):
            if other == role:
                break
            concerned = {
                "bandits": bool(self._own_provinces(other)),
                "extortion": bool(self.treasury[other].total()),
                "unrest": bool(self.hand[other].total()),
            }
            if concerned.get(event):
                self._ask(other, event)
                return True
        return False

    def _meet_bandits(self, role: str, name: str, row: Sequence[str]) -> None:
        if name == "yield":
            leader = next(r for r in self._in_order() if self.middle.get(r, "") in EVENTS)
            self._gain({role: -self.cards.bandits, leader: self.cards.bandits})
        elif row[0] == "hand":
            self.hand[role][f"musketeer({row[1]})"] -= 1
            self.discard[f"musketeer({row[1]})"] += 1
        else:
            person = (f"musketeer({row[1]})", row[2])
            del self.persons[role][person]
            self._discard_person(role, person)

    def _influence(self, role: str) -> int:
        """The sum of the player's courtiers with the arms of the player's nobles."""
        courtiers = self._own_persons(role, "courtier")
        nobles = self._own_nobles(role)
        return sum(face_value(kind) for kind, _ in courtiers if arguments_of(kind)[0] in nobles)

    def _share_next(self) -> None:
        for group in GROUPS:
            laid = {role: kind for role, kind in self.middle.items() if name_of(kind) == group}
            if laid:
                break
        else:
            self.phase = "claim"
            return
        most = max(map(self._number_of, laid.values()))
        highest = [role for role, kind in laid.items() if self._number_of(kind) == most]
        influence = max(map(self._influence, highest))
        if len(highest) > 1:
            highest = [role for role in highest if self._influence(role) == influence]
        for role in self._in_order():
            if role in laid:
                del self.middle[role]
                self._join(highest[0] if len(highest) == 1 else role, laid[role])

    def _claim_next(self) -> None:
        role = next((role for role in self._in_order() if role in self.middle), None)
        if role is None:
            self._finish_round()
        else:
            self._join(role, self.middle.pop(role))

    # ---- phases 3 and 4, the end

    def _province_points(self, role: str) -> int:
        doubling = set() if (role, "low_birth") in self.brands else set(self._own_nobles(role))
        if self._own_persons(role, "queen"):
            doubling.add(self.cards.queen_arms)
        worth = self.cards.worth
        return sum(worth[f"province({arms})"] * (1 + (arms in doubling)) for arms, _ in self._own_provinces(role))

    def _final_points(self, role: str) -> int:
        final = self.cards.final
        worth = sum(final.get(kind, final.get(name_of(kind), 0)) for kind, _ in self.persons[role])
        return self._province_points(role) + worth

    def _finish_round(self) -> None:
        if self.last:
            self._gain({role: self._final_points(role) for role in self.seats})
            if not self.limit:
                self.phase = "over"
            elif self.phase != "over":
                self._set_up()
        elif self.rebels:
            self._gain({role: self._province_points(role) for role in self.seats})
            if self.phase != "over":
                self.phase = "refill"
                self._refill_next(self._in_order())
        else:
            self._start_round()

    def _refill_next(self, order: Iterable[str]) -> None:
        """The first of these players with too few cards draws, if the pile has a card."""
        for role in order if self.pile.total() else ():
            if self.hand[role].total() < HAND:
                self.drawing = role
                self._ask(CHANCE, "draw")
                return

    def _style(self, rng: random.Random, prefer: Mapping[str, float]) -> Callable[[str, Sequence[str]], str]:
        styles = {role: rng.choice(STYLES) for role in self.seats}
        return lambda role, actions: random_action(rng, actions, styles[role], 4)
