"""``find``: positions by property, over an open position or as the aim of a search.

Its modules:

    language     a query parsed as data and rebuilt as rules of our own
    goal         a query asked of given positions: whether it holds, how far it is from that
    set_queries  queries about sets: what can be decided, and which sets are tried
    check        what is found, looked at again as a given position
    asking       a query put to an open position, and which numbers it needs
    find         valid positions in which a query holds, or the proof that there is none
"""
