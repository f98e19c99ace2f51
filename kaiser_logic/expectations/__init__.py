"""A rulebook's own tests: what a rulebook must answer, as data in ``tests.toml`` beside its rules.

Its modules:

    rows       the rows of ``tests.toml``, read strictly
    running    what comes out for a row
    mutants    changes of the rules that no row, invariant or claim notices
    reports    outcomes as text, JSON and JUnit XML
"""
