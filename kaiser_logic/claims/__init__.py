"""Claims about positions, in the query language: ``never QUERY`` and ``some QUERY``.

``prove`` proves them by induction, with the game's invariants as lemmas. (Claims about moves stand beside the rules:
:mod:`kaiser_logic.solving.moves`.)

Its modules:

    parse      claims read: from a command line, a file, a rulebook
    induction  which claims are inductive, together with the invariants
    prove      each claim is first tried in random games; what is left is proved after the game's own proofs
"""
