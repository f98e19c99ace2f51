"""Every way to play and to count gives the same answers in positions of every shape.

The shapes: stuck at once or later, one stuck of several who decide together, all stuck, chance alone, two decisions of one role,
several decisions that are not made together, no decision although the game is not over, finished; and rulebooks that list too
much: actions of others, of other decisions, outside of their sorts.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import product
from pathlib import Path
from random import Random

import pytest
from support.small_rulebook import small_rulebook

import kaiser_logic as kl
from kaiser_logic.batch.perft import BATCH, counts
from kaiser_logic.batch.playing import play_games
from kaiser_logic.cli import main
from kaiser_logic.cli.exit_codes import NOT_DECIDED
from kaiser_logic.engine.configuration import ENGINES
from kaiser_logic.game import Game
from kaiser_logic.notation.reading import parse_record
from kaiser_logic.play.match import Match, random_actions
from kaiser_logic.position import Position
from kaiser_logic.records.replay import Replay
from kaiser_logic.search.reach import find_reachable

RULES = """fluent(seat(R,I)) :- seat(R,I).
fluent(phase(vote;over)).
fluent(decision(R,vote)) :- player(R).
fluent(decision(R,other)) :- player(R).
fluent(decision(chance,roll)).
fluent(blocked(R)) :- player(R).
fluent(pile(0..3)).
stated(pile,1).
face(1..2).
action(vote,go).
action(vote,stay).
action(other,skip).
action(roll,face(K)) :- face(K).
init(phase(vote)).
init(pile(3)).
%! rule vote -- All decide.
%!   why       no
%!   standard  s
out_of_turn(vote,"vote").
out_of_turn(other,"vote").
out_of_turn(roll,"vote").
candidate(R,go)   :- decision(R,vote).
candidate(R,stay) :- decision(R,vote).
candidate(R,skip) :- decision(R,other).
candidate(chance,face(K)) :- decision(chance,roll), face(K).
%! rule vote.blocked -- Who is blocked does nothing.
%!   why       blocked
%!   standard  s
violates(R,go,"vote.blocked")   :- candidate(R,go), blocked(R).
violates(R,stay,"vote.blocked") :- candidate(R,stay), blocked(R).
lose(pile,1,vote) :- does(R,go), pile(N), N > 0, not several.
lose(pile,K,roll) :- does(chance,face(K)), pile(3).
several :- does(R,go), does(Q,go), R != Q.
goal(R,N) :- terminal, player(R), pile(N).
may_decide(R,vote) :- player(R), phase(vote).
may_decide(R,other) :- player(R), phase(vote).
may_decide(chance,roll) :- phase(vote).
"""
TOGETHER = "simultaneous(vote).\nparty(R,vote) :- player(R), phase(vote).\n"
ONE, ALL = "init(decision(R,vote)) :- last(R).", TOGETHER + "init(decision(R,vote)) :- player(R)."
ENDS = "enter(over) :- made(_,vote)."
SHAPES = {  # rules, and the numbers of sequences of length 0 to 3 by hand
    "stuck at once": (f"{ONE} init(blocked(R)) :- last(R). {ENDS}", [1, 0, 0, 0]),
    "stuck later": (
        f"{ONE} add(decision(Q,vote)) :- does(R,go), left(R,Q). add(blocked(Q)) :- does(R,go), left(R,Q)."
        "enter(over) :- does(_,stay).",
        [1, 2, 0, 0],
    ),
    "one stuck of two": (f"{ALL} init(blocked(R)) :- last(R). {ENDS}", [1, 0, 0, 0]),
    "the first stuck of two": (f"{ALL} init(blocked(R)) :- first(R). {ENDS}", [1, 0, 0, 0]),
    "all stuck": (f"{ALL} init(blocked(R)) :- player(R). {ENDS}", [1, 0, 0, 0]),
    "one stuck of two later": (
        f"{ALL} add(decision(R,vote)) :- does(R,go), several. add(blocked(R)) :- does(R,go), several, first(R)."
        "enter(over) :- does(_,stay).",
        [1, 4, 0, 0],
    ),
    "two together": (f"{ALL} {ENDS}", [1, 4, 0, 0]),
    "two together, twice": (
        f"{ALL} add(decision(R,vote)) :- player(R), several. enter(over) :- does(_,stay).",
        [1, 4, 4, 4],
    ),
    "chance alone": (
        "init(decision(chance,roll)). add(decision(R,vote)) :- does(chance,face(2)), last(R)."
        f"enter(over) :- does(chance,face(1)). {ENDS}",
        [1, 2, 2, 0],
    ),
    "chance again and again": (
        "init(decision(chance,roll)). add(decision(chance,roll)) :- does(chance,_).",
        [1, 2, 4, 8],
    ),
    "two decisions of one": (
        f"{ONE} init(decision(R,other)) :- last(R). {ENDS} enter(over) :- made(_,other).",
        None,
    ),
    "two who are not together": (f"init(decision(R,vote)) :- player(R). {ENDS}", None),
    "two with other decisions": (f"{ONE} init(decision(R,other)) :- first(R). {ENDS}", None),
    "nobody decides": (ENDS, [1, 0, 0, 0]),
    "nobody decides later": (f"{ONE} enter(over) :- does(_,go).", [1, 2, 0, 0]),
    "finished": (f"{ONE} {ENDS}", [1, 2, 0, 0]),
    "listed for others too": (
        f"{ONE} {ENDS} candidate(Q,go) :- decision(_,vote), player(Q). candidate(chance,face(1)) :- decision(_,vote).",
        [1, 2, 0, 0],
    ),
    "listed at other decisions": (
        f"{ALL} {ENDS} candidate(R,skip) :- decision(R,vote). candidate(R,face(1)) :- decision(R,vote).",
        [1, 4, 0, 0],
    ),
    "listed outside of a sort": (
        "init(decision(chance,roll)). candidate(chance,face(0..5)) :- decision(chance,roll)."
        " candidate(chance,face(high)) :- decision(chance,roll). candidate(chance,face(face(1))) :- decision(chance,roll)."
        " enter(over) :- does(chance,_).",
        [1, 2, 0, 0],
    ),
}


def written(shape: str, parent: Path, more: str = "") -> Path:
    """The folder of a rulebook with this shape."""
    rules = SHAPES[shape][0].replace(". ", ".\n").replace(".enter", ".\nenter")
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


@pytest.mark.sample(4)
@pytest.mark.parametrize("shape", SHAPES)
def test_all_ways_agree(shape: str, tmp_path: Path) -> None:
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
    played_ = [
        tried(lambda g=g: [*map(list, play_games(g.evaluator, 6, 3, jobs=1).points)]) for g in (game, other)
    ]
    played_.append(tried(lambda: [*map(list, batch.play(6, seed=3).points.tolist())]))
    assert played_[0] == played_[1] == played_[2]


def test_what_is_listed_otherwise_than_judged_ends_a_game_by_name(tmp_path: Path) -> None:
    """A rule that reads what else is in question: `lint` reports it, and `go` alone breaks it."""
    rules = f"{ONE}\n{ENDS}\nasked(A) :- candidate(_,A).\n"
    rules += 'violates(R,go,"vote") :- candidate(R,go), not asked(stay).\n'
    rules += 'violates(R,stay,"vote") :- candidate(R,stay).\n'
    game = kl.load(small_rulebook(tmp_path, "shape", RULES + rules))
    assert game.initial().legal() == {"green": ("go",)}
    match = Match(game)
    games: list[Callable[[], object]] = [
        *(partial(counts, game, 2, engine=engine) for engine in (*ENGINES, BATCH)),
        lambda: play_games(game.evaluator, 1, 3, jobs=1),
        lambda: game.batch().play(1, seed=3),
        lambda: match.do(*next(iter(random_actions(match.position, Random(1)).items()))),
    ]
    for play in games:
        with pytest.raises(
            kl.NotDecided, match=r"green: go is taken for legal, but it breaks vote when it is judged"
        ):
            play()
    assert not match.moves


QUERIES = (
    "pile(1)",
    "pile(2)",
    "blocked(R)",
    "phase(over)",
    "decision(R,vote), blocked(R), decision(Q,vote), Q != R",
    "not decision(_,_), phase(vote)",
    "count{R : decision(R,_)} = 2",
    "decision(chance,_), pile(N), N < 3",
)
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
@pytest.mark.parametrize("shape", SHAPES)
def test_searches_for_games_agree(shape: str, tmp_path: Path) -> None:
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
@pytest.mark.parametrize("shape", SHAPES)
def test_games_end_alike(shape: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`play` and `simulate`, by each engine, stop where somebody is stuck, and only there."""
    folder = written(shape, tmp_path)
    for seed in "123":
        code = main(["play", str(folder), "--random", "--seed", seed, "--moves", "5"])
        replay = Replay(parse_record(capsys.readouterr().out).with_rules(folder))
        replay.run()
        assert not replay.faults
        end = replay.here()
        assert code == (NOT_DECIDED if end.to_move and not all(end.legal().values()) else 0)
    outcomes = set()
    for engine in (*ENGINES, BATCH):
        code = main(
            ["simulate", str(folder), "--games", "4", "--jobs", "1", "--format", "json", "--engine", engine]
        )
        outcomes.add((code, capsys.readouterr().out))
    assert len(outcomes) == 1


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_proofs_do_not_accuse_the_encoding(shape: str, tmp_path: Path) -> None:
    """Where a role can be stuck `prove` says that a legal action may be missing, and never "not what the rules say"."""
    report = kl.load(written(shape, tmp_path)).prove(jobs=1)
    assert not [note for proof in report.proofs for note in proof.notes if "not what the rules" in note]
    if "stuck" in shape:
        assert {p.status for p in report.proofs if p.claim.startswith("legal action at vote")} <= {
            "falls",
            "undecided",
        }


