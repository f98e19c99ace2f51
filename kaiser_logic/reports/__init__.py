"""Reports of checked records: pages for people, formats for other tools. Each report is one text.

Its modules:

    formats   SARIF 2.1.0, JUnit XML and tables of faults; the place of a fault
    story     a record move by move: frames, events, faults, and what was legal
    pages     the page of one record or of many, with shared pictures and a plot of points; the page of a query's answers
    page_folder  many records as a folder: a page for each, and the index
    statistics_picture  the statistics of an archive as a picture
    notebook  reports, proofs, answers, differences and records in notebooks
"""
