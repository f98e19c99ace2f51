"""Legal games that lead to a position with a property, searched over positions of the evaluate reading.

Breadth first sees everything where the space is small; best first, playouts and variations find where it is not.

Its modules:

    node        a position that a search has come to, and the way there
    goal        what is looked for
    space       the positions that can be reached, made and counted; limits
    strategies  breadth first, best first, playouts
    variations  games that come near, with steps left free and given to the solver
    search      strategies take turns, by counted work
    reach       games that reach a property, a query or a position
"""
