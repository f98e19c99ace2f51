"""The rules in force, under all three readings: a rulebook with a configuration, ready to be asked.

The only room besides the readings that holds clingo's objects; symbols do not leave it in pickles or in texts that are
parsed.

Its modules:

    configuration  how a game is set up: edition, rulings, seats, start tags, board; checked
    kinds          which kind of action an action belongs to
    ruleset        slices and programs of one configured game, each made once
    rulesets       one of them for each configuration in a process, and how it goes to another one
    static         facts that no position changes, and which of them a program reads
    program_cache  programs between processes, as plain data
    grounding      a program, which of its rules can fire over given facts, and what it grounds to
    compiled       the rules of a program as joins over hashed relations: what follows without clingo
    symbols        the one place where own values and clingo's symbols meet
    sets           sets of things that actions name: their parts, and which kinds of action name any
    tags           by which a record says under which rules it was played
    assumptions    which verdicts rest on what no text says
    typed          what somebody types: actions, and the roles that do them
"""
