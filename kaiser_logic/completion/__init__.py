"""``complete`` and ``check --view``: fill the gaps of records so that all rules are kept.

Its modules:

    symbolic_replay  one replay of a segment, over known and unknown moves: its gaps, its branches
    complete         a record with its gaps: all ways to fill a segment; records in which what a role could not see is ``?``
    missing          whether before a move out of turn another's is missing
"""
