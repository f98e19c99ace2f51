"""Positions as pictures in SVG: well-formed, without scripts, fonts or links, every text escaped.

Its modules:

    pen      elements, texts and numbers written as SVG; how wide a text is; owners and themes: the colours by name
    shapes   the outlines of pieces and of their places; small signs, such as a crown or a coin
    canvas   what all parts of one picture share: palette, letters, words, layout
    board    areas with their places and pieces; marks for what a move changed
    panels   panels and boxes: rows of numbers, chips and signs
    picture  the whole: parts in groups, and the text of an SVG; the picture of a game without picture rules
"""
