"""Draws positions by the drawing rules and the picture rules of a game.

Its modules:

    text    a position as tables of text, from the drawing rules; the events between two positions in words
    scene   the content of a picture, from the picture rules: where areas and places lie, pieces, panels, boxes
    frame   a scene with the places of its pieces, the frame before it, and what a move changed
    checks  the checks of lint for picture rules, and for terms without words
    svg     pictures
    image   a position as a picture; mistakes in picture rules
    page    pages of HTML, and the page of one position
    styles  the table of styles, and a position drawn in one of them
"""
