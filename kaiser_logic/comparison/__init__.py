"""``compare``: finds, for each ruling that differs, a position (with a move if needed) at which two editions diverge.

Its modules:

    scenarios    the scenarios that a ruling affects, and what is not compared
    divergence   the product program of two rule sets in a scenario: whether they diverge; compared with the plain engine
    differences  the results, and differences at the start or in the vocabulary
    compare      compares two editions, ruling by ruling; looks for divergences in random games
    recorded     compares recorded games under two rule sets
"""
