"""Encodings of ``compare`` compared with the plain engine; ``prove`` has :mod:`kaiser_logic.solving`.

Its modules:

    fixed     a program in which a position and what is done in it are fixed
    runs      an action and steps after it compared with the plain engine
    pairs     pairs of a position and what is done in it by the plain engine, to check encodings with
    numbers   numbers without a limit, which run to a bound in an open position
    pending   what may be pending at once
    deciding  of which kind an action is
"""
