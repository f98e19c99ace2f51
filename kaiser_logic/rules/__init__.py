"""Rulebooks as data: read from their folders and checked against the contract. Nothing here evaluates rules.

Its modules:

    fresh       variables that no rule of a rulebook has, for rules that are built around its terms
    rule        a rule with its atoms and its place
    reader      reads rules from texts, programs and the cache
    predicates  the predicates that every rulebook shares, by name and arity
    rule_texts  what documented rules say under an edition and rulings, and by which printed texts
    rulebook    a rulebook: its rules, documented rules with their sources, rulings, kinds of action
    places      finds the place of a mistake in the files of a rulebook, and the nearest known name
    names       finds the name that is meant by another case or language, by accents, or by a misspelling
    contract    the contract of rulebooks, checked when one is loaded
    library     the games that can be loaded, and their folders; clears caches when files change
    loader      loads a rulebook from its folder: manifest, programs, documentation lines, contract
    generated   the rules that follow from declarations: counters, totals, decisions
    phrases     terms and facts in English, from ``english.toml``
"""
