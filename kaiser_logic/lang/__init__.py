"""The language of rules: logic programs as immutable values. It knows nothing of games.

Its modules; each imports only those above it:

    terms        terms, literals, rules, programs
    printer      prints values, letter by letter as clingo does
    reader       the one parser: reads values with their places from a text
    printed      a rule with its text; each is computed from the other when it is needed
    algebra      variables, substitution, renaming apart
    unification  unification, matching, bindings, variants of simple terms
    normal       the normal form, which every consumer takes
    modes        the variables that a literal binds; whether a rule is safe
    graph        dependencies of predicates, strongly connected components
"""
