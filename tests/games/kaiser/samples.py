"""Random games of Im Schatten des Kaisers, played together with the independent implementation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from oracles.kaiser import BOARD, COLOURS, ROLES, RULINGS, VALUES, Kaiser, random_game

from kaiser_logic.game import Game, load
from kaiser_logic.position import Position

SORTS = ("aristocrat", "castle", "city")
EDITIONS = ("standard", "nl", "it")


class Setting(NamedTuple):
    """The settings of a game. The board is the text of a board file."""

    seats: tuple[str, ...]
    emperor: str
    edition: str
    options: Mapping[str, str]
    spaces: Mapping[tuple[str, str], int]
    colours: Mapping[str, str]

    def game(self, folder: Path) -> Game:
        """The game of the rulebook, with its board file in the folder."""
        board = None
        if self.spaces or self.colours:
            board = folder / "board.lp"
            facts = [f"spaces({e},{s},{n})." for (e, s), n in self.spaces.items()]
            board.write_text("\n".join([*facts, *(f"colour({c},{v})." for c, v in self.colours.items())]))
        return load(
            "kaiser",
            edition=self.edition,
            options=self.options,
            seats=self.seats,
            emperor=self.emperor,
            board=board,
        )

    def oracle(self) -> Kaiser:
        """The game of the independent implementation."""
        spaces = {(e, s): n for e, numbers in BOARD.items() for s, n in zip(SORTS, numbers, strict=True)}
        return Kaiser(
            self.seats, self.emperor, self.edition, self.options, spaces | dict(self.spaces), self.colours
        )


def setting(seed: int) -> Setting:
    """The setting of a seed. A few consecutive seeds have all numbers of players, editions and sorts of boards."""
    rng = Random(seed)
    players, edition = 4 - seed % 3, EDITIONS[seed // 3 % 3]
    seats = tuple(rng.sample(ROLES, players))
    changed = rng.sample(sorted(RULINGS), seed // 2 % 3)
    options = {name: rng.choice(sorted(VALUES[name])) for name in changed}
    own = seed % 2 == 1
    spaces = _spaces(rng, players) if own else {}
    cards = rng.sample(sorted(COLOURS), 4) if own else []
    colours = {card: rng.choice(["blue", "pink", "white"]) for card in cards}
    return Setting(seats, rng.choice(seats), edition, options, spaces, colours)


def ruled(seed: int, options: Mapping[str, str]) -> Setting:
    """The same setting with these rulings."""
    return setting(seed)._replace(options=options)


def _spaces(rng: Random, players: int) -> dict[tuple[str, str], int]:
    """Changed numbers of spaces, mostly lower. The set-up must be possible with so many players."""
    while True:
        most = {"aristocrat": 4, "castle": 2, "city": 3}
        pairs = rng.sample([(e, s) for e in BOARD for s in SORTS], 14)
        spaces = {(e, s): rng.randint(0, most[s]) for e, s in pairs}
        try:
            Setting(ROLES[:players], ROLES[0], "standard", {}, spaces, {}).oracle()
        except ValueError:
            continue
        return spaces


def played(
    position: Position,
    oracle: Kaiser,
    rng: Random,
    limit: int = 2000,
    prefer: Mapping[str, float] | None = None,
) -> Iterator[tuple[Position, Mapping[str, Sequence[str]], Mapping[str, str]]]:
    """Continues at random with both and compares everything. Yields positions with legal and chosen actions."""
    for facts, legal, chosen in random_game(oracle, rng, limit, prefer):
        assert position.facts == facts
        assert position.legal() == legal
        assert position.result() is None
        yield position, legal, chosen
        position = position.apply(chosen)
    assert position.facts == oracle.facts()
    result, expected = position.result(), oracle.result()
    assert (result and (dict(result.points), result.winners)) == expected
    yield position, {}, {}
