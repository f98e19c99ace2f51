"""``compare``: for each ruling that differs a position, and a move if it needs one, on which two editions diverge.

Its modules:

    product     another edition's reading of the same open position, in the same program
    divergence  which scenarios a ruling concerns, and the question where two readings diverge
    compare     two editions, ruling by ruling
"""
