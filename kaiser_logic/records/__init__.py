"""``check``: replays recorded games item by item and reports every fault with its reason and its place.

Its modules:

    tags          the game that the tags of a record describe; files of records
    fault         the faults of a record
    replay        a record replayed move by move; the treatment of illegal moves
    checking      the faults of one record or of many, in several processes
    reliance      the assumed rules on which the verdict on a record relies
    archive       a file of reports, from which a check resumes after a crash
    batch_filter  finds the legal records of an archive by circuits, if that is faster
    batch_replay  replays many records of one game in lockstep, by circuits
    grep          the positions of recorded games in which a query holds
    each_record   one piece of work on each of many records
    coverage      the rules that recorded games use
    statistics    lengths, results and kinds of action of recorded games
"""
