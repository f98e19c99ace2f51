"""The four rulebooks beside the independent implementations: all facts, actions, verdicts and results at every decision.

KAISER_LOGIC_RANDOM_GAMES is the number of games of each sort; by default there are few, and they are not finished.
"""

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest
from games.positions import GAMES, HERE
from games.readings import readings
from games.tables import lines_of
from support import EXAMPLES
from support.independent import independent

from kaiser_logic.engine import symbols
from kaiser_logic.engine.compiled import derive
from kaiser_logic.game import Game, game_under, load
from kaiser_logic.notation.record import PositionBlock
from kaiser_logic.notation.sources import read
from kaiser_logic.position import Position
from kaiser_logic.records.replay import Replay
from kaiser_logic.rules.loader import rulebook
from kaiser_logic.solving.moves import MoveClaims, claiming

COUNT = int(os.environ.get("KAISER_LOGIC_RANDOM_GAMES", "4"))
LENGTH = 3000 if COUNT >= 20 else 30


def any_game(name: str, rng: Random, folder: Path | None = None, options: Mapping[str, str] | None = None) -> Game:
    """Any seats, edition and rulings; with a folder, one of the boards that the table of boards accepts."""
    book = rulebook(name)
    rulings = {n: rng.choice([*r.values]) for n, r in book.rulings.items() if rng.random() < 0.3}
    edition = rng.choice([*book.editions])
    players, file = rng.choice(book.manifest["players"]), None
    if folder is not None:
        rows = [row.split("|") for row in lines_of(HERE / name / "boards.cases")]
        rows = [row for row in rows if row[1].strip() and row[2].strip()[0] == "."]
        (number, text, _) = rng.choice(rows)
        players, file = int(number), folder / "board.lp"
        file.write_text(text, encoding="utf-8")
    seats = rng.sample(book.roles, players)
    chosen = rulings if options is None else options
    return load(name, edition=edition, options=chosen, seats=seats, board=file)


def games(game: Game, rng: Random, limit: int = 3000) -> Iterator[tuple[frozenset[str], Any, Any]]:
    """The decisions of a random game of the independent implementation."""
    yield from independent(game.initial()).random_game(rng, limit)


