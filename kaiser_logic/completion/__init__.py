"""``complete`` and ``check --view``: the gaps of records, filled so that everything is as the rules want it.

Its modules:

    segment          what stands between two known positions, and why there may be no way over it
    branches         which of several ways a replay takes where a record leaves it open
    gap              a move that is to be filled in
    symbolic_replay  one replay of a segment, over known and unknown moves
    first_fault      where a segment that cannot be filled goes wrong
    fillings         all ways to fill a segment
    bridging         the moves between two positions that follow one another
    complete         a whole record with its gaps
    missing          whether before a move out of turn another's is missing
    view             records in which what a role could not see is ``?``
"""
