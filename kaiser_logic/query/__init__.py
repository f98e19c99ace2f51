"""``find``: finds positions by property, over an open position or as the aim of a search.

Its modules:

    formula       what a query says, as data
    extremes      the largest or smallest of something compared with another, also where one is of nothing
    branches      its alternatives, and which variables each of them binds
    builder       from lark's tree to that data; names that are not known, with the nearest
    vocabulary    what a query can ask for, to be listed
    listing       the same for people: words, values of arguments, examples
    completion    what can follow while a query is written
    language      a query parsed
    program       a query as rules of our own
    matching      terms with variables beside symbols
    meaning       a query read in plain Python over the atoms that hold: the referee
    world         all that a query can ask of a given position
    check         a query asked of given positions, with all it can say
    in_words      a query read back in English
    given         a query asked of one position: all values of its variables
    goal          a query as the goal of a search: whether it holds, how far it is from that
    set_queries   queries about sets: what can be decided, and which sets are tried
    open_query    a query put to an open position, and which numbers it needs
    answers       what is found, what in it makes the query true, how answers differ
    course        what actions can bring about by themselves, and what of it a query asks for
    agreement     whether a query's program says what the rules say, before "none" is said
    after         what moves lead to, over an open position
    following     an action and steps after it in a program, and what is asked of what they lead to
    outcomes      what becomes of the parts of a question about moves
    moves         the search where a query says what moves lead to
    find          valid positions in which a query holds, or the proof that there is none
    columns       what can stand at each place of what a query asks for
    elsewhere     with which setting something can be that cannot be in a game as it is set up
    rewriting     facts where values are wanted, and the query as it is to be written
    mistakes      queries read, and refused where a literal can never hold, or always does, for what it is written with
    syntax_hints  what was probably meant where a query cannot be read
"""
