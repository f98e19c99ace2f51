"""Random games and countings, one position at a time or many at once.

Whoever plays, a game is the same for the same seed and number: the random numbers belong to the game, and what they
choose from is in one order. So a batch can be judged by the engine that plays game by game, and a game of a batch is
written down by playing it once more.

Its modules:

    stream      random numbers, a stream of its own for each game
    course      a random game, one position after the other, and its record
    playing     many of them, in child processes
    playouts    what random games have come to
    statistics  shares and means with intervals, and what a summary of random games says
    occurrences  how often each documented rule occurs in random games
    perft       sequences of decisions counted

many positions at once, with NumPy and llvmlite (docs/develop/adr/011-batches.md):

    batched     what a game can do with many positions: loaded when used
    batch       what is legal, what moves do, random games
    running     buckets run on rows of positions
    lanes       random games in lockstep, what circuits do not know one position at a time
    machine     buckets side by side: what is legal, what changes, what is chosen
    kernel      gates and turned bits, compiled by llvmlite
    streams     random numbers of many games at once
    moves       moves as numbers
    levels      sequences of decisions counted, whole levels at once
    population  positions of random games, and which of them have a property
    packed      positions as rows of words
    layout      which fact is which bit of a row
    thresholds  numbers beside the bits, compared with what never changes
    outcomes    how games end, found out once for all that end alike
    stock       the buckets of a game, taken from the cache or built when needed
    cache       buckets kept between runs
    folder      where that is
    buckets     what is known of a bucket, as plain data; its check
    building    a bucket's circuits made of the rules
    legality    what is legal, as outputs of a circuit
    doing       what is done, as inputs of a circuit
    naming      sets that actions name, as inputs of a circuit
    opening     a program ground over open facts, read into a circuit
    bits        boolean functions and sums
    gates       a circuit as a program of gates
"""
