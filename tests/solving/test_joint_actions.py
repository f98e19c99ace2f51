"""Rules about the actions of several roles at once have the same meaning in proofs, batches and the evaluation."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from support.thinned import thinned

from kaiser_logic.batch.optional import is_installed
from kaiser_logic.batch.perft import counts
from kaiser_logic.game import Game, load
from kaiser_logic.position import Position

pytestmark = pytest.mark.by_hand

FOLDER = Path(__file__).parents[1] / "support" / "votes"

PASSING = """action(vote,pass).
candidate(R,pass) :- decision(R,vote)."""
RULES = (
    "add(mark) :- does(red,vote(1)), does(green,vote(2)).",
    "add(mark) :- does(R,vote(1)), does(Q,vote(2)), left(R,Q).",
    "add(mark) :- does(red,vote(K)), does(green,vote(J)), J = K+2.",
    "add(mark) :- does(red,A), does(green,B), A != B, A != vote(1), B != vote(1).",
    "add(mark) :- does(red,vote(1)), not does(green,vote(1)).",
    "add(mark) :- does(red,A), not does(green,A).",
    "add(mark) :- does(_,vote(3)), does(_,vote(1)).",
    "v(A) :- does(_,A). add(mark) :- v(vote(1)), v(vote(2)).",
    "v(A) :- does(red,A). add(mark) :- does(green,A), not v(A).",
    "v(A) :- does(red,A). add(mark) :- does(green,A), v(A).",
    "v(R,A) :- does(R,A). add(mark) :- v(green,vote(3)), v(red,vote(1)).",
    "v(R,A) :- does(Q,A), left(Q,R). add(mark) :- v(green,vote(3)), does(green,vote(1)).",
    "v(R,A) :- does(Q,A), left(Q,R). v(R,A) :- does(R,A). add(mark) :- v(red,vote(3)), v(red,vote(1)).",
    "v(R,A) :- does(R,A). add(mark) :- does(red,A), does(green,_), not v(green,A).",
    "v(K) :- does(_,vote(K)). add(mark) :- #count{ K : v(K) } > 1.",
    "add(mark) :- #count{ R : does(R,vote(2)) } > 1.",
    "add(mark) :- does(red,vote(K)), does(green,vote(K)), K > 2.",
    "add(mark) :- does(R,vote(K)), does(Q,vote(K)), R != Q, K < 2.",
    # these never apply
    "add(mark) :- does(red,vote(1)), does(red,vote(2)).",
    "add(mark) :- does(red,A), does(green,B), A = vote(K), B = vote(J), K*J > 9.",
    "v(R,A) :- does(R,A). add(mark) :- v(R,vote(1)), not does(R,vote(1)).",
    # with two kinds of action
    f"{PASSING} add(mark) :- does(red,vote(1)), does(green,pass).",
    f"{PASSING} add(mark) :- does(red,A), does(green,pass), A != pass.",
    f"{PASSING} v(R,A) :- does(R,A). add(mark) :- does(red,pass), player(Q), Q != red, not v(Q,_).",
    f"{PASSING} v(R,A) :- does(R,A). add(mark) :- v(red,A), v(green,pass), A != pass.",
    f"{PASSING} add(mark) :- does(R,pass), not does(Q,pass), left(R,Q).",
)


def votes(folder: Path, rules: str) -> Game:
    """The game of simultaneous votes with these rules."""
    target = folder / "votes"
    target.mkdir()
    for file in FOLDER.iterdir():
        (target / file.name).write_text(file.read_text(encoding="utf-8"), encoding="utf-8")
    with (target / "all.lp").open("a", encoding="utf-8") as all_rules:
        all_rules.write(rules.replace(". ", ".\n") + "\n")
    return load(target)


def joint_actions(position: Position) -> list[dict[str, str]]:
    """All combinations of legal actions of the roles that decide."""
    legal = position.legal()
    return [dict(zip(legal, actions, strict=True)) for actions in product(*legal.values())]


@pytest.mark.slow
@pytest.mark.parametrize("rules", thinned(RULES, 2))
def test_proofs_examine_all_joint_actions(rules: str, tmp_path: Path) -> None:
    game = votes(tmp_path, rules)
    start = game.initial()
    marked = any("mark" in start.apply(actions).facts for actions in joint_actions(start))
    (proof,) = (p for p in game.prove(["unmarked"]).proofs if p.claim == "unmarked")
    assert proof.status in ({"falls", "undecided"} if marked else {"proved", "undecided"})
    if "player(Q)" not in rules and "not does" not in rules and "A != pass" not in rules and "#" not in rules:
        assert proof.status != "undecided"


@pytest.mark.slow
@pytest.mark.skipif(not is_installed(), reason="NumPy and llvmlite")
@pytest.mark.parametrize("rules", thinned(RULES, 2))
def test_batches_apply_all_joint_actions(rules: str, tmp_path: Path) -> None:
    game = votes(tmp_path, rules)
    start = game.initial()
    joint = joint_actions(start)
    expected = [start.apply(actions) for actions in joint]
    assert list(game.batch().apply([start] * len(joint), joint)) == expected
    assert counts(game, 2, engine="batch") == counts(game, 2)
