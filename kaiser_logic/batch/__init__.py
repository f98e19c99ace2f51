"""Random games and countings, one position at a time or many at once.

Whoever plays, a game is the same for the same seed and number: the random numbers belong to the game, and what they
choose from is in one order. So a batch can be judged by the engine that plays game by game, and a game of a batch is
written down by playing it once more.

Its modules:

    course       a random game, one position after the other, and its record; its random numbers
    playing      many of them, in child processes
    statistics   what random games have come to: shares and means with intervals
    occurrences  how often each documented rule occurs in random games
    perft        sequences of decisions counted

many positions at once, with NumPy and llvmlite (docs/develop/adr/011-batches.md):

    batched      what a game can do with many positions: loaded when used
    folder       where circuits are kept
    batch        what is legal, what moves do, random games
    packed       positions and moves as rows of numbers, and buckets run on them
    lanes        random games in lockstep, and how they end
    machine      buckets side by side: what is legal, what changes, what is chosen
    kernel       gates and turned bits, compiled by llvmlite
    levels       sequences of decisions counted, whole levels at once
    population   positions of random games, and which of them have a property
    layout       which fact is which bit of a row, and numbers beside the bits
    stock        the buckets of a game, taken from disk or built when needed
    buckets      what is known of a bucket, as plain data; its check
    building     a bucket's circuits made of the rules: what is done, what is legal, what changes
    naming       sets that actions name, as inputs of a circuit
    opening      a program ground over open facts, read into a circuit
    bits         boolean functions and sums
    gates        a circuit as a program of gates
"""
