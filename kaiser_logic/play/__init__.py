"""Playing a game: by hand with undo, or at random with the weights of chance.

Its modules:

    match        a game in progress: undo and redo, its record, what the roles see; random actions
    sampled      positions of random games in which a query holds
    environment  a game for reinforcement learning: reset, step, observe, mask (extra ``rl``)
"""
