"""What is said of checked records: pages for people, formats for other tools. Everything in one text.

Its modules:

    formats    the table of formats
    place      where a fault stands: after how many moves
    story      a record carried out move by move: frames, events, faults with what was legal
    pages      the page of one record or of many: its pictures, each part kept once, the points over the moves, style and script
    answers    the answers to a query as one page
    notebook   reports, proofs, answers, differences, records as notebooks show them
    sarif      SARIF 2.1.0
    junit      JUnit XML
    csv_table  a table of faults
"""
