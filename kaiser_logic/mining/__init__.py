"""``invariants``: proposes invariants that a rulebook does not state, as lines for it.

Candidates are put together from the vocabulary, those that random games break are left out, and of the rest the largest
set is kept that is inductive together with the game's own invariants. What is printed has been proved by the ordinary
prover, in a copy of the rulebook.

Its modules:

    candidates  features of a vocabulary; two that exclude or imply one another, a number with a bound; what no position breaks
    queries     where candidates are tried: starts, positions of random games, an open position and a transition out of it
    writing     candidates in words and as documented lines; the report
    miner       the largest inductive set, the shortest that says the same; the proof in a copy of the rulebook
"""
