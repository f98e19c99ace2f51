"""``lint``: finds likely mistakes in a rulebook.

Loading a rulebook already refuses breaches of the contract (``rules/contract``). ``lint`` reports these and more: predicates that
are never read, steps that cannot happen, sums that proofs cannot treat. A check is a function from a survey of the rulebook to
findings.

Its modules:

    lint         runs all checks of a rulebook in stages; checks headings, conditions of sentences, phrases, cells of drawings
    findings     the kinds of findings with their descriptions; findings as SARIF
    statements   finds statements and sources that are wrong under an edition
    rule_checks  finds predicates that are never read, actions without an effect, unbounded sums, terms that can never occur
"""
