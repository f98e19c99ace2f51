"""The rules that recorded games use, compared with a count by hand."""

import json
from pathlib import Path

import pytest
from support.heap_game import FOLDER, variant

from kaiser_logic.records.coverage import coverage


def games(folder: Path, texts: dict[str, list[int]]) -> Path:
    """Writes records of the heap game, given by name and numbers of stones taken. Returns the folder."""
    for name, taken in texts.items():
        roles = [("red", "green")[k % 2] for k in range(len(taken))]
        moves = "".join(f"{role}: take({n})\n" for role, n in zip(roles, taken, strict=True))
        (folder / f"{name}.game").write_text(f'[Game "heap"]\n\n{moves}', encoding="utf-8")
    return folder


@pytest.mark.parametrize("jobs", [1, 2])
def test_uses_agree_with_a_count_by_hand(tmp_path, jobs):
    folder = games(tmp_path, {"a": [3, 3], "b": [3, 3, 3, 2, 1]})
    found = coverage(FOLDER, folder, jobs=jobs)
    uses = {use.rule: use for use in found.rules}
    assert (uses["take"].applies, uses["take"].records, uses["take"].first) == (7, 2, f"{folder / 'a.game'}@1")
    enough = uses["take.enough"]
    assert (enough.forbids, enough.first) == (1, f"{folder / 'b.game'}@4"), (
        "with one stone left, the rule forbids moves"
    )
    assert uses["pass_on"].applies == 7
    assert uses["ending"].first == f"{folder / 'b.game'}@5"
    assert (uses["ending"].lines, uses["ending"].of) == (2, 4), (
        "the other two lines belong to the other value of the ruling"
    )
    assert sum("ruling(last_stone,loses)" in line for line in found.idle) == 2
    assert (found.actions, found.records, found.moves) == ({"take/1": 7}, 2, 7)
    assert not found.never
    assert found.uncounted == ("supply.stones",)
    assert json.loads(json.dumps(found.as_json()))["never"] == []


def test_decisions_in_equal_positions_are_decisions_of_their_own(tmp_path):
    waiting = {
        "add(due(pass_on))           :- made(_,take).": "add(due(pass_on)) :- does(_,take(_)).\n"
        "candidate(R,wait) :- decision(R,take). add(decision(R,take)) :- does(R,wait).\n"
        'violates(R,take(3),"take.enough") :- candidate(R,take(3)), heap(12).',
        "action(take,take(K))      :- amount(K).": "action(take,take(K)) :- amount(K). action(take,wait).",
    }
    folder = variant(tmp_path, waiting)
    (tmp_path / "a.game").write_text('[Game "heap"] red: wait red: wait red: take(1)', encoding="utf-8")
    found = coverage(folder, tmp_path / "a.game")
    assert {use.rule: use.forbids for use in found.rules}["take.enough"] == 3


def test_unused_rules_are_listed(tmp_path):
    found = coverage(FOLDER, games(tmp_path, {"a": [3, 3]}))
    assert found.never == ("take.enough", "ending")


def test_rules_for_auxiliary_predicates_are_counted(tmp_path):
    """A rule has an effect through another predicate."""
    old = "add(took(R))                 :- does(R,take(_))."
    new = (
        "add(took(R)) :- grabs(R).\n\n%! rule grab -- Whoever takes, grabs.\n%!   standard  x\n"
        "grabs(R) :- does(R,take(_))."
    )
    folder = variant(tmp_path, {old: new})
    (tmp_path / "games").mkdir()
    found = coverage(folder, games(tmp_path / "games", {"a": [3]}))
    assert {use.rule: use.applies for use in found.rules}["grab"] == 1


def test_faulty_foreign_and_unreadable_records(tmp_path):
    folder = games(tmp_path, {"a": [3, 4], "b": [3]})
    (folder / "c.game").write_text('[Game "kaiser"]\n', encoding="utf-8")
    (folder / "d.game").write_text("[Game", encoding="utf-8")
    found = coverage(FOLDER, folder)
    assert (found.records, found.moves, found.foreign, len(found.unreadable)) == (2, 2, 1, 1)
    assert "take(4)" in found.partial[0]
