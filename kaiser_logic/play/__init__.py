"""A game being played: by hand with undo, or at random with the weights of chance.

Its modules:

    match        a game being played: random actions, undo and redo, its record
    environment  a game for learners: reset, step, observe, mask (extra ``rl``)
"""
