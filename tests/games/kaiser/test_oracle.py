"""Im Schatten des Kaisers: the rulebook compared with an independent implementation, decision by decision.

KAISER_LOGIC_RANDOM_GAMES=N plays N games.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from random import Random

import pytest
from games.kaiser.samples import Setting, played, ruled, setting
from oracles.kaiser import Kaiser
from support.played import game_at

from kaiser_logic.engine import symbols
from kaiser_logic.engine.grounding import Grounding
from kaiser_logic.engine.ruleset import tags_of
from kaiser_logic.evaluation.verdict import IllegalMove, InvalidPosition
from kaiser_logic.game import Game
from kaiser_logic.lang.unification import most_general
from kaiser_logic.notation.reading import build_record, parse_record
from kaiser_logic.notation.record import Item, Move, PositionBlock, Record
from kaiser_logic.notation.sources import read
from kaiser_logic.notation.syntax import parse_user_term
from kaiser_logic.position import Position
from kaiser_logic.records.checking import Report, check
from kaiser_logic.records.replay import Replay

GAMES = int(os.environ.get("KAISER_LOGIC_RANDOM_GAMES", "6"))
EXAMPLES = Path(__file__).parents[3] / "examples"
STARTED = sorted([*EXAMPLES.glob("worked/*.game"), *EXAMPLES.glob("positions/*.game")])

Played = list[tuple[Position, Mapping[str, Sequence[str]], Mapping[str, str]]]


@cache
def all_actions(game: Game) -> tuple[str, ...]:
    """All actions of the vocabulary."""
    seeds = {("decision", 2): [most_general(2)]}
    program = game.evaluator.ruleset.program("all_actions", lambda: seeds, [("action", 2)])
    found = (s.arguments[1] for s in Grounding(program, []).get("action", 2))
    return tuple(sorted({symbols.text(action) for action in found}))


def moves(game: Played) -> list[Move]:
    """The moves of a game; simultaneous ones in the order of the roles' names."""
    return [Move(role, parse_user_term(action)) for _, _, chosen in game for role, action in chosen.items()]


def record_of(game: Played, items: Sequence[Item], given: Setting) -> Record:
    """A record with these items and the board file of the game."""
    board = "board.lp" if given.spaces or given.colours else None
    tags = [*tags_of(game[0][0].ruleset, board), ("Result", "*")]
    result = game[-1][0].result()
    if result:
        tags[-1] = ("Result", " ".join(result.winners))
    return build_record(tags, items)


def checked(record: Record, folder: Path) -> Report:
    """The report of the record's text in the folder."""
    return check(parse_record(str(record), str(folder / "record.game")))


@pytest.mark.sample(6)
@pytest.mark.parametrize("seed", range(GAMES))
def test_games_agree_with_the_oracle(seed: int, tmp_path: Path) -> None:
    given, rng = setting(seed), Random(seed)
    game = list(played(given.game(tmp_path).initial(), given.oracle(), rng))
    for position, legal, _ in game:
        if rng.random() < 0.1:
            same = game_at(position).position(position.facts)
            assert same == position
            assert same.legal() == legal
    _judging_agrees(game, rng)
    _as_records(game, rng, given, tmp_path)


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("ruling", "kinds", "seed"),
    [
        ("doctor_successor=baron", ["buy doctor"], 6),
        ("idle_cards=forbidden", ["buy pope", "pass"], 2),
        ("trier_cards=any", ["buy pope", "privilege trier pope"], 8),
        ("koeln_rejuvenates=any", ["privilege koeln"], 10),
        ("influence_counts_gray=yes", ["buy gray_eminence", "buy church_influence", "buy rival"], 3),
        ("appoint_unsuitable=no", ["knight", "buy ordinance"], 2),
    ],
)
def test_single_rulings_agree_with_the_oracle(
    ruling: str, kinds: Sequence[str], seed: int, tmp_path: Path
) -> None:
    """Every decision of a game agrees in which the moves that a ruling concerns are frequent."""
    name, _, value = ruling.partition("=")
    given = ruled(seed, {name: value})
    prefer = dict.fromkeys(kinds, 5.0)
    assert list(played(given.game(tmp_path).initial(), given.oracle(), Random(seed), prefer=prefer))


def _judging_agrees(game: Played, rng: Random) -> None:
    """An action is judged legal if and only if it is among the legal actions."""
    for position, legal, _ in rng.sample(game, 20):
        for role, actions in legal.items():
            similar = {
                symbols.text(symbols.read_symbol(a)) for a in rng.sample(actions, min(2, len(actions)))
            }
            for action in {*rng.sample(all_actions(game_at(position)), 4), *similar}:
                assert position.is_legal(role, action) == (action in actions), (role, action)


