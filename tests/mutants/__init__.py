"""Mutants of the package: are the tests able to notice a fault? See `README.md`; run by hand."""
