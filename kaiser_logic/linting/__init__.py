"""``lint``: a rulebook looked through for what its author is likely to have done wrong.

What breaks the contract so that no verdict would mean anything is found already when a rulebook is loaded
(``rules/contract``). Here that and everything else: what is never read, what cannot happen, what proofs will stumble on.
Each check is a function from a survey of the rulebook to findings.

Its modules:

    lint       all checks of one rulebook, in stages
    kinds      the kinds of findings, each with what it is
    usage      what is said and never read, listed twice or nowhere
    effects    changes without a cause, violations of nothing
    aims       actions that no effect reads
    sums       measures and sums without an end
    conditions  the conditions of sentences: bodies over what somebody says
    headings   documentation lines of the wrong kind, or of nothing
    words      phrases that cannot be said
    cells      drawings whose cells have no place
    constants  terms that can never be, by what the vocabulary grounds to
    slow       rules that are not compiled
    new_game   the skeleton of a new rulebook
    sarif      findings for programs that show such
"""
