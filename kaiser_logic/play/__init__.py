"""A game being played: by hand, with taking back, or at random with the weights of chance.

Its modules:

    telling  what those who play by hand are told
    whys     why an action is legal or not, told to somebody who does not see everything
    gains    what an action takes and gives at once
    match    one decision after the other, each can be taken back and made again; its record
    playout  random play
"""
