"""Claims about positions, in the query language: ``never QUERY`` and ``some QUERY``.

``prove`` proves them by induction, with the game's invariants as lemmas. (Claims about moves are part of the rulebook:
:mod:`kaiser_logic.solving.moves`.)

Its modules:

    parse      reads claims from a command line, a file or a rulebook
    induction  finds the claims that are inductive, together with the invariants
    prove      tries claims in random games, and then proves them, after the invariants of the game
"""
