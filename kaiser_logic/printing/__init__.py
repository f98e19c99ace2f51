"""``rules GAME --print``: prints a rulebook in the order of play, from the folder of a game.

It consists of the documented rules (their statements and sources), the rulings of the manifest, and
two files that only the print reads. ``book.toml`` has aim, components, course, chapters and headings; ``book.lp`` makes
tables of the rulebook's data. A third file, ``sentences.toml``, says for each sentence of the printed texts which rule says
it. All three may be missing: then there is a chapter for each file of rules, and no table.

Its modules:

    book      the printed rulebook as data: chapters, sections, tables, and the appendix
    markdown  the book as Markdown
    page      the book as one page of HTML
    sources   the sentences of the printed text with their rules; the rules that no text says
"""
