"""Hints for queries that cannot be parsed: words and signs of other languages, names with a capital letter."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from ..lang.terms import Signature

_SIGNS: Final = (
    ("≠", "'different' is written !="), ("≤", "'at most' is written <="), ("≥", "'at least' is written >="),
    ("∧", "'and' is written ','"), ("\u2228", "either/or is written ';'"), ("¬", "'not' is written not"),
    ("->", "'if A, then B' is written not (A, not B)"), ("|", "either/or is written ';'"), ("&", "'and' is written ','"),
    ("!", "'not' is written not"), ("~", "'not' is written not"), ("<>", "'different' is written !="),
    ("\\", "'different' is written !="), (":-", "a query has no head"), ("[", "braces { } stand around what is counted"),
    ("..", "from 1 to 3 is written N >= 1, N <= 3"), ("#", "count, sum, min and max are written without #"),
    ('"', "names are written without quotation marks"), ("'", "names are written without quotation marks"),
    ("-", "'not' is written not"),
)  # fmt: skip
"""What people write in other languages."""
_AFTER_EQUAL: Final = {
    "=": "'equal' is written =",
    "<": "'at most' is written <=",
    ">": "'at least' is written >=",
}
_WORDS: Final = {
    "or": "either/or is written ';'", "and": "'and' is written ','", "xor": "either/or is written ';'",
    "if": "'if A, then B' is written not (A, not B)", "then": "'if A, then B' is written not (A, not B)",
    "no": "'not' is written not", "nobody": "'nobody' is written not, with _ for whom",
    "forall": "'each A is B' is written not (A, not B)", "every": "'each A is B' is written not (A, not B)",
    "each": "'each A is B' is written not (A, not B)", "all": "'each A is B' is written not (A, not B)",
    "exists": "that there is something is said by the fact alone, with a variable",
    "not": "a comma is missing before it, or another 'not' stands there",
}  # fmt: skip
"""Words of English that a query has not, or not there."""
_COMPARISONS: Final = ("<", ">", "=", "!=", "+", "*", ";", "-")
_OPEN: Final = re.compile(r"([a-zA-Z_]\w*)\s*\([^()]*$")
_LISTED: Final = 3
"""So many facts are named at most."""


def hint(source: str, place: int, word: str, known: Iterable[tuple[Signature, str]]) -> str:
    """A hint on what was meant where parsing stopped, after ``: ``; empty if there is none.

    Args:
        source: The query.
        place: Where reading stopped.
        word: What stands there.
        known: The facts that can be asked for, each as the vocabulary writes it.
    """
    suggestion = _hint(source[:place].rstrip(), source[place:], word, known)
    return f": {suggestion}" if suggestion else ""


def _hint(before: str, rest: str, word: str, known: Iterable[tuple[Signature, str]]) -> str:
    if found := _around(before, rest, word):
        return found
    for sign, meant in _SIGNS:
        if rest.startswith(sign):
            return meant
    first = re.match(r"\s*([A-Za-z]+)\b(?!\s*\()", before)
    for one in (word, first[1] if first else ""):
        if one.lower() in _WORDS and (one.lower() != "not" or one == word):
            return _WORDS[one.lower()] + _facts(before + " " + rest, known)
    if word[:1].isalpha() and not word[:1].isascii():
        return "names have no umlauts, e.g. koeln"
    if re.match(r"\w", word) and re.search(r"[\w).]$", before):
        return "',' stands between two literals" + _facts(before + " " + rest, known)
    return ""


def _around(before: str, rest: str, word: str) -> str:
    """A hint on a sign, by the text before it."""
    last = re.search(r"[A-Z]\w*$", before)
    if word == "(" and last:
        return f"names begin with a small letter: write {last[0][0].lower()}{last[0][1:]}(...)"
    if before.endswith("=") and word[:1] in _AFTER_EQUAL:
        return _AFTER_EQUAL[word[:1]]
    if word == ">" and before.endswith("-"):
        return _WORDS["if"]
    if word == "}" and "{" in before:
        return "what is counted or summed stands before a ':', as in count{X : fact(X)}"
    inside = _OPEN.search(before)
    if inside and inside[1] != "not" and word.startswith(_COMPARISONS) and not rest.startswith("->"):
        name = inside[1]
        return (
            f"an argument is a name, a number, a variable or _: write a variable, as in {name}(...,N), N > 3"
        )
    flat = before
    while flat != (flat := re.sub(r"\([^()]*\)", "", flat)):
        pass
    if re.search(r"\bnot\s+[^,;(]*$" if rest.startswith(("=", "<", ">", "!=")) else r"\bnot$", flat):
        return "'not' stands before a fact: deny a comparison by another one, or write not (...) around it"
    return ""


def _facts(text: str, known: Iterable[tuple[Signature, str]]) -> str:
    """The form of the facts that a text names."""
    written = {w.lower() for w in re.findall(r"[A-Za-z_]\w*", text)}
    forms: Sequence[str] = [form for (name, _), form in known if name in written][:_LISTED]
    return f"; facts are written {' or '.join(forms)}" if forms else ""
