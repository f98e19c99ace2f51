"""What an open position may have: sorts, sets, transitions, invariants. :mod:`kaiser_logic.solving` encodes it.

Its modules:

    domains             the sorts of an open position: which fluents there can be, and up to where numbers run
    vocabulary_size     whether a vocabulary has too many facts to be listed
    open_sets           names that stand in for sets of things, whose parts the solver chooses
    transitions         a game's transitions: kinds of action decided together, steps
    invariants          a game's invariants, and which of them a ruling waives
"""
