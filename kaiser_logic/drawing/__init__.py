"""Positions to be seen: what a game's drawing rules show, and how it is laid out.

Its modules:

    model   what is to be seen, from the game's drawing rules: tables, cells, lists
    text    that as text tables
    styles  the table of styles, and a position drawn in one of them
"""
