"""Random games and counts of positions, one position at a time or many at once.

A game with the same seed and number is the same with either engine: each game has its own random numbers, and they choose
from actions in a fixed order. So tests can compare a batch with the engine for one position. To write the record of a game
of a batch, the game is played again.

Its modules:

    playout              a random game, one position after the other, and its record; its random numbers
    playing              many random games, in child processes: results with intervals, how often each documented rule occurs
    perft                counts sequences of decisions

Many positions at once, with NumPy and llvmlite (docs/develop/adr/011-batches.md):

    origin               whether a position is reachable, by random games where they are worth it
    optional             loads the other modules when a game first uses them
    circuit_files        the entries of the cache for circuits
    batch                what is legal, what moves do, random games, counts of sequences of decisions
    packed               positions and moves as rows of numbers, and circuits run on them
    lanes                random games in lockstep, and how they end
    vectorised           circuits run on arrays: what is legal, what changes, what is drawn
    kernel               gates and transposed bits, compiled by llvmlite
    population           positions of random games, and which of them have a property
    level_search         all positions of games of limited length, the nearest first
    layout               the bit of each fact in a row, and the numbers beside the bits
    circuit_store        the circuits of a game, read from disk or built when needed
    transition_circuits  the circuits of a transition, as plain data; their check; sets that actions name as inputs
    building             builds the circuits from the rules: what is done, what is legal, what changes
    bits                 Boolean functions and sums
    gates                a ground program as a circuit, a circuit as a program of gates
"""
