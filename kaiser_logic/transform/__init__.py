"""Transformations of programs. They know no game.

The open readings are transformations of the same rules: a copy for the next moment, for another edition, for one kind of
action. Each module says with an example what it makes of what.

Its modules:

    collecting        rules that read what other actions in question say
    slicing           of all rules those that a question needs: forward from what is given, backward from what is wanted
    heads             what can never be derived, as no rule has such a head
    stepping          a rule followed forward: what it makes of the patterns that are known
    memory            slices that are asked for again
    dependency        which predicates and which changes depend on which
    clauses           rules taken apart into literals with the variables they bind and need
    magic_sets        rules that trace an atom to the facts behind it, or to what is missing
    action_splitting  an action as its kind and one choice for each argument
    carriers          the predicates that hand an action on from rule to rule, and say whose it is
    evaluable_terms   intervals, pools and sums in the place of an action, said apart
"""
