"""Every way to play and to count gives the same answers in positions of every shape.

The shapes: stuck at once or later, one stuck of several who decide together, all stuck, chance alone, two decisions of one role,
several decisions that are not made together, no decision although the game is not over, finished; and rulebooks that list too
much: actions of others, of other decisions, outside of their sorts.
"""

from collections.abc import Callable
from functools import partial
from itertools import product
from pathlib import Path
from random import Random

import pytest
from support import SUPPORT
from support.heap_game import small_rulebook
from support.limits import NO_END
from support.proofs import statuses
from support.tables import rows

import kaiser_logic as kl
from kaiser_logic.batch import lanes, playout
from kaiser_logic.batch.perft import BATCH, counts
from kaiser_logic.batch.playing import play_games
from kaiser_logic.cli import main
from kaiser_logic.cli.exit_codes import NOT_DECIDED
from kaiser_logic.engine.configuration import ENGINES
from kaiser_logic.game import Game
from kaiser_logic.notation.reading import parse_record
from kaiser_logic.play.match import random_actions
from kaiser_logic.position import Position
from kaiser_logic.query.goal import QueryGoal
from kaiser_logic.query.mistakes import read_query
from kaiser_logic.records.replay import Replay
from kaiser_logic.search.reach import find_reachable, reach
from kaiser_logic.search.search import SearchLimits

RULES = (SUPPORT / "shape.lp").read_text(encoding="utf-8")
WORDS = dict(row.values for row in rows("crosscheck/shapes", "word"))
SHAPES = {
    name: (rules, None if numbers == "-" else list(map(int, numbers.split())))
    for name, numbers, rules in (row.values for row in rows("crosscheck/shapes", "shape"))
}


@pytest.fixture(autouse=True)
def _endless_games_end_soon(monkeypatch):
    for module in (lanes, playout):
        monkeypatch.setattr(module, "LONGEST", 40)


def written(shape: str, parent: Path, more: str = "") -> Path:
    """The folder of a rulebook with this shape."""
    rules = SHAPES[shape][0]
    for word, text in WORDS.items():
        rules = rules.replace(word, text)
    rules = rules.replace(". ", ".\n")
    return small_rulebook(parent, "shape", f"{RULES}{rules}\n{more}")


def tried(question: Callable[[], object]) -> object:
    """The answer, or the message of an error that is meant for the user."""
    try:
        return question()
    except kl.KaiserLogicError as error:
        return f"{type(error).__name__}: {error}"


def by_hand(game: Game, depth: int) -> list[int]:
    """Counts by `Position.legal` and `Position.apply`: nothing goes on where one of those who decide has no legal action."""
    found, here = [1], [game.initial()]
    for _ in range(depth):
        here = [after for position in here for after in _after(position)]
        found.append(len(here))
    return found


def _after(position: Position) -> list[Position]:
    legal = position.legal()
    assert set(legal) == set(position.to_move)
    return [position.apply(dict(zip(legal, each, strict=True))) for each in product(*legal.values()) if legal]


@pytest.mark.sample(8, 2)
@pytest.mark.parametrize("shape", SHAPES)
def test_all_ways_agree(shape, tmp_path):
    expected, folder = SHAPES[shape][1], written(shape, tmp_path)
    game, other = (kl.load(folder, engine=engine) for engine in ENGINES)
    assert by_hand(game, 3) == by_hand(other, 3) == (expected or by_hand(game, 3))
    for engine in (*ENGINES, BATCH):
        assert counts(game, 3, engine=engine) == by_hand(game, 3), engine
    batch = game.batch()
    positions = [game.initial(), *_after(game.initial())]
    assert batch.legal(positions) == [position.legal() for position in positions]
    for position in positions:
        actions = ("go", "stay", "skip", "face(0)", "face(1)", "face(high)")
        for role, action in product(("red", "green", "chance"), actions):
            judged = [violation.rule for violation in position.why(role, action)]
            if role not in position.to_move or len(position.to_move) == 1:
                assert (action in position.legal().get(role, ())) == (not judged)
    played_ = [tried(lambda g=g: [*map(list, play_games(g.evaluator, 6, 3, jobs=1).points)]) for g in (game, other)]
    played_.append(tried(lambda: [*map(list, batch.play(6, seed=3).points.tolist())]))
    assert played_[0] == played_[1] == played_[2]


@pytest.mark.parametrize(
    "more",
    ['not asked(stay).\nviolates(R,stay,"vote") :- candidate(R,stay).', "asked(stay)."],
    ids=["the list has what is illegal alone", "the list lacks what is legal alone"],
)
def test_what_may_be_listed_otherwise_than_judged_is_not_listed(tmp_path, more):
    """A rule that reads what else is in question, which `lint` reports: nothing rests on a list of legal actions."""
    rules = f"{WORDS['{ONE}']}\n{WORDS['{ENDS}']}\nasked(A) :- candidate(_,A).\n"
    rules += f'violates(R,go,"vote") :- candidate(R,go), {more}\n'
    game = kl.load(small_rulebook(tmp_path, "shape", RULES + rules))
    goal = QueryGoal(game.ruleset, read_query("pile(2)", game.ruleset))
    record = parse_record('[Game "shape"]\n\ngreen: ?\nassert { pile(2). }\n').with_rules(game.book.folder)
    ways: list[Callable[[], object]] = [
        lambda: game.initial().legal(),
        lambda: game.initial().query("not legal(green,go)"),
        lambda: game.find("legal(green,go)"),
        *(partial(counts, game, 2, engine=engine) for engine in (*ENGINES, BATCH)),
        lambda: play_games(game.evaluator, 1, 3, jobs=1),
        lambda: game.batch().play(1, seed=3),
        lambda: random_actions(game.initial(), Random(1)),
        lambda: kl.complete(record, timeout=NO_END),
    ]
    for way in ways:
        with pytest.raises(kl.NotDecided, match=r"legal actions are not listed: .* what else is in question"):
            way()
    with pytest.raises(kl.NotDecided):
        reach(game, goal, SearchLimits(3, 200, NO_END))
    there = game.position(
        [*game.initial().facts - {"decision(green,vote)", "phase(vote)", "pile(3)"}, "phase(over)", "pile(2)"]
    )
    assert game.origin(there).verdict == "open"
    assert "proved" not in {proof.status for proof in game.prove(jobs=1).proofs}


