"""``rules GAME --print``: prints a rulebook in the order of play, from the folder of a game.

The book consists of the documented rules (their statements and sources), the rulings of the manifest, and two files that only
this package reads. ``book.toml`` has aim, components, course, chapters and headings; ``book.lp`` derives tables from the
rulebook's data. A third file, ``sentences.toml``, names the rules that express each sentence of the printed texts. All three
files may be missing; the book then has a chapter for each file of rules, and no tables.

Its modules:

    book      the printed rulebook as data: chapters, sections, tables, and the appendix
    writer    what stands in the printed text, in which order
    markdown  the marks of Markdown
    page      the marks of HTML, as one page
    sources   the sentences of the printed texts with their rules; the rules without a source
"""
