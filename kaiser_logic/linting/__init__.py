"""``lint``: finds likely mistakes in a rulebook.

Loading a rulebook already refuses what breaks the contract (``rules/contract``). ``lint`` reports that and more: what is never
read, what cannot happen, what proofs cannot treat. Each check is a function from a survey of the rulebook to findings.

Its modules:

    lint       all checks of one rulebook, in stages
    kinds      the kinds of findings, each with what it is
    usage      predicates that are derived and never read; programs listed twice or nowhere
    effects    changes without a cause, violations without a candidate
    sums       measures and sums without an end
    conditions  the conditions of sentences
    headings   headings of the wrong kind, or that document nothing
    words      phrases that can never be used
    cells      cells of drawings without a place in a table
    constants  terms that can never occur, as the vocabulary is ground
    slow       rules that cannot be compiled
    new_game   the skeleton of a new rulebook
    sarif      findings as SARIF
"""
