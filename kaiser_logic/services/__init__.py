"""Servers for other programs: an assistant by the Model Context Protocol, an editor by the Language Server Protocol.

Its modules:

    questions  what an assistant may ask, each with its deadline
    answers    the answers, worked out in a child process: all of it may come from a stranger
    assistant  the server for assistants (extra ``mcp``)
    editor     the server for editors (extra ``lsp``): findings, documented rules and where their ids stand
"""
