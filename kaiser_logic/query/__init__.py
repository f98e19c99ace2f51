"""``find``: finds positions by property, in an open position or as the goal of a search.

Its modules:

    formula         a query as a syntax tree
    vocabulary      the predicates that a query may contain
    program         a query as rules; its alternatives and the variables that each of them binds
    language        the parser: builds the tree, and reports unknown names with the nearest known one
    listing         the vocabulary for users: phrases, values of arguments, examples, completions
    actions         the roles and actions that the atoms of a query can mean
    evaluation      evaluates a query in given positions
    in_words        a query in English
    goal            a query as the goal of a search: whether it holds, and how far a position is from it
    set_queries     queries about sets of cards: what can be decided, and which sets are tried
    open_query      a query over an open position, and the numbers without a limit that it needs
    encoding_check  compares a query's program with the plain engine before the answer "none"
    after           the program of an action and the steps after it, and the steps that change facts of the query
    find            finds valid positions in which a query holds, or proves that there is none
    dense           how many combinations of values a query or a rule looks at
    columns         the possible values at each argument of a predicate
    suggestions     likely meanings: another setting, or another way to write a query
    mistakes        refuses queries with a literal that can never hold, or always holds
"""
