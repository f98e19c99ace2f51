"""``invariants``: proposes invariants that a rulebook does not state, as lines for the rulebook.

Candidates are built from the vocabulary. Candidates that a random game breaks are dropped. Of the rest, the largest set that
is inductive together with the game's own invariants is kept. Before they are printed, the ordinary prover proves the
proposed invariants in a copy of the rulebook.

Its modules:

    candidates  features of a vocabulary; candidates made of them; the candidates that no position breaks
    writing     candidates as sentences and as documented lines; the report
    miner       the search, and the proof of what it finds in a copy of the rulebook
"""
