"""``rules GAME --print``: the rulebook to read, in the order of play, made from what lies in a game's folder.

What is printed is said by the game: the documented rules (their statements and sources), the rulings of its manifest, and
two files that only the print reads. ``book.toml`` has aim, components, course, chapters and headings; ``book.lp`` makes
tables of the rulebook's data. A third file, ``sentences.toml``, says for each sentence of the printed texts which rule says
it. All three may be missing: then there is a chapter for each file of rules, and no table.

Its modules:

    tables     paragraphs and lists of ``book.toml``, and the tables that ``book.lp`` makes of the data
    book       the whole book: its chapters, and which rule stands in which
    markdown   the book as Markdown
    page       the book as one page of HTML
    assumed    what no text says, with what would replace it
    sentences  the sentences of the printed texts, each with its rule
"""
