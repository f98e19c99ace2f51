"""``check``: recorded games, replayed item by item, every fault with its reason and its place.

Its modules:

    tags      which files are meant, how they are read, and from a record's tags to its game and back
    fault     what can be wrong with a record
    policies  what to do after an illegal move: stop, skip or force
    replay    a record carried out item by item
    spelling  how names are written that stand in a record in another way
    checking  the faults of one record or many, in several processes
    plain     which records of an archive are plainly right, where it pays to look at many together
    together  records of one game replayed in lockstep, by circuits
    coverage  which rules recorded games use
    archive   reports in a file, with which a check goes on after a crash
"""
