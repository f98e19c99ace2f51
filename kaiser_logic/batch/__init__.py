"""Random games and countings, one position at a time or many at once.

Whoever plays, a game is the same for the same seed and number: the random numbers belong to the game, and what they
choose from is in one order. So a batch can be judged by the engine that plays game by game, and a game of a batch is
written down by playing it once more.

Its modules:

    playout              a random game, one position after the other, and its record; its random numbers
    playing              many of them, in child processes: results with intervals, how often each documented rule occurs
    perft                sequences of decisions counted

many positions at once, with NumPy and llvmlite (docs/develop/adr/011-batches.md):

    batched              loads the rest when a game first uses it
    folder               the folder in which circuits are stored
    batch                what is legal, what moves do, random games; sequences of decisions counted
    packed               positions and moves as rows of numbers, and circuits run on them
    lanes                random games in lockstep, and how they end
    vectorised           circuits run on arrays: what is legal, what changes, what is drawn
    kernel               gates and transposed bits, compiled by llvmlite
    population           positions of random games, and which of them have a property
    layout               which fact is which bit of a row, and numbers beside the bits
    circuit_store        the circuits of a game, read from disk or built when needed
    transition_circuits  the circuits of a transition, as plain data; their check; sets that actions name as inputs
    building             circuits made of the rules: what is done, what is legal, what changes
    bits                 Boolean functions and sums
    gates                a ground program as a circuit, a circuit as a program of gates
"""
