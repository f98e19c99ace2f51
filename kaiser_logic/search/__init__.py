"""Legal games that lead to a position with a property, searched over positions of the evaluate reading.

Breadth first sees everything where the space is small; best first, playouts and changed games find where it is not.

Its modules:

    node    a position that a search has come to, and the way there
    search  the ways of searching, which take turns
    reach   games that reach a property, a query or a position
"""
