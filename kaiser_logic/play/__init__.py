"""A game being played: by hand with undo, or at random with the weights of chance.

Its modules:

    match    one decision after the other, each can be taken back and made again; its record; what players are told, and why
    playout  random play, and what an action takes and gives at once
    environment  a game for learners: reset, step, observe, mask (extra ``rl``)
"""
