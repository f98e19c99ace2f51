"""Positions to be seen: what a game's drawing and picture rules show, and how it is laid out.

Its modules:

    model     what a text shows, from the game's drawing rules: tables, cells, lists
    text      that as text tables
    geometry  where the areas and places of a picture lie, in each layout
    scene     what a picture shows, from the game's picture rules: pieces, panels, boxes
    dealing   pieces dealt out to places, so that each keeps its own
    change    what a move changed: moved, taken, brought, another number; alike in text, picture and page
    events    what happened between two positions, told
    problems  what is wrong with what picture rules say
    checks    what lint says of picture rules and of terms without words
    frame     a scene with its places and what came before it
    svg       pictures
    image     a position as a picture
    html      pages
    styles    the table of styles, and a position drawn in one of them
"""
