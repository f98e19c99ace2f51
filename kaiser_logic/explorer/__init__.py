"""The explorer: a local web page to step through records, play on, ask and edit (extra ``web``).

The server keeps no state: each request contains the whole position. A child process answers it, with a limit on memory and a
deadline, because requests may come from strangers.

Its modules:

    state            a place in a game, as a page sends it
    record_handlers  games and records: opens, starts and continues records; cuts a text into moves and comments
    short_links      a line of play as numbers among the legal actions
    action_handlers  the legal actions by kind, the effects of one on the board, why it is legal or not
    boards           pictures of positions as data for the page; the legend of a board
    editing          the editor: the invariants that edited facts break; kinds of facts, their values, places and looks
    query_handlers   queries, with several answers
    questions        all requests of a page, each with its deadline
    server           which requests are allowed, the addresses, and the server itself
    page             the files that the browser loads: page, style, scripts
"""