def reached(game: Game, rng: Random) -> Position:
    """A position of a random game, mostly after the set-up."""
    course = [facts for facts, _, _ in games(game, rng, 250)]
    return game.position(rng.choice(course[len(course) // 3 :]))


def disturbed(position: Position, rng: Random, tries: int = 25) -> Position:
    """The position with facts changed, as long as it stays valid. Random games hardly reach crowded or empty boards."""
    facts = position.symbols
    for _ in range(tries):
        old = rng.choice(sorted(facts))
        like = sorted(f for f in facts if f.match(old.name, len(old.arguments)) and f != old)
        words = re.split(r"(\w+)", symbols.text(old))
        places = [i for i in range(3, len(words), 2)]
        if not places:
            continue
        place = rng.choice(places)
        if words[place].isdigit() and rng.random() < 0.6:
            words[place] = str(max(0, int(words[place]) + rng.choice((-2, -1, 1, 2))))
        elif like:
            other = re.split(r"(\w+)", symbols.text(rng.choice(like)))
            words[place] = other[place] if len(other) == len(words) else words[place]
        new = symbols.read_symbol("".join(words))
        changed = (facts - {old} if rng.random() < 0.7 else facts) | {new}
        if old.name not in {"seat", "place", "decision"} and not position.evaluator.broken_invariants(
            frozenset(changed)
        ):
            facts = frozenset(changed)
    return Position(position.evaluator, facts)


def near(rng: Random, action: str, seen: list[str]) -> str:
    """The action with a word of another one of its kind in the place of its own."""
    words = re.split(r"(\w+)", action)
    alike = [
        w for w in (re.split(r"(\w+)", a) for a in seen) if w[::2] == words[::2] and w[1] == words[1]
    ]  # actions of the same form: a name never stands before a bracket in the place of a number
    if alike and len(words) > 3:
        place = rng.randrange(3, len(words), 2)
        words[place] = rng.choice(alike)[place]
    return "".join(words)


def broken_between_steps(position: Position, actions: Mapping[str, str]) -> set[str]:
    """The invariants that are broken after the actions while automatic steps are due, without those that are waived."""
    evaluator = position.evaluator
    judged = evaluator.judge(position.symbols, {r: symbols.read_symbol(a) for r, a in actions.items()})
    facts = (position.symbols - frozenset(judged.deleted)).union(judged.added)
    waived = {str(s.arguments[0]) for s in evaluator.ruleset.facts("waived", 1)}
    broken: set[str] = set()
    while any(s.name == "due" for s in facts):
        broken |= {invariant for invariant, _ in evaluator.broken_invariants(facts, waive=False)} - waived
        facts = evaluator.step(facts)
    return broken


def compare(position: Position, rng: Random, limit: int, sound: bool = True) -> Position:
    """Plays on at random and compares everything at each decision. ``sound``: the positions occur in games."""
    oracle = independent(position)
    seen: list[str] = []
    for facts, choices, chosen in oracle.random_game(rng, limit):
        assert position.facts == facts
        assert position.legal() == {role: tuple(sorted(actions)) for role, actions in choices.items()}
        assert position.result() is None
        if "chance" in choices and oracle.weights():
            assert position.weights() == oracle.weights()
        for role, actions in choices.items():
            seen += rng.sample(actions, min(3, len(actions)))
            for action in {near(rng, rng.choice(actions), seen), rng.choice(seen)} if actions else ():
                assert position.is_legal(role, action) == (action in actions), (role, action)
        if rng.random() < 0.15:
            _compare_more(position, oracle, chosen, sound)
        position = position.apply(chosen)
    assert position.facts == oracle.facts()
    result, expected = position.result(), oracle.result()
    assert (result and (dict(result.points), result.winners)) == expected
    return position


def _compare_more(position: Position, oracle: Any, chosen: Mapping[str, str], sound: bool) -> None:
    """The position can be built anew, steps keep the invariants, and views and exported predicates agree."""
    if sound:
        assert game_under(position.ruleset.configuration).position(position.facts) == position
        assert not broken_between_steps(position, chosen)
    if hasattr(oracle, "view"):
        for role in (*position.ruleset.seats, "public", "chance"):
            assert position.view(role) == oracle.view(role)
    expected = readings(position.ruleset.id, oracle)
    wanted = sorted(expected)
    program = position.ruleset.program(f"exports {wanted}", lambda: {}, wanted)  # cached under this name
    exports = derive(program, position.symbols)
    assert {name: {symbols.text(fact) for fact in exports.get(*name)} for name in expected} == expected


# kaiser and krone are quick, so that some of their games are among the usual tests
NAMED = [pytest.param(n, marks=pytest.mark.long if n in {"staufer", "vive"} else ()) for n in GAMES]


@pytest.mark.sample(4)
@pytest.mark.parametrize("seed", range(COUNT))
@pytest.mark.parametrize("name", NAMED)
def test_games_agree_from_the_start(name, seed):
    rng = Random(seed)
    game = any_game(name, rng)
    initial = game.initial()
    assert initial.facts == independent(initial, start=True).facts()
    compare(initial, rng, 120 if LENGTH < 100 and name in {"kaiser", "krone"} else LENGTH)


@pytest.mark.sample(4, 2)
@pytest.mark.parametrize("seed", range(2 * COUNT))
@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize("sound", [True, False], ids=["of games", "disturbed"])
def test_positions_agree(name, seed, sound):
    rng = Random(seed)
    game = any_game(name, rng)
    position = reached(game, rng)
    compare(position if sound else disturbed(position, rng), rng, 25, sound=sound)


@pytest.mark.slow
@pytest.mark.by_hand
@pytest.mark.parametrize("seed", range(COUNT))
@pytest.mark.parametrize("name", ["kaiser", *NAMED[2:]])
def test_other_boards_agree(name, seed, tmp_path):
    rng = Random(seed)
    game = any_game(name, rng, tmp_path)
    compare(reached(game, rng), rng, 40)


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_whole_games_agree(name):
    game = any_game(name, Random(7))
    assert compare(game.initial(), Random(7), 3000).result()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(COUNT))
@pytest.mark.parametrize("name", ["kaiser", "krone"])
def test_moves_and_steps_keep_the_claims(name, seed):
    """A claim that a game breaks is false, and so is a rule of which it is the other wording."""
    rng = Random(seed)
    game = any_game(name, rng)
    for facts, _, chosen in games(game, rng, 120):
        assert broken_claims(game.position(facts), chosen) == []


def broken_claims(position: Position, actions: Mapping[str, str]) -> list[tuple[str, str]]:
    """The claims about moves that the actions break, or a step that is due after them."""
    evaluator = claiming(position.evaluator)
    claims = evaluator.ruleset.remember("claims in games", lambda: MoveClaims(evaluator))
    assert claims.docs
    given = tuple((role, symbols.read_symbol(action)) for role, action in actions.items())
    judged = evaluator.judge(position.symbols, dict(given))
    facts = (position.symbols - frozenset(judged.deleted)).union(judged.added)
    broken = claims.wrong(position.symbols, given, facts)
    while any(s.name == "due" for s in facts):
        before, facts = facts, evaluator.step(facts)
        broken += claims.wrong(before, (), facts)
    return broken


RULED = [(n, r, v) for n in GAMES for r, ruling in rulebook(n).rulings.items() if r != "limit" for v in ruling.values]


@pytest.mark.long
@pytest.mark.parametrize(("name", "ruling", "value"), RULED)
def test_each_ruling_agrees(name, ruling, value):
    rng = Random(f"{ruling} {value}")
    game = any_game(name, rng, options={ruling: value})
    for _ in range(max(1, COUNT // 4)):
        compare(reached(game, rng), rng, 25)


PREFERRED = [
    ("doctor_successor=baron", ["buy doctor"], 6),
    ("idle_cards=forbidden", ["buy pope", "pass"], 2),
    ("trier_cards=any", ["buy pope", "privilege trier pope"], 8),
    ("koeln_rejuvenates=any", ["privilege koeln"], 10),
    ("influence_counts_gray=yes", ["buy gray_eminence", "buy church_influence", "buy rival"], 3),
    ("appoint_unsuitable=no", ["knight", "buy ordinance"], 2),
]
"""Rulings of kaiser, the kinds of actions that they concern, and a seed by which the ruling decides something."""


@pytest.mark.sample(4)
@pytest.mark.parametrize(("ruling", "kinds", "seed"), PREFERRED)
def test_rulings_of_kaiser_agree_where_their_moves_are_frequent(ruling, kinds, seed):
    name, _, value = ruling.partition("=")
    rng = Random(seed)
    game = any_game("kaiser", rng, options={name: value})
    position = game.initial()
    oracle, prefer = independent(position), dict.fromkeys(kinds, 5.0)
    for facts, choices, chosen in oracle.random_game(rng, 2000, prefer):
        assert position.facts == facts
        assert position.legal() == choices
        position = position.apply(chosen)
    assert position.facts == oracle.facts()


STARTED = sorted([*EXAMPLES.glob("worked/*.game"), *EXAMPLES.glob("positions/*.game")])


@pytest.mark.sample(6, 2)
@pytest.mark.parametrize("path", STARTED, ids=lambda path: path.stem)
def test_games_from_the_positions_of_examples_agree(path):
    """First with their moves, then at random."""
    record = read(path)
    assert isinstance(record.items[0], PositionBlock)
    position = Replay.at(record, 0).here()
    compare(position, Random(0), 20)
    oracle = independent(position)
    pending: dict[str, str] = {}
    for move in record.moves:
        assert position.facts == oracle.facts()
        assert position.legal() == oracle.legal()
        pending[move.role] = str(move.action)
        if len(pending) == len(position.to_move):
            position = position.apply(pending)
            oracle.apply(pending)
            pending = {}
    compare(position, Random(0), 20)
