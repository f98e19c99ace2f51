"""The answers of the tool as tables: ``python -m tests.golden`` from the project's folder. See README.md.

table      the rows of a table: reads, writes and compares them
questions  the commands of each table
answers    the rows that answer a command
"""
