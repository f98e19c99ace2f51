"""Unrolling: steps from a given position over unknown moves.

Each step is grounded as in an evaluation, but some facts may or may not hold; what does not fold away becomes a Boolean
function of the unknown choices. Time is no argument of any predicate.

Its modules:

    circuit         Boolean functions of free choices in one control
    symbolic_state  positions after unknown moves, and the grounding behind them; steps fixed and free, the ways to an aim
"""
