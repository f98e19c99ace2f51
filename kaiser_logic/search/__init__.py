"""Searches for legal games that lead to a position with a property.

Breadth first sees everything where the space is small; best first, playouts and variations find where it is not.

Its modules:

    search  the positions that can be reached; breadth first, best first, playouts, and games that come near, in turns
    reach   games that reach a property, a query or a position
"""
