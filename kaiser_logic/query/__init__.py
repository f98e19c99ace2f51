"""``find``: finds positions by property, in an open position or as the goal of a search.

Its modules:

    formula       a query as a tree
    extremes      comparisons of two minima or maxima without computing them, also of empty sets
    branches      the alternatives of a query, and the variables that each of them binds
    builder       makes the tree from the parser's; reports unknown names, with the nearest known one
    vocabulary    the predicates that a query may contain
    listing       the same for users: phrases, values of arguments, examples
    completion    completions while a query is typed
    language      the parser
    program       a query as rules
    matching      matches terms with variables against symbols
    meaning       evaluates a query in plain Python over the atoms that hold
    world         the atoms that hold in a given position, derived on demand
    check         evaluates any query in given positions, independently of the solver
    in_words      a query in English
    given         the values of the variables for which a query holds in one position
    goal          a query as the goal of a search: whether it holds, and how far a position is from it
    set_queries   queries about sets of cards: what can be decided, and which sets are tried
    open_query    a query over an open position, and the numbers without a limit that it needs
    answers       answers: positions, the facts that make the query true, differences between answers
    course        which steps can follow an action and change what a query reads
    agreement     compares a query's program with the plain engine before the answer "none"
    after         ``after(..)``: the position after an action and its steps, over an open position
    following     the program of an action and the steps after it
    outcomes      answers one part of a query about moves, in a child process
    moves         the search for positions if a query contains ``after(..)``
    find          finds valid positions in which a query holds, or proves that there is none
    columns       the possible values at each argument of a predicate
    elsewhere     finds a setting under which something can hold that cannot hold in this game
    rewriting     suggests how to write a query if a fact is used as a value
    mistakes      refuses queries with a literal that can never hold, or always holds
    syntax_hints  suggests what was meant if a query cannot be parsed
"""
