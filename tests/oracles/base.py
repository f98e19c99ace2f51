"""What the four independent implementations share, and no rule of a game: terms, positions as facts, rulings, random games.

They are test oracles in plain Python. Each was written only from a page that describes the rules in words, and from the printed
text, without knowledge of the project's rulebook. The tests compare both at each decision: the facts of the position, the legal
actions, the weights of chance and the result. The code is meant to be easy to check against the page, not to be fast.
"""

import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar, Final, Self

CHANCE: Final = "chance"
Legal = dict[str, tuple[str, ...]]
"""The legal actions of each role that decides."""
WRAPPED: Final = {"g": "gold", "m": "musketeer"}


@lru_cache(maxsize=200_000)
def split(term: str) -> tuple[str, tuple[str, ...]]:
    """The name and the arguments of a term: those of "a(b,c(d,e))" are "a" and ("b", "c(d,e)"). ValueError: it is no term."""
    match = re.fullmatch(r"([a-z]\w*)(?:\(([\w(),-]+)\))?", term)
    if match is None:
        raise ValueError(f"not a term: {term}")
    row, depth = [""], 0
    for sign in match[2] or "":
        depth += (sign == "(") - (sign == ")")
        if sign == "," and depth == 0:
            row.append("")
        else:
            row[-1] += sign
    if depth or (match[2] and not all(row)):
        raise ValueError(f"not a term: {term}")
    return match[1], tuple(row) if match[2] else ()


def name_of(term: str) -> str:
    return term.partition("(")[0]


