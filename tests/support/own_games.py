"""Users' own games for tests: the heap game under another name, and one without a winner."""

DRAW = {
    '"decisions", "end"': '"decisions"',
    "init(phase(play)).": "init(phase(play)).\nterminal :- phase(over).",
}
"""Changes that make the heap game end with points and without a winner."""

RECORD = """\
[Game "heap"]
red: take(3) green: take(3) red: take(3) green: take(3)
"""
"""A complete game of two players."""
