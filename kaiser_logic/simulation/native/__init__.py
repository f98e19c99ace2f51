"""Rules as native code, for what no circuit knows: joins compiled with LLVM (docs/develop/adr/019-native-code.md).

Its modules:

    places    one array of words in which values, relations and indexes lie: what lies where
    memory    the same as the rest of the package sees it
    running   what native rules call: rows added once, indexes, terms put together, values compared
    helpers   the same by its address
    quick     the ways that are gone most often, without a call of these
    adding    rows added, and relations compared, in the same way
    blocks    blocks of native code, and what is bound in them
    writing   the same with loops
    rules     a rule as native code
    rounds    rules that are run again and again
    distinct  which rules derive no row twice
    layers    rules that are run only where something has changed that they read
    idle      rules that can never fire
    programs  a program as native code
    calling   programs called by their address
    texts     texts of values
    choosing  values in the order of their texts, and a random choice among them
    states    what native games and the rest of the package tell one another
    changing  positions put into the memory, and changed
    playing   random games without leaving native code
    listing   lists of what is legal
    matches   random games, with what they need provided
    games     a configured game: positions, programs, lists
"""
