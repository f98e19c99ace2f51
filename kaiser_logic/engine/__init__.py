"""The rules in force: a rulebook under a configuration, with a program for each kind of question.

Evaluation, open positions and gaps in records all start here. clingo's symbols do not leave this folder in pickles or in
texts that are parsed.

Its modules:

    configuration  how a game is set up and checked: edition, rulings, seats, start tags, board
    kinds          the kind of an action
    ruleset        the slices and programs of one configured game, each made once
    rulesets       one ruleset for each configuration in a process; how it is sent to another process
    static         facts that no position changes, and the ones that a program reads
    program_cache  programs on disk, as plain data
    grounding      a program: the rules that can fire over given facts, and its ground atoms
    compiled       rules as joins over hashed relations, without clingo
    symbols        conversion between our values and clingo's symbols
    sets           sets of things as arguments of actions: their parts, and the kinds of action with sets
    tags           the tags of a record that name its rules
    assumptions    the verdicts that rest on rules that no text says
    typed          actions and roles as somebody types them
"""
