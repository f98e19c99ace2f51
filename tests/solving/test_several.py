"""Several act at the same time, and a rule is about more than one of their actions: all ways say what the rules do."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from support.thinned import thinned

from kaiser_logic.batch.optional import is_installed
from kaiser_logic.batch.perft import counts
from kaiser_logic.game import Game, load

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
    # never
    "add(mark) :- does(red,vote(1)), does(red,vote(2)).",
    "add(mark) :- does(red,A), does(green,B), A = vote(K), B = vote(J), K*J > 9.",
    "v(R,A) :- does(R,A). add(mark) :- v(R,vote(1)), not does(R,vote(1)).",
    # of two kinds
    f"{PASSING} add(mark) :- does(red,vote(1)), does(green,pass).",
    f"{PASSING} add(mark) :- does(red,A), does(green,pass), A != pass.",
    f"{PASSING} v(R,A) :- does(R,A). add(mark) :- does(red,pass), player(Q), Q != red, not v(Q,_).",
    f"{PASSING} v(R,A) :- does(R,A). add(mark) :- v(red,A), v(green,pass), A != pass.",
    f"{PASSING} add(mark) :- does(R,pass), not does(Q,pass), left(R,Q).",
)


def votes(folder: Path, rules: str) -> Game:
    """The game with these rules."""
    target = folder / "votes"
    target.mkdir()
    for file in FOLDER.iterdir():
        (target / file.name).write_text(file.read_text(encoding="utf-8"), encoding="utf-8")
    with (target / "all.lp").open("a", encoding="utf-8") as all_rules:
        all_rules.write(rules.replace(". ", ".\n") + "\n")
    return load(target)


@pytest.mark.slow
@pytest.mark.parametrize("rules", thinned(RULES, 2))
def test_a_proof_is_about_all_that_is_done(rules: str, tmp_path: Path) -> None:
    game = votes(tmp_path, rules)
    start = game.initial()
    legal = start.legal()
    pairs = [dict(zip(legal, actions, strict=True)) for actions in product(*legal.values())]
    marked = [pair for pair in pairs if "mark" in start.apply(pair).facts]
    (proof,) = (p for p in game.prove(["unmarked"]).proofs if p.claim == "unmarked")
    assert proof.status in ({"falls", "undecided"} if marked else {"proved", "undecided"})
    if "player(Q)" not in rules and "not does" not in rules and "A != pass" not in rules and "#" not in rules:
        assert proof.status != "undecided"


@pytest.mark.slow
@pytest.mark.skipif(not is_installed(), reason="NumPy and llvmlite")
@pytest.mark.parametrize("rules", thinned(RULES, 2))
def test_batches_are_about_all_that_is_done(rules: str, tmp_path: Path) -> None:
    game = votes(tmp_path, rules)
    start = game.initial()
    legal = start.legal()
    pairs = [dict(zip(legal, actions, strict=True)) for actions in product(*legal.values())]
    expected = [start.apply(pair) for pair in pairs]
    assert list(game.batch().apply([start] * len(pairs), pairs)) == expected
    assert counts(game, 2, engine="batch") == counts(game, 2)
