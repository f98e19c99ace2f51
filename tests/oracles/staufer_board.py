"""Die Staufer: the vocabulary of the facts and the board, for the oracle `staufer` and used only by tests."""

from dataclasses import dataclass
from functools import cache

from .base import facts_in

REGIONS = ("augsburg", "aachen", "strasbourg", "nijmegen", "palermo", "milano")
SUPPLY = "supply"
TILES = ("t1", "t2", "t3", "t4", "t5", "t6")
CONDITIONS = ("king", "chests", "figures")
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

# ---- the board (section 4 of the page)


def default_board() -> str:
    """The board of section 4 of the page, as facts."""
    facts: list[str] = []
    offices = {
        "augsburg": ("3 5 7", "3 4 5* 7"),
        "aachen": ("3 4* 6", "3 4* 5 6"),
        "strasbourg": ("3 4 5 6*", "3 4 5 6* 7"),
        "nijmegen": ("4 5*", "3 4 5*"),
        "palermo": ("3 5", "3 4 5 6*"),
        "milano": ("4 5 7*", "4 5 6 7*"),
    }
    for region, rows in offices.items():
        for players, row in zip(("2,2", "3,5"), rows, strict=True):
            for seat, text in enumerate(row.split(), 1):
                kind = "noble" if text.endswith("*") else "any"
                facts.append(f"office({players},{region},{seat},{text[0]},{kind})")
    worth = {"t1": "7 4 2", "t2": "8 5 3", "t3": "9 7 5", "t4": "10 6 2", "t5": "11 7 4", "t6": "12 8 4"}
    for number, (tile, row) in enumerate(worth.items()):
        facts.append(f"worth(2,2,{tile},1,{6 + number})")
        facts += [f"worth(3,5,{tile},{rank},{value})" for rank, value in enumerate(row.split(), 1)]
    spaces = ("1,envoy,2", "2,envoy,1", "2,noble,1", "3,noble,1", "4,envoy,2")
    facts += [f"space({players},{space})" for players in ("2,3", "4,5") for space in spaces]
    facts.append("space(4,5,5,envoy,1)")
    facts += ["figures(envoy,15,4)", "figures(noble,3,1)"]
    facts += [f"brown({number},{value})" for number, value in enumerate((2, 5, 9, 14, 20), 1)]
    facts += [f"cards({players},{players},{players})" for players in (2, 3, 4, 5)]
    chests = dict.fromkeys(ORANGE, 2) | {"first": 5, "swap": 6, "nomove": 6, "cheap": 5, "stay": 6}
    facts += [f"chests({chest},{count})" for chest, count in {**chests, "violet": 18, "brown": 10}.items()]
    facts += [f"condition({condition},2)" for condition in CONDITIONS]
    facts += [f"steps({number},2)" for number in (1, 2, 3)]
    facts += [f"card({number},{value})" for number, value in enumerate((14, 12, 10, 8, 6), 1)]
    patterns = {
        "opposite": ("0 3", "7"),
        "beside": ("0 1", "6"),
        "apart": ("0 2", "6"),
        "three": ("0 1 2", "11"),
        "triangle": ("0 2 4", "12"),
        "four": ("0 1 2 3", "16"),
    }
    for job, (steps, value) in patterns.items():
        facts += [f"pattern({job},{step})" for step in steps.split()]
        facts.append(f"value({job},1,{value})")
    seat_jobs = {"threes": "3 7 12 17", "fours": "4 8 13 18", "fives": "5 10 15 20"}
    for job, row in {**seat_jobs, "all": "3", "pairs": "8", "series": "15"}.items():
        facts += [f"value({job},{number},{value})" for number, value in enumerate(row.split(), 1)]
    return " ".join(f"{fact}." for fact in facts)


@dataclass(frozen=True)
class Board:
    """The board data for one number of players."""

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
    for given in (default_board(), text):
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
