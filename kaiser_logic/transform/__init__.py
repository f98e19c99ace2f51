"""Transformations of programs. They know no game.

The encodings of open positions are transformations of the same rules: a copy for the next time step, for another edition, for
one kind of action. The docstring of each module shows an example.

Its modules:

    cross_action_dependencies  rules for violations that depend on other candidates
    slicing                    the rules that a question needs: forward from the given facts, backward from the wanted ones
    magic_sets                 rules that trace an atom to the facts behind it, or to the missing ones
    rule_usage                 rules that find out which documented rules take part in a derivation
"""
