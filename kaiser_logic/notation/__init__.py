"""The text of strangers and the values it becomes: terms, records, positions, board files.

Text is data: a grammar knows names, numbers and terms, and nothing else reads what strangers wrote. Nothing of it reaches
clingo's parser.

Its modules:

    terms    ground terms, the own values of facts and actions
    record   what a record is: tags, moves, assertions, positions; printing
    syntax   the grammars at work: from text to values, with limits, lines and columns
    quick    the same of well-formed records, without the grammar
    reading  records, positions and board files, from a file or a text
    grammar  the two lark grammars: records, queries
"""
