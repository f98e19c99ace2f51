"""``lint``: finds likely mistakes in a rulebook.

Loading a rulebook already refuses what breaks the contract (``rules/contract``). ``lint`` reports that and more: what is never
read, what cannot happen, what proofs cannot treat. Each check is a function from a survey of the rulebook to findings.

Its modules:

    lint         all checks of one rulebook, in stages; headings, the conditions of sentences, phrases, cells of drawings
    findings     the kinds of findings, each with what it is; findings as SARIF
    rule_checks  predicates that are never read, actions without an effect, sums without an end, terms that can never occur
"""