def facts_in(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The names and arguments of the facts in a board file."""
    text = re.sub(r"%\*.*?\*%", " ", text, flags=re.DOTALL)
    for fact in filter(None, re.sub(r"\s", "", re.sub(r"%.*", " ", text)).split(".")):
        yield split(fact)


def random_action(
    rng: random.Random,
    actions: Iterable[str],
    weights: Mapping[str, float],
    default: float,
    kind_of: Callable[[str], str] = name_of,
) -> str:
    """Draws a kind of action by its weight, and then an action of this kind."""
    kinds: dict[str, list[str]] = {}
    for action in sorted(actions):
        kinds.setdefault(kind_of(action), []).append(action)
    names = sorted(kinds)
    return rng.choice(kinds[rng.choices(names, [weights.get(name, default) for name in names])[0]])


def rulings(text: str) -> dict[str, str]:
    """Rulings from a text of words NAME=VALUE."""
    return dict(word.split("=") for word in text.split())


class Oracle:
    """A game in which a role decides or which is over.

    Each game defines `_clear`, which sets what else an empty position has; `_begin`, the start; `_actions` of a role at a
    decision; `play`, which carries out legal actions, and then the automatic steps; and `_style`, how the players choose in a
    random game.

    Attributes:
        RULINGS: Every ruling with its values, the default of the edition `standard` first.
        EDITIONS: The rulings in which each edition differs from `standard`.
        FACTS: For each fact the attribute that has it, and what its arguments are: `k` a part of the key of a dictionary or of
            a member of a set, `K` the same as a number, `v` a part of the value, `V` the same as a number, `o` the key of an
            outer dictionary (of all players, unless there are two), `g` and `m` a key `gold(X)` or `musketeer(X)` of which the
            fact has X. A fact without arguments is true or false. A number 0 and None have no fact.
    """

    RULINGS: ClassVar[Mapping[str, tuple[str, ...]]]
    EDITIONS: ClassVar[Mapping[str, Mapping[str, str]]]
    FACTS: ClassVar[Mapping[str, tuple[str, str]]]

    seats: tuple[str, ...]
    rules: dict[str, str]
    phase: str
    points: dict[str, int]
    decisions: dict[str, str]

    @classmethod
    def empty(cls, seats: Sequence[str], edition: str, options: Mapping[str, str], board: str) -> Self:
        game = object.__new__(cls)
        game.seats = tuple(seats)
        game.rules = {ruling: values[0] for ruling, values in cls.RULINGS.items()}
        game.rules |= {**cls.EDITIONS[edition], **options}
        game._remove_facts()
        game._clear(board)
        return game

    def _remove_facts(self) -> None:
        """Everything in the table of facts becomes empty: false, 0, None, a set, a counter, or a dictionary."""
        for attribute, columns in self.FACTS.values():
            counts = columns[-1:] == "V"
            if not set(columns) - {*"vV"}:
                empty: Any = False if not columns else 0 if columns == "V" else None
            elif columns[0] == "o" != columns[1]:
                empty = {role: Counter() if counts else {} for role in self.seats}
            else:
                empty = set() if not set(columns) & {*"vV"} else Counter() if counts and "o" not in columns else {}
            setattr(self, attribute, empty)
        self.decisions = {}

    @classmethod
    def start(cls, seats: Sequence[str], edition: str, options: Mapping[str, str], board: str) -> Self:
        game = cls.empty(seats, edition, options, board)
        game._begin()
        return game

    @classmethod
    def from_facts(cls, facts: Iterable[str], edition: str, options: Mapping[str, str], board: str) -> Self:
        """The game in the position of these facts, which state a decision or the end."""
        rows = [split(re.sub(r"\s", "", fact)) for fact in facts]
        seats = sorted((int(row[1]), row[0]) for name, row in rows if name == "seat")
        game = cls.empty([role for _, role in seats], edition, options, board)
        for name, row in rows:
            if name == "decision":
                game._take_decision(row[0], row[1])
            elif name != "seat":
                game._take_fact(name, row)
        return game

    def copy(self) -> Self:
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        for name, value in self.__dict__.items():
            if isinstance(value, dict | set):
                setattr(other, name, value.copy())
            if isinstance(value, dict) and any(isinstance(inner, dict) for inner in value.values()):
                setattr(other, name, {key: inner.copy() for key, inner in value.items()})
        return other

    # ---- positions as facts

    def facts(self) -> frozenset[str]:
        facts = {f"seat({role},{number})" for number, role in enumerate(self.seats, 1)}
        for name, (attribute, columns) in self.FACTS.items():
            for row in _rows(getattr(self, attribute), columns):
                facts.add(f"{name}({','.join(row)})" if row else name)
        facts |= {f"decision({role},{kind})" for role, kind in self._deciding().items()}
        return frozenset(facts | {*self._other_facts()})

    def _other_facts(self) -> Iterable[str]:
        """The facts that are not in the table."""
        return ()

    def _take_fact(self, name: str, row: Sequence[str]) -> None:
        attribute, columns = self.FACTS[name]
        held = getattr(self, attribute)
        values = [_read(text, sort) for text, sort in zip(row, columns, strict=True) if sort in "vV"]
        keys = [_read(text, sort) for text, sort in zip(row, columns, strict=True) if sort not in "vVo"]
        outer = [text for text, sort in zip(row, columns, strict=True) if sort == "o"]
        if isinstance(held, set):
            held.add(_one(keys))
        elif isinstance(held, dict):
            held = held.setdefault(_one(outer), Counter()) if outer else held
            held[_one(keys)] = _one(values)
        else:
            setattr(self, attribute, _one(values) if values else True)

    # ---- the course of a game

    def legal(self) -> Legal:
        deciding = self._deciding().items()
        return {role: tuple(sorted({*self._actions(role, kind)})) for role, kind in deciding}

    def _deciding(self) -> Mapping[str, str]:
        """The roles that decide now, each with its decision."""
        return self.decisions

    def _take_decision(self, role: str, kind: str) -> None:
        self.decisions[role] = kind

    def weights(self) -> dict[str, int]:
        """The weight of each action at a decision of chance; otherwise nothing."""
        return {}

    def apply(self, actions: Mapping[str, str]) -> None:
        """Carries out the actions of all roles that decide, if they are legal."""
        legal = self.legal()
        assert actions.keys() == legal.keys(), f"{sorted(actions)} instead of {sorted(legal)}"
        assert all(action in legal[role] for role, action in actions.items()), f"not legal: {actions}"
        self.play(actions)

    def result(self) -> tuple[dict[str, int], tuple[str, ...]] | None:
        """The points of all players and the winners in the order of seats; None before the end."""
        if self.phase != "over":
            return None
        most = max(self.points.values())
        return dict(self.points), tuple(role for role in self.seats if self.points[role] == most)

    # ---- random games

    def random_game(
        self, rng: random.Random, limit: int, prefer: Mapping[str, float] | None = None
    ) -> Iterator[tuple[frozenset[str], Legal, dict[str, str]]]:
        """Plays at random to the end or for `limit` decisions. The same seed plays the same game.

        Yields the facts, the legal actions and the chosen actions of each decision before they are carried out. ``prefer`` is
        for kaiser: weights of kinds of actions.
        """
        style = self._style(rng, prefer or {})
        for _ in range(limit):
            legal = self.legal()
            if not legal:
                return
            weights = self.weights() if CHANCE in legal else {}
            chosen: dict[str, str] = {}
            for role in self._order(legal):
                if role == CHANCE and weights:
                    chosen[role] = rng.choices(legal[role], [weights[action] for action in legal[role]])[0]
                else:
                    chosen[role] = style(role, legal[role])
            yield self.facts(), legal, chosen
            self.play(chosen)

    def _order(self, legal: Legal) -> Iterable[str]:
        """The roles that decide, in the order in which they choose."""
        return [role for role in (CHANCE, *self.seats) if role in legal]


def _one(parts: Sequence[Any]) -> Any:
    return parts[0] if len(parts) == 1 else tuple(parts)


def _read(text: str, sort: str) -> Any:
    return int(text) if sort in "KV" else f"{WRAPPED[sort]}({text})" if sort in WRAPPED else text


def _parts(value: Any) -> Sequence[Any]:
    return value if isinstance(value, tuple) else (value,)


def _rows(held: Any, columns: str) -> Iterator[list[str]]:
    """The arguments of the facts that a part of a position has."""
    if not columns:
        yield from [[]] * bool(held)
    elif isinstance(held, set):
        yield from (list(map(str, _parts(member))) for member in held)
    elif isinstance(held, dict):
        for key, value in held.items():
            inner = value.items() if "o" in columns else [(None, value)]
            counts = isinstance(value, Counter) or isinstance(held, Counter)
            for more, last in inner:
                if last or not counts:
                    keys, values = iter((*_parts(key), *_parts(more))), iter(_parts(last))
                    yield [_written(next(values if sort in "vV" else keys), sort) for sort in columns]
    elif held:
        yield list(map(str, _parts(held)))


def _written(value: Any, sort: str) -> str:
    return str(value)[len(WRAPPED[sort]) + 1 : -1] if sort in WRAPPED else str(value)
