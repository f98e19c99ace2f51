"""``check``: replays recorded games item by item and reports every fault with its reason and its place.

Its modules:

    tags          the game that the tags of a record name; files of records
    fault         the faults of a record
    replay        a record carried out move by move; what happens after an illegal move
    checking      the faults of one record or of many, in several processes
    archive       a file of reports, from which a check resumes after a crash
    batch_filter  filters out the records of an archive that are right, by circuits, if that is faster
    batch_replay  replays many records of one game in lockstep, by circuits
    coverage      which rules recorded games use
"""
