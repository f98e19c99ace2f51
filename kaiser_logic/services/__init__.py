"""Servers for assistants (Model Context Protocol) and for editors (Language Server Protocol).

Its modules:

    assistant  the server for assistants (extra ``mcp``)
    lines      the lines of its standard streams: what is no request is answered with an error
    streams    the standard streams of both servers
    protocol   the messages of the server for editors: every request is answered
    editor     the server for editors (extra ``lsp``): findings, documented rules and the places of their ids
"""
