"""Positions as pictures in SVG: well-formed, without scripts, fonts or links, every text escaped.

Its modules:

    palette  owners and themes: the colours by name, and what can be read on them
    metrics  how wide a text is
    pen      elements, texts and numbers written as SVG
    sorts    the outlines of pieces and of their places
    signs    small signs, such as a crown or a coin
    canvas   what all parts of one picture share: palette, letters, words, layout
    board    areas with their places and pieces
    shelf    panels and boxes: rows of numbers, chips and signs
    rows     the single items in them
    marks    what a move changed, marked
    picture  the whole: parts in groups, and the text of an SVG
    text_picture  the picture of a game that declares none: its text
"""
