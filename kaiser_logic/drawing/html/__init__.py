"""Pages: one file each, without network, under a strict content security policy.

Its modules:

    page      the shell of every page: head, style, script, policy
    position  the page of one position
"""
