"""Reads untrusted text: records, positions and board files.

Such text is data. Only a grammar of names, numbers and terms reads it; no part of it reaches clingo's parser.

Its modules:

    terms     ground terms: facts and actions as values
    record    records: their tags, moves, assertions, positions, comments and variations; printing
    nesting   which part of a record a comment belongs to, and which move a variation replaces
    quick     a fast scanner for the usual forms
    syntax    the parser of records
    reading   records from a text; positions and board files
    sources   records in files, archives and streams, many in one file
    document  the text of a record that can be edited
    grammar   the two Lark grammars: records, queries
"""
