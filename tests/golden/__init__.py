"""What the tool answers, as tables: ``python -m tests.golden`` from the project's folder. See README.md.

table      rows of a table, on disk and compared
questions  the commands of each table
answers    the rows that answer a command
"""
