"""Encodings of open positions as logic programs, and proofs about them.

Its modules. Each imports only modules above it, and says at its head why it is right:

    build        short functions that build rules
    functional   functional dependencies: a sum has one value
    program      a program that is grounded in parts, the only module that gives rules to clingo
    theory       the rules in normal form, the kinds of action, the transitions
    vocabulary   the facts that a position may have, the values of counters, what measures count
    totals       place invariants: the totals of measures, loose or exact
    split        long rules are split, so that less is grounded
    specialise   operator splitting: the rules for one action schema, whose arguments are chosen one by one
    encoder      an open position, the actions, the next position
    numbers      when a position with numbers up to a bound stands for positions with any numbers
    goals        the claims about a transition
    models       a position and its actions, read from a model
    moves        claims about moves, as the plain engine judges them
    check        every encoding is compared with the plain engine
    runs         an action and the steps after it are compared with the plain engine
    positions    the claims about positions
    prover       decides every claim of every transition, within a budget of conflicts
    report       the verdicts, with counterexamples
    whole        all rules uncut, with which sliced programs are compared
    games        random games: claims that they refute, samples for comparisons
    questions    questions for other processes, and their answers
    proof_cache  proofs of earlier runs, kept on disk
    rounds       proves all claims; each round assumes fewer invariants, until none is lost
    inductive    which of many candidates are inductive together, by cheap questions
    extra        extra invariants, which are in no rulebook
"""
