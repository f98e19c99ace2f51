"""The rules in force: a rulebook under a configuration, with a program for each kind of question.

Evaluation, open positions and gaps in records all start here. clingo's symbols do not leave this folder in pickles or in
texts that are parsed.

Its modules:

    configuration  how a game is set up and checked: edition, rulings, seats, start tags, board
    ruleset        the slices and programs of one configured game, each made once; actions as typed; tags of records
    grounding      a program: the rules that can fire over given facts, its ground atoms; static facts
    program_cache  programs on disk, as plain data
    compiled       rules as joins over hashed relations, without clingo
    symbols        conversion between our values and clingo's symbols
    sets           sets of things as arguments of actions: their parts, and the kinds of action with sets
    domains        the sorts of an open position: which fluents there can be, up to where numbers run, whether too many
    invariants     a game's invariants, and which of them a ruling waives
    open_sets      names that stand in for sets of things, whose parts the solver chooses
    assumptions    the verdicts that rest on rules that no text says
"""
