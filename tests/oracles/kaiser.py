"""Im Schatten des Kaisers: an independent implementation.

One counter has the tiles of all places. A place is a term of the page as text: ``throne``, ``elector(trier)``,
``aristocrat(trier)``, and ``gray(trier)`` for the gray eminence beside Trier.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import ClassVar, NamedTuple

from .base import Legal, Oracle, facts_in, random_action, rulings, split

ARCHBISHOPRICS = ("trier", "koeln", "mainz")
SECULAR = ("pfalz", "sachsen", "brandenburg", "boehmen")
ELECTORATES = ARCHBISHOPRICS + SECULAR
KNIGHT_SPACES = ("aristocrat", "castle")
TILES, KNIGHTS, CITIES, EMPIRE_CITIES, PURSE, ROUNDS = 7, 3, 3, 3, 12, 5

IMMEDIATE = ("doctor", "move", "indulgence", "permit", "ordinance", "promotion", "foreign_daughter")
HELD = ("pope", "excommunication", "church_influence", "gray_eminence", "rival")
CARDS = IMMEDIATE + HELD
COST = {  # for the permit: the lower cost, which is that of a baron
    "doctor": 1, "move": 1, "indulgence": 2, "permit": 3, "ordinance": 4, "promotion": 2,
    "foreign_daughter": 2, "pope": 1, "excommunication": 1, "church_influence": 2, "gray_eminence": 0,
    "rival": 0,
}  # fmt: skip
COUPLE_COST = 5
COPIES = {  # the cards that do not have a single copy
    4: {"doctor": 3, "move": 2, "permit": 4, "ordinance": 3},
    3: {"doctor": 2, "move": 2, "permit": 3, "ordinance": 2},
    2: {"doctor": 1, "move": 2, "permit": 2, "ordinance": 1},
}
COLOURS = {
    "doctor": "blue", "move": "blue", "pope": "blue", "excommunication": "blue", "church_influence": "blue",
    "indulgence": "blue", "permit": "pink", "ordinance": "pink", "promotion": "pink",
    "foreign_daughter": "pink", "rival": "white", "gray_eminence": "white",
}  # fmt: skip
BOARD = {  # aristocrat, castle, city
    "trier": (3, 1, 2), "koeln": (3, 1, 2), "mainz": (4, 0, 2), "pfalz": (4, 1, 2), "sachsen": (4, 1, 2),
    "brandenburg": (4, 2, 2), "boehmen": (5, 2, 2),
}  # fmt: skip
SPACES = {
    (electorate, sort): numbers[i]
    for electorate, numbers in BOARD.items()
    for i, sort in enumerate(("aristocrat", "castle", "city"))
}
SETUP_TILES = ((35, "couple"), (25, "baron"), (15, "couple"))


class Tile(NamedTuple):
    """An aristocrat on the board. The docstring of the module explains places."""

    place: str
    owner: str
    age: int
    rank: str


class Kaiser(Oracle):
    RULINGS: ClassVar = {
        "throne_from_electors": ("never", "last_resort", "without_baron"),
        "archbishop_marriage": ("forbidden", "allowed"),
        "childless_without_cards": ("yes", "no"),
        "childless_with_white_cards": ("no", "yes"),
        "convent_by_choice": ("yes", "no"),
        "influence_counts_elector": ("yes", "no"),
        "doctor_successor": ("any", "baron"),
        "idle_cards": ("allowed", "forbidden"),
        "trier_cards": ("this_phase", "any"),
        "koeln_rejuvenates": ("own", "any"),
        "influence_counts_gray": ("no", "yes"),
        "appoint_unsuitable": ("yes", "no"),
    }
    EDITIONS: ClassVar = {
        "standard": {},
        "nl": rulings(
            "childless_without_cards=no idle_cards=forbidden koeln_rejuvenates=any influence_counts_gray=yes"
            " appoint_unsuitable=no"
        ),
        "it": rulings(
            "throne_from_electors=without_baron convent_by_choice=no doctor_successor=baron idle_cards=forbidden"
            " trier_cards=any influence_counts_gray=yes"
        ),
    }
    FACTS: ClassVar = {
        **{name: (name, "v") for name in ("phase", "emperor", "acting")},
        "round": ("round", "V"),
        **{name: (name, "k") for name in ("closed", "finished", "used", "papal", "influenced", "excluded")},
        "knight": ("knights", "kkkV"),  # electorate, space, owner
        "city": ("cities", "kkV"),
        "empire_city": ("empire_cities", "kV"),
        "thalers": ("thalers", "kV"),
        "points": ("points", "kV"),
        "display": ("display", "kV"),
        "held": ("held", "kkV"),  # owner, card
    }

    def _clear(self, board: str) -> None:
        changes = [*facts_in(board)]
        self.spaces = SPACES | {(row[0], row[1]): int(row[2]) for name, row in changes if name == "spaces"}
        self.colours = COLOURS | dict(row for name, row in changes if name == "colour")
        self.emperor, self.round, self.phase = self.seats[0], 1, "setup"
        self.thalers = dict.fromkeys(self.seats, 0)
        self.points = dict.fromkeys(self.seats, 0)
        self.tiles: Counter[Tile] = Counter()

    def _begin(self) -> None:
        self.display.update({card: COPIES[len(self.seats)].get(card, 1) for card in CARDS})
        self._continue_setup()

    def _other_facts(self) -> Iterator[str]:
        """The tiles: throne(R,G,K), elector(E,R,G,K), gray(E,R), aristocrat(E,R,G,K,N)."""
        for tile, n in (+self.tiles).items():
            sort, where = split(tile.place)
            more = [] if sort == "gray" else [tile.age, tile.rank, *([n] if sort == "aristocrat" else [])]
            yield f"{sort}({','.join(map(str, [*where, tile.owner, *more]))})"

    def _take_fact(self, name: str, row: Sequence[str]) -> None:
        if name not in ("throne", "elector", "gray", "aristocrat"):
            super()._take_fact(name, row)
            return
        where, (owner, *more) = ([], row) if name == "throne" else (row[:1], row[1:])
        age, rank, n = [*more, "1"][:3] if more else ("45", "baron", "1")
        self.tiles[Tile(f"{name}({where[0]})" if where else name, owner, int(age), rank)] += int(n)

    # --- queries about the position

    def _clockwise(self, first: str) -> list[str]:
        i = self.seats.index(first)
        return list(self.seats[i:] + self.seats[:i])

    def _in_order(self) -> list[str]:
        return self._clockwise(self.emperor)

    def open_electorates(self, electorates: Sequence[str] = ELECTORATES) -> list[str]:
        return [e for e in electorates if e not in self.closed]

    def all_tiles(self) -> list[Tile]:
        return list(self.tiles.elements())

    def _own(self, role: str, sort: str) -> list[Tile]:
        """The tiles of a player on spaces of one sort: throne, elector, aristocrat or gray."""
        return [t for t in self.all_tiles() if t.owner == role and split(t.place)[0] == sort]

    def _at(self, place: str) -> list[Tile]:
        return [t for t in self.all_tiles() if t.place == place]

    def _number_at(self, place: str) -> int:
        return sum(n for t, n in self.tiles.items() if t.place == place)

    def _elector(self, electorate: str) -> Tile | None:
        return next(iter(self._at(f"elector({electorate})")), None)

    def _rules(self, role: str, electorate: str) -> bool:
        elector = self._elector(electorate)
        return elector is not None and elector.owner == role

    def supply(self, role: str) -> int:
        return TILES - sum(t.owner == role for t in self.all_tiles())

    def knight_supply(self, role: str) -> int:
        return KNIGHTS - sum(n for (_, _, owner), n in self.knights.items() if owner == role)

    def city_number(self, role: str) -> int:
        return sum(n for (_, owner), n in self.cities.items() if owner == role)

    def free(self, electorate: str, sort: str) -> int:
        """The number of free spaces of this sort. A closed electorate has none."""
        if electorate in self.closed:
            return 0
        if sort == "city":
            taken = self.empire_cities[electorate]
            taken += sum(self.cities[electorate, role] for role in self.seats)
        else:
            taken = sum(self.knights[electorate, sort, role] for role in self.seats)
            taken += self._number_at(f"aristocrat({electorate})") if sort == "aristocrat" else 0
        return max(0, self.spaces[electorate, sort] - taken)

    def _knight_spaces(self) -> list[tuple[str, str]]:
        return [(e, s) for e in self.open_electorates() for s in KNIGHT_SPACES if self.free(e, s)]

    def _pushable(self, electorate: str) -> list[str]:
        return [r for r in self.seats if self.knights[electorate, "aristocrat", r] > 0]

    def landings(self) -> list[tuple[str, str]]:
        """The electorates E and spaces D at which a tile can get an aristocrat space, as pairs."""
        return [
            (e, d)
            for e in self.open_electorates()
            for d in (["free"] if self.free(e, "aristocrat") else self._pushable(e))
        ]

    def marriageable(self, tile: Tile) -> bool:
        archbishop = tile.place in {f"elector({e})" for e in ARCHBISHOPRICS}
        allowed = self.rules["archbishop_marriage"] == "allowed" or not archbishop
        return tile.rank == "baron" and allowed and not tile.place.startswith("gray")

    def installable(self, electorate: str, role: str) -> list[Tile]:
        fit = [t for t in self._at(f"aristocrat({electorate})") if t.owner == role]
        return [t for t in fit if t.rank == "baron" or electorate in SECULAR]

    def _enthronable(self, role: str) -> list[Tile]:
        """The tiles from which a victorious rival chooses. If there are none, he takes a baron from the supply."""
        tiles = self._own(role, "aristocrat")
        if self.rules["throne_from_electors"] == "without_baron":
            barons = [t for t in self.all_tiles() if t.owner == role and t.rank == "baron"]
            free = [t for t in self._own(role, "elector") if not any(b != t for b in barons)]
            if tiles or free:
                return tiles + free
        if tiles:
            return tiles
        if self.rules["throne_from_electors"] == "last_resort" or self.supply(role) == 0:
            return self._own(role, "elector")
        return []

    def power(self, electorate: str) -> dict[str, int]:
        power = dict.fromkeys(self.seats, 0)
        for tile in self.all_tiles():
            if split(tile.place)[1] == (electorate,):
                power[tile.owner] += 2 if tile.rank == "couple" else 1
        for (e, _, owner), n in self.knights.items():
            power[owner] += n if e == electorate else 0
        for (e, owner), n in self.cities.items():
            power[owner] += n if e == electorate else 0
        power[self.emperor] += self.empire_cities[electorate]
        return power

    def votes(self, role: str) -> int:
        votes = (1 if self.held[role, "pope"] else 0) + (role in self.papal)
        for electorate in ELECTORATES:
            if not self._rules(role, electorate):
                continue
            if electorate not in self.excluded:
                votes += 2 if electorate == "boehmen" else 1
            if electorate in self.influenced:
                votes += sum(t.owner == role for t in self._at(f"aristocrat({electorate})"))
                votes += sum(self.knights[electorate, space, role] for space in KNIGHT_SPACES)
                votes += 1 if self.rules["influence_counts_elector"] == "yes" else 0
                if self.rules["influence_counts_gray"] == "yes":
                    votes += sum(t.owner == role for t in self._at(f"gray({electorate})"))
        return votes

    # --- legal actions

    def _actions(self, role: str, decision: str) -> set[str]:
        kind, args = split(decision)
        match kind:
            case "close_archbishopric":
                return {f"close({e})" for e in ARCHBISHOPRICS}
            case "close_secular":
                return {f"close({e})" for e in SECULAR}
            case "setup_empire_city" | "empire_city":
                return {f"empire_city({e})" for e in self.open_electorates() if self.free(e, "city")}
            case "setup_elector":
                return {f"elector({e})" for e in self.open_electorates() if self._elector(e) is None}
            case "setup_aristocrat":
                return {f"aristocrat({e})" for e in self.open_electorates() if self.free(e, "aristocrat")}
            case "setup_knight":
                return {f"knight({e},{s})" for e, s in self._knight_spaces()}
            case "succeed":
                return {f"succeed({_where(t)},{t.age},{t.rank})" for t in self._successors()}
            case "son":
                return {f"son({e},{d})" for e, d in self.landings()}
            case "offer":
                barons = [t for t in self.all_tiles() if t.owner != role and self.marriageable(t)]
                convent = self.rules["convent_by_choice"] == "yes" or not barons
                out = {f"offer({t.owner},{t.place},{t.age})" for t in barons}
                return out | {"convent"} if convent else out
            case "answer":
                return {"accept", "decline"}
            case "turn":
                return self._turn_actions(role)
            case "gray":
                return {f"gray({e})" for e in self.open_electorates()} | {"decline"}
            case "appoint":
                power = self.power(args[0])
                equal = [r for r in self.seats if power[r] == max(power.values())]
                if self.rules["appoint_unsuitable"] == "no":
                    fit = [r for r in equal if self._rules(r, args[0]) or self.installable(args[0], r)]
                    equal = fit or equal
                return {f"appoint({args[0]},{r})" for r in equal}
            case "install":
                return {f"install({args[0]},{t.age},{t.rank})" for t in self.installable(args[0], role)}
            case "settle":
                return {f"settle({args[0]},{r})" for r in self._pushable(args[0])}
            case "influence":
                return {f"influence({e})" for e in self.open_electorates(ARCHBISHOPRICS)}
            case "exclude":
                return {f"exclude({e})" for e in self.open_electorates(SECULAR)}
            case "vote":
                return {"vote(emperor)", "vote(rival)"}
            case "enthrone":
                return {f"enthrone({t.place},{t.age},{t.rank})" for t in self._enthronable(role)}
            case "retire":
                return {f"retire({e},{d})" for e, d in self.landings()}
            case "move_empire_city":
                sources = [e for e in self.open_electorates() if self.empire_cities[e] > 0]
                targets = [e for e in self.open_electorates() if self.free(e, "city")]
                return {f"move_empire_city({e1},{e2})" for e1 in sources for e2 in targets}
        return set()

    def _is_idle(self, role: str, card: str) -> bool:
        """Whether a card for a later phase has no effect for the last player of this phase."""
        if any(other not in self.finished for other in self.seats if other != role):
            return False
        if card == "gray_eminence":
            return self.supply(role) == 0
        election = self.rival() is not None or role != self.emperor
        return card in ("pope", "excommunication", "church_influence") and not election

    def _turn_actions(self, role: str) -> set[str]:
        purse = self.thalers[role]
        out = {"pass"}
        for card in IMMEDIATE:
            effects = {effect for effect in self._effects(role, card) if _price(card, effect) <= purse}
            if self.display[card] > 0:
                out |= {f"buy({card},{effect})" for effect in effects}
                if len(self.seats) == 2 and COST[card] <= purse:
                    out.add(f"buy({card},none)")
            elif self._may_use(role, "trier"):
                out |= {f"privilege(trier,{card},{effect})" for effect in effects}
        for card in HELD:
            barred = card == "rival" and role == self.emperor
            barred = barred or (card == "gray_eminence" and not self._rules(role, "brandenburg"))
            idle = self.rules["idle_cards"] == "forbidden" and self._is_idle(role, card)
            barred = barred or (idle and len(self.seats) > 2)
            by_trier = self._may_use(role, "trier") and self.rules["trier_cards"] == "any" and not idle
            if card == "pope" and by_trier and not self.display[card] and purse >= COST[card]:
                out.add("privilege(trier,pope,hold)")
            if self.display[card] > 0 and COST[card] <= purse and not barred:
                out.add(f"buy({card},hold)")
        if self._may_use(role, "koeln"):
            out |= {f"privilege(koeln,{effect})" for effect in self._effects(role, "doctor")}
            if self.rules["koeln_rejuvenates"] == "any":
                tiles = [t for t in self.all_tiles() if t.owner != role and not t.place.startswith("gray")]
                others = [f"{t.owner},{t.place},{t.age},{t.rank}" for t in tiles if t.age > 15]
                out |= {f"privilege(koeln,rejuvenate({other}))" for other in others}
        if self._may_use(role, "pfalz") and self.supply(role):
            out |= {f"privilege(pfalz,baron({e},{d}))" for e, d in self.landings()}
        if purse >= 1:
            targets = self._knight_spaces()
            sources = [(e, s) for (e, s, owner), n in self.knights.items() if owner == role and n > 0]
            if self.knight_supply(role):
                out |= {f"knight({e},{s})" for e, s in targets}
            out |= {f"knight({e1},{s1},{e2},{s2})" for e1, s1 in sources for e2, s2 in targets}
        return out

    def _may_use(self, role: str, electorate: str) -> bool:
        return self._rules(role, electorate) and electorate not in self.used

    def _effects(self, role: str, card: str) -> set[str]:
        """The effects of a card that this player can carry out, regardless of the cost."""
        tiles = [t for t in self.all_tiles() if not t.place.startswith("gray")]
        match card:
            case "doctor":
                own = [t for t in tiles if t.owner == role and t.age > 15]
                others = [t for t in tiles if t.owner != role]
                out = {f"rejuvenate({t.place},{t.age},{t.rank})" for t in own}
                return out | {f"age({t.owner},{t.place},{t.age},{t.rank})" for t in others}
            case "move":
                landings = self.landings()
                return {
                    f"move({_where(t)},{t.age},{t.rank},{e},{d})"
                    for t in self._own(role, "aristocrat")
                    for e, d in landings
                    if e != _where(t)
                }
            case "indulgence":
                return {"point"}
            case "permit":
                landings = self.landings() if self.supply(role) else []
                return {f"{rank}({e},{d})" for rank in ("baron", "couple") for e, d in landings}
            case "ordinance":
                left = CITIES - self.city_number(role)
                return {f"city({e})" for e in self.open_electorates() if left > 0 and self.free(e, "city")}
            case "promotion":
                return {
                    f"promote({e})" for e in self.open_electorates() if role in self._pushable(e) and self.supply(role)
                }
            case "foreign_daughter":
                return {f"marry({t.place},{t.age})" for t in tiles if t.owner == role and self.marriageable(t)}
        return set()

    # --- actions

    def play(self, actions: Mapping[str, str]) -> None:
        decisions, self.decisions = self.decisions, {}
        if "vote" in decisions.values():
            self._election_result({role: split(action)[1][0] for role, action in actions.items()})
            return
        ((role, decision),) = decisions.items()
        action, args = split(actions[role])
        self._carry_out(role, decision, action, args)

    def _carry_out(self, role: str, decision: str, action: str, args: list[str]) -> None:
        kind, subject = split(decision)
        if self.phase == "setup":
            self._set_up(role, action, args)
            return
        match kind:
            case "succeed":
                e, age, rank = args
                self._shift(Tile(f"aristocrat({e})", role, int(age), rank), "throne")
                if self.phase == "aging":
                    self._descendants(self._in_order())
                else:
                    interrupted, self.acting = self.acting, None
                    self._next_turn(interrupted)
            case "son":
                self._settle(role, 15, "baron", args[0], args[1])
                self._descendants(self._after(role))
            case "offer":
                if action == "convent":
                    self._gain(role, 1)
                    self._descendants(self._after(role))
                else:
                    self.decisions = {args[0]: f"answer({role},{args[1]},{args[2]})"}
            case "answer":
                offerer, place, age = subject
                if action == "accept":
                    self.points[offerer] += 1
                    self._replace(Tile(place, role, int(age), "baron"), Tile(place, role, int(age), "couple"))
                else:
                    self._gain(offerer, 1)
                self._descendants(self._after(offerer))
            case "turn":
                self._take_turn(role, action, args)
            case "gray":
                if action == "gray":
                    self.tiles[Tile(f"gray({args[0]})", role, 45, "baron")] += 1
                self._electors(ELECTORATES)
            case "appoint":
                self._new_elector(args[0], args[1])
            case "install":
                self._install(role, args[0], int(args[1]), args[2])
            case "settle":
                e, pushed = args
                deposed = self._elector(e)
                self._remove(deposed)
                self._settle(deposed.owner, deposed.age, deposed.rank, e, pushed)
                self._electors(_later(e))
            case "influence":
                self.influenced.add(args[0])
                self._election()
            case "exclude":
                self.excluded.add(args[0])
                self._election()
            case "enthrone":
                self._shift(Tile(args[0], role, int(args[1]), args[2]), "throne")
                self._retirement()
            case "retire":
                (deposed,) = self._own(role, "throne")
                self._remove(deposed)
                self._settle(role, deposed.age, deposed.rank, args[0], args[1])
                self._emperor_action()
            case "empire_city":
                self.empire_cities[args[0]] += 1
                self._next_round()
            case "move_empire_city":
                self.empire_cities[args[0]] -= 1
                self.empire_cities[args[1]] += 1
                self._next_round()

    def _gain(self, role: str, thalers: int) -> None:
        self.thalers[role] = min(PURSE, self.thalers[role] + thalers)

    def _remove(self, tile: Tile) -> None:
        assert self.tiles[tile] > 0
        self.tiles[tile] -= 1

    def _replace(self, old: Tile, new: Tile) -> None:
        self._remove(old)
        self.tiles[new] += 1

    def _shift(self, tile: Tile, place: str) -> None:
        self._replace(tile, tile._replace(place=place))

    def _settle(self, owner: str, age: int, rank: str, electorate: str, landing: str) -> None:
        """Puts a tile on an aristocrat space, which is free or from which it pushes a knight."""
        if landing != "free":
            self.knights[electorate, "aristocrat", landing] -= 1
        self.tiles[Tile(f"aristocrat({electorate})", owner, age, rank)] += 1

    def _after(self, role: str) -> list[str]:
        order = self._in_order()
        return order[order.index(role) + 1 :]

    # --- set-up

    def _set_up(self, role: str, action: str, args: list[str]) -> None:
        match action:
            case "close":
                self.closed.add(args[0])
            case "empire_city":
                self.empire_cities[args[0]] += 1
            case "elector":
                self.tiles[Tile(f"elector({args[0]})", role, 45, "baron")] += 1
            case "aristocrat":
                age, rank = SETUP_TILES[len(self._own(role, "aristocrat"))]
                self.tiles[Tile(f"aristocrat({args[0]})", role, age, rank)] += 1
            case "knight":
                self.knights[args[0], args[1], role] += 1
        self._continue_setup()

    def _continue_setup(self) -> None:
        if len(self.seats) == 2:
            for kind, electorates in (("close_archbishopric", ARCHBISHOPRICS), ("close_secular", SECULAR)):
                if not self.closed & set(electorates):
                    self.decisions = {"chance": kind}
                    return
        if not self.empire_cities.total():
            self.decisions = {self.emperor: "setup_empire_city"}
            return
        if not self._at("throne"):
            self.tiles[Tile("throne", self.emperor, 45, "baron")] += 1
        for role in self._in_order()[1:]:
            if not self._own(role, "elector"):
                self.decisions = {role: "setup_elector"}
                return
        for number in range(len(SETUP_TILES)):
            for role in self._in_order():
                if len(self._own(role, "aristocrat")) == number:
                    self.decisions = {role: "setup_aristocrat"}
                    return
        for role in self._in_order():
            if self.knight_supply(role) == KNIGHTS:
                self.decisions = {role: "setup_knight"}
                return
        self.thalers = dict.fromkeys(self.seats, 7)
        self.phase = "actions"
        self.decisions = {self.emperor: "turn"}

    # --- phases I to III

    def income(self) -> None:
        for role in self.seats:
            ruled = [e for e in ELECTORATES if self._rules(role, e)]
            foreign = sum(n for (e, owner), n in self.cities.items() if e in ruled and owner != role)
            self._gain(role, 6 + self.city_number(role) + foreign + (2 if "sachsen" in ruled else 0))

    def _aging(self) -> None:
        self.phase = "aging"
        self.tiles = Counter({t._replace(age=t.age + 10): n for t, n in self.tiles.items() if n > 0 and t.age < 45})
        if self._succession():
            self._descendants(self._in_order())

    def _successors(self) -> list[Tile]:
        """The tiles that can succeed on the throne."""
        killed = self.phase == "actions" and self.rules["doctor_successor"] == "baron"
        return [t for t in self._own(self.emperor, "aristocrat") if t.rank == "baron" or not killed]

    def _succession(self) -> bool:
        """Fills an empty throne. Returns False if the emperor must decide first."""
        if self._at("throne"):
            return True
        if self._successors():
            self.decisions = {self.emperor: "succeed"}
            return False
        self.tiles[Tile("throne", self.emperor, 45, "baron")] += 1
        return True

    def _descendants(self, players: Iterable[str]) -> None:
        self.phase = "descendants"
        for role in players:
            child = self.child(role)
            if child == "daughter":
                self.decisions = {role: "offer"}
                return
            if child == "son" and self.supply(role) and self.landings():
                self.decisions = {role: "son"}
                return
        for (_, card), n in self.held.items():
            self.display[card] += n
        self.held = Counter()
        self.phase = "actions"
        self.decisions = {self.emperor: "turn"}

    def child(self, role: str) -> str | None:
        colours = Counter[str]()
        for (owner, card), n in self.held.items():
            colours[self.colours[card]] += n if owner == role else 0
        if colours["blue"] > colours["pink"]:
            return "son"
        if not colours.total() and self.rules["childless_without_cards"] == "yes":
            return None
        only_white = 0 < colours["white"] == colours.total()
        return None if only_white and self.rules["childless_with_white_cards"] == "yes" else "daughter"

    # --- phase IV

    def _take_turn(self, role: str, action: str, args: list[str]) -> None:
        match action:
            case "pass":
                self.finished.add(role)
            case "buy":
                card, effect = args
                self.thalers[role] -= _price(card, effect)
                self.display[card] -= 1
                self.held[role, card] += 1
                self._effect(role, effect)
                if card == "rival":
                    self.finished.add(role)
            case "privilege":
                self.used.add(args[0])
                if args[0] == "trier":
                    self.thalers[role] -= _price(args[1], args[2])
                    if args[1] == "pope":
                        self.papal.add(role)
                self._effect(role, args[-1])
            case "knight":
                self.thalers[role] -= 1
                if len(args) == 4:
                    self.knights[args[0], args[1], role] -= 1
                self.knights[args[-2], args[-1], role] += 1
        if self._succession():
            self._next_turn(role)
        else:
            self.acting = role

    def _next_turn(self, role: str) -> None:
        """The turn of the next player clockwise who has not finished, or else the phase of the electors."""
        first, *others = self._clockwise(role)
        for player in [*others, first]:
            if player not in self.finished:
                self.decisions = {player: "turn"}
                return
        self.phase = "electors"
        for player in self.seats:
            if self.held[player, "gray_eminence"] and self.supply(player):
                self.decisions = {player: "gray"}
                return
        self._electors(ELECTORATES)

    def _effect(self, role: str, effect: str) -> None:
        name, args = split(effect)
        match name:
            case "rejuvenate":
                owner, place, age, rank = args if len(args) == 4 else (role, *args)
                tile = Tile(place, owner, int(age), rank)
                self._replace(tile, tile._replace(age=tile.age - 10))
            case "age":
                tile = Tile(args[1], args[0], int(args[2]), args[3])
                self._remove(tile)
                if tile.age < 45:
                    self.tiles[tile._replace(age=tile.age + 10)] += 1
            case "move":
                self._remove(Tile(f"aristocrat({args[0]})", role, int(args[1]), args[2]))
                self._settle(role, int(args[1]), args[2], args[3], args[4])
            case "point":
                self.points[role] += 1
            case "baron" | "couple":
                self._settle(role, 15, name, args[0], args[1])
            case "city":
                self.cities[args[0], role] += 1
                self.points[role] += 2 if self.city_number(role) == CITIES else 1
            case "promote":
                self._settle(role, 15, "baron", args[0], role)
            case "marry":
                tile = Tile(args[0], role, int(args[1]), "baron")
                self._replace(tile, tile._replace(rank="couple"))

    # --- phase V

    def _electors(self, electorates: Sequence[str]) -> None:
        """Step 2 of phase V for these electorates, then step 3 and the election."""
        for electorate in self.open_electorates(electorates):
            power = self.power(electorate)
            strongest = [role for role in self.seats if power[role] == max(power.values()) > 0]
            if len(strongest) > 1:
                self.decisions = {self.emperor: f"appoint({electorate})"}
                return
            if strongest:
                self._new_elector(electorate, strongest[0])
                return
        mainz = self._elector("mainz")
        if mainz is not None:
            self.points[mainz.owner] += 1
        self._election()

    def _new_elector(self, electorate: str, winner: str) -> None:
        """The consequences of winning an electorate. Unless a player must decide, the later electorates follow."""
        deposed = self._elector(electorate)
        if deposed is None or deposed.owner != winner:
            if self.installable(electorate, winner):
                self.decisions = {winner: f"install({electorate})"}
                return
            if deposed is not None:
                if not self.free(electorate, "aristocrat") and self._pushable(electorate):
                    self.decisions = {deposed.owner: f"settle({electorate})"}
                    return
                if self.free(electorate, "aristocrat"):
                    self._shift(deposed, f"aristocrat({electorate})")
                else:
                    self._remove(deposed)
        self._electors(_later(electorate))

    def _install(self, role: str, electorate: str, age: int, rank: str) -> None:
        deposed = self._elector(electorate)
        if deposed is not None:
            self._shift(deposed, f"aristocrat({electorate})")
        self._shift(Tile(f"aristocrat({electorate})", role, age, rank), f"elector({electorate})")
        self.points[role] += 2
        self._electors(_later(electorate))

    # --- phase VI

    def rival(self) -> str | None:
        return next((role for role in self.seats if self.held[role, "rival"]), None)

    def _election(self) -> None:
        """Asks for the next choice before the vote, and then for the votes."""
        rival = self.rival()
        if rival is None:
            self._emperor_action()
            return
        self.phase = "election"
        for role in self._in_order():
            if self.held[role, "church_influence"] and not self.influenced:
                self.decisions = {role: "influence"}
                return
            if self.held[role, "excommunication"] and not self.excluded:
                self.decisions = {role: "exclude"}
                return
        self.decisions = {role: "vote" for role in self.seats if role not in (self.emperor, rival)}
        if not self.decisions:
            self._election_result({})

    def _election_result(self, ballots: Mapping[str, str]) -> None:
        rival = self.rival()
        votes = {"emperor": self.votes(self.emperor), "rival": self.votes(rival)}
        for role, ballot in ballots.items():
            votes[ballot] += self.votes(role)
        winner = "rival" if votes["rival"] > votes["emperor"] else "emperor"
        for role, ballot in ballots.items():
            self.points[role] += 1 if ballot == winner else 0
        if winner == "emperor":
            self._emperor_action()
            return
        self.emperor = rival
        if self._enthronable(rival):
            self.decisions = {rival: "enthrone"}
            return
        self.tiles[Tile("throne", rival, 45, "baron")] += 1
        self._retirement()

    def _retirement(self) -> None:
        (deposed,) = (t for t in self._at("throne") if t.owner != self.emperor)
        if self.landings():
            self.decisions = {deposed.owner: "retire"}
            return
        self._remove(deposed)
        self._emperor_action()

    # --- phases VII and VIII

    def _emperor_action(self) -> None:
        self.phase = "emperor_action"
        self.points[self.emperor] += {1: 2, 2: 2, 3: 2, 4: 1, 5: 1}[self.round]
        self._gain(self.emperor, {3: 1, 4: 2}.get(self.round, 0))
        left = EMPIRE_CITIES - self.empire_cities.total()
        kind = {1: "empire_city", 2: "empire_city", 3: "move_empire_city"}.get(self.round)
        if kind == "empire_city" and not left:
            kind = None
        if kind is not None and self._actions(self.emperor, kind):
            self.decisions = {self.emperor: kind}
            return
        self._next_round()

    def _order(self, legal: Legal) -> Iterable[str]:
        return sorted(legal)

    def _style(self, rng: random.Random, prefer: Mapping[str, float]) -> Callable[[str, Sequence[str]], str]:
        """A kind of action (see `kind_of`) has the weight 1 unless ``prefer`` has another one; a pass 1/6."""
        weights = {"pass": 1 / 6} | dict(prefer)
        return lambda role, actions: random_action(rng, actions, weights, 1.0, kind_of)

    def _next_round(self) -> None:
        if self.round == ROUNDS:
            self.phase = "over"
            return
        self.round += 1
        for marks in (self.finished, self.used, self.papal, self.influenced, self.excluded):
            marks.clear()
        self.income()
        self._aging()


def _where(tile: Tile) -> str:
    return split(tile.place)[1][0]


def _price(card: str, effect: str) -> int:
    return COUPLE_COST if card == "permit" and effect.startswith("couple") else COST[card]


def _later(electorate: str) -> Sequence[str]:
    return ELECTORATES[ELECTORATES.index(electorate) + 1 :]


def kind_of(action: str) -> str:
    """The kind of an action: its functor, with the card or the privilege if it has one."""
    functor, args = split(action)
    if functor not in ("buy", "privilege"):
        return functor
    return " ".join([functor, *args[:-1]])
