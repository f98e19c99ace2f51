"""Open positions as logic programs, and what is proved of them.

Modules, each of which knows only those above it; each says why what it does is right:

    build        rules as values: short ways to write them
    functional   constraints for the solver: a sum has one value
    program      a program that is grounded part by part: rules are printed here alone
    theory       what is read of the rules in force: rules in normal form, kinds of action, transitions
    vocabulary   which facts there can be, the values of counters, what measures count
    totals       totals of what is conserved: place invariants, first loose, then exact
    split        long rules in parts, so that less of them is grounded
    specialise   the rules for one way to act, whose arguments are chosen one by one
    encoder      an open position, what is done in it, the next position
    numbers      when an open position, where numbers without a limit run to a bound, stands for all
    goals        what is claimed of a transition
    models       what a model says: a position, and what is done in it
    moves        claims about moves as the plain engine judges them
    check        every encoding is compared with the plain engine
    runs         a run, an action and steps after it, compared with the plain engine
    positions    what is claimed of positions alone
    prover       every claim of every transition, within a budget of conflicts
    report       what proofs have found: claims, verdicts, counterexamples
    whole        all rules at once, as they stand: the referee of the programs that are cut out of them
    games        random games: what they break, positions and moves to compare encodings with
    questions    questions as they go to other processes, and their answers
    proof_cache  what was proved before
    rounds       all claims, with fewer and fewer invariants assumed until nothing is lost
    extra        invariants that stand in no rulebook
"""
