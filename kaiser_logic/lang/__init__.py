"""The language of rules: logic programs as immutable values. It knows nothing of games.

Modules, each of which knows only those above it:

    terms        terms, literals, rules, programs
    printer      a value as text, letter by letter as clingo prints it
    reader       text as values, with places: the one parser
    printed      a rule with its text, each made from the other where it is asked for
    algebra      variables, substitution, renaming apart
    unification  unification, matching, bindings, variants of simple terms
    normal       the normal form, which every consumer takes
    modes        which literal binds which variables; whether a rule is safe
    graph        dependencies of predicates, strongly connected components
"""
