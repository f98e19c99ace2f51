"""Reads untrusted text: records, positions and board files become terms and other values.

Text is data. A grammar knows names, numbers and terms, and nothing else reads foreign text. Nothing of it reaches clingo's
parser.

Its modules:

    terms    ground terms: facts and actions as values
    record   what a record is: tags, moves, assertions, positions; printing
    syntax   the grammar of records as a parser, and a fast one for plain lines
    reading  records, positions and board files, from a file or a text
    grammar  the two lark grammars: records, queries
"""
