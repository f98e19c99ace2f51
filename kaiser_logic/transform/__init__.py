"""Transformations of programs. They know no game.

The open readings are transformations of the same rules: a copy for the next moment, for another edition, for one kind of
action. Each module says with an example what it makes of what.

Its modules:

    collecting        rules that read what other actions in question say
    slicing           of all rules those that a question needs: forward from what is given, backward from what is wanted
    dependency        which predicates and which changes depend on which
    magic_sets        rules that trace an atom to the facts behind it, or to what is missing
    action_splitting  an action as its kind and one choice for each argument
    carriers          the predicates that hand an action on from rule to rule; intervals, pools and sums in its place
"""
