"""Searches for legal games that lead to a position with a property.

Its modules:

    search  the strategies of the search: breadth first, best first, playouts, variations
    reach   games that reach a property, a query or a position
"""
