"""Searches for legal games that lead to a position with a property.

Breadth first sees everything where the space is small; best first, playouts and variations find where it is not.

Its modules:

    space   what is looked for, a position that a search has come to, the positions that can be reached; limits
    search  breadth first, best first, playouts, and games that come near; they take turns, by counted work
    reach   games that reach a property, a query or a position
"""
