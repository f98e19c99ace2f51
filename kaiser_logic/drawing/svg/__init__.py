"""Draws positions as pictures in SVG. They are well-formed, contain no scripts, fonts or links, and all texts are escaped.

Its modules:

    pen      elements, texts and numbers written as SVG; the width of a text; the colours of owners and themes
    shapes   the outlines of pieces and of their places; small signs, such as a crown or a coin
    canvas   the state that all parts of a picture share: palette, letters, words, layout; pieces
    board    areas with their places and pieces; marks for the changes of a move
    panels   panels and boxes: rows of numbers, chips and signs
    picture  the whole picture: its groups, and its SVG; the picture of a game without picture rules
"""
