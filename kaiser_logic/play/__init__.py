"""A game being played: by hand, with taking back, or at random with the weights of chance.

Its modules:

    telling  what those who play by hand are told
    match    one decision after the other, each of which can be taken back; its record
    playout  random play
"""