def test_steps_without_end_end_every_game(tmp_path):
    more = "step(spin). step(turn). add(due(spin)) :- made(_,vote). add(due(turn)) :- due(spin). add(due(spin)) :- due(turn)."
    game = kl.load(written("finished", tmp_path, more))
    ways: list[Callable[[], object]] = [
        *(partial(counts, game, 2, engine=engine) for engine in (*ENGINES, BATCH)),
        lambda: play_games(game.evaluator, 1, 3, jobs=1),
        lambda: game.batch().play(3, seed=3),
        lambda: game.initial().apply({"green": "go"}),
    ]
    for way in ways:
        with pytest.raises(kl.NotDecided, match="the automatic steps do not end"):
            way()


QUERIES = [row.values[0] for row in rows("crosscheck/shapes", "query")]
MOVES = 4


def shortest_games(game: Game) -> list[tuple[int, Position]]:
    """Every position that a game of at most `MOVES` moves reaches, with a number of moves to it."""
    positions, here = [(0, game.initial())], [(0, game.initial())]
    while here:
        here = [
            (moves + len(position.to_move), after)
            for moves, position in here
            for after in _after(position)
            if moves + len(position.to_move) <= MOVES
        ]
        positions += here
    return positions


@pytest.mark.slow
@pytest.mark.sample(1, 2)
@pytest.mark.parametrize("shape", SHAPES)
def test_searches_for_games_agree(shape, tmp_path):
    """A shortest game to each property, or none, as by hand."""
    game = kl.load(written(shape, tmp_path))
    positions = shortest_games(game)
    for query in QUERIES:
        expected = min((moves for moves, position in positions if position.query(query)), default=None)
        found = find_reachable(game, query, MOVES, smallest=True)
        assert found.proved_none, query
        assert [len(record.moves) for record in found.records] == [expected] * (expected is not None), query
        for record in found.records:
            assert Replay.at(record.with_rules(game.book.folder)).here().query(query)


@pytest.mark.slow
@pytest.mark.sample(1, 2)
@pytest.mark.parametrize("shape", SHAPES)
def test_games_end_alike(shape, tmp_path, capsys):
    """`play` and `simulate`, by each engine, stop where somebody is stuck, and only there."""
    folder = written(shape, tmp_path)
    for seed in "123":
        code = main(["play", str(folder), "--random", "--seed", seed, "--moves", "5"])
        replay = Replay(parse_record(capsys.readouterr().out).with_rules(folder))
        replay.run()
        assert not replay.faults
        end = replay.here()
        stops = (end.to_move and not all(end.legal().values())) or shape == "chance with a weight below 1"
        assert code == (NOT_DECIDED if stops else 0)
    outcomes = set()
    for engine in (*ENGINES, BATCH):
        code = main(["simulate", str(folder), "--games", "4", "--jobs", "1", "--format", "json", "--engine", engine])
        outcomes.add((code, capsys.readouterr().out))
    assert len(outcomes) == 1


UNBLOCKED = """%! invariant unblocked -- Nobody is blocked.
%!   why       somebody is blocked
broken(unblocked,R) :- blocked(R).
"""


@pytest.mark.slow
@pytest.mark.sample(1, 2)
@pytest.mark.parametrize("shape", SHAPES)
def test_nobody_is_proved_to_be_stuck_or_somebody_is(shape, tmp_path):
    """That everybody who decides has a legal action is proved if and only if nobody is stuck in any game.

    `prove` never says that its encoding is "not what the rules say".
    """
    game = kl.load(written(shape, tmp_path, UNBLOCKED))
    stuck = any(not all(position.legal().values()) for _, position in shortest_games(game) if position.to_move)
    report = game.prove(jobs=1)
    assert not [note for proof in report.proofs for note in proof.notes if "not what the rules" in note]
    proofs = statuses(report)
    if SHAPES[shape][1] is None:  # several decisions that are not made together: nothing is proved of such games
        assert "proved" not in {proofs["unblocked"], proofs["legal action at vote"]}
        return
    assert (proofs["unblocked"] == "proved") is not ("stuck" in shape)
    assert {s for c, s in proofs.items() if c.startswith("legal action")} <= {"proved"} or stuck
    assert not stuck or proofs["legal action at vote"] != "proved"


@pytest.mark.slow
@pytest.mark.parametrize("shape", [shape for shape in SHAPES if "stuck" in shape])
def test_comparisons_do_not_accuse_the_encoding(shape, tmp_path, capsys):
    """A ruling that makes no difference: where somebody who has to decide is stuck, the others cannot act alone."""
    folder = written(
        shape,
        tmp_path,
        'violates(R,stay,"vote.blocked") :- candidate(R,stay), blocked(R), not blocked(R), ruling(guard,no).',
    )
    ruling = '[rulings.guard]\nabout = "Whether so."\nvalues = { yes = "so", no = "not so" }\nstandard = "yes"\n'
    with (folder / "game.toml").open("a", encoding="utf-8") as file:
        file.write(ruling)
    assert main(["compare", str(folder), "--editions", "standard,standard", "--other", "guard=no"]) == 0
    assert "no position tells them apart" in capsys.readouterr().out
