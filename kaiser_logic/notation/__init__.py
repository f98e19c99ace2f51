"""Reads untrusted text: records, positions and board files.

Such text is data. Only a grammar of names, numbers and terms reads it; no part of it reaches clingo's parser.

Its modules:

    terms    ground terms: facts and actions as values
    record   records: their tags, moves, assertions and positions; printing
    syntax   the parser of records, and a fast scanner for the usual forms
    reading  records, positions and board files, from a file or a text
    grammar  the two Lark grammars: records, queries
"""
