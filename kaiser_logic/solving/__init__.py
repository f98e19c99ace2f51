"""Open positions as logic programs, and what is proved of them.

Modules, each of which knows only those above it:

    build        rules as values: short ways to write them
    program      a program that is grounded part by part: the one door to clingo
    theory       what is read of the rules in force: rules in normal form, transitions
    vocabulary   which facts there can be, the values of counters, what measures count
    numbers      when an open position, where numbers without a limit run to a bound, stands for all
    specialise   the rules for one kind of action, whose arguments are chosen one by one
    encoder      an open position, what is done in it, the next position
    goals        what is claimed of a transition
    positions    what is claimed of positions alone
    prover       every claim of every transition, within a budget of conflicts
"""
