"""Random games and countings, one position at a time or many at once.

Whoever plays, a game is the same for the same seed and number: the random numbers belong to the game, and what they
choose from is in one order. So a batch can be judged by the engine that plays game by game, and a game of a batch is
written down by playing it once more.

Its modules:

    playout      a random game, one position after the other, and its record; its random numbers
    playing      many of them, in child processes
    statistics   results of random games: shares and means with intervals
    occurrences  how often each documented rule occurs in random games
    perft        sequences of decisions counted

many positions at once, with NumPy and llvmlite (docs/develop/adr/011-batches.md):

    batched               loads the rest when a game first uses it
    folder                the folder in which circuits are stored
    batch                 what is legal, what moves do, random games
    packed                positions and moves as rows of numbers, and circuits run on them
    lanes                 random games in lockstep, and how they end
    vectorised            circuits run on arrays: what is legal, what changes, what is drawn
    kernel                gates and transposed bits, compiled by llvmlite
    levels                sequences of decisions counted, whole levels at once
    population            positions of random games, and which of them have a property
    layout                which fact is which bit of a row, and numbers beside the bits
    circuit_store         the circuits of a game, read from disk or built when needed
    transition_circuits   the circuits of a transition, as plain data; their check
    building              circuits made of the rules: what is done, what is legal, what changes
    set_inputs            sets that actions name, as inputs of a circuit
    ground_circuit        a program ground over open facts, read into a circuit
    bits                  Boolean functions and sums
    gates                 a circuit as a program of gates
"""
