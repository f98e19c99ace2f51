"""The commands of each table, from the files of ``questions``, the games and the examples."""

import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from itertools import product
from pathlib import Path
from typing import Final

import kaiser_logic as kl
from kaiser_logic.rules.loader import rulebook

ROOT: Final = Path(__file__).parents[2]
QUESTIONS: Final = Path(__file__).parent / "questions"
EXAMPLES: Final = ROOT / "examples"
GAMES: Final = ("vive", "kaiser", "krone", "staufer")
LEAST: Final = {"vive": 3, "kaiser": 2, "krone": 2, "staufer": 2}
PROVED: Final = {"vive": (3,), "kaiser": (2, 3, 4), "krone": (2, 3, 4), "staufer": (2, 3)}
"""The numbers of players with which all claims of a game are proved."""
LENGTH: Final = {"vive": 5, "kaiser": 5, "krone": 5, "staufer": 8}
"""The length of the sequences that are counted."""


def _prove(game: str, players: int) -> Iterator[str]:
    yield f"prove {game} --players {players}"


def _claims(game: str) -> Iterator[str]:
    file = (QUESTIONS / f"{game}.claims").relative_to(ROOT)
    yield f"prove {game} --players {LEAST[game]} --claims {file}"


def _find(game: str) -> Iterator[str]:
    for line in (QUESTIONS / "find.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith(f"find {game} "):
            yield line


def _compare(game: str) -> Iterator[str]:
    """Each other edition, and each ruling alone with its first value that is not the default."""
    book, start = rulebook(game), f"compare {game} --players {LEAST[game]} --editions"
    yield from (f"{start} standard,{edition}" for edition in book.editions if edition != "standard")
    for name, ruling in book.rulings.items():
        other = next(value for value in ruling.values if value != ruling.by_edition["standard"])
        yield f"{start} standard,standard --other {name}={other}"


# -- examples --------------------------------------------------------------------------------------------------------


def examples() -> list[str]:
    return sorted(path.relative_to(ROOT).as_posix() for path in EXAMPLES.rglob("*.game"))


def _legal(path: str) -> bool:
    """Whether a record is complete and legal."""
    return "faults/" not in path and "views/" not in path


def _check() -> Iterator[str]:
    for path in examples():
        yield f"check {path}"
        if "faults/" in path:
            yield f"check {path} --on-illegal skip"
            yield f"check {path} --on-illegal force"


def _places(count: int) -> Iterator[tuple[str, int]]:
    """The start of each legal record, and ``count`` evenly spaced places up to its end."""
    for path in filter(_legal, examples()):
        moves = len(kl.read(ROOT / path).moves)
        yield from ((path, n) for n in sorted({k * moves // count for k in range(count + 1)}))


def _at(command: str, count: int) -> Iterator[str]:
    for path, moves in _places(count):
        yield f"{command} {path}@{moves}"


def _show() -> Iterator[str]:
    for path, moves in _places(2):
        yield f"show {path}@{moves}"
        yield f"show {path}@{moves} --change --format svg"


def _why() -> Iterator[str]:
    """Moves of the records, later moves made too early, and all faults that are found."""
    found: dict[str, None] = {}
    for path, number in _places(4):
        moves = kl.read(ROOT / path).moves
        chosen = [*moves[number : number + 1], *moves[number + 5 : number + 6]]
        found |= {f"why {path}@{number} {shlex.quote(f'{m.role}: {m.action}')}": None for m in chosen}
    for path in (path for path in examples() if "faults/" in path):
        with suppress(kl.UnreadableInput):
            for fault in kl.check(ROOT / path).faults:
                if fault.role and fault.action and "?" not in fault.action:
                    move = shlex.quote(f"{fault.role}: {fault.action}")
                    found[f"why {path}@{fault.moves} {move}"] = None
    yield from found


# -- rulebooks -------------------------------------------------------------------------------------------------------


def _rules() -> Iterator[str]:
    for game in GAMES:
        yield f'rules {game} ""'
        yield f"rules {game} --names"


def _perft() -> Iterator[str]:
    """Each game, edition and number of players from the start, and each example from its first position."""
    for game in GAMES:
        book = rulebook(game)
        for players, edition in product(book.manifest["players"], book.editions):
            yield f"perft {game} {LENGTH[game]} --players {players} --edition {edition}"
    for path in examples():
        if _legal(path):
            yield f"perft {path}@0 2"


TABLES: Final[dict[str, Callable[[], Iterator[str]]]] = {
    "rules": _rules,
    "check": _check,
    "moves": partial(_at, "moves", 4),
    "position": partial(_at, "position", 4),
    "show": _show,
    "why": _why,
    "perft": _perft,
    **{f"find-{game}": partial(_find, game) for game in GAMES},
    **{f"claims-{game}": partial(_claims, game) for game in GAMES},
    **{f"compare-{game}": partial(_compare, game) for game in GAMES},
    **{f"prove-{game}-{n}": partial(_prove, game, n) for game in GAMES for n in PROVED[game]},
}
"""The tables by name, each with the function that yields its commands."""


NOT_YET: Final = ("claims-vive", "compare-vive")
"""Tables that nobody has written: see README.md."""


def tables(parts: Sequence[str]) -> list[str]:
    """The tables with these names or beginnings of names (``prove``, ``prove-vive``); all tables if there are none."""
    for part in parts:
        if not any(f"{name}-".startswith(f"{part}-") for name in TABLES):
            raise ValueError(f"there is no table {part}; there are: {', '.join(TABLES)}")
    return [name for name in TABLES if not parts or any(f"{name}-".startswith(f"{p}-") for p in parts)]
