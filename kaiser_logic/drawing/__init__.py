"""Draws positions: what the drawing and picture rules of a game show, and where.

Its modules:

    model     the content of a text, from the drawing rules: tables, cells, lists
    text      that content as tables of text
    geometry  where the areas and places of a picture lie, in each layout
    scene     the content of a picture, from the picture rules: pieces, panels, boxes
    dealing   assigns pieces to places, so that each keeps its own
    change    what a move changed: pieces moved, taken and brought, numbers; the same in text, picture and page
    events    what happened between two positions, in words
    problems  mistakes in picture rules
    frame     a scene with its places, and the frame before it
    svg       pictures
    image     a position as a picture
    html      pages
    styles    the table of styles, and a position drawn in one of them
"""
