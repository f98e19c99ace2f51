"""A rulebook as data: read from its folder once, checked against the contract, never evaluated.

Rules are patterns here, read from clingo's own printed form; whoever wants to know what a rulebook says asks this room,
and clingo only where something is to be computed.

Its modules:

    pattern        terms with variables: unification, substitution, canonical forms
    fresh          variables that no rule of a rulebook has, for the rules written around its terms
    rule           a rule as its heads and atoms, each a pattern
    reader         the one reader of rules, and of terms in them
    predicates     the predicates that every rulebook shares, by name and arity
    rulebook       what a rulebook holds: rules with their places, documented ids, rulings, kinds of action
    documentation  the documentation lines of a program
    provenance     whether a text says a rule, is silent, or nothing says it: what a source says of itself
    places         where in a rulebook's files a mistake stands, and the nearest known name
    contract       what every rulebook keeps to, checked when it is loaded
    library        which games there are, and where their folders lie
    parsing        a program's text as rules, read by clingo
    rule_cache     rules between processes, as plain data
    changes        what is remembered of a rulebook is forgotten when its files change
    loader         from a folder to a rulebook: manifest, programs, documentation lines, contract
    generated      the rules that follow from declarations: counters, totals, decisions
    phrases        how terms and facts read in English, from a game's ``english.toml``
    names          what is meant by a name in other case, with accents, in another language, misspelt
"""
