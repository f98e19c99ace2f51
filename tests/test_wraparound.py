"""Calculations beyond 32 bits are seen in the ground program, whatever form they have."""

from __future__ import annotations

import pytest

from kaiser_logic.clingo import ground
from kaiser_logic.wraparound import find_wraparound

BEYOND = """
d(70000). p(X*X) :- d(X).
d(f(70000)). p(X*X) :- d(Y), Y = f(X).
d(2147483647). p(X) :- d(Y), X = Y+1.
d(-2147483647). p(X) :- d(X+2).
d(1..3). p(X) :- X = #max { Y*Y*700000000 : d(Y) }.
d(1..4). p :- #sum { 700000000,X : d(X) } > 5.
d(1..3). p :- #sum { X*X*700000000 : d(X) } > 5.
d(a;b;c). p(X) :- X = #sum { 1000000000,f(Y) : d(Y) }.
p(X) :- X = #sum { 1000000000,a ; 1000000000,b ; 1000000000,c }.
s(1). p(X) :- X = #sum { 1000000000,g,f(1..5) : s(_) }.
s(5). p(X) :- X = #sum { 700000000+(1..N) : s(N) }.
s(5). p(X) :- X = #sum { 1000000000,N-(1..5) : s(N) }.
p(X) :- X = #sum { (2000000000;2000000001) }.
s(4000000). p(X) :- X = #sum+ { 1000,(1..N) : s(N) }.
d(1..5). s(6). p(X) :- X = #sum { 500000000,A,B : d(A), d(B), s(A+B) }.
d(1..5). s(0). p(X) :- X = #sum { 500000000,A : d(A), s(A/6) }.
d(1..5). s(1). p(X) :- X = #sum { 500000000,A : d(A), s(1..A) }.
d(1..5). s(1). p(X) :- X = #sum { 500000000,A,B : d(A), d(B), s((A;B)) }.
d(1,1). d(2,2). d(3,3). e(1..4). p(X) :- X = #sum { 200000000,A,B,C : d(A,B), e(C) }.
d(a;b). p :- #sum { 2147483645,a : d(a) ; 2,b : d(b) } <= 0.
d(a;b). p(X) :- X = #sum { 2147483646,a : d(a) ; 1,b : d(b) }.
d(3). p :- #sum { X : d(X) } <= 2147483645.
d(3). v(2147483647). p :- V = #sum { X : d(X) }, v(V).
d(2147483647). d(-1). p :- #max { X : d(X) } <= 2147483646.
d(2147483647). p(X) :- X = #max { Y : d(Y) }.
d(5). p :- #min { X : d(X) } > 2147483647.
d(5). p :- #count { X : d(X) } > 2147483647.
d(5). v(2147483647). p :- v(V), not #count { X : d(X) } > V.
d(5). { p(X) : d(X) } 2147483647.
p(0xFFFFFFFFF).
p(9999999999).
""".strip().splitlines()
WITHIN = """
d(40000). p(X*X) :- d(X).
d(1..3). p :- #sum { 700000000,X : d(X) } > 5.
d(f(7)). p(X*X) :- d(f(X)).
d(1..9). p(N+1) :- N = #count { X,Y : d(X), d(Y) }.
d(1..9). p(X-Y) :- d(X), d(Y), X < Y.
d(1..3,1..3). p(X) :- X = #sum { 200000000,A,B : d(A,B) }.
d(1,1). d(2,2). d(3,3). e(1..3). p(X) :- X = #sum { 200000000,A,B,C : d(A,B), e(C) }.
d(2147483647). d(-1). p :- #count { X : d(X) } <= 4.
d(2147483647). p(X) :- d(X), X > 7.
d(((2147483647,z);(1,z))). p(X) :- (X,_) = #max { Y : d(Y) }.
d("9999999999").
""".strip().splitlines()


@pytest.mark.parametrize("text", BEYOND)
def test_calculations_that_may_leave_32_bits_are_seen(text: str) -> None:
    control = ground(text, [])
    assert find_wraparound([text], control.symbolic_atoms) == text


@pytest.mark.parametrize("text", WITHIN)
def test_small_calculations_are_let_through(text: str) -> None:
    control = ground(text, [])
    assert find_wraparound([text], control.symbolic_atoms) is None
