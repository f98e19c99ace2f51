"""``prove``: invariants are inductive, nobody is stuck, no sum exceeds its bound, the enumeration misses none.

One question for each transition, in child processes; no answer to it is the proof, an answer a counterexample.

Its modules:

    obligations     what must not be after a transition
    induction       one transition examined: from a valid position to one that breaks an invariant
    deadlock        whoever decides has a legal action
    bounds          no sum exceeds its stated bound
    counterexample  read from a model, and played again
    report          what the proofs of a run have found
    prover          all there is to prove for a game, asked in parallel
"""
