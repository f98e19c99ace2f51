"""``prove``: invariants are inductive, nobody is stuck, no sum exceeds its bound, the enumeration misses none.

One question for each transition, in child processes; no answer to it is the proof, an answer a counterexample.

Its modules:

    obligations     what must not be after a transition
    question        the questions about one transition, written
    together        all of them put to one program, one after the other
    induction       one transition examined: from a valid position to one that breaks an invariant
    finding         what was found about a transition
    listing         whether the enumeration lists the action that is done, also of a kind with too many to list
    stages          a hard question about an enumeration, asked stage by stage
    demands         what may be missing on the way to an answer
    lesser          programs that exclude less
    twins           one predicate for two that have the same rules
    deadlock        whoever decides has a legal action
    bounds          no sum exceeds its stated bound
    pending         all that is pending at once is part of one transition
    numbers         when numbers up to a bound stand for all
    sample          random games: what they break, and positions and moves to check encodings with
    deciding        of which kind an action is
    seeking         positions of the solver's own, from a question's program
    pairs           pairs of a position and what is done in it by the plain engine, to check encodings with
    selfcheck       each encoded transition compared with the evaluate reading
    runs            an action and steps after it compared with the evaluate reading: for questions that are no proofs
    whole           all rules at once, as they stand: the referee of the programs that are cut out of them
    fixed           a program in which a position and what is done in it are fixed
    checked         a question's program in which a position and a move are fixed
    moves           claims about moves: the rules that say them, and what they read of the position after
    movecheck       what claims about moves say, compared with the evaluate reading
    kept            what has been proved before, and what that depends on
    unchanged       the same where no rule at all has changed: found without writing a question
    tasks           a question to be asked, and the claims that depend on it
    extra           invariants that stand in no rulebook
    ready           what all questions need, made once
    dropping        invariants that are not proved: what holds without them
    counterexample  read from a model, and played again
    report          what the proofs of a run have found
    prover          all there is to prove for a game, asked in parallel
"""
