"""``check``: replays recorded games item by item and reports every fault with its reason and its place.

Its modules:

    tags      which files are records, and the game that the tags of a record describe
    fault     the faults of a record
    policies  what to do after an illegal move: stop, skip or force
    replay    replays a record item by item
    spelling  hints on misspelt names
    checking  the faults of one record or of many, in several processes
    plain     filters out the records of an archive that are right, by circuits, if that is faster
    together  replays many records of one game in lockstep, by circuits
    coverage  which rules recorded games use
    archive   a file of reports, from which a check resumes after a crash
"""
