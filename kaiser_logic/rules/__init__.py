"""Rulebooks as data: read once from their folders, checked against the contract, never evaluated.

Its modules:

    fresh       variables that no rule of a rulebook has, for the rules written around its terms
    rule        a rule as its heads and atoms, each with its simple terms
    reader      the one reader of rules and terms: from a text, from a program with its places, from disk
    predicates  the predicates that every rulebook shares, by name and arity
    rulebook    what a rulebook holds: rules with their places, documented ids with their sources, rulings, kinds of action
    places      the place of a mistake in the files of a rulebook, and the nearest known name
    names       the name that is meant: in another case or language, with accents, misspelt
    contract    the contract of rulebooks, checked when one is loaded
    library     the games that can be loaded, and their folders; rulebooks are read again when files change
    loader      from a folder to a rulebook: manifest, programs, documentation lines, contract
    generated   the rules that follow from declarations: counters, totals, decisions
    phrases     terms and facts in English, from ``english.toml``
"""
