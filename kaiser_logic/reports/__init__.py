"""Reports of checked records: pages for people, formats for other tools. Each report is one text.

Its modules:

    formats    the table of formats
    place      the place of a fault: after how many moves
    story      a record move by move: frames, events, faults, and what was legal
    pages      the page of one record or of many: pictures with shared parts, a plot of points, style and script
    notebook   reports, proofs, answers, differences and records in notebooks
    sarif      SARIF 2.1.0
    junit      JUnit XML
    csv_table  a table of faults
"""
