"""``compare``: finds, for each ruling that differs, a position (with a move if needed) at which two editions diverge.

Its modules:

    rulings      finds rules that read a ruling other than by a plain literal
    scenarios    the scenarios that a ruling affects, and what is not compared
    divergence   the product program of two rule sets in a scenario: whether they diverge
    agreement    compares that program with the plain engine
    in_games     looks for divergences in random games
    differences  the results, and differences at the start or in the vocabulary
    compare      compares two editions, ruling by ruling
    recorded     compares recorded games under two rule sets
"""
