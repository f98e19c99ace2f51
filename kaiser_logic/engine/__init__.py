"""The rules in force: a rulebook under a configuration, with a program for each kind of question.

Evaluation, open positions and gaps in records are built on this folder. clingo's symbols are never pickled, and never printed
into a text that is parsed.

Its modules:

    configuration   the configuration of a game: edition, rulings, seats, start tags, board
    ruleset         the rules of one configured game, with their slices and programs; actions as typed; tags of records
    grounding       a program: the rules that can fire over given facts, its ground atoms; static facts
    open_grounding  a program ground over facts some of which are open, as literals of a circuit
    program_cache   programs on disk, as plain data
    compiled        evaluates rules as joins over hashed relations, without clingo
    symbols         converts between our values and clingo's symbols
    sets            sets of things as arguments of actions: their parts, names for them, the kinds of action with sets
    domains         the domains of an open position: values of arguments, bounds of numbers, sizes of fluents
    invariants      a game's invariants, and those that a ruling waives
    assumptions     the documented rules that no printed text says, without data that a board file replaces
"""
