"""A checker of its own for what the prover says of a game: the base that has to be trusted.

It reads the rulebook's text, makes each question anew, and checks a proof of each answer. It shares no code with the rest
of the package but the door to clingo (``kaiser_logic/clingo.py``) and the exceptions. The prover, CaDiCaL, and whoever
wrote a certificate may be wrong: then a claim is not checked, but no false claim is.

What has to be trusted: clingo's parser and grounder (not its solver), and these modules but `search`. In reading order:

    text         a rulebook's text as rules, and its settings as facts
    declared     what the rulebook declares, and the rules that follow: counters, pieces, totals, measures
    numbers      when small numbers stand for all
    program      the program of a transition, with the argument why it is right
    positions    the programs of claims about positions; the first position
    completion   the clauses of a ground program
    lrat         checks a proof of unsatisfiability
    verify       which questions there are, and when a claim is checked
    files        the folder of a certificate
    search       searches for proofs; need not be trusted

What the checker does with each construct of the contract of rulebooks (docs/write/rulebooks.md):

    rules            as written; one positive head. No constraints, choices, #const, #show, scripts, ``-p``
    game.toml        files, claims, engine, players, roles, rulings, tags, bound; the others do not concern proofs
    engine files     as written, but judge, legal, position and change, whose meaning is built in: other text there is not covered
    fluent           the vocabulary; every predicate of one is free in an open position. A rule for a fluent: not covered
    number           in ``fluent(c(..,N)) :- number(N), ..`` of a counter: see `numbers`. Elsewhere: not covered
    counted, stated, signed, unit, gain, lose, shift    see `declared`; the engine's own generated rules are not read
    step, decision, simultaneous, action, out_of_turn   transitions; arguments that depend on the position: not covered
    candidate        the move generator: claim ``enumeration``. One that depends on what is chosen: that claim is not checked
    violates         an action with a violation is not legal
    counts, limit, range, total, bound    see `program` and `positions`
    init             the first position
    broken, waived, presumed    invariants; waived ones are asked and not assumed; presumed ones are ordinary here
    wrong, then, more           claims about moves; ``then`` and ``more`` elsewhere: not covered
    never QUERY      a rule for ``broken``, which is printed: the reader judges it
    some QUERY, queries about legal moves    not checked
    board            no board files: a game with one is not covered
    implausible, weight, too_many, conceals, instead, goal, winner, terminal    no proof depends on them, but as rules read them
    sets (``engine = ["sets"]``)    not covered yet
    structures in actions           as they are, so only as far as all actions can be listed
"""
