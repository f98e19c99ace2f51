"""``complete`` and ``check --view``: fill the gaps of records so that all rules are kept.

Its modules:

    symbolic_replay  one replay of a segment, over known and unknown moves: its gaps and branches
    complete         all ways to fill the gaps of a record; records in which ``?`` stands for what a role did not see
    missing          guesses which move is missing before a move out of turn
"""
