"""``invariants``: what a rulebook does not state and yet holds in every position, proposed as lines for it.

Candidates are put together from the vocabulary, those that random games break are left out, and of the rest the largest
set is kept that is inductive together with the game's own invariants. What is printed has been proved by the ordinary
prover, in a copy of the rulebook.

Its modules:

    features      patterns of facts
    vocabulary    the features that a game's vocabulary has
    candidates    two features that exclude or imply one another, a number with a bound
    starts        all positions that a game can start from
    games         the positions of random games
    observations  which positions show a feature
    proposals     the candidates that no position breaks
    openings      candidates over an open position, and after a transition
    inductive     what is new, the largest inductive set, the shortest that says the same
    agreement     candidates are encoded as their lines say
    wording       candidates in words
    writing       candidates as documented lines
    acceptance    the lines in a copy of the rulebook, proved there
    report        what has been found
    miner         all of it, one after the other
"""
