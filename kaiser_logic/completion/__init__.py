"""``complete`` and ``check --view``: fill the gaps of records so that all rules are kept.

Its modules:

    symbolic_replay  one replay of a segment, over known and unknown moves: its gaps, its branches
    solutions        all ways to fill a segment, and where one that cannot be filled goes wrong
    complete         a whole record with its gaps; records in which what a role could not see is ``?``
    missing          whether before a move out of turn another's is missing
"""