UNBLOCKED = """%! invariant unblocked -- Nobody is blocked.
%!   why       somebody is blocked
broken(unblocked,R) :- blocked(R).
"""


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_nobody_is_proved_to_be_stuck_or_somebody_is(shape: str, tmp_path: Path) -> None:
    """That everybody who decides has a legal action is proved if and only if nobody is stuck in any game."""
    game = kl.load(written(shape, tmp_path, UNBLOCKED))
    stuck = any(
        not all(position.legal().values()) for _, position in shortest_games(game) if position.to_move
    )
    proofs = {proof.claim: proof.status for proof in game.prove(jobs=1).proofs}
    if (
        SHAPES[shape][1] is None
    ):  # several decisions that are not made together: nothing is proved of such games
        assert "proved" not in {proofs["unblocked"], proofs["legal action at vote"]}
        return
    assert (proofs["unblocked"] == "proved") is not ("stuck" in shape)
    assert {s for c, s in proofs.items() if c.startswith("legal action")} <= {"proved"} or stuck
    assert not stuck or proofs["legal action at vote"] != "proved"


@pytest.mark.slow
@pytest.mark.parametrize("shape", [shape for shape in SHAPES if "stuck" in shape])
def test_comparisons_do_not_accuse_the_encoding(
    shape: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A ruling that makes no difference: where somebody who has to decide is stuck, the others cannot act alone."""
    folder = written(
        shape,
        tmp_path,
        'violates(R,stay,"vote.blocked") :- candidate(R,stay), blocked(R), not blocked(R), ruling(guard,no).',
    )
    ruling = (
        '[rulings.guard]\nabout = "Whether so."\nvalues = { yes = "so", no = "not so" }\nstandard = "yes"\n'
    )
    with (folder / "game.toml").open("a", encoding="utf-8") as file:
        file.write(ruling)
    assert main(["compare", str(folder), "--editions", "standard,standard", "--other", "guard=no"]) == 0
    assert "no position tells them apart" in capsys.readouterr().out
