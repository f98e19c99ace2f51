"""``compare``: finds, for each ruling that differs, a position (and a move if needed) on which two editions diverge.

Its modules:

    rulings      which rules ask for a ruling otherwise than by a plain literal
    scenarios    which scenarios a ruling concerns, and what is not looked at
    divergence   the question where two readings diverge in a scenario
    agreement    whether the program of both readings says what the rules say
    in_games     where they part in random games
    differences  differences told, and those before any position: the start, what there can be
    compare      two editions, ruling by ruling
    recorded     recorded games under two sets of rules
"""
