"""The command ``invariants``: proposes invariants that the rulebook does not state."""

from __future__ import annotations

import argparse
import json
import textwrap
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from .common import add_game, add_timeout, game_of, natural, positive
from .progress import clear, progress

if TYPE_CHECKING:
    from ..game import Game
    from ..mining.writing import InvariantReport

_GAMES: Final = 20


def add_invariants(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``invariants``."""
    add_game(parser)
    parser.add_argument(
        "--games", metavar="N", type=positive, default=_GAMES, help=f"random games to play first ({_GAMES})"
    )
    parser.add_argument(
        "--seed", metavar="S", type=natural, default=1, help="the seed of the random games (1)"
    )
    parser.add_argument("--jobs", metavar="N", type=positive, help="processes (default: one for each core)")
    parser.add_argument(
        "--format", choices=("text", "json"), default="text", help="lines for a rulebook, or JSON"
    )
    add_timeout(parser, 600.0)
    parser.set_defaults(run=invariants)


def invariants(args: argparse.Namespace) -> int:
    """Proposes invariants."""
    from ..mining.miner import Miner

    game = game_of(args)
    report = Miner(game.evaluator).run(args.games, args.seed, args.timeout, args.jobs, progress())
    clear()
    if args.format == "json":
        print(json.dumps({**_about(game, args.seed), **report.as_data()}, ensure_ascii=False))
    else:
        print("\n".join(_text(game, report)))
    return 0


def _about(game: Game, seed: int) -> dict[str, object]:
    """The subject of the report."""
    return {
        "game": game.id,
        "edition": game.edition,
        "options": dict(game.configuration.changed),
        "seats": list(game.seats),
        "seed": seed,
    }


def _text(game: Game, report: InvariantReport) -> list[str]:
    """The report as text that a rulebook can hold: all but the lines are comments."""
    counted = (
        f"{report.candidates} candidates, {report.unbroken} not broken in {report.games} random games with "
        f"{report.positions} positions, {report.new} of them new, {report.inductive} inductive"
    )
    sentences = [f"{game!r}, {len(game.seats)} players: {counted}."]
    if report.undecided:
        sentences.append(f"{report.undecided} more were not decided within the budget.")
    if not report.invariants:
        sentences.append(
            "Nothing to propose: all that was found follows from the invariants of the rulebook."
        )
        return [*_comments(sentences)]
    sentences.append(
        "Proposed, and proved together with the game's own invariants; some may need one another."
    )
    return [*_comments((*sentences, *report.given)), "", report.lines]


def _comments(sentences: Iterable[str]) -> Iterator[str]:
    """Sentences as comments of a rulebook."""
    for sentence in sentences:
        yield from textwrap.wrap(sentence, 120, initial_indent="% ", subsequent_indent="%   ")


COMMANDS: Final = {"invariants": add_invariants}
"""What adds the arguments of each command."""