def _as_records(game: Played, rng: Random, given: Setting, folder: Path) -> None:
    """A legal game passes the check. If one move is replaced by an illegal one, the check finds it, with reasons."""
    items = moves(game)
    report = checked(record_of(game, items, given), folder)
    assert report.ok, str(report)
    assert report.judged == len(items)
    for _ in range(4):
        at, role, wrong = _illegal_move(game, rng)
        faulty = record_of(game, [*items[:at], Move(role, parse_user_term(wrong)), *items[at + 1 :]], given)
        report = checked(faulty, folder)
        lines = str(faulty).splitlines()
        assert report.faults
        assert report.judged == at + 1
        for fault in report.faults:
            assert lines[fault.line - 1][fault.column - 1 :].startswith(f"{role}: {wrong}")
            assert fault.action == wrong
            assert report.final
            in_force = report.final.ruleset
            assert in_force.texts.statement(in_force.book.doc(fault.rule)) == fault.statement != ""
        rules = {fault.rule for fault in report.faults}
        assert report.final
        assert rules == {violation.rule for violation in report.final.why(role, wrong)}


def _illegal_move(game: Played, rng: Random) -> tuple[int, str, str]:
    """The number and role of a move, and an illegal action for it that mostly resembles the legal one."""
    number = 0
    numbered = []
    for position, legal, chosen in game:
        for role, action in chosen.items():
            numbered.append((number, position, legal, role, action))
            number += 1
    at, position, legal, role, action = rng.choice(numbered)
    all_ = all_actions(game_at(position))
    head = action.rpartition("(")[0] if rng.random() < 0.7 else ""
    wrong = [a for a in all_ if a not in legal[role] and a.startswith(head)]
    return at, role, rng.choice(wrong or [a for a in all_ if a not in legal[role]])


@pytest.mark.sample(3)
@pytest.mark.parametrize("path", STARTED, ids=lambda path: path.stem)
@pytest.mark.parametrize("seed", range(max(1, GAMES // 6)))
def test_rare_positions_agree_with_the_oracle(path: Path, seed: int) -> None:
    """From the positions of the examples, first with their moves, then at random."""
    record = read(path)
    assert isinstance(record.items[0], PositionBlock)
    position = Replay.at(record, 0).here()
    game = game_at(position)
    spaces = {
        (str(f.arguments[0]), str(f.arguments[1])): f.arguments[2].number
        for f in game.evaluator.ruleset.facts("spaces", 3)
    }
    colours = {str(f.arguments[0]): str(f.arguments[1]) for f in game.evaluator.ruleset.facts("colour", 2)}
    oracle = Kaiser.from_facts(position.facts, game.edition, game.options, spaces, colours)
    pending: dict[str, str] = {}
    for move in record.moves:
        assert position.facts == oracle.facts()
        assert position.legal() == oracle.legal()
        pending[move.role] = str(move.action)
        if len(pending) == len(position.to_move):
            position = position.apply(pending)
            oracle.apply(pending)
            pending = {}
    list(played(position, oracle, Random(seed), 20))
    other = Kaiser.from_facts(Replay.at(record, 0).here().facts, game.edition, game.options, spaces, colours)
    list(played(Replay.at(record, 0).here(), other, Random(seed), 20))


# -- other rules of the page --------------------------------------------------------------------------------


def test_boards_and_colours_agree_with_the_page(tmp_path: Path) -> None:
    given = Setting(("red", "green"), "green", "standard", {}, {("trier", "city"): 0}, {"doctor": "pink"})
    evaluator = given.game(tmp_path).evaluator
    oracle = given.oracle()
    spaces = {
        (str(f.arguments[0]), str(f.arguments[1])): f.arguments[2].number
        for f in evaluator.ruleset.facts("spaces", 3)
    }
    assert spaces == oracle.spaces
    assert {
        str(f.arguments[0]): str(f.arguments[1]) for f in evaluator.ruleset.facts("colour", 2)
    } == oracle.colours


def test_an_illegal_action_changes_nothing() -> None:
    position = setting(0).game(Path()).initial()
    (role,) = position.to_move
    with pytest.raises(IllegalMove) as caught:
        position.apply({role: "pass"})
    assert [v.rule for v in caught.value.violations] == ["actions.turn"]
    assert position == setting(0).game(Path()).initial()


def test_positions_need_seats() -> None:
    position = setting(0).game(Path()).initial()
    with pytest.raises(InvalidPosition, match="seats"):
        game_at(position).position(f for f in position.facts if not f.startswith("seat("))
