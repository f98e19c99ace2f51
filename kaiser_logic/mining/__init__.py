"""``invariants``: proposes invariants that a rulebook does not state, as lines for the rulebook.

Candidates are built from the vocabulary. Those that random games break are dropped. Of the rest, the largest set that is
inductive together with the game's own invariants is kept. The ordinary prover has proved everything that is printed, in a
copy of the rulebook.

Its modules:

    candidates  features of a vocabulary; two that exclude or imply each other, a bound of a number; those that no position breaks
    queries     where candidates are tried: starts, positions of random games, an open position with a transition
    writing     candidates as sentences and as documented lines; the report
    miner       the largest inductive set, the shortest equivalent one; the whole search, and the proof in a copy of the rulebook
"""
