"""Calculations that leave 32 bits only in positions that no sample reaches: there clingo wraps around."""

from __future__ import annotations

from pathlib import Path

import pytest

from kaiser_logic.game import load

MANIFEST = """
id = "five"
title = "Five (for tests)"
roles = ["red"]
players = [1]
default_players = 1
files = ["rules"]

[editions]
standard = "as written"
"""
FIVE = """
c(1..5).
fluent(c(I,0..9)) :- c(I).
fluent(decision(R,turn)) :- player(R).
player(R) :- seat(R,_).
fluent(seat(R,I)) :- seat(R,I).
stated(c,2).
action(turn,up(I)) :- c(I).
action(turn,down(I)) :- c(I).
limit(stones(I),0,9) :- c(I).
counts(stones(I),c(I),N) :- c(I,N).
init(c(I,4)) :- c(I).
init(decision(R,turn)) :- player(R).
%! rule turn -- In turn a number becomes one larger or smaller.
%!   why       it is not {R}'s turn
%!   standard  T
out_of_turn(turn,"turn").
candidate(R,up(I)) :- decision(R,turn), c(I).
candidate(R,down(I)) :- decision(R,turn), c(I).
gain(c(I),1,up) :- does(R,up(I)).
lose(c(I),1,down) :- does(R,down(I)).
add(decision(R,turn)) :- made(R,turn).
%! rule top -- No number is more than nine.
%!   why       it is nine
%!   standard  T
violates(R,up(I),"top") :- candidate(R,up(I)), c(I,9).
%! rule bottom -- No number is less than nothing.
%!   why       it is nothing
%!   standard  T
violates(R,down(I),"bottom") :- candidate(R,down(I)), c(I,0).
%! invariant has -- Somebody decides, and each number is stated.
broken(has,x) :- not decision(_,turn).
broken(has,I) :- c(I), not c(I,_).
"""
PRODUCT = """
%! invariant small -- The product is small.
broken(small,x) :- c(1,A), c(2,B), c(3,C), c(4,D), c(5,E), A*B*C*D*E*36400 > 2147000000.
"""
SUM = """
w(1,500000000). w(2,500000000). w(3,500000000). w(4,500000000). w(5,147483648).
%! invariant small -- The sum is small.
broken(small,x) :- #sum { W,I : c(I,9), w(I,W) } > 2147483647.
"""


@pytest.mark.slow
@pytest.mark.parametrize("invariant", [PRODUCT, SUM], ids=["product", "sum"])
def test_an_invariant_that_breaks_beyond_32_bits_is_not_proved(invariant: str, tmp_path: Path) -> None:
    """It breaks where all five numbers are nine: 9 ** 5 * 36400 is 2149383600."""
    folder = tmp_path / "five"
    folder.mkdir()
    (folder / "game.toml").write_text(MANIFEST, encoding="utf-8")
    (folder / "rules.lp").write_text(FIVE + invariant, encoding="utf-8")
    game = load(folder)
    assert {p.claim: p.status for p in game.prove(jobs=1).proofs}["small"] != "proved"
