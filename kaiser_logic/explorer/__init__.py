"""The explorer: a local web page in which records are stepped through, played on, questioned and edited (extra ``web``).

The server keeps nothing. What a page asks of it names the whole position; the answer is worked out in a child process
with a limit of memory and a deadline, for all of it may come from a stranger.

Its modules:

    state      a place in a game as a page sends it
    games      which games can be played, with their editions and rulings
    pieces     a record's text cut into its moves, with the comments on each
    opening    records opened, started, played on
    actions    legal actions by kind, and what they touch on the board
    pointing   what is pointed at on the board: what an action would do, why nothing can be done there
    legend     what the signs of a board mean
    examples   the records that come with the package
    verdicts   why an action is legal or not
    editing    facts as a position: the invariants they break
    slots      kinds of facts and what can stand in them
    trays      the same for the editor, and where on the board they can be put
    palette    the pieces that can be put, as they look
    asking     queries, with several answers
    boards     pictures of positions as data for the page
    questions  all that a page may ask, each with its deadline
    worker     the child process that answers
    crew       the children: started, asked, ended
    guard      which requests are let in, and with which headers answers go out
    server     the addresses, and the server itself
    page       what the browser loads: page, style, scripts
"""
