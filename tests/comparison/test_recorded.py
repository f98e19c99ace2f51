"""A change of the rules is found in exactly those recorded games that meet it."""

import json
from pathlib import Path

import pytest
from support.heap_game import FOLDER, variant

from kaiser_logic.batch.playout import record
from kaiser_logic.comparison import recorded
from kaiser_logic.comparison.recorded import ENDS, ILLEGAL, LEADS, RuleChange, diff_rules, side
from kaiser_logic.errors import WrongUsage
from kaiser_logic.game import load
from kaiser_logic.notation.sources import read
from kaiser_logic.records.replay import Replay

GAMES = 30
HEAP = str(FOLDER)
FORBIDDEN = {
    'violates(R,take(K),"take.enough") :- candidate(R,take(K)), heap(N), not holds_at_least(K).': (
        'violates(R,take(K),"take.enough") :- candidate(R,take(K)), heap(N), not holds_at_least(K).\n'
        'violates(R,take(3),"take.enough") :- candidate(R,take(3)), heap(7).'
    )
}
"""Three stones may not be taken from seven."""
ELSEWHERE = {
    "add(decision(Q,take))        :- due(pass_on), took(R), left(R,Q), holds_at_least(1).": (
        "add(decision(Q,take))        :- due(pass_on), took(R), left(R,Q), holds_at_least(1), not heap(5).\n"
        "add(decision(R,take))        :- due(pass_on), took(R), heap(5)."
    )
}
"""Whoever leaves five stones takes once more."""


@pytest.fixture(scope="module")
def games(tmp_path_factory):
    """A folder with random games."""
    folder = tmp_path_factory.mktemp("games")
    evaluator = load(FOLDER, players=3).evaluator
    for number in range(GAMES):
        (folder / f"{number:03}.game").write_text(str(record(evaluator, 1, number)), encoding="utf-8")
    return folder


def heaps(path: Path) -> list[tuple[int, str]]:
    """The stones before each move of a game, with the move."""
    game, left, found = read(path), 12, []
    for move in game.moves:
        taken = int(str(move.action)[5:-1])
        found.append((left, str(move.action)))
        left -= taken
    return found


def changes_by_game(games: Path, other: Path, **options: object) -> dict[str, tuple[RuleChange, ...]]:
    """The changes that `diff_rules` finds in each game that has any."""
    found = list(diff_rules(HEAP, str(other), games, **options))
    assert [one.path for one in found] == [str(path) for path in sorted(games.iterdir())]
    assert not any(one.unreadable or one.stopped for one in found)
    return {Path(one.path or "").name: one.changes for one in found if one.changes}


@pytest.mark.sample(2)
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_forbidden_move_is_found_where_it_is_possible_and_nowhere_else(games, tmp_path, jobs):
    found = changes_by_game(games, variant(tmp_path, FORBIDDEN), jobs=jobs)
    met = {path.name: heaps(path) for path in sorted(games.iterdir()) if 7 in dict(heaps(path))}
    assert set(found) == set(met)
    assert 0 < len(met) < GAMES
    for name, changes in found.items():
        (change,) = changes
        moves = [left for left, _ in met[name]].index(7)
        played = met[name][moves][1] == "take(3)"
        assert (change.kind, change.moves, change.action) == (ILLEGAL, moves, "take(3)")
        assert (change.played, change.rule, change.count) == (played, "take.enough", 1)
        assert "heap(7)" in change.position


def test_without_listing_only_played_moves_are_compared(games, tmp_path):
    found = changes_by_game(games, variant(tmp_path, FORBIDDEN), listing=False)
    met = {path.name for path in games.iterdir() if (7, "take(3)") in heaps(path)}
    assert set(found) == met
    assert all(change.played for changes in found.values() for change in changes)


@pytest.mark.slow
def test_other_effects_and_other_results_are_found(games, tmp_path):
    found = changes_by_game(games, variant(tmp_path, ELSEWHERE))
    met = {path.name for path in games.iterdir() if 5 in dict(heaps(path))}
    assert set(found) == met
    assert {change.kind for changes in found.values() for change in changes} == {LEADS}
    assert all("decision(" in change.message for changes in found.values() for change in changes)
    ends = list(diff_rules(HEAP, f"{HEAP},last_stone=loses", games))
    assert [[change.kind for change in one.changes] for one in ends] == [[ENDS]] * GAMES
    assert all(one.reports is not None and not one.reports[0].faults for one in ends)


def test_the_same_rules_show_no_change(games):
    assert not any(one.changes for one in diff_rules(HEAP, HEAP, games))


def test_the_position_of_a_change_is_a_record_of_its_own(games, tmp_path):
    """Under the new rules the replay of this record finds the same fault."""
    one = next(o for o in diff_rules(HEAP, str(variant(tmp_path, FORBIDDEN)), games) if o.changes)
    assert one.path is not None
    found = recorded.position_record(read(one.path), side(HEAP), one.changes[0])
    assert not Replay.at(found.with_rules(FOLDER)).faults
    replay = Replay(found.with_rules(tmp_path / "heap"))
    replay.run()
    assert [fault.rule for fault in replay.faults] == ["take.enough"]


@pytest.mark.slow
def test_editions_of_a_game_are_compared_at_every_position():
    """Positions after the first difference are compared, too."""
    examples = Path(__file__).parents[2] / "examples" / "positions"
    path = examples / "last-resort-it.game"
    (one,) = diff_rules("it", "nl", path)
    assert [(c.kind, c.moves, c.rule) for c in one.changes] == [
        (LEADS, 0, ""),
        (ILLEGAL, 2, "election.enthrone.aristocrat"),
    ]
    lines = list(one.lines(("it", "nl")))
    assert lines[1].startswith(f"{path}@2: green: enthrone(elector(sachsen),25,baron) became illegal (the move played)")
    assert json.loads(json.dumps(one.as_json()))["changes"][1]["played"] is True


@pytest.mark.parametrize("text", ["nl,it", f"{HEAP},{HEAP}", "./nowhere"])
def test_text_that_names_no_rules_is_refused(text):
    with pytest.raises(WrongUsage):
        side(text)
