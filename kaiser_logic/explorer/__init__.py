"""The explorer: a local web page to step through records, play on, ask and edit (extra ``web``).

The server keeps no state: each request contains the whole position. A child process with a limit of memory and a deadline
answers it, because requests may come from strangers.

Its modules:

    state      a place in a game as a page sends it
    games      which games can be played, with their editions and rulings
    pieces     a record's text cut into its moves, with the comments on each
    opening    opens, starts and continues records
    actions    legal actions by kind, and what they touch on the board
    pointing   what an action on a piece of the board would do, or why there is none
    legend     the meaning of the signs of a board
    examples   the records that come with the package
    verdicts   why an action is legal or not
    editing    the invariants that edited facts break
    slots      kinds of facts and the values of their arguments
    trays      the same for the editor, with the places on the board
    palette    the pieces that the editor can put, with their looks
    asking     queries, with several answers
    boards     pictures of positions as data for the page
    questions  all requests of a page, each with its deadline
    worker     the child process that answers
    crew       starts, asks and ends the child processes
    guard      which requests are allowed, and the headers of answers
    server     the addresses, and the server itself
    page       what the browser loads: page, style, scripts
"""
