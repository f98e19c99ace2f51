"""A rulebook as data: read from its folder once, checked against the contract, never evaluated.

Rules are patterns here, read from clingo's own printed form; whoever wants to know what a rulebook says asks this room,
and clingo only where something is to be computed.

Its modules:

    pattern     terms with variables: unification, substitution, canonical forms
    rule        a rule as data: its atoms with their places, its literals
    reader      the one reader of rules and terms
    predicates  the predicates that every rulebook shares, by name and arity
    rulebook    what a rulebook holds: rules with their places, documented ids, rulings, kinds of action
    loader      from a folder to a rulebook: manifest, programs, documentation lines, contract
    generated   the rules that follow from declarations: counters, totals, decisions
    phrases     how terms and facts read in English, from a game's ``english.toml``
"""
