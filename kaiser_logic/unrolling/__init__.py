"""Unrolling: symbolic execution of steps from a given position over unknown moves.

Each step is grounded as in an evaluation, but some facts are open. The literals of open facts become Boolean functions of the
unknown choices. No predicate has time as an argument.

Its modules:

    circuit         Boolean functions of free choices in one control
    symbolic_state  symbolic states and their grounding; plans of fixed and free steps to an aim
"""
